"""The Report view, and the page it writes."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure as Drawing
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from coterie.gui.views.report.paper import write_pdf
from coterie.gui.views.report.view import ReportView, WrittenReport, document_of
from coterie.projects.report.blocks import FigureBlock, Heading, Paragraph

PICTURE = QImage(40, 20, QImage.Format.Format_RGB32)
BLOCKS = (Heading("T"), FigureBlock(Drawing(), "a figure"), Paragraph("<b>x</b>"))


def test_names_do_not_become_markup(qapp: QApplication) -> None:
    text = document_of(WrittenReport(BLOCKS, (PICTURE,)), None).toPlainText()
    assert "a figure" in text
    assert "<b>x</b>" in text


def test_a_figure_stands_below_the_paragraph_before_it(qapp: QApplication) -> None:
    blocks = (Paragraph("Before."), FigureBlock(Drawing(), "a figure"))
    document = document_of(WrittenReport(blocks, (PICTURE,)), None)
    first = document.begin()
    assert first.text() == "Before."


def test_the_page_is_written_as_pdf(qapp: QApplication, tmp_path: Path) -> None:
    write_pdf(document_of(WrittenReport(BLOCKS, (PICTURE,)), None), tmp_path / "r.pdf", "T")
    assert (tmp_path / "r.pdf").read_bytes().startswith(b"%PDF")


@pytest.fixture
def view(session: Any, shown: Callable[[ReportView], ReportView], qtbot: QtBot) -> ReportView:
    view = shown(ReportView(session))
    qtbot.waitUntil(lambda: "make-believe" in view.page.toPlainText())
    return view


def test_every_step_is_on_the_page(view: ReportView) -> None:
    text = view.page.toPlainText()
    for name in ("near", "groups", "plane", "order"):
        assert f"{name}: " in text
    assert 'use = "ranker/membership"' in text


@pytest.mark.parametrize("ending", ["html", "pdf"])
def test_the_page_is_saved(view: ReportView, ending: str, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / f"report.{ending}"
    view.export_picture(path)
    qtbot.waitUntil(lambda: path.exists() and path.stat().st_size > 1000)


def test_a_file_is_written_though_the_page_is_written_anew_meanwhile(
    view: ReportView, tmp_path: Path, qtbot: QtBot
) -> None:
    view.rewrite()
    view.export_picture(tmp_path / "report.html")
    view.rewrite()
    view.rewrite()
    qtbot.waitUntil((tmp_path / "report.html").exists)


def test_while_results_come_in_the_page_waits(
    session: Any, shown: Callable[[ReportView], ReportView]
) -> None:
    session.set_job("running")
    view = shown(ReportView(session))
    assert view._pending.text() == "Some steps are still running."


@pytest.mark.parametrize("ending", ["html", "pdf"])
def test_a_page_that_cannot_be_saved_says_so(
    view: ReportView, ending: str, tmp_path: Path, qtbot: QtBot
) -> None:
    view.export_picture(tmp_path / "nowhere" / f"report.{ending}")
    qtbot.waitUntil(lambda: "could not be written" in view._pending.text())


def test_the_page_says_what_is_out_of_date(view: ReportView, session: Any, qtbot: QtBot) -> None:
    assert "out of date" not in view.page.toPlainText()
    session.make_stale("groups")
    view.synchronize()
    qtbot.waitUntil(lambda: "(out of date)" in view.page.toPlainText())


def test_a_figure_is_no_wider_than_the_page(view: ReportView, qtbot: QtBot) -> None:
    def widths() -> list[int]:
        page = view.page.document().toHtml()
        return [int(width) for width in re.findall(r'<img [^>]*width="(\d+)"', page)]

    for width in (420, 900, 560):
        view.resize(width, 500)
        qtbot.waitUntil(lambda: 0 < max(widths()) <= view.page.viewport().width() - 48)
    # Of the pages laid out for other widths none is kept.
    qtbot.waitUntil(lambda: len(view.page.findChildren(QTextDocument)) == 1)
