// Finding and opening OpenBLAS.
#include "mlx/backend/cpu/openblas.h"

#include <dlfcn.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace mlx::core::cpu {

namespace {

constexpr const char* kLibrary = "libscipy_openblas64_.so";

// The folder of the binary that holds this function.
std::string own_folder() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void*>(&own_folder), &info) || !info.dli_fname) return "";
  std::string path = info.dli_fname;
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

std::vector<std::string> places_to_search() {
  if (const char* named = std::getenv("MLX_OPENBLAS_PATH"); named && *named) return {named};
  std::vector<std::string> places;
  std::string folder = own_folder();
  if (!folder.empty()) {
    places.push_back(folder + "/openblas/" + kLibrary);
    places.push_back(folder + "/lib/openblas/" + kLibrary);  // the Python module stands above lib/
    places.push_back(folder + "/" + kLibrary);
  }
  places.push_back(kLibrary);
  return places;
}

void ignore_wrong_argument(const char*, const int64_t*, size_t) {}

struct Library {
  void* handle = nullptr;
  std::string problem;  // why there is no handle

  void* symbol(const std::string& name) const { return dlsym(handle, name.c_str()); }
};

void configure(const Library& library) {
  using SetThreads = void (*)(int);
  using Handler = void (*)(const char*, const int64_t*, size_t);
  using SetHandler = Handler (*)(Handler);
  if (void* f = library.symbol("scipy_openblas_set_num_threads64_")) reinterpret_cast<SetThreads>(f)(1);
  if (void* f = library.symbol("scipy_openblas_set_xerbla64_"))
    reinterpret_cast<SetHandler>(f)(ignore_wrong_argument);
}

Library open_library() {
  Library library;
  std::string tried;
  for (const std::string& place : places_to_search()) {
    library.handle = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library.handle) {
      configure(library);
      return library;
    }
    const char* reason = dlerror();
    tried += "\n  " + std::string(reason ? reason : place);
  }
  library.problem =
      "[openblas] This operation needs OpenBLAS (package scipy-openblas64), which could not be loaded. Set "
      "MLX_OPENBLAS_PATH to the file libscipy_openblas64_.so. Tried:" +
      tried + ".";
  return library;
}

const Library& library() {
  static const Library* opened = new Library(open_library());  // never destroyed: exit may still need it
  return *opened;
}

}  // namespace

void* openblas_symbol(const char* name) {
  const Library& lib = library();
  if (!lib.handle) throw std::runtime_error(lib.problem);
  std::string full = "scipy_";
  full.append(name).append("_64_");
  void* symbol = lib.symbol(full);
  if (!symbol)
    throw std::runtime_error("[openblas] The OpenBLAS in use has no function " + std::string(name) + ".");
  return symbol;
}

}  // namespace mlx::core::cpu
