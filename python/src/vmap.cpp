// vmap over trees: axes of arguments and results.

#include "define.h"
#include "mlx/transforms_impl.h"
#include "transformed.h"
#include "trees.h"

namespace mlx::python {

namespace {

using Arrays = std::vector<mx::array>;
constexpr int unbatched = -1;

int normal_axis(int64_t axis, int64_t ndim, const char* what) {
  if (axis < -ndim || axis >= ndim) {
    raise<mx::AxisError>("[vmap] ", what, " axis ", axis, " is out of bounds for array with ", ndim,
                         " dimensions.");
  }
  return static_cast<int>(axis < 0 ? axis + ndim : axis);
}

// Walks a tree of values beside a tree of axes, which may stop earlier: an int or None holds for all below.
template <typename Leaf>
void walk_axes(PyObject* tree, PyObject* axes, const char* what, const Leaf& leaf) {
  Recursion guard(" in a tree of axes");
  int64_t axis;
  bool is_leaf_axis = axes == Py_None || to_integer(axes, &axis);
  if (is_leaf_axis) {
    visit_tree(tree, [&](PyObject* value) {
      if (!is_array(value)) {
        raise("[vmap] Arguments and results must be arrays or trees of arrays, not ", type_name(value), ".");
      }
      leaf(as_array(value), axes == Py_None ? nullptr : &axis);
    });
    return;
  }
  if (PyDict_Check(axes) && PyDict_Check(tree)) {
    PyObject *key, *value;
    Py_ssize_t position = 0;
    while (PyDict_Next(tree, &position, &key, &value)) {
      PyObject* below = PyDict_GetItemWithError(axes, key);
      if (!below) {
        if (PyErr_Occurred()) raise_python();
        raise("[vmap] The ", what, " axes lack the key ", nb::cast<std::string>(nb::repr(nb::handle(key))),
              ".");
      }
      walk_axes(value, below, what, leaf);
    }
    return;
  }
  bool both = (PyList_Check(axes) || PyTuple_Check(axes)) && (PyList_Check(tree) || PyTuple_Check(tree));
  if (!both) {
    raise_type_error("[vmap] The ", what, " axes must be ints, None, or a tree of them like the values, not ",
                     type_name(axes), " for ", type_name(tree), ".");
  }
  Py_ssize_t n = PySequence_Fast_GET_SIZE(tree);
  if (PySequence_Fast_GET_SIZE(axes) != n) {
    raise("[vmap] There are ", PySequence_Fast_GET_SIZE(axes), " ", what, " axes for ", n, " values.");
  }
  for (Py_ssize_t i = 0; i < n; i++) {
    walk_axes(PySequence_Fast_GET_ITEM(tree, i), PySequence_Fast_GET_ITEM(axes, i), what, leaf);
  }
}

class Vectorized : public Transform {
 public:
  Vectorized(nb::object function, nb::object in_axes, nb::object out_axes)
      : Transform(std::move(function)), in_axes_(std::move(in_axes)), out_axes_(std::move(out_axes)) {}

  PyObject* call(PyObject* args, PyObject* keywords) override {
    if (keywords) raise_type_error("[vmap] A vectorized function takes no keyword arguments.");
    Arrays inputs;
    std::vector<int> in_axes = input_axes(args, &inputs);
    nb::object value;
    auto fun = [&](const Arrays& traced) {
      size_t next = 0;
      LentArrays lent(false);
      nb::object traced_args = lent.argument(args, traced, &next);
      nb::object result = call_function(traced_args.ptr(), nullptr);
      Arrays outputs;
      value = Form::of(result.ptr(), &outputs).fill(outputs);
      return outputs;
    };
    auto [traced_inputs, traced_outputs] = mx::detail::vmap_trace(fun, inputs, in_axes);
    std::vector<int> out_axes;
    walk_axes(value.ptr(), out_axes_.ptr(), "output", [&](const mx::array& a, int64_t* axis) {
      out_axes.push_back(axis ? normal_axis(*axis, static_cast<int64_t>(a.ndim()) + 1, "Output") : unbatched);
    });
    Arrays outputs = mx::detail::vmap_replace(inputs, traced_inputs, traced_outputs, in_axes, out_axes);
    size_t next = 0;
    return replace_arrays(value.ptr(), outputs, &next).release().ptr();
  }

  int traverse(visitproc visit, void* arg) override {
    Py_VISIT(in_axes_.ptr());
    Py_VISIT(out_axes_.ptr());
    return Transform::traverse(visit, arg);
  }
  void clear() override {
    in_axes_.reset();
    out_axes_.reset();
    Transform::clear();
  }

 private:
  std::vector<int> input_axes(PyObject* args, Arrays* inputs) const {
    std::vector<int> axes;
    bool any = false;
    auto leaf = [&](const mx::array& a, int64_t* axis) {
      inputs->push_back(a);
      axes.push_back(axis ? normal_axis(*axis, static_cast<int64_t>(a.ndim()), "Input") : unbatched);
      any |= axis != nullptr;
    };
    // One argument may come with the tree of its own axes instead of a tuple of one.
    bool single = PyTuple_GET_SIZE(args) == 1 && !PyTuple_Check(in_axes_.ptr());
    walk_axes(single ? PyTuple_GET_ITEM(args, 0) : args, in_axes_.ptr(), "input", leaf);
    if (!any) raise("[vmap] At least one argument must have a batch axis.");
    return axes;
  }

  nb::object in_axes_, out_axes_;
};

nb::object axes_argument(Args& x, int i) {
  if (!x[i]) return nb::int_(0);
  int64_t axis;
  PyObject* o = x[i];
  if (!is_container(o) && !to_integer(o, &axis, &x, i)) x.raise_wrong(i, "an int or a tree of ints and None");
  return nb::borrow(o);
}

}  // namespace

void bind_vmap(nb::module_& m) {
  Functions(m).def(
      "vmap(fun: Callable[P, R], in_axes: object = 0, out_axes: object = 0) -> Callable[P, R]",
      "A function that applies `fun` along an axis of its arguments.\n\nin_axes: the batch axis of the "
      "arguments: an int for all, or a tuple with an int, None (not batched) or a\ntree of them per "
      "argument. out_axes: where the batch axis of the results goes.",
      [](Args& x) {
        nb::object function = callable_argument(x, 0);
        return make_callable(std::make_unique<Vectorized>(function, axes_argument(x, 1), axes_argument(x, 2)),
                             function);
      });
}

}  // namespace mlx::python
