// OpenBLAS for complex products and, later, LAPACK: opened on first use, single-threaded (our pool splits the
// work), silent about wrong arguments. Nothing else in the library links to it.
#pragma once

#include <cstdint>

#include "mlx/backend/cpu/gemm.h"

namespace mlx::core::cpu {

// The address of a symbol by its plain name ("cgemm", "dgesv"): the 64-bit-integer Fortran entry. Throws
// std::runtime_error, saying where was searched, if the library is missing, or if it lacks the symbol.
void* openblas_symbol(const char* name);

using CgemmFunction = void (*)(const char* trans_a, const char* trans_b, const int64_t* m, const int64_t* n,
                               const int64_t* k, const void* alpha, const void* a, const int64_t* lda,
                               const void* b, const int64_t* ldb, const void* beta, void* c,
                               const int64_t* ldc, size_t, size_t);

// out = a @ b of complex64 elements. Of the problem `type`, alpha, beta, cin and epilogue are ignored.
void complex_gemm(const GemmProblem& problem);

}  // namespace mlx::core::cpu
