// What the examples say when something is not as it should be: the program ends with status 1.
#pragma once

#include <cstdlib>
#include <iostream>

inline void check(bool holds, const char* what) {
  if (holds) return;
  std::cerr << "Not so: " << what << std::endl;
  std::exit(1);
}
