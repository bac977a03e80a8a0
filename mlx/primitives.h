// The operations as primitives of the graph, for code that defines or inspects them.
#pragma once

#include "mlx/core/primitive.h"
