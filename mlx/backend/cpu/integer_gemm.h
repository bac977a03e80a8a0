// Matrix products of integers, which wrap as all integer arithmetic does.
#pragma once

#include "mlx/backend/cpu/gemm.h"

namespace mlx::core::cpu {

// Of elements with 4 or 8 bytes, signed or not: the bits are the same. alpha, beta, cin and epilogue are ignored.
void integer_gemm(const GemmProblem& problem, size_t itemsize);

}  // namespace mlx::core::cpu
