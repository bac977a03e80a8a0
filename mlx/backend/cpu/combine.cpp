// See combine.h.

#include "mlx/backend/cpu/combine.h"

#include <cstring>

#include "mlx/backend/cpu/copy.h"
#include "mlx/core/dispatch.h"

namespace mlx::core::cpu {

namespace {

// Integers wrap: they are combined as unsigned ones of at least 32 bits.
template <typename T>
struct Wrapping {
  using type = T;
};
template <typename T>
  requires std::is_integral_v<T>
struct Wrapping<T> {
  using type = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
};

template <Combine mode, typename T>
T combine(T a, T b) {
  using W = typename Wrapping<T>::type;
  if constexpr (mode == Combine::Set) {
    return b;
  } else if constexpr (std::is_same_v<T, bool>) {
    return mode == Combine::Sum || mode == Combine::Max ? a || b : a && b;
  } else if constexpr (mode == Combine::Sum) {
    return static_cast<T>(static_cast<W>(a) + static_cast<W>(b));
  } else if constexpr (mode == Combine::Prod) {
    return static_cast<T>(static_cast<W>(a) * static_cast<W>(b));
  } else {  // NaN wins
    if (a != a) return a;
    bool replaces = mode == Combine::Max ? b > a : b < a;
    return replaces || b != b ? b : a;
  }
}

template <Combine mode, typename T>
void row(void* to_, int64_t to_stride, const void* from_, int64_t from_stride, int64_t n) {
  T* to = static_cast<T*>(to_);
  const T* from = static_cast<const T*>(from_);
  if (to_stride == 1 && from_stride == 1) {
    if constexpr (mode == Combine::Set) std::memcpy(to_, from_, static_cast<size_t>(n) * sizeof(T));
    else for (int64_t i = 0; i < n; i++) to[i] = combine<mode, T>(to[i], from[i]);
  } else {
    for (int64_t i = 0; i < n; i++) to[i * to_stride] = combine<mode, T>(to[i * to_stride], from[i * from_stride]);
  }
}

template <Combine mode, typename T>
void elements(void* to_, const int64_t* to_offsets, const void* from_, const int64_t* from_offsets, int64_t n) {
  T* to = static_cast<T*>(to_);
  const T* from = static_cast<const T*>(from_);
  for (int64_t i = 0; i < n; i++) {
    T& place = to[to_offsets[i]];
    place = combine<mode, T>(place, from[from_offsets[i]]);
  }
}

}  // namespace

CombineRow combine_row(Combine mode, Dtype dtype) {
  return dispatch_dtype(dtype, [&]<typename T>(TypeTag<T>) {
    constexpr CombineRow rows[] = {row<Combine::Set, T>, row<Combine::Sum, T>, row<Combine::Prod, T>,
                                   row<Combine::Max, T>, row<Combine::Min, T>};
    return rows[static_cast<int>(mode)];
  });
}

CombineElements combine_elements(Combine mode, Dtype dtype) {
  return dispatch_dtype(dtype, [&]<typename T>(TypeTag<T>) {
    constexpr CombineElements table[] = {elements<Combine::Set, T>, elements<Combine::Sum, T>,
                                         elements<Combine::Prod, T>, elements<Combine::Max, T>,
                                         elements<Combine::Min, T>};
    return table[static_cast<int>(mode)];
  });
}

bool allocate_for_update(const array& in, array& out) {
  bool dense = in.flags().contiguous && in.data_size() == in.size();
  if (dense && in.is_donatable()) {
    out.copy_shared_buffer(in);
    return true;
  }
  allocator::Buffer buffer = allocator::malloc(out.nbytes());
  if (dense) out.set_data(buffer, in.data_size(), in.strides(), in.flags());
  else out.set_data(buffer);
  return false;
}

void copy_for_update(const array& in, array& out) {
  if (allocate_for_update(in, out)) return;
  copy_strided(in.data<void>(), in.strides(), out.data<void>(), out.strides(), in.shape(), in.itemsize());
}

}  // namespace mlx::core::cpu
