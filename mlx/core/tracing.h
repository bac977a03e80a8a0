// What the calling thread is tracing, so that rules know what they must not bake into a graph.
#pragma once

namespace mlx::core {

// Non-zero while the thread traces a function that will run at other shapes.
int& shapeless_tracing_depth();
inline bool tracing_shapeless() { return shapeless_tracing_depth() > 0; }

}  // namespace mlx::core
