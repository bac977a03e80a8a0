// NumPy's npy files: a magic string, a version, the length of a header, the header (a Python dict), the elements.

#include <cstring>

#include "mlx/io.h"
#include "mlx/io/format.h"
#include "mlx/ops.h"
#include "mlx/ops/load_primitive.h"

namespace mlx::core {

namespace {

using io::fail;

constexpr std::string_view magic = "\x93NUMPY";
constexpr size_t alignment = 64;  // of the elements

struct TypeCode {
  std::string_view code;
  Dtype dtype;
};
constexpr TypeCode type_codes[] = {
    {"b1", bool_},   {"u1", uint8},   {"u2", uint16},   {"u4", uint32},    {"u8", uint64},
    {"i1", int8},    {"i2", int16},   {"i4", int32},    {"i8", int64},     {"f2", float16},
    {"f4", float32}, {"f8", float64}, {"V2", bfloat16}, {"c8", complex64},
};

std::string descr_of(Dtype dtype) {
  for (const TypeCode& t : type_codes) {
    if (t.dtype == dtype) return concat(dtype.size() == 1 ? '|' : '<', t.code);
  }
  raise("[save] There is no npy type for ", dtype_name(dtype), ".");
}

// Everything before the elements.
std::string make_preamble(const array& a, bool column_major) {
  std::string dict = concat("{'descr': '", descr_of(a.dtype()), "', 'fortran_order': ", column_major ? "True" : "False",
                            ", 'shape': (");
  for (ShapeElem n : a.shape()) dict += concat(n, a.ndim() == 1 ? "," : ", ");
  if (a.ndim() > 1) dict.resize(dict.size() - 2);
  dict += "), }";
  int version = dict.size() + alignment > 0xFFFF ? 2 : 1;
  int length_bytes = version == 1 ? 2 : 4;
  size_t fixed = magic.size() + 2 + static_cast<size_t>(length_bytes) + 1;
  size_t used = fixed + dict.size();
  dict.append((alignment - used % alignment) % alignment, ' ');
  dict += '\n';
  size_t length = dict.size();
  std::string length_field(reinterpret_cast<const char*>(&length), static_cast<size_t>(length_bytes));
  return std::string(magic) + static_cast<char>(version) + '\0' + length_field + dict;
}

struct Header {
  std::string descr;
  bool fortran_order = false;
  Shape shape;
};

// Reads the dict. NumPy's own reader evaluates it as Python; here it must have the form in which all writers write.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& label) : text_(text), label_(label) {}

  Header parse() {
    expect('{');
    while (!take('}')) {
      std::string key = quoted();
      expect(':');
      if (key == "descr" && !has_descr_) has_descr_ = read_descr();
      else if (key == "fortran_order" && !has_order_) has_order_ = read_order();
      else if (key == "shape" && !has_shape_) has_shape_ = read_shape();
      else bad(concat("an unknown or repeated key '", key, "'"));
      if (take(',')) continue;
      expect('}');
      break;
    }
    skip_space();
    if (at_ != text_.size()) bad("something after the dict");
    if (!has_descr_ || !has_order_ || !has_shape_) bad("descr, fortran_order or shape is missing");
    return std::move(header_);
  }

 private:
  [[noreturn]] void bad(const std::string& what) const { fail("load", label_, "bad npy header: ", what); }
  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) at_++;
  }
  bool take(std::string_view word) {
    skip_space();
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  bool take(char c) { return take(std::string_view(&c, 1)); }
  void expect(char c) {
    if (!take(c)) bad(concat("expected ", c, " at byte ", at_));
  }
  std::string quoted() {
    skip_space();
    char quote = at_ < text_.size() ? text_[at_] : '\0';
    size_t end = quote == '\'' || quote == '"' ? text_.find(quote, at_ + 1) : std::string_view::npos;
    if (end == std::string_view::npos) bad(concat("expected a string at byte ", at_));
    std::string s(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return s;
  }
  bool read_descr() {
    skip_space();
    if (at_ < text_.size() && text_[at_] == '[') {
      raise("[load] '", label_, "': structured dtypes are not supported.");
    }
    header_.descr = quoted();
    return true;
  }
  bool read_order() {
    header_.fortran_order = take("True");
    if (!header_.fortran_order && !take("False")) bad("fortran_order is neither True nor False");
    return true;
  }
  bool read_shape() {
    expect('(');
    while (!take(')')) {
      header_.shape.push_back(number());
      take('L');  // Python 2 wrote it
      if (take(',')) continue;
      expect(')');
      break;
    }
    return true;
  }
  ShapeElem number() {
    skip_space();
    size_t start = at_;
    ShapeElem value = 0;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
      ShapeElem digit = text_[at_++] - '0';
      if (__builtin_mul_overflow(value, ShapeElem{10}, &value) || __builtin_add_overflow(value, digit, &value)) {
        bad("a dimension that does not fit in 63 bits");
      }
    }
    if (at_ == start) bad(concat("expected a dimension at byte ", at_));
    return value;
  }

  std::string_view text_;
  const std::string& label_;
  size_t at_ = 0;
  Header header_;
  bool has_descr_ = false, has_order_ = false, has_shape_ = false;
};

Header read_header(io::Reader& reader, const std::string& label) {
  char start[8];
  if (io::bytes_left(reader) < sizeof(start)) fail("load", label, "no npy file: it is too short");
  reader.read(start, sizeof(start));
  if (std::string_view(start, magic.size()) != magic) fail("load", label, "no npy file: it begins otherwise");
  int major = start[6], minor = start[7];
  if (major < 1 || major > 3 || minor != 0) fail("load", label, "unknown npy version ", major, ".", minor);
  size_t length = 0, count = major == 1 ? 2 : 4;
  if (io::bytes_left(reader) < count) fail("load", label, "truncated npy header");
  reader.read(reinterpret_cast<char*>(&length), count);
  if (length > io::bytes_left(reader)) fail("load", label, "truncated npy header");
  std::string text(length, '\0');
  reader.read(text.data(), length);
  return HeaderParser(text, label).parse();
}

struct ElementType {
  Dtype dtype;
  bool swap;
};
ElementType element_type(std::string_view descr, const std::string& label) {
  std::string_view code = descr;
  bool swap = code.starts_with('>');
  if (!code.empty() && std::string_view("<>|=").find(code[0]) != std::string_view::npos) code.remove_prefix(1);
  for (const TypeCode& t : type_codes) {
    if (t.code == code) return {t.dtype, swap};
  }
  raise("[load] '", label, "': the dtype '", descr, "' is not supported.");
}

}  // namespace

void save(std::shared_ptr<io::Writer> out_stream, array a) {
  io::require(out_stream, "save");
  a.eval();
  bool column_major = a.flags().col_contiguous;  // empty arrays and those of one long axis are too
  if (!column_major) a = io::row_major(a);
  std::string preamble = make_preamble(a, column_major);
  out_stream->write(preamble.data(), preamble.size());
  out_stream->write(a.data<char>(), a.nbytes());
  io::finish(*out_stream, "save");
}

void save(std::string file, array a) {
  a.eval();  // an error must not cost the time of making a file
  save(std::make_shared<io::FileWriter>(io::with_suffix(std::move(file), ".npy")), std::move(a));
}

array load(std::shared_ptr<io::Reader> in_stream, StreamOrDevice s) {
  io::require(in_stream, "load");
  std::string label = in_stream->label();
  Header header = read_header(*in_stream, label);
  auto [dtype, swap] = element_type(header.descr, label);
  std::optional<size_t> bytes = io::byte_count(header.shape, dtype);
  size_t left = io::bytes_left(*in_stream);
  if (!bytes || *bytes > left) {
    fail("load", label, "truncated: shape ", header.shape, " of ", dtype_name(dtype), " needs more than the ", left,
         " bytes after the header");
  }
  size_t offset = in_stream->tell();
  Stream stream = to_stream(s, Device(Device::cpu));
  bool transposed = header.fortran_order && header.shape.size() > 1;
  Shape stored = transposed ? Shape(header.shape.rbegin(), header.shape.rend()) : header.shape;
  array a = load_array(std::move(stored), dtype, in_stream, offset, swap, stream);
  in_stream->seek(static_cast<int64_t>(offset + *bytes));  // several arrays may follow each other
  return transposed ? transpose(a, stream) : a;
}

array load(std::string file, StreamOrDevice s) {
  return load(std::make_shared<io::ParallelFileReader>(std::move(file)), s);
}

}  // namespace mlx::core
