// Array handles: construction, element types, shapes, strides, copies, siblings, donation, death.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "mlx/core/dispatch.h"
#include "mlx/core/error.h"
#include "mlx/core/node.h"
#include "mlx/core/tracing.h"
#include "mlx/memory.h"
#include "test_primitives.h"

using namespace mlx::core;
using namespace mlx::core::testing;

namespace {

const std::vector<Dtype> all_dtypes = {bool_, uint8, uint16, uint32,  uint64,  int8,     int16,
                                       int32, int64, float16, float32, float64, bfloat16, complex64};

// Each test must give back all that it took.
class ArrayTest : public ::testing::Test {
 protected:
  void TearDown() override { EXPECT_EQ(get_active_memory(), before_); }

 private:
  size_t before_ = get_active_memory();
};

TEST_F(ArrayTest, Scalars) {
  EXPECT_EQ(array(1.5).dtype(), float32);
  EXPECT_EQ(array(1.5f).dtype(), float32);
  EXPECT_EQ(array(3).dtype(), int32);
  EXPECT_EQ(array(true).dtype(), bool_);
  EXPECT_EQ(array(int64_t{3}).dtype(), int64);
  EXPECT_EQ(array(std::complex<float>(1, 2)).dtype(), complex64);
  EXPECT_EQ(array(0.1, float64).item<double>(), 0.1);
  EXPECT_EQ(array(3.7, int32).item<int>(), 3);
  EXPECT_EQ(array(3).ndim(), 0u);
  EXPECT_EQ(array(3).size(), 1u);
}

TEST_F(ArrayTest, FromListsAndRanges) {
  array a({1.0f, 2.0f, 3.0f}), b({1, 2, 3}, float32), c({1, 2, 3, 4}, {2, 2});
  EXPECT_EQ(a.shape(), Shape{3});
  EXPECT_EQ(b.data<float>()[2], 3.0f);
  EXPECT_EQ(c.shape(), (Shape{2, 2}));
  EXPECT_EQ(c.dtype(), int32);
  std::vector<bool> bits = {true, false, true};
  EXPECT_TRUE(array(bits.begin(), Shape{3}).data<bool>()[2]);
  EXPECT_THROW(array({1, 2, 3}, Shape{2, 2}), std::invalid_argument);
  EXPECT_THROW(array({1}, Shape{-1}), std::invalid_argument);
  EXPECT_EQ(array(std::vector<float>().begin(), Shape{0, 3}).size(), 0u);
}

TEST_F(ArrayTest, EveryDtypeConvertsToEveryOther) {
  for (Dtype from : all_dtypes) {
    for (Dtype to : all_dtypes) {
      dispatch_dtype(from, [&]<typename T>(TypeTag<T>) {
        std::vector<T> values(3, static_cast<T>(1));
        values[1] = static_cast<T>(0);
        std::unique_ptr<T[]> plain(new T[3]);
        for (int i = 0; i < 3; i++) plain[i] = values[i];
        array a(plain.get(), Shape{3}, to);
        EXPECT_EQ(a.dtype(), to);
        EXPECT_EQ(a.itemsize(), to.size());
        array one(static_cast<T>(1), to), zero(static_cast<T>(0), to);
        EXPECT_EQ(one.item<float>(), 1.0f) << dtype_name(from) << " to " << dtype_name(to);
        EXPECT_EQ(zero.item<float>(), 0.0f);
        dispatch_dtype(to, [&]<typename U>(TypeTag<U>) {
          EXPECT_TRUE(a.template data<U>()[0] == static_cast<U>(1));
          EXPECT_TRUE(a.template data<U>()[1] == static_cast<U>(0));
        });
      });
    }
  }
}

TEST_F(ArrayTest, ConversionRules) {
  EXPECT_EQ(array(300, uint8).item<int>(), 44);
  EXPECT_EQ(array(-1, uint8).item<int>(), 255);
  EXPECT_EQ(array(1e10, int32).item<int>(), std::numeric_limits<int>::min());
  EXPECT_EQ(array(NAN, int32).item<int>(), std::numeric_limits<int>::min());
  EXPECT_EQ(array(-1.9, int32).item<int>(), -1);
  EXPECT_TRUE(array(NAN, bool_).item<bool>());
  EXPECT_TRUE(array(0.5, bool_).item<bool>());
  EXPECT_EQ(array(std::complex<float>(0, 1), float32).item<float>(), 0.0f);
  EXPECT_TRUE(array(std::complex<float>(0, 1), bool_).item<bool>());
  EXPECT_EQ(array(1e6, float16).item<float>(), INFINITY);
  EXPECT_EQ(array(uint64_t{1} << 63, uint64).item<uint64_t>(), uint64_t{1} << 63);
  EXPECT_EQ(array(1.0f + 1.0f / 256, bfloat16).item<float>(), 1.0f);  // to even
}

TEST_F(ArrayTest, ShapesAre64Bit) {
  int64_t big = int64_t{1} << 40;
  array a = custom({}, {big, 3}, [](const auto&, auto&) {});
  EXPECT_EQ(a.size(), static_cast<size_t>(big) * 3);
  EXPECT_EQ(a.nbytes(), static_cast<size_t>(big) * 12);
  EXPECT_EQ(a.shape(-2), big);
  EXPECT_EQ(a.strides(), (Strides{3, 1}));
  EXPECT_THROW(custom({}, {big, big}, [](const auto&, auto&) {}), std::overflow_error);
  EXPECT_THROW(custom({}, {int64_t{1} << 61}, [](const auto&, auto&) {}), std::overflow_error);
  EXPECT_NO_THROW(custom({}, {int64_t{1} << 60}, [](const auto&, auto&) {}));
  EXPECT_EQ(custom({}, {big, big, 0}, [](const auto&, auto&) {}).size(), 0u);
  EXPECT_THROW(a.shape(2), AxisError);
  EXPECT_THROW(a.strides(-3), AxisError);
}

TEST_F(ArrayTest, StridesOfUnevaluatedArraysAreTheirOwn) {
  array a = custom({}, {2, 3}, [](const auto&, auto&) {}), b = custom({}, {5, 7}, [](const auto&, auto&) {});
  const Strides &s = a.strides(), &t = b.strides();
  EXPECT_EQ(s, (Strides{3, 1}));
  EXPECT_EQ(t, (Strides{7, 1}));
}

TEST_F(ArrayTest, ViewsShareTheBuffer) {
  array x({1.0f, 2.0f, 3.0f, 4.0f}, {2, 2});
  array t = custom({x}, {2, 2}, [](const auto& in, auto& out) {
    out[0].copy_shared_buffer(in[0], {1, 2}, {true, false, true}, 4);
  });
  array reversed = custom({x}, {4}, [](const auto& in, auto& out) {
    out[0].copy_shared_buffer(in[0], {-1}, {true, false, false}, 4, 3);
  });
  eval(t, reversed);
  EXPECT_EQ(t.buffer().raw_ptr(), x.buffer().raw_ptr());
  EXPECT_EQ(t.strides(), (Strides{1, 2}));
  EXPECT_EQ(reversed.data<float>()[0], 4.0f);
  EXPECT_EQ(reversed.data<float>()[-3], 1.0f);
  EXPECT_EQ(reversed.offset(), 12);
  EXPECT_EQ(x.data_shared_ptr().use_count(), 3);
}

TEST_F(ArrayTest, CopiesShareTheNode) {
  array a = add_constant(ones(2), 1), b = a;
  eval(b);
  EXPECT_EQ(a.id(), b.id());
  EXPECT_EQ(a.status(), array::available);
  array c = std::move(b);
  b = c;
  b = *&b;
  EXPECT_EQ(b.data<float>(), c.data<float>());
}

TEST_F(ArrayTest, Iteration) {
  array zero(1.0f);
  EXPECT_THROW(zero.begin(), std::invalid_argument);
}

TEST_F(ArrayTest, ForeignMemoryGoesBackToItsOwner) {
  std::vector<float> memory = {1, 2, 3};
  int released = 0;
  {
    array a(memory.data(), {3}, float32, [&](void* p) { released += p == memory.data(); });
    array b = a, c = add_constant(a, 1);
    EXPECT_EQ(a.data<float>(), memory.data());
    eval(c);
    EXPECT_EQ(c.data<float>()[2], 4.0f);
    EXPECT_EQ(released, 0);
  }
  EXPECT_EQ(released, 1);
  EXPECT_EQ(memory[2], 3.0f);
}

// Siblings

TEST_F(ArrayTest, SiblingsKnowEachOther) {
  std::vector<array> out = both_sides(ones(2));
  EXPECT_EQ(out[1].sibling_position(), 1);
  ASSERT_EQ(out[0].siblings().size(), 1u);
  EXPECT_EQ(out[0].siblings()[0].id(), out[1].id());
  EXPECT_EQ(out[1].outputs()[0].id(), out[0].id());
  EXPECT_EQ(out[0].primitive_id(), out[1].primitive_id());
}

TEST_F(ArrayTest, OneEvaluationServesAllSiblings) {
  std::atomic<int> runs = 0;
  std::vector<array> out = both_sides(ones(2), cpu_stream(), &runs);
  eval(out[1]);
  EXPECT_EQ(out[0].status(), array::available);
  EXPECT_EQ(out[0].data<float>()[1], 2.0f);
  EXPECT_EQ(runs, 1);
}

TEST_F(ArrayTest, SiblingsThatDiedAreMadeAgain) {
  for (int survivor : {0, 1}) {
    std::vector<array> out = both_sides(ones(2));
    array kept = out[survivor];
    out.clear();
    ASSERT_EQ(kept.siblings().size(), 1u);
    EXPECT_EQ(kept.siblings()[0].shape(), Shape{2});
    eval(kept);
    EXPECT_EQ(kept.data<float>()[1], survivor ? 0.0f : 2.0f);
  }
}

TEST_F(ArrayTest, EvaluatedSiblingsHavePartedSoThatDonationIsSafe) {
  std::vector<array> out = both_sides(ones(2));
  array second = out[1];
  eval(second);
  array used = add_constant(out[0], 1);
  out.clear();
  eval(used);
  EXPECT_TRUE(second.siblings().empty());
  ASSERT_EQ(second.outputs().size(), 1u);
  EXPECT_EQ(second.outputs()[0].id(), second.id());
}

TEST_F(ArrayTest, TracedSiblingMadeAgainDoesNotTouchTheOthers) {
  array x = ones(2);
  TraceScope scope;
  x.set_tracer(true);
  std::vector<array> out = both_sides(x);
  array kept = out[0];
  out.clear();
  eval(kept);
  const void* buffer = kept.buffer().raw_ptr();
  array again = kept.siblings()[0];
  eval(again);
  EXPECT_EQ(again.data<float>()[0], 0.0f);
  EXPECT_EQ(kept.buffer().raw_ptr(), buffer);
  EXPECT_EQ(kept.data<float>()[0], 2.0f);
}

// Donation. `donatable(f)` evaluates an operation on the arrays that f hands over and says which it could have taken.

struct Probe {
  std::vector<bool> donatable;
  array run(std::vector<array> inputs) {
    return custom(std::move(inputs), {4}, [this](const std::vector<array>& in, std::vector<array>& out) {
      for (const array& x : in) donatable.push_back(x.is_donatable());
      allocate(out[0]);
    });
  }
};

TEST_F(ArrayTest, TheOnlyReferenceIsDonated) {
  array x = add_constant(ones(4), 1);
  eval(x);
  const void* buffer = x.buffer().raw_ptr();
  x = add_constant(x, 1);
  eval(x);
  EXPECT_EQ(x.buffer().raw_ptr(), buffer);
  Probe probe;
  array y = probe.run({add_constant(ones(4), 1)});
  eval(y);
  EXPECT_EQ(probe.donatable, std::vector<bool>{true});
}

TEST_F(ArrayTest, AHandleKeepsItsValue) {
  array x = add_constant(ones(4), 1), y = add_constant(x, 1);
  eval(y);
  EXPECT_EQ(x.data<float>()[0], 2.0f);
  Probe probe;
  eval(probe.run({x}));
  EXPECT_EQ(probe.donatable, std::vector<bool>{false});
}

TEST_F(ArrayTest, AnUnevaluatedUserKeepsTheValue) {
  array x = add_constant(ones(4), 1), later = add_constant(x, 1), now = add_constant(x, 5);
  x = now;
  eval(now);
  eval(later);
  EXPECT_EQ(later.data<float>()[0], 3.0f);
}

TEST_F(ArrayTest, AViewCounts) {
  array x = add_constant(ones(4), 1);
  array view = custom({x}, {4}, [](const auto& in, auto& out) { out[0].copy_shared_buffer(in[0]); });
  eval(view);
  Probe probe;
  array y = probe.run({x});
  x = y;
  eval(y);
  EXPECT_EQ(probe.donatable, std::vector<bool>{false});
  EXPECT_EQ(view.data<float>()[0], 2.0f);
}

TEST_F(ArrayTest, AnExportCounts) {
  array x = add_constant(ones(4), 1);
  eval(x);
  array::DataPtr exported = x.data_shared_ptr();
  Probe probe;
  array y = probe.run({x});
  x = y;
  eval(y);
  EXPECT_EQ(probe.donatable, std::vector<bool>{false});
}

TEST_F(ArrayTest, ExportedMemoryIsNeverDonatedEvenLater) {
  array x = add_constant(ones(4), 1);
  eval(x);
  x.data_shared_ptr()->foreign = true;  // what an export does
  Probe probe;
  array y = probe.run({x});
  x = y;
  eval(y);
  EXPECT_EQ(probe.donatable, std::vector<bool>{false});
}

TEST_F(ArrayTest, ImportedMemoryIsNeverDonated) {
  std::vector<float> memory(4, 1.0f);
  auto nothing = [](allocator::Buffer) {};
  auto from_deleter = [&](const auto&, auto& out) { out[0].set_data(allocator::Buffer(memory.data()), nothing); };
  Probe probe;
  array y = probe.run({array(memory.data(), {4}, float32, [](void*) {}),
                       array(allocator::Buffer(memory.data()), {4}, float32, nothing), custom({}, {4}, from_deleter)});
  eval(y);
  EXPECT_EQ(probe.donatable, (std::vector<bool>{false, false, false}));
}

TEST_F(ArrayTest, OurOwnBufferIsDonatedWhateverWayItCame) {
  Probe probe;
  array y = probe.run({array(allocator::malloc(16), {4}, float32), ones(4)});
  eval(y);
  EXPECT_EQ(probe.donatable, (std::vector<bool>{true, true}));
}

TEST_F(ArrayTest, AnotherOperandThatReadsTheBufferForbidsIt) {
  array x = add_constant(ones(4), 1);
  array view = custom({x}, {4}, [](const auto& in, auto& out) { out[0].copy_shared_buffer(in[0]); });
  Probe probe;
  array same = probe.run({x, x}), shared = probe.run({x, view});
  x = view = same;
  eval(same);
  eval(shared);
  EXPECT_EQ(probe.donatable, (std::vector<bool>{false, false, false, false}));
}

TEST_F(ArrayTest, ATracedInputIsKeptForTheTransformation) {
  array x = add_constant(ones(4), 1);
  TraceScope scope;
  x.set_tracer(true);
  Probe probe;
  array y = probe.run({x});
  x = y;
  eval(y);
  EXPECT_EQ(probe.donatable, std::vector<bool>{false});
  ASSERT_EQ(y.inputs().size(), 1u);
  EXPECT_EQ(y.inputs()[0].data<float>()[0], 2.0f);
}

// Death

TEST_F(ArrayTest, LongChainsDieFlat) {
  array evaluated = ones(1), unevaluated = ones(1);
  for (int i = 0; i < 1000000; i++) {
    evaluated = add_constant(evaluated, 1);
    unevaluated = add_constant(unevaluated, 1);
  }
  eval(evaluated);
  EXPECT_EQ(evaluated.item<float>(), 1000001.0f);
}

TEST_F(ArrayTest, ChainsThroughPrimitivesDieFlat) {
  array x = ones(1);
  for (int i = 0; i < 100000; i++) {
    x = custom({}, {1}, [x](const auto&, auto& out) { allocate(out[0]); });
  }
}

TEST_F(ArrayTest, ATracedChainKeepsItsEdgesAndDiesFlat) {
  array x = ones(1);
  TraceScope scope;
  x.set_tracer(true);
  for (int i = 0; i < 100000; i++) x = add_constant(x, 1);
  eval(x);
  EXPECT_TRUE(x.has_primitive());
  EXPECT_EQ(x.inputs().size(), 1u);
}

TEST_F(ArrayTest, ChainsOfSiblingsDieFlat) {
  array x = ones(1);
  for (int i = 0; i < 100000; i++) x = both_sides(x)[i % 2];
}

TEST_F(ArrayTest, EvaluationLetsGoOfInputsAtOnce) {
  size_t before = get_active_memory();
  reset_peak_memory();
  array x = ones(1 << 16);
  for (int i = 0; i < 50; i++) {
    x = custom({x}, {1 << 16}, [](const auto& in, auto& out) {
      allocate(out[0]);
      std::memcpy(out[0].template data<float>(), in[0].template data<float>(), in[0].nbytes());
    });
  }
  eval(x);
  EXPECT_LE(get_peak_memory(), before + 3 * (size_t{5} << 16));
}

TEST_F(ArrayTest, PlaceholdersExplainThemselves) {
  array x = array::placeholder({2}, float32, "[grad] This value is traced.");
  try {
    eval(add_constant(x, 1));
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "[grad] This value is traced.");
  }
}

}  // namespace
