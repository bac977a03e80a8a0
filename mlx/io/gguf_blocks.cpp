// See gguf_blocks.h. Blocks of 32 values in 4 or 8 bits become packed words with scales and biases, as quantize() gives
// them; the others become float16.

#include "mlx/io/gguf_blocks.h"

#include <algorithm>
#include <cstring>

#include "mlx/core/error.h"

namespace mlx::core::io {

namespace {

float half_at(const unsigned char* p) {
  float16_t h;
  std::memcpy(&h, p, sizeof(h));
  return static_cast<float>(h);
}

void put_half(unsigned char* out, size_t i, float value) {
  float16_t h(value);
  std::memcpy(out + 2 * i, &h, sizeof(h));
}

// Where a value of block types with 4 low bits in `qs` and a fifth one in `qh` comes from.
int five_bits(const unsigned char* qs, const unsigned char* qh, int i) {
  int low = i < 16 ? qs[i] & 15 : qs[i - 16] >> 4;
  return low | (qh[i / 8] >> (i % 8) & 1) << 4;
}

void copy_scale(const unsigned char* block, unsigned char* out) { std::memcpy(out, block, 2); }

// The 16 low nibbles are values 0 to 15, the high ones 16 to 31; packed words hold them in order.
void pack_nibbles(const unsigned char* qs, unsigned char* out) {
  auto code = [&](int i) { return i < 16 ? qs[i] & 15 : qs[i - 16] >> 4; };
  for (int i = 0; i < 16; i++) out[i] = static_cast<unsigned char>(code(2 * i) | code(2 * i + 1) << 4);
}
void q4_0_codes(const unsigned char* block, unsigned char* out) { pack_nibbles(block + 2, out); }
void q4_1_codes(const unsigned char* block, unsigned char* out) { pack_nibbles(block + 4, out); }
void q8_0_codes(const unsigned char* block, unsigned char* out) {
  for (int i = 0; i < 32; i++) out[i] = block[2 + i] ^ 128;  // signed to offset
}
void q4_0_bias(const unsigned char* block, unsigned char* out) { put_half(out, 0, -8 * half_at(block)); }
void q4_1_bias(const unsigned char* block, unsigned char* out) { std::memcpy(out, block + 2, 2); }
void q8_0_bias(const unsigned char* block, unsigned char* out) { put_half(out, 0, -128 * half_at(block)); }

void q5_0_values(const unsigned char* block, unsigned char* out) {
  for (int i = 0; i < 32; i++) {
    put_half(out, static_cast<size_t>(i), half_at(block) * static_cast<float>(five_bits(block + 6, block + 2, i) - 16));
  }
}
void q5_1_values(const unsigned char* block, unsigned char* out) {
  for (int i = 0; i < 32; i++) {
    float code = static_cast<float>(five_bits(block + 8, block + 4, i));
    put_half(out, static_cast<size_t>(i), half_at(block) * code + half_at(block + 2));
  }
}

// 256 values in 16 groups, 2 bits each, a 4-bit scale and a 4-bit minimum per group.
void q2_k_values(const unsigned char* block, unsigned char* out) {
  const unsigned char *scales = block, *qs = block + 16;
  float d = half_at(block + 80), least = half_at(block + 82);
  for (int i = 0; i < 256; i++) {
    int half = i / 128, shift = i % 128 / 32 * 2, byte = half * 32 + i % 32;
    int scale = scales[i / 16];
    float code = static_cast<float>(qs[byte] >> shift & 3);
    put_half(out, static_cast<size_t>(i),
             d * static_cast<float>(scale & 15) * code - least * static_cast<float>(scale >> 4));
  }
}

// 2 bits and a high bit each (clear: minus 4), a 6-bit scale per group of 16.
void q3_k_values(const unsigned char* block, unsigned char* out) {
  const unsigned char *high = block, *qs = block + 32, *scales = block + 96;
  float d = half_at(block + 108);
  for (int i = 0; i < 256; i++) {
    int half = i / 128, plane = i / 32, shift = i % 128 / 32 * 2, byte = half * 32 + i % 32, group = i / 16;
    int low = group < 8 ? scales[group] & 15 : scales[group - 8] >> 4;
    int scale = (low | (scales[8 + group % 4] >> (group / 4 * 2) & 3) << 4) - 32;
    int code = (qs[byte] >> shift & 3) - (high[i % 32] >> plane & 1 ? 0 : 4);
    put_half(out, static_cast<size_t>(i), d * static_cast<float>(scale) * static_cast<float>(code));
  }
}

// The 6-bit scales and minimums of 8 groups in 12 bytes.
void k_scale(const unsigned char* packed, int group, int* scale, int* least) {
  if (group < 4) {
    *scale = packed[group] & 63;
    *least = packed[group + 4] & 63;
  } else {
    *scale = (packed[group + 4] & 15) | packed[group - 4] >> 6 << 4;
    *least = packed[group + 4] >> 4 | packed[group] >> 6 << 4;
  }
}

// 4 bits each, and for five bits the planes of `high`.
void k_values(const unsigned char* block, const unsigned char* qs, const unsigned char* high, unsigned char* out) {
  float d = half_at(block), least = half_at(block + 2);
  for (int i = 0; i < 256; i++) {
    int group = i / 32, byte = i / 64 * 32 + i % 32, scale, minimum;
    k_scale(block + 4, group, &scale, &minimum);
    int code = group % 2 ? qs[byte] >> 4 : qs[byte] & 15;
    if (high) code |= (high[i % 32] >> group & 1) << 4;
    put_half(out, static_cast<size_t>(i),
             d * static_cast<float>(scale) * static_cast<float>(code) - least * static_cast<float>(minimum));
  }
}
void q4_k_values(const unsigned char* block, unsigned char* out) { k_values(block, block + 16, nullptr, out); }
void q5_k_values(const unsigned char* block, unsigned char* out) { k_values(block, block + 48, block + 16, out); }

// 4 low and 2 high bits each, a signed 8-bit scale per group of 16.
void q6_k_values(const unsigned char* block, unsigned char* out) {
  const unsigned char *ql = block, *qh = block + 128;
  const signed char* scales = reinterpret_cast<const signed char*>(block + 192);
  float d = half_at(block + 208);
  for (int i = 0; i < 256; i++) {
    int half = i / 128, quarter = i % 128 / 32, l = i % 32;
    int low = ql[half * 64 + quarter % 2 * 32 + l] >> (quarter / 2 * 4) & 15;
    int code = (low | (qh[half * 32 + l] >> (quarter * 2) & 3) << 4) - 32;
    put_half(out, static_cast<size_t>(i), d * static_cast<float>(scales[i / 16]) * static_cast<float>(code));
  }
}

void q8_k_values(const unsigned char* block, unsigned char* out) {
  float d;
  std::memcpy(&d, block, sizeof(d));
  for (int i = 0; i < 256; i++) {
    put_half(out, static_cast<size_t>(i), d * static_cast<float>(static_cast<signed char>(block[4 + i])));
  }
}

GgufType plain(uint32_t id, const char* name, Dtype dtype) {
  return {id, name, 1, dtype.size(), {{nullptr, dtype, dtype.size(), nullptr}}};
}
GgufType packed(uint32_t id, const char* name, size_t bytes, size_t code_bytes,
                void (*codes)(const unsigned char*, unsigned char*),
                void (*bias)(const unsigned char*, unsigned char*)) {
  return {id, name, 32, bytes,
          {{nullptr, uint32, code_bytes, codes}, {"scales", float16, 2, copy_scale}, {"biases", float16, 2, bias}}};
}
GgufType decoded(uint32_t id, const char* name, size_t elements, size_t bytes,
                 void (*values)(const unsigned char*, unsigned char*)) {
  return {id, name, elements, bytes, {{nullptr, float16, 2 * elements, values}}};
}

const std::vector<GgufType>& types() {
  static const std::vector<GgufType> table{
      plain(0, "F32", float32),
      plain(1, "F16", float16),
      packed(2, "Q4_0", 18, 16, q4_0_codes, q4_0_bias),
      packed(3, "Q4_1", 20, 16, q4_1_codes, q4_1_bias),
      decoded(6, "Q5_0", 32, 22, q5_0_values),
      decoded(7, "Q5_1", 32, 24, q5_1_values),
      packed(8, "Q8_0", 34, 32, q8_0_codes, q8_0_bias),
      decoded(10, "Q2_K", 256, 84, q2_k_values),
      decoded(11, "Q3_K", 256, 110, q3_k_values),
      decoded(12, "Q4_K", 256, 144, q4_k_values),
      decoded(13, "Q5_K", 256, 176, q5_k_values),
      decoded(14, "Q6_K", 256, 210, q6_k_values),
      decoded(15, "Q8_K", 256, 292, q8_k_values),
      plain(24, "I8", int8),
      plain(25, "I16", int16),
      plain(26, "I32", int32),
      plain(27, "I64", int64),
      plain(28, "F64", float64),
      plain(30, "BF16", bfloat16),
  };
  return table;
}

class PartReader : public Reader {
 public:
  PartReader(std::shared_ptr<Reader> source, size_t offset, size_t blocks, const GgufType& type, const GgufPart& part)
      : source_(std::move(source)), offset_(offset), blocks_(blocks), type_(type), part_(part) {}

  bool is_open() const override { return source_->is_open(); }
  bool good() const override { return source_->good(); }
  std::string label() const override { return source_->label(); }
  size_t tell() override { return 0; }
  void seek(int64_t, std::ios_base::seekdir) override {}
  void read(char* data, size_t n) override { read(data, n, 0); }
  // An array is read as a whole.
  void read(char* data, size_t n, size_t offset) override {
    if (offset != 0 || n != blocks_ * part_.bytes) {
      raise<std::runtime_error>("[load_gguf] '", label(), "': a tensor can only be read as a whole.");
    }
    constexpr size_t at_once = 4096;
    std::vector<unsigned char> raw(std::min(at_once, blocks_) * type_.bytes);
    unsigned char* out = reinterpret_cast<unsigned char*>(data);
    for (size_t first = 0; first < blocks_; first += at_once) {
      size_t count = std::min(at_once, blocks_ - first);
      source_->read(reinterpret_cast<char*>(raw.data()), count * type_.bytes, offset_ + first * type_.bytes);
      for (size_t i = 0; i < count; i++, out += part_.bytes) part_.decode(raw.data() + i * type_.bytes, out);
    }
  }

 private:
  std::shared_ptr<Reader> source_;
  size_t offset_, blocks_;
  const GgufType& type_;
  const GgufPart& part_;
};

}  // namespace

const GgufType* gguf_type(uint32_t id) {
  for (const GgufType& type : types()) {
    if (type.id == id) return &type;
  }
  return nullptr;
}

const GgufType* gguf_type(Dtype dtype) {
  for (const GgufType& type : types()) {
    if (type.elements == 1 && type.parts[0].dtype == dtype) return &type;
  }
  return nullptr;
}

std::shared_ptr<Reader> gguf_part_reader(std::shared_ptr<Reader> source, size_t offset, size_t blocks,
                                         const GgufType& type, const GgufPart& part) {
  return std::make_shared<PartReader>(std::move(source), offset, blocks, type, part);
}

}  // namespace mlx::core::io
