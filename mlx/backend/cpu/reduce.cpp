// Which kernel, work dtype and divisor each reduction has.

#include "mlx/backend/cpu/reduce.h"

#include <algorithm>
#include <cstring>

#include "mlx/backend/cpu/eval.h"
#include "mlx/primitives.h"

namespace mlx::core::cpu {

namespace {

int index_of(Dtype t) { return static_cast<int>(t.val()); }
bool is_half(Dtype t) { return t == float16 || t == bfloat16; }

// Accumulators of floating-point dtypes are float64, and so are the kernels' results.
Dtype result_of(Dtype work) { return issubdtype(work, floating) ? float64 : work; }

Reduction reduction_of(Reduce::Type type, Dtype in, Dtype out) {
  const ReduceKernels& table = kernels().reduce;
  switch (type) {
    case Reduce::And:
      return {table.all, bool_, bool_};
    case Reduce::Or:
      return {table.any, bool_, bool_};
    case Reduce::Sum:
    case Reduce::Prod: {
      Dtype work = is_half(in) ? float32 : out;
      return {(type == Reduce::Sum ? table.sum : table.prod)[index_of(work)], work, result_of(work)};
    }
    default: {
      Dtype work = is_half(in) ? float32 : in;
      return {(type == Reduce::Min ? table.min : table.max)[index_of(work)], work, work};
    }
  }
}

// What statistics read: integers as float64, halves as float32.
Dtype statistics_work(Dtype in) {
  if (!issubdtype(in, inexact)) return float64;
  return is_half(in) ? float32 : in;
}

double reduced_count(const array& in, const std::vector<int>& axes) {
  double n = 1;
  for (int axis : axes) n *= static_cast<double>(in.shape(axis));
  return n;
}

void allocate(array& out) { out.set_data(allocator::malloc(out.nbytes())); }

}  // namespace

void eval(Reduce& primitive, InputSpan inputs, OutputSpan outputs) {
  array& out = outputs[0];
  allocate(out);
  run_reduction(reduction_of(primitive.type(), inputs[0].dtype(), out.dtype()), inputs[0], primitive.axes(),
                out);
  // The identity of floating-point sums is -0, but the sum of nothing is 0.
  if (primitive.type() == Reduce::Sum && inputs[0].size() == 0)
    std::memset(out.data<char>(), 0, out.nbytes());
}

void eval(Mean& primitive, InputSpan inputs, OutputSpan outputs) {
  allocate(outputs[0]);
  Dtype work = statistics_work(inputs[0].dtype());
  Reduction mean{kernels().reduce.sum[index_of(work)], work, result_of(work),
                 reduced_count(inputs[0], primitive.axes())};
  run_reduction(mean, inputs[0], primitive.axes(), outputs[0]);
}

void eval(Variance& primitive, InputSpan inputs, OutputSpan outputs) {
  allocate(outputs[0]);
  Dtype work = statistics_work(inputs[0].dtype());
  double divisor = std::max(reduced_count(inputs[0], primitive.axes()) - primitive.ddof(), 0.0);
  Reduction variance{kernels().reduce.variance[index_of(work)], work, float64, divisor};
  run_reduction(variance, inputs[0], primitive.axes(), outputs[0]);
}

void eval(LogSumExp& primitive, InputSpan inputs, OutputSpan outputs) {
  allocate(outputs[0]);
  Dtype work = statistics_work(inputs[0].dtype());
  Reduction logsumexp{kernels().reduce.logsumexp[index_of(work)], work, float64};
  run_reduction(logsumexp, inputs[0], primitive.axes(), outputs[0]);
}

}  // namespace mlx::core::cpu
