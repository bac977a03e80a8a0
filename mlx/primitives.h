// The operations as primitives of the graph, for code that defines or inspects them.
#pragma once

#include "mlx/core/primitive.h"
#include "mlx/ops/arange_primitive.h"
#include "mlx/ops/cast_primitive.h"
#include "mlx/ops/compiled_primitive.h"
#include "mlx/ops/convolution_primitive.h"
#include "mlx/ops/custom_primitives.h"
#include "mlx/ops/elementwise_primitive.h"
#include "mlx/ops/index_primitives.h"
#include "mlx/ops/join_primitives.h"
#include "mlx/ops/matmul_primitives.h"
#include "mlx/ops/norm_primitives.h"
#include "mlx/ops/random_primitive.h"
#include "mlx/ops/reduce_primitives.h"
#include "mlx/ops/slice_primitives.h"
#include "mlx/ops/sort_primitives.h"
#include "mlx/ops/view_primitives.h"
