// The part of JSON that headers of files use: objects, lists, strings, whole numbers, null. The caller says what must
// come next, so that depth and size of what is read are the caller's.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "mlx/core/function_ref.h"

namespace mlx::core::io {

class JsonError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Every member throws JsonError, with the place, where the text holds something else.
class JsonReader {
 public:
  // The text must outlive the reader.
  explicit JsonReader(std::string_view text) : text_(text) {}

  // Calls on_member with each key; it reads the value. A key that comes twice is an error.
  void object(FunctionRef<void(const std::string& key)> on_member);
  // Calls on_item at the start of each item; it reads the item.
  void list(FunctionRef<void()> on_item);
  // In UTF-8.
  std::string string();
  uint64_t whole_number();
  // Takes a null if one comes next.
  bool null();
  // Nothing but white space may be left.
  void end();

 private:
  [[noreturn]] void fail(const std::string& what) const;
  void skip_space();
  bool take(char c);
  void expect(char c);
  void escape(std::string* out);
  uint32_t hex4();

  std::string_view text_;
  size_t at_ = 0;
};

// The text as a JSON string, in quotes. Throws std::invalid_argument for what is not UTF-8.
std::string json_string(std::string_view text);

}  // namespace mlx::core::io
