// Containers of compiled functions: see captured.h.

#include "captured.h"

#include <bit>
#include <cstring>

#include "errors.h"

namespace mlx::python {

namespace {

// Tags of the key; values follow where there are any.
enum Tag : uint64_t {
  array_tag,
  none_tag,
  bool_tag,
  int_tag,
  float_tag,
  str_tag,
  list_tag,
  tuple_tag,
  dict_tag,
  other_tag
};

void add_text(PyObject* text, Key* key) {
  Py_ssize_t n;
  const char* bytes = PyUnicode_AsUTF8AndSize(text, &n);
  if (!bytes) raise_python();
  key->push_back(static_cast<uint64_t>(n) << 8 | str_tag);
  for (Py_ssize_t i = 0; i < n; i += 8) {
    uint64_t word = 0;
    std::memcpy(&word, bytes + i, static_cast<size_t>(std::min<Py_ssize_t>(8, n - i)));
    key->push_back(word);
  }
}

void add_int(PyObject* o, Key* key) {
  int overflow = 0;
  long long value = PyLong_AsLongLongAndOverflow(o, &overflow);
  key->push_back(int_tag);
  if (overflow == 0) {
    key->push_back(static_cast<uint64_t>(value));
  } else {
    nb::object text = steal(PyObject_Str(o));
    add_text(text.ptr(), key);
  }
}

// True, 1 and 1.0 differ.
bool add_constant(PyObject* o, Key* key) {
  if (o == Py_None) {
    key->push_back(none_tag);
  } else if (PyBool_Check(o)) {
    key->push_back(bool_tag);
    key->push_back(o == Py_True);
  } else if (PyLong_Check(o)) {
    add_int(o, key);
  } else if (PyFloat_Check(o)) {
    key->push_back(float_tag);
    key->push_back(std::bit_cast<uint64_t>(PyFloat_AS_DOUBLE(o)));
  } else if (PyUnicode_Check(o)) {
    add_text(o, key);
  } else {
    return false;
  }
  return true;
}

void add_size(Tag tag, Py_ssize_t n, Key* key) { key->push_back(static_cast<uint64_t>(n) << 8 | tag); }

bool same_kind(PyObject* a, PyObject* b) {
  return (PyDict_Check(a) && PyDict_Check(b)) || (PyList_Check(a) && PyList_Check(b)) ||
         (PyTuple_Check(a) && PyTuple_Check(b) && PyTuple_GET_SIZE(a) == PyTuple_GET_SIZE(b));
}

}  // namespace

void describe_tree(PyObject* tree, bool strict, Key* key, std::vector<mx::array>* arrays) {
  if (is_array(tree)) {
    key->push_back(array_tag);
    arrays->push_back(as_array(tree));
  } else if (PyTuple_Check(tree) || PyList_Check(tree)) {
    Py_ssize_t n = PySequence_Fast_GET_SIZE(tree);
    add_size(PyTuple_Check(tree) ? tuple_tag : list_tag, n, key);
    Recursion guard(" in the arguments of a compiled function");
    for (Py_ssize_t i = 0; i < n; i++) describe_tree(PySequence_Fast_GET_ITEM(tree, i), strict, key, arrays);
  } else if (PyDict_Check(tree)) {
    add_size(dict_tag, PyDict_GET_SIZE(tree), key);
    PyObject *name, *value;
    Py_ssize_t position = 0;
    Recursion guard(" in the arguments of a compiled function");
    while (PyDict_Next(tree, &position, &name, &value)) {
      if (!add_constant(name, key) && strict) {
        raise("[compile] The keys of dicts must be str or int, not ", type_name(name), ".");
      }
      describe_tree(value, strict, key, arrays);
    }
  } else if (std::optional<mx::array> a = captured_array(tree)) {
    key->push_back(array_tag);
    arrays->push_back(*a);
  } else if (!add_constant(tree, key)) {
    if (strict) {
      raise(
          "[compile] The arguments must be trees of arrays and constants (bool, int, float, str, None), but "
          "one holds ",
          type_name(tree), ".");
    }
    key->push_back(other_tag);
  }
}

Snapshot::Snapshot(PyObject* tree) : object_(nb::borrow(tree)), captured_(captured_array(tree)) {
  Recursion guard(" in the containers of a compiled function");
  if (PyDict_Check(tree)) {
    PyObject *key, *value;
    Py_ssize_t position = 0;
    while (PyDict_Next(tree, &position, &key, &value)) items_.emplace_back(nb::borrow(key), Snapshot(value));
  } else if (PyList_Check(tree) || PyTuple_Check(tree)) {
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(tree); i++) {
      items_.emplace_back(nb::object(), Snapshot(PySequence_Fast_GET_ITEM(tree, i)));
    }
  }
}

void Snapshot::restore() const {
  for (const auto& [key, item] : items_) item.restore();
  PyObject* o = object_.ptr();
  if (!o) return;
  if (captured_) {
    set_captured_array(o, *captured_);
  } else if (PyDict_Check(o)) {
    PyDict_Clear(o);
    for (const auto& [key, item] : items_) {
      if (PyDict_SetItem(o, key.ptr(), item.object_.ptr()) != 0) raise_python();
    }
  } else if (PyList_Check(o)) {
    nb::list items;
    for (const auto& [key, item] : items_) items.append(item.object_);
    if (PyList_SetSlice(o, 0, PyList_GET_SIZE(o), items.ptr()) != 0) raise_python();
  }
}

namespace {

// The value that goes into the place of `value`; containers are changed in place and stay.
nb::object with_arrays(PyObject* value, const std::vector<mx::array>& arrays, size_t* next) {
  if (is_array(value)) return nb::steal(wrap(arrays.at((*next)++)));
  if (PyTuple_Check(value)) return replace_arrays(value, arrays, next);
  put_arrays(value, arrays, next);
  return nb::borrow(value);
}

}  // namespace

void put_arrays(PyObject* container, const std::vector<mx::array>& arrays, size_t* next) {
  if (PyDict_Check(container)) {
    PyObject *key, *value;
    Py_ssize_t position = 0;
    while (PyDict_Next(container, &position, &key, &value)) {
      nb::object name = nb::borrow(key), old = nb::borrow(value);
      nb::object fresh = with_arrays(old.ptr(), arrays, next);
      // Setting a key that exists does not disturb the iteration.
      if (fresh.ptr() != old.ptr() && PyDict_SetItem(container, name.ptr(), fresh.ptr()) != 0) raise_python();
    }
  } else if (PyList_Check(container)) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(container); i++) {
      nb::object old = nb::borrow(PyList_GET_ITEM(container, i));
      nb::object fresh = with_arrays(old.ptr(), arrays, next);
      if (fresh.ptr() != old.ptr() && PyList_SetItem(container, i, fresh.release().ptr()) != 0)
        raise_python();
    }
  } else if (PyTuple_Check(container)) {
    // A tuple keeps its items, so its arrays themselves are bound to the new values.
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(container); i++) {
      PyObject* item = PyTuple_GET_ITEM(container, i);
      if (is_array(item))
        as_array(item) = arrays.at((*next)++);
      else
        put_arrays(item, arrays, next);
    }
  } else if (is_array(container)) {
    as_array(container) = arrays.at((*next)++);
  } else if (captured_array(container)) {
    set_captured_array(container, arrays.at((*next)++));
  }
}

Form form_of_container(PyObject* container, std::vector<mx::array>* arrays) {
  Form form;
  nb::object tree = map_tree(container, [&](PyObject* leaf) -> PyObject* {
    std::optional<mx::array> captured = is_array(leaf) ? as_array(leaf) : captured_array(leaf);
    if (!captured) return Py_NewRef(leaf);
    arrays->push_back(*captured);
    return Py_NewRef(Form::mark());
  });
  form.tree = keep(tree.ptr());
  return form;
}

namespace {

nb::object updated(PyObject* old, PyObject* form, const std::vector<mx::array>& arrays, size_t* next) {
  if (is_form_mark(form)) {
    if (old && captured_array(old)) {
      set_captured_array(old, arrays.at((*next)++));
      return nb::borrow(old);
    }
    return nb::steal(wrap(arrays.at((*next)++)));
  }
  if (!is_container(form)) return nb::borrow(form);
  if (old && same_kind(old, form)) {
    if (PyTuple_Check(old)) {
      nb::list items;
      for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(form); i++) {
        items.append(updated(PyTuple_GET_ITEM(old, i), PyTuple_GET_ITEM(form, i), arrays, next));
      }
      return rebuild_tuple(form, std::move(items));
    }
    update_container(old, form, arrays, next);
    return nb::borrow(old);
  }
  Form fresh;
  fresh.tree = keep(form);
  return fresh.fill(arrays, next);
}

void update_dict(PyObject* container, PyObject* form, const std::vector<mx::array>& arrays, size_t* next) {
  PyObject *key, *value;
  Py_ssize_t position = 0;
  while (PyDict_Next(form, &position, &key, &value)) {
    PyObject* old = PyDict_GetItemWithError(container, key);
    nb::object pinned = nb::borrow(old);
    nb::object fresh = updated(old, value, arrays, next);
    if (fresh.ptr() != old && PyDict_SetItem(container, key, fresh.ptr()) != 0) raise_python();
  }
  if (PyDict_GET_SIZE(container) == PyDict_GET_SIZE(form)) return;
  nb::object keys = steal(PyDict_Keys(container));
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(keys.ptr()); i++) {
    PyObject* present = PyList_GET_ITEM(keys.ptr(), i);
    if (PyDict_Contains(form, present) == 0 && PyDict_DelItem(container, present) != 0) raise_python();
  }
}

}  // namespace

void update_container(PyObject* container, PyObject* form, const std::vector<mx::array>& arrays,
                      size_t* next) {
  if (PyDict_Check(container) && PyDict_Check(form)) {
    update_dict(container, form, arrays, next);
  } else if (PyList_Check(container) && PyList_Check(form)) {
    nb::list items;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(form); i++) {
      PyObject* old = i < PyList_GET_SIZE(container) ? PyList_GET_ITEM(container, i) : nullptr;
      items.append(updated(old, PyList_GET_ITEM(form, i), arrays, next));
    }
    if (PyList_SetSlice(container, 0, PyList_GET_SIZE(container), items.ptr()) != 0) raise_python();
  } else if (PyTuple_Check(container) && PyTuple_Check(form)) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(form); i++) {
      PyObject *old = PyTuple_GET_ITEM(container, i), *item = PyTuple_GET_ITEM(form, i);
      if (is_array(old) && is_form_mark(item))
        as_array(old) = arrays.at((*next)++);
      else
        updated(old, item, arrays, next);
    }
  } else if (is_array(container) && is_form_mark(form)) {
    as_array(container) = arrays.at((*next)++);
  } else {
    updated(container, form, arrays, next);
  }
}

}  // namespace mlx::python
