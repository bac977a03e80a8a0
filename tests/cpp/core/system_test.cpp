// Control group limits, from files of all the kinds that systems have.
#include <gtest/gtest.h>

#include <cmath>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "mlx/core/system.h"

using namespace mlx::core;

namespace {

class CgroupTest : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = std::filesystem::temp_directory_path() / ("cgroup_test_" + std::to_string(::getpid()));
    std::filesystem::remove_all(root_);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    std::filesystem::path file = root_.string() + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << "\n";
  }
  double cpus() const { return cgroup_cpus(root_.string()); }
  double memory() const { return cgroup_memory(root_.string()); }

  std::filesystem::path root_;
};

TEST_F(CgroupTest, NoFilesNoLimit) {
  EXPECT_EQ(cpus(), INFINITY);
  EXPECT_EQ(memory(), INFINITY);
}

TEST_F(CgroupTest, Version2TakesTheTightestOfAllLevels) {
  write("/proc/self/cgroup", "0::/system.slice/job");
  write("/sys/fs/cgroup/system.slice/job/cpu.max", "max 100000");
  write("/sys/fs/cgroup/system.slice/cpu.max", "150000 100000");
  write("/sys/fs/cgroup/system.slice/job/memory.max", "1000000");
  write("/sys/fs/cgroup/system.slice/job/memory.high", "max");
  write("/sys/fs/cgroup/system.slice/memory.high", "900000");
  EXPECT_EQ(cpus(), 1.5);
  EXPECT_EQ(memory(), 900000);
}

TEST_F(CgroupTest, Version2Max) {
  write("/proc/self/cgroup", "0::/");
  write("/sys/fs/cgroup/cpu.max", "max 100000");
  write("/sys/fs/cgroup/memory.max", "max");
  EXPECT_EQ(cpus(), INFINITY);
  EXPECT_EQ(memory(), INFINITY);
}

TEST_F(CgroupTest, Version1WithSharedControllers) {
  write("/proc/self/cgroup", "12:memory:/docker/abc\n4:cpu,cpuacct:/docker/abc\n0::/ignored");
  write("/sys/fs/cgroup/cpu/docker/abc/cpu.cfs_quota_us", "-1");
  write("/sys/fs/cgroup/cpu/docker/abc/cpu.cfs_period_us", "100000");
  write("/sys/fs/cgroup/cpu/docker/cpu.cfs_quota_us", "250000");
  write("/sys/fs/cgroup/cpu/docker/cpu.cfs_period_us", "100000");
  write("/sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", "123456789");
  EXPECT_EQ(cpus(), 2.5);
  EXPECT_EQ(memory(), 123456789);
}

TEST_F(CgroupTest, ContainerSeesItsLimitAtTheMountPoint) {
  write("/proc/self/cgroup", "0::/a/path/of/the/host");
  write("/sys/fs/cgroup/cpu.max", "50000 100000");
  write("/sys/fs/cgroup/memory.max", "2000");
  EXPECT_EQ(cpus(), 0.5);
  EXPECT_EQ(memory(), 2000);
}

TEST_F(CgroupTest, GarbageIsNoLimit) {
  write("/proc/self/cgroup", "no colons\n:\n0::");
  write("/sys/fs/cgroup/cpu.max", "many few");
  write("/sys/fs/cgroup/memory.max", "");
  EXPECT_EQ(cpus(), INFINITY);
  EXPECT_EQ(memory(), INFINITY);
}

TEST(System, ThisMachine) {
  EXPECT_GE(available_cpus(), 1);
  EXPECT_GE(available_memory(), size_t{1} << 26);
}

}  // namespace
