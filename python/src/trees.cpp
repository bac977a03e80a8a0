// Walking trees of containers: see trees.h.

#include "trees.h"

#include "errors.h"

namespace mlx::python {

namespace {

constexpr const char* in_a_tree = " in a tree of containers";

// Containers may change while the leaves are visited, so items are owned while they are used.
template <typename Each>
void for_each_item(PyObject* tree, Each&& each) {
  if (PyDict_Check(tree)) {
    PyObject *key, *value;
    Py_ssize_t position = 0;
    while (PyDict_Next(tree, &position, &key, &value)) {
      nb::object owned = nb::borrow(value);
      each(key, value);
    }
    return;
  }
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(tree); i++) {
    nb::object owned = nb::borrow(PySequence_Fast_GET_ITEM(tree, i));
    each(nullptr, owned.ptr());
  }
}

bool is_named_tuple(PyObject* o) {
  return PyTuple_Check(o) && !PyTuple_CheckExact(o) && PyObject_HasAttrString(o, "_fields");
}

nb::object rebuild_tuple(PyObject* like, nb::object items) {
  nb::object tuple = steal(PyList_AsTuple(items.ptr()));
  if (!is_named_tuple(like)) return tuple;
  return steal(PyObject_CallObject(reinterpret_cast<PyObject*>(Py_TYPE(like)), tuple.ptr()));
}

}  // namespace

bool is_container(PyObject* o) { return PyDict_Check(o) || PyList_Check(o) || PyTuple_Check(o); }

void collect_arrays(PyObject* tree, std::vector<mx::array>* arrays) {
  if (is_array(tree)) {
    arrays->push_back(as_array(tree));
  } else if (is_container(tree)) {
    Recursion guard(in_a_tree);
    for_each_item(tree, [&](PyObject*, PyObject* value) { collect_arrays(value, arrays); });
  } else if (std::optional<mx::array> a = captured_array(tree)) {
    arrays->push_back(*a);
  }
}

void visit_tree(PyObject* tree, const std::function<void(PyObject*)>& leaf) {
  if (!is_container(tree)) return leaf(tree);
  Recursion guard(in_a_tree);
  for_each_item(tree, [&](PyObject*, PyObject* value) { visit_tree(value, leaf); });
}

nb::object map_tree(PyObject* tree, const LeafFunction& leaf) {
  if (!is_container(tree)) return steal(leaf(tree));
  Recursion guard(in_a_tree);
  if (PyDict_Check(tree)) {
    nb::dict out;
    for_each_item(tree,
                  [&](PyObject* key, PyObject* value) { out[nb::handle(key)] = map_tree(value, leaf); });
    return out;
  }
  nb::list items;
  for_each_item(tree, [&](PyObject*, PyObject* value) { items.append(map_tree(value, leaf)); });
  if (PyTuple_Check(tree)) return rebuild_tuple(tree, std::move(items));
  return items;
}

nb::object replace_arrays(PyObject* tree, const std::vector<mx::array>& arrays, size_t* next) {
  return map_tree(tree, [&](PyObject* leaf) -> PyObject* {
    return is_array(leaf) ? wrap(arrays.at((*next)++)) : Py_NewRef(leaf);
  });
}

PyObject* Form::mark() {
  static PyObject* mark = PyObject_CallNoArgs(reinterpret_cast<PyObject*>(&PyBaseObject_Type));
  return mark;
}

bool is_form_mark(PyObject* o) { return o == Form::mark(); }

Form Form::of(PyObject* tree, std::vector<mx::array>* arrays) {
  Form form;
  size_t before = arrays->size();
  nb::object stripped = map_tree(tree, [&](PyObject* leaf) -> PyObject* {
    if (!is_array(leaf)) return Py_NewRef(leaf);
    arrays->push_back(as_array(leaf));
    return Py_NewRef(mark());
  });
  form.tree = keep(stripped.ptr());
  form.count = arrays->size() - before;
  return form;
}

nb::object Form::fill_with(const std::function<PyObject*()>& leaf) const {
  return map_tree(tree.get(), [&](PyObject* o) { return is_form_mark(o) ? leaf() : Py_NewRef(o); });
}

nb::object Form::fill(const std::vector<mx::array>& arrays, size_t* next) const {
  if (is_form_mark(tree.get())) return nb::steal(wrap(arrays.at((*next)++)));
  return fill_with([&] { return wrap(arrays.at((*next)++)); });
}

}  // namespace mlx::python
