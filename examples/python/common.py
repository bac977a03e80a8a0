"""What the examples share: progress, Ctrl-C, a loss curve, and text that most machines have."""

from __future__ import annotations

import itertools
import signal
import sys
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType


class Progress:
    """A bar with rate and time left on a terminal, a plain line now and then elsewhere, nothing if quiet.

    A step counts as `per_step` of `unit` in the rate.
    """

    def __init__(self, start: int, total: int, quiet: bool, unit: str = "steps", per_step: int = 1):
        self.first, self.total, self.quiet = start, total, quiet
        self.unit, self.per_step = unit, per_step
        self.terminal = sys.stderr.isatty()
        self.began = time.monotonic()
        self.next_report = self.began + (0.0 if self.terminal else 2.0)

    def rate(self, done: int) -> float:
        """Units per second since the start."""
        return (done - self.first) * self.per_step / max(time.monotonic() - self.began, 1e-9)

    def show(self, done: int, loss: float) -> None:
        now = time.monotonic()
        if self.quiet or (now < self.next_report and done < self.total):
            return
        self.next_report = now + (0.1 if self.terminal else 2.0)
        rate = self.rate(done)
        left = (self.total - done) * self.per_step / max(rate, 1e-9)
        text = f"step {done}/{self.total}  loss {loss:.4f}  {rate:.0f} {self.unit}/s  {left:.0f} s left"
        if self.terminal:
            filled = 30 * done // self.total
            print(
                f"\r[{'#' * filled}{'.' * (30 - filled)}] {text}\x1b[K", end="", file=sys.stderr, flush=True
            )
        else:
            print(text, file=sys.stderr, flush=True)

    def close(self) -> None:
        if self.terminal and not self.quiet:
            print(file=sys.stderr)


class Interrupt:
    """Turns the first Ctrl-C into a request that the loop looks at between two steps."""

    def __enter__(self) -> Interrupt:
        self.asked = False
        self.before = signal.signal(signal.SIGINT, self._ask)
        return self

    def _ask(self, signum: int, frame: FrameType | None) -> None:
        self.asked = True
        signal.signal(signal.SIGINT, self.before)

    def __exit__(self, *exception: object) -> None:
        signal.signal(signal.SIGINT, self.before)


def python_help() -> Iterator[str]:
    """The topics of Python's help()."""
    try:
        from pydoc_data.topics import topics
    except ImportError:
        return
    yield from (topics[name] for name in sorted(topics))


def text_files() -> Iterator[str]:
    """Licences, notes of packages, and last, where these are few, the sources of Python's own modules."""
    folders = (
        ("/usr/share/common-licenses", "*"),
        ("/usr/share/doc", "*/README*"),
        ("/usr/share/doc", "*/copyright"),
        (sysconfig.get_path("stdlib"), "*.py"),
    )
    for folder, pattern in folders:
        for path in sorted(Path(folder).glob(pattern)):
            # What is compressed is no text; a link is another name of a text that comes anyway.
            if path.is_file() and not path.is_symlink() and path.suffix not in (".gz", ".xz"):
                yield path.read_text(encoding="utf-8", errors="ignore")


def found_text(characters: int, *sources: Iterator[str]) -> list[str]:
    """Documents of this machine, all different and not too short, until there are so many characters.

    Without sources Python's help and then files; always in the same order.
    """
    chosen: list[str] = []
    seen: set[str] = set()
    for document in itertools.chain(*(sources or (python_help(), text_files()))):
        if characters <= 0:
            break
        # Licences repeat in every second package: a text that starts like another one is taken as the same.
        if len(document) >= 500 and document[:200] not in seen:
            seen.add(document[:200])
            chosen.append(document[:characters])
            characters -= len(document)
    return chosen


def write_curve(path: Path, losses: list[float], label: str) -> None:
    """A curve of the losses as an SVG picture, each point the mean over about 1/200 of the steps."""
    width, height, margin = 640, 360, 40
    size = max(1, len(losses) // 200)
    parts = [losses[i : i + size] for i in range(0, len(losses), size)]
    means = [sum(part) / len(part) for part in parts] or [0.0]
    low, high = min(means), max(means)
    across = (width - 2 * margin) / max(len(means) - 1, 1)
    down = (height - 2 * margin) / max(high - low, 1e-9)
    points = " ".join(
        f"{margin + i * across:.1f},{margin + (high - y) * down:.1f}" for i, y in enumerate(means)
    )
    texts = [
        (4, margin, f"{high:.2f}"),
        (4, height - margin, f"{low:.2f}"),
        (margin, height - 12, f"{label}, steps 1 to {len(losses)}"),
    ]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif"'
        ' font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<path d="M{margin} {margin}V{height - margin}H{width - margin}" fill="none" stroke="black"/>',
        f'<polyline points="{points}" fill="none" stroke="steelblue" stroke-width="1.5"/>',
        *itertools.starmap('<text x="{}" y="{}">{}</text>'.format, texts),
        "</svg>",
    ]
    path.write_text("\n".join(lines) + "\n")
