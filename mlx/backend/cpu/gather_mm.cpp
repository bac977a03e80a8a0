// Products of the matrices that indices name. Products with one right matrix are computed together: their
// left rows become rows of one product.

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "mlx/backend/common/layout.h"
#include "mlx/backend/cpu/block_loader.h"
#include "mlx/backend/cpu/copy.h"
#include "mlx/backend/cpu/eval.h"
#include "mlx/backend/cpu/gemm.h"
#include "mlx/backend/cpu/gemm_core.h"
#include "mlx/backend/cpu/indices.h"
#include "mlx/backend/cpu/quantized.h"
#include "mlx/core/error.h"
#include "mlx/core/function_ref.h"
#include "mlx/core/thread_pool.h"
#include "mlx/ops/matmul_primitives.h"

namespace mlx::core::cpu {

namespace {

int64_t matrices(const array& x) {
  int64_t count = 1;
  for (size_t d = 0; d + 2 < x.ndim(); d++) count *= x.shape(static_cast<int>(d));
  return count;
}

// The matrix of each product; negative ones count from the end.
std::vector<int64_t> checked_numbers(const char* op, const array& x, const array& indices) {
  array all = row_major(indices);
  std::vector<int64_t> numbers(all.size(), 0);
  add_offsets({op, 0, matrices(x), 1, 1}, all.dtype(), all.data<void>(), 1, static_cast<int64_t>(all.size()),
              numbers.data());
  return numbers;
}

struct Gathered {
  std::vector<int64_t> left, right;
  const char* a;  // row-major
  char* out;
  int64_t m, n, k, item;
};

// One product (rows, k) with the right matrix of that number.
using Product = FunctionRef<void(int64_t right, const void* rows, int64_t m, void* out)>;

// The products [begin, end) of `order`, all with one right matrix.
void run_group(const Gathered& g, const std::vector<int64_t>& order, size_t begin, size_t end,
               Product product) {
  int64_t count = static_cast<int64_t>(end - begin), in = g.m * g.k * g.item, out = g.m * g.n * g.item;
  int64_t right = g.right[static_cast<size_t>(order[begin])];
  bool left_in_order = true, out_in_order = true;
  for (size_t i = begin + 1; i < end; i++) {
    size_t here = static_cast<size_t>(order[i]), before = static_cast<size_t>(order[i - 1]);
    left_in_order &= g.left[here] == g.left[before] + 1;
    out_in_order &= here == before + 1;
  }
  Scratch rows(left_in_order ? 0 : static_cast<size_t>(count * in)),
      results(out_in_order ? 0 : static_cast<size_t>(count * out));
  const char* from = g.a + g.left[static_cast<size_t>(order[begin])] * in;
  char* to = g.out + order[begin] * out;
  if (!left_in_order) {
    for (size_t i = begin; i < end; i++)
      std::memcpy(rows.data<char>() + static_cast<int64_t>(i - begin) * in,
                  g.a + g.left[static_cast<size_t>(order[i])] * in, static_cast<size_t>(in));
    from = rows.data<char>();
  }
  if (!out_in_order) to = results.data<char>();
  product(right, from, count * g.m, to);
  if (out_in_order) return;
  for (size_t i = begin; i < end; i++)
    std::memcpy(g.out + order[i] * out, to + static_cast<int64_t>(i - begin) * out, static_cast<size_t>(out));
}

void run(const Gathered& g, Product product) {
  std::vector<int64_t> order(g.right.size());
  std::iota(order.begin(), order.end(), int64_t(0));
  auto number = [&](int64_t i) { return g.right[static_cast<size_t>(i)]; };
  std::stable_sort(order.begin(), order.end(), [&](int64_t i, int64_t j) { return number(i) < number(j); });
  std::vector<size_t> starts;
  for (size_t i = 0; i < order.size(); i++)
    if (i == 0 || number(order[i]) != number(order[i - 1])) starts.push_back(i);
  starts.push_back(order.size());
  parallel_for(static_cast<int64_t>(starts.size()) - 1, [&](int64_t i) {
    size_t group = static_cast<size_t>(i);
    run_group(g, order, starts[group], starts[group + 1], product);
  });
}

Gathered gathered(const char* op, const array& a, const array& b, const array& left, const array& right,
                  array& out) {
  out.set_data(allocator::malloc(out.nbytes()));
  return {checked_numbers(op, a, left),
          checked_numbers(op, b, right),
          a.data<char>(),
          out.data<char>(),
          out.shape(-2),
          out.shape(-1),
          a.shape(-1),
          static_cast<int64_t>(out.itemsize())};
}

// The place of the matrix of that number.
int64_t matrix_offset(const array& x, int64_t number) {
  return offsets_at(number, x.ndim() - 2, x.shape(), x.strides())[0];
}

}  // namespace

void eval(GatherMM&, InputSpan inputs, OutputSpan outputs) {
  array a = row_major(inputs[0]);
  const array& b = inputs[1];
  array& out = outputs[0];
  Gathered g = gathered("gather_mm", a, b, inputs[2], inputs[3], out);
  if (out.size() == 0) return;
  run(g, [&](int64_t right, const void* rows, int64_t m, void* to) {
    GemmProblem p;
    p.type = gemm_type(out.dtype());
    p.m = m;
    p.n = g.n;
    p.k = g.k;
    p.a = {rows, g.k, 1};
    p.b = {b.data<char>() + matrix_offset(b, right) * g.item, b.strides(-2), b.strides(-1)};
    p.out = to;
    p.out_row_stride = g.n;
    gemm(p);
  });
}

void eval(GatherQMM& primitive, InputSpan inputs, OutputSpan outputs) {
  const Quantization& q = primitive.quantization();
  array x = row_major(inputs[0]), w = row_major(inputs[1]), scales = row_major(inputs[2]),
        third = row_major(inputs[3]);
  array& out = outputs[0];
  Gathered g = gathered("gather_qmm", x, w, inputs[inputs.size() - 2], inputs.back(), out);
  if (out.size() == 0) return;
  const array* biases = q.affine() ? &third : nullptr;
  const array* global = !q.affine() && inputs.size() == 6 ? &third : nullptr;
  run(g, [&](int64_t right, const void* rows, int64_t m, void* to) {
    PackedMatrix matrix = packed_matrix(q, w, scales, biases, global, right);
    quantized_product(matrix, primitive.transpose(), rows, m, out.dtype(), to);
  });
}

void eval(SegmentedMM&, InputSpan inputs, OutputSpan outputs) {
  const array &a = inputs[0], &b = inputs[1];
  array segments = row_major(inputs[2]);
  array& out = outputs[0];
  out.set_data(allocator::malloc(out.nbytes()));
  int64_t count = static_cast<int64_t>(segments.size()) / 2, size = a.shape(1);
  std::vector<int64_t> ends(segments.size());
  convert_block(segments.data<void>(), segments.dtype(), ends.data(), int64, 2 * count);
  for (int64_t end : ends) {
    if (end < 0 || end > size)
      raise<AxisError>("[segmented_mm] The end ", end, " of a segment is out of bounds for axis 1 with size ",
                       size, ".");
  }
  if (out.size() == 0) return;
  int64_t item = static_cast<int64_t>(out.itemsize()), area = out.shape(-2) * out.shape(-1);
  parallel_for(count, [&](int64_t i) {
    int64_t start = ends[static_cast<size_t>(2 * i)], stop = ends[static_cast<size_t>(2 * i + 1)];
    GemmProblem p;
    p.type = gemm_type(out.dtype());
    p.m = out.shape(-2);
    p.n = out.shape(-1);
    p.k = std::max<int64_t>(stop - start, 0);
    p.a = {a.data<char>() + start * a.strides(1) * item, a.strides(0), a.strides(1)};
    p.b = {b.data<char>() + start * b.strides(0) * item, b.strides(0), b.strides(1)};
    p.out = out.data<char>() + i * area * item;
    p.out_row_stride = p.n;
    gemm(p);
  });
}

void eval(QuantizedMatmul& primitive, InputSpan inputs, OutputSpan outputs) {
  const Quantization& q = primitive.quantization();
  array x = row_major(inputs[0]), w = row_major(inputs[1]), scales = row_major(inputs[2]),
        third = row_major(inputs.back());
  array& out = outputs[0];
  out.set_data(allocator::malloc(out.nbytes()));
  if (out.size() == 0) return;
  const array* biases = q.affine() ? &third : nullptr;
  int64_t m = out.shape(-2), item = static_cast<int64_t>(out.itemsize()), in = m * x.shape(-1) * item;
  if (matrices(w) == 1) {  // the batch makes rows
    PackedMatrix matrix = packed_matrix(q, w, scales, biases, nullptr, 0);
    quantized_product(matrix, primitive.transpose(), x.data<void>(), m * matrices(x), out.dtype(),
                      out.data<void>());
    return;
  }
  parallel_for(matrices(out), [&](int64_t i) {
    int64_t x_index = 0, w_index = 0, x_step = 1, w_step = 1, rest = i;
    for (int d = static_cast<int>(out.ndim()) - 3; d >= 0; d--) {
      int64_t at = rest % out.shape(d);
      rest /= out.shape(d);
      auto step = [&](const array& part, int64_t& index, int64_t& stride) {
        int axis = d - static_cast<int>(out.ndim()) + static_cast<int>(part.ndim());
        if (axis < 0) return;
        if (part.shape(axis) > 1) index += at * stride;
        stride *= part.shape(axis);
      };
      step(x, x_index, x_step);
      step(w, w_index, w_step);
    }
    PackedMatrix matrix = packed_matrix(q, w, scales, biases, nullptr, w_index);
    quantized_product(matrix, primitive.transpose(), x.data<char>() + x_index * in, m, out.dtype(),
                      out.data<char>() + i * m * out.shape(-1) * item);
  });
}

}  // namespace mlx::core::cpu
