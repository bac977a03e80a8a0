// Memory in use, limits, and the buffers behind arrays; the modules metal and cuda, which tell what is not
// there.

#include "mlx/memory.h"

#include <set>

#include "define.h"
#include "evaluate.h"
#include "trees.h"

namespace mlx::python {

namespace {

size_t limit_argument(Args& x) {
  int64_t limit = x.integer(0);
  if (limit < 0) x.raise_wrong(0, "a number of bytes that is not negative");
  return static_cast<size_t>(limit);
}

// Bytes of the distinct buffers behind the arrays of the trees.
size_t buffer_bytes(Args& x) {
  std::vector<mx::array> arrays;
  for (Py_ssize_t i = 0; i < x.rest_count(); i++) collect_arrays(x.rest()[i], &arrays);
  std::set<const void*> seen;
  size_t bytes = 0;
  for (const mx::array& a : arrays) {
    if (a.status() == mx::array::unscheduled) {
      raise("[get_array_buffer_size] An array is not evaluated yet and has no buffer.");
    }
    const auto& data = a.data_shared_ptr();
    if (data && seen.insert(data.get()).second) bytes += a.buffer_size();
  }
  return bytes;
}

}  // namespace

void bind_memory(nb::module_& m) {
  Functions(m)
      .def("get_active_memory() -> int", "Bytes that arrays use now.",
           [](Args&) { return mx::get_active_memory(); })
      .def("get_peak_memory() -> int", "The most bytes used since the start or the last reset.",
           [](Args&) { return mx::get_peak_memory(); })
      .def("reset_peak_memory() -> None", "Set the peak to zero.", [](Args&) { mx::reset_peak_memory(); })
      .def("get_cache_memory() -> int", "Bytes that are free but kept for reuse.",
           [](Args&) { return mx::get_cache_memory(); })
      .def("set_memory_limit(limit: int) -> int",
           "Set how many bytes may be in use; an allocation past it raises OutOfMemoryError. Returns the "
           "previous limit.",
           [](Args& x) { return mx::set_memory_limit(limit_argument(x)); })
      .def("get_memory_limit() -> int", "How many bytes may be in use.",
           [](Args&) { return mx::get_memory_limit(); })
      .def("set_cache_limit(limit: int) -> int",
           "Set how many free bytes are kept for reuse. Returns the previous limit.",
           [](Args& x) { return mx::set_cache_limit(limit_argument(x)); })
      .def("get_cache_limit() -> int", "How many free bytes are kept for reuse.",
           [](Args&) { return mx::get_cache_limit(); })
      .def("set_wired_limit(limit: int) -> int", "Without effect on this system; returns 0.",
           [](Args& x) { return mx::set_wired_limit(limit_argument(x)); })
      .def("clear_cache() -> None", "Give the free bytes back to the system.",
           [](Args&) { mx::clear_cache(); })
      .def("get_array_buffer_size(*args) -> int",
           "Bytes of the distinct buffers behind evaluated arrays (or trees of them). A view counts its "
           "whole buffer.",
           [](Args& x) { return buffer_bytes(x); });
  nb::module_ cuda = m.def_submodule("cuda", "NVIDIA GPUs.");
  Functions(cuda).def("is_available() -> bool", "Whether this build and machine have an NVIDIA GPU.",
                      [](Args&) { return mx::is_available(mx::Device::gpu); });
  nb::module_ metal = m.def_submodule("metal", "Apple GPUs, which this library does not use.");
  Functions(metal)
      .def("is_available() -> bool", "False.", [](Args&) { return false; })
      .def("device_info() -> dict[str, str | int]", "Empty.", [](Args&) { return nb::dict(); })
      .def("start_capture(path: str) -> None", "Without effect.", [](Args&) {})
      .def("stop_capture() -> None", "Without effect.", [](Args&) {});
  for (const char* name : {"clear_cache", "get_active_memory", "get_cache_memory", "get_peak_memory",
                           "reset_peak_memory", "set_cache_limit", "set_memory_limit", "set_wired_limit"}) {
    metal.attr(name) = m.attr(name);
  }
}

}  // namespace mlx::python
