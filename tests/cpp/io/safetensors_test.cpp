// safetensors files: round trips, the exact bytes, files that are damaged or lie. The JSON reader.
#include <random>

#include "files.h"
#include "mlx/io/json.h"

using namespace mlx::core;
using namespace mlx::core::testing;

namespace {

using Named = std::unordered_map<std::string, array>;

std::string file_of(const std::string& header, const std::string& data = "") {
  std::string length(8, '\0');
  for (size_t i = 0; i < 8; i++) length[i] = static_cast<char>(header.size() >> (8 * i) & 0xFF);
  return length + header + data;
}
SafetensorsLoad load_bytes(const std::string& bytes) {
  return load_safetensors(std::make_shared<MemoryReader>(bytes));
}
std::string saved(const Named& arrays, const std::unordered_map<std::string, std::string>& metadata = {}) {
  auto writer = std::make_shared<MemoryWriter>();
  save_safetensors(writer, arrays, metadata);
  EXPECT_EQ(writer->commits, 1);
  return writer->bytes;
}
std::string entry(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return "{\"dtype\":\"" + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}

TEST(Safetensors, RoundTripsOfEveryDtypeAndLayout) {
  Folder folder;
  Named arrays;
  for (Dtype dtype : all_dtypes()) {
    int number = 0;
    for (const array& a : layouts(dtype)) arrays.insert({concat(dtype_name(dtype), ".", number++), a});
  }
  std::unordered_map<std::string, std::string> metadata{{"format", "mlx"}, {"q\"\\\n\x01é", "€ 𝄞"}};
  save_safetensors(folder / "a", arrays, metadata);
  auto [loaded, loaded_metadata] = load_safetensors(folder / "a.safetensors");
  EXPECT_EQ(loaded.size(), arrays.size());
  EXPECT_EQ(loaded_metadata, metadata);
  for (auto& [name, a] : arrays) expect_same(loaded.at(name), a, name);
}

TEST(Safetensors, ExactBytes) {
  std::string header =
      "{\"B\":{\"data_offsets\":[0,2],\"dtype\":\"U8\",\"shape\":[2]},\"__metadata__\":null,"
      "\"a\":{\"data_offsets\":[2,6],\"dtype\":\"F32\",\"shape\":[]}}";
  std::string expected = file_of(header, std::string("\x01\x02\0\0\x80\x3f", 6));
  EXPECT_EQ(saved({{"a", array(1.0f)}, {"B", array({1, 2}, uint8)}}), expected);
  EXPECT_EQ(saved({}), file_of("{\"__metadata__\":null}"));
  EXPECT_EQ(saved({}, {{"b", "1"}, {"a", "2"}}), file_of("{\"__metadata__\":{\"a\":\"2\",\"b\":\"1\"}}"));
}

TEST(Safetensors, OtherWritersHeaders) {
  auto [arrays, metadata] = load_bytes(file_of(
      " {\"x\\u00e9\\ud834\\udd1e\" : " + entry("F8_E5M2", "[ 2 , 1 ]", "[ 4 , 6 ]") + ", \"y\":" +
      entry("I32", "[1]", "[0,4]") + ",\"z\":" + entry("F8_E4M3", "[0]", "[2,2]") + "}   ",
      std::string("\x07\0\0\0\x01\xff", 6)));
  EXPECT_TRUE(metadata.empty());
  expect_same(arrays.at("xé𝄞"), array({1, 255}, Shape{2, 1}, uint8), "x");
  expect_same(arrays.at("y"), array({7}, int32), "y");
  EXPECT_EQ(arrays.at("z").shape(), Shape{0});
}

TEST(Safetensors, WhatCannotBeSaved) {
  EXPECT_THROW(saved({{"__metadata__", array(1.0f)}}), std::invalid_argument);
  EXPECT_THROW(saved({{"\xff", array(1.0f)}}), std::invalid_argument);
  EXPECT_THROW(saved({}, {{"a", "\xed\xa0\x80"}}), std::invalid_argument);
}

TEST(Safetensors, DamagedFiles) {
  std::string four = "1234", eight = "12345678";
  auto one = [&](const std::string& e, const std::string& data = "1234") {
    return file_of("{\"a\":" + e + "}", data);
  };
  for (const std::string& bytes : std::vector<std::string>{
           "", "1234567", std::string(8, '\xff'), std::string(8, '\0'), file_of("{").substr(0, 8), file_of(""),
           file_of("[]"), file_of("{}x"), file_of("{\"a\":1}"), file_of("{\"a\":null}"), file_of("{\"a\":{}}"),
           one("{\"dtype\":\"F32\",\"shape\":[1]}"), one(entry("F32", "[1]", "[0,4,4]")),
           one(entry("F32", "[1]", "[0,4]").insert(1, "\"more\":1,")), one(entry("Q4", "[1]", "[0,4]")),
           one(entry("F32", "[1]", "[0,8]")), one(entry("F32", "[2]", "[0,8]")), one(entry("F32", "[1]", "[4,8]")),
           one(entry("F32", "[1]", "[4,0]")), one(entry("F32", "[-1]", "[0,4]")), one(entry("F32", "[1.0]", "[0,4]")),
           one(entry("F32", "[01]", "[0,4]")), one(entry("F32", "[2]", "[0,4]")), one(entry("F32", "1", "[0,4]")),
           one(entry("F32", "[18446744073709551615]", "[0,4]")), one(entry("F32", "[18446744073709551617]", "[0,4]")),
           one(entry("F32", "[4611686018427387905]", "[0,4]")), one(entry("U8", "[4294967296,4294967296]", "[0,0]")),
           one(entry("U8", "[4]", "[18446744073709551612,18446744073709551615]")),
           file_of("{\"a\":" + entry("F32", "[1]", "[0,4]") + ",\"b\":" + entry("F32", "[1]", "[2,6]") + "}", eight),
           file_of("{\"a\":" + entry("F32", "[1]", "[0,4]") + ",\"a\":" + entry("F32", "[1]", "[4,8]") + "}", eight),
           file_of("{\"a\":" + entry("F32", "[2]", "[0,8]") + ",\"b\":" + entry("U8", "[1]", "[7,8]") + "}", eight),
           file_of("{\"__metadata__\":{\"a\":1}}"), file_of("{\"__metadata__\":[]}"), file_of("{\"__metadata__\":nul}"),
           file_of("{\"\xff\":null}"), file_of("{\"\\ud800\":null}"), file_of("{\"\\x\":null}"), file_of("{\"a\n\":1}"),
           file_of(std::string(100000, '[')), file_of("{\"a\":" + std::string(100000, '{'))}) {
    EXPECT_NE(runtime_error_of([&] { load_bytes(bytes); }).find("'memory'"), std::string::npos) << bytes.substr(0, 200);
  }
}

TEST(Safetensors, EveryTruncationIsAnError) {
  std::string bytes = saved({{"a", counted({3}, int16)}, {"b", counted({2, 2}, float64)}}, {{"k", "v"}});
  for (size_t n = 0; n < bytes.size(); n++) runtime_error_of([&] { load_bytes(bytes.substr(0, n)); });
}

// Any damage gives arrays or std::runtime_error.
TEST(Safetensors, RandomDamage) {
  std::string good = saved({{"a", counted({3}, int16)}, {"b", counted({2, 2}, float64)}}, {{"k", "v"}});
  std::mt19937 random(1);
  int loaded = 0;
  for (int i = 0; i < 20000; i++) {
    std::string bytes = good;
    for (unsigned k = 0; k < 1 + random() % 3; k++) bytes[random() % bytes.size()] = static_cast<char>(random());
    try {
      for (auto& [name, a] : load_bytes(bytes).first) array(a).eval();
      loaded++;
    } catch (const std::runtime_error&) {
    }
  }
  EXPECT_GT(loaded, 0);
  EXPECT_LT(loaded, 20000);
}

TEST(Safetensors, SavingOverWhatWasLoaded) {
  Folder folder;
  std::string path = folder / "a.safetensors";
  save_safetensors(path, {{"x", counted({1000}, float32)}, {"y", counted({10}, int8)}});
  auto arrays = load_safetensors(path).first;
  save_safetensors(path, arrays);
  expect_same(load_safetensors(path).first.at("x"), counted({1000}, float32), "saved again");
  EXPECT_EQ(folder.count(), 1u);
}

TEST(Json, Strings) {
  auto read = [](const std::string& text) {
    io::JsonReader json(text);
    std::string s = json.string();
    json.end();
    return s;
  };
  std::string all;
  for (int c = 0; c < 128; c++) all.push_back(static_cast<char>(c));
  all += "é€𝄞";
  EXPECT_EQ(read(io::json_string(all)), all);
  EXPECT_EQ(read("\"\\/\\b\\f\\u0041\\uD834\\uDD1E\""), "/\b\fA𝄞");
  for (const char* bad : {"\"", "\"\\", "\"\\u12", "\"\\u12g4\"", "\"\\udd1e\"", "\"\\ud834\"", "\"\\ud834\\u0041\"",
                          "\"\\ud834\\", "\"\xc0\x80\"", "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"", "\"\xe2\x82\"",
                          "\"\x80\"", "x", ""}) {
    EXPECT_THROW(read(bad), io::JsonError) << bad;
  }
}

TEST(Json, Numbers) {
  auto read = [](const std::string& text) {
    io::JsonReader json(text);
    uint64_t n = json.whole_number();
    json.end();
    return n;
  };
  EXPECT_EQ(read(" 18446744073709551615 "), 18446744073709551615u);
  EXPECT_EQ(read("0"), 0u);
  for (const char* bad : {"18446744073709551616", "99999999999999999999999", "00", "-1", "1.0", "1e3", "", "+1"}) {
    EXPECT_THROW(read(bad), io::JsonError) << bad;
  }
}

}  // namespace
