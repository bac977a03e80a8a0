// npy files: round trips, the exact header, other writers' headers, files that are damaged or lie.
#include <random>

#include "files.h"

using namespace mlx::core;
using namespace mlx::core::testing;

namespace {

std::string npy(const std::string& dict, const std::string& data = "", int version = 1) {
  std::string length(version == 1 ? 2 : 4, '\0');
  for (size_t i = 0; i < length.size(); i++) length[i] = static_cast<char>(dict.size() >> (8 * i) & 0xFF);
  return std::string("\x93NUMPY") + static_cast<char>(version) + '\0' + length + dict + data;
}
std::string dict_of(const std::string& descr, const std::string& order, const std::string& shape) {
  return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}
array load_bytes(const std::string& bytes) { return load(std::make_shared<MemoryReader>(bytes)); }

TEST(Npy, RoundTripsOfEveryDtypeAndLayout) {
  Folder folder;
  for (Dtype dtype : all_dtypes()) {
    int number = 0;
    for (const array& a : layouts(dtype)) {
      std::string what = concat(dtype_name(dtype), " layout ", number++);
      save(folder / "a.npy", a);
      expect_same(load(folder / "a.npy"), a, what);
    }
  }
  EXPECT_EQ(folder.count(), 1u);
}

TEST(Npy, TheHeaderIsThatOfNumPy) {
  auto writer = std::make_shared<MemoryWriter>();
  save(writer, counted({2, 3}, float32));
  EXPECT_EQ(writer->commits, 1);
  std::string dict = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  dict.resize(117, ' ');
  EXPECT_EQ(writer->bytes.substr(0, 128), std::string("\x93NUMPY\x01\0\x76\0", 10) + dict + "\n");
  EXPECT_EQ(writer->bytes.size(), 128u + 24u);
}

TEST(Npy, ColumnMajorArraysAreWrittenAsTheyLie) {
  struct Case {
    array a;
    std::string part;
  };
  for (const auto& [a, part] : std::vector<Case>{
           {counted({}, int32), "'fortran_order': True, 'shape': (), }"},
           {counted({3}, int8), "{'descr': '|i1', 'fortran_order': True, 'shape': (3,), }"},
           {counted({0, 2}, bool_), "{'descr': '|b1', 'fortran_order': True, 'shape': (0, 2), }"},
           {counted({1, 4}, bfloat16), "{'descr': '<V2', 'fortran_order': True, 'shape': (1, 4), }"},
           {counted({4, 1}, complex64), "{'descr': '<c8', 'fortran_order': True, 'shape': (4, 1), }"},
           {transpose(counted({2, 3}, float64)), "'fortran_order': True, 'shape': (3, 2), }"},
           {broadcast_to(counted({3}, uint16), {2, 3}), "'fortran_order': False, 'shape': (2, 3), }"}}) {
    auto writer = std::make_shared<MemoryWriter>();
    save(writer, a);
    EXPECT_NE(writer->bytes.find(part), std::string::npos) << part << " in " << writer->bytes.substr(10, 100);
  }
}

TEST(Npy, LongHeadersUseVersionTwo) {
  Shape shape(30000, 1);
  auto writer = std::make_shared<MemoryWriter>();
  save(writer, reshape(array({1.5f}), shape));
  EXPECT_EQ(writer->bytes[6], 2);
  EXPECT_EQ((writer->bytes.size() - 4) % 64, 0u);
  EXPECT_EQ(load_bytes(writer->bytes).shape(), shape);
}

TEST(Npy, OtherWritersHeaders) {
  std::string two("\x00\x01\x00\x02", 4);
  array big = load_bytes(npy(dict_of(">u2", "False", "(2,)"), two));
  expect_same(big, array({1, 2}, uint16), "big endian");
  array swapped_complex = load_bytes(npy(dict_of(">c8", "False", "()"), std::string("\x3f\x80\0\0\x40\0\0\0", 8)));
  EXPECT_EQ(swapped_complex.item<complex64_t>(), complex64_t(1, 2));
  expect_same(load_bytes(npy("{\"shape\":(2L,),'fortran_order':False,'descr':'|u1'}", "\x07\x08")),
              array({7, 8}, uint8), "Python 2, other order");
  array fortran = load_bytes(npy(dict_of("|u1", "True", "(2, 3)"), "\x01\x02\x03\x04\x05\x06", 2));
  expect_same(fortran, array({1, 3, 5, 2, 4, 6}, Shape{2, 3}, uint8), "columns, version 2");
  expect_same(load_bytes(npy(dict_of("|V2", "True", "(1,)"), std::string("\x80\x3f", 2), 3)),
              astype(array({1.0f}), bfloat16), "version 3, bfloat16");
}

TEST(Npy, SeveralArraysInOneSource) {
  auto writer = std::make_shared<MemoryWriter>();
  save(writer, array({1.0f, 2.0f}));
  save(writer, array({3, 4, 5}, int32));
  auto reader = std::make_shared<MemoryReader>(writer->bytes);
  array a = load(reader), b = load(reader);
  expect_same(b, array({3, 4, 5}, int32), "second");
  expect_same(a, array({1.0f, 2.0f}), "first");
}

TEST(Npy, UnknownDtypes) {
  for (const char* descr : {"<U3", "|S4", "<c16", "<M8[s]", "<f16", "|O", "", "<", "<V4"}) {
    try {
      load_bytes(npy(dict_of(descr, "False", "(1,)"), std::string(64, '\0')));
      ADD_FAILURE() << descr;
    } catch (const std::invalid_argument& e) {
      EXPECT_NE(std::string(e.what()).find("'memory'"), std::string::npos) << e.what();
    }
  }
  EXPECT_THROW(load_bytes(npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "1234")),
               std::invalid_argument);
}

TEST(Npy, DamagedHeaders) {
  for (const std::string& bytes : std::vector<std::string>{
           "", "\x93NUMP", "something else than npy", npy("", ""), npy("{", ""), npy("{}", ""),
           npy(dict_of("<f4", "False", "(1,)"), "1234", 4), npy(dict_of("<f4", "Maybe", "(1,)"), "1234"),
           npy(dict_of("<f4", "False", "(-1,)"), "1234"), npy(dict_of("<f4", "False", "(1"), "1234"),
           npy(dict_of("<f4", "False", "1"), "1234"), npy(dict_of("<f4", "False", "(1.5,)"), "12345678"),
           npy(dict_of("<f4", "False", "(1,)") + "more", "1234"), npy("{'descr': '<f4', 'shape': (1,)}", "1234"),
           npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1}", "1234"),
           npy("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", "1234"),
           npy("{'descr': '<f4, 'fortran_order': False, 'shape': (1,)}", "1234"),
           std::string("\x93NUMPY\x01\0\xff\xff", 10) + "{}",
           std::string("\x93NUMPY\x02\0\xff\xff\xff\xff", 12) + "{}", std::string("\x93NUMPY\x02\0\xff", 9)}) {
    EXPECT_NE(runtime_error_of([&] { load_bytes(bytes); }).find("'memory'"), std::string::npos) << bytes;
  }
}

TEST(Npy, HeadersThatPromiseMoreThanTheFileHolds) {
  for (const char* shape : {"(3,)", "(1000000000000,)", "(9223372036854775807,)", "(99999999999999999999,)",
                            "(4294967296, 4294967296)", "(9223372036854775807, 9223372036854775807)"}) {
    for (const char* order : {"True", "False"}) {
      EXPECT_NE(runtime_error_of([&] { load_bytes(npy(dict_of("<f4", order, shape), "12345678")); }).find("memory"),
                std::string::npos);
    }
  }
}

TEST(Npy, EveryTruncationIsAnError) {
  auto writer = std::make_shared<MemoryWriter>();
  save(writer, counted({3, 5}, int16));
  for (size_t n = 0; n < writer->bytes.size(); n++) {
    runtime_error_of([&] { load_bytes(writer->bytes.substr(0, n)).eval(); });
  }
}

TEST(Npy, AFileCutAfterLoadingIsAnErrorOfEvaluation) {
  Folder folder;
  save(folder / "a.npy", counted({100}, float32));
  array a = load(folder / "a.npy");
  std::filesystem::resize_file(folder / "a.npy", 200);
  for (int i = 0; i < 2; i++) {
    EXPECT_NE(runtime_error_of([&] { a.eval(); }).find("a.npy"), std::string::npos);
  }
}

// Any damage gives an array or one of the two documented exceptions.
TEST(Npy, RandomDamage) {
  auto writer = std::make_shared<MemoryWriter>();
  save(writer, counted({3, 5}, int16));
  std::mt19937 random(1);
  int loaded = 0;
  for (int i = 0; i < 20000; i++) {
    std::string bytes = writer->bytes;
    for (unsigned k = 0; k < 1 + random() % 3; k++) bytes[random() % bytes.size()] = static_cast<char>(random());
    try {
      load_bytes(bytes).eval();
      loaded++;
    } catch (const std::runtime_error&) {
    } catch (const std::invalid_argument&) {
    }
  }
  EXPECT_GT(loaded, 0);
  EXPECT_LT(loaded, 20000);
}

}  // namespace
