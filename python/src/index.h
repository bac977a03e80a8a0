// An index such as x[0, :, None, ids, mask], taken apart by NumPy's rules. Reading and writing share it.
#pragma once

#include <optional>

#include "binding.h"

namespace mlx::python {

struct IndexItem {
  enum Kind { integer, slice, newaxis, gap, ids, mask };
  Kind kind;
  int axis = -1;  // of the array as the index sees it; none for newaxis and gap
  // As the library's slices take them: slice_end and slice_begin for bounds that were left out. An integer is
  // the slice of one element.
  int64_t start = 0, stop = mx::slice_end, step = 1;
  int64_t length = 0;                   // of a slice
  std::optional<mx::array> array = {};  // ids: integers; mask: one bool per element of the axis

  bool is_full() const { return start == 0 && stop == mx::slice_end && step == 1; }
};

struct Index {
  // One per axis; newaxis items among them, and a gap where an ellipsis was.
  std::vector<IndexItem> items;
  // The array as the items see it: the axes that a mask takes are one, and a single bool has an axis of its own.
  mx::Shape shape;
  int ids = 0, masks = 0;  // how many items of these kinds
};

// Throws for an index of the wrong type, out of range, or with too many items.
Index parse_index(PyObject* index, const mx::array& a);
// The array in the shape that the index sees.
mx::array seen_by(const Index& index, const mx::array& a);
// Turns masks into ids: the places where they hold. This evaluates them.
void resolve_masks(Index* index);

// The part of the array that integers and slices select; ids and masks select everything here. Integers keep an
// axis.
mx::array slice_of(const mx::array& a, const Index& index);
struct SliceBounds {
  mx::Shape start, stop, step;
  bool everything;
};
SliceBounds slice_bounds(const Index& index);

// The axes of ids go, with all of them and the integers side by side, to their place, else to the front: the number
// of axes of the result before them.
int place_of_ids(const Index& index);
struct IdsPlan {
  std::vector<mx::array> ids;  // broadcast against each other by gather and scatter
  std::vector<int> axes;
  mx::Shape shape;  // of the broadcast ids
  int place = 0;
};
IdsPlan plan_ids(const Index& index);

mx::array read_index(const mx::array& a, PyObject* index);

enum class Update { set, add, multiply, divide, maximum, minimum };
mx::array write_index(const mx::array& a, PyObject* index, PyObject* value, Update update, const char* op);
// The same with a value of the array's dtype.
mx::array write_value(const mx::array& a, PyObject* index, const mx::array& value, Update update, const char* op);

}  // namespace mlx::python
