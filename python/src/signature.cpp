// Reading signatures and helping with misspelt keywords: see signature.h.

#include "signature.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace mlx::python {

namespace {

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
  while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
  return s;
}

// The parts between commas that are not inside brackets.
std::vector<std::string_view> split_parameters(std::string_view list) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i <= list.size(); i++) {
    char c = i < list.size() ? list[i] : ',';
    if (c == '[' || c == '(') depth++;
    if (c == ']' || c == ')') depth--;
    if (c != ',' || (depth != 0 && i < list.size())) continue;
    std::string_view part = trimmed(list.substr(start, i - start));
    if (!part.empty()) parts.push_back(part);
    start = i + 1;
  }
  return parts;
}

// The place of the ")" that closes the parameter list.
size_t closing(std::string_view text, size_t open) {
  int depth = 0;
  for (size_t i = open; i < text.size(); i++) {
    if (text[i] == '(') depth++;
    if (text[i] == ')' && --depth == 0) return i;
  }
  throw std::logic_error("[signature] Unbalanced: " + std::string(text));
}

Parameter read_parameter(std::string_view part) {
  Parameter p;
  size_t equals = part.find(" = ");
  if (equals != std::string_view::npos) {
    p.default_value = trimmed(part.substr(equals + 3));
    part = part.substr(0, equals);
  }
  size_t colon = part.find(':');
  if (colon != std::string_view::npos) p.type = trimmed(part.substr(colon + 1));
  p.name = trimmed(part.substr(0, colon));
  p.key = PyUnicode_InternFromString(p.name.c_str());
  p.required = p.default_value.empty();
  return p;
}

// A default as inspect.signature can evaluate it: names of dtypes are written None, which means the same.
std::string plain_default(const std::string& value) {
  bool is_name = !value.empty() && (std::isalpha(static_cast<unsigned char>(value[0])));
  if (is_name && value != "True" && value != "False") return "None";
  return value;
}

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); j++) row[j] = j;
  for (size_t i = 1; i <= a.size(); i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); j++) {
      size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

// What other libraries call a parameter.
constexpr std::pair<std::string_view, std::string_view> synonyms[] = {
    {"dim", "axis"}, {"dims", "axis"}, {"dim", "axes"},   {"dims", "axes"},  {"device", "stream"},
    {"mean", "loc"}, {"std", "scale"}, {"size", "shape"}, {"type", "dtype"},
};

}  // namespace

void Signature::parse(const char* whole) {
  text = whole;
  std::string_view view(text);
  size_t open = view.find('(');
  name = view.substr(0, open);
  bool keyword_only = false;
  for (std::string_view part : split_parameters(view.substr(open + 1, closing(view, open) - open - 1))) {
    if (part == "/") {
      positional_only = positional;
    } else if (part == "*") {
      keyword_only = true;
    } else if (part.starts_with("**")) {
      keywords_name = trimmed(part.substr(2, part.find(':') - 2));
    } else if (part.starts_with("*")) {
      rest_name = trimmed(part.substr(1, part.find(':') - 1));
      keyword_only = true;
    } else {
      if (!keyword_only) positional++;
      parameters.push_back(read_parameter(part));
      if (parameters.back().name == "stream") stream = static_cast<int>(parameters.size()) - 1;
    }
  }
}

void Signature::parse_method(const char* whole) {
  parse(whole);
  is_method = true;
  parameters[0].name = "self";
  positional_only = 1;
}

std::string Signature::documentation(const char* doc) const {
  std::string out = name + "(";
  const char* separator = "";
  auto add = [&](const std::string& part) {
    out += separator + part;
    separator = ", ";
  };
  for (size_t i = 0; i < parameters.size(); i++) {
    const Parameter& p = parameters[i];
    int place = static_cast<int>(i);
    if (place == positional) add("*" + rest_name);
    std::string shown = is_method && i == 0 ? "$self" : p.name;
    add(p.required ? shown : shown + "=" + plain_default(p.default_value));
    if (place + 1 == positional_only) add("/");
  }
  if (static_cast<int>(parameters.size()) == positional && !rest_name.empty()) add("*" + rest_name);
  if (!keywords_name.empty()) add("**" + keywords_name);
  return out + ")\n--\n\n" + doc;
}

int Signature::find(PyObject* keyword) const {
  for (size_t i = 0; i < parameters.size(); i++) {
    if (parameters[i].key == keyword) return static_cast<int>(i);
  }
  for (size_t i = 0; i < parameters.size(); i++) {  // a keyword that is not interned
    if (PyUnicode_Compare(parameters[i].key, keyword) == 0) return static_cast<int>(i);
  }
  return -1;
}

std::string Signature::suggestion(const std::string& keyword) const {
  const std::string* nearest = nullptr;
  size_t best = std::max<size_t>(1, keyword.size() / 2) + 1;
  std::string all;
  for (size_t i = static_cast<size_t>(positional_only); i < parameters.size(); i++) {
    const std::string& candidate = parameters[i].name;
    size_t distance = edit_distance(keyword, candidate);
    if (candidate.starts_with(keyword) || keyword.starts_with(candidate)) distance = 1;
    for (const auto& [other, ours] : synonyms) {
      if (keyword == other && candidate == ours) distance = 0;
    }
    if (distance < best) {
      best = distance;
      nearest = &candidate;
    }
    all += (all.empty() ? "" : ", ") + candidate;
  }
  if (nearest) return "Did you mean '" + *nearest + "'?";
  if (all.empty()) return "It takes no keywords.";
  return "Its keywords: " + all + ".";
}

}  // namespace mlx::python
