// The texts of einsum.

#include <algorithm>
#include <cctype>

#include "mlx/core/error.h"
#include "mlx/ops/einsum.h"

namespace mlx::core::einsum_detail {

namespace {

constexpr int letters = 52;  // A ... Z, a ... z; the axes of an ellipsis follow

Label label_of(char c) { return c <= 'Z' ? c - 'A' : c - 'a' + 26; }
char letter_of(Label label) { return static_cast<char>(label < 26 ? 'A' + label : 'a' + label - 26); }

// A term before it is known how many axes the ellipsis stands for.
struct Term {
  Labels before, after;
  bool ellipsis = false;
};

Term parse_term(const std::string& term, const std::string& text) {
  Term t;
  for (size_t i = 0; i < term.size(); i++) {
    if (term.compare(i, 3, "...") == 0 && !t.ellipsis) {
      t.ellipsis = true;
      i += 2;
    } else if (std::isalpha(static_cast<unsigned char>(term[i]))) {
      (t.ellipsis ? t.after : t.before).push_back(label_of(term[i]));
    } else {
      raise("[einsum] Subscripts are letters and at most one ellipsis per operand, but got '", term[i], "' in '", text,
            "'.");
    }
  }
  return t;
}

Labels expand(const Term& t, int ellipsis_axes) {
  Labels labels = t.before;
  for (int i = ellipsis_axes - 1; t.ellipsis && i >= 0; i--) labels.push_back(letters + i);
  labels.insert(labels.end(), t.after.begin(), t.after.end());
  return labels;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (char c : text) {
    if (c == separator) parts.emplace_back();
    else parts.back() += c;
  }
  return parts;
}

// Without "->": the ellipsis, then the letters that appear once.
Labels implicit_output(const std::vector<Labels>& inputs, int ellipsis_axes) {
  Labels output;
  for (int i = ellipsis_axes - 1; i >= 0; i--) output.push_back(letters + i);
  for (Label label = 0; label < letters; label++) {
    int count = 0;
    for (const Labels& input : inputs) count += static_cast<int>(std::count(input.begin(), input.end(), label));
    if (count == 1) output.push_back(label);
  }
  return output;
}

void check_output(const Subscripts& s, const std::string& text) {
  LabelSet known = 0, seen = 0;
  for (const Labels& input : s.inputs) known |= set_of(input);
  for (Label label : s.output) {
    LabelSet bit = LabelSet{1} << label;
    if (seen & bit) raise("[einsum] The result of '", text, "' names '", text_of({label}), "' twice.");
    if (!(known & bit)) {
      raise("[einsum] The result of '", text, "' names '", text_of({label}), "', which no operand has.");
    }
    seen |= bit;
  }
}

}  // namespace

LabelSet set_of(const Labels& labels) {
  LabelSet set = 0;
  for (Label label : labels) set |= LabelSet{1} << label;
  return set;
}

std::string text_of(const Labels& labels) {
  std::string text;
  for (size_t i = 0; i < labels.size(); i++) {
    if (labels[i] < letters) text += letter_of(labels[i]);
    else if (i == 0 || labels[i - 1] < letters) text += "...";
  }
  return text;
}

Subscripts parse(const std::string& original, const std::vector<array>& operands) {
  if (operands.empty()) raise("[einsum] At least one operand is needed.");
  std::string text;
  std::copy_if(original.begin(), original.end(), std::back_inserter(text), [](char c) { return c != ' '; });
  size_t arrow = text.find("->");
  std::vector<std::string> parts = split(text.substr(0, arrow), ',');
  if (parts.size() != operands.size()) {
    raise("[einsum] '", original, "' describes ", parts.size(), " operands, but ", operands.size(), " were given.");
  }
  std::vector<Term> terms;
  int ellipsis_axes = 0;
  for (size_t i = 0; i < parts.size(); i++) {
    Term t = parse_term(parts[i], original);
    int named = static_cast<int>(t.before.size() + t.after.size()), ndim = static_cast<int>(operands[i].ndim());
    if (t.ellipsis ? named > ndim : named != ndim) {
      raise("[einsum] '", parts[i], "' names ", named, " axes, but operand ", i, " has shape ", operands[i].shape(),
            ".");
    }
    if (t.ellipsis) ellipsis_axes = std::max(ellipsis_axes, ndim - named);
    terms.push_back(t);
  }
  if (ellipsis_axes > max_labels - letters) {
    raise("[einsum] An ellipsis may stand for at most ", max_labels - letters, " axes, not ", ellipsis_axes, ".");
  }
  Subscripts s;
  for (size_t i = 0; i < terms.size(); i++) {
    int named = static_cast<int>(terms[i].before.size() + terms[i].after.size());
    s.inputs.push_back(expand(terms[i], static_cast<int>(operands[i].ndim()) - named));
  }
  s.output = arrow == std::string::npos ? implicit_output(s.inputs, ellipsis_axes)
                                        : expand(parse_term(text.substr(arrow + 2), original), ellipsis_axes);
  check_output(s, original);
  return s;
}

}  // namespace mlx::core::einsum_detail
