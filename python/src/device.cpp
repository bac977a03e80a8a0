// Devices and streams: classes, defaults, contexts, and as arguments of functions.

#include "define.h"
#include "evaluate.h"
#include "mlx/core/system.h"
#include "mlx/core/thread_pool.h"

namespace mlx::python {

namespace {

PyTypeObject* device_type = nullptr;
PyTypeObject* stream_type = nullptr;
PyTypeObject* thread_stream_type = nullptr;
PyObject* device_kind_type = nullptr;

template <typename T>
nb::str shown(const T& value) {
  return nb::str(concat(value).c_str());
}

std::optional<mx::Device::DeviceType> to_device_kind(PyObject* o) {
  if (reinterpret_cast<PyObject*>(Py_TYPE(o)) == device_kind_type)
    return nb::cast<mx::Device::DeviceType>(nb::handle(o));
  if (PyLong_CheckExact(o)) {
    long value = PyLong_AsLong(o);
    if (value == 0) return mx::Device::cpu;
    if (value == 1) return mx::Device::gpu;
    PyErr_Clear();
  }
  return std::nullopt;
}

mx::Device device_argument(Args& x, int i) {
  auto d = to_device(x[i]);
  if (!d) x.raise_wrong(i, "a Device or DeviceType");
  return *d;
}

mx::StreamOrDevice any_stream_argument(Args& x, int i) {
  auto s = x[i] == Py_None ? std::nullopt : to_stream_or_device(x[i]);
  if (!s) x.raise_wrong(i, "a Stream or a Device");
  return *s;
}

bool equal_devices(PyObject* a, PyObject* b) {
  auto x = to_device(a), y = to_device(b);
  if (!x || !y || PyLong_CheckExact(b)) return false;
  bool kinds_only = Py_TYPE(b) != device_type;
  return x->type == y->type && (kinds_only || x->index == y->index);
}

bool equal_streams(PyObject* a, PyObject* b) {
  if (Py_TYPE(a) != Py_TYPE(b)) return false;
  return *nb::inst_ptr<mx::Stream>(a) == *nb::inst_ptr<mx::Stream>(b);
}

// "with mx.stream(s):" sets the default stream or device and restores both.
class Context {
 public:
  explicit Context(mx::StreamOrDevice s) : wanted_(s) {}
  void enter() { active_.push_back(std::make_shared<mx::StreamContext>(wanted_)); }
  void exit() {
    if (!active_.empty()) active_.pop_back();
  }

 private:
  mx::StreamOrDevice wanted_;
  std::vector<std::shared_ptr<mx::StreamContext>> active_;
};

nb::dict info_of(Args& x) {
  nb::dict info;
  mx::Device d = x.has(0) ? device_argument(x, 0) : mx::default_device();
  if (!mx::is_available(d)) return info;
  for (const auto& [key, value] : mx::device_info(d)) {
    nb::str name(key.c_str());
    if (auto* text = std::get_if<std::string>(&value))
      info[name] = nb::str(text->c_str());
    else
      info[name] = nb::int_(std::get<size_t>(value));
  }
  return info;
}

void bind_device_classes(nb::module_& m) {
  nb::enum_<mx::Device::DeviceType> kind(m, "DeviceType", "The kinds of devices.");
  kind.value("cpu", mx::Device::cpu).value("gpu", mx::Device::gpu).export_values();
  device_kind_type = kind.ptr();
  nb::class_<mx::Device> device(
      m, "Device", "A device: its type and its index.",
      initializer("Device(self, type: DeviceType, index: int = 0)", [](Args& x) {
        auto kind = to_device_kind(x[1]);
        if (!kind) x.raise_wrong(1, "mx.cpu or mx.gpu");
        construct<mx::Device>(x, *kind, x.small_int(2, 0));
      }));
  device_type = reinterpret_cast<PyTypeObject*>(device.ptr());
  device
      .def_prop_ro(
          "type", [](const mx::Device& d) { return d.type; }, "mx.cpu or mx.gpu.")
      .def_prop_ro(
          "index", [](const mx::Device& d) { return d.index; },
          "Its number among the devices of its type.")
      .def("__repr__", [](const mx::Device& d) { return shown(d); })
      .def("__hash__", [](const mx::Device& d) { return 2 * d.index + static_cast<int>(d.type); });
  Methods(device).def("__eq__(self, other: object, /) -> bool", "",
                      [](Args& x) { return equal_devices(x[0], x[1]); });
}

template <typename T>
nb::class_<T> bind_stream_class(nb::module_& m, const char* name, const char* doc) {
  nb::class_<T> type(m, name, doc);
  type.def_prop_ro(
          "device", [](const T& s) { return s.device; }, "The device whose work it orders.")
      .def_prop_ro(
          "index", [](const T& s) { return s.index; }, "Its number.")
      .def("__hash__", [](const T& s) { return 2 * s.index + static_cast<int>(s.device.type); });
  Methods(type).def("__eq__(self, other: object, /) -> bool", "",
                    [](Args& x) { return equal_streams(x[0], x[1]); });
  return type;
}

void bind_stream_classes(nb::module_& m) {
  auto stream = bind_stream_class<mx::Stream>(m, "Stream", "An ordered queue of work on a device.");
  stream.def("__repr__", [](const mx::Stream& s) { return shown(s); });
  stream_type = reinterpret_cast<PyTypeObject*>(stream.ptr());
  auto local = bind_stream_class<mx::ThreadLocalStream>(
      m, "ThreadLocalStream", "Stands for one stream per thread that uses it.");
  local.def("__repr__", [](const mx::ThreadLocalStream& s) {
    return nb::str(concat("ThreadLocalStream(", s.device, ", ", s.index, ")").c_str());
  });
  thread_stream_type = reinterpret_cast<PyTypeObject*>(local.ptr());
  nb::class_<Context> context(
      m, "StreamContext", "Sets the default stream or device inside a with block.",
      initializer("StreamContext(self, s: Stream | ThreadLocalStream | Device | DeviceType)",
                  [](Args& x) { construct<Context>(x, any_stream_argument(x, 1)); }));
  Methods(context)
      .def("__enter__(self) -> None", "", [](Args& x) { nb::inst_ptr<Context>(x[0])->enter(); })
      .def(
          "__exit__(self, exc_type: type | None = None, exc_value: object | None = None, "
          "traceback: object | "
          "None = None) -> None",
          "", [](Args& x) { nb::inst_ptr<Context>(x[0])->exit(); });
}

void bind_device_functions(nb::module_& m) {
  Functions(m)
      .def("default_device() -> Device", "The device of operations that name none.",
           [](Args&) { return nb::cast(mx::default_device()); })
      .def("set_default_device(device: Device | DeviceType) -> None",
           "Choose the device of operations that name none.",
           [](Args& x) { mx::set_default_device(device_argument(x, 0)); })
      .def("is_available(device: Device | DeviceType) -> bool", "Whether a device exists.",
           [](Args& x) { return mx::is_available(device_argument(x, 0)); })
      .def("device_count(device_type: DeviceType) -> int", "How many devices of a type there are.",
           [](Args& x) { return mx::device_count(device_argument(x, 0).type); })
      .def("device_info(d: None | Device | DeviceType = None) -> dict[str, str | int]",
           "What is known about a device; empty where it does not exist.",
           [](Args& x) { return info_of(x); });
}

void bind_threads(nb::module_& m) {
  Functions(m)
      .def("set_num_threads(n: int) -> None",
           "Set how many threads an operation may use, the calling one included.",
           [](Args& x) {
             int n = x.small_int(0);
             without_gil([&] { mx::set_num_threads(n); });
           })
      .def("get_num_threads() -> int", "How many threads an operation may use, the calling one included.",
           [](Args&) { return mx::num_threads(); })
      .def("_cgroup_limits() -> tuple[float, float]",
           "The processors and the bytes that the process's control groups allow; infinity for no limit.",
           [](Args&) { return nb::make_tuple(mx::cgroup_cpus(), mx::cgroup_memory()); });
}

void bind_stream_functions(nb::module_& m) {
  Functions(m)
      .def("default_stream(device: Device | DeviceType) -> Stream",
           "The calling thread's default stream on a device.",
           [](Args& x) { return nb::cast(mx::default_stream(device_argument(x, 0))); })
      .def("set_default_stream(stream: Stream) -> None",
           "Set the calling thread's default stream on its device.",
           [](Args& x) { mx::set_default_stream(mx::to_stream(any_stream_argument(x, 0))); })
      .def("new_stream(device: Device | DeviceType) -> Stream", "Make a stream on a device.",
           [](Args& x) { return nb::cast(mx::new_stream(device_argument(x, 0))); })
      .def("new_thread_unsafe_stream(device: Device | DeviceType) -> Stream",
           "Make a stream on a device that any thread may use.",
           [](Args& x) { return nb::cast(mx::new_thread_unsafe_stream(device_argument(x, 0))); })
      .def("new_thread_local_stream(device: Device | DeviceType) -> ThreadLocalStream",
           "Make an object that stands for one stream per thread.",
           [](Args& x) { return nb::cast(mx::new_thread_local_stream(device_argument(x, 0))); })
      .def("clear_streams() -> None",
           "Forget the calling thread's default streams; the next use makes new ones.",
           [](Args&) { mx::clear_streams(); })
      .def("stream(s: Stream | ThreadLocalStream | Device | DeviceType) -> StreamContext",
           "A context for `with` that sets the default stream or device and restores both.",
           [](Args& x) { return nb::cast(Context(any_stream_argument(x, 0))); });
}

}  // namespace

std::optional<mx::Device> to_device(PyObject* o) {
  if (Py_TYPE(o) == device_type) return *nb::inst_ptr<mx::Device>(o);
  if (auto kind = to_device_kind(o)) return mx::Device(*kind);
  return std::nullopt;
}

std::optional<mx::StreamOrDevice> to_stream_or_device(PyObject* o) {
  if (o == Py_None) return mx::StreamOrDevice{};
  if (Py_TYPE(o) == stream_type) return *nb::inst_ptr<mx::Stream>(o);
  if (Py_TYPE(o) == thread_stream_type) return *nb::inst_ptr<mx::ThreadLocalStream>(o);
  if (Py_TYPE(o) == device_type) return *nb::inst_ptr<mx::Device>(o);
  if (auto kind = to_device_kind(o)) return *kind;
  return std::nullopt;
}

void bind_device(nb::module_& m) {
  bind_device_classes(m);
  bind_stream_classes(m);
  bind_device_functions(m);
  bind_stream_functions(m);
  bind_threads(m);
}

}  // namespace mlx::python
