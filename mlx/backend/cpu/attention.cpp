// Scaled dot product attention without the matrix of scores: panels of keys pass by a block of queries, whose
// softmax is kept up to date (Milakov and Gimelshein, 2018; Dao et al., 2022). Few queries read keys and
// values where they lie, several parts of the keys at a time.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "mlx/backend/common/layout.h"
#include "mlx/backend/cpu/block_loader.h"
#include "mlx/backend/cpu/copy.h"
#include "mlx/backend/cpu/eval.h"
#include "mlx/backend/cpu/gemm.h"
#include "mlx/backend/cpu/gemm_core.h"
#include "mlx/core/round.h"
#include "mlx/core/thread_pool.h"
#include "mlx/ops/fast_primitives.h"

namespace mlx::core::cpu {

namespace {

constexpr int64_t kPanelKeys = kGemmBlockK;  // a panel is one chain of products with the values
constexpr int64_t kBlockRows = 128;
constexpr int64_t kThinRows = 8;
constexpr int64_t kThinKeys = 512;  // keys of one part
constexpr int64_t kLane = 16;       // runs of columns in the kernels

// T is float, or double for float64.
template <typename T>
class AttentionRun {
 public:
  AttentionRun(const ScaledDotProductAttention& p, InputSpan in, array& out)
      : q_(in[0]),
        k_(in[1]),
        v_(in[2]),
        out_(out),
        causal_(p.causal()),
        scale_(p.scale()),
        memory_(kernels().gemm[gemm_type(out.dtype())]),
        wide_(kernels().gemm[std::is_same_v<T, double> ? GemmType::float64 : GemmType::float32]),
        kernels_(std::is_same_v<T, double> ? kernels().attention.float64 : kernels().attention.float32),
        scores_(kernels().scores.by_memory[static_cast<int>(gemm_type(out.dtype()))]) {
    if (p.has_mask()) {
      mask_ = in[3];
      Shape scores{q_.shape(0), q_.shape(1), q_.shape(2), k_.shape(2)};
      mask_strides_ = broadcast_strides(mask_->shape(), mask_->strides(), scores);
    }
    if (p.has_sinks()) {
      const array& sinks = in.back();
      sinks_.resize(heads_);
      memory_.widen(sinks.data<void>(), sinks.strides(0), heads_, sinks_.data());
    }
  }

  void run() {
    bool one_mask = !mask_ || time_ == 1 || mask_strides_[1] == time_ * mask_strides_[2];
    if (group_ * time_ <= kThinRows && size_ > 0 && value_size_ > 0)
      run_thin();
    else if (one_mask)
      run_blocks(1, group_ * time_);
    else
      run_blocks(group_, time_);
  }

 private:
  // Row r of a key head is query head r / time of its group at time r % time.
  int64_t first_head(int64_t key_head) const { return key_head * group_; }
  const char* query(int64_t b, int64_t key_head, int64_t r) const {
    return q_.data<char>() +
           memory_.item * (b * q_.strides(0) + (first_head(key_head) + r / time_) * q_.strides(1) +
                           r % time_ * q_.strides(2));
  }
  const char* key(int64_t b, int64_t h, int64_t j) const {
    return k_.data<char>() + memory_.item * (b * k_.strides(0) + h * k_.strides(1) + j * k_.strides(2));
  }
  const char* value(int64_t b, int64_t h, int64_t j) const {
    return v_.data<char>() + memory_.item * (b * v_.strides(0) + h * v_.strides(1) + j * v_.strides(2));
  }
  const char* mask(int64_t b, int64_t key_head, int64_t r, int64_t j) const {
    return mask_->data<char>() +
           static_cast<int64_t>(mask_->itemsize()) *
               (b * mask_strides_[0] + (first_head(key_head) + r / time_) * mask_strides_[1] +
                r % time_ * mask_strides_[2] + j * mask_strides_[3]);
  }
  bool mask_keeps() const { return mask_ && mask_->dtype() == bool_; }
  Dtype wide_dtype() const { return std::is_same_v<T, double> ? float64 : float32; }
  // Keys that a causal row may see; none means that it sees all of them alike.
  int64_t kept_keys(int64_t r) const { return r % time_ + 1 + keys_ - time_; }
  int64_t result(int64_t b, int64_t key_head, int64_t r) const {
    return ((b * heads_ + first_head(key_head)) * time_ + r) * value_size_;
  }

  // Rows as wide numbers without gaps.
  void load_queries(int64_t b, int64_t h, int64_t row, int64_t rows, T* to) const {
    for (int64_t r = 0; r < rows; r++)
      memory_.widen(query(b, h, row + r), q_.strides(3), size_, to + r * size_);
  }

  // --- blocks of queries

  // The rows of each key head, in `parts` runs of `length` that go on in one mask.
  void run_blocks(int64_t parts, int64_t length) {
    int64_t block = kBlockRows, units = batch_ * key_heads_ * parts;
    while (block > 2 * kLane && units * ceil_div(length, block) < 16) block /= 2;
    int64_t blocks = ceil_div(length, block);
    parallel_for(units * blocks, [&](int64_t task) {
      int64_t first = task % blocks * block, unit = task / blocks;
      int64_t row = unit % parts * length + first, head = unit / parts;
      run_block(head / key_heads_, head % key_heads_, row, std::min(block, length - first));
    });
  }

  struct Block {
    int64_t b, h, row, rows, width, stride;  // width: columns, padded
    T *queries = nullptr, *packed = nullptr, *scores = nullptr, *out = nullptr, *mask = nullptr;
    T *largest = nullptr, *sum = nullptr, *correction = nullptr, *kept = nullptr;
  };

  void run_block(int64_t b, int64_t h, int64_t row, int64_t rows) const {
    int64_t width = round_up(rows, std::max(kLane, wide_.nr)), stride = width + wide_.nr;
    Block k{.b = b, .h = h, .row = row, .rows = rows, .width = width, .stride = stride};
    int64_t packed = (kPanelKeys + kLane) * std::max(size_, value_size_) + kGemmPackSlack;
    Scratch memory((2 * width * size_ + packed + (kPanelKeys + value_size_) * stride + 4 * width +
                    (mask_ ? kPanelKeys * rows : 0) + 4 * kLane) *
                   sizeof(T));
    k.queries = memory.data<T>();
    k.packed = k.queries + width * size_;
    k.scores = k.packed + packed;
    k.out = k.scores + kPanelKeys * stride;
    k.largest = k.out + value_size_ * stride;
    k.sum = k.largest + width;
    k.correction = k.sum + width;
    k.kept = k.correction + width;
    T* rows_of_q = k.kept + width;
    k.mask = rows_of_q + width * size_;
    pack_queries(k, rows_of_q);
    start(k);
    int64_t end = keys_;
    if (causal_ && kept_keys_of(k, 0) > 0) end = last_kept(k);
    for (int64_t j = 0; j < end; j += kPanelKeys) run_panel(k, j, std::min(kPanelKeys, end - j));
    finish(k);
  }

  int64_t kept_keys_of(const Block& k, int64_t c) const { return kept_keys(k.row + c); }
  // The end of the keys that any row sees; all of them where a row sees none.
  int64_t last_kept(const Block& k) const {
    int64_t end = 0;
    for (int64_t c = 0; c < k.rows; c++) {
      if (kept_keys_of(k, c) <= 0) return keys_;
      end = std::max(end, kept_keys_of(k, c));
    }
    return std::min(end, keys_);
  }

  void pack_queries(const Block& k, T* dense) const {
    load_queries(k.b, k.h, k.row, k.rows, dense);
    T* to = k.queries;
    for (int64_t d = 0; d < size_; d += kGemmBlockK) {
      int64_t n = std::min(kGemmBlockK, size_ - d);
      for (int64_t c = 0; c < k.width; c += wide_.nr, to += n * wide_.nr) {
        if (c < k.rows)
          wide_.pack_b(dense + c * size_ + d, 1, size_, n, std::min(wide_.nr, k.rows - c), to);
        else
          std::fill_n(to, n * wide_.nr, T(0));
      }
    }
  }

  void start(const Block& k) const {
    std::fill_n(k.largest, k.width, -std::numeric_limits<T>::infinity());
    std::fill_n(k.sum, k.width, T(0));
    if (sinks_.empty()) return;
    for (int64_t c = 0; c < k.rows; c++) {
      k.largest[c] = sinks_[first_head(k.h) + (k.row + c) / time_];
      k.sum[c] = 1;
    }
  }

  void run_panel(const Block& k, int64_t j0, int64_t keys) const {
    multiply_keys(k, j0, keys);
    ScorePanel p{k.scores,     k.stride, keys,      k.rows, scale_,      nullptr,
                 mask_keeps(), nullptr,  k.largest, k.sum,  k.correction};
    if (mask_) {
      load_mask(k, j0, keys);
      p.mask = k.mask;
    }
    if (causal_) {
      bool any = false;
      for (int64_t c = 0; c < k.rows; c++) {
        int64_t kept = std::clamp<int64_t>(kept_keys_of(k, c) - j0, 0, keys);
        any |= kept < keys;
        k.kept[c] = static_cast<T>(kept);
      }
      std::fill(k.kept + k.rows, k.kept + k.width, static_cast<T>(keys));
      if (any) p.kept_keys = k.kept;
    }
    kernels_.panel(p);
    if (j0 > 0) kernels_.scale(k.out, k.stride, value_size_, k.rows, k.correction);
    multiply_values(k, j0, keys);
  }

  // scores = keys (keys, size) @ queries (size, width)
  void multiply_keys(const Block& k, int64_t j0, int64_t keys) const {
    if (size_ == 0) std::fill_n(k.scores, keys * k.stride, T(0));
    int64_t height = panel_height(keys, memory_.mr);
    for (int64_t d = 0; d < size_; d += kGemmBlockK) {
      int64_t n = std::min(kGemmBlockK, size_ - d);
      memory_.pack_a(key(k.b, k.h, j0) + memory_.item * d * k_.strides(3), k_.strides(2), k_.strides(3), keys,
                     n, height, k.packed);
      wide_.multiply({k.packed, height, k.queries + d * k.width, n * wide_.nr, wide_.nr, keys, k.width, n,
                      k.scores, k.stride, d > 0});
    }
  }

  // out (value size, width) += values (value size, keys) @ scores (keys, width), which lie as the product
  // takes them
  void multiply_values(const Block& k, int64_t j0, int64_t keys) const {
    if (value_size_ == 0) return;
    int64_t height = panel_height(value_size_, memory_.mr);
    memory_.pack_a(value(k.b, k.h, j0), v_.strides(3), v_.strides(2), value_size_, keys, height, k.packed);
    wide_.multiply({k.packed, height, k.scores, wide_.nr, k.stride, value_size_, k.width, keys, k.out,
                    k.stride, j0 > 0});
  }

  void load_mask(const Block& k, int64_t j0, int64_t keys) const {
    BlockLoader loader(mask_->dtype(), wide_dtype(), keys * k.rows);
    int64_t step = time_ == 1 ? mask_strides_[1] : mask_strides_[2];
    loader.load_into(mask(k.b, k.h, k.row, j0), {keys, k.rows, mask_strides_[3], step},
                     reinterpret_cast<char*>(k.mask));
  }

  void finish(const Block& k) const {
    for (int64_t c = 0; c < k.width; c++) k.correction[c] = T(1) / k.sum[c];
    kernels_.scale(k.out, k.stride, value_size_, k.rows, k.correction);
    GemmStore to{};
    to.out = out_.data<char>() + memory_.item * result(k.b, k.h, k.row);
    to.out_row_stride = 1;
    to.out_col_stride = value_size_;
    memory_.store(k.out, k.stride, value_size_, k.rows, to);
  }

  // --- few queries

  // What one part of the keys gives for one row.
  struct Partial {
    T largest;
    double sum;
  };

  void run_thin() {
    k_ = key_rows(k_);
    v_ = value_rows(v_);
    int64_t parts = ceil_div(keys_, kThinKeys), rows = group_ * time_, units = batch_ * key_heads_;
    std::vector<Partial> partials(static_cast<size_t>(units * parts * rows));
    Scratch sums(units * parts * rows * value_size_ * sizeof(T));
    int64_t cost = std::min(kThinKeys, keys_) * (size_ + value_size_) * rows;
    parallel_chunks(units * parts, std::max<int64_t>(1, 32768 / cost), [&](int64_t begin, int64_t end) {
      for (int64_t task = begin; task < end; task++) {
        int64_t j = task % parts * kThinKeys;
        run_part(task / parts, j, std::min(kThinKeys, keys_ - j), &partials[static_cast<size_t>(task * rows)],
                 sums.data<T>() + task * rows * value_size_);
      }
    });
    parallel_chunks(units * rows, std::max<int64_t>(1, 8192 / (parts * value_size_)),
                    [&](int64_t begin, int64_t end) {
                      std::vector<T> total(static_cast<size_t>(value_size_));
                      for (int64_t i = begin; i < end; i++) {
                        int64_t unit = i / rows, first = unit * parts * rows + i % rows;
                        merge(unit, i % rows, parts, &partials[static_cast<size_t>(first)],
                              sums.data<T>() + first * value_size_, total.data());
                      }
                    });
  }

  void run_part(int64_t unit, int64_t j0, int64_t keys, Partial* partials, T* sums) const {
    int64_t b = unit / key_heads_, h = unit % key_heads_, rows = group_ * time_;
    Scratch memory((rows * (size_ + keys) + kGemmThinRows * keys + keys + kGemmPackSlack) *
                   sizeof(T));
    T *queries = memory.data<T>(), *scores = queries + rows * size_, *packed = scores + rows * keys;
    T* mask_row = packed + kGemmThinRows * keys + kGemmPackSlack;
    load_queries(b, h, 0, rows, queries);
    for (int64_t r = 0; r < rows; r += kGemmThinRows) {
      scores_({key(b, h, j0), k_.strides(2), keys, size_, queries + r * size_, std::min(kGemmThinRows, rows - r),
               scores + r * keys, keys});
    }
    for (int64_t r = 0; r < rows; r++) {
      mask_scores(b, h, r, j0, keys, scores + r * keys, mask_row);
      partials[r].sum = kernels_.row(scores + r * keys, keys, &partials[r].largest);
    }
    for (int64_t r = 0; r < rows; r += kGemmThinRows) {
      int64_t n = std::min(kGemmThinRows, rows - r);
      pack(scores + r * keys, n, keys, packed);
      memory_.multiply_thin({packed, value(b, h, j0), v_.strides(2), v_.strides(3), n, value_size_, keys,
                             sums + r * value_size_, value_size_, false});
    }
  }

  void pack(const T* rows, int64_t count, int64_t n, T* to) const {
    const void* pointers[kGemmThinRows];
    for (int64_t i = 0; i < count; i++) pointers[i] = rows + i * n;
    wide_.pack_rows(pointers, count, n, to);
  }

  void mask_scores(int64_t b, int64_t h, int64_t r, int64_t j0, int64_t keys, T* scores, T* mask_row) const {
    constexpr T lowest = std::numeric_limits<T>::lowest();
    for (int64_t j = 0; j < keys; j++) scores[j] *= static_cast<T>(scale_);
    if (mask_) {
      BlockLoader loader(mask_->dtype(), wide_dtype(), keys);
      loader.load_into(mask(b, h, r, j0), {1, keys, 0, mask_strides_[3]}, reinterpret_cast<char*>(mask_row));
      bool keeps = mask_keeps();
      for (int64_t j = 0; j < keys; j++)
        scores[j] = keeps ? (mask_row[j] != 0 ? scores[j] : lowest) : scores[j] + mask_row[j];
    }
    if (!causal_) return;
    for (int64_t j = std::clamp<int64_t>(kept_keys(r) - j0, 0, keys); j < keys; j++) scores[j] = lowest;
  }

  // The parts in order, and the sink.
  void merge(int64_t unit, int64_t r, int64_t parts, const Partial* partials, const T* sums, T* total) const {
    int64_t b = unit / key_heads_, h = unit % key_heads_, rows = group_ * time_;
    T largest = -std::numeric_limits<T>::infinity();
    for (int64_t p = 0; p < parts; p++) largest = std::max(largest, partials[p * rows].largest);
    T sink = sinks_.empty() ? largest : sinks_[first_head(h) + r / time_];
    largest = std::max(largest, sink);
    if (std::isinf(largest) && largest < 0) largest = 0;
    double sum = sinks_.empty() ? 0 : std::exp(double(sink) - double(largest));
    std::fill_n(total, value_size_, T(0));
    for (int64_t p = 0; p < parts; p++) {
      T factor = static_cast<T>(std::exp(double(partials[p * rows].largest) - double(largest)));
      sum += double(factor) * partials[p * rows].sum;
      const T* part = sums + p * rows * value_size_;
      for (int64_t d = 0; d < value_size_; d++) total[d] += factor * part[d];
    }
    GemmStore to{};
    to.out = out_.data<char>() + memory_.item * result(b, h, r);
    to.out_row_stride = value_size_;
    to.out_col_stride = 1;
    T inverse = static_cast<T>(1 / sum);
    for (int64_t d = 0; d < value_size_; d++) total[d] *= inverse;
    memory_.store(total, value_size_, 1, value_size_, to);
  }

  // Few queries read keys whose elements lie side by side, and values that are contiguous along one axis.
  static array key_rows(const array& x) { return x.strides(3) == 1 ? x : row_major(x); }
  static array value_rows(const array& x) {
    return x.strides(3) == 1 || x.strides(2) == 1 ? x : row_major(x);
  }

  const array& q_;
  array k_, v_;
  array& out_;
  bool causal_;
  double scale_;
  const GemmTypeKernels &memory_, &wide_;
  const AttentionTypeKernels& kernels_;
  void (*scores_)(const KeyRows&);
  std::optional<array> mask_;
  Strides mask_strides_;
  std::vector<T> sinks_;
  int64_t batch_ = q_.shape(0), heads_ = q_.shape(1), time_ = q_.shape(2), size_ = q_.shape(3);
  int64_t key_heads_ = k_.shape(1), keys_ = k_.shape(2), value_size_ = v_.shape(3);
  int64_t group_ = key_heads_ == 0 ? 0 : heads_ / key_heads_;
};

}  // namespace

void eval(ScaledDotProductAttention& primitive, InputSpan inputs, OutputSpan outputs) {
  array& out = outputs[0];
  out.set_data(allocator::malloc(out.nbytes()));
  if (out.size() == 0) return;
  if (inputs[1].shape(2) == 0) {
    std::memset(out.data<void>(), 0, out.nbytes());
    return;
  }
  if (out.dtype() == float64)
    AttentionRun<double>(primitive, inputs, out).run();
  else
    AttentionRun<float>(primitive, inputs, out).run();
}

}  // namespace mlx::core::cpu
