// Trees: dict, list and tuple (and their subclasses) with arrays and other values as leaves.
#pragma once

#include <functional>
#include <optional>

#include "binding.h"
#include "release.h"

namespace mlx::python {

// Appends the arrays of a tree, in order of the containers.
void collect_arrays(PyObject* tree, std::vector<mx::array>* arrays);

// The array of an object that stands for one, such as mx.random.state; nothing for others.
std::optional<mx::array> captured_array(PyObject* o);
void set_captured_array(PyObject* o, const mx::array& a);

// The same tree with each leaf replaced by what the function gives for it (a new reference).
using LeafFunction = std::function<PyObject*(PyObject* leaf)>;
nb::object map_tree(PyObject* tree, const LeafFunction& leaf);

// Runs the function on each leaf.
void visit_tree(PyObject* tree, const std::function<void(PyObject*)>& leaf);

// Puts arrays, in order, in the place of the arrays of a tree. `next` counts on.
nb::object replace_arrays(PyObject* tree, const std::vector<mx::array>& arrays, size_t* next);

// The form of a tree without its arrays: each is replaced by a mark. Safe to own from a graph.
struct Form {
  PyRef tree;  // null until set
  size_t count = 0;

  static PyObject* mark();
  // Appends the arrays of the tree.
  static Form of(PyObject* tree, std::vector<mx::array>* arrays);
  // The tree with arrays in the marked places, in order.
  nb::object fill(const std::vector<mx::array>& arrays, size_t* next) const;
  nb::object fill(const std::vector<mx::array>& arrays) const {
    size_t next = 0;
    return fill(arrays, &next);
  }
  // The tree with other leaves (new references) in the marked places.
  nb::object fill_with(const std::function<PyObject*()>& leaf) const;
};
bool is_form_mark(PyObject* o);

// A named tuple is rebuilt by its own class, a subclass of dict or list becomes a plain one.
bool is_container(PyObject* o);

}  // namespace mlx::python
