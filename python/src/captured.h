// The containers that a compiled function reads and changes besides its arguments: dict, list, tuple and
// their subclasses, and mx.random.state.
#pragma once

#include "binding.h"
#include "trees.h"

namespace mlx::python {

// Describes a tree in a key: structure, Python constants by type and value. Arrays go to `arrays` and leave
// only their place. In arguments (strict) other leaves are an error, in containers they are passed over.
using Key = std::vector<uint64_t>;
void describe_tree(PyObject* tree, bool strict, Key* key, std::vector<mx::array>* arrays);

// Everything that a container holds now, to put it back.
class Snapshot {
 public:
  Snapshot() = default;
  explicit Snapshot(PyObject* tree);
  void restore() const;

 private:
  nb::object object_;
  std::vector<std::pair<nb::object, Snapshot>> items_;  // with keys for a dict
  std::optional<mx::array> captured_;                   // the value of random.state
};

// Puts arrays in the place of those in the container, in order.
void put_arrays(PyObject* container, const std::vector<mx::array>& arrays, size_t* next);

// The form of a container after a trace; arrays of random.state count as well.
Form form_of_container(PyObject* container, std::vector<mx::array>* arrays);
// Brings the container to that form, with these arrays. Containers inside it stay the same objects where they
// match.
void update_container(PyObject* container, PyObject* form, const std::vector<mx::array>& arrays,
                      size_t* next);

}  // namespace mlx::python
