// custom_function and checkpoint.

#include "mlx/core/tracing.h"
#include "mlx/ops.h"
#include "mlx/ops/custom_primitives.h"
#include "mlx/random.h"
#include "mlx/transforms.h"

namespace mlx::core {

namespace {

using Function = std::function<Arrays(const Arrays&)>;

// The function of some of its arguments, and these: the others may be indices, which have no derivative.
struct Part {
  Part(const Function& fun, const Arrays& all, const std::vector<int>& argnums) {
    for (int i : argnums) arguments.push_back(all[i]);
    function = [fun, all, argnums](const Arrays& some) {
      Arrays given = all;
      for (size_t k = 0; k < argnums.size(); k++) given[argnums[k]] = some[k];
      return fun(given);
    };
  }
  Function function;
  Arrays arguments;
};

Arrays pull_back(const Function& fun, const Arrays& primals, const Arrays& cotangents,
                 const std::vector<int>& argnums) {
  Part part(fun, primals, argnums);
  Arrays found = vjp(part.function, part.arguments, cotangents).second, all;
  for (const array& x : primals) all.push_back(zeros_like(x));
  for (size_t k = 0; k < argnums.size(); k++) all[argnums[k]] = found[k];
  return all;
}

// What a function without a rule of its own does: derive the function itself.
CustomRules traced_rules(const Function& fun) {
  CustomRules rules;
  rules.vjp = [fun](const Arrays& primals, const Arrays& cotangents, const Arrays&, const std::vector<int>& argnums) {
    return pull_back(fun, primals, cotangents, argnums);
  };
  rules.jvp = [fun](const Arrays& primals, const Arrays& tangents, const std::vector<int>& argnums) {
    Part part(fun, primals, argnums);
    return jvp(part.function, part.arguments, tangents).second;
  };
  rules.vmap = [fun](const Arrays& inputs, const std::vector<int>& axes) {
    Arrays outputs = vmap(fun, axes, {})(inputs);
    return std::make_pair(outputs, std::vector<int>(outputs.size(), 0));
  };
  return rules;
}

// The function with the random numbers that it draws from this key on, whatever has been drawn since.
Function with_draws(const Function& fun, const array& key) {
  return [fun, key](const Arrays& args) {
    struct Scope {
      array outer = random::KeySequence::default_().state();
      ~Scope() { random::KeySequence::default_().set_state(outer); }
    } scope;
    random::KeySequence::default_().set_state(key);
    return fun(args);
  };
}

// The rules may call the function again, which then draws the same random numbers.
Function with_rules(const Function& fun, const std::function<CustomRules(const Function&)>& make_rules) {
  return [fun, make_rules](const Arrays& args) {
    CustomRules rules = make_rules(with_draws(fun, random::KeySequence::default_().state()));
    Arrays outputs = fun(args);
    if (args.empty() || outputs.empty()) return outputs;
    Arrays inputs = args;
    for (const array& out : outputs) inputs.push_back(stop_gradient(out));
    return make_arrays_like(outputs, std::make_shared<CustomTransforms>(to_stream({}), args.size(), rules), inputs);
  };
}

}  // namespace

Function custom_function(
    Function fun,
    std::optional<std::function<Arrays(const Arrays&, const Arrays&, const Arrays&)>> fun_vjp,
    std::optional<std::function<Arrays(const Arrays&, const Arrays&, const std::vector<int>&)>> fun_jvp,
    std::optional<std::function<std::pair<Arrays, std::vector<int>>(const Arrays&, const std::vector<int>&)>>
        fun_vmap) {
  if (!fun_vjp && !fun_jvp && !fun_vmap) return fun;
  return with_rules(fun, [=](const Function& again) {
    CustomRules rules = traced_rules(again);
    if (fun_vjp) {
      rules.vjp = [rule = *fun_vjp](const Arrays& primals, const Arrays& cotangents, const Arrays& outputs,
                                    const std::vector<int>&) { return rule(primals, cotangents, outputs); };
    }
    if (fun_jvp) rules.jvp = *fun_jvp;
    if (fun_vmap) rules.vmap = *fun_vmap;
    return rules;
  });
}

Function custom_vjp(Function fun, std::function<Arrays(const Arrays&, const Arrays&, const Arrays&)> fun_vjp) {
  return custom_function(std::move(fun), std::move(fun_vjp));
}

// The backward pass computes the function again. The dependence on the cotangents keeps that from happening early,
// and keeps compile from merging it with the forward pass.
Function checkpoint(Function fun) {
  return with_rules(fun, [](const Function& again) {
    CustomRules rules = traced_rules(again);
    rules.vjp = [again](const Arrays& primals, const Arrays& cotangents, const Arrays&,
                        const std::vector<int>& argnums) {
      return pull_back(again, depends(primals, cotangents), cotangents, argnums);
    };
    return rules;
  });
}

}  // namespace mlx::core
