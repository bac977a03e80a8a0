// Compilation: a function is traced once, simplified and fused; later calls run the program.
#pragma once

#include <functional>
#include <type_traits>
#include <vector>

#include "mlx/array.h"

namespace mlx::core {

enum class CompileMode { disabled, no_simplify, no_fuse, enabled };

// The program is traced again for other shapes and dtypes; with shapeless only for another dtype or number of
// dimensions, and where something in the function depends on a size.
std::function<std::vector<array>(const std::vector<array>&)> compile(
    std::function<std::vector<array>(const std::vector<array>&)> fun, bool shapeless = false);
std::function<std::vector<array>(const std::vector<array>&)> compile(
    std::vector<array> (*fun)(const std::vector<array>&), bool shapeless = false);
template <typename F, typename = std::enable_if_t<std::is_convertible_v<F, decltype(+std::declval<F>())>>>
std::function<std::vector<array>(const std::vector<array>&)> compile(F&& f, bool shapeless = false) {
  return compile(+f, shapeless);
}

// Affects later calls and later compiles. Disabled, a compiled function is a plain call.
void disable_compile();
void enable_compile();
void set_compile_mode(CompileMode mode);

}  // namespace mlx::core
