// gguf files, versions 2 and 3: a header, metadata, a list of tensors, and their data at aligned offsets.

#include <algorithm>
#include <cstring>
#include <map>

#include "mlx/core/round.h"
#include "mlx/core/utf8.h"
#include "mlx/io.h"
#include "mlx/io/format.h"
#include "mlx/io/gguf_blocks.h"
#include "mlx/ops.h"
#include "mlx/ops/load_primitive.h"

namespace mlx::core {

namespace {

constexpr const char* load_op = "load_gguf";
constexpr const char* save_op = "save_gguf";
constexpr uint32_t magic = 0x46554747;  // "GGUF"
constexpr uint64_t default_alignment = 32;
constexpr const char* alignment_key = "general.alignment";

// The types of metadata values, in the order of their numbers.
enum ValueType : uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, string, list, u64, i64, f64, value_types };
constexpr Dtype value_dtypes[] = {uint8,   int8,  uint16, int16, uint32,  int32, float32,
                                  bool_,   bool_, bool_,  uint64, int64,  float64};

std::optional<uint32_t> value_type_of(Dtype dtype) {
  for (uint32_t type = 0; type < value_types; type++) {
    if (type != string && type != list && value_dtypes[type] == dtype) return type;
  }
  return std::nullopt;
}

// Reads numbers and strings; nothing is believed that the file cannot hold.
class HeaderReader {
 public:
  HeaderReader(io::Reader& reader, std::string label)
      : reader_(reader), label_(std::move(label)), left_(io::bytes_left(reader)) {}

  template <typename T>
  T number() {
    T value;
    read(reinterpret_cast<char*>(&value), sizeof(T));
    return value;
  }
  std::string text() {
    size_t n = count(1);
    std::string s(n, '\0');
    read(s.data(), n);
    if (!is_utf8(s)) fail("a text is not UTF-8");
    return s;
  }
  // A number of items that take so many bytes each, at least.
  size_t count(size_t bytes_each) {
    uint64_t n = number<uint64_t>();
    if (n > left_ / bytes_each) fail("it says that ", n, " items follow, but only ", left_, " bytes do");
    return static_cast<size_t>(n);
  }
  void read(char* data, size_t n) {
    if (n > left_) fail("it ends too early");
    reader_.read(data, n);
    left_ -= n;
  }
  size_t left() const { return left_; }
  template <typename... Parts>
  [[noreturn]] void fail(const Parts&... fault) const {
    io::fail(load_op, label_, fault...);
  }

 private:
  io::Reader& reader_;
  std::string label_;
  size_t left_;
};

array read_numbers(HeaderReader& in, Dtype dtype, Shape shape) {
  size_t n = 1;
  for (ShapeElem size : shape) n *= static_cast<size_t>(size);
  std::vector<char> bytes(n * dtype.size());
  in.read(bytes.data(), bytes.size());
  if (dtype == bool_) {
    for (char& b : bytes) b = b != 0;
  }
  array x(allocator::malloc(bytes.size()), std::move(shape), dtype);
  std::copy(bytes.begin(), bytes.end(), x.data<char>());
  return x;
}

GGUFMetaData read_value(HeaderReader& in, const std::string& key) {
  uint32_t type = in.number<uint32_t>();
  if (type >= value_types) in.fail("the metadata '", key, "' has the unknown type ", type);
  if (type == string) return in.text();
  if (type != list) return read_numbers(in, value_dtypes[type], {});
  uint32_t item = in.number<uint32_t>();
  if (item >= value_types || item == list) in.fail("the metadata '", key, "' is a list of the unknown type ", item);
  if (item == string) {
    size_t n = in.count(sizeof(uint64_t));
    std::vector<std::string> texts;
    for (size_t i = 0; i < n; i++) texts.push_back(in.text());
    return texts;
  }
  Dtype dtype = value_dtypes[item];
  size_t n = in.count(dtype.size());
  return read_numbers(in, dtype, {static_cast<ShapeElem>(n)});
}

struct Tensor {
  std::string name;
  Shape shape;
  const io::GgufType* type;
  uint64_t offset;
  size_t blocks;
};

Tensor read_tensor(HeaderReader& in) {
  Tensor t;
  t.name = in.text();
  uint32_t ndim = in.number<uint32_t>();
  if (ndim > in.left() / sizeof(uint64_t)) in.fail("'", t.name, "' has ", ndim, " dimensions");
  int64_t elements = 1;
  bool fits = true;
  for (uint32_t i = 0; i < ndim; i++) {
    uint64_t n = in.number<uint64_t>();
    fits = fits && n <= INT64_MAX && !__builtin_mul_overflow(elements, static_cast<int64_t>(n), &elements);
    t.shape.push_back(static_cast<ShapeElem>(n));
  }
  if (!fits) in.fail("the size of '", t.name, "' does not fit in 63 bits");
  std::reverse(t.shape.begin(), t.shape.end());  // the file begins with the fastest dimension
  uint32_t type = in.number<uint32_t>();
  t.type = io::gguf_type(type);
  if (!t.type) in.fail("'", t.name, "' has the element type ", type, ", which is not supported");
  ShapeElem row = t.shape.empty() ? 1 : t.shape.back(), block = static_cast<ShapeElem>(t.type->elements);
  if (row % block) {
    in.fail("the rows of '", t.name, "' with ", row, " values are no multiple of the ", block, " of a block");
  }
  t.blocks = static_cast<size_t>(elements / block);
  t.offset = in.number<uint64_t>();
  return t;
}

// "x.weight" -> "x.scales", "x" -> "x.scales".
std::string part_name(const std::string& name, const char* suffix) {
  if (!suffix) return name;
  constexpr std::string_view weight = ".weight";
  std::string stem = name.ends_with(weight) ? name.substr(0, name.size() - weight.size()) : name;
  return stem + "." + suffix;
}

void add_arrays(std::unordered_map<std::string, array>& arrays, const Tensor& t, size_t start,
                const std::shared_ptr<io::Reader>& reader, const Stream& s, const HeaderReader& in) {
  for (const io::GgufPart& part : t.type->parts) {
    Shape shape = t.shape;
    if (!shape.empty()) {
      shape.back() = shape.back() / static_cast<ShapeElem>(t.type->elements) *
                     static_cast<ShapeElem>(part.bytes / part.dtype.size());
    }
    size_t offset = start + t.offset;
    array x = part.decode ? load_array(shape, part.dtype,
                                       io::gguf_part_reader(reader, offset, t.blocks, *t.type, part), 0, false, s)
                          : load_array(shape, part.dtype, reader, offset, false, s);
    std::string name = part_name(t.name, part.suffix);
    if (!arrays.emplace(name, x).second) in.fail("there are two arrays named '", name, "'");
  }
}

uint64_t alignment_of(const std::unordered_map<std::string, GGUFMetaData>& metadata, const HeaderReader& in) {
  auto it = metadata.find(alignment_key);
  if (it == metadata.end()) return default_alignment;
  const array* x = std::get_if<array>(&it->second);
  uint64_t alignment = x && x->ndim() == 0 && x->dtype() == uint32 ? array(*x).item<uint32_t>() : 0;
  if (alignment == 0 || (alignment & (alignment - 1))) in.fail(alignment_key, " is no power of two");
  return alignment;
}

}  // namespace

GGUFLoad load_gguf(const std::string& file, StreamOrDevice s) {
  std::shared_ptr<io::ParallelFileReader> reader;
  try {
    reader = std::make_shared<io::ParallelFileReader>(file);
  } catch (const std::runtime_error& e) {  // callers of this format look for another exception
    throw std::invalid_argument(e.what());
  }
  HeaderReader in(*reader, reader->label());
  if (in.left() < 24 || in.number<uint32_t>() != magic) in.fail("no gguf file");
  uint32_t version = in.number<uint32_t>();
  if (version != 2 && version != 3) in.fail("version ", version, " is not supported");
  size_t tensors = in.count(1), values = in.count(1);
  GGUFLoad result;
  for (size_t i = 0; i < values; i++) {
    std::string key = in.text();
    if (!result.second.emplace(key, read_value(in, key)).second) in.fail("the metadata '", key, "' is given twice");
  }
  std::vector<Tensor> list;
  for (size_t i = 0; i < tensors; i++) list.push_back(read_tensor(in));
  uint64_t alignment = alignment_of(result.second, in);
  size_t start = reader->tell(), padding = (alignment - start % alignment) % alignment;
  size_t available = in.left() > padding ? in.left() - padding : 0;
  Stream stream = to_stream(s, Device(Device::cpu));
  for (const Tensor& t : list) {
    size_t bytes;
    bool fits = !__builtin_mul_overflow(t.blocks, t.type->bytes, &bytes) && bytes <= available &&
                t.offset <= available - bytes;
    if (!fits) {
      in.fail("'", t.name, "' of shape ", t.shape, " at byte ", t.offset, " does not fit into the ", available,
              " bytes of data");
    }
    add_arrays(result.first, t, start + padding, reader, stream, in);
  }
  return result;
}

namespace {

class HeaderWriter {
 public:
  template <typename T>
  void number(T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  void text(const std::string& s) {
    number<uint64_t>(s.size());
    bytes += s;
  }
  void pad() { bytes.resize(round_up(bytes.size(), default_alignment)); }

  std::string bytes;
};

void put_value(HeaderWriter& out, const std::string& key, const GGUFMetaData& value) {
  if (auto* text = std::get_if<std::string>(&value)) {
    out.number<uint32_t>(string);
    out.text(*text);
  } else if (auto* texts = std::get_if<std::vector<std::string>>(&value)) {
    out.number<uint32_t>(list);
    out.number<uint32_t>(string);
    out.number<uint64_t>(texts->size());
    for (const std::string& item : *texts) out.text(item);
  } else if (auto* numbers = std::get_if<array>(&value)) {
    std::optional<uint32_t> type = value_type_of(numbers->dtype());
    if (!type || numbers->ndim() > 1) {
      raise<std::runtime_error>("[", save_op, "] The metadata '", key, "' cannot be an array of ", numbers->dtype(),
                                " with shape ", numbers->shape(), ".");
    }
    if (numbers->ndim() == 1) {
      out.number<uint32_t>(list);
      out.number<uint32_t>(*type);
      out.number<uint64_t>(numbers->size());
    } else {
      out.number<uint32_t>(*type);
    }
    array row_major = io::row_major(*numbers);
    out.bytes.append(row_major.data<char>(), row_major.nbytes());
  } else {
    raise<std::runtime_error>("[", save_op, "] The metadata '", key, "' has no value.");
  }
}

std::string make_header(const std::map<std::string, array>& arrays,
                        const std::unordered_map<std::string, GGUFMetaData>& metadata) {
  if (metadata.contains(alignment_key)) {
    raise<std::runtime_error>("[", save_op, "] The metadata '", alignment_key, "' is set by the writer.");
  }
  HeaderWriter out;
  out.number(magic);
  out.number<uint32_t>(3);
  out.number<uint64_t>(arrays.size());
  out.number<uint64_t>(metadata.size());
  for (const auto& [key, value] : std::map<std::string, GGUFMetaData>(metadata.begin(), metadata.end())) {
    out.text(key);
    put_value(out, key, value);
  }
  uint64_t offset = 0;
  for (const auto& [name, x] : arrays) {
    const io::GgufType* type = io::gguf_type(x.dtype());
    if (!type) raise<std::runtime_error>("[", save_op, "] '", name, "' is of ", x.dtype(), ", which the format lacks.");
    out.text(name);
    out.number(static_cast<uint32_t>(x.ndim()));
    for (size_t i = x.ndim(); i > 0; i--) out.number<uint64_t>(static_cast<uint64_t>(x.shape(static_cast<int>(i) - 1)));
    out.number(type->id);
    out.number(offset);
    offset += round_up(x.nbytes(), default_alignment);
  }
  out.pad();
  return out.bytes;
}

}  // namespace

void save_gguf(std::string file, std::unordered_map<std::string, array> array_map,
               std::unordered_map<std::string, GGUFMetaData> meta_data) {
  std::map<std::string, array> arrays(array_map.begin(), array_map.end());
  for (auto& [name, x] : arrays) x.eval();
  std::string header = make_header(arrays, meta_data);
  io::FileWriter writer(io::with_suffix(std::move(file), ".gguf"));
  writer.write(header.data(), header.size());
  for (const auto& [name, x] : arrays) {
    array row_major = io::row_major(x);
    writer.write(row_major.data<char>(), row_major.nbytes());
    std::string padding((default_alignment - x.nbytes() % default_alignment) % default_alignment, '\0');
    writer.write(padding.data(), padding.size());
  }
  io::finish(writer, "save_gguf");
}

}  // namespace mlx::core
