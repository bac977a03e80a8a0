// Categories, names and promotion of the element types.

#include "mlx/dtype.h"

#include <array>

namespace mlx::core {

namespace {

using Category = Dtype::Category;
using Kind = Dtype::Kind;

struct Record {
  std::string_view name;
  Dtype dtype;
  Category category;
  Kind kind;
};

constexpr std::array<Record, dtype_count> records = {{
    {"bool", bool_, Category::generic, Kind::b},
    {"uint8", uint8, Category::unsignedinteger, Kind::u},
    {"uint16", uint16, Category::unsignedinteger, Kind::u},
    {"uint32", uint32, Category::unsignedinteger, Kind::u},
    {"uint64", uint64, Category::unsignedinteger, Kind::u},
    {"int8", int8, Category::signedinteger, Kind::i},
    {"int16", int16, Category::signedinteger, Kind::i},
    {"int32", int32, Category::signedinteger, Kind::i},
    {"int64", int64, Category::signedinteger, Kind::i},
    {"float16", float16, Category::floating, Kind::f},
    {"float32", float32, Category::floating, Kind::f},
    {"float64", float64, Category::floating, Kind::f},
    {"bfloat16", bfloat16, Category::floating, Kind::V},
    {"complex64", complex64, Category::complexfloating, Kind::c},
}};

constexpr Category parent(Category c) {
  switch (c) {
    case Category::complexfloating:
    case Category::floating:
      return Category::inexact;
    case Category::signedinteger:
    case Category::unsignedinteger:
      return Category::integer;
    case Category::inexact:
    case Category::integer:
      return Category::number;
    default:
      return Category::generic;
  }
}

const Record& record(Dtype t) { return records[static_cast<size_t>(t.val())]; }

// Rows and columns in the order of Dtype::Val; letters name the result.
constexpr std::string_view letters = "bBHIQ" "wxyz" "hfdgc";
constexpr std::array<std::string_view, dtype_count> promotion = {
    "bBHIQwxyzhfdgc",  // bool
    "BBHIQxxyzhfdgc",  // uint8
    "HHHIQyyyzhfdgc",  // uint16
    "IIIIQzzzzhfdgc",  // uint32
    "QQQQQffffhfdgc",  // uint64
    "wxyzfwxyzhfdgc",  // int8
    "xxyzfxxyzhfdgc",  // int16
    "yyyzfyyyzhfdgc",  // int32
    "zzzzfzzzzhfdgc",  // int64
    "hhhhhhhhhhfdfc",  // float16
    "fffffffffffdfc",  // float32
    "dddddddddddddc",  // float64
    "gggggggggffdgc",  // bfloat16
    "cccccccccccccc",  // complex64
};

}  // namespace

bool issubdtype(const Dtype& a, const Dtype& b) { return a.val() == b.val(); }
bool issubdtype(const Category&, const Dtype&) { return false; }
bool issubdtype(const Dtype& a, const Category& b) { return issubdtype(record(a).category, b); }

bool issubdtype(const Category& a, const Category& b) {
  for (Category c = a;; c = parent(c)) {
    if (c == b) return true;
    if (c == Category::generic) return false;
  }
}

Dtype promote_types(const Dtype& t1, const Dtype& t2) {
  char letter = promotion[static_cast<size_t>(t1.val())][static_cast<size_t>(t2.val())];
  return records[letters.find(letter)].dtype;
}

Dtype::Kind kindof(const Dtype& t) { return record(t).kind; }
Dtype::Category category_of(const Dtype& t) { return record(t).category; }
std::string_view dtype_name(Dtype t) { return record(t).name; }
Dtype dtype_from_index(int val) { return records.at(static_cast<size_t>(val)).dtype; }

#define MLX_TYPE_TO_DTYPE(T, D)          \
  template <>                            \
  TypeToDtype<T>::operator Dtype() {     \
    return D;                            \
  }
MLX_TYPE_TO_DTYPE(bool, bool_)
MLX_TYPE_TO_DTYPE(uint8_t, uint8)
MLX_TYPE_TO_DTYPE(uint16_t, uint16)
MLX_TYPE_TO_DTYPE(uint32_t, uint32)
MLX_TYPE_TO_DTYPE(unsigned long, uint64)
MLX_TYPE_TO_DTYPE(unsigned long long, uint64)
MLX_TYPE_TO_DTYPE(int8_t, int8)
MLX_TYPE_TO_DTYPE(int16_t, int16)
MLX_TYPE_TO_DTYPE(int32_t, int32)
MLX_TYPE_TO_DTYPE(long, int64)
MLX_TYPE_TO_DTYPE(long long, int64)
MLX_TYPE_TO_DTYPE(float16_t, float16)
MLX_TYPE_TO_DTYPE(float, float32)
MLX_TYPE_TO_DTYPE(double, float32)  // a literal like 2.0 makes a float32 array
MLX_TYPE_TO_DTYPE(bfloat16_t, bfloat16)
MLX_TYPE_TO_DTYPE(complex64_t, complex64)
MLX_TYPE_TO_DTYPE(std::complex<float>, complex64)
#undef MLX_TYPE_TO_DTYPE

}  // namespace mlx::core
