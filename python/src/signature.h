// The signature of a function, read from its text. It serves binding arguments, error messages, help() and
// stubs.
#pragma once

#include <Python.h>

#include <string>
#include <vector>

namespace mlx::python {

struct Parameter {
  std::string name;
  std::string type;           // as annotated
  std::string default_value;  // empty: required
  PyObject* key;              // the interned name
  bool required;
};

struct Signature {
  // "softmax(a: array, /, axis: int | None = None, *, precise: bool = False) -> array". "*axes" collects
  // further positional arguments and "**arrays" further keywords; neither has a slot.
  void parse(const char* text);
  // The same function as a method: the first parameter becomes self.
  void parse_method(const char* text);

  // "softmax($self, axis=None)\n--\n\n" in front of the documentation, for inspect.signature.
  std::string documentation(const char* doc) const;
  // 0-based place of a keyword, or -1.
  int find(PyObject* keyword) const;
  // "Did you mean 'axis'?", or the keywords that exist.
  std::string suggestion(const std::string& keyword) const;

  std::string name;
  std::string text;  // with annotations
  std::vector<Parameter> parameters;
  std::string rest_name, keywords_name;  // of *args and **kwargs; empty for none
  int positional_only = 0;
  int positional = 0;  // how many may be given by position
  int stream = -1;     // the place of the parameter "stream"
  bool is_method = false;
};

}  // namespace mlx::python
