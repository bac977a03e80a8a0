// Exporting and importing functions.

#include "mlx/export.h"

#include <exception>

#include "mlx/core/error.h"
#include "mlx/core/file.h"
#include "mlx/graph/export_trace.h"
#include "mlx/utils.h"

namespace mlx::core {

using namespace export_detail;

namespace detail {

struct Exporter {
  std::string path;         // empty with a callback
  ExportCallback callback;
  ExportFunction fun;
  File file;
  bool open = true;
};

struct Imported {
  std::string path;
  File file;
  std::vector<CompiledProgram> programs;
};

}  // namespace detail

namespace {

detail::ExportFunction positional(const std::function<std::vector<array>(const Args&)>& fun) {
  return [fun](const Args& args, const Kwargs&) { return fun(args); };
}
detail::ExportFunction by_keyword(const std::function<std::vector<array>(const Kwargs&)>& fun) {
  return [fun](const Args&, const Kwargs& kwargs) { return fun(kwargs); };
}

// The trace that fits the inputs; one for the same sizes before one for any sizes.
const Trace* matching(const File& file, const CallInputs& inputs) {
  const Trace* found = nullptr;
  for (const Trace& trace : file.traces) {
    if (!trace.accepts(inputs.arrays, inputs.keywords)) continue;
    if (trace.program.same_shapes(inputs.arrays)) return &trace;
    found = &trace;
  }
  return found;
}

const detail::Imported& imported_of(const std::shared_ptr<const detail::Imported>& imported) {
  if (!imported) raise("[import_function] Nothing was imported.");
  return *imported;
}

}  // namespace

FunctionExporter::FunctionExporter(std::unique_ptr<detail::Exporter> exporter) : exporter_(std::move(exporter)) {}
FunctionExporter::FunctionExporter(FunctionExporter&&) noexcept = default;

FunctionExporter::~FunctionExporter() {
  if (!exporter_) return;
  try {
    if (std::uncaught_exceptions() == 0) close();
  } catch (...) {
  }
}

void FunctionExporter::operator()(const Args& args, const Kwargs& kwargs) {
  if (!exporter_ || !exporter_->open) raise<std::runtime_error>("[export_function] The exporter is closed.");
  detail::Exporter& e = *exporter_;
  if (matching(e.file, CallInputs(args, kwargs))) {
    raise<std::runtime_error>("[export_function] The function has already been traced for such inputs.");
  }
  Trace trace = Trace::record(e.fun, args, kwargs, e.file.shapeless);
  if (e.callback) describe(trace, e.callback);
  e.file.traces.push_back(std::move(trace));
}

void FunctionExporter::close() {
  if (!exporter_ || !exporter_->open) return;
  detail::Exporter& e = *exporter_;
  e.open = false;
  if (e.callback) return;
  io::FileWriter writer(e.path);
  e.file.write(writer);
  writer.commit();
}

void FunctionExporter::abandon() {
  if (exporter_) exporter_->open = false;
}

FunctionExporter exporter(const std::string& file, const detail::ExportFunction& fun, bool shapeless,
                          const std::string& metadata) {
  auto e = std::make_unique<detail::Exporter>();
  e->path = file;
  e->fun = fun;
  e->file.shapeless = shapeless;
  e->file.metadata = metadata;
  return FunctionExporter(std::move(e));
}

FunctionExporter exporter(const ExportCallback& callback, const detail::ExportFunction& fun, bool shapeless) {
  auto e = std::make_unique<detail::Exporter>();
  e->callback = callback;
  e->fun = fun;
  e->file.shapeless = shapeless;
  return FunctionExporter(std::move(e));
}

FunctionExporter exporter(const std::string& file, const std::function<std::vector<array>(const Args&)>& fun,
                          bool shapeless, const std::string& metadata) {
  return exporter(file, positional(fun), shapeless, metadata);
}
FunctionExporter exporter(const std::string& file, const std::function<std::vector<array>(const Kwargs&)>& fun,
                          bool shapeless, const std::string& metadata) {
  return exporter(file, by_keyword(fun), shapeless, metadata);
}
FunctionExporter exporter(const ExportCallback& callback, const std::function<std::vector<array>(const Args&)>& fun,
                          bool shapeless) {
  return exporter(callback, positional(fun), shapeless);
}
FunctionExporter exporter(const ExportCallback& callback, const std::function<std::vector<array>(const Kwargs&)>& fun,
                          bool shapeless) {
  return exporter(callback, by_keyword(fun), shapeless);
}

namespace {

void export_once(FunctionExporter e, const Args& args, const Kwargs& kwargs) {
  e(args, kwargs);
  e.close();
}

}  // namespace

void export_function(const std::string& file, const detail::ExportFunction& fun, const Args& args,
                     const Kwargs& kwargs, bool shapeless, const std::string& metadata) {
  export_once(exporter(file, fun, shapeless, metadata), args, kwargs);
}
void export_function(const std::string& file, const std::function<std::vector<array>(const Args&)>& fun,
                     const Args& args, bool shapeless, const std::string& metadata) {
  export_function(file, positional(fun), args, {}, shapeless, metadata);
}
void export_function(const std::string& file, const std::function<std::vector<array>(const Kwargs&)>& fun,
                     const Kwargs& kwargs, bool shapeless, const std::string& metadata) {
  export_function(file, by_keyword(fun), {}, kwargs, shapeless, metadata);
}
void export_function(const ExportCallback& callback, const detail::ExportFunction& fun, const Args& args,
                     const Kwargs& kwargs, bool shapeless) {
  export_once(exporter(callback, fun, shapeless), args, kwargs);
}
void export_function(const ExportCallback& callback, const std::function<std::vector<array>(const Args&)>& fun,
                     const Args& args, bool shapeless) {
  export_function(callback, positional(fun), args, {}, shapeless);
}
void export_function(const ExportCallback& callback, const std::function<std::vector<array>(const Kwargs&)>& fun,
                     const Kwargs& kwargs, bool shapeless) {
  export_function(callback, by_keyword(fun), {}, kwargs, shapeless);
}

ImportedFunction import_function(const std::string& path) {
  io::ParallelFileReader reader(path);
  auto imported = std::make_shared<detail::Imported>();
  imported->path = path;
  imported->file = File::read(reader);
  for (const Trace& trace : imported->file.traces) {
    imported->programs.push_back({trace.program, trace.program.fused()});
  }
  return ImportedFunction(imported);
}

std::string ImportedFunction::metadata() const { return imported_of(imported_).file.metadata; }

std::vector<array> ImportedFunction::operator()(const Args& args, const Kwargs& kwargs) const {
  CallInputs inputs(args, kwargs);
  const File& file = imported_of(imported_).file;
  if (const Trace* trace = matching(file, inputs)) {
    const CompiledProgram& compiled = imported_->programs[trace - file.traces.data()];
    return compiled.run(inputs.arrays, trace->program.same_shapes(inputs.arrays));
  }
  std::string given, known;
  for (size_t i = 0; i < inputs.arrays.size(); i++) {
    size_t first_keyword = inputs.arrays.size() - inputs.keywords.size();
    if (i > 0) given += ", ";
    if (i >= first_keyword) given += inputs.keywords[i - first_keyword] + "=";
    given += concat(inputs.arrays[i].dtype(), " ", inputs.arrays[i].shape());
  }
  for (const Trace& trace : file.traces) known += "\n  " + trace.signature();
  raise("[import_function] '", imported_->path, "' holds no trace for the inputs (", given, "). It holds:", known);
}

}  // namespace mlx::core
