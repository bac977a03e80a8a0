// load, save, savez, save_safetensors, save_gguf. Archives of npy files are zipped by Python: see mlx/_npz.py.

#include <algorithm>
#include <map>
#include <optional>

#include "define.h"
#include "evaluate.h"
#include "file_objects.h"
#include "release.h"

namespace mlx::python {

namespace {

nb::object path_object(const std::string& path) {
  return steal(PyUnicode_DecodeFSDefaultAndSize(path.data(), static_cast<Py_ssize_t>(path.size())));
}

[[noreturn]] void raise_no_reader(const Args& x) {
  x.raise_wrong(0, "a path or a binary file object with readinto, seek and tell");
}
[[noreturn]] void raise_no_writer(const Args& x) { x.raise_wrong(0, "a path or a binary file object with write"); }

// "npy" for "folder/x.npy", empty for "x".
std::string extension_of(const std::string& name) {
  size_t dot = name.rfind('.');
  size_t slash = name.rfind('/');
  if (dot == std::string::npos || (slash != std::string::npos && dot < slash)) return "";
  return name.substr(dot + 1);
}

// The format as given, else from the name of the file.
std::string format_of(const Args& x, const std::optional<std::string>& path) {
  std::string format;
  if (x.has(1)) {
    format = x.text(1, "");
  } else if (path) {
    format = extension_of(*path);
  } else {
    nb::object name = nb::handle(x[0]).attr("name");
    if (PyUnicode_Check(name.ptr())) format = extension_of(utf8_of(name.ptr()));
  }
  for (const char* known : {"npy", "npz", "safetensors", "gguf"}) {
    if (format == known) return format;
  }
  raise("[load] The format '", format, "' is not known. Name the file .npy, .npz, .safetensors or .gguf, or "
        "give format=.");
}

nb::dict sorted_dict(const std::unordered_map<std::string, mx::array>& arrays) {
  nb::dict result;
  for (const auto& [name, a] : std::map<std::string, mx::array>(arrays.begin(), arrays.end())) {
    result[nb::str(name.data(), name.size())] = nb::steal(wrap(a));
  }
  return result;
}

nb::dict sorted_dict(const std::unordered_map<std::string, std::string>& texts) {
  nb::dict result;
  for (const auto& [key, text] : std::map<std::string, std::string>(texts.begin(), texts.end())) {
    result[nb::str(key.data(), key.size())] = nb::str(text.data(), text.size());
  }
  return result;
}

std::shared_ptr<mx::io::Reader> reader_argument(const Args& x, const std::optional<std::string>& path) {
  if (!path && !is_readable(x[0])) raise_no_reader(x);
  return path ? std::make_shared<mx::io::ParallelFileReader>(*path) : make_reader(x[0]);
}

PyObject* load_npz(const Args& x, const std::optional<std::string>& path) {
  nb::object file = path ? path_object(*path) : nb::borrow(x[0]);
  nb::object stream = x[3] ? nb::borrow(x[3]) : nb::none();
  if (!path && !is_readable(x[0])) raise_no_reader(x);
  return nb::module_::import_("mlx._npz").attr("load")(file, stream).release().ptr();
}

nb::object gguf_value(const mx::GGUFMetaData& value) {
  if (auto* numbers = std::get_if<mx::array>(&value)) return nb::steal(wrap(*numbers));
  if (auto* text = std::get_if<std::string>(&value)) return nb::str(text->data(), text->size());
  nb::list list;
  for (const std::string& text : std::get<std::vector<std::string>>(value)) {
    list.append(nb::str(text.data(), text.size()));
  }
  return list;
}

PyObject* load_gguf(const Args& x, const std::optional<std::string>& path, bool with_metadata) {
  if (!path) raise("[load] A gguf file must be given by its path.");
  mx::StreamOrDevice s = x.stream();
  mx::GGUFLoad loaded;
  without_gil([&] { loaded = mx::load_gguf(*path, s); });
  nb::dict arrays = sorted_dict(loaded.first);
  if (!with_metadata) return arrays.release().ptr();
  nb::dict metadata;
  for (const auto& [key, value] : std::map<std::string, mx::GGUFMetaData>(loaded.second.begin(), loaded.second.end())) {
    metadata[nb::str(key.data(), key.size())] = gguf_value(value);
  }
  return nb::make_tuple(arrays, metadata).release().ptr();
}

PyObject* load(Args& x) {
  std::optional<std::string> path = path_of(x[0]);
  std::string format = format_of(x, path);
  bool with_metadata = x.boolean(2, false);
  if (with_metadata && format != "safetensors" && format != "gguf") {
    raise("[load] Files of the format ", format, " have no metadata.");
  }
  if (format == "npz") return load_npz(x, path);
  if (format == "gguf") return load_gguf(x, path, with_metadata);
  mx::StreamOrDevice s = x.stream();
  std::shared_ptr<mx::io::Reader> reader = reader_argument(x, path);
  if (format == "npy") {
    std::optional<mx::array> a;
    without_gil([&] { a = mx::load(reader, s); });
    return wrap(*a);
  }
  mx::SafetensorsLoad loaded;
  without_gil([&] { loaded = mx::load_safetensors(reader, s); });
  nb::dict arrays = sorted_dict(loaded.first);
  if (!with_metadata) return arrays.release().ptr();
  return nb::make_tuple(arrays, sorted_dict(loaded.second)).release().ptr();
}

void save(Args& x) {
  std::optional<std::string> path = path_of(x[0]);
  if (!path && !is_writable(x[0])) raise_no_writer(x);
  mx::array a = x.array(1);
  evaluate(a);
  std::shared_ptr<mx::io::Writer> writer = path ? nullptr : make_writer(x[0]);
  without_gil([&] { path ? mx::save(*path, a) : mx::save(writer, a); });
  drain_releases();
}

std::unordered_map<std::string, mx::array> arrays_argument(Args& x, int i) {
  if (!PyDict_Check(x[i])) x.raise_wrong(i, "a dict of arrays");
  std::unordered_map<std::string, mx::array> arrays;
  PyObject *key, *value;
  Py_ssize_t place = 0;
  while (PyDict_Next(x[i], &place, &key, &value)) {
    if (!PyUnicode_Check(key)) {
      raise_type_error(x.describe(i), " must have str keys, but one is of type ", type_name(key), ".");
    }
    if (!is_array(value)) {
      raise_type_error(x.describe(i), " must be a dict of arrays, but '", text_of(key), "' is of type ",
                       type_name(value), ".");
    }
    arrays.insert({utf8_of(key), as_array(value)});
  }
  return arrays;
}

std::unordered_map<std::string, std::string> metadata_argument(Args& x, int i) {
  std::unordered_map<std::string, std::string> metadata;
  if (!x.has(i)) return metadata;
  if (!PyDict_Check(x[i])) x.raise_wrong(i, "a dict of str to str or None");
  PyObject *key, *value;
  Py_ssize_t place = 0;
  while (PyDict_Next(x[i], &place, &key, &value)) {
    if (!PyUnicode_Check(key) || !PyUnicode_Check(value)) {
      raise(x.describe(i), " must have str keys and values, but it holds ", type_name(key), " to ", type_name(value),
            ". Use str() or json.dumps().");
    }
    metadata[utf8_of(key)] = utf8_of(value);
  }
  return metadata;
}

void save_safetensors(Args& x) {
  std::optional<std::string> path = path_of(x[0]);
  if (!path && !is_writable(x[0])) raise_no_writer(x);
  auto arrays = arrays_argument(x, 1);
  auto metadata = metadata_argument(x, 2);
  std::vector<mx::array> values;
  for (const auto& [name, a] : arrays) values.push_back(a);
  evaluate(std::move(values));
  std::shared_ptr<mx::io::Writer> writer = path ? nullptr : make_writer(x[0]);
  without_gil([&] {
    if (path) mx::save_safetensors(*path, std::move(arrays), metadata);
    else mx::save_safetensors(writer, std::move(arrays), metadata);
  });
  drain_releases();
}

mx::GGUFMetaData gguf_metadata(const Args& x, const std::string& key, PyObject* value) {
  if (is_array(value)) return as_array(value);
  if (PyUnicode_Check(value)) return utf8_of(value);
  std::vector<std::string> texts;
  bool is_list = PyList_Check(value) || PyTuple_Check(value);
  for (Py_ssize_t i = 0; is_list && i < PySequence_Fast_GET_SIZE(value); i++) {
    PyObject* item = PySequence_Fast_GET_ITEM(value, i);
    is_list = PyUnicode_Check(item);
    if (is_list) texts.push_back(utf8_of(item));
  }
  if (!is_list) {
    raise<std::runtime_error>(x.describe(2), " holds arrays, strings and lists of strings, but '", key, "' is of type ",
                              type_name(value), ".");
  }
  return texts;
}

void save_gguf(Args& x) {
  std::optional<std::string> path = path_of(x[0]);
  if (!path) x.raise_wrong(0, "a path");
  auto arrays = arrays_argument(x, 1);
  std::unordered_map<std::string, mx::GGUFMetaData> metadata;
  if (x.has(2)) {
    if (!PyDict_Check(x[2])) x.raise_wrong(2, "a dict or None");
    PyObject *key, *value;
    Py_ssize_t place = 0;
    while (PyDict_Next(x[2], &place, &key, &value)) {
      if (!PyUnicode_Check(key)) raise_type_error(x.describe(2), " must have str keys, not ", type_name(key), ".");
      metadata.emplace(utf8_of(key), gguf_metadata(x, utf8_of(key), value));
    }
  }
  std::vector<mx::array> values;
  for (const auto& [name, a] : arrays) values.push_back(a);
  for (const auto& [key, value] : metadata) {
    if (auto* a = std::get_if<mx::array>(&value)) values.push_back(*a);
  }
  evaluate(std::move(values));
  without_gil([&] { mx::save_gguf(*path, std::move(arrays), std::move(metadata)); });
  drain_releases();
}

void save_archive(Args& x, bool compressed) {
  std::optional<std::string> path = path_of(x[0]);
  if (!path && !is_writable(x[0])) raise_no_writer(x);
  nb::dict named;
  for (Py_ssize_t i = 0; i < x.rest_count(); i++) named[concat("arr_", i).c_str()] = nb::handle(x.rest()[i]);
  for (auto [key, value] : x.keywords()) {
    if (named.contains(key)) {
      raise("[", x.op(), "] The keyword '", text_of(key), "' is the name of an array given by position.");
    }
    named[key] = value;
  }
  std::vector<mx::array> values;
  for (auto [key, value] : named) {
    if (!is_array(value.ptr())) {
      raise_type_error("[", x.op(), "] The value of '", text_of(key), "' must be an array, not ",
                       type_name(value.ptr()), ".");
    }
    values.push_back(as_array(value.ptr()));
  }
  evaluate(std::move(values));
  if (path && !path->ends_with(".npz")) *path += ".npz";
  nb::object file = path ? path_object(*path) : nb::borrow(x[0]);
  nb::module_::import_("mlx._npz").attr("save")(file, named, compressed);
}

mx::io::FileWriter& self_of(Args& x) { return *nb::inst_ptr<mx::io::FileWriter>(nb::handle(x[0])); }

size_t write_bytes(Args& x) {
  Py_buffer view;
  if (PyObject_GetBuffer(x[1], &view, PyBUF_SIMPLE) != 0) raise_python();
  std::unique_ptr<Py_buffer, void (*)(Py_buffer*)> owner(&view, PyBuffer_Release);
  auto& writer = self_of(x);
  without_gil([&] { writer.write(static_cast<const char*>(view.buf), static_cast<size_t>(view.len)); });
  return static_cast<size_t>(view.len);
}

size_t seek(Args& x) {
  constexpr std::ios_base::seekdir ways[] = {std::ios_base::beg, std::ios_base::cur, std::ios_base::end};
  int way = x.small_int(2, 0);
  if (way < 0 || way > 2) x.raise_wrong(2, "0, 1 or 2");
  self_of(x).seek(x.integer(1), ways[way]);
  return self_of(x).tell();
}

// For mlx/_npz.py: a file object for writing.
void bind_file_writer(nb::module_& m) {
  nb::class_<mx::io::FileWriter> type(
      m, "_FileWriter", "A file that takes its name with commit(), and is gone without it.",
      initializer("_FileWriter(self, path: str)", [](Args& x) {
        std::optional<std::string> path = path_of(x[1]);
        if (!path) x.raise_wrong(1, "a path");
        construct<mx::io::FileWriter>(x, *path);
      }));
  Methods(type)
      .def("write(self, data: bytes, /) -> int", "", [](Args& x) { return write_bytes(x); })
      .def("seek(self, offset: int, whence: int = 0, /) -> int", "", [](Args& x) { return seek(x); })
      .def("tell(self) -> int", "", [](Args& x) { return self_of(x).tell(); })
      .def("flush(self) -> None", "", [](Args&) {})
      .def("commit(self) -> None", "", [](Args& x) {
        auto& writer = self_of(x);
        without_gil([&] { writer.commit(); });
      });
}

}  // namespace

void bind_io(nb::module_& m) {
  bind_file_writer(m);
  Functions(m)
      .def("load(file: file | str | pathlib.Path, /, format: str | None = None, return_metadata: bool = False, *, "
           "stream: StreamOrDevice = None) -> array | dict[str, array] | tuple[dict[str, array], dict[str, Any]]",
           "The array of a .npy file, or the dict of the arrays of a .npz, .safetensors or .gguf file.\n\n"
           "file: a path, or a binary file object with readinto, seek and tell, which must stay readable until the\n"
           "arrays are evaluated.\nformat: 'npy', 'npz', 'safetensors' or 'gguf'; by default the extension of the "
           "file's name decides.\nreturn_metadata: return a pair of the arrays and the metadata (safetensors and "
           "gguf).\n\nQuantized tensors of gguf files become packed words with arrays .scales and .biases (Q4_0, Q4_1, "
           "Q8_0: groups of 32)\nor float16. Arrays of npy, safetensors and gguf files are read when they are "
           "evaluated. A missing or damaged file raises\nRuntimeError; a missing npz file, or an element type that "
           "arrays cannot have, ValueError.",
           [](Args& x) { return load(x); })
      .def("save(file: file | str | pathlib.Path, arr: array) -> None",
           "Write an array as a .npy file.\n\nThe suffix is added to a path that lacks it. An existing file is "
           "replaced once the new one is complete.",
           [](Args& x) { save(x); })
      .def("savez(file: file | str | pathlib.Path, *args: array, **kwargs: array) -> None",
           "Write arrays as a .npz file: arrays given by position are named arr_0, arr_1 and so on.\n\nThe suffix is "
           "added to a path that lacks it. An existing file is replaced once the new one is complete.",
           [](Args& x) { save_archive(x, false); })
      .def("savez_compressed(file: file | str | pathlib.Path, /, *args: array, **kwargs: array) -> None",
           "Write arrays as a .npz file with compression. The arguments are those of savez.",
           [](Args& x) { save_archive(x, true); })
      .def("save_safetensors(file: file | str | pathlib.Path, arrays: dict[str, array], "
           "metadata: dict[str, str] | None = None) -> None",
           "Write named arrays, and strings about them, as a .safetensors file.\n\nThe suffix is added to a path that "
           "lacks it. An existing file is replaced once the new one is complete; arrays\nthat were loaded from it stay "
           "valid.",
           [](Args& x) { save_safetensors(x); })
      .def("save_gguf(file: str | pathlib.Path, arrays: dict[str, array], metadata: dict[str, array | str | list[str]] "
           "| None = None) -> None",
           "Write named arrays and metadata (numbers as arrays of at most one axis, strings, lists of strings) as a "
           ".gguf file.\n\nThe suffix is added to a path that lacks it. RuntimeError for a dtype that the format "
           "lacks. An existing file is replaced once the new one is complete.",
           [](Args& x) { save_gguf(x); })
      .def("_reset_file_lock() -> None", "", [](Args&) { reset_file_lock(); });
  reset_file_lock();
  nb::dict hook;
  hook["after_in_child"] = m.attr("_reset_file_lock");
  nb::module_::import_("os").attr("register_at_fork")(**hook);
}

}  // namespace mlx::python
