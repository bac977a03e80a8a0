// See fuse.h.

#include "mlx/graph/fuse.h"

#include <algorithm>

namespace mlx::core {

namespace {
constexpr int max_group = 48;  // operations: their slots should fit the first-level cache
constexpr int none = -1, several = -2;
}  // namespace

std::vector<int> fusion_groups(const std::vector<FusionItem>& items) {
  int count = static_cast<int>(items.size());
  std::vector<int> group(count), user_group(count, none), size(count, 0);
  for (int i = count; i-- > 0;) {
    const FusionItem& item = items[i];
    int g = user_group[i];
    bool joins = item.shape && !item.escapes && g >= 0 && items[g].shape && *items[g].shape == *item.shape &&
                 items[g].primitive->stream() == item.primitive->stream() && size[g] < max_group;
    group[i] = joins ? g : i;
    size[group[i]]++;
    for (int input : item.inputs) {
      if (input < 0) continue;
      int& users = user_group[input];
      users = users == none || users == group[i] ? group[i] : several;
    }
  }
  return group;
}

void TapeBuilder::add(int op, const std::vector<std::uintptr_t>& inputs, const std::vector<Dtype>& dtypes,
                      std::uintptr_t output, Dtype result) {
  for (size_t i = 0; i < inputs.size(); i++) {
    auto made = [&](const Pending& p) { return p.output == inputs[i]; };
    if (std::any_of(pending_.begin(), pending_.end(), made)) continue;
    if (std::find(inputs_.begin(), inputs_.end(), inputs[i]) != inputs_.end()) continue;
    inputs_.push_back(inputs[i]);
    input_dtypes_.push_back(dtypes[i]);
  }
  TapeInstr instr{static_cast<uint8_t>(op), static_cast<uint8_t>(inputs.size()), dtypes.back().val(), result.val(), {}};
  pending_.push_back({instr, inputs, output});
}

Tape TapeBuilder::finish() {
  Tape tape{input_dtypes_, {}, {}};
  for (Pending& p : pending_) {
    for (size_t i = 0; i < p.operands.size(); i++) {
      auto in = std::find(inputs_.begin(), inputs_.end(), p.operands[i]);
      size_t value = static_cast<size_t>(in - inputs_.begin());
      if (in == inputs_.end()) {
        auto made = [&](const Pending& q) { return q.output == p.operands[i]; };
        value += static_cast<size_t>(std::find_if(pending_.begin(), pending_.end(), made) - pending_.begin());
      }
      p.instr.inputs[i] = static_cast<uint16_t>(value);
    }
    tape.code.push_back(p.instr);
  }
  tape.outputs.push_back(static_cast<uint16_t>(inputs_.size() + tape.code.size() - 1));
  return tape;
}

}  // namespace mlx::core
