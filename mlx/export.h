// Functions in files: traced once or several times, written as programs, and called again in another process.
//
// What a file holds is a program: import functions only from sources you trust as much as code.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "mlx/array.h"

namespace mlx::core {

using Args = std::vector<array>;
using Kwargs = std::unordered_map<std::string, array>;

// A member of a primitive, as the callback form shows it.
using StateT = std::variant<bool, int, size_t, float, double, Dtype, Shape, std::vector<int>, std::vector<size_t>,
                            std::optional<float>, std::string>;

// One step of a traced function, told by its "type": inputs and outputs come with lists (name, shape, dtype),
// keyword_inputs with pairs (keyword, name), constants with pairs (name, array), a primitive with name, inputs,
// outputs and arguments.
using ExportCallbackInput =
    std::unordered_map<std::string, std::variant<std::vector<std::tuple<std::string, Shape, Dtype>>,
                                                 std::vector<std::pair<std::string, array>>,
                                                 std::vector<std::pair<std::string, std::string>>,
                                                 std::vector<std::string>, std::vector<StateT>, std::string>>;
using ExportCallback = std::function<void(const ExportCallbackInput&)>;

namespace detail {
struct Exporter;
struct Imported;
using ExportFunction = std::function<std::vector<array>(const Args&, const Kwargs&)>;
}  // namespace detail

// Each call traces the function for these inputs. The file is written when it is closed; it replaces an old one only
// as a whole. A call for inputs that fit an earlier trace, or after close(), throws std::runtime_error.
class FunctionExporter {
 public:
  explicit FunctionExporter(std::unique_ptr<detail::Exporter> exporter);
  FunctionExporter(FunctionExporter&&) noexcept;
  FunctionExporter& operator=(FunctionExporter&&) = delete;
  ~FunctionExporter();  // closes, unless an exception is on its way

  void operator()(const std::initializer_list<array>& args) { (*this)(Args(args), {}); }
  void operator()(const Args& args) { (*this)(args, {}); }
  void operator()(const Kwargs& kwargs) { (*this)({}, kwargs); }
  void operator()(const Args& args, const Kwargs& kwargs);
  void close();
  // Closes without writing.
  void abandon();

 private:
  std::unique_ptr<detail::Exporter> exporter_;
};

// shapeless: a trace serves all inputs with as many dimensions, unless the function depends on a size.
FunctionExporter exporter(const std::string& file, const detail::ExportFunction& fun, bool shapeless = false,
                          const std::string& metadata = "");
FunctionExporter exporter(const std::string& file, const std::function<std::vector<array>(const Args&)>& fun,
                          bool shapeless = false, const std::string& metadata = "");
FunctionExporter exporter(const std::string& file, const std::function<std::vector<array>(const Kwargs&)>& fun,
                          bool shapeless = false, const std::string& metadata = "");
FunctionExporter exporter(const ExportCallback& callback, const detail::ExportFunction& fun, bool shapeless = false);
FunctionExporter exporter(const ExportCallback& callback, const std::function<std::vector<array>(const Args&)>& fun,
                          bool shapeless = false);
FunctionExporter exporter(const ExportCallback& callback, const std::function<std::vector<array>(const Kwargs&)>& fun,
                          bool shapeless = false);

void export_function(const std::string& file, const std::function<std::vector<array>(const Args&)>& fun,
                     const Args& args, bool shapeless = false, const std::string& metadata = "");
void export_function(const std::string& file, const std::function<std::vector<array>(const Kwargs&)>& fun,
                     const Kwargs& kwargs, bool shapeless = false, const std::string& metadata = "");
void export_function(const std::string& file, const detail::ExportFunction& fun, const Args& args,
                     const Kwargs& kwargs, bool shapeless = false, const std::string& metadata = "");
void export_function(const ExportCallback& callback, const std::function<std::vector<array>(const Args&)>& fun,
                     const Args& args, bool shapeless = false);
void export_function(const ExportCallback& callback, const std::function<std::vector<array>(const Kwargs&)>& fun,
                     const Kwargs& kwargs, bool shapeless = false);
void export_function(const ExportCallback& callback, const detail::ExportFunction& fun, const Args& args,
                     const Kwargs& kwargs, bool shapeless = false);

// Calls run the trace that fits the inputs; where none does, std::invalid_argument lists those that exist.
class ImportedFunction {
 public:
  explicit ImportedFunction(std::shared_ptr<const detail::Imported> imported) : imported_(std::move(imported)) {}
  std::vector<array> operator()(const std::initializer_list<array>& args) const { return (*this)(Args(args), {}); }
  std::vector<array> operator()(const Args& args) const { return (*this)(args, {}); }
  std::vector<array> operator()(const Kwargs& kwargs) const { return (*this)({}, kwargs); }
  std::vector<array> operator()(const Args& args, const Kwargs& kwargs) const;
  std::string metadata() const;

 private:
  std::shared_ptr<const detail::Imported> imported_;
};

// Throws std::runtime_error naming the file and what is wrong with it.
ImportedFunction import_function(const std::string& file);

}  // namespace mlx::core
