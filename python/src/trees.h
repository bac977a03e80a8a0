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

// A subclass of tuple is rebuilt as such, one of dict or list becomes a plain one.
bool is_container(PyObject* o);

// A tuple of a list's items and of the class of `like`: without the constructor of a subclass, which may want other
// arguments, but with the attributes of `like`. Tuples of fixed fields such as time.struct_time become plain ones.
nb::object rebuild_tuple(PyObject* like, nb::object items);

// Other arrays for the arguments of a function while it runs. Plain containers are copied; an object of the
// caller's own class (an nn.Module, a dict with attributes) is passed itself, so that its methods work, and holds
// the arrays until the end. What the function stored in it stays if `keep_changes`.
class LentArrays {
 public:
  explicit LentArrays(bool keep_changes) : keep_changes_(keep_changes) {}
  LentArrays(const LentArrays&) = delete;
  LentArrays& operator=(const LentArrays&) = delete;
  ~LentArrays();

  // The argument with arrays in place of its own, in order. `next` counts on.
  nb::object argument(PyObject* tree, const std::vector<mx::array>& arrays, size_t* next);

 private:
  struct Place {
    nb::object container, key, before, lent;
  };
  void lend(PyObject* container, nb::object key, PyObject* value, const std::vector<mx::array>& arrays, size_t* next);
  void take_back(const Place& place) const;

  bool keep_changes_;
  std::vector<Place> places_;
};

}  // namespace mlx::python
