// Collectives and messages: see ops.h. Groups of several processes have no backend yet, and init makes none.

#include "mlx/distributed/ops.h"

#include "mlx/core/error.h"

namespace mlx::core::distributed {

namespace {

array collective(const array& x, const std::optional<Group>&, StreamOrDevice s) {
  to_stream(s);  // a stream that does not exist is an error here too
  return x;
}

[[noreturn]] void raise_alone(const char* name, const std::optional<Group>& group, int peer) {
  Group g = group ? *group : init();
  raise("[", name, "] There is no process ", peer, " to exchange messages with in a group of ", g.size(), ".");
}

}  // namespace

array all_sum(const array& x, std::optional<Group> group, StreamOrDevice s) { return collective(x, group, s); }
array all_max(const array& x, std::optional<Group> group, StreamOrDevice s) { return collective(x, group, s); }
array all_min(const array& x, std::optional<Group> group, StreamOrDevice s) { return collective(x, group, s); }
array all_gather(const array& x, std::optional<Group> group, StreamOrDevice s) { return collective(x, group, s); }
array sum_scatter(const array& x, std::optional<Group> group, StreamOrDevice s) { return collective(x, group, s); }

array send(const array&, int dst, std::optional<Group> group, StreamOrDevice) { raise_alone("send", group, dst); }
array recv(Shape, Dtype, int src, std::optional<Group> group, StreamOrDevice) { raise_alone("recv", group, src); }
array recv_like(const array&, int src, std::optional<Group> group, StreamOrDevice) {
  raise_alone("recv_like", group, src);
}

}  // namespace mlx::core::distributed
