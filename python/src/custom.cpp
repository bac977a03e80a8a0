// checkpoint, and functions with derivative and batching rules written in Python.

#include <memory>

#include "define.h"
#include "mlx/transforms.h"
#include "release.h"
#include "transformed.h"
#include "trees.h"

namespace mlx::python {

namespace {

using Arrays = std::vector<mx::array>;

// The graph keeps the closures below, and may drop them on any thread: Python objects in them are PyRefs.

Arrays arrays_in(PyObject* tree) {
  Arrays arrays;
  collect_arrays(tree, &arrays);
  return arrays;
}

// Python callbacks of a graph run wherever the rule is asked for, which may be without the GIL.
class PythonFunction {
 public:
  PythonFunction(nb::handle function, Form args, Form keywords)
      : function_(keep(function.ptr())), args_(std::move(args)), keywords_(std::move(keywords)) {}

  // Calls the function with other arrays in the place of those of its arguments.
  nb::object operator()(const Arrays& inputs) const {
    size_t next = 0;
    nb::object args = args_.fill(inputs, &next);
    nb::object keywords;
    if (keywords_.tree) keywords = keywords_.fill(inputs, &next);
    return steal(PyObject_Call(function_.get(), args.ptr(), keywords.ptr()));
  }

 private:
  PyRef function_;
  Form args_, keywords_;
};

// The function of a graph: calls the Python function and keeps the form of its first result, which the call
// in progress fills.
auto graph_function(PythonFunction python, std::shared_ptr<Form> form) {
  return [python, form](const Arrays& traced) {
    nb::gil_scoped_acquire gil;
    nb::object result = python(traced);
    Arrays outputs;
    Form found = Form::of(result.ptr(), &outputs);
    if (!form->tree) *form = std::move(found);
    return outputs;
  };
}

class Checkpoint : public Transform {
 public:
  using Transform::Transform;

  PyObject* call(PyObject* args, PyObject* keywords) override {
    Arrays inputs;
    Form arg_form = Form::of(args, &inputs), keyword_form;
    if (keywords) keyword_form = Form::of(keywords, &inputs);
    auto form = std::make_shared<Form>();
    auto fun = graph_function(PythonFunction(function_, arg_form, keyword_form), form);
    Arrays outputs = mx::checkpoint(fun)(inputs);
    return form->fill(outputs).release().ptr();
  }
};

// custom_function: the function and its rules.
struct Custom {
  nb::object function;
  nb::object vjp = {}, jvp = {}, vmap = {};
};

// Several values are a tuple, a single one comes bare.
nb::object bare(nb::object tuple) {
  return PyTuple_GET_SIZE(tuple.ptr()) == 1 ? nb::borrow(PyTuple_GET_ITEM(tuple.ptr(), 0)) : tuple;
}

// The forms of one call of a custom function, for its rules.
struct CustomCall {
  Form args;                     // a tuple
  std::shared_ptr<Form> output;  // whatever the function returns
};
using SharedCall = std::shared_ptr<CustomCall>;

Arrays checked_count(PyObject* tree, size_t wanted, const char* rule) {
  Arrays arrays = arrays_in(tree);
  if (arrays.size() == 1 && wanted > 1 && is_array(tree)) return Arrays(wanted, arrays[0]);
  if (arrays.size() != wanted) {
    raise("[custom_function] The ", rule, " rule returned ", arrays.size(), " arrays where ", wanted,
          " are needed.");
  }
  return arrays;
}

auto vjp_rule(SharedCall call, PyRef rule) {
  return [call, rule](const Arrays& primals, const Arrays& cotangents, const Arrays& outputs) {
    nb::gil_scoped_acquire gil;
    nb::object result = steal(PyObject_CallFunctionObjArgs(rule.get(), bare(call->args.fill(primals)).ptr(),
                                                           call->output->fill(cotangents).ptr(),
                                                           call->output->fill(outputs).ptr(), nullptr));
    return checked_count(result.ptr(), primals.size(), "vjp");
  };
}

auto jvp_rule(SharedCall call, PyRef rule) {
  return [call, rule](const Arrays& primals, const Arrays& tangents, const std::vector<int>& argnums) {
    nb::gil_scoped_acquire gil;
    // An argument that is not differentiated has None for a tangent.
    std::vector<const mx::array*> given(primals.size(), nullptr);
    for (size_t k = 0; k < argnums.size(); k++) given[static_cast<size_t>(argnums[k])] = &tangents[k];
    size_t next = 0;
    nb::object tangent_args = call->args.fill_with([&]() -> PyObject* {
      const mx::array* t = given[next++];
      return t ? wrap(*t) : Py_NewRef(Py_None);
    });
    nb::object result = steal(PyObject_CallFunctionObjArgs(rule.get(), bare(call->args.fill(primals)).ptr(),
                                                           bare(tangent_args).ptr(), nullptr));
    return checked_count(result.ptr(), call->output->count, "jvp");
  };
}

nb::object axes_tree(const Form& form, const std::vector<int>& axes) {
  size_t next = 0;
  return form.fill_with([&]() -> PyObject* {
    int axis = axes[next++];
    return axis < 0 ? Py_NewRef(Py_None) : PyLong_FromLong(axis);
  });
}

auto vmap_rule(SharedCall call, PyRef rule) {
  return [call, rule](const Arrays& inputs, const std::vector<int>& axes) {
    nb::gil_scoped_acquire gil;
    nb::object result = steal(PyObject_CallFunctionObjArgs(rule.get(), bare(call->args.fill(inputs)).ptr(),
                                                           bare(axes_tree(call->args, axes)).ptr(), nullptr));
    if (!PyTuple_Check(result.ptr()) || PyTuple_GET_SIZE(result.ptr()) != 2) {
      raise("[custom_function] The vmap rule must return a tuple (outputs, axes).");
    }
    Arrays outputs = arrays_in(PyTuple_GET_ITEM(result.ptr(), 0));
    std::vector<int> out_axes;
    visit_tree(PyTuple_GET_ITEM(result.ptr(), 1), [&](PyObject* leaf) {
      int64_t axis = -1;
      if (leaf != Py_None && !to_integer(leaf, &axis))
        raise("[custom_function] The axes of the vmap rule must be ints or None.");
      if (axis != static_cast<int>(axis))
        raise<mx::AxisError>("[custom_function] No array has the axis ", axis, " of the vmap rule.");
      out_axes.push_back(static_cast<int>(axis));
    });
    if (out_axes.size() == 1) out_axes.resize(outputs.size(), out_axes[0]);
    if (out_axes.size() != outputs.size())
      raise("[custom_function] The vmap rule returned ", outputs.size(), " outputs and ", out_axes.size(),
            " axes.");
    return std::make_pair(outputs, out_axes);
  };
}

PyObject* call_custom(PyObject* self, PyObject* args, PyObject* keywords) noexcept {
  return guarded([&]() -> PyObject* {
    const Custom& custom = *nb::inst_ptr<Custom>(self);
    if (keywords && PyDict_GET_SIZE(keywords) == 0) keywords = nullptr;
    if (!custom.vjp.is_valid() && !custom.jvp.is_valid() && !custom.vmap.is_valid()) {
      return PyObject_Call(custom.function.ptr(), args, keywords);
    }
    Arrays inputs;
    auto call = std::make_shared<CustomCall>();
    call->args = Form::of(args, &inputs);
    call->output = std::make_shared<Form>();
    Form keyword_form;
    size_t positional = inputs.size();
    if (keywords) keyword_form = Form::of(keywords, &inputs);
    if (inputs.size() != positional) {
      raise("[custom_function] Arrays must be given by position to a function with rules of its own.");
    }
    auto fun = graph_function(PythonFunction(custom.function, call->args, keyword_form), call->output);
    auto given = [](const nb::object& o) { return o.is_valid() ? keep(o.ptr()) : PyRef(); };
    PyRef vjp = given(custom.vjp), jvp = given(custom.jvp), vmap = given(custom.vmap);
    std::optional<std::function<Arrays(const Arrays&, const Arrays&, const Arrays&)>> vjp_function;
    std::optional<std::function<Arrays(const Arrays&, const Arrays&, const std::vector<int>&)>> jvp_function;
    std::optional<std::function<std::pair<Arrays, std::vector<int>>(const Arrays&, const std::vector<int>&)>>
        vmap_function;
    if (vjp) vjp_function = vjp_rule(call, vjp);
    if (jvp) jvp_function = jvp_rule(call, jvp);
    if (vmap) vmap_function = vmap_rule(call, vmap);
    Arrays outputs = mx::custom_function(fun, vjp_function, jvp_function, vmap_function)(inputs);
    return call->output->fill(outputs).release().ptr();
  });
}

int traverse_custom(PyObject* self, visitproc visit, void* arg) noexcept {
  Py_VISIT(Py_TYPE(self));
  if (PyObject** dict = _PyObject_GetDictPtr(self)) Py_VISIT(*dict);
  if (!nb::inst_ready(self)) return 0;
  Custom& c = *nb::inst_ptr<Custom>(self);
  Py_VISIT(c.function.ptr());
  Py_VISIT(c.vjp.ptr());
  Py_VISIT(c.jvp.ptr());
  Py_VISIT(c.vmap.ptr());
  return 0;
}

int clear_custom(PyObject* self) noexcept {
  if (PyObject** dict = _PyObject_GetDictPtr(self)) Py_CLEAR(*dict);
  Custom& c = *nb::inst_ptr<Custom>(self);
  for (nb::object* o : {&c.function, &c.vjp, &c.jvp, &c.vmap}) o->reset();
  return 0;
}

template <nb::object Custom::* rule>
nb::object set_rule(Args& x) {
  nb::object function = callable_argument(x, 1);
  nb::inst_ptr<Custom>(x[0])->*rule = function;
  return function;
}

void bind_custom_function(nb::module_& m) {
  using Init = Initializer<decltype([](Args& x) { construct<Custom>(x, callable_argument(x, 1)); })>;
  static PyType_Slot slots[] = {Init::slots("custom_function(self, f: Callable)")[0],
                                {Py_tp_call, reinterpret_cast<void*>(call_custom)},
                                {Py_tp_traverse, reinterpret_cast<void*>(traverse_custom)},
                                {Py_tp_clear, reinterpret_cast<void*>(clear_custom)},
                                {0, nullptr}};
  nb::class_<Custom> type(
      m, "custom_function",
      "A function of arrays with derivative and batching rules of its own.\n\nUse it as a decorator, then "
      "set rules with f.vjp(primals, cotangents, outputs), f.jvp(primals, tangents)\nand f.vmap(inputs, "
      "axes) -> (outputs, axes) as decorators. A missing rule follows from the operations.",
      nb::type_slots(slots), nb::dynamic_attr(), nb::is_weak_referenceable());
  Methods(type)
      .def("vjp(self, f: Callable) -> Callable", "Set the rule of the vector-Jacobian product; returns it.",
           [](Args& x) { return set_rule<&Custom::vjp>(x); })
      .def("jvp(self, f: Callable) -> Callable", "Set the rule of the Jacobian-vector product; returns it.",
           [](Args& x) { return set_rule<&Custom::jvp>(x); })
      .def("vmap(self, f: Callable) -> Callable", "Set the batching rule; returns it.",
           [](Args& x) { return set_rule<&Custom::vmap>(x); });
}

}  // namespace

void bind_custom(nb::module_& m) {
  Functions(m).def(
      "checkpoint(fun: Callable[P, R]) -> Callable[P, R]",
      "The function, computed again in the backward pass instead of keeping its intermediate results.",
      [](Args& x) {
        nb::object function = callable_argument(x, 0);
        return make_callable(std::make_unique<Checkpoint>(function), function);
      });
  bind_custom_function(m);
}

}  // namespace mlx::python
