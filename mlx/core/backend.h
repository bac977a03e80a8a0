// What a device must offer. The rest of the library reaches a device through this interface only; a new device is a
// class in a folder of its own. It may change until the CUDA backend stands on it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "mlx/device.h"
#include "mlx/event.h"
#include "mlx/stream.h"

namespace mlx::core {

class array;
class Primitive;

// The work of one region is known as a whole before it runs and may be run as one unit (a captured graph). Two
// regions with the same key do the same work on buffers that may differ.
struct Region {
  uint64_t key;
};

class Backend {
 public:
  virtual ~Backend() = default;

  virtual int device_count() const = 0;
  virtual const DeviceInfo& device_info(int index) const = 0;

  // Called once for every new stream of the device.
  virtual void open(const Stream&) {}
  // Fires the event once the work given to the stream so far is done, with the error of the work given since the last
  // signal if it had one. The events of a stream fire in order. A backend may wait for memory or other work while an
  // operation is given to it, but never here.
  virtual void signal(const Stream& stream, const Event& event) = 0;
  // Work given to the stream from now on starts after the event. False: the caller has to wait before it gives work
  // (for instance because the event belongs to another device, or to work that has not been given yet).
  virtual bool wait(const Stream&, const Event&) { return false; }
  // Work given to `later` from now on starts after the work given to `earlier` so far.
  virtual void order(const Stream& later, const Stream& earlier) { (void)later, (void)earlier; }

  // Device memory, in the order of the stream. A freed block may still be in use by work given earlier to any of
  // the streams named. Devices that compute in host memory leave these alone.
  virtual void* allocate(const Stream&, size_t) { return nullptr; }
  virtual void free(std::span<const Stream>, void*) {}
  // The host bytes have been read when it returns.
  virtual void upload(const Stream&, void*, const void*, size_t) {}
  // Returns when the bytes are on the host; throws the error of the work that should have made them.
  virtual void download(const Stream&, void*, const void*, size_t) {}
  virtual bool uses_host_memory() const = 0;

  // Does the device implement the primitive? What it lacks runs on the CPU, with one warning.
  virtual bool supports(const Primitive& primitive) const = 0;
  // Evaluates now or queues the evaluation; inputs have data, and outputs must have data set on return. Inputs may
  // be donated to outputs (array::is_donatable).
  virtual void evaluate(const Stream& stream, Primitive& primitive, std::span<array> inputs,
                        std::span<array> outputs) = 0;
  // Around the evaluation of a compiled program; end_region comes also after an exception.
  virtual void begin_region(const Stream&, const Region&) {}
  virtual void end_region(const Stream&) {}
};

// Throws std::invalid_argument where there is no such device.
Backend& backend(Device::DeviceType type);
Backend* find_backend(Device::DeviceType type);
// Throws where the device is not there.
void check_device(const Device& d, const char* name);
// Replaces the backend of a device type; the caller must have ended all work on it. Null removes it.
void set_backend(Device::DeviceType type, std::shared_ptr<Backend> backend);

// Defined by backend/cpu.
std::shared_ptr<Backend> make_cpu_backend();

}  // namespace mlx::core
