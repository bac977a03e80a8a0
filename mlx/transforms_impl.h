// What language bindings build on: the parts of the transformations below the std::function interface.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "mlx/array.h"

namespace mlx::core::detail {

// Traces fun once with unbatched stand-ins for the inputs (in_axes: -1 for an unbatched input). Returns the stand-ins
// and the outputs computed from them.
std::pair<std::vector<array>, std::vector<array>> vmap_trace(
    const std::function<std::vector<array>(const std::vector<array>&)>& fun, const std::vector<array>& inputs,
    const std::vector<int>& in_axes);

// Turns the traced outputs into batched ones for the given inputs; out_axes: where each output's batch axis goes,
// -1 for an output that must not be batched.
std::vector<array> vmap_replace(const std::vector<array>& inputs, const std::vector<array>& traced_inputs,
                                const std::vector<array>& traced_outputs, const std::vector<int>& in_axes,
                                const std::vector<int>& out_axes);

// A function's compiled programs. They live as long as the cache object, which the binding ties to the life of the
// function it compiles.
class CompileCache;
std::shared_ptr<CompileCache> make_compile_cache();

// Calls fun through the cache: the first call with given shapes, dtypes and constants traces it, later ones run the
// program. `constants` stand for everything that is not an array (tree structure, Python values), by value; `outputs`
// of a trace may come with an opaque `extra` (the structure of the result) that is kept with the program and
// returned by every call.
struct CompiledResult {
  std::vector<array> outputs;
  std::shared_ptr<void> extra;
};
using TracedFunction = std::function<CompiledResult(const std::vector<array>&)>;
CompiledResult compiled_call(CompileCache& cache, const TracedFunction& fun, const std::vector<array>& inputs,
                             const std::vector<uint64_t>& constants, bool shapeless);

// False while compilation is switched off (disable_compile, MLX_DISABLE_COMPILE).
bool compile_enabled();

}  // namespace mlx::core::detail
