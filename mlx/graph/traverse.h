// The part of a graph that lies between given inputs and outputs, as the transformations walk it. Edges are
// snapshots, so that other threads cannot change them meanwhile.
#pragma once

#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "mlx/array.h"
#include "mlx/core/primitive.h"

namespace mlx::core {

struct GraphOp {
  std::shared_ptr<Primitive> primitive;
  std::vector<array> inputs;
  std::vector<array> outputs;
};

struct Subgraph {
  std::vector<GraphOp> ops;                     // inputs before users
  std::unordered_set<std::uintptr_t> depends;  // ids of arrays that depend on an input, the inputs included
};

// What the outputs need, down to `inputs`; only primitives that depend on one of the inputs are listed. Where
// `stop` says so a primitive passes no dependence on.
Subgraph subgraph(const std::vector<array>& inputs, const std::vector<array>& outputs,
                  bool (*stop)(const Primitive&) = nullptr);

// A rule of somebody else's primitive may return anything. Throws std::invalid_argument naming both where it returned
// another number of results than it has to.
void check_rule(const char* rule, const Primitive& primitive, size_t returned, size_t wanted, const char* what);

// A name for the n-th value: A ... Z, AA, AB ...
std::string letters(size_t n);

// Everything that the outputs need, inputs before users.
std::vector<GraphOp> all_ops(const std::vector<array>& outputs);

}  // namespace mlx::core
