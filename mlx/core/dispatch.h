// The one switch on a dtype: calls f with a tag of the element type.
#pragma once

#include <utility>

#include "mlx/dtype.h"

namespace mlx::core {

template <typename T>
struct TypeTag {
  using type = T;
};

template <typename F>
decltype(auto) dispatch_dtype(Dtype dtype, F&& f) {
  switch (dtype.val()) {
    case Dtype::Val::bool_: return f(TypeTag<bool>{});
    case Dtype::Val::uint8: return f(TypeTag<uint8_t>{});
    case Dtype::Val::uint16: return f(TypeTag<uint16_t>{});
    case Dtype::Val::uint32: return f(TypeTag<uint32_t>{});
    case Dtype::Val::uint64: return f(TypeTag<uint64_t>{});
    case Dtype::Val::int8: return f(TypeTag<int8_t>{});
    case Dtype::Val::int16: return f(TypeTag<int16_t>{});
    case Dtype::Val::int32: return f(TypeTag<int32_t>{});
    case Dtype::Val::int64: return f(TypeTag<int64_t>{});
    case Dtype::Val::float16: return f(TypeTag<float16_t>{});
    case Dtype::Val::float32: return f(TypeTag<float>{});
    case Dtype::Val::float64: return f(TypeTag<double>{});
    case Dtype::Val::bfloat16: return f(TypeTag<bfloat16_t>{});
    case Dtype::Val::complex64: return f(TypeTag<complex64_t>{});
  }
  __builtin_unreachable();
}

}  // namespace mlx::core
