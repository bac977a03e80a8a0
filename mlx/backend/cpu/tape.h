// Runs tapes (core/tape.h) block by block over the kernels of the chosen instruction set.
#pragma once

#include <span>

#include "mlx/array.h"
#include "mlx/core/tape.h"

namespace mlx::core::cpu {

// Inputs broadcast to the shape of the outputs, which get their data here; an input may be donated to an output.
void run_tape(const Tape& tape, std::span<array> inputs, std::span<array> outputs);

// Elements per block; MLX_TAPE_BLOCK overrides it (tests run the suite with tiny blocks).
int64_t tape_block();

}  // namespace mlx::core::cpu
