// mx.compile: the cache of programs and the calls through it.

#include "mlx/compile.h"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "mlx/core/tracing.h"
#include "mlx/graph/program.h"
#include "mlx/transforms_impl.h"
#include "mlx/utils.h"

namespace mlx::core {

namespace {

constexpr const char* no_value =
    "[compile] The value of an array inside a compiled function is not known: the function is traced once and its "
    "program is run later. Move the use of the value (item, bool, a NumPy conversion, eval) outside of compile. "
    "An array that the function stored elsewhere never has one: return it, or name its container in outputs.";

std::atomic<CompileMode>& mode() {
  static std::atomic<CompileMode> m{std::getenv("MLX_DISABLE_COMPILE") ? CompileMode::disabled : CompileMode::enabled};
  return m;
}

using Key = std::vector<uint64_t>;

struct KeyHash {
  size_t operator()(const Key& key) const {
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint64_t word : key) hash = (hash ^ word ^ (word >> 29)) * 0x100000001b3u;
    return hash;
  }
};

// What programs are told apart by, apart from sizes.
Key make_key(const std::vector<array>& inputs, const std::vector<uint64_t>& constants) {
  Stream stream = default_stream(default_device());
  Key key{static_cast<uint64_t>(stream.index), static_cast<uint64_t>(mode().load()), inputs.size()};
  for (const array& x : inputs) key.push_back(x.ndim() << 8 | static_cast<uint64_t>(x.dtype().val()));
  key.insert(key.end(), constants.begin(), constants.end());
  return key;
}

struct Entry {
  bool any_shapes;  // nothing in the program depends on the shapes of the trace
  CompiledProgram program;
  std::shared_ptr<void> extra;
  bool same_shapes(const std::vector<array>& inputs) const { return program.plain.same_shapes(inputs); }
};

}  // namespace

namespace detail {

class CompileCache {
 public:
  // The candidates for the key; a program that was traced for other sizes comes after those of the same sizes.
  std::vector<std::shared_ptr<const Entry>> find(const Key& key, const std::vector<array>& inputs) {
    std::lock_guard guard(mutex_);
    std::vector<std::shared_ptr<const Entry>> found;
    auto it = entries_.find(key);
    if (it == entries_.end()) return found;
    for (auto& entry : it->second) {
      if (entry->same_shapes(inputs)) return {entry};
      if (entry->any_shapes) found.push_back(entry);
    }
    return found;
  }

  void insert(const Key& key, std::shared_ptr<const Entry> entry) {
    std::lock_guard guard(mutex_);
    entries_[key].push_back(std::move(entry));
  }

 private:
  std::mutex mutex_;  // never held while the function is traced: it may call itself
  std::unordered_map<Key, std::vector<std::shared_ptr<const Entry>>, KeyHash> entries_;
};

std::shared_ptr<CompileCache> make_compile_cache() { return std::make_shared<CompileCache>(); }

bool compile_enabled() { return mode().load() != CompileMode::disabled; }

namespace {

std::shared_ptr<const Entry> trace(const TracedFunction& fun, const std::vector<array>& inputs, bool shapeless) {
  TraceScope scope;
  auto entry = std::make_shared<Entry>();
  std::vector<array> stand_ins;
  for (const array& x : inputs) stand_ins.push_back(array::placeholder(x.shape(), x.dtype(), no_value));
  std::optional<ShapelessScope> sizes;
  if (shapeless) sizes.emplace();
  CompiledResult result = fun(stand_ins);
  entry->any_shapes = sizes && !sizes->size_was_read();
  sizes.reset();
  entry->extra = result.extra;
  Program plain = Program::record(stand_ins, result.outputs);
  CompileMode m = mode().load();
  if (m != CompileMode::no_simplify) plain.simplify();
  Program fused = m == CompileMode::no_fuse || m == CompileMode::no_simplify ? plain : plain.fused();
  entry->program = {std::move(plain), std::move(fused)};
  return entry;
}

}  // namespace

CompiledResult compiled_call(CompileCache& cache, const TracedFunction& fun, const std::vector<array>& inputs,
                             const std::vector<uint64_t>& constants, bool shapeless) {
  if (!compile_enabled()) return fun(inputs);
  Key key = make_key(inputs, constants);
  for (auto& entry : cache.find(key, inputs)) {
    bool same = entry->same_shapes(inputs);
    try {
      return {entry->program.run(inputs, same), entry->extra};
    } catch (const std::invalid_argument&) {
      if (same) throw;  // otherwise there is no such program for these sizes: trace it
    }
  }
  auto entry = trace(fun, inputs, shapeless);
  // A program that captured arrays of an outer trace is good for this call only.
  if (!entry->program.captured_traced()) cache.insert(key, entry);
  return {entry->program.run(inputs, true), entry->extra};
}

}  // namespace detail

namespace {

using Arrays = std::vector<array>;
using Function = std::function<Arrays(const Arrays&)>;

Function through_cache(std::shared_ptr<detail::CompileCache> cache, Function fun, bool shapeless) {
  return [cache = std::move(cache), fun = std::move(fun), shapeless](const Arrays& inputs) {
    auto traced = [&](const Arrays& x) { return detail::CompiledResult{fun(x), nullptr}; };
    return detail::compiled_call(*cache, traced, inputs, {}, shapeless).outputs;
  };
}

}  // namespace

Function compile(Function fun, bool shapeless) {
  return through_cache(detail::make_compile_cache(), std::move(fun), shapeless);
}

// Function pointers share a cache for the life of the process.
Function compile(Arrays (*fun)(const Arrays&), bool shapeless) {
  static std::mutex mutex;
  static auto* caches = new std::unordered_map<const void*, std::shared_ptr<detail::CompileCache>>;
  std::lock_guard guard(mutex);
  auto& cache = (*caches)[reinterpret_cast<const void*>(fun)];
  if (!cache) cache = detail::make_compile_cache();
  return through_cache(cache, fun, shapeless);
}

void disable_compile() { mode() = CompileMode::disabled; }
void enable_compile() { mode() = CompileMode::enabled; }
void set_compile_mode(CompileMode m) { mode() = m; }

}  // namespace mlx::core
