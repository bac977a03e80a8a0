// See export_primitive.h. A class is written and read through its state(), which is in the order of its constructor.

#include "mlx/graph/export_primitive.h"

#include <cstring>

#include "mlx/ops/elementwise.h"
#include "mlx/primitives.h"
#include "mlx/utils.h"

namespace mlx::core::export_detail {

namespace {

template <typename Class>
concept HasState = requires(const Class& primitive) { primitive.state(); };

template <typename Class>
void put_state(Output& out, const Primitive& primitive) {
  if constexpr (HasState<Class>) {
    std::apply([&](const auto&... field) { (out.put(field), ...); }, static_cast<const Class&>(primitive).state());
  } else {
    raise("[export_function] ", primitive.name(), " cannot be written to a file.");
  }
}

template <typename... Fields>
std::tuple<std::remove_cvref_t<Fields>...> initial_state(std::tuple<Fields...>*) {
  return {Input::initial<std::remove_cvref_t<Fields>>()...};
}

template <typename Class>
std::shared_ptr<Primitive> get_with_state(Input& in, Stream stream) {
  if constexpr (HasState<Class>) {
    using State = decltype(std::declval<const Class&>().state());
    auto state = initial_state(static_cast<State*>(nullptr));
    return std::apply(
        [&](auto&... field) -> std::shared_ptr<Primitive> {
          (in.get(field), ...);
          return std::make_shared<Class>(stream, std::move(field)...);
        },
        state);
  } else {
    in.fail("it holds an operation that no file can hold");
  }
}

struct Row {
  const char* name;
  void (*put)(Output&, const Primitive&);
  std::shared_ptr<Primitive> (*get)(Input&, Stream);
};

constexpr Row rows[] = {
#define PRIMITIVE(Class) {#Class, put_state<Class>, get_with_state<Class>},
#include "mlx/ops/primitives.def"
};

// The name of a row of elementwise.def says all.
std::shared_ptr<Primitive> elementwise_named(const std::string& name, Stream stream) {
  for (size_t i = 0; i < kElementwiseRows.size(); i++) {
    if (kElementwiseRows[i].class_name == name) return elementwise_primitive(static_cast<Op>(i), stream);
  }
  return nullptr;
}

Stream stream_of(Input& in) {
  in.get<int32_t>();  // of the process that wrote the file
  int32_t type = in.get<int32_t>();
  int32_t index = in.get<int32_t>();
  if (type != static_cast<int32_t>(Device::cpu) && type != static_cast<int32_t>(Device::gpu)) {
    in.fail(concat("there is no device type ", type));
  }
  Device device(static_cast<Device::DeviceType>(type), index);
  return default_stream(is_available(device) ? device : default_device());
}

}  // namespace

void put_primitive(Output& out, const Primitive& primitive) {
  const Stream& s = primitive.stream();
  if (primitive.kind() < 0) {
    raise("[export_function] ", primitive.name(), " is an operation of its own: only those of the library can be "
          "written to a file.");
  }
  out.put(static_cast<int32_t>(s.index));
  out.put(s.device.type);
  out.put(static_cast<int32_t>(s.device.index));
  out.put(std::string(primitive.name()));
  if (primitive.kind() != static_cast<int>(Kind::Elementwise)) rows[primitive.kind()].put(out, primitive);
}

std::shared_ptr<Primitive> get_primitive(Input& in) {
  Stream stream = stream_of(in);
  std::string name = in.get<std::string>();
  if (auto primitive = elementwise_named(name, stream)) return primitive;
  for (const Row& row : rows) {
    if (name == row.name && name != "Elementwise") return row.get(in, stream);
  }
  in.fail(concat("this version does not know the operation '", name, "'"));
}

}  // namespace mlx::core::export_detail
