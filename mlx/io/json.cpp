// Reading and writing of JSON: see json.h.

#include "mlx/io/json.h"

#include <cstdio>
#include <unordered_set>

#include "mlx/core/error.h"
#include "mlx/core/utf8.h"

namespace mlx::core::io {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

void append_utf8(std::string* out, uint32_t code) {
  auto put = [&](uint32_t byte) { out->push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

// The letters after a backslash that stand for one character, and what they stand for.
constexpr std::string_view escape_letters = "\"\\/bfnrt";
constexpr std::string_view escaped = "\"\\/\b\f\n\r\t";

}  // namespace

void JsonReader::fail(const std::string& what) const { throw JsonError(concat(what, " at byte ", at_)); }

void JsonReader::skip_space() {
  while (at_ < text_.size() && std::string_view(" \t\n\r").find(text_[at_]) != std::string_view::npos) at_++;
}

bool JsonReader::take(char c) {
  skip_space();
  if (at_ == text_.size() || text_[at_] != c) return false;
  at_++;
  return true;
}

void JsonReader::expect(char c) {
  if (!take(c)) fail(concat("expected ", c));
}

void JsonReader::object(FunctionRef<void(const std::string& key)> on_member) {
  expect('{');
  if (take('}')) return;
  std::unordered_set<std::string> keys;
  do {
    std::string key = string();
    if (!keys.insert(key).second) fail(concat("a second \"", key, "\""));
    expect(':');
    on_member(key);
  } while (take(','));
  expect('}');
}

void JsonReader::list(FunctionRef<void()> on_item) {
  expect('[');
  if (take(']')) return;
  do {
    on_item();
  } while (take(','));
  expect(']');
}

std::string JsonReader::string() {
  expect('"');
  std::string out;
  while (true) {
    if (at_ == text_.size()) fail("the text ends inside a string");
    char c = text_[at_++];
    if (c == '"') break;
    if (static_cast<unsigned char>(c) < 0x20) fail("a control character inside a string");
    if (c == '\\') escape(&out);
    else out.push_back(c);
  }
  if (!is_utf8(out)) fail("a string that is not UTF-8");
  return out;
}

void JsonReader::escape(std::string* out) {
  char letter = at_ < text_.size() ? text_[at_++] : '\0';
  if (size_t i = escape_letters.find(letter); i != std::string_view::npos) {
    out->push_back(escaped[i]);
    return;
  }
  if (letter != 'u') fail("an unknown escape");
  uint32_t code = hex4();
  if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_, 2) == "\\u") {
    at_ += 2;
    uint32_t low = hex4();
    if (low < 0xDC00 || low >= 0xE000) fail("half of a surrogate pair");
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  }
  if (code >= 0xD800 && code < 0xE000) fail("half of a surrogate pair");
  append_utf8(out, code);
}

uint32_t JsonReader::hex4() {
  uint32_t code = 0;
  for (int i = 0; i < 4; i++) {
    char c = at_ < text_.size() ? text_[at_++] : '\0';
    uint32_t digit = is_digit(c)               ? static_cast<uint32_t>(c - '0')
                     : c >= 'a' && c <= 'f'    ? static_cast<uint32_t>(c - 'a' + 10)
                     : c >= 'A' && c <= 'F'    ? static_cast<uint32_t>(c - 'A' + 10)
                                               : 16;
    if (digit == 16) fail("expected four hexadecimal digits");
    code = code << 4 | digit;
  }
  return code;
}

uint64_t JsonReader::whole_number() {
  skip_space();
  size_t start = at_;
  uint64_t value = 0;
  while (at_ < text_.size() && is_digit(text_[at_])) {
    uint64_t digit = static_cast<uint64_t>(text_[at_] - '0');
    if (__builtin_mul_overflow(value, uint64_t{10}, &value) || __builtin_add_overflow(value, digit, &value)) {
      fail("a number that does not fit in 64 bits");
    }
    at_++;
  }
  if (at_ == start) fail("expected a whole number");
  if (text_[start] == '0' && at_ - start > 1) fail("a number with a leading zero");
  return value;
}

bool JsonReader::null() {
  skip_space();
  if (text_.substr(at_, 4) != "null") return false;
  at_ += 4;
  return true;
}

void JsonReader::end() {
  skip_space();
  if (at_ != text_.size()) fail("something after the end");
}

std::string json_string(std::string_view text) {
  if (!is_utf8(text)) raise("[json] A string is not UTF-8.");
  std::string out = "\"";
  for (char c : text) {
    size_t i = escaped.find(c);
    if (i != std::string_view::npos && c != '/') {
      out += {'\\', escape_letters[i]};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char buffer[8];
      std::snprintf(buffer, sizeof(buffer), "\\u%04x", static_cast<unsigned>(c));
      out += buffer;
    } else {
      out.push_back(c);
    }
  }
  return out + "\"";
}

}  // namespace mlx::core::io
