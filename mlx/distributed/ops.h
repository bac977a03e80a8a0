// Operations of all processes of a group; without a group, of the one that init() gives. In a group of one process
// collectives return their input, and send and recv throw std::invalid_argument.
#pragma once

#include <optional>

#include "mlx/array.h"
#include "mlx/distributed/distributed.h"
#include "mlx/utils.h"

namespace mlx::core::distributed {

array all_sum(const array& x, std::optional<Group> group = std::nullopt, StreamOrDevice s = {});
array all_max(const array& x, std::optional<Group> group = std::nullopt, StreamOrDevice s = {});
array all_min(const array& x, std::optional<Group> group = std::nullopt, StreamOrDevice s = {});
// The inputs of all processes, one after the other along the first axis.
array all_gather(const array& x, std::optional<Group> group = std::nullopt, StreamOrDevice s = {});
// This process's part, along the first axis, of the sum.
array sum_scatter(const array& x, std::optional<Group> group = std::nullopt, StreamOrDevice s = {});

array send(const array& x, int dst, std::optional<Group> group = std::nullopt, StreamOrDevice s = {});
array recv(Shape shape, Dtype dtype, int src, std::optional<Group> group = std::nullopt, StreamOrDevice s = {});
array recv_like(const array& x, int src, std::optional<Group> group = std::nullopt, StreamOrDevice s = {});

}  // namespace mlx::core::distributed
