// Kernels given as text, which need a GPU.

#include "mlx/core/error.h"
#include "mlx/fast.h"

namespace mlx::core::fast {

namespace {

void check_outputs(const char* op, const std::string& name, const std::vector<std::string>& outputs) {
  if (outputs.empty()) raise("[", op, "] The kernel '", name, "' must have at least one output.");
}

[[noreturn]] void raise_no_cuda(const char* op, const std::string& name) {
  raise<std::runtime_error>("[", op, "] No CUDA back-end for the kernel '", name, "'.");
}

}  // namespace

CustomKernelFunction metal_kernel(const std::string& name, const std::vector<std::string>&,
                                  const std::vector<std::string>& output_names, const std::string&,
                                  const std::string&, bool, bool, const CompileOptions&) {
  check_outputs("metal_kernel", name, output_names);
  return [name](auto&&...) -> std::vector<array> {
    raise<std::runtime_error>("[metal_kernel] No Metal back-end for the kernel '", name, "'.");
  };
}

CustomKernelFunction cuda_kernel(const std::string& name, const std::vector<std::string>&,
                                 const std::vector<std::string>& output_names, const std::string&,
                                 const std::string&, bool, int) {
  check_outputs("cuda_kernel", name, output_names);
  raise_no_cuda("cuda_kernel", name);
}

std::vector<array> precompiled_cuda_kernel(const std::string& name, const std::string&,
                                           const std::vector<array>&, const std::vector<Shape>&,
                                           const std::vector<Dtype>&, const std::vector<ScalarArg>&,
                                           std::tuple<int, int, int>, std::tuple<int, int, int>, int,
                                           std::optional<float>, bool, StreamOrDevice) {
  raise_no_cuda("precompiled_cuda_kernel", name);
}

}  // namespace mlx::core::fast
