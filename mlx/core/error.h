// Exceptions of the library and the one way to build their texts.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace mlx::core {

// An axis or an index out of range.
class AxisError : public std::out_of_range {
 public:
  using std::out_of_range::out_of_range;
};

// A primitive has no rule for a transformation. vmap then runs it once per batch element.
class NoRule : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// Thrown by the interrupt hook; evaluation stops and leaves its arrays pending.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("Interrupted.") {}
};

namespace detail {
// Sequences print as tuples: shapes, lists of axes.
template <typename T>
void put(std::ostream& os, const T& part) {
  if constexpr (requires { part.begin(), part.size(); } && !requires { part.substr(0); }) {
    os << "(";
    for (size_t i = 0; i < part.size(); i++) os << (i ? "," : "") << part[i];
    os << (part.size() == 1 ? ",)" : ")");
  } else {
    os << part;
  }
}
}  // namespace detail

template <typename... Parts>
std::string concat(const Parts&... parts) {
  if constexpr ((std::is_convertible_v<const Parts&, std::string_view> && ...)) {
    std::string text;  // prefixes of messages are made on every call: no stream for them
    (text.append(std::string_view(parts)), ...);
    return text;
  }
  std::ostringstream os;
  (detail::put(os, parts), ...);
  return os.str();
}

template <typename Error = std::invalid_argument, typename... Parts>
[[noreturn]] void raise(const Parts&... parts) {
  throw Error(concat(parts...));
}

}  // namespace mlx::core
