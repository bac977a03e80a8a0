// The smallest program: sums two arrays.
#include <iostream>

#include "mlx/mlx.h"

namespace mx = mlx::core;

int main() {
  mx::array a({1.0f, 2.0f, 3.0f});
  mx::array b = a + 1;
  std::cout << b << std::endl;
}
