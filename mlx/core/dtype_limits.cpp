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
  info.eps = static_cast<double>(numeric_limits<T>::epsilon());
  info.smallest_normal = static_cast<double>(numeric_limits<T>::min());
}

}  // namespace

finfo::finfo(Dtype t) : dtype(t == complex64 ? float32 : t), bits(0), min(0), max(0), eps(0), smallest_normal(0) {
  if (dtype == float16) fill<float16_t>(*this);
  else if (dtype == bfloat16) fill<bfloat16_t>(*this);
  else if (dtype == float32) fill<float>(*this);
  else if (dtype == float64) fill<double>(*this);
  else raise("[finfo] ", dtype_name(t), " is no floating-point dtype.");
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
