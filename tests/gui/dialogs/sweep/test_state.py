"""A sweep as it is set up and read, without widgets."""

import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from coterie.core.engine.options import EngineOptions
from coterie.core.errors import RecipeError
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.gui.dialogs.sweep.state import AxisChoice, SweepState, with_way
from coterie.projects.session import Session

RECIPE = Recipe(
    sources=(Source("data", "iris"),),
    steps=(
        Step("near", "kernel/gaussian", ("data",), {"sigma": 0.8}),
        Step("groups", "clusterer/njw", ("near",), {"k": 3}),
        Step("picture", "embedder/pca", ("data",)),
    ),
)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    options = EngineOptions(plugin_folders=(), memory=2 << 30, workers=1)
    session = Session(engine="inprocess", options=options, root=tmp_path)
    session.start()
    for _ in range(600):
        session.pump()
        if session.catalogue.methods:
            break
        time.sleep(0.02)
    session.project.load_recipe(RECIPE)
    session.run()
    session.wait(60)
    yield session
    session.close()


@pytest.fixture
def swept(session: Session) -> Callable[[SweepState], SweepState]:
    def go(state: SweepState) -> SweepState:
        session.sweeps.changed.connect(state.take)
        state.start()
        session.wait(60)
        return state

    return go


def test_a_sensible_range_and_score_are_proposed(session: Session) -> None:
    state = SweepState(session, "groups")
    assert state.axes[0].parameter == "k"
    assert state.axes[0].low == 2
    assert state.score == "metric/nmi"  # iris has known classes
    assert state.target == "groups"
    assert state.count == state.axes[0].count
    kernel = SweepState(session, "near")
    assert kernel.axes[0].parameter == "sigma"
    assert kernel.target == "groups"
    assert "No groups depend" in SweepState(session, "picture").why_not


def test_two_parameters_are_read_as_a_table_and_a_cell_is_adopted(
    session: Session, swept: Callable[[SweepState], SweepState]
) -> None:
    state = SweepState(session, "near")
    state.set_axis(0, AxisChoice("sigma", "by factors", 0.2, 0.8, 2))
    state.set_axis(1, AxisChoice("auto_fraction", "list", text="1, 2, 3"))
    swept(state)
    columns, rows = state.headers()
    assert (columns, rows) == (["1", "2", "3"], ["0.2", "0.8"])
    assert state.shares().shape == (2, 3)
    assert np.nanmax(state.shares()) <= 1
    assert state.curve is None
    assert "6 of 6 runs, best" in state.headline
    assert state.adopt(state.place(0, 1))
    assert session.recipe.step("near").params == {"sigma": 0.2, "auto_fraction": 2.0}
    assert session.edits.can_undo == "set sigma = 0.2, auto_fraction = 2 of near"
    assert not state.adopt(state.place(0, 1))
    session.edits.undo()
    assert session.recipe.step("near").params == {"sigma": 0.8}


def test_one_number_is_read_as_a_line(
    session: Session, swept: Callable[[SweepState], SweepState]
) -> None:
    state = SweepState(session, "groups")
    state.set_axis(0, AxisChoice("k", "evenly", 2, 4, 3))
    state.score = "metric/error"
    swept(state)
    assert state.curve is not None
    assert state.curve[0].tolist() == [2, 3, 4]
    assert state.table is not None
    best = state.table.best
    assert best is not None
    # Of an error the lowest is the best.
    assert state.shares()[best[0], 0] == pytest.approx(1)
    assert "lowest" in state.headline


def test_what_cannot_be_tried_is_said_before_anything_runs(session: Session) -> None:
    state = SweepState(session, "groups")
    for wrong in (
        AxisChoice("k", "evenly", -4, 3, 3),
        AxisChoice("k", "list", text=""),
        AxisChoice("k", "by factors", -1, 3, 3),
        AxisChoice("k", "list", text="two"),
    ):
        state.set_axis(0, wrong)
        assert state.count == 0
        with pytest.raises(RecipeError):
            state.start()
    assert not session.busy


def test_a_range_by_factors_begins_above_zero() -> None:
    choice = with_way(AxisChoice("sigma", "evenly", 0.0, 1.0), "by factors")
    assert math.isclose(choice.low, 0.01)


def test_choices_are_listed_by_their_words(session: Session) -> None:
    session.edits.replace(
        session.recipe.with_step(Step("more", "clusterer/dominant-sets", ("near",))), "add"
    )
    state = SweepState(session, "more")
    choice = state.choice_of("rest")
    assert choice.way == "list"
    state.set_axis(0, choice)
    assert set(state.plan().axes[0].values) == set(state.fields["rest"].choices)
