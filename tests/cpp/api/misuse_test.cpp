// Objects that have not got what an accessor asks for: an exception that names the accessor, never a null pointer.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "mlx/fence.h"
#include "mlx/io/load.h"
#include "mlx/mlx.h"
#include "mlx/primitives.h"
#include "mlx/scheduler.h"

using namespace mlx::core;

namespace {

// What f throws: std::invalid_argument (or E) with the text.
template <typename E = std::invalid_argument>
void refused(const std::string& text, const std::function<void()>& f) {
  try {
    f();
    ADD_FAILURE() << "no exception: " << text;
  } catch (const E& e) {
    EXPECT_EQ(std::string(e.what()).find(text), 0u) << e.what();
  }
}

array lazy() { return array({1.0f, 2.0f}) + 1; }

TEST(Misuse, PrimitiveOfAConstantOrAnEvaluatedArray) {
  refused("[primitive] Nothing computes this array", [] { array(1).primitive(); });
  array a = lazy();
  EXPECT_STREQ(a.primitive().name(), "Add");
  eval(a);
  refused("[primitive]", [&] { a.primitive(); });
  EXPECT_FALSE(a.has_primitive() || a.primitive_id());
}

TEST(Misuse, ValueOfAnUnevaluatedArray) {
  array a = lazy();
  const array& constant = a;
  refused("[data] An array of shape (2,) has no value yet", [&] { a.data<float>(); });
  refused("[data]", [&] { constant.data<float>(); });
  refused("[buffer]", [&] { a.buffer(); });
  refused("[buffer]", [&] { constant.buffer(); });
  refused("[buffer_size]", [&] { a.buffer_size(); });
  refused("[data]", [&] { array::unsafe_weak_copy(a); });
  EXPECT_FALSE(a.data_shared_ptr() || a.is_donatable() || a.event().valid());
  array view({2}, float32, nullptr, {});
  view.copy_shared_buffer(a);
  refused("[data]", [&] { view.data<float>(); });
  eval(a);
  EXPECT_EQ(a.data<float>()[1], 3.0f);
}

TEST(Misuse, StatusWithoutAValue) {
  array a = lazy();
  for (array::Status s : {array::evaluated, array::available}) refused("[set_status]", [&] { a.set_status(s); });
  EXPECT_EQ(a.status(), array::unscheduled);
  array b({2}, float32, nullptr, {});
  b.set_data(allocator::malloc(b.nbytes()));
  b.set_status(array::available);
  EXPECT_TRUE(b.is_available());
}

TEST(Misuse, Scalars) {
  refused("[item] Only an array of size 1", [] { array({1, 2}).item<int>(); });
  refused("[item]", [] { zeros({0}).item<int>(); });
  refused<std::out_of_range>("[shape]", [] { array(1).shape(0); });
  refused<std::out_of_range>("[shape]", [] { array({1}).strides(-2); });
  refused("[iterator]", [] { array(1).begin(); });
}

TEST(Misuse, NoMemory) {
  refused("[array] There is no memory", [] { array(nullptr, {2}, float32, [](void*) {}); });
  refused("[array] There is no memory", [] { array(allocator::Buffer(nullptr), {2}, float32); });
  EXPECT_EQ((array(nullptr, {0}, float32, [](void*) {}) + 1).size(), 0u);
}

TEST(Misuse, OutputsOfAPrimitive) {
  refused("[make_arrays] There are 2 shapes, but 1 dtypes", [] {
    array::make_arrays({{2}, {2}}, {float32}, lazy().primitive_ptr(), {});
  });
  refused<std::exception>("[eval]", [] { eval(array({2}, float32, nullptr, {})); });
}

TEST(Misuse, EventsOfNoStream) {
  Stream s = default_stream(Device::cpu);
  Event none;
  Event made(s);
  EXPECT_FALSE(none.valid() || none.id());
  const std::function<void()> calls[] = {
      [&] { none.is_signaled(); },
      [&] { none.stream(); },
      [&] { none.wait(); },
      [&] { none.wait(s); },
      [&] { none.wait_for(1); },
      [&] { none.signal(s); },
      [&] { none.set(); },
      [&] { none.error(); },
      [&] { none.check_error(); },
      [&] { none.then([] {}); },
      [&] { none.inherit_errors({}); },
      [&] { made.inherit_errors({none}); },
      [&] { scheduler::wait_event(s, none, [](Event&) {}); },
      [&] { scheduler::signal_event(s, none, [](Event&) {}); },
  };
  for (const auto& call : calls) refused("[event] An event made without a stream never fires", call);
  synchronize(s);
  made.set();
  made.wait();
  Fence().wait(s, array(1));  // orders nothing
}

TEST(Misuse, StreamsThatWereNeverMade) {
  Stream none(1 << 20, Device::cpu);
  refused<std::out_of_range>("[stream] There is no stream with index 1048576", [&] { synchronize(none); });
  refused<std::out_of_range>("[stream]", [&] { set_default_stream(none); });
  refused<std::out_of_range>("[stream]", [&] { eval(add(array(1), array(2), none)); });
  refused<std::out_of_range>("[stream]", [&] { scheduler::enqueue(none, [] {}); });
}

TEST(Misuse, NothingBehindAHandle) {
  distributed::Group group(nullptr);
  refused("[group]", [&] { group.rank(); });
  refused("[group]", [&] { group.size(); });
  refused("[group]", [&] { group.split(0); });
  ImportedFunction function(nullptr);
  refused("[import_function] Nothing was imported", [&] { function.metadata(); });
  refused("[import_function]", [&] { function({array(1)}); });
  FunctionExporter first = exporter([](const ExportCallbackInput&) {}, [](const Args& args) { return args; });
  FunctionExporter second = std::move(first);
  refused<std::runtime_error>("[export_function] The exporter is closed", [&] { first({array(1)}); });
  first.abandon();
  first.close();
}

TEST(Misuse, NullStreamsOfBytes) {
  std::shared_ptr<io::Reader> reader;
  std::shared_ptr<io::Writer> writer;
  refused("[load] The stream is nullptr", [&] { load(reader); });
  refused("[load_safetensors]", [&] { load_safetensors(reader); });
  refused("[save]", [&] { save(writer, array(1)); });
  refused("[save_safetensors]", [&] { save_safetensors(writer, {}); });
}

TEST(WeakCopy, SharesTheMemoryAndDoesNotKeepIt) {
  array a = reshape(arange(6, float32), {2, 3}), view = transpose(slice(a, {0, 1}, {2, 3}));
  eval(a, view);
  array weak = array::unsafe_weak_copy(view);
  EXPECT_EQ(weak.data<float>(), view.data<float>());
  EXPECT_EQ(weak.strides(), view.strides());
  EXPECT_TRUE(weak.is_available() && !weak.is_donatable());
  EXPECT_TRUE(array_equal(weak, view).item<bool>());
  long owners = view.data_shared_ptr().use_count();
  array second = array::unsafe_weak_copy(view);
  EXPECT_EQ(view.data_shared_ptr().use_count(), owners);
}

}  // namespace
