// Keys and random bits: what all distributions are made from.

#include <atomic>
#include <chrono>

#include "mlx/core/error.h"
#include "mlx/core/per_thread.h"
#include "mlx/ops.h"
#include "mlx/ops/random_primitive.h"
#include "mlx/ops/rules.h"
#include "mlx/random.h"

namespace mlx::core {

namespace {

Shape with_keys(const Shape& keys, const Shape& shape) {
  Shape out(keys.begin(), keys.end() - 1);
  out.insert(out.end(), shape.begin(), shape.end());
  return out;
}

Dtype bits_dtype(int width) { return width == 1 ? uint8 : width == 2 ? uint16 : uint32; }

}  // namespace

std::vector<Shape> RandomBits::output_shapes(const Arrays& inputs) {
  return {with_keys(inputs[0].shape(), shape_)};
}
Arrays RandomBits::jvp(const Arrays& primals, const Arrays&, const std::vector<int>&) {
  return {zeros(output_shapes(primals)[0], bits_dtype(width_), stream())};
}
Arrays RandomBits::vjp(const Arrays& primals, const Arrays&, const std::vector<int>&,
                       const Arrays&) {
  return {zeros_like(primals[0], stream())};
}
std::pair<Arrays, std::vector<int>> RandomBits::vmap(const Arrays& inputs,
                                                     const std::vector<int>& axes) {
  array keys = moveaxis(inputs[0], axes[0], 0, stream());
  return {{array(with_keys(keys.shape(), shape_), bits_dtype(width_),
                 std::make_shared<RandomBits>(stream(), shape_, width_), {keys})},
          {0}};
}

namespace random {

namespace {

// The wall clock, mixed with the number of the thread so that no two threads start alike.
uint64_t unseeded() {
  static std::atomic<uint64_t> threads{0};
  auto now = std::chrono::system_clock::now().time_since_epoch();
  uint64_t milliseconds =
      static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
  return milliseconds + (threads++ << 48);
}

}  // namespace

KeySequence::KeySequence(uint64_t seed) : key_(random::key(seed)) {}
void KeySequence::seed(uint64_t seed) { key_ = random::key(seed); }

array KeySequence::next() {
  auto [kept, given] = random::split(key_);
  key_ = kept;
  return given;
}

KeySequence& KeySequence::default_() {
  struct Unseeded {
    KeySequence sequence{unseeded()};
  };
  return PerThread<Unseeded>::get().sequence;
}

array key(uint64_t seed) {
  return array({static_cast<uint32_t>(seed >> 32), static_cast<uint32_t>(seed)}, uint32);
}

void seed(uint64_t seed) { KeySequence::default_().seed(seed); }

array bits(const Shape& shape, int width, const std::optional<array>& key_, StreamOrDevice s) {
  if (width != 1 && width != 2 && width != 4) {
    raise("[bits] The width must be 1, 2 or 4 bytes, but is ", width, ".");
  }
  array key = key_ ? *key_ : KeySequence::default_().next();
  if (key.dtype() != uint32 || key.shape() != Shape{2}) {
    raise("[bits] A key must be a uint32 array of shape (2,), but got ", key.dtype(), " of shape ",
          key.shape(), ". Use vmap for several keys.");
  }
  element_count(shape);
  return array(shape, bits_dtype(width), std::make_shared<RandomBits>(to_stream(s), shape, width), {key});
}

array split(const array& key, int num, StreamOrDevice s) {
  if (num < 0) raise("[split] The number of keys must not be negative, but is ", num, ".");
  return bits({num, 2}, 4, key, s);
}

std::pair<array, array> split(const array& key, StreamOrDevice s) {
  array keys = random::split(key, 2, s);
  return {take(keys, 0, 0, s), take(keys, 1, 0, s)};
}

}  // namespace random
}  // namespace mlx::core
