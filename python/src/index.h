// An index such as x[0, :, None, ids], taken apart by NumPy's rules. Reading and writing share it.
#pragma once

#include <optional>

#include "binding.h"

namespace mlx::python {

struct IndexItem {
  enum Kind { integer, slice, newaxis, ids };
  Kind kind;
  int axis = -1;  // of the array; none for newaxis
  // As the library's slices take them: slice_end and slice_begin for bounds that were left out. An integer is
  // the slice of one element.
  int64_t start = 0, stop = mx::slice_end, step = 1;
  int64_t length = 0;                   // of a slice
  std::optional<mx::array> array = {};  // ids: an integer array

  bool is_full() const { return start == 0 && stop == mx::slice_end && step == 1; }
};

struct Index {
  std::vector<IndexItem> items;  // one per axis, and newaxis items among them
  bool has_ids = false;
};

// Throws for an index of the wrong type, out of range, or with too many items.
Index parse_index(PyObject* index, const mx::array& a);

// Is it a mask: a bool, or an array, NumPy array or list of bool?
std::optional<mx::array> parse_mask(PyObject* index);

// The part of the array that integers and slices select; id arrays select everything here. Integers keep an
// axis.
mx::array slice_of(const mx::array& a, const Index& index);
struct SliceBounds {
  mx::Shape start, stop, step;
  bool everything;
};
SliceBounds slice_bounds(const Index& index);

// Where the axes of id arrays go: with all of them side by side, in their place, else to the front.
struct IdsPlan {
  std::vector<mx::array> ids;  // broadcast against each other by gather and scatter
  std::vector<int> axes;
  mx::Shape shape;  // of the broadcast ids
  int place = 0;    // axes of the result before those of the ids
};
// integers_are_ids: reading takes integers beside id arrays as ids, writing as slices.
IdsPlan plan_ids(const Index& index, bool integers_are_ids);

mx::array read_index(const mx::array& a, PyObject* index);

enum class Update { set, add, multiply, maximum, minimum };
mx::array write_index(const mx::array& a, PyObject* index, PyObject* value, Update update, const char* op);

}  // namespace mlx::python
