"""``python -m mlx``: where the package lies, for build scripts."""

from __future__ import annotations

import argparse
import signal
from pathlib import Path


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m mlx", description="Facts about the installed package.")
    parser.add_argument("--version", action="store_true", help="print the version")
    parser.add_argument(
        "--cmake-dir",
        action="store_true",
        help="print the package folder; MLXConfig.cmake lies below it in share/cmake/MLX",
    )
    wanted = parser.parse_args()
    if not (wanted.version or wanted.cmake_dir):
        parser.error("say --version or --cmake-dir")
    # The extension module is the landmark: several distributions may share the folder name mlx.
    import mlx.core as mx

    if wanted.version:
        print(mx.__version__)
    if wanted.cmake_dir:
        print(Path(mx.__file__).resolve().parent)


if __name__ == "__main__":
    # A reader that stops early, such as head, ends this as it ends other tools: without a traceback.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    main()
