// Arrays in files: npy, safetensors and gguf. Loading is lazy: the bytes are read when an array is evaluated.
//
// A missing, truncated or wrong file throws std::runtime_error naming it; nothing is allocated that the file cannot
// hold. Saving evaluates, and replaces an existing file only once the new one is complete.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "mlx/array.h"
#include "mlx/io/load.h"
#include "mlx/utils.h"

namespace mlx::core {

using SafetensorsLoad = std::pair<std::unordered_map<std::string, array>, std::unordered_map<std::string, std::string>>;

// NumPy's npy format, versions 1 and 2. The suffix .npy is added where it is missing.
void save(std::shared_ptr<io::Writer> out_stream, array a);
void save(std::string file, array a);
array load(std::shared_ptr<io::Reader> in_stream, StreamOrDevice s = {});
array load(std::string file, StreamOrDevice s = {});

// Arrays by name with string metadata. The suffix .safetensors is added where it is missing.
SafetensorsLoad load_safetensors(std::shared_ptr<io::Reader> in_stream, StreamOrDevice s = {});
SafetensorsLoad load_safetensors(const std::string& file, StreamOrDevice s = {});
void save_safetensors(std::shared_ptr<io::Writer> out_stream, std::unordered_map<std::string, array> arrays,
                      std::unordered_map<std::string, std::string> metadata = {});
void save_safetensors(std::string file, std::unordered_map<std::string, array> arrays,
                      std::unordered_map<std::string, std::string> metadata = {});

// Arrays and metadata of gguf files. Quantized tensors with blocks of 32 values in 4 or 8 bits (Q4_0, Q4_1, Q8_0)
// become packed words with arrays ".scales" and ".biases", as dequantize() takes them; other quantized types become
// float16. The suffix .gguf is added where it is missing.
using GGUFMetaData = std::variant<std::monostate, array, std::string, std::vector<std::string>>;
using GGUFLoad = std::pair<std::unordered_map<std::string, array>, std::unordered_map<std::string, GGUFMetaData>>;
GGUFLoad load_gguf(const std::string& file, StreamOrDevice s = {});
void save_gguf(std::string file, std::unordered_map<std::string, array> array_map,
               std::unordered_map<std::string, GGUFMetaData> meta_data = {});

}  // namespace mlx::core
