// The base of all operations of the graph. Included by users through mlx/primitives.h.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "mlx/array.h"
#include "mlx/stream.h"

namespace mlx::core {

class Primitive {
 public:
  explicit Primitive(Stream stream) : stream_(stream) {}
  virtual ~Primitive() = default;
  Primitive(const Primitive&) = delete;
  Primitive& operator=(const Primitive&) = delete;

  const Device& device() { return stream_.device; }
  const Stream& stream() const { return stream_; }

  // Inputs have data. Outputs get theirs here: set_data, or copy_shared_buffer for a view of an input.
  virtual void eval_cpu(const std::vector<array>& inputs, std::vector<array>& outputs) = 0;
  virtual void eval_gpu(const std::vector<array>& inputs, std::vector<array>& outputs) = 0;

  // Tangents of the outputs, given those of the inputs named by argnums.
  virtual std::vector<array> jvp(const std::vector<array>& primals, const std::vector<array>& tangents,
                                 const std::vector<int>& argnums);
  // Cotangents of the inputs named by argnums.
  virtual std::vector<array> vjp(const std::vector<array>& primals, const std::vector<array>& cotangents,
                                 const std::vector<int>& argnums, const std::vector<array>& outputs);
  // Batched outputs and their batch axes; an axis of -1 means not batched.
  virtual std::pair<std::vector<array>, std::vector<int>> vmap(const std::vector<array>& inputs,
                                                               const std::vector<int>& axes);
  virtual const char* name() const = 0;
  // Do both compute the same function? Only called for primitives of the same class.
  virtual bool is_equivalent(const Primitive&) const { return false; }
  // Shapes of the outputs for other inputs: what shapeless compilation needs.
  virtual std::vector<Shape> output_shapes(const std::vector<array>& inputs);

  // Internal: our own primitives are evaluated by the backend through their row in ops/primitives.def; user
  // primitives have none.
  virtual int kind() const { return -1; }
  // Internal: the row of ops/elementwise.def when the operation can be an instruction of a tape, else -1.
  virtual int tape_op() const { return -1; }
  // Internal: not 0 for a compiled program. The backend is told where its work begins and ends, so that a device can
  // run it as one unit; programs with the same key do the same work on buffers that may differ.
  virtual uint64_t region_key() const { return 0; }

 private:
  Stream stream_;
};

class UnaryPrimitive : public Primitive {
 public:
  explicit UnaryPrimitive(Stream stream) : Primitive(stream) {}
  virtual void eval_cpu(const std::vector<array>& inputs, array& output) = 0;
  virtual void eval_gpu(const std::vector<array>& inputs, array& output) = 0;
  void eval_cpu(const std::vector<array>& inputs, std::vector<array>& outputs) override {
    eval_cpu(inputs, outputs[0]);
  }
  void eval_gpu(const std::vector<array>& inputs, std::vector<array>& outputs) override {
    eval_gpu(inputs, outputs[0]);
  }
};

#define DEFINE_VMAP()                                                             \
  virtual std::pair<std::vector<mlx::core::array>, std::vector<int>> vmap(        \
      const std::vector<mlx::core::array>& inputs, const std::vector<int>& axes) override;

#define DEFINE_GRADS()                                                                               \
  std::vector<mlx::core::array> jvp(const std::vector<mlx::core::array>& primals,                    \
                                    const std::vector<mlx::core::array>& tangents,                   \
                                    const std::vector<int>& argnums) override;                       \
  std::vector<mlx::core::array> vjp(const std::vector<mlx::core::array>& primals,                    \
                                    const std::vector<mlx::core::array>& cotangents,                 \
                                    const std::vector<int>& argnums,                                 \
                                    const std::vector<mlx::core::array>& outputs) override;

#define DEFINE_NAME(X) \
  const char* name() const override { return #X; }

#define DEFINE_DEFAULT_IS_EQUIVALENT() \
  bool is_equivalent(const mlx::core::Primitive&) const override { return true; }

#define DEFINE_INPUT_OUTPUT_SHAPE()                                                                     \
  std::vector<mlx::core::Shape> output_shapes(const std::vector<mlx::core::array>& inputs) override {   \
    return {inputs[0].shape()};                                                                         \
  }

}  // namespace mlx::core
