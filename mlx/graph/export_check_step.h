// A step of a program from a file, while it is checked. A check throws std::invalid_argument, whose text nobody sees
// where it only says that the step is wrong.
#pragma once

#include <algorithm>
#include <vector>

#include "mlx/core/error.h"
#include "mlx/primitives.h"

namespace mlx::core::export_detail {

using Dtypes = std::vector<Dtype>;

struct Step {
  const Arrays& x;  // inputs: shapes and dtypes alone
  size_t outputs;   // how many the file says
  Stream s;

  void need(bool right) const {
    if (!right) raise("its members do not fit its inputs.");
  }
  void count(size_t n) const { need(x.size() == n); }
  // Of the first input.
  void axis(int a) const { need(!x.empty() && a >= 0 && static_cast<size_t>(a) < x[0].ndim()); }
  void distinct(std::vector<int> axes) const {
    for (int a : axes) axis(a);
    std::sort(axes.begin(), axes.end());
    need(std::adjacent_find(axes.begin(), axes.end()) == axes.end());
  }
  void sorted(const std::vector<int>& axes) const {
    distinct(axes);
    need(std::is_sorted(axes.begin(), axes.end()));
  }
  void is(size_t i, Dtype::Category category) const { need(i < x.size() && issubdtype(x[i].dtype(), category)); }

  // The results of elements that keep their dtype.
  Dtypes same_as_input() const {
    count(1);
    return {x[0].dtype()};
  }
  Dtypes common_dtype() const {
    need(!x.empty());
    for (const array& operand : x) need(operand.dtype() == x[0].dtype());
    return {x[0].dtype()};
  }

  // A function of the library made the same primitive of the n inputs.
  template <typename Make>
  Dtypes built(const Primitive& p, size_t n, Make&& make) const {
    count(n);
    Arrays made = listed(make());
    need(!made.empty());
    need_same(p, made[0]);
    Dtypes dtypes;
    for (const array& y : made) dtypes.push_back(y.dtype());
    return dtypes;
  }
  // The same for a function that leaves out what would not change its input. The members are in range.
  template <typename Make>
  Dtypes built_or_left_out(const Primitive& p, Make&& make) const {
    count(1);
    array made = make();
    if (made.id() != x[0].id()) need_same(p, made);
    return {made.dtype()};
  }

 private:
  static Arrays listed(array made) { return {std::move(made)}; }
  static Arrays listed(Arrays made) { return made; }
  void need_same(const Primitive& p, const array& made) const {
    need(made.has_primitive() && made.primitive().kind() == p.kind() && p.is_equivalent(made.primitive()));
    need(made.inputs().size() == x.size());
    for (size_t i = 0; i < x.size(); i++) need(made.inputs()[i].id() == x[i].id());
  }
};

#define PRIMITIVE(Class) Dtypes check(const Class& p, const Step& step);
#include "mlx/ops/primitives.def"

}  // namespace mlx::core::export_detail
