// The registry of streams and the defaults of each thread.

#include "mlx/stream.h"

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "mlx/core/backend.h"
#include "mlx/core/error.h"
#include "mlx/core/per_thread.h"
#include "mlx/core/stream_queue.h"
#include "mlx/event.h"

namespace mlx::core {

namespace {

struct StreamState {
  Stream stream;
  StreamQueue queue;
  explicit StreamState(Stream s) : stream(s) {}
};

// Never destroyed: a stream may be used while the process ends.
struct Registry {
  ForkMutex mutex{ForkMutex::registry};
  std::vector<std::unique_ptr<StreamState>> streams;
  int thread_local_streams = 0;
};

Registry& registry() {
  static Registry* r = new Registry;
  return *r;
}

struct ThreadDefaults {
  std::map<Device, Stream> streams;
  std::map<int, Stream> thread_local_streams;
};
ThreadDefaults& defaults() { return PerThread<ThreadDefaults>::get(); }

Stream make_stream(Device d, const char* name) {
  check_device(d, name);
  // Made before the lock: the first queue brings locks of its own, and a fork that is being prepared holds them back.
  auto state = std::make_unique<StreamState>(Stream(0, d));
  Registry& r = registry();
  std::unique_lock lock(r.mutex);
  Stream& s = state->stream;
  s.index = static_cast<int>(r.streams.size());
  r.streams.push_back(std::move(state));
  lock.unlock();
  backend(d.type).open(s);
  return s;
}

}  // namespace

StreamQueue& stream_queue(const Stream& s) {
  Registry& r = registry();
  std::lock_guard guard(r.mutex);
  if (s.index < 0 || s.index >= static_cast<int>(r.streams.size()) || r.streams[s.index]->stream != s) {
    raise<std::out_of_range>("[stream] There is no stream with index ", s.index, " on this device.");
  }
  return r.streams[s.index]->queue;
}

int queued_items() {
  Registry& r = registry();
  std::lock_guard guard(r.mutex);
  int count = 0;
  for (auto& s : r.streams) count += s->queue.size();
  return count;
}

void restart_streams_in_child() {
  for (auto& s : registry().streams) s->queue.restart_in_child();
}

bool drain_streams(int milliseconds) {
  auto limit = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  while (queued_items() > 0) {
    if (std::chrono::steady_clock::now() > limit) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

Stream new_stream(Device d) { return make_stream(d, "new_stream"); }
Stream new_thread_unsafe_stream(Device d) { return make_stream(d, "new_thread_unsafe_stream"); }

Stream default_stream(Device d) {
  auto it = defaults().streams.find(d);
  if (it == defaults().streams.end()) it = defaults().streams.emplace(d, make_stream(d, "default_stream")).first;
  return it->second;
}

void set_default_stream(Stream s) {
  check_device(s.device, "set_default_stream");
  stream_queue(s);
  defaults().streams.insert_or_assign(s.device, s);
}

ThreadLocalStream new_thread_local_stream(Device d) {
  check_device(d, "new_thread_local_stream");
  Registry& r = registry();
  std::lock_guard guard(r.mutex);
  return ThreadLocalStream(r.thread_local_streams++, d);
}

Stream stream_from_thread_local_stream(ThreadLocalStream tls) {
  auto it = defaults().thread_local_streams.find(tls.index);
  if (it == defaults().thread_local_streams.end()) {
    it = defaults().thread_local_streams.emplace(tls.index, new_stream(tls.device)).first;
  }
  return it->second;
}

std::vector<Stream> get_streams() {
  Registry& r = registry();
  std::lock_guard guard(r.mutex);
  std::vector<Stream> streams;
  for (auto& s : r.streams) streams.push_back(s->stream);
  return streams;
}

void synchronize(Stream s) {
  StreamQueue& queue = stream_queue(s);
  Event done(s);
  queue.push({.waits = {}, .run = [s, done] { backend(s.device.type).signal(s, done); }});
  done.wait();
  if (std::exception_ptr error = queue.take_error()) std::rethrow_exception(error);
}
void synchronize() { synchronize(default_stream(default_device())); }
void synchronize(ThreadLocalStream s) { synchronize(stream_from_thread_local_stream(s)); }

void clear_streams() { defaults() = {}; }

}  // namespace mlx::core
