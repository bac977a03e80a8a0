// CALL(result, function, n, types...): the function takes these arguments, of which only the first n must be given,
// and its result converts to the type named. The calls are compiled and linked, for each number of arguments, and
// never run.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "mlx/backend/common/utils.h"
#include "mlx/backend/cpu/encoder.h"
#include "mlx/io/load.h"
#include "mlx/mlx.h"
#include "mlx/primitives.h"
#include "mlx/scheduler.h"

namespace api {

namespace mx = mlx::core;
using mx::array, mx::Shape, mx::Strides, mx::Dtype, mx::Device, mx::Stream, mx::ThreadLocalStream;
using mx::CompileMode, mx::ExportCallback, mx::FunctionExporter, mx::ImportedFunction, mx::Args, mx::Kwargs;
using mx::Dims, mx::NodeNamer, mx::QuantizationMode, mx::GGUFLoad, mx::SafetensorsLoad;
using mx::PrintFormatter, mx::PrintOptions, mx::SimpleValueAndGradFn, mx::ValueAndGradFn;
using mx::allocator::Allocator, mx::allocator::Buffer;
using mx::distributed::AllGatherFactory, mx::distributed::Group;
using mx::fast::CompileOptions, mx::fast::CustomKernelFunction, mx::fast::ScalarArg;
using mx::fft::FFTNorm;
using S = mx::StreamOrDevice;
using Arrays = std::vector<array>;
using Shapes = std::vector<Shape>;
using Dtypes = std::vector<Dtype>;
using Ints = std::vector<int>;
using Text = std::string;
using Texts = std::vector<Text>;
using IntPair = std::pair<int, int>;
using IntPairs = std::vector<IntPair>;
using IntTriple = std::tuple<int, int, int>;
using ArrayPair = std::pair<array, array>;
using ArraysPair = std::pair<Arrays, Arrays>;
using ArrayMap = std::unordered_map<Text, array>;
using TextMap = std::unordered_map<Text, Text>;
using GGUFMap = std::unordered_map<Text, mx::GGUFMetaData>;
using Info = std::unordered_map<Text, std::variant<Text, size_t>>;
using EinsumPath = std::pair<std::vector<Ints>, Text>;
using OptArray = std::optional<array>;
using OptInt = std::optional<int>;
using OptInts = std::optional<Ints>;
using OptFloat = std::optional<float>;
using OptDtype = std::optional<Dtype>;
using OptGroup = std::optional<Group>;
using WriterPtr = std::shared_ptr<mx::io::Writer>;
using ReaderPtr = std::shared_ptr<mx::io::Reader>;
using One = std::function<array(const array&)>;
using Two = std::function<array(const array&, const array&)>;
using OneWithGrad = std::function<ArrayPair(const array&)>;
using Loss = std::function<array(const Arrays&)>;
using Many = std::function<Arrays(const Arrays&)>;
using Named = std::function<Arrays(const Kwargs&)>;
using Mixed = std::function<Arrays(const Args&, const Kwargs&)>;
using VjpRule = std::function<Arrays(const Arrays&, const Arrays&, const Arrays&)>;
using JvpRule = std::function<Arrays(const Arrays&, const Arrays&, const Ints&)>;
using VmapRule = std::function<std::pair<Arrays, Ints>(const Arrays&, const Ints&)>;
using Collapsed = std::tuple<Shape, std::vector<Strides>>;
using CollapsedOne = std::pair<Shape, Strides>;
using DimsPair = std::pair<Dims, Dims>;
using ReshapePlan = std::pair<bool, Strides>;
using Contiguity = std::tuple<int64_t, bool, bool>;
using Encoders = std::unordered_map<int, mx::cpu::CommandEncoder>;

// A value of the type for code that is only compiled.
template <typename T>
T& any() {
  return *static_cast<T*>(nullptr);
}

template <typename Result, typename... P, typename F, size_t... I>
void call_with(F f, std::index_sequence<I...>) {
  using Types = std::tuple<P...>;
  if constexpr (std::is_void_v<Result>) {
    f(any<std::tuple_element_t<I, Types>>()...);
  } else {
    [[maybe_unused]] Result r = f(any<std::tuple_element_t<I, Types>>()...);
  }
}

template <typename Result, size_t Needed, typename... P, typename F>
void call(F f) {
  [&]<size_t... More>(std::index_sequence<More...>) {
    (call_with<Result, P...>(f, std::make_index_sequence<Needed + More>()), ...);
  }(std::make_index_sequence<sizeof...(P) - Needed + 1>());
}

#define CALL(result, function, needed, ...) \
  call<result, needed __VA_OPT__(, ) __VA_ARGS__>([](auto&... a) -> decltype(auto) { return function(a...); });

}  // namespace api
