// grad, value_and_grad, vjp, jvp.

#include "mlx/transforms.h"

#include <algorithm>

#include "define.h"
#include "transformed.h"
#include "trees.h"

namespace mlx::python {

namespace {

using Arrays = std::vector<mx::array>;

// Which arguments of a function are differentiated.
struct Selection {
  std::vector<int> argnums;  // ascending
  std::vector<std::string> argnames;
  bool has_argnames = false;
};

// An argument that is differentiated must hold arrays only.
void require_differentiable(PyObject* tree, const std::string& which, const char* op) {
  visit_tree(tree, [&](PyObject* leaf) {
    if (!is_array(leaf)) {
      raise("[", op, "] ", which, " must be an array or a tree of arrays, but it holds ", type_name(leaf),
            ".");
    }
  });
}

class Gradient : public Transform {
 public:
  Gradient(nb::object function, Selection selection, bool with_value)
      : Transform(std::move(function)), selection_(std::move(selection)), with_value_(with_value) {}

  PyObject* call(PyObject* args, PyObject* keywords) override {
    Arrays inputs;
    std::vector<Form> forms = selected_forms(args, keywords, &inputs);
    Form value;
    auto fun = [&](const Arrays& traced) {
      size_t next = 0;
      LentArrays lent(true);
      nb::object traced_args = replaced_args(args, traced, &next, &lent);
      nb::object traced_keywords = replaced_keywords(keywords, traced, &next, &lent);
      nb::object result = call_function(traced_args.ptr(), traced_keywords.ptr());
      Arrays outputs{loss_of(result.ptr())};
      value = Form::of(result.ptr(), &outputs);
      return outputs;
    };
    std::vector<int> all(inputs.size());
    for (size_t i = 0; i < all.size(); i++) all[i] = static_cast<int>(i);
    auto [values, gradients] = mx::value_and_grad(fun, all)(inputs);
    nb::object result = gradient_trees(forms, gradients);
    if (!with_value_) return result.release().ptr();
    values.erase(values.begin());
    return nb::make_tuple(value.fill(values), result).release().ptr();
  }

 private:
  const char* op() const { return with_value_ ? "value_and_grad" : "grad"; }

  // The arguments to differentiate, positional ones first. The function may change what it is given.
  std::vector<Form> selected_forms(PyObject* args, PyObject* keywords, Arrays* inputs) const {
    std::vector<Form> forms;
    auto add = [&](PyObject* tree, const std::string& which) {
      require_differentiable(tree, which, op());
      forms.push_back(Form::of(tree, inputs));
    };
    for (int i : selection_.argnums) {
      if (i >= PyTuple_GET_SIZE(args)) {
        raise("[", op(), "] There is no positional argument ", i,
              " to differentiate: the function was called with ", PyTuple_GET_SIZE(args), ".");
      }
      add(PyTuple_GET_ITEM(args, i), concat("Argument ", i));
    }
    for (const std::string& name : selection_.argnames) {
      PyObject* value = keywords ? PyDict_GetItemString(keywords, name.c_str()) : nullptr;
      if (!value) raise("[", op(), "] The argument '", name, "' to differentiate was not passed by keyword.");
      add(value, concat("Argument '", name, "'"));
    }
    return forms;
  }

  nb::object replaced_args(PyObject* args, const Arrays& traced, size_t* next, LentArrays* lent) const {
    nb::list items;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(args); i++) {
      bool selected =
          std::find(selection_.argnums.begin(), selection_.argnums.end(), i) != selection_.argnums.end();
      PyObject* item = PyTuple_GET_ITEM(args, i);
      items.append(selected ? lent->argument(item, traced, next) : nb::borrow(item));
    }
    return steal(PyList_AsTuple(items.ptr()));
  }

  nb::object replaced_keywords(PyObject* keywords, const Arrays& traced, size_t* next, LentArrays* lent) const {
    if (!keywords) return nb::object();
    nb::object copy = steal(PyDict_Copy(keywords));
    for (const std::string& name : selection_.argnames) {
      copy[name.c_str()] = lent->argument(PyDict_GetItemString(keywords, name.c_str()), traced, next);
    }
    return copy;
  }

  mx::array loss_of(PyObject* value) const {
    PyObject* loss = value;
    if (with_value_ && PyTuple_Check(value) && PyTuple_GET_SIZE(value)) loss = PyTuple_GET_ITEM(value, 0);
    if (!is_array(loss)) {
      raise("[", op(), "] The function must return a scalar array",
            with_value_ ? " or a tuple that starts with one" : "", ", not ", type_name(loss), ".");
    }
    const mx::array& a = as_array(loss);
    if (a.ndim() != 0) {
      raise("[", op(), "] The function must return a scalar array (shape ()), but its value has shape ",
            a.shape(), ".");
    }
    return a;
  }

  nb::object gradient_trees(const std::vector<Form>& forms, const Arrays& gradients) const {
    size_t next = 0;
    auto form = forms.begin();
    nb::list trees;
    for (size_t i = 0; i < selection_.argnums.size(); i++) trees.append((form++)->fill(gradients, &next));
    nb::object positional = nb::none();
    if (selection_.argnums.size() == 1)
      positional = trees[0];
    else if (!selection_.argnums.empty())
      positional = steal(PyList_AsTuple(trees.ptr()));
    if (!selection_.has_argnames) return positional;
    nb::dict named;
    for (const std::string& name : selection_.argnames) {
      named[name.c_str()] = (form++)->fill(gradients, &next);
    }
    return nb::make_tuple(positional, named);
  }

  Selection selection_;
  bool with_value_;
};

std::vector<std::string> names_argument(Args& x, int i) {
  std::vector<std::string> names;
  if (!x.has(i)) return names;
  auto add = [&](PyObject* o) {
    if (!PyUnicode_Check(o)) x.raise_wrong(i, "a str or a list of str");
    std::string name = text_of(nb::handle(o));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  if (PyUnicode_Check(x[i])) {
    add(x[i]);
  } else {
    nb::object items = nb::steal(PySequence_Fast(x[i], ""));
    if (!items.is_valid()) {
      PyErr_Clear();
      x.raise_wrong(i, "a str or a list of str");
    }
    for (Py_ssize_t k = 0; k < PySequence_Fast_GET_SIZE(items.ptr()); k++) {
      add(PySequence_Fast_GET_ITEM(items.ptr(), k));
    }
  }
  return names;
}

Selection selection_argument(Args& x) {
  Selection s;
  s.argnames = names_argument(x, 2);
  s.has_argnames = !s.argnames.empty();
  std::optional<std::vector<int>> argnums = x.axes(1);
  if (!argnums && !s.has_argnames) argnums = std::vector<int>{0};
  if (!argnums) return s;
  s.argnums = *argnums;
  std::sort(s.argnums.begin(), s.argnums.end());
  if (s.argnums.empty()) raise("[", x.op(), "] argnums is empty: nothing would be differentiated.");
  if (s.argnums.front() < 0)
    raise("[", x.op(), "] argnums must not be negative, but it has ", s.argnums.front(), ".");
  if (std::adjacent_find(s.argnums.begin(), s.argnums.end()) != s.argnums.end()) {
    raise("[", x.op(), "] argnums has an argument twice.");
  }
  return s;
}

template <bool with_value>
PyObject* gradient_of(Args& x) {
  nb::object function = callable_argument(x, 0);
  return make_callable(std::make_unique<Gradient>(function, selection_argument(x), with_value), function);
}

// A function of arrays as C++ sees it, for vjp and jvp.
std::function<Arrays(const Arrays&)> plain_function(nb::object function, const char* op) {
  return [function, op](const Arrays& inputs) {
    nb::object args = nb::steal(tuple_of(Arrays(inputs)));
    nb::object result = steal(PyObject_CallObject(function.ptr(), args.ptr()));
    if (is_array(result.ptr())) return Arrays{as_array(result.ptr())};
    bool is_sequence = PyTuple_Check(result.ptr()) || PyList_Check(result.ptr());
    Arrays outputs;
    for (Py_ssize_t i = 0; is_sequence && i < PySequence_Fast_GET_SIZE(result.ptr()); i++) {
      PyObject* item = PySequence_Fast_GET_ITEM(result.ptr(), i);
      if (!is_array(item))
        is_sequence = false;
      else
        outputs.push_back(as_array(item));
    }
    if (!is_sequence) {
      raise<std::runtime_error>("[", op,
                                "] The function must return an array, or a tuple or list of arrays.");
    }
    return outputs;
  };
}

PyObject* pair_of_lists(std::pair<Arrays, Arrays> result) {
  nb::object first = nb::steal(to_python(std::move(result.first)));
  nb::object second = nb::steal(to_python(std::move(result.second)));
  return nb::make_tuple(first, second).release().ptr();
}

}  // namespace

void bind_transforms(nb::module_& m) {
  bind_transformed(m);
  Functions(m)
      .def(
          "grad(fun: Callable[P, R], argnums: int | Sequence[int] | None = None, argnames: str | "
          "Sequence[str] = []) -> Callable[P, Any]",
          "A function that computes the gradient of `fun`, which must return a scalar array.\n\nargnums, "
          "argnames: the positional and keyword arguments to differentiate, by default the first. Each is "
          "an\narray or a tree of arrays, and its gradient has the same form; several positional ones give a "
          "tuple. With\nargnames the result is a pair (positional gradients or None, dict of named "
          "gradients).",
          [](Args& x) { return gradient_of<false>(x); })
      .def(
          "value_and_grad(fun: Callable[P, R], argnums: int | Sequence[int] | None = None, argnames: str | "
          "Sequence[str] = []) -> Callable[P, tuple[R, Any]]",
          "A function that computes the value and the gradient of `fun`.\n\n`fun` returns a scalar array, or "
          "a tuple that starts with one; the rest is passed through. The arguments are\nthose of grad.",
          [](Args& x) { return gradient_of<true>(x); })
      .def(
          "vjp(fun: Callable, primals: list[array], cotangents: list[array]) -> tuple[list[array], "
          "list[array]]",
          "The outputs of `fun` at the primals, and the products of the cotangents with its Jacobian.",
          [](Args& x) {
            auto fun = plain_function(callable_argument(x, 0), "vjp");
            return pair_of_lists(mx::vjp(fun, x.arrays(1), x.arrays(2)));
          })
      .def(
          "jvp(fun: Callable, primals: list[array], tangents: list[array]) -> tuple[list[array], "
          "list[array]]",
          "The outputs of `fun` at the primals, and the products of its Jacobian with the tangents.",
          [](Args& x) {
            auto fun = plain_function(callable_argument(x, 0), "jvp");
            return pair_of_lists(mx::jvp(fun, x.arrays(1), x.arrays(2)));
          });
}

}  // namespace mlx::python
