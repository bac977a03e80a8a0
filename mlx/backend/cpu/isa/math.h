// Every function that the value column of elementwise.def may call, for all register types.
#pragma once

#include "mlx/backend/cpu/isa/math_basic.h"
#include "mlx/backend/cpu/isa/math_complex.h"
#include "mlx/backend/cpu/isa/math_exp.h"
#include "mlx/backend/cpu/isa/math_f64.h"
#include "mlx/backend/cpu/isa/math_log.h"
#include "mlx/backend/cpu/isa/math_special.h"
#include "mlx/backend/cpu/isa/math_trig.h"
