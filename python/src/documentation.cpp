// The second half of the docstrings: shapes, dtypes, errors and examples, from the texts in doc/.
// What a function is, its definition says; see docs/dev/bindings.md for the form of the texts.

#include "documentation.h"

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mlx::python {

namespace {

constexpr std::string_view texts[] = {
#include "doc/arrays.txt"
    ,
#include "doc/elementwise.txt"
    ,
#include "doc/linalg.txt"
    ,
#include "doc/machine.txt"
    ,
#include "doc/neural.txt"
    ,
#include "doc/random.txt"
    ,
#include "doc/reductions.txt"
    ,
#include "doc/shapes.txt"
    ,
#include "doc/transforms.txt"
    ,
};

constexpr std::string_view keys[] = {"Options:", "Shape:", "Dtype:", "Raises:"};

struct Entry {
  std::vector<std::string> names;
  std::map<std::string_view, std::string> parts;
  std::string example;
};

std::vector<std::string> words(std::string_view line) {
  std::vector<std::string> found;
  for (size_t i = 0; i < line.size();) {
    size_t end = std::min(line.find(' ', i), line.size());
    if (end > i) found.emplace_back(line.substr(i, end - i));
    i = end + 1;
  }
  return found;
}

// "@ names" begins an entry, "Shape: ..." a part that goes on in indented lines, ">>> ..." the
// example. The entry "@ *" holds parts for those after it that lack them.
std::vector<Entry> read_entries(std::string_view text) {
  std::vector<Entry> entries(1);
  std::string* part = nullptr;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with("@ ")) {
      entries.push_back({words(line.substr(2)), {}, {}});
      part = nullptr;
      continue;
    }
    Entry& entry = entries.back();
    if (line.starts_with(">>> ")) part = &entry.example;
    for (std::string_view key : keys) {
      if (line.starts_with(key)) part = &entry.parts[key];
    }
    // Examples are indented once more.
    if (part && !line.empty()) part->append(part == &entry.example ? "\n    " : "\n").append(line);
  }
  return entries;
}

std::string rendered(const Entry& entry, const Entry& defaults) {
  std::string out;
  for (std::string_view key : keys) {
    for (const Entry* e : {&entry, &defaults}) {
      auto found = e->parts.find(key);
      if (found == e->parts.end()) continue;
      out += "\n" + found->second;
      break;
    }
  }
  if (!entry.example.empty()) out += "\n\nExample:\n" + entry.example;
  return out;
}

// C objects point to their text, which has to stay.
void append_to(const char** doc, const std::string& text) {
  static std::deque<std::string> kept;
  *doc = kept.emplace_back((*doc ? *doc : "") + text).c_str();
}

void document(nb::object o, const std::string& name, const std::string& text) {
  PyObject* p = o.ptr();
  if (PyCFunction_Check(p)) {
    append_to(&reinterpret_cast<PyCFunctionObject*>(p)->m_ml->ml_doc, text);
  } else if (Py_TYPE(p) == &PyMethodDescr_Type) {
    append_to(&reinterpret_cast<PyMethodDescrObject*>(p)->d_method->ml_doc, text);
  } else if (Py_TYPE(p) == &PyGetSetDescr_Type) {
    append_to(&reinterpret_cast<PyGetSetDescrObject*>(p)->d_getset->doc, text);
  } else if (PyType_Check(p)) {
    o.attr("__doc__") = nb::str((nb::cast<std::string>(o.attr("__doc__")) + text).c_str());
  } else {
    throw std::logic_error("[documentation] " + name + " has no docstring to add to.");
  }
}

nb::object find(nb::object o, std::string_view name) {
  while (true) {
    size_t dot = std::min(name.find('.'), name.size());
    o = nb::getattr(o, std::string(name.substr(0, dot)).c_str());
    if (dot == name.size()) return o;
    name.remove_prefix(dot + 1);
  }
}

}  // namespace

void add_documentation(nb::module_& m) {
  nb::object array = m.attr("array");
  std::map<std::string, std::string> all;
  for (std::string_view text : texts) {
    Entry defaults;
    for (const Entry& entry : read_entries(text)) {
      if (entry.names == std::vector<std::string>{"*"}) defaults = entry;
      for (const std::string& name : entry.names) {
        if (name != "*") all[name] = rendered(entry, defaults);
      }
    }
  }
  for (const auto& [name, text] : all) {
    document(find(m, name), name, text);
    bool is_method = name.find('.') == std::string::npos && nb::hasattr(array, name.c_str());
    if (is_method && !all.contains("array." + name)) document(array.attr(name.c_str()), name, text);
  }
}

}  // namespace mlx::python
