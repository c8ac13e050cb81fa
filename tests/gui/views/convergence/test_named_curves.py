"""A method with five curves and coordinates: from `compute` to the views, into a project and back.

Nothing but the method's own file knows its curves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from coterie.core.api.frame import Frame
from coterie.core.engine.options import EngineOptions
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.gui.views.convergence.state import ConvergenceState
from coterie.gui.views.embedding.state import ScatterState
from coterie.projects.session import Session
from coterie.projects.store.hdf5.reading import ProjectFile

RUN_OF_0_1 = Path(__file__).parents[3] / "archives" / "runs" / "run-0.1.coterie.h5"
PLUGIN = '''
"""An embedding that moves while it is watched."""
import numpy as np
from coterie.core import Curve, Embedder, hookimpl

class Moving(Embedder):
    """Spread the items along a line, step by step."""

    id, title = "moving", "Moving"
    needs = ("dataset",)
    curves = (
        Curve("stress", "stress", "How far the items still have to go; falls.", log=True),
        Curve("step_size", "step size", "How far they went in this step.", unit="mm"),
        Curve("temperature", "temperature"),
        Curve("spread", "spread"),
        Curve("turned", "items that turned"),
    )

    def compute(self, data, *, params, context):
        places = np.zeros((data.n, 2))
        for i in range(50):
            places[:, 0] += np.arange(data.n) / 50
            context.frame(
                i,
                phase="moving",
                coordinates=places,
                stress=0.5**i,
                step_size=1 / 50,
                temperature=50.0 - i,
                spread=places[:, 0].std(),
                turned=i % 3,
            )
        return places

@hookimpl
def coterie_embedders():
    return [Moving]
'''
NAMES = ["stress", "step_size", "temperature", "spread", "turned"]
RECIPE = Recipe(
    sources=(Source(open="iris"),), steps=(Step("places", "embedder/local:moving", ("data",)),)
)


@pytest.fixture
def new_session(tmp_path: Path) -> Iterator[Callable[[], Session]]:
    plugins = tmp_path / "plugins"
    plugins.mkdir()
    (plugins / "moving.py").write_text(PLUGIN, encoding="utf-8")
    made: list[Session] = []

    def make() -> Session:
        options = EngineOptions(plugin_folders=(plugins,), memory=2 << 30, workers=1)
        session = Session(engine="process", options=options, root=tmp_path / "workspaces")
        session.start()
        made.append(session)
        return session

    (tmp_path / "workspaces").mkdir()
    yield make
    for session in made:
        session.close()


def test_five_curves_and_coordinates_reach_the_views_and_come_back_from_a_file(
    new_session: Callable[[], Session], tmp_path: Path
) -> None:
    session = new_session()
    state, scatter = ConvergenceState(session), ScatterState(session)
    frames: list[Frame] = []
    moved: list[np.ndarray] = []

    def watch(step: str, frame: Frame) -> None:
        assert step == "places"
        frames.append(frame)
        scatter.update()
        assert scatter.moves
        moved.append(scatter.points[0])

    session.framed.connect(watch)
    session.project.load_recipe(RECIPE)
    session.run()
    session.wait(60)
    assert session.failure("places") is None

    # While it ran: one class from the context to here, every curve, points that move.
    assert all(type(frame) is Frame for frame in frames)
    assert frames[0].phase == "moving"
    assert all(len(points) == 150 for points in moved)
    assert set(state.live.value_names) == set(NAMES)
    np.testing.assert_array_equal(state.live.curve("temperature"), 50 - state.live.iterations)

    # Afterwards: as declared, the first few drawn, the trace recorded.
    _check_shown(state)
    trace = session.results.artefact("places", "trace")
    assert trace.coordinates[-1, :, 0] == pytest.approx(np.arange(150), rel=1e-6)

    path = tmp_path / "moving.coterie.h5"
    session.project.save(path)
    session.wait(60)
    with ProjectFile.open(path) as file:
        assert file.header.schema == 2
    again = new_session()
    _check_shown(_opened(again, path))


def _opened(session: Session, path: Path) -> ConvergenceState:
    """Open a project and wait until what is looked at has come from the file."""
    session.project.open_file(path, lock=False)
    state = ConvergenceState(session)
    for _ in range(5):
        session.wait(60)
        state.update()
    return state


def _check_shown(state: ConvergenceState) -> None:
    state.chosen = "places"
    state.update()
    curves = state.curves
    assert [curve.name for curve in curves] == NAMES
    assert [curve.name for curve in state.drawn_curves] == NAMES[:3]
    assert curves[0].log
    assert curves[0].description == "How far the items still have to go; falls."
    assert curves[1].label == "step size [mm]"
    stress = state.series(curves[0])
    np.testing.assert_allclose(stress, np.maximum(0.5 ** np.arange(50), 1e-16))
    moments = state.live.moments
    assert moments[-1].iteration == 49
    assert moments[-1].coordinates is not None
    assert moments[-1].coordinates.shape == (150, 2)


def test_a_run_of_version_0_1_is_shown(new_session: Callable[[], Session], tmp_path: Path) -> None:
    path = tmp_path / "old.coterie.h5"
    path.write_bytes(RUN_OF_0_1.read_bytes())
    session = new_session()
    state = _opened(session, path)
    with ProjectFile.open(path) as file:
        assert file.header.schema == 1
    assert state.live.step == "groups"
    assert [curve.name for curve in state.curves] == ["objective", "residual", "support"]
    assert np.isfinite(state.live.curve("objective")).all()
    assert state.population.bars() is not None
    assert [mark.text for mark in state.live.marks][:2] == ["set 1", "set 2"]
    session.project.save(path)
    session.wait(60)
    with ProjectFile.open(path) as file:
        assert file.header.schema == 2
