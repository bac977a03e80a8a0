// An event fires once, with or without an error. Threads wait for it, streams order their work by it.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "mlx/stream.h"

namespace mlx::core {

class Event {
 public:
  // Stands for no event: everything but valid(), id() and the value throws std::invalid_argument.
  Event() = default;
  explicit Event(Stream stream);

  bool operator==(const Event& other) const { return impl_ == other.impl_; }
  bool valid() const { return impl_ != nullptr; }
  const Stream& stream() const;
  // The same for all copies, while one lives: backends find their own events by it.
  const void* id() const { return impl_.get(); }
  uint64_t value() const { return value_; }
  void set_value(uint64_t v) { value_ = v; }

  bool is_signaled() const;
  // Blocks until the event fires and rethrows its error. Polls the interrupt hook; see core/interrupt.h.
  void wait() const;
  // Later work of the stream starts after the event.
  void wait(Stream stream) const;
  // Fires once the work given to the stream so far is done.
  void signal(Stream stream) const;

  // Fires now. Only the first call counts.
  void set(std::exception_ptr error = nullptr) const;
  // When the event fires without an error it takes the first one of these, which fire no later. Before any set().
  void inherit_errors(std::vector<Event> others) const;
  // The error the event fired with, null when there is none or it has not fired.
  std::exception_ptr error() const;
  void check_error() const;
  // Runs f on the thread that fires the event, or at once if it has fired. f must be short and must not throw.
  void then(std::function<void()> f) const;
  // Like wait() without the error: true when fired, false after the given milliseconds.
  bool wait_for(int milliseconds) const;

 private:
  struct Impl;
  Impl& impl() const;
  std::shared_ptr<Impl> impl_;
  std::optional<Stream> stream_;
  uint64_t value_ = 0;
};

}  // namespace mlx::core
