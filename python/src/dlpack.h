// The dtypes of DLPack.
#pragma once

#include <nanobind/ndarray.h>

#include "binding.h"

namespace mlx::python {

inline nb::dlpack::dtype dlpack_dtype(mx::Dtype t) {
  using Code = nb::dlpack::dtype_code;
  mx::Dtype::Kind kind = mx::kindof(t);
  Code code = t == mx::bool_               ? Code::Bool
              : t == mx::bfloat16          ? Code::Bfloat
              : kind == mx::Dtype::Kind::u ? Code::UInt
              : kind == mx::Dtype::Kind::i ? Code::Int
              : kind == mx::Dtype::Kind::c ? Code::Complex
                                           : Code::Float;
  return {static_cast<uint8_t>(code), static_cast<uint8_t>(8 * t.size()), 1};
}

}  // namespace mlx::python
