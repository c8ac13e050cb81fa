"""The Summary view through its widgets."""

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QUrl
from pytestqt.qtbot import QtBot

from coterie.gui.views.summary.view import SummaryView
from coterie.projects.candidates import Candidate

Shown = Callable[[SummaryView], SummaryView]


@pytest.fixture
def view(session: Any, shown: Shown) -> SummaryView:
    return shown(SummaryView(session))


def _candidate(k: int) -> Candidate:
    steps = ({"name": "means", "use": "clusterer/kmeans", "of": [""], "params": {"k": k}},)
    return Candidate(
        title=f"K-means, {k} groups <b>",
        family="means",
        k=k,
        sizes=(10,) * k,
        part="",
        expected=0.7,
        agreement=0.8,
        stability=None,
        unassigned=0,
        chosen=False,
        is_answer=True,
        steps=steps,
        groups=None,
    )


def test_every_group_is_described_beside_the_window(view: SummaryView, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: "of the group" in view.page.toPlainText())
    said = view.page.toPlainText()
    assert "3 groups" in view.state.sentence
    assert view.state.table is not None
    assert len(view.state.table.rows) == 3
    assert all(row[0] in said for row in view.state.table.rows)


def test_a_click_adopts_a_candidate_and_undo_takes_it_back(
    view: SummaryView, session: Any, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: view.state.table is not None)
    before = session.recipe
    view.state.candidates = (_candidate(4),)
    view.draw()
    assert "K-means, 4 groups <b>" in view.page.toPlainText()  # a name cannot become markup
    view.page.anchorClicked.emit(QUrl("adopt:0"))
    step = session.recipe.step("means")
    assert (step.use, step.params) == ("clusterer/kmeans", {"k": 4})
    session.edits.undo()
    assert session.recipe == before


def test_a_link_to_a_candidate_that_is_gone_does_nothing(view: SummaryView, session: Any) -> None:
    before = session.recipe
    for link in ("adopt:7", "adopt:x", "https://example.org"):
        view.page.anchorClicked.emit(QUrl(link))
    assert session.recipe == before
