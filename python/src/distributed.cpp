// mlx.core.distributed.

#include "mlx/distributed/distributed.h"

#include "define.h"
#include "mlx/distributed/ops.h"

namespace mlx::python {

namespace {

namespace md = mx::distributed;

PyTypeObject* group_type = nullptr;

std::optional<md::Group> group_argument(const Args& x, int i) {
  if (!x.has(i)) return std::nullopt;
  if (Py_TYPE(x[i]) != group_type) x.raise_wrong(i, "a Group or None");
  return *nb::inst_ptr<md::Group>(x[i]);
}

void bind_group(nb::module_& m) {
  nb::class_<md::Group> type(m, "Group", "Processes that compute together.");
  group_type = reinterpret_cast<PyTypeObject*>(type.ptr());
  Methods(type)
      .def("rank(self) -> int", "The number of this process in the group.",
           [](Args& x) { return nb::inst_ptr<md::Group>(x[0])->rank(); })
      .def("size(self) -> int", "How many processes the group has.",
           [](Args& x) { return nb::inst_ptr<md::Group>(x[0])->size(); })
      .def("split(self, color: int, key: int = -1) -> Group",
           "The group of the processes that give the same color, in the order of their keys. RuntimeError for a group "
           "of one process.",
           [](Args& x) {
             return nb::cast(nb::inst_ptr<md::Group>(x[0])->split(x.small_int(1), x.small_int(2, -1)));
           });
}

void bind_collectives(Functions& m) {
  m.def("all_sum(x: array, *, group: Group | None = None, stream: StreamOrDevice = None) -> array",
        "The sum over all processes.",
        [](Args& x) { return md::all_sum(x.operand(0), group_argument(x, 1), x.stream()); });
  m.def("all_max(x: array, *, group: Group | None = None, stream: StreamOrDevice = None) -> array",
        "The largest values over all processes.",
        [](Args& x) { return md::all_max(x.operand(0), group_argument(x, 1), x.stream()); });
  m.def("all_min(x: array, *, group: Group | None = None, stream: StreamOrDevice = None) -> array",
        "The smallest values over all processes.",
        [](Args& x) { return md::all_min(x.operand(0), group_argument(x, 1), x.stream()); });
  m.def("all_gather(x: array, *, group: Group | None = None, stream: StreamOrDevice = None) -> array",
        "The arrays of all processes, one after the other along the first axis.",
        [](Args& x) { return md::all_gather(x.operand(0), group_argument(x, 1), x.stream()); });
  m.def("sum_scatter(x: array, *, group: Group | None = None, stream: StreamOrDevice = None) -> array",
        "This process's part, along the first axis, of the sum over all processes.",
        [](Args& x) { return md::sum_scatter(x.operand(0), group_argument(x, 1), x.stream()); });
}

void bind_messages(Functions& m) {
  m.def("send(x: array, dst: int, *, group: Group | None = None, stream: StreamOrDevice = None) -> array",
        "Send an array to a process. Returns it; the message goes out when that is evaluated.",
        [](Args& x) { return md::send(x.operand(0), x.small_int(1), group_argument(x, 2), x.stream()); });
  m.def(
      "recv(shape: Sequence[int], dtype: Dtype, src: int, *, group: Group | None = None, stream: StreamOrDevice = "
      "None) -> array",
      "Receive an array of a shape and dtype from a process.", [](Args& x) {
        return md::recv(x.shape_sequence(0), x.dtype(1), x.small_int(2), group_argument(x, 3), x.stream());
      });
  m.def("recv_like(x: array, src: int, *, group: Group | None = None, stream: StreamOrDevice = None) -> array",
        "Receive an array of x's shape and dtype from a process.",
        [](Args& x) { return md::recv_like(x.operand(0), x.small_int(1), group_argument(x, 2), x.stream()); });
}

}  // namespace

void bind_distributed(nb::module_& module) {
  nb::module_ m = module.def_submodule("distributed", "Computing with several processes.");
  bind_group(m);
  Functions f(m);
  f.def("is_available(backend: str = 'any') -> bool", "Whether a backend exists: any, jaccl, mpi, nccl or ring.",
        [](Args& x) { return md::is_available(x.text(0, "any")); });
  f.def(
      "init(strict: bool = False, backend: str = 'any', *, all_gather_factory: Callable[[int, int], Callable[[bytes, "
      "int], bytes]] | None = None) -> Group",
      "The group of all processes. Where none is configured it holds this process alone; with strict that is a "
      "RuntimeError.",
      [](Args& x) { return nb::cast(md::init(x.boolean(0, false), x.text(1, "any"))); });
  bind_collectives(f);
  bind_messages(f);
}

}  // namespace mlx::python
