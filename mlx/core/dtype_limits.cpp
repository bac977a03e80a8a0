// finfo and iinfo.

#include "mlx/core/error.h"
#include "mlx/types/limits.h"
#include "mlx/utils.h"

namespace mlx::core {

namespace {

template <typename T>
void fill(finfo& info) {
  info.bits = 8 * static_cast<int>(sizeof(T));
  info.min = static_cast<double>(numeric_limits<T>::lowest());
  info.max = static_cast<double>(numeric_limits<T>::max());
}

}  // namespace

finfo::finfo(Dtype t) : dtype(t), bits(0), min(0), max(0), eps(0), smallest_normal(0) {
  if (t == complex64) dtype = float32;
  if (dtype == float16) {
    fill<float16_t>(*this);
    eps = 0x1p-10;
    smallest_normal = 0x1p-14;
  } else if (dtype == bfloat16) {
    fill<bfloat16_t>(*this);
    eps = 0x1p-7;
    smallest_normal = 0x1p-126;
  } else if (dtype == float64) {
    fill<double>(*this);
    eps = 0x1p-52;
    smallest_normal = 0x1p-1022;
  } else if (dtype == float32) {
    fill<float>(*this);
    eps = 0x1p-23;
    smallest_normal = 0x1p-126;
  } else {
    raise("[finfo] ", dtype_name(t), " is no floating-point dtype.");
  }
}

iinfo::iinfo(Dtype t) : dtype(t), bits(8 * t.size()), min(0), max(0) {
  if (!issubdtype(t, integer)) raise("[iinfo] ", dtype_name(t), " is no integer dtype.");
  if (issubdtype(t, unsignedinteger)) {
    max = ~uint64_t{0} >> (64 - bits);
  } else {
    max = (uint64_t{1} << (bits - 1)) - 1;
    min = -static_cast<int64_t>(max) - 1;
  }
}

}  // namespace mlx::core
