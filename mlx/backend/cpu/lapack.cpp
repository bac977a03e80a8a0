// See lapack.h.

#include "mlx/backend/cpu/lapack.h"

#include <limits>
#include <numeric>

#include "mlx/core/error.h"
#include "mlx/linalg.h"

namespace mlx::core::cpu {

namespace {

const char* text_of(Fault fault) {
  switch (fault) {
    case Fault::singular:
      return "is singular";
    case Fault::indefinite:
      return "is not positive definite";
    case Fault::not_finite:
      return "has elements that are NaN or infinite";
    default:
      return "made the iteration diverge";
  }
}

}  // namespace

LapackBatch::LapackBatch(const char* op, bool nan, const array& input, OutputSpan outputs)
    : op_(op),
      nan_(nan),
      batch_(input.shape().begin(), input.shape().end() - 2),
      count_(static_cast<int64_t>(element_count(batch_))),
      outputs_(outputs) {
  for (array& out : outputs_) out.set_data(allocator::malloc(out.nbytes()));
}

void LapackBatch::settle(const std::vector<Fault>& faults) {
  for (int64_t i = 0; i < count_; i++) {
    if (faults[i] == Fault::none) continue;
    if (!nan_)
      raise<linalg::LinAlgError>("[", op_, "] ", describe(i), " ", text_of(faults[i]), ".");
    spoil(i);
  }
}

// Values become NaN, indices those of no exchange.
void LapackBatch::spoil(int64_t i) {
  for (int k = 0; k < static_cast<int>(outputs_.size()); k++) {
    int64_t n = per_matrix(k);
    if (outputs_[k].dtype() == uint32) {
      std::iota(out<uint32_t>(k, i), out<uint32_t>(k, i) + n, 0);
      continue;
    }
    dispatch_lapack(outputs_[k].dtype(), [&]<typename T>(TypeTag<T>) {
      auto nan = std::numeric_limits<RealOf<T>>::quiet_NaN();
      if constexpr (is_complex_v<T>)
        std::fill_n(out<T>(k, i), n, T(nan, nan));
      else
        std::fill_n(out<T>(k, i), n, nan);
    });
  }
}

std::string LapackBatch::describe(int64_t i) const {
  if (batch_.empty()) return "The matrix";
  Shape index = batch_;
  for (size_t axis = batch_.size(); axis-- > 0;) {
    index[axis] = i % batch_[axis];
    i /= batch_[axis];
  }
  return concat("The matrix with batch index ", index);
}

}  // namespace mlx::core::cpu
