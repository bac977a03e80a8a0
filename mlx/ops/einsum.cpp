// einsum: pairs of operands are joined, each by one matrix product or one multiplication.

#include "mlx/einsum.h"

#include <algorithm>

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/ops.h"
#include "mlx/ops/einsum.h"
#include "mlx/ops/reduce_axes.h"

namespace mlx::core {

using namespace einsum_detail;

namespace {

struct Term {
  array value;
  Labels labels;  // of the axes; each once
};

int place_of(const Labels& labels, Label label) {
  auto it = std::find(labels.begin(), labels.end(), label);
  return it == labels.end() ? -1 : static_cast<int>(it - labels.begin());
}
bool has(LabelSet set, Label label) { return set >> label & 1; }

// The size of every label's axis; sizes of 1 broadcast.
std::vector<ShapeElem> axis_sizes(const Subscripts& subscripts, const std::vector<array>& operands) {
  std::vector<ShapeElem> sizes(max_labels, 1);
  for (size_t i = 0; i < operands.size(); i++) {
    for (size_t axis = 0; axis < subscripts.inputs[i].size(); axis++) {
      ShapeElem n = operands[i].shape(static_cast<int>(axis));
      ShapeElem& known = sizes[subscripts.inputs[i][axis]];
      if (known != 1 && n != 1 && known != n) {
        raise("[einsum] The sizes ", known, " and ", n, " of '", text_of({subscripts.inputs[i][axis]}),
              "' do not broadcast; operand ", i, " has shape ", operands[i].shape(), ".");
      }
      if (n != 1) known = n;
    }
  }
  return sizes;
}

// Axes with one label become their diagonal.
Term without_repeats(array x, Labels labels, const Stream& s) {
  for (size_t i = 0; i < labels.size(); i++) {
    for (size_t k = labels.size() - 1; k > i; k--) {
      if (labels[k] != labels[i]) continue;
      int first = static_cast<int>(i), second = static_cast<int>(k);
      if (x.shape(first) == 1 || x.shape(second) == 1) {
        // One of them broadcasts: it can go.
        bool drop_first = x.shape(first) == 1;
        x = squeeze(x, drop_first ? first : second, s);
        if (drop_first) std::swap(labels[i], labels[k]);  // same label; the kept axis moves forward
        if (drop_first) x = moveaxis(x, second - 1, first, s);
      } else {
        x = moveaxis(diagonal(x, 0, first, second, s), -1, first, s);
      }
      labels.erase(labels.begin() + second);
    }
  }
  return {x, labels};
}

// Sums over the axes whose labels are not needed.
Term summed(Term t, LabelSet needed, const Stream& s) {
  std::vector<int> axes;
  Labels kept;
  for (size_t i = 0; i < t.labels.size(); i++) {
    if (has(needed, t.labels[i])) kept.push_back(t.labels[i]);
    else axes.push_back(static_cast<int>(i));
  }
  return {axes.empty() ? t.value : sum(t.value, axes, false, s), kept};
}

// Axes of size 1 that the other operand has with another size are dropped: they broadcast.
Term without_broadcast(Term t, const Term& other, const Stream& s) {
  std::vector<int> axes;
  Labels kept;
  for (size_t i = 0; i < t.labels.size(); i++) {
    int axis = static_cast<int>(i), place = place_of(other.labels, t.labels[i]);
    bool broadcasts = place >= 0 && t.value.shape(axis) == 1 && other.value.shape(place) != 1;
    if (broadcasts) axes.push_back(axis);
    else kept.push_back(t.labels[i]);
  }
  return {axes.empty() ? t.value : squeeze(t.value, axes, s), kept};
}

array arranged(const Term& t, const Labels& order, const Stream& s) {
  std::vector<int> axes;
  for (Label label : order) axes.push_back(place_of(t.labels, label));
  return transpose(t.value, axes, s);
}

Labels joined(std::initializer_list<const Labels*> lists) {
  Labels all;
  for (const Labels* list : lists) all.insert(all.end(), list->begin(), list->end());
  return all;
}

ShapeElem size_of(const Term& t, const Labels& labels) {
  ShapeElem n = 1;
  for (Label label : labels) n *= t.value.shape(place_of(t.labels, label));
  return n;
}

// Both operands with the axes `shared`, then their own ones; all others are contracted.
Term contract(Term a, Term b, LabelSet needed, const Stream& s) {
  LabelSet in_a = set_of(a.labels), in_b = set_of(b.labels);
  a = summed(without_broadcast(a, b, s), needed | in_b, s);
  b = summed(without_broadcast(b, a, s), needed | in_a, s);
  Labels shared, contracted, only_a, only_b;
  for (Label label : a.labels) {
    bool both = place_of(b.labels, label) >= 0;
    (!both ? only_a : has(needed, label) ? shared : contracted).push_back(label);
  }
  for (Label label : b.labels) {
    if (place_of(a.labels, label) < 0) only_b.push_back(label);
  }
  Shape shape;
  for (Label label : shared) shape.push_back(a.value.shape(place_of(a.labels, label)));
  Shape batch = shape, left = batch, right = batch;
  for (Label label : only_a) shape.push_back(a.value.shape(place_of(a.labels, label)));
  for (Label label : only_b) shape.push_back(b.value.shape(place_of(b.labels, label)));
  ShapeElem m = size_of(a, only_a), n = size_of(b, only_b), k = size_of(a, contracted);
  for (ShapeElem size : {m, k}) left.push_back(size);
  for (ShapeElem size : {k, n}) right.push_back(size);
  array x = reshape(arranged(a, joined({&shared, &only_a, &contracted}), s), left, s);
  array y = reshape(arranged(b, joined({&shared, &contracted, &only_b}), s), right, s);
  array product = contracted.empty() ? multiply(x, y, s) : matmul(x, y, s);
  Term result{reshape(product, shape, s), joined({&shared, &only_a, &only_b})};
  // An axis that only one side had after broadcasting may not be needed any more.
  return summed(result, needed, s);
}

LabelSet needed_by(const std::vector<Term>& terms, LabelSet output) {
  for (const Term& t : terms) output |= set_of(t.labels);
  return output;
}

Path path_of(const Subscripts& subscripts, const std::vector<ShapeElem>& sizes) {
  std::vector<LabelSet> inputs;
  for (const Labels& labels : subscripts.inputs) inputs.push_back(set_of(labels));
  return find_path(inputs, set_of(subscripts.output), {sizes.begin(), sizes.end()});
}

// The order of the result, broadcast to the sizes that no remaining operand had.
array finished(const Term& t, const Labels& output, const std::vector<ShapeElem>& sizes, const Stream& s) {
  array x = arranged(t, output, s);
  Shape shape;
  for (Label label : output) shape.push_back(sizes[label]);
  return x.shape() == shape ? x : broadcast_to(x, shape, s);
}

}  // namespace

array einsum(const std::string& text, const std::vector<array>& operands, StreamOrDevice sd) {
  Stream s = to_stream(sd);
  Subscripts subscripts = parse(text, operands);
  std::vector<ShapeElem> sizes = axis_sizes(subscripts, operands);
  note_size_read();
  LabelSet output = set_of(subscripts.output), all = 0;
  Dtype dtype = result_type(operands);
  for (const Labels& labels : subscripts.inputs) all |= set_of(labels);
  if (all != output) dtype = sum_dtype(dtype);

  std::vector<Term> terms;
  for (size_t i = 0; i < operands.size(); i++) {
    terms.push_back(without_repeats(astype(operands[i], dtype, s), subscripts.inputs[i], s));
  }
  for (const std::vector<int>& step : path_of(subscripts, sizes).steps) {
    if (step.size() == 1) break;
    Term b = terms[step[1]], a = terms[step[0]];
    terms.erase(terms.begin() + step[1]);
    terms.erase(terms.begin() + step[0]);
    terms.push_back(contract(a, b, needed_by(terms, output), s));
  }
  return finished(summed(terms[0], output, s), subscripts.output, sizes, s);
}

std::pair<std::vector<std::vector<int>>, std::string> einsum_path(const std::string& text,
                                                                  const std::vector<array>& operands) {
  Subscripts subscripts = parse(text, operands);
  std::vector<ShapeElem> sizes = axis_sizes(subscripts, operands);
  Path path = path_of(subscripts, sizes);
  LabelSet all = 0;
  for (const Labels& labels : subscripts.inputs) all |= set_of(labels);
  double naive = static_cast<double>(operands.size()) - 1;  // products of one combination of places
  for (int label = 0; label < max_labels; label++) {
    if (has(all, label)) naive *= static_cast<double>(sizes[label]);
  }
  std::string steps;
  for (const std::vector<int>& step : path.steps) steps += concat("\n  ", step);
  return {path.steps, concat("Contraction: ", text, "\nMultiplications at once: ", naive,
                             "\nMultiplications in pairs: ", path.cost, "\nLargest intermediate: ", path.largest,
                             " elements\nSteps:", steps, "\n")};
}

}  // namespace mlx::core
