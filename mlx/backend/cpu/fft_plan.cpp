// See fft_plan.h.

#include "mlx/backend/cpu/fft_plan.h"

#include <cmath>
#include <complex>
#include <mutex>
#include <numbers>
#include <unordered_map>

#include "mlx/backend/cpu/isa.h"

namespace mlx::core::cpu {

namespace {

constexpr size_t most_plans = 64;
constexpr int64_t least_two_step = 64;
using Complex = std::complex<double>;

// exp(-2 pi i k / n), by the octant so that quarter turns are exact.
Complex root(int64_t k, int64_t n) {
  double turn = static_cast<double>(8 * static_cast<__int128>(k % n) / n);
  __int128 rest = 8 * static_cast<__int128>(k % n) % n;
  double angle = static_cast<double>(rest) / static_cast<double>(n) * (std::numbers::pi / 4);
  int octant = static_cast<int>(turn);
  if (octant % 2) angle = std::numbers::pi / 4 - angle;
  double c = std::cos(angle), s = std::sin(angle);
  if (octant % 2) std::swap(c, s);
  switch (octant / 2) {
    case 0:
      return {c, -s};
    case 1:
      return {-s, -c};
    case 2:
      return {-c, s};
    default:
      return {s, c};
  }
}

void append(std::vector<float>& to, Complex z) {
  to.push_back(static_cast<float>(z.real()));
  to.push_back(static_cast<float>(z.imag()));
}

// The radices in the order of the passes; empty where a prime factor is above kMostFftRadix, or for 1.
std::vector<int> radices_of(int64_t n) {
  std::vector<int> radices;
  auto divide = [&](int r) {
    for (; n % r == 0; n /= r) radices.push_back(r);
  };
  for (int r : {8, 4, 2}) divide(r);
  for (int r = 3; r <= kMostFftRadix; r += 2) divide(r);  // what is no prime divides nothing any more
  if (n > 1) return {};
  for (size_t i = 1; i < radices.size(); i++) {  // 8 * 2 is better done as 4 * 4
    if (radices[i] == 2 && radices[i - 1] == 8) radices[i] = radices[i - 1] = 4;
  }
  return radices;
}

void plan_direct(TransformPlan& plan) {
  std::vector<int> radices = radices_of(plan.n);
  plan.direct.n = plan.n;
  plan.direct.passes = static_cast<int>(radices.size());
  if (plan.first && plan.n > most_direct) return;
  plan.twiddles.resize(radices.size());
  plan.circles.resize(radices.size());
  int64_t left = plan.n;
  for (size_t i = 0; i < radices.size(); i++) {
    int r = radices[i];
    std::vector<float>& w = plan.twiddles[i];
    int64_t groups = left / r;
    w.reserve(2 * groups * (r - 1));
    for (int64_t g = 0; g < groups; g++) {
      for (int k = 1; k < r; k++) append(w, root(g * k, left));
    }
    if (r > 13) {
      for (int k = 0; k < r; k++) append(plan.circles[i], std::conj(root(k, r)));
    }
    plan.direct.pass[i] = {r, groups, w.data(), plan.circles[i].data()};
    left = groups;
  }
}

// The divisor of n nearest to its root; 1 for a prime.
int64_t middle_divisor(int64_t n) {
  int64_t best = 1;
  for (int64_t d = 2; d * d <= n; d++) {
    if (n % d == 0) best = d;
  }
  return best;
}

void plan_two_steps(TransformPlan& plan) {
  int64_t lanes = kernels().fft.lanes, n1 = middle_divisor(plan.n);
  if (plan.n < least_two_step || n1 < 8) return;
  plan.first = transform_plan(n1);
  plan.second = transform_plan(plan.n / n1);
  for (int64_t k = 0; k * lanes < plan.n; k++) append(plan.factors, root(k * lanes, plan.n));
  for (int64_t k = 0; k < n1; k++) {
    for (int part = 0; part < 2; part++) {
      for (int64_t lane = 0; lane < lanes; lane++) {
        Complex w = root(lane * k, plan.n);
        plan.lane_factors.push_back(static_cast<float>(part == 0 ? w.real() : w.imag()));
      }
    }
  }
}

// In place, length a power of two: for the factors only.
void small_transform(std::vector<Complex>& x) {
  size_t n = x.size();
  for (size_t i = 1, j = 0; i < n; i++) {
    size_t bit = n / 2;
    for (; j & bit; bit /= 2) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  std::vector<Complex> w(n / 2);
  for (size_t k = 0; k < w.size(); k++)
    w[k] = root(static_cast<int64_t>(k), static_cast<int64_t>(n));
  for (size_t half = 1; half < n; half *= 2) {
    for (size_t start = 0; start < n; start += 2 * half) {
      for (size_t k = 0; k < half; k++) {
        Complex a = x[start + k], b = x[start + k + half] * w[k * (n / 2 / half)];
        x[start + k] = a + b;
        x[start + k + half] = a - b;
      }
    }
  }
}

void plan_convolution(TransformPlan& plan) {
  int64_t n = plan.n, size = 1;
  while (size < 2 * n - 1) size *= 2;
  plan.convolution = transform_plan(size);
  std::vector<Complex> filter(static_cast<size_t>(size));
  for (int64_t k = 0; k < n; k++) {
    Complex c = root(static_cast<int64_t>(static_cast<__int128>(k) * k % (2 * n)), 2 * n);
    append(plan.chirp, c);
    filter[k] = std::conj(c);
    if (k > 0) filter[size - k] = std::conj(c);
  }
  small_transform(filter);
  plan.chirp_spectrum.reserve(2 * size);
  for (Complex z : filter) append(plan.chirp_spectrum, z / static_cast<double>(size));
}

std::shared_ptr<const TransformPlan> make_plan(int64_t n) {
  auto plan = std::make_shared<TransformPlan>();
  plan->n = n;
  if (n > 1 && radices_of(n).empty()) {
    plan->direct.passes = -1;
    plan_convolution(*plan);
  } else {
    plan_two_steps(*plan);
    plan_direct(*plan);
  }
  return plan;
}

std::shared_ptr<const std::vector<float>> make_half_turns(int64_t n) {
  auto turns = std::make_shared<std::vector<float>>();
  for (int64_t k = 0; k <= n / 2; k++) append(*turns, root(k, 2 * n));
  return turns;
}

// What was made for a number; all is dropped when there is too much. Making may ask for other
// numbers.
template <typename T>
class Cache {
 public:
  using Value = std::shared_ptr<const T>;
  Value get(int64_t n, Value (*make)(int64_t)) {
    {
      std::lock_guard guard(mutex_);
      auto it = values_.find(n);
      if (it != values_.end()) return it->second;
    }
    Value value = make(n);
    std::lock_guard guard(mutex_);
    if (values_.size() >= most_plans) values_.clear();
    return values_.emplace(n, value).first->second;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<int64_t, Value> values_;
};

}  // namespace

// The caches are never destroyed: threads may outlive the statics.
std::shared_ptr<const TransformPlan> transform_plan(int64_t n) {
  static auto* plans = new Cache<TransformPlan>;
  return plans->get(n, make_plan);
}
std::shared_ptr<const std::vector<float>> half_turns(int64_t n) {
  static auto* turns = new Cache<std::vector<float>>;
  return turns->get(n, make_half_turns);
}

}  // namespace mlx::core::cpu
