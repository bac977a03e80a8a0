"""npz files: zip archives of npy files. mlx.core calls these functions and has checked the arguments."""

import io
import zipfile

import mlx.core as mx


def save(file, arrays, compressed):
    """Write a dict of arrays to a path, which is replaced once all is written, or to a file object."""
    is_path = isinstance(file, str)
    target = mx._FileWriter(file) if is_path else file
    method = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, a in arrays.items():
            # The size is not known before the member is written.
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                mx.save(member, a)
    if is_path:
        target.commit()


class _Member(io.BytesIO):
    """The bytes of one npy file; errors call it by its name."""

    def __init__(self, data, name):
        super().__init__(data)
        self.name = name


def load(file, stream):
    """The arrays of a path or file object by name. They are read now: the archive's checksums are checked."""
    label = file if isinstance(file, str) else getattr(file, "name", f"{type(file).__name__} object")
    try:
        archive = zipfile.ZipFile(file)
    except OSError as error:
        raise ValueError(f"[load] '{label}': {error.strerror or error}.") from error
    except Exception as error:
        raise RuntimeError(f"[load] '{label}': no npz file: {error}.") from error
    arrays = {}
    with archive:
        for info in archive.infolist():
            try:
                data = archive.read(info)
            except MemoryError as error:
                size = f"{info.file_size} bytes of '{info.filename}'"
                raise mx.OutOfMemoryError(f"[load] '{label}': there is no memory for {size}.") from error
            except Exception as error:  # zipfile has no one class for damage
                message = f"[load] '{label}': '{info.filename}' cannot be read: {error}."
                raise RuntimeError(message) from error
            member = _Member(data, f"{label}:{info.filename}")
            a = mx.load(member, format="npy", stream=stream)
            mx.eval(a)
            arrays[info.filename.removesuffix(".npy")] = a
    return arrays
