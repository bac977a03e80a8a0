// One trace of an exported function, and how inputs are matched to it.
#pragma once

#include <string>
#include <vector>

#include "mlx/core/reader.h"
#include "mlx/export.h"
#include "mlx/graph/program.h"

namespace mlx::core::export_detail {

struct Trace {
  std::vector<std::string> keywords;  // of the last inputs, sorted
  bool any_shapes = false;            // nothing in the program depends on a size
  Program program;

  static Trace record(const detail::ExportFunction& fun, const Args& args, const Kwargs& kwargs, bool shapeless);
  // The inputs of a call in the order of the program; false where names, count, dtypes or dimensions differ.
  bool accepts(const std::vector<array>& inputs, const std::vector<std::string>& names) const;
  std::string signature() const;
};

// Positional inputs, then those by keyword in the order of their names.
struct CallInputs {
  CallInputs(const Args& args, const Kwargs& kwargs);
  std::vector<array> arrays;
  std::vector<std::string> keywords;
};

struct File {
  bool shapeless = false;
  std::string metadata;
  std::vector<Trace> traces;

  void write(io::Writer& writer) const;
  static File read(io::Reader& reader);
};

// The callback form.
void describe(const Trace& trace, const ExportCallback& callback);

}  // namespace mlx::core::export_detail
