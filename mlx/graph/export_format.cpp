// See export_format.h.

#include "mlx/graph/export_format.h"

#include "mlx/core/dispatch.h"

namespace mlx::core::export_detail {

namespace {

size_t size_of(io::Reader& reader) {
  reader.seek(0, std::ios_base::end);
  size_t size = reader.tell();
  reader.seek(0);
  return size;
}

}  // namespace

Input::Input(io::Reader& reader) : reader_(reader), left_(size_of(reader)) {}

void Input::unhashed(char* data, size_t n) {
  if (n > left_) fail("it ends too early");
  reader_.read(data, n);
  left_ -= n;
}

void Input::raw(char* data, size_t n) {
  unhashed(data, n);
  hash_.add(data, n);
}

size_t Input::count() {
  uint64_t n = number<uint64_t>();
  if (n > left_) fail(concat("a list of ", n, " items does not fit into the ", left_, " bytes that are left"));
  return static_cast<size_t>(n);
}

Dtype Input::dtype() {
  int32_t value = number<int32_t>();
  uint8_t size = number<uint8_t>();
  if (value < 0 || value >= dtype_count) fail(concat("there is no dtype number ", value));
  Dtype::Val val = static_cast<Dtype::Val>(value);
  size_t expected = dispatch_dtype(Dtype(val, 0), [](auto tag) { return sizeof(typename decltype(tag)::type); });
  if (size != expected) fail(concat("dtype number ", value, " does not have ", static_cast<int>(size), " bytes"));
  return Dtype(val, size);
}

void Input::finish() {
  uint64_t expected = hash_.value(), found;
  unhashed(reinterpret_cast<char*>(&found), sizeof(found));
  if (found != expected) fail("its content does not match its hash");
  if (left_ != 0) fail(concat(left_, " bytes follow its end"));
}

}  // namespace mlx::core::export_detail
