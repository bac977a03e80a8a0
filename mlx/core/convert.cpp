// All pairs of element types, one plain loop each: for scalars and small host data. Arrays are cast by kernels.

#include "mlx/core/convert.h"

#include <cstring>

#include "mlx/core/dispatch.h"

namespace mlx::core {

void convert_elements(void* to, Dtype to_dtype, const void* from, Dtype from_dtype, size_t count) {
  if (to_dtype == from_dtype) {
    if (count) std::memcpy(to, from, count * to_dtype.size());
    return;
  }
  dispatch_dtype(to_dtype, [&]<typename To>(TypeTag<To>) {
    dispatch_dtype(from_dtype, [&]<typename From>(TypeTag<From>) {
      const From* source = static_cast<const From*>(from);
      To* target = static_cast<To*>(to);
      for (size_t i = 0; i < count; i++) target[i] = convert_element<To>(source[i]);
    });
  });
}

}  // namespace mlx::core
