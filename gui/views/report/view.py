"""The Report view: the whole project as one page, to read, print or send."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEventLoop, QUrl
from PySide6.QtGui import QImage, QResizeEvent, QTextDocument
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QTextBrowser, QWidget

from coterie.core.errors import in_words
from coterie.gui.toolkit.background import Aside
from coterie.gui.toolkit.file_dialogs import ask_target
from coterie.gui.toolkit.redraw_queue import soon
from coterie.gui.toolkit.stacked import stacked
from coterie.gui.toolkit.styling.icons import icon
from coterie.gui.views.base_view import View
from coterie.gui.views.report.paper import write_pdf
from coterie.projects.report.blocks import Block, FigureBlock
from coterie.projects.report.snapshot import Snapshot, take

if TYPE_CHECKING:
    from coterie.projects.session import Session

_WIDTH = 620  # of a figure on the page
_NARROWEST = 240  # of a figure that can still be read
_PAGE_MARGIN = 24
_RESTED = 0.2  # seconds; the layout of a long page takes a moment
_SCALE = 2.0  # more pixels than shown: sharp on dense screens and on paper
_STYLE = """
h1 { font-size: 20pt; } h2 { font-size: 13pt; margin-top: 18px; }
p.quiet { color: #5d6671; font-size: 9pt; } td, th { padding: 2px 14px 2px 0; }
th { text-align: left; }
pre { font-size: 9pt; } figcaption { color: #5d6671; }
"""


class ReportView(View):
    """Recipe, parameters, figures, tables and versions on one page."""

    title = "Report"

    page: QTextBrowser
    _pending: QLabel

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self._blocks: tuple[Block, ...] = ()
        self._written: object = None
        self._written_page: WrittenReport | None = None
        self._laid_out: tuple[WrittenReport, int] | None = None
        self._document: QTextDocument | None = None
        self._aside = Aside(self)
        self._saving = Aside(self)  # apart: a page that is written again must not drop a file

    def emptiness(self) -> str:
        if not self.session.recipe.names:
            return "Open a file or choose a sample to see a summary of its results here."
        if not any(self.session.results.key(name) for name in self.session.recipe.names):
            return "Run the recipe to see a summary of its results here."
        return ""

    def build(self) -> QWidget:
        self.page = QTextBrowser()
        self.page.setAccessibleName("Report")
        self.page.setOpenLinks(False)
        # On paper it is dark on white, so it is here.
        self.page.setStyleSheet("QTextBrowser { background: #ffffff; color: #1d2126; }")
        self._pending = QLabel()
        self._pending.setProperty("role", "muted")
        again = QPushButton("Update")
        again.setToolTip("Update the report")
        again.clicked.connect(self.rewrite)
        save = QPushButton(icon("download"), "Save report…")
        save.setToolTip("Save the report as HTML, PDF or Markdown")
        save.setProperty("role", "quiet")
        save.clicked.connect(self._on_save)
        top = QHBoxLayout()
        top.setContentsMargins(12, 6, 8, 6)
        top.addWidget(self._pending, 1)
        top.addWidget(again)
        top.addWidget(save)
        return stacked(top, self.page, grows=self.page)

    def draw(self) -> None:
        if self._keys() == self._written:
            self._lay_out()
            return
        if self.session.busy:
            # Drawing every figure takes a moment: not while results still come in.
            self._pending.setText("Some steps are still running.")
            return
        self.rewrite()

    def rewrite(self) -> None:
        """Write the page from what there is now, beside the window's own thread."""
        self._written = self._keys()
        project = take(self.session)
        self._pending.setText("Writing the report …")
        self._aside.ask(lambda: _work_out(project), self._on_written, self._on_failed)

    def _keys(self) -> tuple[tuple[str | None, bool], ...]:
        """Which results there are, and which of them are out of date: the page says that too."""
        # One that is in the project file alone is brought by asking for it; then it is news again.
        session = self.session
        return tuple(
            (
                session.results.key(name) if session.results.artefact(name) is not None else None,
                session.status(name) == "stale",
            )
            for name in session.recipe.names
        )

    def _on_written(self, written: WrittenReport) -> None:
        self._blocks = written.blocks
        self._pending.setText("")
        self._written_page = written
        self._lay_out()

    def _lay_out(self) -> None:
        """Put the page into the width there is, with figures that fit into it."""
        written = self._written_page
        if written is None:
            return
        bar = self.page.verticalScrollBar()
        room = self.page.contentsRect().width() - bar.sizeHint().width() - 2 * _PAGE_MARGIN
        room = max(_NARROWEST, min(_WIDTH, room))
        if (written, room) == self._laid_out:
            return
        self._laid_out = written, room
        read = bar.value() / max(1, bar.maximum())
        before, self._document = self._document, document_of(written, self.page, room)
        self.page.setDocument(self._document)
        if before is not None:  # the page, its parent, would keep it
            before.deleteLater()
        bar.setValue(round(read * bar.maximum()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the figures into the new width."""
        super().resizeEvent(event)
        if self.built and self.isVisible():
            soon(self._lay_out, within=_RESTED)

    def _on_failed(self, error: BaseException) -> None:
        self._pending.setText(f"The report could not be written: {in_words(error)}")

    def export_picture(self, path: Path) -> None:
        """Write the page: HTML or PDF by the ending; PNG and SVG show what is seen of it."""
        self.synchronize()
        if self.empty:
            return
        ending = path.suffix.lower()
        if ending in (".png", ".svg"):
            from coterie.gui.toolkit.plots.widget_image import write_widget

            write_widget(self.page, path)
            return
        if ending not in _WRITERS:
            from coterie.gui.toolkit.plots.picture_file import PictureError

            raise PictureError(
                f"Reports can be saved as .html, .pdf, .md, .png or .svg. Got '{path.name}'.",
                code="wrong-extension",
            )
        project = take(self.session)
        self._pending.setText(f"Writing {path.name} …")

        def on_failed(error: BaseException) -> None:
            self._on_not_saved(error, path)

        def on_saved(_: None) -> None:
            self._pending.setText(f"Saved {path.name}.")

        self._saving.ask(lambda: _WRITERS[ending](project, path), on_saved, on_failed)

    def _on_not_saved(self, error: BaseException, path: Path) -> None:
        why = error.strerror if isinstance(error, OSError) and error.strerror else in_words(error)
        self._pending.setText(f"'{path.name}' could not be written: {why.rstrip('.')}.")

    def _on_save(self) -> None:
        kinds = "HTML page (*.html);;PDF (*.pdf);;Markdown (*.md)"
        if (asked := ask_target(self, "Save report", "report.html", kinds)) is not None:
            self.export_picture(asked[0])


@dataclass(frozen=True, eq=False)
class WrittenReport:
    """The blocks of a report, and its figures as pictures."""

    blocks: tuple[Block, ...]
    pictures: tuple[QImage, ...]


def _work_out(project: Snapshot) -> WrittenReport:
    """Draw all figures; on any thread."""
    from coterie.core.numerics.drawing.page import WIDTH, as_png
    from coterie.projects.report.contents import contents

    blocks = tuple(contents(project))
    figures = [block.drawing for block in blocks if isinstance(block, FigureBlock)]
    scale = _SCALE * _WIDTH / WIDTH
    return WrittenReport(blocks, tuple(QImage.fromData(as_png(one, scale)) for one in figures))


def _write_html(project: Snapshot, path: Path) -> None:
    """Write the page; on any thread."""
    from coterie.projects.report.contents import contents
    from coterie.projects.report.html import page

    path.write_text(page(contents(project), project.title), encoding="utf-8")


def _write_markdown(project: Snapshot, path: Path) -> None:
    """Write the page and its figures; on any thread."""
    from coterie.projects.report.contents import contents
    from coterie.projects.report.markdown import write_markdown

    write_markdown(contents(project), path)


def _write_pdf(project: Snapshot, path: Path) -> None:
    """Lay out the page and write it; on any thread, as the document belongs to that one alone."""
    loop = QEventLoop()  # gives this thread the timers that a document starts
    document = document_of(_work_out(project), None)
    write_pdf(document, path, project.title)
    del document  # before the loop, and on the thread that made it
    loop.quit()


def document_of(written: WrittenReport, parent: Any, widest: int = _WIDTH) -> QTextDocument:
    """Return the page as Qt's rich text, figures as pictures beside it, none of them wider."""
    from coterie.projects.report.html import element

    document = QTextDocument(parent)
    document.setDefaultStyleSheet(_STYLE)
    document.setDocumentMargin(_PAGE_MARGIN)
    pictures = iter(enumerate(written.pictures))

    def drawn(_: FigureBlock) -> str:
        number, image = next(pictures)
        kind = QTextDocument.ResourceType.ImageResource.value
        document.addResource(kind, QUrl(f"figure-{number}"), image)
        width = min(widest, round(image.width() / _SCALE))
        # In a paragraph of its own: Qt knows no figures, and would put it into the one before.
        return f'<p><img src="figure-{number}" width="{width}"></p>'

    document.setHtml("\n".join(element(block, drawn) for block in written.blocks))
    return document


_WRITERS: dict[str, Callable[[Snapshot, Path], None]] = {
    ".html": _write_html,
    ".htm": _write_html,
    ".md": _write_markdown,
    ".pdf": _write_pdf,
}
