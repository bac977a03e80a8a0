// The type slots of array, by protocol: array_number.cpp and index.cpp fill them, array.cpp puts them
// together.
#pragma once

#include "binding.h"

// Python 3.14 has the slot; for older versions nanobind sets the field by this number.
#ifndef Py_tp_vectorcall
#define Py_tp_vectorcall 82
#endif

namespace mlx::python {

// Appends the slots to the table of the type.
void add_number_slots(std::vector<PyType_Slot>* slots);
void add_index_slots(std::vector<PyType_Slot>* slots);

template <typename Function>
void add_slot(std::vector<PyType_Slot>* slots, int slot, Function* f) {
  slots->push_back({slot, reinterpret_cast<void*>(f)});
}

PyObject* array_repr(PyObject* self) noexcept;

}  // namespace mlx::python
