"""Pages for figures, drawn by matplotlib without a window.

matplotlib is loaded with the first page. The same figure is written as the same bytes every time.
"""

from __future__ import annotations

import io
import os
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any

from coterie.core.errors import DataError
from coterie.core.io.folders import cache_folder

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 860, 540  # units of a page; a PNG has `scale` pixels for each
UNITS = 100  # in an inch
INK, QUIET, GRID = "#1d2126", "#5d6671", "#e3e7eb"
_STYLE: dict[Any, Any] = {
    "font.family": ["sans-serif"],
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9.5,
    "axes.titlesize": 13,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlecolor": INK,
    "axes.titlepad": 12,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#aab2bb",
    "axes.labelcolor": QUIET,
    "axes.labelpad": 6,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "text.color": INK,
    "text.parse_math": False,  # a name with two dollars in it is not a formula
    "legend.frameon": False,
    "svg.fonttype": "none",  # words can be searched, and any script is shown
    "svg.hashsalt": "coterie",
    "pdf.fonttype": 42,
}
_LOCK = RLock()  # matplotlib's settings belong to the process
_TARGET: ContextVar[Axes | None] = ContextVar("target", default=None)
# Characters that XML cannot hold, not even escaped.
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@contextmanager
def styled() -> Iterator[None]:
    """Draw in Coterie's style, one thread at a time."""
    # Its list of fonts takes seconds to make: it is kept with what else can be made again.
    os.environ.setdefault("MPLCONFIGDIR", str(cache_folder() / "matplotlib"))
    try:
        import matplotlib
    except ImportError:
        raise DataError(
            "Figures need the package 'matplotlib', which is not installed. "
            "Install it with: pip install 'coterie[figures]'.",
            code="missing-package",
        ) from None
    with _LOCK, warnings.catch_warnings(), matplotlib.rc_context(_STYLE):
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        yield


@contextmanager
def on_axes(axes: Axes | None) -> Iterator[None]:
    """Draw the pages within on these axes of somebody's figure; None for a figure of their own."""
    before = _TARGET.set(axes)
    try:
        yield
    finally:
        _TARGET.reset(before)


class _OneOfMany:
    """A figure that others draw on too: a legend belongs to the axes rather than to all of it."""

    def __init__(self, axes: Any) -> None:
        self._axes = axes

    def legend(self, *args: Any, loc: str = "best", **more: Any) -> Any:
        """Put a legend inside the axes."""
        return self._axes.legend(*args, loc="best" if "outside" in loc else loc, **more)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._axes.figure, name)


@contextmanager
def page(
    title: str = "", axes: tuple[str, str] = ("", ""), height: float = HEIGHT
) -> Iterator[tuple[Figure, Axes]]:
    """Draw on a page with one pair of axes, that makes room for all that is written on it."""
    target: Any = _TARGET.get()
    with styled():
        from matplotlib.figure import Figure
        from matplotlib.layout_engine import ConstrainedLayoutEngine

        figure: Any = None
        if target is not None:
            figure, plot = _OneOfMany(target), target
        else:
            room = ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.12)  # inches, around what is drawn
            figure = Figure(figsize=(WIDTH / UNITS, height / UNITS), dpi=UNITS, layout=room)
            plot = figure.add_subplot()
        plot.set_title(printable(title))
        plot.set_xlabel(printable(axes[0]))
        plot.set_ylabel(printable(axes[1]))
        yield figure, plot


def printable(text: str, most: int = 90) -> str:
    """Return a text on one line, without what XML cannot hold, shortened in the middle.

    >>> printable("a\\n long  name", most=8)
    'a lo…ame'
    """
    line = " ".join(_UNPRINTABLE.sub("\ufffd", text).split())
    if len(line) <= most:
        return line
    return f"{line[: most // 2]}…{line[len(line) - (most - 1) // 2 :]}"


def distinct_names(names: Sequence[str], most: int) -> list[str]:
    """Return names shortened to at most so many characters; none that differ look alike.

    >>> distinct_names(["length of the leaf", "length of a leaf", "colour"], most=9)
    ['leng…leaf', 'leng… (2)', 'colour']
    """
    shown: list[str] = []
    owner: dict[str, str] = {}
    for name in names:
        short, number = printable(name, most), 1
        while owner.get(short, name) != name:
            number += 1
            mark = f" ({number})"
            kept = max(1, most - len(mark) - 1)
            short = f"{' '.join(name.split())[:kept]}…{mark}"
        owner[short] = name
        shown.append(short)
    return shown


def as_svg(figure: Figure) -> str:
    """Return the figure as an SVG element."""
    text = _written(figure, "svg", dict.fromkeys(("Creator", "Date", "Format", "Type"))).decode()
    return text[text.index("<svg") :]


def as_png(figure: Figure, scale: float = 2.0) -> bytes:
    """Return the figure as a PNG file of `scale` pixels for each unit."""
    return _written(figure, "png", {"Software": None}, dpi=UNITS * scale)


def write_figure(figure: Figure, path: Path, scale: float = 2.0) -> None:
    """Write the figure as SVG, PDF or PNG, by the file's ending."""
    match path.suffix.lower():
        case ".svg":
            path.write_text(as_svg(figure), encoding="utf-8")
        case ".pdf":
            names = ("Creator", "Producer", "CreationDate")
            path.write_bytes(_written(figure, "pdf", dict.fromkeys(names)))
        case _:
            path.write_bytes(as_png(figure, scale))


def _written(
    figure: Figure, kind: str, metadata: dict[str, None], dpi: float | str = "figure"
) -> bytes:
    file = io.BytesIO()
    with styled():
        figure.savefig(file, format=kind, metadata=metadata, dpi=dpi)
    return file.getvalue()
