// The tape: a short program of element-wise instructions in SSA form. Values are numbered: the inputs first, then the
// result of each instruction. Graphs are fused into tapes, and each backend runs or prints them.
#pragma once

#include <cstdint>
#include <vector>

#include "mlx/dtype.h"

namespace mlx::core {

struct TapeInstr {
  static constexpr int cast = 255;  // an op that is no row of the table: conversion to `result`

  uint8_t op;         // row of ops/elementwise.def, or cast
  uint8_t arity;
  Dtype::Val operand;  // dtype of the operands; the bool condition of Select apart
  Dtype::Val result;
  uint16_t inputs[3];
};

struct Tape {
  std::vector<Dtype> inputs;
  std::vector<TapeInstr> code;
  std::vector<uint16_t> outputs;  // values

  Dtype type_of(size_t value) const;
  bool operator==(const Tape& other) const;
};

// The tape of a single instruction.
Tape single_instruction_tape(int op, const std::vector<Dtype>& inputs, Dtype result);

}  // namespace mlx::core
