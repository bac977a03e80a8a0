// export_function, exporter, import_function, export_to_dot.

#include "mlx/export.h"

#include <nanobind/stl/string.h>

#include <sstream>

#include "define.h"
#include "evaluate.h"
#include "file_objects.h"
#include "mlx/graph_utils.h"
#include "release.h"
#include "transformed.h"
#include "trees.h"

namespace mlx::python {

namespace {

using Tracer = mx::detail::ExportFunction;

// The arrays that the function returned: one, or a tuple or list of them.
std::vector<mx::array> returned_arrays(const nb::object& result) {
  PyObject* o = result.ptr();
  if (is_array(o)) return {as_array(o)};
  bool is_list = PyTuple_Check(o) || PyList_Check(o);
  std::vector<mx::array> arrays;
  for (Py_ssize_t i = 0; is_list && i < PySequence_Fast_GET_SIZE(o); i++) {
    PyObject* item = PySequence_Fast_GET_ITEM(o, i);
    if (!is_array(item)) raise("[export_function] Result ", i, " must be an array, not ", type_name(item), ".");
    arrays.push_back(as_array(item));
  }
  if (!is_list) {
    raise("[export_function] The function must return an array, or a tuple or list of arrays, not ", type_name(o), ".");
  }
  return arrays;
}

Tracer make_tracer(PyRef function) {
  return [function](const mx::Args& args, const mx::Kwargs& kwargs) {
    CallbackGil gil;
    nb::tuple positional = nb::steal<nb::tuple>(PyTuple_New(static_cast<Py_ssize_t>(args.size())));
    for (size_t i = 0; i < args.size(); i++) {
      PyTuple_SET_ITEM(positional.ptr(), static_cast<Py_ssize_t>(i), wrap(args[i]));
    }
    nb::dict keywords;
    for (const auto& [name, x] : kwargs) keywords[name.c_str()] = nb::steal(wrap(x));
    return returned_arrays(steal(PyObject_Call(function.get(), positional.ptr(), keywords.ptr())));
  };
}

// Arrays by position and by keyword: given one by one, or as one list or tuple and one dict.
struct ArrayCall {
  mx::Args args;
  mx::Kwargs kwargs;

  ArrayCall(const Args& x, const nb::dict& keywords) {
    PyObject* const* rest = x.rest();
    Py_ssize_t n = x.rest_count();
    bool spread = n > 0 && (PyTuple_Check(rest[0]) || PyList_Check(rest[0]));
    if (n > 0 && PyDict_Check(rest[n - 1])) add_keywords(x, rest[--n]);
    if (spread) {
      if (n > 1) raise("[", x.op(), "] After a list of arrays only a dict of arrays may follow.");
      PyObject* list = rest[0];
      for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(list); i++) add(x, PySequence_Fast_GET_ITEM(list, i));
    } else {
      for (Py_ssize_t i = 0; i < n; i++) add(x, rest[i]);
    }
    add_keywords(x, keywords.ptr());
  }

 private:
  void add(const Args& x, PyObject* o) {
    if (!is_array(o)) raise("[", x.op(), "] Input ", args.size(), " must be an array, not ", type_name(o), ".");
    args.push_back(as_array(o));
  }
  void add_keywords(const Args& x, PyObject* dict) {
    PyObject *key, *value;
    Py_ssize_t place = 0;
    while (PyDict_Next(dict, &place, &key, &value)) {
      std::string name = PyUnicode_Check(key) ? utf8_of(key) : text_of(nb::borrow(key));
      if (!is_array(value)) {
        raise("[", x.op(), "] Input '", name, "' must be an array, not ", type_name(value), ".");
      }
      if (!kwargs.emplace(name, as_array(value)).second) raise("[", x.op(), "] Input '", name, "' is given twice.");
    }
  }
};

std::string metadata_of(const Args& x, int i) { return x.has(i) ? x.text(i, "") : std::string(); }

std::string file_argument(const Args& x, int i) {
  std::optional<std::string> path = x[i] ? path_of(x[i]) : std::nullopt;
  if (!path) x.raise_wrong(i, "a path");
  return *path;
}

// One step of the callback form as a dict.
struct StepToPython {
  nb::object operator()(const std::string& text) const { return nb::str(text.c_str()); }
  nb::object operator()(const std::vector<std::string>& names) const {
    nb::list list;
    for (const std::string& name : names) list.append(nb::str(name.c_str()));
    return list;
  }
  nb::object operator()(const std::vector<std::tuple<std::string, mx::Shape, mx::Dtype>>& kinds) const {
    nb::list list;
    for (const auto& [name, shape, dtype] : kinds) {
      list.append(nb::make_tuple(name.c_str(), nb::steal(to_python(shape)), nb::steal(to_python(dtype))));
    }
    return list;
  }
  nb::object operator()(const std::vector<std::pair<std::string, mx::array>>& constants) const {
    nb::list list;
    for (const auto& [name, x] : constants) list.append(nb::make_tuple(name.c_str(), nb::steal(wrap(x))));
    return list;
  }
  nb::object operator()(const std::vector<std::pair<std::string, std::string>>& keywords) const {
    nb::list list;
    for (const auto& [keyword, name] : keywords) list.append(nb::make_tuple(keyword.c_str(), name.c_str()));
    return list;
  }
  nb::object operator()(const std::vector<mx::StateT>& arguments) const {
    nb::list list;
    for (const mx::StateT& argument : arguments) {
      list.append(std::visit([](const auto& value) { return state(value); }, argument));
    }
    return list;
  }

  static nb::object state(const auto& value) {
    using T = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::is_same_v<T, std::string>) {
      return nb::str(value.c_str());
    } else if constexpr (std::is_arithmetic_v<T>) {
      return nb::cast(value);
    } else if constexpr (std::is_same_v<T, std::optional<float>>) {
      return value ? nb::cast(*value) : nb::none();
    } else if constexpr (std::is_same_v<T, mx::Dtype> || std::is_same_v<T, mx::Shape>) {
      return nb::steal(to_python(value));
    } else {
      nb::list list;
      for (auto item : value) list.append(nb::cast(item));
      return nb::tuple(list);
    }
  }
};

mx::ExportCallback make_callback(PyRef callback) {
  return [callback](const mx::ExportCallbackInput& step) {
    CallbackGil gil;
    nb::dict dict;
    for (const auto& [key, value] : step) dict[key.c_str()] = std::visit(StepToPython{}, value);
    steal(PyObject_CallOneArg(callback.get(), dict.ptr()));
  };
}

void export_function(Args& x) {
  nb::object function = callable_argument(x, 1);
  bool to_callback = PyCallable_Check(x[0]) && !path_of(x[0]);
  if (!to_callback && !path_of(x[0])) x.raise_wrong(0, "a path or a callback");
  bool shapeless = x.boolean(2, false);
  std::string metadata = metadata_of(x, 3);
  ArrayCall call(x, x.keywords());
  Tracer tracer = make_tracer(keep(function.ptr()));
  std::string path = to_callback ? std::string() : *path_of(x[0]);
  mx::ExportCallback callback = to_callback ? make_callback(keep(x[0])) : nullptr;
  without_gil([&] {
    if (to_callback) mx::export_function(callback, tracer, call.args, call.kwargs, shapeless);
    else mx::export_function(path, tracer, call.args, call.kwargs, shapeless, metadata);
  });
  drain_releases();
}

class Exporter {
 public:
  Exporter(const std::string& path, const Tracer& tracer, bool shapeless, const std::string& metadata)
      : exporter(mx::exporter(path, tracer, shapeless, metadata)) {}
  // Without a call of close() nothing is written.
  ~Exporter() { exporter.abandon(); }
  mx::FunctionExporter exporter;
};

mx::FunctionExporter& exporter_of(Args& x) { return nb::inst_ptr<Exporter>(x[0])->exporter; }

void bind_exporter(nb::module_& m) {
  nb::class_<Exporter> type(m, "FunctionExporter",
                            "Writes a function, traced for several inputs, to a file.\n\nUse it in a with block and "
                            "call it with example inputs; the file is written at the end of the block, unless an "
                            "exception ends it.");
  Methods(type)
      .def("close(self) -> None", "Write the file. Later calls raise RuntimeError.",
           [](Args& x) {
             mx::FunctionExporter& exporter = exporter_of(x);
             without_gil([&] { exporter.close(); });
             drain_releases();
           })
      .def("__enter__(self) -> FunctionExporter", "", [](Args& x) { return nb::borrow(x[0]); })
      .def("__exit__(self, exc_type: object | None = None, exc_value: object | None = None, traceback: object | None "
           "= None) -> None",
           "",
           [](Args& x) {
             mx::FunctionExporter& exporter = exporter_of(x);
             if (x.has(1)) exporter.abandon();
             without_gil([&] { exporter.close(); });
             drain_releases();
           })
      .def("__call__(self, *args, **kwargs) -> None",
           "Trace the function for these arrays. RuntimeError where an earlier trace serves them.", [](Args& x) {
             ArrayCall call(x, x.keywords());
             mx::FunctionExporter& exporter = exporter_of(x);
             without_gil([&] { exporter(call.args, call.kwargs); });
             drain_releases();
           });
  Functions(m).def(
      "exporter(file: str, fun: Callable, *, shapeless: bool = False, metadata: str | None = None) -> "
      "FunctionExporter",
      "An exporter of a function to a file, for several traces.\n\n    with mx.exporter('f.mlxfn', f) as trace:\n      "
      "  trace(mx.zeros(3))\n        trace(mx.zeros(3), y=mx.ones(3))",
      [](Args& x) {
        std::string path = file_argument(x, 0), metadata = metadata_of(x, 3);
        nb::object function = callable_argument(x, 1);
        bool shapeless = x.boolean(2, false);
        nb::object exporter = nb::inst_alloc(nb::type<Exporter>());
        new (nb::inst_ptr<Exporter>(exporter)) Exporter(path, make_tracer(keep(function.ptr())), shapeless, metadata);
        nb::inst_mark_ready(exporter);
        return exporter;
      });
}

// A function that was read from a file.
struct Imported {
  mx::ImportedFunction function;
};

void bind_imported(nb::module_& m) {
  nb::class_<Imported> type(m, "_ImportedFunction",
                            "A function read by import_function: takes arrays by position and keyword, or one list or "
                            "tuple and one dict of them, and returns a tuple of arrays.");
  Methods(type).def("__call__(self, *args, **kwargs) -> tuple[array, ...]",
                    "The results for these arrays. ValueError where no trace of the file serves them.", [](Args& x) {
                      ArrayCall call(x, x.keywords());
                      const mx::ImportedFunction& function = nb::inst_ptr<Imported>(x[0])->function;
                      std::vector<mx::array> results = function(call.args, call.kwargs);
                      return nb::tuple(nb::steal<nb::object>(to_python(std::move(results))));
                    });
}

nb::object import_function(Args& x) {
  std::string path = file_argument(x, 0);
  bool with_metadata = x.boolean(1, false);
  std::optional<mx::ImportedFunction> function;
  without_gil([&] { function = mx::import_function(path); });
  nb::object callable = nb::cast(Imported{*function});
  if (!with_metadata) return callable;
  return nb::make_tuple(callable, function->metadata().c_str());
}

void export_to_dot(Args& x) {
  mx::NodeNamer namer;
  std::vector<mx::array> outputs;
  for (Py_ssize_t i = 0; i < x.rest_count(); i++) collect_arrays(x.rest()[i], &outputs);
  for (auto [name, value] : x.keywords()) {
    if (!is_array(value.ptr())) {
      raise_type_error("[export_to_dot] '", text_of(nb::borrow(name)), "' must be an array, not ",
                       type_name(value.ptr()), ".");
    }
    namer.set_name(as_array(value.ptr()), text_of(nb::borrow(name)));
    outputs.push_back(as_array(value.ptr()));
  }
  std::ostringstream os;
  mx::export_to_dot(os, namer, outputs);
  nb::str text(os.str().c_str());
  if (std::optional<std::string> path = path_of(x[0])) {
    nb::object open = nb::module_::import_("builtins").attr("open");
    nb::object file = open(nb::borrow(x[0]), "w", nb::arg("encoding") = "utf8");
    file.attr("write")(text);
    file.attr("close")();
  } else if (PyObject_HasAttrString(x[0], "write")) {
    nb::borrow(x[0]).attr("write")(text);
  } else {
    x.raise_wrong(0, "a path or a text file object with write");
  }
}

}  // namespace

void bind_export(nb::module_& m) {
  Functions(m)
      .def("export_function(file_or_callback: str | Callable, /, fun: Callable, *args, shapeless: bool = False, "
           "metadata: str | None = None, **kwargs) -> None",
           "Write a function, traced for example arrays, to a file that import_function reads.\n\nInputs and results "
           "are arrays. shapeless: the trace serves all inputs with as many axes, unless the function depends on a "
           "size. With a callback instead of a file it gets one dict per step of the program: inputs, keyword_inputs, "
           "outputs, constants, then each primitive.",
           [](Args& x) { export_function(x); })
      .def("import_function(file: str, return_metadata: bool = False) -> Callable | tuple[Callable, str]",
           "Read a function that export_function wrote. A file holds a program: import only what you trust.\n\n"
           "RuntimeError names the file and what is wrong with it.",
           [](Args& x) { return import_function(x); })
      .def("export_to_dot(file: str | writable, *args, **kwargs) -> None",
           "Draw the graph of arrays that are not evaluated yet, in the DOT language of Graphviz. Keywords name the "
           "arrays.",
           [](Args& x) { export_to_dot(x); });
  bind_exporter(m);
  bind_imported(m);
}

}  // namespace mlx::python
