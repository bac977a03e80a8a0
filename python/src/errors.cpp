// Exception classes of the module, translation of C++ exceptions, queued warnings, the interrupt hook.

#include "errors.h"

#include <atomic>
#include <deque>
#include <mutex>
#include <new>

#include "mlx/core/interrupt.h"
#include "mlx/core/warnings.h"
#include "mlx/memory.h"

namespace mlx::python {

namespace {

PyObject* axis_error = nullptr;
PyObject* int_overflow_error = nullptr;
PyObject* out_of_memory_error = nullptr;
PyObject* linalg_error = nullptr;
PyObject* warning_category = nullptr;
unsigned long main_thread = 0;

// The text may quote a file, so it need not be UTF-8.
void set(PyObject* type, const std::exception& e) {
  std::string_view what = e.what();
  nb::object text =
      nb::steal(PyUnicode_DecodeUTF8(what.data(), static_cast<Py_ssize_t>(what.size()), "replace"));
  if (text.is_valid()) PyErr_SetObject(type, text.ptr());
}

// The classes of the standard library, most derived first.
void set_standard_error() {
  try {
    throw;
  } catch (const mx::Interrupted& e) {
    if (!PyErr_Occurred()) set(PyExc_KeyboardInterrupt, e);
  } catch (const mx::OutOfMemoryError& e) {
    set(out_of_memory_error, e);
  } catch (const mx::linalg::LinAlgError& e) {
    set(linalg_error, e);
  } catch (const mx::AxisError& e) {
    set(axis_error, e);
  } catch (const std::bad_alloc&) {
    PyErr_SetString(out_of_memory_error, "[malloc] Out of memory: the system gave none for the graph or its text.");
  } catch (const std::overflow_error& e) {
    set(int_overflow_error, e);
  } catch (const std::out_of_range& e) {
    set(PyExc_IndexError, e);
  } catch (const std::logic_error& e) {  // invalid_argument, domain_error, length_error
    set(PyExc_ValueError, e);
  } catch (const std::exception& e) {
    set(PyExc_RuntimeError, e);
  } catch (...) {
    PyErr_SetString(PyExc_RuntimeError, "Unknown exception.");
  }
}

// The interrupt hook: Ctrl-C reaches the main thread only.
void check_signals() {
  if (PyThread_get_thread_ident() != main_thread || !nb::is_alive()) return;
  nb::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() != 0) throw mx::Interrupted();
}

struct Warnings {
  std::mutex mutex;
  std::deque<std::string> texts;
  std::atomic<bool> any{false};
};

Warnings& queued_warnings() {
  static auto* warnings = new Warnings;
  return *warnings;
}

void queue_warning(const std::string& message) {
  Warnings& w = queued_warnings();
  std::lock_guard guard(w.mutex);
  w.texts.push_back(message);
  w.any.store(true, std::memory_order_release);
}

PyObject* new_exception(nb::module_& m, const char* name, const char* doc,
                        std::initializer_list<PyObject*> bases) {
  nb::object tuple = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(bases.size())));
  Py_ssize_t i = 0;
  for (PyObject* base : bases) PyTuple_SET_ITEM(tuple.ptr(), i++, Py_NewRef(base));
  std::string full_name = concat(text_of(m.attr("__name__")), ".", name);
  nb::object type = steal(PyErr_NewExceptionWithDoc(full_name.c_str(), doc, tuple.ptr(), nullptr));
  m.attr(name) = type;
  return type.release().ptr();
}

}  // namespace

void set_python_error() noexcept {
  try {
    throw;
  } catch (nb::python_error& e) {
    e.restore();
  } catch (const ArgumentTypeError& e) {
    set(PyExc_TypeError, e);
  } catch (const nb::builtin_exception& e) {
    PyErr_SetString(e.type() == nb::exception_type::type_error ? PyExc_TypeError : PyExc_ValueError,
                    e.what());
  } catch (...) {
    set_standard_error();
  }
}

void raise_queued_warnings() {
  Warnings& w = queued_warnings();
  if (!w.any.load(std::memory_order_acquire)) return;
  std::deque<std::string> texts;
  {
    std::lock_guard guard(w.mutex);
    texts.swap(w.texts);
    w.any.store(false, std::memory_order_release);
  }
  while (!texts.empty()) {
    std::string text = std::move(texts.front());
    texts.pop_front();
    if (PyErr_WarnEx(warning_category, text.c_str(), 1) == 0) continue;
    for (const std::string& later : texts) queue_warning(later);
    raise_python();
  }
}

void bind_errors(nb::module_& m) {
  axis_error = new_exception(m, "AxisError", "An axis or an index is out of range.",
                             {PyExc_ValueError, PyExc_IndexError});
  int_overflow_error = new_exception(m, "IntOverflowError", "An int, a size or a number of bytes that does not fit.",
                                     {PyExc_ValueError, PyExc_OverflowError});
  out_of_memory_error = new_exception(m, "OutOfMemoryError", "An allocation would pass the memory limit.",
                                      {PyExc_MemoryError, PyExc_RuntimeError});
  nb::module_ linalg = m.def_submodule("linalg");
  linalg_error = new_exception(linalg, "LinAlgError", "A matrix that an operation of linear algebra cannot take.",
                               {PyExc_ValueError, PyExc_RuntimeError});
  warning_category =
      new_exception(m, "MLXWarning", "Category of the library's warnings.", {PyExc_UserWarning});
  nb::object thread = nb::module_::import_("threading").attr("main_thread")();
  main_thread = nb::cast<unsigned long>(thread.attr("ident"));
  mx::set_interrupt_hook(check_signals);
  mx::set_warning_handler(queue_warning);
  // For what nanobind's own functions throw.
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (...) {
      set_python_error();
    }
  });
}

}  // namespace mlx::python
