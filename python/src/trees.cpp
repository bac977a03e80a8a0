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

// The items of a dict, list or tuple in a list of its own: (key or index, value).
std::vector<std::pair<nb::object, nb::object>> items_of(PyObject* tree) {
  std::vector<std::pair<nb::object, nb::object>> items;
  Py_ssize_t index = 0;
  for_each_item(tree, [&](PyObject* key, PyObject* value) {
    items.emplace_back(key ? nb::borrow(key) : nb::steal(PyLong_FromSsize_t(index++)), nb::borrow(value));
  });
  return items;
}

}  // namespace

nb::object rebuild_tuple(PyObject* like, nb::object items) {
  nb::object tuple = steal(PyList_AsTuple(items.ptr()));
  if (PyTuple_CheckExact(like)) return tuple;
  nb::object made = nb::steal(PyObject_CallMethod(reinterpret_cast<PyObject*>(&PyTuple_Type), "__new__", "OO",
                                                  Py_TYPE(like), tuple.ptr()));
  if (!made.is_valid()) {
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) raise_python();
    PyErr_Clear();
    return tuple;
  }
  PyObject** from = _PyObject_GetDictPtr(like);
  PyObject** to = _PyObject_GetDictPtr(made.ptr());
  if (from && *from && to) *to = steal(PyDict_Copy(*from)).release().ptr();
  return made;
}

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

nb::object LentArrays::argument(PyObject* tree, const std::vector<mx::array>& arrays, size_t* next) {
  if (is_array(tree)) return nb::steal(wrap(arrays.at((*next)++)));
  if (!is_container(tree)) return nb::borrow(tree);
  Recursion guard(in_a_tree);
  if (PyTuple_Check(tree) || PyList_CheckExact(tree)) {
    nb::list items;
    for_each_item(tree, [&](PyObject*, PyObject* value) { items.append(argument(value, arrays, next)); });
    return PyTuple_Check(tree) ? rebuild_tuple(tree, std::move(items)) : nb::object(std::move(items));
  }
  if (PyDict_CheckExact(tree)) {
    nb::dict copy;
    for (auto& [key, value] : items_of(tree)) copy[key] = argument(value.ptr(), arrays, next);
    return copy;
  }
  for (auto& [key, value] : items_of(tree)) lend(tree, key, value.ptr(), arrays, next);
  return nb::borrow(tree);
}

namespace {
// The item of a dict or list, null where there is none (any more). Borrowed.
PyObject* item_at(PyObject* container, PyObject* key) {
  if (PyDict_Check(container)) return PyDict_GetItemWithError(container, key);
  Py_ssize_t i = PyLong_AsSsize_t(key);
  return i < PyList_GET_SIZE(container) ? PyList_GET_ITEM(container, i) : nullptr;
}

// The methods of a subclass are not asked. False where a list has become too short.
bool set_item_at(PyObject* container, PyObject* key, PyObject* value) {
  if (PyDict_Check(container)) return PyDict_SetItem(container, key, value) == 0;
  return PyList_SetItem(container, PyLong_AsSsize_t(key), Py_NewRef(value)) == 0;
}
}  // namespace

void LentArrays::lend(PyObject* container, nb::object key, PyObject* value, const std::vector<mx::array>& arrays,
                      size_t* next) {
  nb::object lent = argument(value, arrays, next);
  if (lent.is(value)) return;
  places_.push_back({nb::borrow(container), key, nb::borrow(value), lent});
  if (!set_item_at(container, key.ptr(), lent.ptr())) raise_python();
}

void LentArrays::take_back(const Place& place) const {
  PyObject* now = item_at(place.container.ptr(), place.key.ptr());
  if (keep_changes_ && now != place.lent.ptr()) return;
  if (!set_item_at(place.container.ptr(), place.key.ptr(), place.before.ptr())) PyErr_Clear();
}

LentArrays::~LentArrays() {
  nb::error_scope pending;
  for (auto place = places_.rbegin(); place != places_.rend(); ++place) take_back(*place);
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
