// Readers and writers: their interfaces, for sources and targets of one's own, and files.
#pragma once

#include "mlx/core/file.h"
#include "mlx/core/reader.h"
#include "mlx/io/thread_pool.h"
