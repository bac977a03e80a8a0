// Layer norm and root mean square norm over the last axis. Half types pass through float32 scratch memory row
// by row.

#include <algorithm>
#include <optional>
#include <vector>

#include "mlx/backend/cpu/block_loader.h"
#include "mlx/backend/cpu/copy.h"
#include "mlx/backend/cpu/eval.h"
#include "mlx/backend/cpu/isa.h"
#include "mlx/core/round.h"
#include "mlx/core/thread_pool.h"
#include "mlx/ops/norm_primitives.h"

namespace mlx::core::cpu {

namespace {

constexpr int64_t task_elements = 8 * 1024;
constexpr int64_t gradient_groups = 64;  // partial sums of the gradients of weight and bias, at most

int index_of(Dtype t) { return static_cast<int>(t.val()); }
Dtype work_dtype(Dtype t) { return t == float64 ? float64 : float32; }

// One value per column in the work dtype; without an array all are `value`.
std::vector<double> parameter(const array* x, int64_t n, Dtype work, double value) {
  std::vector<double> storage(static_cast<size_t>(n));
  if (x) {
    BlockLoader(x->dtype(), work, n)
        .load_into(x->data<char>(), {1, n, 0, x->strides(0)}, reinterpret_cast<char*>(storage.data()));
  } else {
    array filled(value, work);
    CopyBlock repeat{1, n, 0, 0, n, 1};
    copy_kernel(work.size())(filled.data<void>(), storage.data(), repeat);
  }
  return storage;
}

// Rows in the work dtype: the array's memory, or converted copies of a few rows at a time.
class RowBuffer {
 public:
  RowBuffer(char* data, Dtype dtype, Dtype work, int64_t batch, int64_t n)
      : data_(data),
        dtype_(dtype),
        work_(work),
        n_(n),
        converted_(dtype == work ? 0 : batch * n * work.size()) {}
  char* place(int64_t row) const { return dtype_ == work_ ? at(row) : converted_.data<char>(); }
  const char* read(int64_t row, int64_t rows) const {
    if (dtype_ != work_) convert_block(at(row), dtype_, converted_.data<char>(), work_, rows * n_);
    return place(row);
  }
  void write(int64_t row, int64_t rows) const {
    if (dtype_ != work_) convert_block(converted_.data<char>(), work_, at(row), dtype_, rows * n_);
  }

 private:
  char* at(int64_t row) const { return data_ + row * n_ * static_cast<int64_t>(dtype_.size()); }
  char* data_;
  Dtype dtype_, work_;
  int64_t n_;
  Scratch converted_;
};

void allocate_like(array& out, array& in) {
  bool reuse = in.is_donatable() && in.flags().row_contiguous && in.dtype() == out.dtype();
  if (reuse)
    out.copy_shared_buffer(in);
  else
    out.set_data(allocator::malloc(out.nbytes()));
}

void run_norm(const NormSpec& spec, InputSpan inputs, array& out) {
  if (out.size() == 0) {
    out.set_data(allocator::malloc(0));
    return;
  }
  array& in = inputs[0];
  int64_t n = in.shape(-1), rows = static_cast<int64_t>(in.size()) / n;
  Dtype work = work_dtype(in.dtype());
  std::vector<double> weight = parameter(spec.has_weight ? &inputs[1] : nullptr, n, work, 1);
  std::vector<double> bias = parameter(spec.has_bias ? &inputs.back() : nullptr, n, work, 0);
  // A second handle of the input would keep it from being donated.
  std::optional<array> copy;
  if (!in.flags().row_contiguous) copy = row_major(in);
  allocate_like(out, in);
  char* from = copy ? copy->data<char>() : in.data<char>();
  NormFn kernel = kernels().rows.norm[index_of(work)];
  int64_t batch = std::max<int64_t>(task_elements / n, 1);
  parallel_chunks(rows, batch, [&](int64_t begin, int64_t end) {
    RowBuffer input(from, out.dtype(), work, batch, n), output(out.data<char>(), out.dtype(), work, batch, n);
    for (int64_t r = begin; r < end; r += batch) {
      int64_t count = std::min(batch, end - r);
      kernel(input.read(r, count), weight.data(), bias.data(), output.place(r),
             {count, n, spec.eps, spec.centered});
      output.write(r, count);
    }
  });
}

// Sums the groups' gradients in order and converts them.
void emit_gradient(const double* groups, int64_t count, int64_t stride, int64_t n, array& out) {
  std::vector<double> total(static_cast<size_t>(n), 0.0);
  for (int64_t g = 0; g < count; g++) {
    for (int64_t i = 0; i < n; i++) total[i] += groups[g * stride + i];
  }
  out.set_data(allocator::malloc(out.nbytes()));
  convert_block(total.data(), float64, out.data<char>(), out.dtype(), n);
}

void run_norm_vjp(const NormSpec& spec, InputSpan inputs, OutputSpan outputs) {
  array x = row_major(inputs[0]), ct = row_major(inputs.back());
  array& dx = outputs[0];
  dx.set_data(allocator::malloc(dx.nbytes()));
  int64_t n = x.shape(-1), rows = n ? static_cast<int64_t>(x.size()) / n : 0;
  Dtype work = work_dtype(x.dtype());
  std::vector<double> weight = parameter(spec.has_weight ? &inputs[1] : nullptr, n, work, 1);
  NormVjpFn kernel = kernels().rows.norm_vjp[index_of(work)];
  int64_t batch = std::max<int64_t>(task_elements / std::max<int64_t>(n, 1), 1);
  int64_t groups = std::clamp<int64_t>(rows / std::max<int64_t>(4 * batch, 1), 1, gradient_groups);
  int64_t group_rows = ceil_div(rows, groups);
  std::vector<double> gradients(static_cast<size_t>(groups * 2 * n), 0.0);
  parallel_for(groups, [&](int64_t g) {
    RowBuffer input(x.data<char>(), x.dtype(), work, batch, n),
        cotangent(ct.data<char>(), x.dtype(), work, batch, n);
    RowBuffer output(dx.data<char>(), x.dtype(), work, batch, n);
    double* dweight = gradients.data() + g * 2 * n;
    int64_t end = std::min(rows, (g + 1) * group_rows);
    for (int64_t r = g * group_rows; r < end; r += batch) {
      int64_t count = std::min(batch, end - r);
      kernel(input.read(r, count), weight.data(), cotangent.read(r, count), output.place(r), dweight,
             dweight + n, {count, n, spec.eps, spec.centered});
      output.write(r, count);
    }
  });
  if (spec.has_weight) emit_gradient(gradients.data(), groups, 2 * n, n, outputs[1]);
  if (spec.has_bias) emit_gradient(gradients.data() + n, groups, 2 * n, n, outputs.back());
}

}  // namespace

void eval(LayerNorm& primitive, InputSpan inputs, OutputSpan outputs) {
  run_norm(primitive.spec(), inputs, outputs[0]);
}
void eval(RMSNorm& primitive, InputSpan inputs, OutputSpan outputs) {
  run_norm(primitive.spec(), inputs, outputs[0]);
}
void eval(LayerNormVJP& primitive, InputSpan inputs, OutputSpan outputs) {
  run_norm_vjp(primitive.spec(), inputs, outputs);
}
void eval(RMSNormVJP& primitive, InputSpan inputs, OutputSpan outputs) {
  run_norm_vjp(primitive.spec(), inputs, outputs);
}

}  // namespace mlx::core::cpu
