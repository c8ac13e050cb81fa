"""A report as one self-contained HTML page.

Whatever comes from data or a project file is escaped: a name cannot become markup.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from html import escape
from itertools import groupby

from coterie.core.numerics.drawing.page import as_svg
from coterie.projects.report.blocks import (
    Block,
    FigureBlock,
    Heading,
    Listing,
    Paragraph,
    TableBlock,
)

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #1d2126; background: #ffffff;
       max-width: 60rem; margin: 2rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.9rem; margin-bottom: .2rem; }
h2 { font-size: 1.25rem; margin-top: 2.2rem; border-bottom: 1px solid #d6dbe1; }
p.quiet { color: #5d6671; font-size: .88rem; overflow-wrap: anywhere; }
table { border-collapse: collapse; margin: .8rem 0; font-size: .9rem; }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid #e6e9ed; }
figure { margin: 1rem 0; }
.figures { display: flex; flex-wrap: wrap; gap: 1.2rem; align-items: flex-start; }
.figures figure { flex: 1 1 26rem; max-width: 29rem; margin: .4rem 0; }
figure svg { max-width: 100%; height: auto; }
figcaption, caption { color: #5d6671; font-size: .85rem; text-align: left; }
pre { background: #f4f5f7; padding: .8rem; overflow-x: auto; font-size: .82rem; }
@media print { body { margin: 0; max-width: none; } h2 { break-after: avoid; } }
"""


def page(blocks: Iterable[Block], title: str) -> str:
    """Return the whole page."""
    body = "\n".join(_side_by_side(blocks))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'; img-src data:\">\n"
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def _side_by_side(blocks: Iterable[Block]) -> Iterator[str]:
    """Every block as HTML; figures that follow each other share a line where there is room."""
    for drawn, some in groupby(blocks, lambda block: isinstance(block, FigureBlock)):
        inside = "\n".join(map(element, some))
        yield f'<div class="figures">\n{inside}\n</div>' if drawn else inside


def element(block: Block, drawn: Callable[[FigureBlock], str] | None = None) -> str:
    """Return one block as HTML; `drawn` says how a figure is shown, by default as it is."""
    match block:
        case Heading():
            return f"<h{block.level}>{escape(block.text)}</h{block.level}>"
        case Paragraph():
            quiet = ' class="quiet"' if block.quiet else ""
            return f"<p{quiet}>{escape(block.text)}</p>"
        case Listing():
            return f"<pre>{escape(block.text)}</pre>"
        case TableBlock():
            return _table(block)
        case FigureBlock():
            shown = as_svg(block.drawing) if drawn is None else drawn(block)
            return f"<figure>{shown}<figcaption>{escape(block.caption)}</figcaption></figure>"


def _table(table: TableBlock) -> str:
    caption = f"<caption>{escape(table.caption)}</caption>" if table.caption else ""
    head = "".join(f"<th>{escape(title)}</th>" for title in table.titles)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>\n"
        for row in table.rows
    )
    return f"<table>{caption}<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table>"
