"""The blocks that a report consists of; the writers decide how they look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing


@dataclass(frozen=True)
class Heading:
    """A title of level 1, 2 or 3."""

    text: str
    level: int = 2


@dataclass(frozen=True)
class Paragraph:
    """A few sentences; `quiet` ones matter less."""

    text: str
    quiet: bool = False


@dataclass(frozen=True)
class TableBlock:
    """Rows of texts under a line of titles."""

    titles: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""


@dataclass(frozen=True)
class FigureBlock:
    """A drawing with a caption."""

    drawing: Drawing
    caption: str


@dataclass(frozen=True)
class Listing:
    """Text that keeps its lines, such as a recipe."""

    text: str
    caption: str = ""


Block: TypeAlias = Heading | Paragraph | TableBlock | FigureBlock | Listing
