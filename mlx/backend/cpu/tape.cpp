// The tape runner. A plan says where each value of the tape lives: in an input, an output or a slot
// of the thread's scratch memory. Then tiles of the output are computed one after the other, all
// instructions per tile, so that intermediate values stay in the first-level cache.

#include "mlx/backend/cpu/tape.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "mlx/backend/common/layout.h"
#include "mlx/backend/cpu/isa.h"
#include "mlx/backend/cpu/scratch.h"
#include "mlx/backend/cpu/stream_copy.h"
#include "mlx/core/node.h"
#include "mlx/core/round.h"
#include "mlx/core/thread_pool.h"

namespace mlx::core::cpu {

namespace {

constexpr int64_t inline_bytes = 16 * 1024;  // less work than this is not shared with the pool
constexpr int64_t chunk_bytes = 32 * 1024;
constexpr int64_t slot_align = 64;

// One layout for all operands: the output is row-major over `shape`, cut into tiles of rows x
// columns elements of the two inner dimensions. Either a tile spans whole rows or it is a part of
// one row, so its output is contiguous.
struct Tiles {
  Shape shape;                   // collapsed, at least two dimensions
  std::vector<Strides> strides;  // of each input
  int64_t rows, columns;         // of a tile
  int64_t row_tiles, column_tiles, count;
};

Tiles make_tiles(Collapsed c, int64_t block) {
  widen(c, 2);
  size_t last = c.shape.size() - 1;
  Tiles t{std::move(c.shape), std::move(c.strides), 1, 1, 1, 1, 1};
  int64_t height = t.shape[last - 1], width = t.shape[last];
  t.columns = std::min(width, block);
  t.rows = width >= block ? 1 : std::clamp<int64_t>(block / width, 1, height);
  t.row_tiles = ceil_div(height, t.rows);
  t.column_tiles = ceil_div(width, t.columns);
  t.count = t.row_tiles * t.column_tiles;
  for (size_t i = 0; i + 1 < last; i++) t.count *= t.shape[i];
  return t;
}

// How the elements of an input reach the kernels.
enum class Access { direct, splat, gather };

struct Plan {
  const Tape& tape;
  Tiles tiles;
  std::vector<Access> access;      // of each input
  std::vector<const char*> input;  // first element
  std::vector<char*> output;
  bool streams = false;  // outputs are computed in slots and then go past the caches
  std::vector<int> slot;              // of each value, -1 when it lives in an input or output
  std::vector<ElementwiseFn> kernel;  // of each instruction, null for a cast
  int slots = 0;
  int64_t slot_bytes;
};

Access access_of(const Tiles& tiles, const Strides& strides) {
  size_t last = tiles.shape.size() - 1;
  bool all_zero = std::all_of(strides.begin(), strides.end(), [](int64_t s) { return s == 0; });
  if (all_zero) return Access::splat;
  bool rows_follow = tiles.rows == 1 || strides[last - 1] == tiles.shape[last];
  return strides[last] == 1 && rows_follow ? Access::direct : Access::gather;
}

// Linear scan over the instructions: a slot is free again after the last use of its value.
void assign_slots(Plan& plan) {
  const Tape& tape = plan.tape;
  size_t inputs = tape.inputs.size(), values = inputs + tape.code.size();
  std::vector<size_t> last_use(values, 0);
  for (size_t k = 0; k < tape.code.size(); k++) {
    for (int i = 0; i < tape.code[k].arity; i++) last_use[tape.code[k].inputs[i]] = k;
  }
  plan.slot.assign(values, -1);
  std::vector<int> free;
  auto take = [&] {
    if (free.empty()) return plan.slots++;
    int slot = free.back();
    free.pop_back();
    return slot;
  };
  for (size_t v = 0; v < inputs; v++) {
    if (plan.access[v] != Access::direct) plan.slot[v] = plan.slots++;
  }
  for (size_t k = 0; k < tape.code.size(); k++) {
    size_t v = inputs + k;
    bool is_output = std::find(tape.outputs.begin(), tape.outputs.end(), v) != tape.outputs.end();
    if (!is_output || plan.streams) plan.slot[v] = is_output ? plan.slots++ : take();
    for (int i = 0; i < tape.code[k].arity; i++) {
      size_t used = tape.code[k].inputs[i];
      bool again =
          std::find(tape.code[k].inputs, tape.code[k].inputs + i, used) != tape.code[k].inputs + i;
      bool kept = std::find(tape.outputs.begin(), tape.outputs.end(), used) != tape.outputs.end();
      if (used >= inputs && last_use[used] == k && plan.slot[used] >= 0 && !again && !kept)
        free.push_back(plan.slot[used]);
    }
  }
}

// Runs the tiles of one chunk on one thread.
class TileRunner {
 public:
  explicit TileRunner(const Plan& plan)
      : plan_(plan), scratch_(plan.slots * plan.slot_bytes), values_(plan.slot.size()) {
    char* memory = scratch_.data<char>();
    for (size_t v = 0; v < values_.size(); v++) {
      if (plan.slot[v] >= 0) values_[v] = memory + plan.slot[v] * plan.slot_bytes;
    }
    int64_t tile = plan.tiles.rows * plan.tiles.columns;
    for (size_t v = 0; v < plan.tape.inputs.size(); v++) {
      if (plan.access[v] == Access::splat) fill(v, tile);
    }
  }

  void run(int64_t index) {
    const Tiles& t = plan_.tiles;
    size_t last = t.shape.size() - 1;
    int64_t column = index % t.column_tiles * t.columns,
            row = index / t.column_tiles % t.row_tiles * t.rows;
    int64_t outer = index / t.column_tiles / t.row_tiles;
    int64_t rows = std::min(t.rows, t.shape[last - 1] - row),
            columns = std::min(t.columns, t.shape[last] - column);
    for (size_t v = 0; v < plan_.tape.inputs.size(); v++)
      load(v, outer, row, column, rows, columns);
    int64_t position = (outer * t.shape[last - 1] + row) * t.shape[last] + column;
    for (size_t o = 0; o < plan_.output.size() && !plan_.streams; o++) {
      size_t v = plan_.tape.outputs[o];
      values_[v] = plan_.output[o] + position * plan_.tape.type_of(v).size();
    }
    execute(rows * columns);
    for (size_t o = 0; o < plan_.output.size() && plan_.streams; o++) {
      size_t v = plan_.tape.outputs[o];
      int64_t size = plan_.tape.type_of(v).size();
      stream_copy(values_[v], plan_.output[o] + position * size, rows * columns * size);
    }
  }

 private:
  void fill(size_t v, int64_t n) {
    kernels().copy.fill[std::countr_zero(plan_.tape.inputs[v].size())](plan_.input[v], values_[v],
                                                                       n);
  }

  void load(size_t v, int64_t outer, int64_t row, int64_t column, int64_t rows, int64_t columns) {
    if (plan_.access[v] == Access::splat) return;
    const Tiles& t = plan_.tiles;
    const Strides& strides = t.strides[v];
    size_t last = t.shape.size() - 1;
    int64_t offset = row * strides[last - 1] + column * strides[last];
    offset += offsets_at(outer, last - 1, t.shape, strides)[0];
    size_t size = plan_.tape.inputs[v].size();
    const char* from = plan_.input[v] + offset * static_cast<int64_t>(size);
    if (plan_.access[v] == Access::direct) {
      values_[v] = const_cast<char*>(from);
      return;
    }
    CopyBlock block{rows, columns, strides[last - 1], strides[last], columns, 1};
    copy_kernel(size)(from, values_[v], block);
  }

  void execute(int64_t n) {
    const Tape& tape = plan_.tape;
    for (size_t k = 0; k < tape.code.size(); k++) {
      const TapeInstr& instr = tape.code[k];
      const void* operands[3];
      for (int i = 0; i < instr.arity; i++) operands[i] = values_[instr.inputs[i]];
      void* result = values_[tape.inputs.size() + k];
      if (plan_.kernel[k])
        plan_.kernel[k](operands, result, n);
      else
        kernels().cast.table[static_cast<int>(instr.operand)][static_cast<int>(instr.result)](
            operands[0], result, n);
    }
  }

  const Plan& plan_;
  Scratch scratch_;
  std::vector<char*> values_;
};

// Same shape and strides without gaps: the operands can be walked in memory order, whatever it is.
const array* common_layout(std::span<array> inputs, const Shape& shape) {
  const array* reference = nullptr;
  for (const array& x : inputs) {
    if (x.data_size() == 1) continue;
    if (x.shape() != shape || !x.flags().contiguous || x.data_size() != x.size()) return nullptr;
    if (reference && x.strides() != reference->strides()) return nullptr;
    reference = &x;
  }
  return reference;
}

void allocate(array& out, const array* layout) {
  allocator::Buffer buffer = allocator::malloc(out.nbytes());
  if (layout)
    out.set_data(buffer, layout->data_size(), layout->strides(), layout->flags());
  else
    out.set_data(buffer);
}

// Fresh outputs that no cache can hold together with the inputs. A buffer taken over from an input is in the cache when
// it is written.
bool streams_outputs(std::span<array> inputs, std::span<array> outputs) {
  int64_t bytes = 0;
  for (const array& x : inputs) bytes += static_cast<int64_t>(x.data_size() * x.itemsize());
  for (const array& x : outputs) {
    bytes += static_cast<int64_t>(x.nbytes());
    for (const array& in : inputs) {
      if (in.data<void>() == x.data<void>()) return false;
    }
  }
  return exceeds_caches(bytes);
}

// An output takes over the buffer of an input of its layout. With several outputs one could be
// written while a later instruction still reads the input, so only the output of the last
// instruction may.
void allocate_outputs(const Tape& tape, std::span<array> inputs, std::span<array> outputs,
                      const array* layout) {
  for (size_t o = 0; o < outputs.size(); o++) {
    array& out = outputs[o];
    bool last = tape.outputs[o] + 1u == tape.inputs.size() + tape.code.size();
    for (array& in : inputs) {
      bool same_layout = in.shape() == out.shape() && in.data_size() == in.size() &&
                         (layout ? in.strides() == layout->strides() : in.flags().row_contiguous);
      if (!last || !same_layout || in.itemsize() != out.itemsize() || !in.is_donatable()) continue;
      out.copy_shared_buffer(in);
      break;
    }
    if (!out.data_shared_ptr()) allocate(out, layout);
  }
}

Plan make_plan(const Tape& tape, std::span<array> inputs, std::span<array> outputs, const array* layout) {
  const Shape& shape = outputs[0].shape();
  std::vector<Strides> strides;
  for (const array& x : inputs) {
    if (layout)
      strides.push_back({x.data_size() == 1 ? 0 : 1});
    else
      strides.push_back(broadcast_strides(x.shape(), x.strides(), shape));
  }
  int64_t size = static_cast<int64_t>(element_count(shape));
  Collapsed c =
      layout ? Collapsed{{size}, std::move(strides)} : collapse(shape, std::move(strides));
  Plan plan{tape, {}, {}, {}, {}, streams_outputs(inputs, outputs), {}, {}, 0, 0};
  bool one_pass =
      !plan.streams && tape.code.size() == 1 && c.shape.size() == 1 &&
      std::all_of(c.strides.begin(), c.strides.end(), [](const Strides& s) { return s[0] == 1; });
  // A single instruction over contiguous memory needs no slots, so its tiles can be as large as a
  // chunk.
  plan.tiles =
      make_tiles(std::move(c), one_pass ? std::max(tape_block(), chunk_bytes / 4) : tape_block());
  for (size_t v = 0; v < inputs.size(); v++) {
    plan.access.push_back(access_of(plan.tiles, plan.tiles.strides[v]));
    plan.input.push_back(inputs[v].data<char>());
  }
  for (const TapeInstr& instr : tape.code) {
    plan.kernel.push_back(
        instr.op == TapeInstr::cast
            ? nullptr
            : kernels().elementwise.table[instr.op][static_cast<int>(instr.operand)]);
  }
  size_t widest = 1;
  for (size_t v = 0; v < inputs.size() + tape.code.size(); v++)
    widest = std::max<size_t>(widest, tape.type_of(v).size());
  int64_t bytes = plan.tiles.rows * plan.tiles.columns * static_cast<int64_t>(widest);
  plan.slot_bytes = round_up(bytes, slot_align);
  assign_slots(plan);
  return plan;
}

}  // namespace

int64_t tape_block() {
  static const int64_t block = [] {
    const char* text = std::getenv("MLX_TAPE_BLOCK");
    long value = text ? std::strtol(text, nullptr, 10) : 0;
    return value > 0 ? value : 1024L;
  }();
  return block;
}

void run_tape(const Tape& tape, std::span<array> inputs, std::span<array> outputs) {
  const Shape& shape = outputs[0].shape();
  if (outputs[0].size() == 0) {
    for (array& out : outputs) allocate(out, nullptr);
    return;
  }
  const array* layout = common_layout(inputs, shape);
  // Row-major strides are not unique (axes of size one), so a row-major output gets its own.
  allocate_outputs(tape, inputs, outputs,
                   layout && layout->flags().row_contiguous ? nullptr : layout);
  Plan plan = make_plan(tape, inputs, outputs, layout);
  for (array& out : outputs) plan.output.push_back(out.data<char>());
  auto run = [&](int64_t begin, int64_t end) {
    TileRunner runner(plan);
    for (int64_t i = begin; i < end; i++) runner.run(i);
    if (plan.streams) stream_fence();
  };
  int64_t work = static_cast<int64_t>(outputs[0].nbytes() * tape.code.size());
  int64_t tile_bytes =
      plan.tiles.rows * plan.tiles.columns * static_cast<int64_t>(outputs[0].itemsize());
  if (work <= inline_bytes)
    run(0, plan.tiles.count);
  else
    parallel_chunks(plan.tiles.count, std::max<int64_t>(chunk_bytes / tile_bytes, 1), run);
}

}  // namespace mlx::core::cpu
