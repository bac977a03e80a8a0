// The operations of scans: a state, what an element does to it, the value that it stands for.
#pragma once

#include <cmath>
#include <limits>

#include "mlx/backend/cpu/scan.h"
#include "mlx/ops/scan_primitives.h"
#include "mlx/types/complex.h"
#include "mlx/types/limits.h"

namespace mlx::core::cpu {

// float32 sums are kept in float64, so that long ones stay exact to the last bit or so.
template <typename T>
struct SumState {
  using type = std::conditional_t<std::is_same_v<T, float>, double, AccumulatorOf<T>>;
};
template <>
struct SumState<complex64_t> {
  using type = std::complex<double>;
};

template <typename T>
struct ScanSum {
  using State = typename SumState<T>::type;
  static constexpr bool splits = true;  // may a state be computed of parts?
  static State start() { return State(0); }
  static void add(State& state, const T& x) {
    if constexpr (std::is_same_v<T, complex64_t>) state += State(x.real(), x.imag());
    else state = static_cast<State>(state + static_cast<State>(x));
  }
  static void merge(State& state, const State& other) { state = static_cast<State>(state + other); }
  static T value(const State& state) {
    if constexpr (std::is_same_v<T, complex64_t>) {
      return {static_cast<float>(state.real()), static_cast<float>(state.imag())};
    } else {
      return static_cast<T>(state);
    }
  }
};

// The product of a part may overflow where the whole does not: only integers split.
template <typename T>
struct ScanProd {
  using State = AccumulatorOf<T>;
  static constexpr bool splits = std::is_integral_v<T>;
  static State start() { return State(1); }
  static void add(State& state, const T& x) { merge(state, static_cast<State>(x)); }
  static void merge(State& state, const State& x) {
    if constexpr (std::is_same_v<T, complex64_t>) {
      state = {state.real() * x.real() - state.imag() * x.imag(), state.real() * x.imag() + state.imag() * x.real()};
    } else if constexpr (std::is_integral_v<T> && sizeof(T) < 4) {
      state = static_cast<State>(static_cast<uint32_t>(state) * static_cast<uint32_t>(x));  // no int overflow
    } else {
      state = state * x;
    }
  }
  static T value(const State& state) { return static_cast<T>(state); }
};

template <typename T, bool largest>
struct ScanExtreme {
  using State = std::conditional_t<sizeof(AccumulatorOf<T>) == sizeof(T), T, AccumulatorOf<T>>;
  static constexpr bool splits = true;
  static State start() {
    if constexpr (std::is_same_v<T, complex64_t>) {
      float worst = largest ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity();
      return {worst, worst};
    } else if constexpr (std::is_integral_v<State>) {
      return largest ? std::numeric_limits<State>::lowest() : std::numeric_limits<State>::max();
    } else {
      State infinity = std::numeric_limits<State>::infinity();
      return largest ? -infinity : infinity;
    }
  }
  static void add(State& state, const T& x) { merge(state, static_cast<State>(x)); }
  // A NaN stays.
  static void merge(State& state, const State& x) {
    bool better = largest ? x > state : x < state;
    if constexpr (!std::is_integral_v<State>) better = state == state && (better || x != x);
    state = better ? x : state;
  }
  static T value(const State& state) { return static_cast<T>(state); }
};
template <typename T>
using ScanMin = ScanExtreme<T, false>;
template <typename T>
using ScanMax = ScanExtreme<T, true>;

// The largest exponent (real part) and the sum of exponentials relative to it.
template <typename T>
struct ScanLogSumExp {
  static constexpr bool is_complex = std::is_same_v<T, complex64_t>, splits = false;
  using Sum = std::conditional_t<is_complex, std::complex<double>, double>;
  struct State {
    double largest;
    Sum sum;
  };
  static State start() { return {-std::numeric_limits<double>::infinity(), Sum(0)}; }
  static void add(State& state, const T& x) {
    double re;
    Sum turn(1);
    if constexpr (is_complex) {
      re = x.real();
      if (x.imag() != 0) turn = std::polar(1.0, static_cast<double>(x.imag()));
      if (x.imag() != x.imag()) re = x.imag();
    } else {
      re = static_cast<double>(x);
    }
    if (re == -std::numeric_limits<double>::infinity()) return;
    if (re == state.largest) {
      state.sum += turn;
    } else if (re > state.largest) {
      state.sum = state.sum * std::exp(state.largest - re) + turn;
      state.largest = re;
    } else {
      state.sum += turn * std::exp(re - state.largest);
    }
  }
  static T value(const State& state) {
    Sum y = std::log(state.sum) + state.largest;
    if constexpr (is_complex) return {static_cast<float>(y.real()), static_cast<float>(y.imag())};
    else return static_cast<T>(y);
  }
};

}  // namespace mlx::core::cpu
