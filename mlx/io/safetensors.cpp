// safetensors files: the length of a header in 8 bytes, the header (JSON), the elements of all arrays.

#include <algorithm>
#include <cstring>
#include <map>

#include "mlx/io.h"
#include "mlx/io/format.h"
#include "mlx/io/json.h"
#include "mlx/ops/load_primitive.h"

namespace mlx::core {

namespace {

using io::fail;

constexpr const char* load_op = "load_safetensors";
constexpr const char* save_op = "save_safetensors";
constexpr const char* metadata_key = "__metadata__";
// Reading the header makes objects several times its size; the format's own reader has the same limit.
constexpr uint64_t longest_header = 100'000'000;

struct TypeName {
  std::string_view name;
  Dtype dtype;
};
// The first of several names of a dtype is written. There are no 8-bit floats: their bits are loaded.
constexpr TypeName type_names[] = {
    {"BOOL", bool_},    {"U8", uint8},      {"U16", uint16},        {"U32", uint32},        {"U64", uint64},
    {"I8", int8},       {"I16", int16},     {"I32", int32},         {"I64", int64},         {"F16", float16},
    {"BF16", bfloat16}, {"F32", float32},   {"F64", float64},       {"C64", complex64},     {"F8_E4M3", uint8},
    {"F8_E5M2", uint8}, {"F8_E8M0", uint8}, {"F8_E4M3FNUZ", uint8}, {"F8_E5M2FNUZ", uint8},
};

struct Tensor {
  std::string name, type;
  Shape shape;
  std::vector<uint64_t> offsets;  // begin and end, from the end of the header
};
struct Header {
  std::vector<Tensor> tensors;
  std::unordered_map<std::string, std::string> metadata;
  size_t data_start = 0, data_bytes = 0;
};

void read_metadata(io::JsonReader& json, Header* header) {
  if (json.null()) return;
  json.object([&](const std::string& key) { header->metadata[key] = json.string(); });
}

Tensor read_tensor(io::JsonReader& json, const std::string& name) {
  Tensor t;
  t.name = name;
  int fields = 0;
  json.object([&](const std::string& key) {
    fields++;
    if (key == "dtype") {
      t.type = json.string();
    } else if (key == "shape") {
      json.list([&] {
        uint64_t n = json.whole_number();
        if (n > INT64_MAX) throw io::JsonError(concat("'", name, "' has a dimension that does not fit in 63 bits"));
        t.shape.push_back(static_cast<ShapeElem>(n));
      });
    } else if (key == "data_offsets") {
      json.list([&] { t.offsets.push_back(json.whole_number()); });
    } else {
      throw io::JsonError(concat("'", name, "' has an unknown field '", key, "'"));
    }
  });
  if (fields != 3 || t.offsets.size() != 2) {
    throw io::JsonError(concat("'", name, "' needs dtype, shape and two data_offsets"));
  }
  return t;
}

Header read_header(io::Reader& reader, const std::string& label) {
  size_t left = io::bytes_left(reader);
  uint64_t length;
  if (left < sizeof(length)) fail(load_op, label, "no safetensors file: it is too short");
  reader.read(reinterpret_cast<char*>(&length), sizeof(length));
  left -= sizeof(length);
  if (length > left) fail(load_op, label, "its header of ", length, " bytes is longer than the file");
  if (length > longest_header) fail(load_op, label, "its header of ", length, " bytes is too long");
  std::string text(length, '\0');
  reader.read(text.data(), length);
  Header header;
  header.data_start = reader.tell();
  header.data_bytes = left - length;
  try {
    io::JsonReader json(text);
    json.object([&](const std::string& key) {
      if (key == metadata_key) read_metadata(json, &header);
      else header.tensors.push_back(read_tensor(json, key));
    });
    json.end();
  } catch (const io::JsonError& e) {
    fail(load_op, label, "bad header: ", e.what());
  }
  return header;
}

Dtype dtype_of(const Tensor& t, const std::string& label) {
  for (const TypeName& known : type_names) {
    if (known.name == t.type) return known.dtype;
  }
  fail(load_op, label, "'", t.name, "' has the dtype '", t.type, "', which is not supported");
}

std::string_view name_of(Dtype dtype) {
  return std::find_if(std::begin(type_names), std::end(type_names),
                      [&](const TypeName& t) { return t.dtype == dtype; })->name;
}

// Each array lies inside the file and has the bytes that its shape needs.
void check_range(const Tensor& t, Dtype dtype, const Header& header, const std::string& label) {
  uint64_t begin = t.offsets[0], end = t.offsets[1];
  if (begin > end || end > header.data_bytes) {
    fail(load_op, label, "'", t.name, "' lies at bytes ", begin, " to ", end, ", but the file holds ",
         header.data_bytes, " bytes of data");
  }
  std::optional<size_t> bytes = io::byte_count(t.shape, dtype);
  if (!bytes || *bytes != end - begin) {
    fail(load_op, label, "'", t.name, "' has ", end - begin, " bytes, which does not match its shape ", t.shape,
         " of ", t.type);
  }
}

void check_overlaps(const Header& header, const std::string& label) {
  std::vector<const Tensor*> order;
  for (const Tensor& t : header.tensors) {
    if (t.offsets[0] != t.offsets[1]) order.push_back(&t);
  }
  std::sort(order.begin(), order.end(), [](auto* a, auto* b) { return a->offsets[0] < b->offsets[0]; });
  for (size_t i = 1; i < order.size(); i++) {
    if (order[i]->offsets[0] < order[i - 1]->offsets[1]) {
      fail(load_op, label, "'", order[i - 1]->name, "' and '", order[i]->name, "' share bytes");
    }
  }
}

using Sorted = std::map<std::string, array>;

std::string make_metadata(const std::unordered_map<std::string, std::string>& metadata) {
  if (metadata.empty()) return "null";
  std::string out = "{";
  for (const auto& [key, value] : std::map<std::string, std::string>(metadata.begin(), metadata.end())) {
    out += concat(out.size() > 1 ? "," : "", io::json_string(key), ":", io::json_string(value));
  }
  return out + "}";
}

std::string make_entry(const array& a, size_t offset) {
  std::string shape;
  for (ShapeElem n : a.shape()) shape += concat(shape.empty() ? "" : ",", n);
  return concat("{\"data_offsets\":[", offset, ",", offset + a.nbytes(), "],\"dtype\":\"", name_of(a.dtype()),
                "\",\"shape\":[", shape, "]}");
}

// The header, its length in front.
std::string make_header(const Sorted& arrays, const std::unordered_map<std::string, std::string>& metadata) {
  std::map<std::string, std::string> members{{metadata_key, make_metadata(metadata)}};
  size_t offset = 0;
  for (const auto& [name, a] : arrays) {
    members[name] = make_entry(a, offset);
    offset += a.nbytes();
  }
  std::string out(8, '\0');
  for (const auto& [key, value] : members) {
    out += concat(out.size() == 8 ? "{" : ",", io::json_string(key), ":", value);
  }
  out += "}";
  uint64_t length = out.size() - 8;
  if (length > longest_header) raise("[", save_op, "] The header of ", length, " bytes is too long.");
  std::memcpy(out.data(), &length, sizeof(length));
  return out;
}

// Evaluates, and fails before anything is written.
Sorted sort_arrays(const std::unordered_map<std::string, array>& arrays) {
  if (arrays.contains(metadata_key)) raise("[", save_op, "] An array cannot be named ", metadata_key, ".");
  Sorted sorted(arrays.begin(), arrays.end());
  for (auto& [name, a] : sorted) a.eval();
  return sorted;
}

void write(io::Writer& writer, const Sorted& arrays, const std::string& header) {
  writer.write(header.data(), header.size());
  for (const auto& [name, a] : arrays) {
    array b = io::row_major(a);
    writer.write(b.data<char>(), b.nbytes());
  }
  io::finish(writer, save_op);
}

}  // namespace

SafetensorsLoad load_safetensors(std::shared_ptr<io::Reader> in_stream, StreamOrDevice s) {
  io::require(in_stream, "load_safetensors");
  std::string label = in_stream->label();
  Header header = read_header(*in_stream, label);
  Stream stream = to_stream(s, Device(Device::cpu));
  SafetensorsLoad result;
  for (const Tensor& t : header.tensors) {
    Dtype dtype = dtype_of(t, label);
    check_range(t, dtype, header, label);
    size_t offset = header.data_start + t.offsets[0];
    result.first.insert({t.name, load_array(t.shape, dtype, in_stream, offset, false, stream)});
  }
  check_overlaps(header, label);
  result.second = std::move(header.metadata);
  return result;
}

SafetensorsLoad load_safetensors(const std::string& file, StreamOrDevice s) {
  return load_safetensors(std::make_shared<io::ParallelFileReader>(file), s);
}

void save_safetensors(std::shared_ptr<io::Writer> out_stream, std::unordered_map<std::string, array> arrays,
                      std::unordered_map<std::string, std::string> metadata) {
  io::require(out_stream, "save_safetensors");
  Sorted sorted = sort_arrays(arrays);
  write(*out_stream, sorted, make_header(sorted, metadata));
}

void save_safetensors(std::string file, std::unordered_map<std::string, array> arrays,
                      std::unordered_map<std::string, std::string> metadata) {
  Sorted sorted = sort_arrays(arrays);
  std::string header = make_header(sorted, metadata);
  io::FileWriter writer(io::with_suffix(std::move(file), ".safetensors"));
  write(writer, sorted, header);
}

}  // namespace mlx::core
