// Files of exported functions: see export_format.h for the bytes.

#include "mlx/core/dispatch.h"
#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/graph/export_check.h"
#include "mlx/graph/export_primitive.h"
#include "mlx/graph/export_trace.h"
#include "mlx/ops.h"

namespace mlx::core::export_detail {

namespace {

constexpr const char* version = "mlxfn 1";

void put_constant(Output& out, const array& x) {
  array row_major = contiguous(x, false, Device(Device::cpu));
  row_major.eval();
  out.unhashed(row_major.data<char>(), row_major.nbytes());
}

void put_program(Output& out, const Program& p) {
  auto kind = [&](size_t v) {
    out.put(p.shapes[v]);
    out.put(p.dtypes[v]);
  };
  size_t inputs = static_cast<size_t>(p.inputs);
  out.put(static_cast<uint64_t>(inputs));
  for (size_t v = 0; v < inputs; v++) kind(v);
  out.put(static_cast<uint64_t>(p.constants.size()));
  for (size_t c = 0; c < p.constants.size(); c++) {
    kind(inputs + c);
    put_constant(out, p.constants[c]);
  }
  out.put(static_cast<uint64_t>(p.steps.size()));
  for (const ProgramStep& step : p.steps) {
    put_primitive(out, *step.primitive);
    out.put(step.inputs);
    out.put(static_cast<uint64_t>(step.outputs.size()));  // values in the order in which they are made
    for (int v : step.outputs) kind(static_cast<size_t>(v));
  }
  out.put(p.outputs);
}

class ProgramReader {
 public:
  explicit ProgramReader(Input& in) : in_(in) {}

  Program read() {
    size_t inputs = in_.count();
    p_.inputs = static_cast<int>(inputs);
    for (size_t i = 0; i < inputs; i++) add_value();
    size_t constants = in_.count();
    for (size_t i = 0; i < constants; i++) {
      int v = add_value();
      p_.constants.push_back(constant(p_.shapes[v], p_.dtypes[v]));
    }
    size_t steps = in_.count();
    for (size_t i = 0; i < steps; i++) read_step();
    in_.get(p_.outputs);
    check_known(p_.outputs);
    return std::move(p_);
  }

 private:
  int add_value() {
    p_.shapes.push_back(in_.get<Shape>());
    p_.dtypes.push_back(in_.get<Dtype>());
    for (ShapeElem n : p_.shapes.back()) {
      if (n < 0) in_.fail(concat("a shape is ", p_.shapes.back()));
    }
    return static_cast<int>(p_.shapes.size()) - 1;
  }

  array constant(const Shape& shape, Dtype dtype) {
    size_t bytes = dtype.size();
    bool fits = true;
    for (ShapeElem n : shape) fits = fits && !__builtin_mul_overflow(bytes, static_cast<size_t>(n), &bytes);
    if (!fits || bytes > in_.left()) {
      in_.fail(concat("a constant of shape ", shape, " does not fit into the ", in_.left(), " bytes that are left"));
    }
    allocator::Buffer buffer = allocator::malloc(bytes);
    array x(buffer, shape, dtype);
    in_.unhashed(x.data<char>(), bytes);
    return x;
  }

  void check_known(const std::vector<int>& values) {
    for (int v : values) {
      if (v < 0 || static_cast<size_t>(v) >= p_.shapes.size()) in_.fail(concat("there is no value ", v, " yet"));
    }
  }

  void read_step() {
    ProgramStep step{get_primitive(in_), in_.get<std::vector<int>>(), {}};
    check_known(step.inputs);
    size_t outputs = in_.count();
    for (size_t o = 0; o < outputs; o++) step.outputs.push_back(add_value());
    p_.steps.push_back(std::move(step));
  }

  Input& in_;
  Program p_;
};

void check_step(const Program& p, const ProgramStep& step, const std::vector<array>& values) {
  std::vector<array> inputs;
  for (int v : step.inputs) inputs.push_back(values[v]);
  std::vector<Dtype> dtypes = checked_dtypes(*step.primitive, inputs, step.outputs.size());
  std::vector<Shape> shapes = step.primitive->output_shapes(inputs);
  bool agree = shapes.size() == step.outputs.size() && dtypes.size() == shapes.size();
  for (size_t o = 0; agree && o < shapes.size(); o++) {
    agree = shapes[o] == p.shapes[step.outputs[o]] && dtypes[o] == p.dtypes[step.outputs[o]];
  }
  if (!agree) raise("its results are not those that the file says.");
}

// The operations are such as the library makes, and give the shapes and dtypes that the file says.
void check_program(const Program& p, const Input& in) {
  TraceScope scope;
  const char* name = "input";
  try {
    std::vector<array> values;
    for (size_t v = 0; v < p.shapes.size(); v++) {
      values.push_back(array::placeholder(p.shapes[v], p.dtypes[v], "[import_function] There is no value yet."));
    }
    for (const ProgramStep& step : p.steps) {
      name = step.primitive->name();
      check_step(p, step, values);
    }
  } catch (const std::exception& e) {
    in.fail(concat("a step (", name, ") is not right: ", e.what()));
  }
}

}  // namespace

void File::write(io::Writer& writer) const {
  Output out(writer);
  out.put(std::string(version));
  out.put(static_cast<int32_t>(traces.size()));
  out.put(shapeless);
  out.put(metadata);
  for (const Trace& trace : traces) {
    out.put(trace.keywords);
    out.put(trace.any_shapes);
    put_program(out, trace.program);
  }
  out.finish();
}

File File::read(io::Reader& reader) {
  Input in(reader);
  std::string found = in.get<std::string>();
  if (found != version) in.fail("it is not a function exported by this version");
  File file;
  int32_t count = in.get<int32_t>();
  in.get(file.shapeless);
  in.get(file.metadata);
  for (int32_t i = 0; i < count; i++) {
    Trace trace;
    in.get(trace.keywords);
    in.get(trace.any_shapes);
    trace.program = ProgramReader(in).read();
    if (trace.keywords.size() > static_cast<size_t>(trace.program.inputs)) in.fail("it has more keywords than inputs");
    file.traces.push_back(std::move(trace));
  }
  in.finish();
  for (const Trace& trace : file.traces) check_program(trace.program, in);
  return file;
}

}  // namespace mlx::core::export_detail
