// Evaluation and the function transformations grad, vjp, jvp, vmap, checkpoint and custom_function.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "mlx/array.h"

namespace mlx::core {

// Computes the arrays and waits for them. An error of the computation is thrown here and again on every later wait;
// an interrupt leaves the arrays pending.
void eval(std::vector<array> outputs);

template <typename... Arrays, typename = enable_for_arrays_t<Arrays...>>
void eval(Arrays&&... outputs) {
  eval(std::vector<array>{std::forward<Arrays>(outputs)...});
}

// Starts the computation and returns. Errors surface when somebody waits.
void async_eval(std::vector<array> outputs);

template <typename... Arrays, typename = enable_for_arrays_t<Arrays...>>
void async_eval(Arrays&&... outputs) {
  async_eval(std::vector<array>{std::forward<Arrays>(outputs)...});
}

// Functions of lists of arrays. A function is traced by calling it: it must be pure but for what it captures.

// The outputs of fun and the cotangents pulled back to the primals. One cotangent per output, of its shape; outputs
// behind stop_gradient take none. Throws std::invalid_argument otherwise.
std::pair<std::vector<array>, std::vector<array>> vjp(
    const std::function<std::vector<array>(const std::vector<array>&)>& fun, const std::vector<array>& primals,
    const std::vector<array>& cotangents);
std::pair<array, array> vjp(const std::function<array(const array&)>& fun, const array& primal,
                            const array& cotangent);

// The outputs of fun and the tangents pushed forward to them. One tangent per primal, of its shape.
std::pair<std::vector<array>, std::vector<array>> jvp(
    const std::function<std::vector<array>(const std::vector<array>&)>& fun, const std::vector<array>& primals,
    const std::vector<array>& tangents);
std::pair<array, array> jvp(const std::function<array(const array&)>& fun, const array& primal,
                            const array& tangent);

using ValueAndGradFn =
    std::function<std::pair<std::vector<array>, std::vector<array>>(const std::vector<array>&)>;
using SimpleValueAndGradFn = std::function<std::pair<array, std::vector<array>>(const std::vector<array>&)>;

// The value of fun and the gradients of its first output, a scalar, with respect to the arguments named by argnums,
// in ascending order.
ValueAndGradFn value_and_grad(const std::function<std::vector<array>(const std::vector<array>&)>& fun,
                              const std::vector<int>& argnums);
inline ValueAndGradFn value_and_grad(const std::function<std::vector<array>(const std::vector<array>&)>& fun,
                                     int argnum = 0) {
  return value_and_grad(fun, std::vector<int>{argnum});
}
inline std::function<std::pair<array, array>(const array&)> value_and_grad(
    const std::function<array(const array&)>& fun) {
  return [fun](const array& x) { return vjp(fun, x, array(1.0f)); };
}
inline SimpleValueAndGradFn value_and_grad(const std::function<array(const std::vector<array>&)>& fun,
                                           const std::vector<int>& argnums) {
  auto of_list = value_and_grad([fun](std::vector<array> x) { return std::vector<array>{fun(x)}; }, argnums);
  return [of_list](const std::vector<array>& x) {
    auto [values, gradients] = of_list(x);
    return std::make_pair(values[0], gradients);
  };
}
inline SimpleValueAndGradFn value_and_grad(const std::function<array(const std::vector<array>&)>& fun,
                                           int argnum = 0) {
  return value_and_grad(fun, std::vector<int>{argnum});
}

inline std::function<std::vector<array>(const std::vector<array>&)> grad(
    const std::function<array(const std::vector<array>&)>& fun, const std::vector<int>& argnums) {
  return [f = value_and_grad(fun, argnums)](const std::vector<array>& x) { return f(x).second; };
}
inline std::function<std::vector<array>(const std::vector<array>&)> grad(
    const std::function<array(const std::vector<array>&)>& fun, int argnum = 0) {
  return grad(fun, std::vector<int>{argnum});
}
inline std::function<array(const array&)> grad(const std::function<array(const array&)>& fun) {
  return [f = value_and_grad(fun)](const array& x) { return f(x).second; };
}

// fun vectorized over the axes of its inputs named by in_axes (-1: not batched; empty: 0 for each). Primitives
// without a batching rule run once per element.
std::function<std::vector<array>(const std::vector<array>&)> vmap(
    const std::function<std::vector<array>(const std::vector<array>&)>& fun, const std::vector<int>& in_axes = {},
    const std::vector<int>& out_axes = {});
std::function<array(const array&)> vmap(const std::function<array(const array&)>& fun, int in_axis = 0,
                                        int out_axis = 0);
std::function<array(const array&, const array&)> vmap(const std::function<array(const array&, const array&)>& fun,
                                                      int in_axis_a = 0, int in_axis_b = 0, int out_axis = 0);

// fun with rules of its own: fun_vjp(primals, cotangents, outputs), fun_jvp(primals, tangents, argnums),
// fun_vmap(inputs, axes) -> (outputs, axes). A missing rule is that of the operations fun consists of.
std::function<std::vector<array>(const std::vector<array>&)> custom_function(
    std::function<std::vector<array>(const std::vector<array>&)> fun,
    std::optional<std::function<std::vector<array>(const std::vector<array>&, const std::vector<array>&,
                                                   const std::vector<array>&)>>
        fun_vjp = std::nullopt,
    std::optional<std::function<std::vector<array>(const std::vector<array>&, const std::vector<array>&,
                                                   const std::vector<int>&)>>
        fun_jvp = std::nullopt,
    std::optional<std::function<std::pair<std::vector<array>, std::vector<int>>(const std::vector<array>&,
                                                                                const std::vector<int>&)>>
        fun_vmap = std::nullopt);
std::function<std::vector<array>(const std::vector<array>&)> custom_vjp(
    std::function<std::vector<array>(const std::vector<array>&)> fun,
    std::function<std::vector<array>(const std::vector<array>&, const std::vector<array>&,
                                     const std::vector<array>&)>
        fun_vjp);

// fun, computed again in the backward pass instead of keeping its intermediate results.
std::function<std::vector<array>(const std::vector<array>&)> checkpoint(
    std::function<std::vector<array>(const std::vector<array>&)> fun);

}  // namespace mlx::core
