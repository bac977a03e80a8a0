// A traced function as a list of steps over numbered values.
#pragma once

#include <memory>
#include <vector>

#include "mlx/array.h"
#include "mlx/core/primitive.h"

namespace mlx::core {

struct ProgramStep {
  std::shared_ptr<Primitive> primitive;
  std::vector<int> inputs, outputs;  // values
};

// Values: the inputs, then the constants (what the function captured), then what the steps make.
struct Program {
  int inputs = 0;
  std::vector<array> constants;
  std::vector<ProgramStep> steps;
  std::vector<int> outputs;
  std::vector<Shape> shapes;  // of each value
  std::vector<Dtype> dtypes;

  static Program record(const std::vector<array>& inputs, const std::vector<array>& outputs);
  // Merges equal constants and equal steps.
  void simplify();
  // Fuses chains of element-wise steps into tapes.
  Program fused() const;
  // Do the arguments have the shapes of the trace?
  bool same_shapes(const std::vector<array>& arguments) const;
  // Builds the graph on these inputs. With same_shapes the shapes are those of the trace; otherwise they come from
  // the shape rules, which throw std::invalid_argument where there is no result for the new shapes.
  std::vector<array> replay(const std::vector<array>& arguments, bool same_shapes) const;
};

// A program that is built again and again.
struct CompiledProgram {
  Program plain, fused;

  // The plain program is built inside another transformation, so that its operations can be derived and batched.
  std::vector<array> run(const std::vector<array>& arguments, bool same_shapes) const;
  // Holds arrays of a trace that is going on.
  bool captured_traced() const;
};

}  // namespace mlx::core
