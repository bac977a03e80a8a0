// The module mlx.core.

#include <pthread.h>

#include "binding.h"
#include "define.h"
#include "documentation.h"
#include "gil.h"
#include "mlx/core/process.h"
#include "release.h"

namespace mlx::python {

std::deque<std::string>& defined_signatures() {
  static std::deque<std::string> signatures;
  return signatures;
}

namespace {

void bind_constants(nb::module_& m) {
  m.attr("e") = 2.718281828459045;
  m.attr("euler_gamma") = 0.5772156649015329;
  m.attr("pi") = 3.141592653589793;
  m.attr("inf") = HUGE_VAL;
  m.attr("nan") = std::nan("");
  m.attr("newaxis") = nb::none();
  m.attr("__version__") = MLX_PYTHON_VERSION;
#if defined(__clang__)
  m.attr("_compiler") = "Clang " __clang_version__;
#else
  m.attr("_compiler") = "GCC " __VERSION__;
#endif
}

// What tools/make_stubs.py writes the type stubs from.
nb::list signatures() {
  nb::list list;
  for (const std::string& s : defined_signatures()) list.append(nb::str(s.c_str()));
  return list;
}

}  // namespace

}  // namespace mlx::python

NB_MODULE(core, m) {
  using namespace mlx::python;
#ifdef NDEBUG
  nb::set_leak_warnings(false);
#endif
  m.doc() = "Arrays, their operations and transformations.";
  bind_errors(m);
  bind_dtype(m);
  bind_device(m);
  bind_array(m);
  bind_array_api(m);
  bind_constants(m);
  bind_evaluate(m);
  bind_memory(m);
  bind_elementwise(m);
  bind_shape_ops(m);
  bind_creation_ops(m);
  bind_join_ops(m);
  bind_sort_ops(m);
  bind_scan_ops(m);
  bind_search_ops(m);
  bind_index(m);
  bind_reduce_ops(m);
  bind_product_ops(m);
  bind_convolution_ops(m);
  bind_quantize(m);
  bind_comparison_ops(m);
  bind_random(m);
  bind_fast(m);
  bind_fft(m);
  bind_linalg(m);
  bind_io(m);
  bind_print(m);
  bind_transforms(m);
  bind_vmap(m);
  bind_custom(m);
  bind_compile(m);
  bind_export(m);
  bind_distributed(m);
  add_documentation(m);
  Functions(m).def("_signatures() -> list[str]", "The signatures of all functions.",
                   [](Args&) { return signatures(); });
  // Before the interpreter ends: streams finish, and later drops of Python objects leak.
  Functions(m).def("_at_exit() -> None", "", [](Args&) {
    begin_exit();
    without_gil([] { mx::end_process(); });
    end_callbacks();
    drain_releases();
    stop_releases();
  });
  pthread_atfork(nullptr, nullptr, [] {
    forget_releases_in_child();
    forget_captured_calls_in_child();
  });
  nb::module_::import_("atexit").attr("register")(m.attr("_at_exit"));
  nb::module_::import_("mlx._reprlib").attr("show_as_instances")(m.attr("array"));
}
