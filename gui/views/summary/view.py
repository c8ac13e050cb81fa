"""The Summary view: the answer on one page, with what else to try."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QHBoxLayout, QLabel, QTextBrowser, QVBoxLayout, QWidget

from coterie.core.errors import in_words
from coterie.core.numerics.drawing import palette
from coterie.gui.toolkit.background import Aside
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.base_view import View
from coterie.gui.views.summary.state import SummaryState

if TYPE_CHECKING:
    from coterie.projects.session import Session

ADOPT = "adopt"
_SIZES = 8  # of groups that are listed of a candidate


class SummaryView(View):
    """How many groups, how sure, each in words; other candidates are adopted by a click."""

    title = "Summary"

    page: QTextBrowser
    _headline: QLabel

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.state = SummaryState(session)
        self._aside = Aside(self)
        self._drawn = ""

    def show_step(self, name: str) -> None:
        self.state.chosen = name
        self.outdate()

    def update_state(self) -> None:
        self.state.update()
        if not self.state.empty:
            self._aside.work_out(self.state.pending, self.refresh, self._on_no_words)

    def emptiness(self) -> str:
        return self.state.empty

    def drawn_steps(self) -> Iterable[str]:
        return (self.state.shown.clustering_step,)

    def build(self) -> QWidget:
        self._headline = QLabel(wordWrap=True)
        self._headline.setProperty("role", "title")
        top = QHBoxLayout()
        top.setContentsMargins(12, 6, 8, 6)
        top.addWidget(self._headline, 1)
        top.addWidget(self.save_button())
        self.page = QTextBrowser()
        self.page.setAccessibleName("Summary")
        self.page.setOpenLinks(False)
        self.page.document().setDocumentMargin(12)
        self.page.anchorClicked.connect(self._on_link)
        content = QWidget()
        layout = QVBoxLayout(content)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(top)
        layout.addWidget(self.page, 1)
        return content

    def draw(self) -> None:
        self._headline.setText(self.state.sentence)
        written = self._groups() + self._candidates()
        if written != self._drawn:  # keeps the place where somebody reads
            self._drawn = written
            self.page.setHtml(written)

    def export_picture(self, path: Path) -> None:
        from coterie.gui.toolkit.plots.widget_image import write_widget

        self.state.update()
        self.state.pending.finish()
        self.synchronize()
        if not self.empty:
            write_widget(self.page, path)

    def _groups(self) -> str:
        table, colours = self.state.table, theme.current()
        if table is None:
            return f'<p style="color:{colours.muted}">Describing the groups …</p>'
        rows = []
        for group, (name, *cells) in enumerate(table.rows):
            shade = palette.group_colour(group, dark=colours.dark)
            mark = f'<span style="color:{shade}">■</span> <b>{escape(name)}</b>'
            rows.append((mark, *map(escape, cells)))
        return _table(table.titles, rows, colours) + _quiet(table.caption, colours)

    def _candidates(self) -> str:
        colours = theme.current()
        if not self.state.candidates:
            return ""
        rows = []
        for number, one in enumerate(self.state.candidates):
            stability = "–" if one.stability is None else f"{one.stability:.2f}"
            sizes = ", ".join(f"{size:,}" for size in one.sizes[:_SIZES])
            more = " …" if len(one.sizes) > _SIZES else ""
            link = (
                "the answer"
                if one.chosen
                else f'<a style="color:{colours.accent}" href="{ADOPT}:{number}">Adopt</a>'
            )
            title = f"<b>{escape(one.title)}</b>" if one.is_answer else escape(one.title)
            rows.append(
                (
                    title,
                    f"{one.expected:.0%}",
                    f"{one.agreement:.2f}",
                    stability,
                    sizes + more,
                    link,
                )
            )
        titles = ("method", "expected", "agreement", "stability", "sizes", "")
        about = (
            "Expected: agreement with the true groups that the evidence lets expect. Agreement: "
            "with the most similar proposal of other methods. Stability: agreement with what the "
            "method finds on a part of the items. Adopting adds the steps of a candidate to the "
            "recipe and can be undone."
        )
        return "<h3>What else to try</h3>" + _table(titles, rows, colours) + _quiet(about, colours)

    def _on_link(self, link: QUrl) -> None:
        number = link.path()
        if link.scheme() == ADOPT and number.isdigit() and int(number) < len(self.state.candidates):
            try:
                self.state.chosen = self.state.adopt(int(number))
            except Exception as error:
                self._headline.setText(in_words(error))
                return
            self.outdate()

    def restyle(self) -> None:
        self._drawn = ""

    def _on_no_words(self, error: BaseException) -> None:
        self.session.logged.emit(f"The groups cannot be described: {in_words(error)}")
        self.refresh()


def _table(titles: Iterable[str], rows: Iterable[Iterable[str]], colours: theme.Colours) -> str:
    """Rows of HTML under a line of titles."""
    head = "".join(
        f'<th align="left" style="color:{colours.muted}">{escape(title)}</th>' for title in titles
    )
    body = "".join(
        "<tr>" + "".join(f'<td valign="top">{cell}</td>' for cell in row) + "</tr>" for row in rows
    )
    return f'<table cellpadding="5" cellspacing="0"><tr>{head}</tr>{body}</table>'


def _quiet(text: str, colours: theme.Colours) -> str:
    return f'<p style="color:{colours.muted}"><small>{escape(text)}</small></p>' if text else ""
