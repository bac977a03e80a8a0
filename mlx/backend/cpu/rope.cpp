// Rotary position embedding: a table of sines and cosines per position, then rows by blocks of positions.

#include <cmath>
#include <vector>

#include "mlx/backend/common/layout.h"
#include "mlx/backend/cpu/block_loader.h"
#include "mlx/backend/cpu/copy.h"
#include "mlx/backend/cpu/eval.h"
#include "mlx/backend/cpu/isa.h"
#include "mlx/core/dispatch.h"
#include "mlx/core/round.h"
#include "mlx/core/thread_pool.h"
#include "mlx/ops/elementwise_op.h"
#include "mlx/ops/fast_primitives.h"

namespace mlx::core::cpu {

namespace {

constexpr int64_t kBlockElements = 8192;

template <typename T>
class RopeRun {
 public:
  RopeRun(const RoPE& p, InputSpan in, array& out)
      : p_(p),
        x_(in[0]),
        out_(out),
        half_(p.dims() / 2),
        time_(x_.shape(-2)),
        size_(x_.shape(-1)),
        rows_(static_cast<int64_t>(out.size()) / size_),
        entries_(x_.shape(0)) {
    read_offsets(in[1]);
    read_divisors(in.size() == 3 ? &in[2] : nullptr);
  }

  void run() {
    int64_t tables = static_cast<int64_t>(offsets_.size()) * time_;
    sin_.resize(static_cast<size_t>(tables * half_));
    cos_.resize(sin_.size());
    parallel_chunks(tables, std::max<int64_t>(1, 2048 / half_),
                    [&](int64_t begin, int64_t end) { fill_tables(begin, end); });
    int64_t block = std::clamp<int64_t>(kBlockElements / size_, 1, time_),
            blocks = ceil_div(time_, block);
    parallel_chunks(rows_ / time_ * blocks, 1, [&](int64_t begin, int64_t end) {
      BlockLoader loader(x_.dtype(), wide(), block * size_);
      Scratch values(block * size_ * sizeof(T));
      for (int64_t i = begin; i < end; i++) {
        int64_t t = i % blocks * block;
        turn_block(i / blocks, t, std::min(block, time_ - t), loader, values.data<T>());
      }
    });
  }

 private:
  Dtype wide() const { return std::is_same_v<T, double> ? float64 : float32; }

  void read_offsets(const array& offset) {
    offsets_.resize(std::max<size_t>(1, offset.size() == 1 ? 1 : static_cast<size_t>(entries_)));
    int64_t stride = offset.ndim() == 1 && offset.size() > 1 ? offset.strides(0) : 0;
    dispatch_dtype(offset.dtype(), [&]<typename I>(TypeTag<I>) {
      if constexpr (std::is_integral_v<I>) {
        for (size_t i = 0; i < offsets_.size(); i++)
          offsets_[i] = static_cast<double>(offset.data<I>()[static_cast<int64_t>(i) * stride]);
      }
    });
  }

  // Radians per position.
  void read_divisors(const array* freqs) {
    for (int64_t i = 0; i < half_; i++) {
      double rate = std::pow(double(p_.base()), -double(i) / double(half_));
      if (freqs) rate = 1 / double(freqs->data<T>()[i * freqs->strides(0)]);
      rates_.push_back(rate * double(p_.scale()) * (p_.forward() ? 1 : -1));
    }
  }

  // float32 angles are reduced to one turn in double, so that late positions are as exact as early ones.
  void fill_tables(int64_t begin, int64_t end) {
    constexpr double turn = 6.283185307179586;
    for (int64_t row = begin; row < end; row++) {
      double position = offsets_[static_cast<size_t>(row / time_)] + double(row % time_);
      for (int64_t i = 0; i < half_; i++) {
        double angle = position * rates_[static_cast<size_t>(i)];
        if constexpr (std::is_same_v<T, float>) angle -= turn * std::nearbyint(angle / turn);
        cos_[static_cast<size_t>(row * half_ + i)] = static_cast<T>(angle);
      }
    }
    T* angles = cos_.data() + begin * half_;
    const void* in[] = {angles};
    int type = static_cast<int>(wide().val());
    const auto& table = kernels().elementwise.table;
    table[static_cast<int>(Op::Sin)][type](in, sin_.data() + begin * half_, (end - begin) * half_);
    table[static_cast<int>(Op::Cos)][type](in, angles, (end - begin) * half_);
  }

  void turn_block(int64_t leading, int64_t t, int64_t count, BlockLoader& loader, T* values) const {
    int64_t at = offsets_at(leading, x_.ndim() - 2, x_.shape(), x_.strides())[0], entry = leading;
    for (int d = static_cast<int>(x_.ndim()) - 3; d > 0; d--) entry /= x_.shape(d);
    int64_t item = static_cast<int64_t>(x_.itemsize());
    loader.load_into(x_.data<char>() + (at + t * x_.strides(-2)) * item,
                     {count, size_, x_.strides(-2), x_.strides(-1)}, reinterpret_cast<char*>(values));
    int64_t table = (offsets_.size() > 1 ? entry * time_ : 0) + t;
    for (int64_t r = 0; r < count; r++) {
      const T *c = cos_.data() + (table + r) * half_, *s = sin_.data() + (table + r) * half_;
      turn_row(values + r * size_, c, s);
    }
    convert_block(values, wide(), out_.data<char>() + (leading * time_ + t) * size_ * item, x_.dtype(),
                  count * size_);
  }

  void turn_row(T* __restrict x, const T* __restrict c, const T* __restrict s) const {
    int64_t half = half_;
    if (p_.traditional()) {
      for (int64_t i = 0; i < half; i++) {
        T a = x[2 * i], b = x[2 * i + 1];
        x[2 * i] = a * c[i] - b * s[i];
        x[2 * i + 1] = a * s[i] + b * c[i];
      }
      return;
    }
    T* y = x + half;
    for (int64_t i = 0; i < half; i++) {
      T a = x[i], b = y[i];
      x[i] = a * c[i] - b * s[i];
      y[i] = a * s[i] + b * c[i];
    }
  }

  const RoPE& p_;
  const array& x_;
  array& out_;
  int64_t half_, time_, size_, rows_, entries_;
  std::vector<double> offsets_, rates_;
  std::vector<T> sin_, cos_;
};

}  // namespace

void eval(RoPE& primitive, InputSpan inputs, OutputSpan outputs) {
  array& out = outputs[0];
  out.set_data(allocator::malloc(out.nbytes()));
  if (out.size() == 0) return;
  if (out.dtype() == float64)
    RopeRun<double>(primitive, inputs, out).run();
  else
    RopeRun<float>(primitive, inputs, out).run();
}

}  // namespace mlx::core::cpu
