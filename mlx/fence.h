// A fence orders streams: what update() saw on one stream is done before what follows wait() on another.
#pragma once

#include "mlx/array.h"
#include "mlx/event.h"

namespace mlx::core {

class Fence {
 public:
  Fence() = default;
  explicit Fence(Stream) {}

  // The work that `stream` has so far, which makes `x`. Memory is moved where it is needed, so a crossing from one
  // device to another needs no more.
  void update(Stream stream, const array&, bool /*cross_device*/ = false) {
    event_ = Event(stream);
    event_.signal(stream);
  }
  // Later work of `stream` starts once the last update is reached.
  void wait(Stream stream, const array&) const {
    if (event_.valid()) event_.wait(stream);
  }

 private:
  Event event_;
};

}  // namespace mlx::core
