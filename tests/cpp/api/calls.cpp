// The tables of calls, compiled and linked.
#include "calls.h"

namespace api {

void ops() {
#include "ops.def"
}

void core() {
#include "core.def"
}

void families() {
#include "families.def"
}

}  // namespace api
