"""A C++ program outside of the tree builds and runs against the installed package."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CMAKE_LISTS = """
cmake_minimum_required(VERSION 3.25)
project(outside LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 20)
find_package(MLX CONFIG REQUIRED)
add_executable(app app.cpp)
target_link_libraries(app PRIVATE mlx)
"""

PROGRAM = """
#include <iostream>

#include "mlx/backend/cpu/encoder.h"
#include "mlx/mlx.h"
#include "mlx/primitives.h"

namespace mx = mlx::core;

// x + c with a derivative: what a user's own operation looks like.
class AddConstant : public mx::UnaryPrimitive {
 public:
  AddConstant(mx::Stream s, float c) : UnaryPrimitive(s), c_(c) {}
  using mx::UnaryPrimitive::eval_cpu;
  using mx::UnaryPrimitive::eval_gpu;
  void eval_cpu(const std::vector<mx::array>& inputs, mx::array& out) override {
    out.set_data(mx::allocator::malloc(out.nbytes()));
    const float* from = inputs[0].data<float>();
    float* to = out.data<float>();
    mx::cpu::get_command_encoder(stream()).dispatch([from, to, n = out.size(), c = c_] {
      for (size_t i = 0; i < n; i++) to[i] = from[i] + c;
    });
  }
  void eval_gpu(const std::vector<mx::array>&, mx::array&) override {}
  std::vector<mx::array> vjp(const std::vector<mx::array>&, const std::vector<mx::array>& cotangents,
                             const std::vector<int>&, const std::vector<mx::array>&) override {
    return cotangents;
  }
  DEFINE_NAME(AddConstant)

 private:
  float c_;
};

int main() {
  mx::array x({1.0f, 2.0f, 3.0f});
  auto gradient = mx::grad([](const mx::array& v) {
    auto own = std::make_shared<AddConstant>(mx::to_stream({}), 1.0f);
    return mx::sum(mx::square(mx::array(v.shape(), v.dtype(), own, {v})));
  });
  std::cout << mx::sum(gradient(x)).item<float>() << std::endl;
}
"""


@pytest.mark.slow
def test_program_outside_of_the_tree(tmp_path):
    tools = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    if not shutil.which("cmake", path=tools):
        pytest.skip("cmake is not installed")
    (tmp_path / "CMakeLists.txt").write_text(CMAKE_LISTS)
    (tmp_path / "app.cpp").write_text(PROGRAM)
    env = {**os.environ, "PATH": tools}
    root = subprocess.run(
        [sys.executable, "-m", "mlx", "--cmake-dir"], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout.strip()
    for command in (["cmake", "-S", ".", "-B", "build", f"-DMLX_ROOT={root}"], ["cmake", "--build", "build"]):
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    done = subprocess.run(["build/app"], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.strip() == "18", done.stdout + done.stderr
