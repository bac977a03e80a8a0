// What the array API standard (2023.12) asks for beyond functions: namespace, device, and what is supported. Also
// other protocols of numbers.

#include <algorithm>
#include <array>

#include "define.h"

namespace mlx::python {

namespace {

constexpr std::array versions = {"2021.12", "2022.12", "2023.12", "2024.12"};

nb::object namespace_of(Args& x) {
  if (x.has(1)) {
    std::string version = x.text(1, "");
    if (std::find(versions.begin(), versions.end(), version) == versions.end()) {
      raise("[__array_namespace__] There is no version '", version, "' of the array API here; the latest is ",
            versions.back(), ".");
    }
  }
  return nb::module_::import_("mlx.core");
}

// A Device or DeviceType that exists; by default the one where operations run.
mx::Device device_argument(Args& x, int i) {
  if (!x.has(i)) return mx::default_device();
  std::optional<mx::Device> device = to_device(x[i]);
  if (!device) x.raise_wrong(i, "a Device or DeviceType");
  if (!mx::is_available(*device)) raise<mx::AxisError>("[", x.op(), "] There is no ", *device, ".");
  return *device;
}

void bind_devices() {
  Methods()
      .property("device", "Device",
                "The device where operations run by default: all devices share the memory of arrays.",
                [](const mx::array&) { return nb::cast(mx::default_device()); })
      .def("to_device(self, device: Device | DeviceType, /, *, stream: StreamOrDevice = None) -> array",
           "The array itself: all devices share the memory of arrays.\n\nRaises ValueError where there is no such "
           "device.",
           [](Args& x) {
             if (!x.has(1)) x.raise_wrong(1, "a Device or DeviceType");
             device_argument(x, 1);
             return mx::array(as_array(x[0]));
           })
      .def("__array_namespace__(self, api_version: str | None = None) -> types.ModuleType",
           "The module with the functions of the array API.", [](Args& x) { return namespace_of(x); });
}

void bind_numbers() {
  Methods()
      .def("__round__(self, ndigits: int | None = None) -> array", "",
           [](Args& x) { return mx::round(as_array(x[0]), x.optional_int(1).value_or(0)); })
      .def("__div__(self, other: scalar | array) -> array", "",
           [](Args& x) {
             auto [a, b] = x.operands(0, 1);
             return mx::divide(a, b);
           })
      .def("__rdiv__(self, other: scalar | array) -> array", "", [](Args& x) {
        auto [b, a] = x.operands(0, 1);
        return mx::divide(a, b);
      });
}

// What can be used as an array, as an array.
struct ArrayLike {
  mx::array value;
};

void bind_array_like(nb::module_& m) {
  nb::class_<ArrayLike> type(m, "ArrayLike",
                             "Holds the array of an array, a scalar, a NumPy value or an object with __mlx_array__.",
                             initializer("ArrayLike(self, arg: object, /)",
                                         [](Args& x) { construct<ArrayLike>(x, x.operand(1)); }));
  Methods(type).def("__mlx_array__(self) -> array", "",
                    [](Args& x) { return nb::inst_ptr<ArrayLike>(x[0])->value; });
}

struct NamespaceInfo {};

using NamedDtypes = std::vector<std::pair<const char*, mx::Dtype>>;

nb::dict dict_of(const NamedDtypes& dtypes) {
  nb::dict dict;
  for (const auto& [name, dtype] : dtypes) dict[name] = nb::steal(to_python(dtype));
  return dict;
}

// Those of the standard: it has no half types.
nb::dict dtypes_of_kind(Args& x) {
  device_argument(x, 1);
  const NamedDtypes all = {{"bool", mx::bool_},     {"int8", mx::int8},       {"int16", mx::int16},
                           {"int32", mx::int32},    {"int64", mx::int64},     {"uint8", mx::uint8},
                           {"uint16", mx::uint16},  {"uint32", mx::uint32},   {"uint64", mx::uint64},
                           {"float32", mx::float32}, {"float64", mx::float64}, {"complex64", mx::complex64}};
  if (!x.has(2)) return dict_of(all);
  nb::object is_dtype = nb::module_::import_("mlx.core").attr("isdtype");
  NamedDtypes wanted;
  for (const auto& row : all) {
    if (nb::cast<bool>(is_dtype(nb::steal(to_python(row.second)), nb::handle(x[2])))) wanted.push_back(row);
  }
  return dict_of(wanted);
}

nb::list all_devices() {
  nb::list devices;
  for (mx::Device::DeviceType type : {mx::Device::cpu, mx::Device::gpu}) {
    for (int i = 0; i < mx::device_count(type); i++) devices.append(mx::Device(type, i));
  }
  return devices;
}

void bind_namespace_info(nb::module_& m) {
  nb::class_<NamespaceInfo> type(m, "_ArrayNamespaceInfo", "What the array API standard asks about a namespace.");
  Methods(type)
      .def("capabilities(self) -> dict[str, bool | None]",
           "Which optional parts of the standard are there: both are, outside of vmap and compile.",
           [](Args&) {
             nb::dict dict;
             dict["boolean indexing"] = true;
             dict["data-dependent shapes"] = true;
             dict["max dimensions"] = nb::none();
             return dict;
           })
      .def("default_device(self) -> Device", "The device where operations run by default.",
           [](Args&) { return nb::cast(mx::default_device()); })
      .def("default_dtypes(self, *, device: Device | DeviceType | None = None) -> dict[str, Dtype]",
           "The dtypes of new arrays by kind, and of indices that functions return.",
           [](Args& x) {
             device_argument(x, 1);
             return dict_of({{"real floating", mx::float32},
                             {"complex floating", mx::complex64},
                             {"integral", mx::int32},
                             {"indexing", mx::uint32}});
           })
      .def("dtypes(self, *, device: Device | DeviceType | None = None, kind: str | tuple[str, ...] | None = None) "
           "-> dict[str, Dtype]",
           "The dtypes of the standard that are there, all or those of a kind as isdtype names it.",
           [](Args& x) { return dtypes_of_kind(x); })
      .def("devices(self) -> list[Device]", "All devices that are there.", [](Args&) { return all_devices(); });
  Functions(m).def("__array_namespace_info__() -> _ArrayNamespaceInfo",
                   "What is supported of the array API standard: capabilities, dtypes, devices.",
                   [](Args&) { return nb::cast(NamespaceInfo{}); });
}

}  // namespace

void bind_array_api(nb::module_& m) {
  bind_devices();
  bind_numbers();
  bind_array_like(m);
  bind_namespace_info(m);
}

}  // namespace mlx::python
