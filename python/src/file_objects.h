// Python file objects as the library's readers and writers. They take the GIL themselves.
#pragma once

#include <optional>
#include <string>

#include "binding.h"

namespace mlx::python {

// str, bytes or an os.PathLike; nothing for other objects.
std::optional<std::string> path_of(PyObject* o);
std::string utf8_of(PyObject* text);

// An object with readinto, seek and tell; false where it lacks one. It is kept until the last array that was loaded
// from it is evaluated; its position is the same before and after a lazy read.
bool is_readable(PyObject* o);
std::shared_ptr<mx::io::Reader> make_reader(PyObject* file);

// An object with write.
bool is_writable(PyObject* o);
std::shared_ptr<mx::io::Writer> make_writer(PyObject* file);

// A forked child must not wait for a lock that a thread of its parent holds.
void reset_file_lock();

}  // namespace mlx::python
