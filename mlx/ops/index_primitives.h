// Reading and writing at places named by arrays of integers.
#pragma once

#include "mlx/ops/slice_primitives.h"

namespace mlx::core {

// Holds every index of an axis of this size.
inline Dtype index_dtype(size_t size) { return size <= (size_t{1} << 32) ? uint32 : int64; }

// Throws std::invalid_argument for indices that are not integers.
void check_index_dtype(const char* name, const array& indices);

// The axes from the front, each with an array of integers.
std::vector<int> indexed_axes(const char* name, const array& a, const Arrays& indices, const std::vector<int>& axes);

// Throws std::invalid_argument: indices have no derivative.
[[noreturn]] void raise_index_derivative(const char* name);

// Inputs: the array, then one index array per axis of `axes`. The index arrays broadcast. For each index a window of
// the array is taken that starts there (at 0 along the other axes); the result has the shape of the indices followed
// by that of the windows.
class Gather : public Operation {
 public:
  // A window size of -1 is the whole axis; `from` is the shape that the other sizes were made for.
  Gather(Stream s, std::vector<int> axes, Shape sizes, Shape from)
      : Operation(s), axes_(std::move(axes)), sizes_(std::move(sizes)), from_(std::move(from)) {}
  MLX_OPERATION(Gather, axes_, sizes_, from_)
  const std::vector<int>& axes() const { return axes_; }
  // The windows for an array of this shape.
  Shape window(const Shape& shape) const;

 private:
  std::vector<int> axes_;
  Shape sizes_, from_;
};
array gather_windows(const array& a, const Arrays& indices, const std::vector<int>& axes, const Shape& sizes,
                     const Stream& s);

// Inputs: the array, index arrays, updates. Updates have the shape of the indices followed by windows, and each
// window is combined with the array where it starts, in row-major order of the updates.
class Scatter : public Operation {
 public:
  Scatter(Stream s, Combine mode, std::vector<int> axes) : Operation(s), mode_(mode), axes_(std::move(axes)) {}
  MLX_OPERATION(Scatter, mode_, axes_)
  Combine mode() const { return mode_; }
  const std::vector<int>& axes() const { return axes_; }

 private:
  Arrays indices_of(const Arrays& inputs) const { return {inputs.begin() + 1, inputs.end() - 1}; }
  array read(const array& a, const Arrays& inputs) const;
  array written(const Arrays& inputs) const;
  array product_of_others(const array& operand, const Arrays& inputs, bool of_update) const;
  array update_cotangent(const Arrays& primals, const array& ct, const array& out) const;
  array source_cotangent(const Arrays& primals, const array& ct, const array& out) const;
  array share(const Arrays& inputs, const array& out) const;

  Combine mode_;
  std::vector<int> axes_;
};
array scatter(Combine mode, const array& a, const Arrays& indices, const array& updates, const std::vector<int>& axes,
              const Stream& s);

// Inputs: array and indices with equal sizes along all axes but `axis`.
class GatherAxis : public Operation {
 public:
  GatherAxis(Stream s, int axis) : Operation(s), axis_(axis) {}
  MLX_OPERATION(GatherAxis, axis_)
  int axis() const { return axis_; }

 private:
  int axis_;
};

// Inputs: array, indices and updates. Indices and updates have one shape, equal to the array's but for `axis`.
class ScatterAxis : public Operation {
 public:
  ScatterAxis(Stream s, Combine mode, int axis) : Operation(s), mode_(mode), axis_(axis) {}
  MLX_OPERATION(ScatterAxis, mode_, axis_)
  Combine mode() const { return mode_; }  // Set or Sum
  int axis() const { return axis_; }

 private:
  Combine mode_;
  int axis_;
};

// Inputs: an array (b, m, r), a bool mask (b, m) and values (b, n). In each batch the rows where the mask is true are
// replaced by the values, r at a time; values may be left over.
class MaskedScatter : public Operation {
 public:
  explicit MaskedScatter(Stream s) : Operation(s) {}
  MLX_OPERATION(MaskedScatter)

 private:
  array src_cotangent(const array& mask, const array& src, const array& ct) const;
};

}  // namespace mlx::core
