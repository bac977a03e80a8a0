// The binary form of exported functions: little-endian values one after the other. Strings and lists begin with their
// length as uint64, enums are int32, sizes int64. A hash of all but the data of arrays ends the file.
#pragma once

#include <algorithm>
#include <concepts>
#include <optional>
#include <string>
#include <type_traits>

#include "mlx/array.h"
#include "mlx/core/error.h"
#include "mlx/core/reader.h"
#include "mlx/core/utf8.h"

namespace mlx::core::export_detail {

template <typename T>
concept Number = std::is_arithmetic_v<T> || std::is_enum_v<T>;
// A struct that names its members: `auto fields() { return std::tie(...); }`.
template <typename T>
concept Record = requires(T& record) { record.fields(); };
template <typename T>
concept List = requires(T& list) {
  list.push_back(list[0]);
  list.size();
};

// FNV-1a.
class Hash {
 public:
  void add(const char* data, size_t n) {
    for (size_t i = 0; i < n; i++) value_ = (value_ ^ static_cast<unsigned char>(data[i])) * 0x100000001b3u;
  }
  uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0xcbf29ce484222325u;
};

class Output {
 public:
  explicit Output(io::Writer& writer) : writer_(writer) {}

  template <typename T>
  void put(const T& value) {
    if constexpr (std::is_same_v<T, Dtype>) {
      put(static_cast<int32_t>(value.val()));
      put(value.size());
    } else if constexpr (std::is_enum_v<T>) {
      put(static_cast<int32_t>(value));
    } else if constexpr (Number<T>) {
      raw(reinterpret_cast<const char*>(&value), sizeof(T));
    } else if constexpr (Record<T>) {
      T copy = value;
      std::apply([&](auto&... field) { (put(field), ...); }, copy.fields());
    } else {
      put(static_cast<uint64_t>(value.size()));
      for (const auto& item : value) put(item);
    }
  }
  template <typename T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  void unhashed(const char* data, size_t n) { writer_.write(data, n); }
  void finish() {
    uint64_t hash = hash_.value();
    unhashed(reinterpret_cast<const char*>(&hash), sizeof(hash));
  }

 private:
  void raw(const char* data, size_t n) {
    hash_.add(data, n);
    writer_.write(data, n);
  }

  io::Writer& writer_;
  Hash hash_;
};

// Throws std::runtime_error naming the file for anything that is not as it should be.
class Input {
 public:
  explicit Input(io::Reader& reader);

  template <typename T>
  void get(T& value) {
    if constexpr (std::is_same_v<T, Dtype>) {
      value = dtype();
    } else if constexpr (std::is_enum_v<T>) {
      value = static_cast<T>(number<int32_t>());
    } else if constexpr (std::is_same_v<T, bool>) {
      char byte = number<char>();
      if (byte != 0 && byte != 1) fail("a truth value is neither 0 nor 1");
      value = byte == 1;
    } else if constexpr (Number<T>) {
      raw(reinterpret_cast<char*>(&value), sizeof(T));
    } else if constexpr (Record<T>) {
      std::apply([&](auto&... field) { (get(field), ...); }, value.fields());
    } else if constexpr (std::is_same_v<T, std::string>) {
      value.resize(count());
      raw(value.data(), value.size());
      if (!is_utf8(value)) fail("a text is not UTF-8");
    } else {
      size_t n = count();
      value.clear();
      for (size_t i = 0; i < n; i++) {
        std::remove_cvref_t<decltype(value[0])> item{};
        get(item);
        value.push_back(item);
      }
    }
  }
  template <typename T>
  void get(std::optional<T>& value) {
    bool given;
    get(given);
    value.reset();
    if (given) get(value.emplace());
  }
  template <typename T>
  T get() {
    T value = initial<T>();
    get(value);
    return value;
  }
  // A length; every item takes at least one byte.
  size_t count();
  void unhashed(char* data, size_t n);
  size_t left() const { return left_; }
  // The hash and the end.
  void finish();
  [[noreturn]] void fail(const std::string& fault) const {
    raise<std::runtime_error>("[import_function] '", reader_.label(), "': ", fault, ".");
  }

  // What a value holds before it is read.
  template <typename T>
  static T initial() {
    if constexpr (std::is_same_v<T, Dtype>) return bool_;
    else return T{};
  }

 private:
  template <typename T>
  T number() {
    T value;
    raw(reinterpret_cast<char*>(&value), sizeof(T));
    return value;
  }
  Dtype dtype();
  void raw(char* data, size_t n);

  io::Reader& reader_;
  size_t left_;
  Hash hash_;
};

}  // namespace mlx::core::export_detail
