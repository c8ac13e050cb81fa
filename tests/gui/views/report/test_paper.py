"""Documents on pages."""

from pathlib import Path

import pytest
from PySide6.QtGui import QTextBlock, QTextDocument
from PySide6.QtWidgets import QApplication

from coterie.gui.views.report.paper import _extent, _parts, write_pdf


def paged(lines: int, tail: str, path: Path) -> QTextDocument:
    document = QTextDocument()
    document.setHtml("<p>A line.</p>" * lines + tail)
    write_pdf(document, path, "Title")
    return document


def page_of(document: QTextDocument, at: int) -> tuple[int, int]:
    """The pages on which a part begins and ends, a bit inside its edges."""
    top, bottom = _extent(document, list(_parts(document))[at])
    height = document.pageSize().height()
    return int((top + 1) // height), int((bottom - 1) // height)


# However many lines come before, so that some of them end right above the foot of a page.
@pytest.mark.parametrize("lines", range(28, 46, 3))
def test_a_heading_stays_with_its_text_and_a_small_table_whole(
    qapp: QApplication, tmp_path: Path, lines: int
) -> None:
    table = "<table><caption>Caption.</caption>" + "<tr><td>1</td></tr>" * 6 + "</table>"
    document = paged(lines, f"<h2>Heading</h2><p>Text.</p>{table}", tmp_path / "r.pdf")
    parts = list(_parts(document))
    heading = next(
        i
        for i, part in enumerate(parts)
        if isinstance(part, QTextBlock) and part.blockFormat().headingLevel() == 2
    )
    assert page_of(document, heading)[0] == page_of(document, heading + 1)[0]
    at = next(i for i, part in enumerate(parts) if not isinstance(part, QTextBlock))
    begins, ends = page_of(document, at)
    assert begins == ends == page_of(document, at - 1)[0]  # with its caption
    assert (tmp_path / "r.pdf").read_bytes().startswith(b"%PDF")
