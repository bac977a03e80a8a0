// Readers and writers over Python file objects: see file_objects.h.

#include "file_objects.h"

#include "gil.h"
#include "release.h"

namespace mlx::python {

namespace {

// Guards the positions of all files: threads that evaluate move and restore them. A Python lock, because who waits
// for one lets go of the GIL; it may be taken again by a file object that itself reads through the library.
PyObject* file_lock = nullptr;

class FileLock {
 public:
  FileLock() : lock_(nb::borrow(file_lock)) { lock_.attr("acquire")(); }
  ~FileLock() {
    if (PyObject* result = PyObject_CallMethod(lock_.ptr(), "release", nullptr)) Py_DECREF(result);
    else PyErr_Clear();
  }

 private:
  nb::object lock_;
};

// Calls a method of the file with a view of the memory, and takes the view back: the file must not use it later.
nb::object lend(nb::handle file, const char* method, const char* data, size_t n, int flags) {
  nb::object view =
      steal(PyMemoryView_FromMemory(const_cast<char*>(data), static_cast<Py_ssize_t>(n), flags));
  nb::object result;
  try {
    result = file.attr(method)(view);
  } catch (nb::python_error&) {
    if (PyObject* released = PyObject_CallMethod(view.ptr(), "release", nullptr)) Py_DECREF(released);
    else PyErr_Clear();
    throw;
  }
  view.attr("release")();
  return result;
}

size_t count_of(nb::handle number) {
  Py_ssize_t count = PyNumber_AsSsize_t(number.ptr(), PyExc_OverflowError);
  if (count == -1 && PyErr_Occurred()) raise_python();
  return static_cast<size_t>(count);
}

size_t position_of(nb::handle file) { return count_of(file.attr("tell")()); }

int whence(std::ios_base::seekdir way) {
  return way == std::ios_base::beg ? 0 : way == std::ios_base::cur ? 1 : 2;
}

bool is_closed(nb::handle file) {
  nb::object closed = nb::getattr(file, "closed", nb::bool_(false));
  return PyObject_IsTrue(closed.ptr()) == 1;
}

std::string label_of(nb::handle file) {
  nb::object name = nb::getattr(file, "name", nb::none());
  return PyUnicode_Check(name.ptr()) ? text_of(name) : concat(type_name(file.ptr()), " object");
}

// What readers and writers share.
template <typename Base>
class FileObject : public Base {
 public:
  explicit FileObject(PyObject* file) : file_(keep(file)), label_(label_of(file)) {}
  bool is_open() const override {
    CallbackGil gil;
    return !is_closed(file_.get());
  }
  bool good() const override { return is_open(); }
  std::string label() const override { return label_; }

 protected:
  PyRef file_;
  std::string label_;
};

class FileObjectReader : public FileObject<mx::io::Reader> {
 public:
  using FileObject::FileObject;

  size_t tell() override {
    size_t position = 0;
    with_file([&](nb::handle file) { position = position_of(file); });
    return position;
  }
  void seek(int64_t off, std::ios_base::seekdir way) override {
    with_file([&](nb::handle file) { file.attr("seek")(off, whence(way)); });
  }
  void read(char* data, size_t n) override {
    with_file([&](nb::handle file) { fill(file, data, n); });
  }
  void read(char* data, size_t n, size_t offset) override {
    try {
      with_file([&](nb::handle file) {
        size_t position = position_of(file);
        file.attr("seek")(offset);
        fill(file, data, n);
        file.attr("seek")(position);
      });
    } catch (const mx::Interrupted&) {
      // The array keeps the error and raises it on every use, which must happen once only for an interrupt.
      PyErr_SetInterrupt();
      raise<std::runtime_error>("[load] '", label_, "': interrupted while the array was read.");
    }
  }

 private:
  // An error of the file may have to be raised several times and on other threads: as text, not as a Python object.
  template <typename Body>
  void with_file(Body&& body) const {
    CallbackGil gil;
    try {
      FileLock lock;
      body(nb::handle(file_.get()));
    } catch (nb::python_error& e) {
      if (e.matches(PyExc_KeyboardInterrupt)) throw mx::Interrupted();
      const char* kind = reinterpret_cast<PyTypeObject*>(e.type().ptr())->tp_name;
      raise<std::runtime_error>("[load] '", label_, "': ", kind, ": ", text_of(e.value()));
    }
  }

  void fill(nb::handle file, char* data, size_t n) const {
    size_t done = 0;
    while (done < n) {
      nb::object result = lend(file, "readinto", data + done, n - done, PyBUF_WRITE);
      size_t count = result.is_none() ? 0 : count_of(result);
      if (count == 0) raise<std::runtime_error>("[load] '", label_, "': the file ends too early: it is truncated.");
      if (count > n - done) {
        raise<std::runtime_error>("[load] '", label_, "': readinto returned ", text_of(result), ".");
      }
      done += count;
    }
  }
};

// Writes happen in the call that saves: errors of the file pass through it as they are.
class FileObjectWriter : public FileObject<mx::io::Writer> {
 public:
  using FileObject::FileObject;

  size_t tell() override {
    CallbackGil gil;
    return position_of(file_.get());
  }
  void seek(int64_t off, std::ios_base::seekdir way) override {
    CallbackGil gil;
    nb::handle(file_.get()).attr("seek")(off, whence(way));
  }
  void write(const char* data, size_t n) override {
    CallbackGil gil;
    size_t done = 0;
    while (done < n) {
      nb::object result = lend(file_.get(), "write", data + done, n - done, PyBUF_READ);
      size_t count = result.is_none() ? n - done : count_of(result);
      if (count == 0 || count > n - done) {
        raise<std::runtime_error>("[save] '", label_, "': write returned ", text_of(result), " for ", n - done,
                                  " bytes.");
      }
      done += count;
    }
  }
};

bool has_methods(PyObject* o, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (!PyObject_HasAttrString(o, name)) return false;
  }
  return true;
}

}  // namespace

bool is_readable(PyObject* o) { return has_methods(o, {"readinto", "seek", "tell"}); }
std::shared_ptr<mx::io::Reader> make_reader(PyObject* file) { return std::make_shared<FileObjectReader>(file); }

bool is_writable(PyObject* o) { return has_methods(o, {"write"}); }
std::shared_ptr<mx::io::Writer> make_writer(PyObject* file) { return std::make_shared<FileObjectWriter>(file); }

void reset_file_lock() {
  // The old one is not released: its holder is gone.
  file_lock = nb::module_::import_("threading").attr("RLock")().release().ptr();
}

std::optional<std::string> path_of(PyObject* o) {
  if (!PyUnicode_Check(o) && !PyBytes_Check(o) && !PyObject_HasAttrString(o, "__fspath__")) return std::nullopt;
  PyObject* bytes = nullptr;
  if (!PyUnicode_FSConverter(o, &bytes)) raise_python();
  nb::object owner = nb::steal(bytes);
  return std::string(PyBytes_AS_STRING(bytes), static_cast<size_t>(PyBytes_GET_SIZE(bytes)));
}

std::string utf8_of(PyObject* text) {
  Py_ssize_t n = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text, &n);
  if (!data) raise_python();
  return std::string(data, static_cast<size_t>(n));
}

}  // namespace mlx::python
