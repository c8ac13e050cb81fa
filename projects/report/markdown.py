"""A report as Markdown, with its figures as drawings in a folder beside it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from coterie.core.numerics.drawing.page import as_svg
from coterie.projects.report.blocks import (
    Block,
    FigureBlock,
    Heading,
    Listing,
    Paragraph,
    TableBlock,
)


def write_markdown(blocks: Iterable[Block], path: Path) -> Path:
    """Write a report; return the folder of its figures, "NAME-figures" beside it."""
    folder = path.with_name(f"{path.stem}-figures")
    folder.mkdir(exist_ok=True)
    number = 0

    def draw(figure: FigureBlock) -> str:
        nonlocal number
        number += 1
        name = f"figure-{number}.svg"
        (folder / name).write_text(as_svg(figure.drawing), encoding="utf-8")
        return f"{folder.name.replace(' ', '%20')}/{name}"

    path.write_text(as_markdown(blocks, draw), encoding="utf-8")
    return folder


def as_markdown(blocks: Iterable[Block], draw: Callable[[FigureBlock], str]) -> str:
    """Return a report as Markdown.

    Parameters
    ----------
    draw : keeps a figure and returns its address

    >>> as_markdown([Heading("A *b*"), Paragraph("Two words.")], lambda figure: "")
    '## A \\\\*b\\\\*\\n\\nTwo words.\\n'
    """
    return "\n\n".join(_block(block, draw) for block in blocks) + "\n"


def _block(block: Block, draw: Callable[[FigureBlock], str]) -> str:
    match block:
        case Heading():
            return f"{'#' * block.level} {_plain(block.text)}"
        case Paragraph():
            return _plain(block.text)
        case Listing():
            fence = "`" * max(3, 1 + max(map(len, re.findall("`+", block.text)), default=0))
            return f"{fence}\n{block.text.rstrip()}\n{fence}"
        case TableBlock():
            return _table(block)
        case FigureBlock():
            return f"![{_plain(block.caption)}]({draw(block)})"


def _table(table: TableBlock) -> str:
    lines = [table.titles, ("---",) * len(table.titles), *table.rows]
    drawn = "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)
    return f"{drawn}\n\n*{_plain(table.caption)}*" if table.caption else drawn


def _cell(text: str) -> str:
    return text if text == "---" else _plain(text).replace("|", "\\|")


def _plain(text: str) -> str:
    """Keep names from data from being read as markup, of Markdown or of HTML."""
    one_line = " ".join(text.split())
    marked = re.sub(r"([\\`*_\[\]])", r"\\\1", one_line).replace("&", "&amp;").replace("<", "&lt;")
    return re.sub(r"^([#>+-]|\d+\.)(?=\s)", r"\\\1", marked)
