"""A document on pages of A4, as PDF."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QPageLayout,
    QPageSize,
    QPainter,
    QPalette,
    QPdfWriter,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrame,
)

_RESOLUTION, _SCREEN_RESOLUTION = 150, 96  # dots an inch
_MARGIN = 20 / 25.4  # inches
_LEAST = 60.0  # of what follows a heading on its page
_INK, _QUIET = QColor("#1d2126"), QColor("#5d6671")


def write_pdf(document: QTextDocument, path: Path, title: str) -> None:
    """Write a document as PDF; no heading stands alone at the end of a page."""
    # Into memory first: Qt says nothing when a disk is full or a folder cannot be written to.
    kept = QBuffer()
    kept.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(kept)
    writer.setTitle(title)
    writer.setCreator("Coterie")
    writer.setResolution(_RESOLUTION)
    size = QPageSize(QPageSize.PageSizeId.A4)
    writer.setPageLayout(QPageLayout(size, QPageLayout.Orientation.Portrait, QMarginsF()))
    page = QSizeF(writer.width(), writer.height())
    _lay_out(document, writer, page)
    _draw(document, writer, page)
    path.write_bytes(kept.data().data())


def _lay_out(document: QTextDocument, writer: QPdfWriter, page: QSizeF) -> None:
    document.documentLayout().setPaintDevice(writer)
    frame = document.rootFrame().frameFormat()
    frame.setMargin(_MARGIN * _SCREEN_RESOLUTION)  # which Qt makes larger for the paper
    document.rootFrame().setFrameFormat(frame)
    document.setPageSize(page)
    _keep_together(document, page.height())


def _keep_together(document: QTextDocument, height: float) -> None:
    """Begin a new page before what would be torn: a heading from its text, a table within itself.

    From the first to the last, as each new page moves all that follows.
    """
    parts = list(_parts(document))
    for at, part in enumerate(parts):
        start = _caption_of(document, parts, at)
        top, bottom = _extent(document, parts[start])[0], _extent(document, part)[1]
        if isinstance(part, QTextBlock):
            if part.blockFormat().headingLevel() < 2 or at + 1 == len(parts):
                continue
            following = _extent(document, parts[at + 1])
            bottom = following[1] if following[1] - top < height / 2 else following[0] + _LEAST
        end = (top // height + 1) * height - _MARGIN * _RESOLUTION
        if bottom > end and bottom - top < height * 0.7:
            _begin_page_before(parts[start])


def _caption_of(document: QTextDocument, parts: Sequence[QTextBlock | QTextFrame], at: int) -> int:
    """The place of the line above a table, and of the heading above that: they go with it."""
    start = at
    if not isinstance(parts[at], QTextBlock) and at:
        top, bottom = _extent(document, parts[at - 1])
        start -= isinstance(parts[at - 1], QTextBlock) and bottom - top < _LEAST
    above = parts[start - 1] if start else None
    if start < at and isinstance(above, QTextBlock) and above.blockFormat().headingLevel() > 1:
        start -= 1
    return start


def _parts(document: QTextDocument) -> Iterator[QTextBlock | QTextFrame]:
    """The paragraphs and tables of a document, in order."""
    place = document.rootFrame().begin()
    while not place.atEnd():
        frame: QTextFrame | None = place.currentFrame()
        yield place.currentBlock() if frame is None else frame
        place += 1


def _extent(document: QTextDocument, part: QTextBlock | QTextFrame) -> tuple[float, float]:
    layout = document.documentLayout()
    found = (
        layout.blockBoundingRect(part)
        if isinstance(part, QTextBlock)
        else layout.frameBoundingRect(part)
    )
    return found.top(), found.bottom()


def _begin_page_before(part: QTextBlock | QTextFrame) -> None:
    policy = QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore
    if isinstance(part, QTextBlock):
        shape = part.blockFormat()
        shape.setPageBreakPolicy(policy)
        QTextCursor(part).setBlockFormat(shape)
    else:
        frame = part.frameFormat()
        frame.setPageBreakPolicy(policy)
        part.setFrameFormat(frame)


def _draw(document: QTextDocument, writer: QPdfWriter, page: QSizeF) -> None:
    painter = QPainter(writer)
    context = QAbstractTextDocumentLayout.PaintContext()
    context.palette.setColor(QPalette.ColorRole.Text, _INK)
    foot = QRectF(0, 0, page.width(), page.height()).adjusted(0, 0, 0, -_MARGIN * _RESOLUTION / 2)
    for number in range(document.pageCount()):
        if number:
            writer.newPage()
        context.clip = QRectF(0, number * page.height(), page.width(), page.height())
        painter.save()
        painter.translate(0, -context.clip.top())
        painter.setClipRect(context.clip)
        document.documentLayout().draw(painter, context)
        painter.restore()
        painter.setPen(_QUIET)
        there = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom
        painter.drawText(foot, there, f"{number + 1} of {document.pageCount()}")
    painter.end()
