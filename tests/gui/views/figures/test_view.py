"""The Figures view on real results: what is drawn is selected, kept and cut."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from coterie.core.api.context import Frame
from coterie.core.engine.options import EngineOptions
from coterie.core.model.figures import Figure
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.figures.state import LIVE
from coterie.gui.views.figures.view import FiguresView
from coterie.projects.session import Session
from tests.refusals import refuses

RECIPE = Recipe(
    title="Wine",
    sources=(Source(open="wine"),),
    steps=(
        Step("scaled", "transform/standardise", ("data",)),
        Step("groups", "clusterer/agglomerative", ("scaled",), {"k": 3, "linkage": "average"}),
    ),
)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    options = EngineOptions(safe_mode=True, memory=2 << 30, workers=1)
    made = Session(engine="inprocess", options=options, root=tmp_path)
    made.start()
    made.project.load_recipe(RECIPE)
    made.run()
    made.wait(60)
    yield made
    made.close()


@pytest.fixture
def view(session: Session, qtbot: QtBot) -> FiguresView:
    made = FiguresView(session)
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show()
    made.synchronize()
    return made


def show(view: FiguresView, name: str, qtbot: QtBot) -> Figure:
    view.state.pick(name)

    def there() -> None:
        view.session.pump()
        view.synchronize()
        assert view.state.figure is not None
        assert not view.state.waiting

    qtbot.waitUntil(lambda: _passes(there), timeout=60_000)
    assert view.state.figure is not None
    return view.state.figure


def _passes(check: Any) -> bool:
    try:
        check()
    except AssertionError:
        return False
    return True


PLOTS = (
    "dendrogram", "group-means", "silhouettes", "parallel-coordinates", "scatter-matrix",
    "stability-matrix",
)  # fmt: skip


@pytest.mark.parametrize("scheme", [theme.LIGHT, theme.DARK], ids=["light", "dark"])
def test_each_plot_is_drawn_and_its_marks_are_linked(
    view: FiguresView, qtbot: QtBot, scheme: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(theme, "current", lambda: scheme)
    view.restyle()
    for name in PLOTS:
        figure = show(view, f"plot/{name}", qtbot)
        x0, x1, y0, y1 = view.drawn.extent()
        corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
        view._on_brushed(corners, None)
        items = view.session.selection.items
        assert set(items.tolist()) == set(figure.links[0].tolist())
        view._choose(np.array([0]), None)
        assert view.session.selection.items.tolist() == figure.items_of([0]).tolist()
        view.synchronize()
        view.export_picture(tmp_path / f"{name}.png")
        view.export_table(tmp_path / f"{name}.csv")
        assert (tmp_path / f"{name}.png").stat().st_size > 4000
        assert len((tmp_path / f"{name}.csv").read_text().splitlines()) > figure.marks


def test_a_plot_follows_the_method_it_is_made_for(view: FiguresView, qtbot: QtBot) -> None:
    figure = show(view, "plot/dendrogram", qtbot)
    assert "average linkage" in figure.axes[1]
    assert view.state.offer is not None
    assert view.state.offer.of == ("scaled", "groups")


def test_a_line_through_a_tree_makes_groups_and_undo_takes_them_back(
    view: FiguresView, qtbot: QtBot
) -> None:
    session = view.session
    show(view, "plot/dendrogram", qtbot)
    assert view.cut_button.text() == "Make 3 groups"
    before = session.recipe
    heights = np.unique(view.state.figure.values)  # type: ignore[union-attr]
    view.drawn.line.setValue(float(heights[-6:-4].mean()))
    view._on_dragged(view.drawn.line)
    assert view.cut_button.text() == "Make 6 groups"
    with qtbot.waitSignal(view.asked) as asked:
        view.cut_button.click()
    assert asked.args == ["step", "cut"]
    session.wait(60)
    assert session.results.artefact("cut").labels.max() == 5
    assert session.recipe.names == (*before.names, "dendrogram", "cut")
    session.edits.undo()
    assert session.recipe == before


def test_the_line_of_a_tree_without_a_cut_starts_at_the_groups_that_are_coloured(
    view: FiguresView, qtbot: QtBot
) -> None:
    figure = show(view, "plot/dendrogram", qtbot)
    view.state._show(replace(figure, cut=None))
    assert view.state.cut_words() == "Make 3 groups"
    view.state.waiting = True
    assert not view.state.can_cut  # the tree that is seen is no longer the one that is meant


def test_a_kept_figure_is_a_step_that_is_saved_and_reported(
    view: FiguresView, qtbot: QtBot, tmp_path: Path
) -> None:
    session = view.session
    figure = show(view, "plot/silhouettes", qtbot)
    view.keep_button.click()
    session.wait(60)
    kept = session.results.artefact("silhouettes")
    np.testing.assert_array_equal(kept.values, figure.values)
    session.project.save(tmp_path / "a.coterie.h5")
    session.wait(60)
    session.project.open_file(tmp_path / "a.coterie.h5")
    session.wait(60)
    np.testing.assert_array_equal(session.fetch("silhouettes").values, figure.values)
    assert "silhouettes." in {offer.name for offer in session.figures.offers("groups")}


def test_a_live_figure_is_shown_while_its_method_runs(view: FiguresView, qtbot: QtBot) -> None:
    figure = Figure(form="bars", values=np.arange(4.0), title="live")
    view.session.framed.emit("groups", Frame(1, figure=figure))
    view.synchronize()
    assert view.state.offer is LIVE
    assert view.state.figure is figure
    view.state.end_live("groups")
    assert show(view, "plot/silhouettes", qtbot).form == "bars"


def test_without_groups_it_says_what_to_do(view: FiguresView, qtbot: QtBot) -> None:
    session = view.session
    session.project.load_recipe(Recipe(title="Nothing"))
    view.outdate()
    view.synchronize()
    assert view.empty
    assert "choose a sample" in view.state.empty
    with refuses("not-computed"):
        view.export_table(Path("x.csv"))


def test_why_a_plot_cannot_be_drawn_is_said_above(view: FiguresView, qtbot: QtBot) -> None:
    session = view.session
    one = session.recipe.changed("groups", params={"k": 1})
    session.edits.replace(one, "one group")
    session.run()
    session.wait(60)
    view.outdate()
    view.synchronize()
    view.state.pick("plot/silhouettes")
    session.wait(1)
    qtbot.waitUntil(lambda: _said(view), timeout=60_000)
    view.synchronize()
    assert "at least two groups" in view.headline.text()


def _said(view: FiguresView) -> bool:
    view.session.pump()
    return bool(view.state.problem)
