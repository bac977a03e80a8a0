// matmul and addmm on the CPU: strides go to the packed product as they are.

#include <algorithm>

#include "mlx/backend/common/layout.h"
#include "mlx/backend/cpu/eval.h"
#include "mlx/backend/cpu/copy.h"
#include "mlx/backend/cpu/gemm.h"
#include "mlx/backend/cpu/integer_gemm.h"
#include "mlx/backend/cpu/openblas.h"
#include "mlx/core/thread_pool.h"
#include "mlx/ops/matmul_primitives.h"

namespace mlx::core::cpu {

namespace {

struct Batch {
  Shape shape;
  Strides a, b, c, out;
};

Strides leading(const array& x, const Shape& batch) {
  return broadcast_strides(Shape(x.shape().begin(), x.shape().end() - 2),
                           Strides(x.strides().begin(), x.strides().end() - 2), batch);
}

bool is_zero(const Strides& strides) {
  return std::all_of(strides.begin(), strides.end(), [](int64_t s) { return s == 0; });
}

// A matrix b shared by the whole batch makes the batch rows of one product, if they step evenly through memory.
void merge_rows(GemmProblem& p, Batch& batch) {
  if (batch.shape.empty() || !is_zero(batch.b)) return;
  Shape rows = batch.shape;
  rows.push_back(p.m);
  auto with = [](Strides s, int64_t last) {
    s.push_back(last);
    return s;
  };
  std::vector<Strides> strides{with(batch.a, p.a.row_stride), with(batch.out, p.out_row_stride)};
  if (p.cin.data) strides.push_back(with(batch.c, p.cin.row_stride));
  Collapsed c = collapse(rows, strides);
  if (c.shape.size() != 1) return;
  p.m = c.shape[0];
  p.a.row_stride = c.strides[0][0];
  p.out_row_stride = c.strides[1][0];
  if (p.cin.data) p.cin.row_stride = c.strides[2][0];
  batch = {};
}

// out = alpha * out + beta * c. OpenBLAS has no product with an addend of any layout.
void add_complex(array& out, const array& c, float alpha, float beta) {
  array view(out.shape(), complex64, nullptr, {});
  set_view(view, c, broadcast_strides(c.shape(), c.strides(), out.shape()));
  array addend = row_major(view);
  const complex64_t* from = addend.data<complex64_t>();
  complex64_t* to = out.data<complex64_t>();
  parallel_for(static_cast<int64_t>(out.size()), 4096, [&](int64_t i) { to[i] = alpha * to[i] + beta * from[i]; });
}

MatmulOperand operand(const array& x) {
  return {x.data<void>(), x.strides(-2), x.strides(-1)};
}

void run(const array& a, const array& b, const array* c, array& out, float alpha, float beta) {
  out.set_data(allocator::malloc(out.nbytes()));
  if (out.size() == 0) return;
  GemmProblem p;
  p.m = out.shape(-2);
  p.n = out.shape(-1);
  p.k = a.shape(-1);
  p.a = operand(a);
  p.b = operand(b);
  p.out = out.data<void>();
  p.out_row_stride = p.n;
  p.alpha = alpha;
  p.beta = beta;
  Batch batch;
  batch.shape = Shape(out.shape().begin(), out.shape().end() - 2);
  batch.a = leading(a, batch.shape);
  batch.b = leading(b, batch.shape);
  batch.out = Strides(out.strides().begin(), out.strides().end() - 2);
  if (c) {
    Strides strides = broadcast_strides(c->shape(), c->strides(), out.shape());
    p.cin = {c->data<void>(), strides[strides.size() - 2], strides.back()};
    batch.c = Strides(strides.begin(), strides.end() - 2);
  }
  merge_rows(p, batch);
  p.batch_ndim = static_cast<int>(batch.shape.size());
  p.batch_shape = batch.shape.data();
  p.a_batch_strides = batch.a.data();
  p.b_batch_strides = batch.b.data();
  p.cin_batch_strides = batch.c.data();
  p.out_batch_strides = batch.out.data();
  if (out.dtype() == complex64) {
    complex_gemm(p);
    if (c || alpha != 1) add_complex(out, c ? *c : out, alpha, c ? beta : 0);
    return;
  }
  if (issubdtype(out.dtype(), integer)) return integer_gemm(p, out.itemsize());
  p.type = gemm_type(out.dtype());
  gemm(p);
}

}  // namespace

void eval(Matmul&, InputSpan inputs, OutputSpan outputs) { run(inputs[0], inputs[1], nullptr, outputs[0], 1, 0); }

// beta = 0 ignores c, even where it is NaN.
void eval(AddMM& primitive, InputSpan inputs, OutputSpan outputs) {
  const array* c = primitive.beta() == 0 ? nullptr : &inputs[2];
  run(inputs[0], inputs[1], c, outputs[0], primitive.alpha(), primitive.beta());
}

}  // namespace mlx::core::cpu
