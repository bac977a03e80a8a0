// The operation: evaluation, derivatives, batching.
#include "axpby.h"

#include "mlx/backend/common/utils.h"
#include "mlx/backend/cpu/encoder.h"

namespace axpby_example {

mx::array axpby(const mx::array& x, const mx::array& y, float alpha, float beta, mx::StreamOrDevice s) {
  mx::Dtype dtype = mx::result_type(x, y);
  if (!mx::issubdtype(dtype, mx::inexact)) dtype = mx::float32;
  mx::Stream stream = mx::to_stream(s);
  std::vector<mx::array> operands =
      mx::broadcast_arrays({mx::astype(x, dtype, stream), mx::astype(y, dtype, stream)}, stream);
  mx::Shape shape = operands[0].shape();
  return mx::array(shape, dtype, std::make_shared<Axpby>(stream, alpha, beta), std::move(operands));
}

namespace {

// Operands may be views: broadcast, transposed, cut. The output is fresh and row-major.
template <typename T>
void run(const mx::array& x, const mx::array& y, mx::array& out, float alpha_, float beta_, mx::Stream stream) {
  auto& encoder = mx::cpu::get_command_encoder(stream);
  encoder.set_input_array(x);
  encoder.set_input_array(y);
  encoder.set_output_array(out);
  T alpha = static_cast<T>(alpha_), beta = static_cast<T>(beta_);
  encoder.dispatch([=, from_x = x.data<T>(), from_y = y.data<T>(), to = out.data<T>(), size = out.size(),
                    at_x = mx::ContiguousIterator(x), at_y = mx::ContiguousIterator(y)]() mutable {
    for (size_t i = 0; i < size; i++, at_x.step(), at_y.step()) {
      to[i] = static_cast<T>(alpha * from_x[at_x.loc] + beta * from_y[at_y.loc]);
    }
  });
}

}  // namespace

void Axpby::eval_cpu(const std::vector<mx::array>& inputs, mx::array& out) {
  out.set_data(mx::allocator::malloc(out.nbytes()));
  switch (out.dtype()) {
    case mx::float16: return run<mx::float16_t>(inputs[0], inputs[1], out, alpha_, beta_, stream());
    case mx::bfloat16: return run<mx::bfloat16_t>(inputs[0], inputs[1], out, alpha_, beta_, stream());
    case mx::float32: return run<float>(inputs[0], inputs[1], out, alpha_, beta_, stream());
    case mx::float64: return run<double>(inputs[0], inputs[1], out, alpha_, beta_, stream());
    case mx::complex64: return run<mx::complex64_t>(inputs[0], inputs[1], out, alpha_, beta_, stream());
    default: throw std::runtime_error("[axpby] The dtype is not a floating-point one.");
  }
}

void Axpby::eval_gpu(const std::vector<mx::array>&, mx::array&) {
  throw std::runtime_error("[axpby] There is no version for GPUs.");
}

// The operation is linear: it maps tangents as it maps values.
std::vector<mx::array> Axpby::jvp(const std::vector<mx::array>&, const std::vector<mx::array>& tangents,
                                  const std::vector<int>& argnums) {
  if (argnums.size() == 2) return {axpby(tangents[0], tangents[1], alpha_, beta_, stream())};
  float scale = argnums[0] == 0 ? alpha_ : beta_;
  return {tangents[0] * mx::array(scale, tangents[0].dtype())};
}

std::vector<mx::array> Axpby::vjp(const std::vector<mx::array>&, const std::vector<mx::array>& cotangents,
                                  const std::vector<int>& argnums, const std::vector<mx::array>&) {
  std::vector<mx::array> result;
  for (int argument : argnums) {
    float scale = argument == 0 ? alpha_ : beta_;
    result.push_back(cotangents[0] * mx::array(scale, cotangents[0].dtype()));
  }
  return result;
}

// Both operands have one shape here. The batch goes to the front; an operand without one repeats along it.
std::pair<std::vector<mx::array>, std::vector<int>> Axpby::vmap(const std::vector<mx::array>& inputs,
                                                                const std::vector<int>& axes) {
  std::vector<mx::array> operands;
  for (int i = 0; i < 2; i++) {
    operands.push_back(axes[i] < 0 ? mx::expand_dims(inputs[i], 0, stream())
                                   : mx::moveaxis(inputs[i], axes[i], 0, stream()));
  }
  return {{axpby(operands[0], operands[1], alpha_, beta_, stream())}, {0}};
}

bool Axpby::is_equivalent(const mx::Primitive& other) const {
  const auto& o = static_cast<const Axpby&>(other);
  return alpha_ == o.alpha_ && beta_ == o.beta_;
}

}  // namespace axpby_example
