"""The Convergence view through its widgets."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt, QTimer
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QStyleOptionGraphicsItem
from pytestqt.qtbot import QtBot

from coterie.core.api.curves import Curve
from coterie.core.api.frame import Frame
from coterie.core.engine.messages import Cancel, Pause, Resume, Run, StepOnce
from coterie.core.model.arrays import Array
from coterie.gui.views.base_view import View
from coterie.gui.views.convergence.curves import MOST_POINTS
from coterie.gui.views.convergence.state import SPEEDS
from coterie.gui.views.convergence.view import ConvergenceView
from coterie.gui.views.embedding.view import EmbeddingView
from tests.gui import prepared
from tests.refusals import refuses


@pytest.fixture
def view(session: Any, shown: Callable[[ConvergenceView], ConvergenceView]) -> ConvergenceView:
    return shown(ConvergenceView(session))


def drawn_length(view: ConvergenceView) -> int:
    x, _ = view.curves._curves[0].getData()
    return 0 if x is None else len(x)


def test_it_waits_for_a_run(
    fresh: Any,
    shown: Callable[[ConvergenceView], ConvergenceView],
    qtbot: QtBot,
) -> None:
    view = shown(ConvergenceView(fresh))
    assert view.empty
    fresh.set_job("running")
    for frame, _ in prepared.run_of(fresh.results.artefact("data").truth)[:10]:
        fresh.framed.emit("groups", frame)
    qtbot.waitUntil(lambda: not view.empty)
    assert drawn_length(view) == 10
    assert "set 1" in view.headline.text()
    assert view.bar.hold.isEnabled()


def test_plots_are_made_before_a_run_begins(
    fresh: Any, shown: Callable[[ConvergenceView], ConvergenceView], qtbot: QtBot
) -> None:
    view = shown(ConvergenceView(fresh))
    qtbot.waitUntil(lambda: view.built)
    assert view.empty


def test_a_thousand_frames_are_few_drawings(
    fresh: Any, shown: Callable[[ConvergenceView], ConvergenceView], qtbot: QtBot
) -> None:
    view = shown(ConvergenceView(fresh))
    drawn: list[int] = []
    draw = view.draw
    view.draw = lambda: (drawn.append(1), draw())[1]  # type: ignore[method-assign, func-returns-value]
    for i in range(1000):
        fresh.framed.emit(
            "groups", Frame(i, {"objective": i, "residual": 1 / (i + 1), "support": 3})
        )
    qtbot.waitUntil(lambda: bool(drawn))
    qtbot.wait(80)
    assert len(drawn) == 1
    assert len(view.state.live.iterations) == 1000
    assert drawn_length(view) <= MOST_POINTS + 1  # what a screen can tell apart


def test_sets_that_were_peeled_off_are_marked(view: ConvergenceView) -> None:
    assert [mark.text for mark in view.state.live.marks] == ["set 1", "set 2", "set 3"]
    places = [mark.iteration for mark in view.state.live.marks]
    for marks in view.curves.marks:
        assert [line.iteration for line in marks.lines] == places
    named, *others = view.curves.marks
    assert [line.name for line in named.lines] == ["set 1", "set 2", "set 3"]
    assert not any(line.name for marks in others for line in marks.lines)


def test_a_mark_is_painted_where_its_iteration_is(view: ConvergenceView) -> None:
    plot, marks = view.curves.plots[1], view.curves.marks[1]
    line = marks.lines[1]
    box = plot.vb
    place = box.mapFromView(QPointF(line.iteration, 0.0)).x()
    picture = QImage(box.rect().size().toSize(), QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.white)
    painter = QPainter(picture)
    marks.paint(painter, QStyleOptionGraphicsItem())
    painter.end()
    row = [picture.pixelColor(x, 2).lightness() for x in range(picture.width())]
    assert abs(int(np.argmin(row[int(place) - 20 : int(place) + 20])) - 20) <= 1


def test_an_axis_shows_all_of_its_curve(view: ConvergenceView) -> None:
    for plot, curve in zip(view.curves.plots, view.state.drawn_curves, strict=True):
        values = view.state.series(curve)
        values = np.log10(values) if curve.log else values
        low, high = plot.viewRange()[1]
        assert low < np.nanmin(values) <= np.nanmax(values) < high


def test_a_picture_is_painted_once(view: ConvergenceView, session: Any) -> None:
    """What moves while it is painted would be painted again."""
    session.set_job("running")
    for frame, _ in prepared.run_of(session.results.artefact("data").truth)[:30]:
        session.framed.emit("groups", frame)
    view.synchronize()
    view.canvas.viewport().repaint()
    assert not any(plot.vb._matrixNeedsUpdate for plot in view.curves.plots)
    session.framed.emit("groups", Frame(2000, {"objective": 9.0, "residual": 1e-12, "support": 3}))
    view.synchronize()
    assert not any(plot.vb._matrixNeedsUpdate for plot in view.curves.plots)


def test_news_draw_the_population_in_a_turn_of_its_own(
    view: ConvergenceView, session: Any, qtbot: QtBot
) -> None:
    drawn: list[str] = []
    draw, rest = view.draw, view.draw_rest

    def first() -> None:
        drawn.append("curves")
        QTimer.singleShot(0, view, lambda: drawn.append("what else is due"))
        draw()

    def last() -> None:
        drawn.append("population")
        rest()

    view.draw, view.draw_rest = first, last  # type: ignore[method-assign]
    session.set_job("running")
    frames = prepared.run_of(session.results.artefact("data").truth)
    session.framed.emit("groups", frames[0][0])
    qtbot.waitUntil(lambda: drawn[-3:] == ["curves", "what else is due", "population"])
    view.synchronize()
    assert drawn[-2:] == ["curves", "population"]


def test_buttons_drive_the_run(view: ConvergenceView, session: Any, qtbot: QtBot) -> None:
    assert not view.bar.hold.isEnabled()
    session.set_job("running")
    session.framed.emit("groups", Frame(1, {"objective": 0.5, "residual": 0.1, "support": 3}))
    qtbot.waitUntil(view.bar.hold.isEnabled)
    view.bar.hold.click()
    qtbot.waitUntil(lambda: view.bar.hold.text() == "Resume")
    view.bar.step.click()
    view.bar.hold.click()
    view.bar.cancel.click()
    sent = [type(message) for message in session.sent]
    assert sent == [Run, Pause, StepOnce, Resume, Cancel]


def test_the_slider_sets_the_speed(view: ConvergenceView, session: Any) -> None:
    session.set_job("running")
    for place, speed in enumerate(SPEEDS):
        view.bar.speed.setValue(place)
        if place != len(SPEEDS) - 1:
            assert session.sent[-1].frames_per_second == speed
    assert session.sent[-1].frames_per_second == 0.0


def test_the_scrubber_goes_back_and_recolours_the_scatter(
    view: ConvergenceView,
    session: Any,
    shown: Callable[[View], View],
    qtbot: QtBot,
) -> None:
    scatter = shown(EmbeddingView(session))
    assert isinstance(scatter, EmbeddingView)
    view.bar.scrubber.setValue(22)
    qtbot.waitUntil(lambda: "looking back" in view.headline.text())
    assert view.curves._cursors[0].isVisible()
    assert view.curves._cursors[0].value() == view.state.live.moments[22].iteration
    qtbot.waitUntil(lambda: scatter._colouring.title == "Group, live")
    view.bar.scrubber.setValue(view.bar.scrubber.maximum())
    qtbot.waitUntil(lambda: scatter._colouring.title == "Group")
    qtbot.waitUntil(lambda: not view.curves._cursors[0].isVisible())


def test_dragging_the_cursor_scrubs_to_the_nearest_state(view: ConvergenceView) -> None:
    view.curves.dragged.emit(41.9)
    assert view.state.live.moment is not None
    assert view.state.live.moment.iteration == 41


def test_a_finished_run_shows_its_whole_history(
    fresh: Any,
    shown: Callable[[ConvergenceView], ConvergenceView],
    qtbot: QtBot,
) -> None:
    view = shown(ConvergenceView(fresh))
    fresh.set_job("running")
    fresh.framed.emit("groups", Frame(5, {"objective": 1.0, "residual": 0.1, "support": 3}))
    qtbot.waitUntil(lambda: not view.empty)
    fresh.publish(prepared.solved(fresh.results.artefact("data")))
    fresh.set_job("finished")
    fresh.step_changed.emit("groups")
    qtbot.waitUntil(lambda: drawn_length(view) == 120)
    assert view.bar.scrubber.isEnabled()
    assert not view.bar.hold.isEnabled()


def test_a_cancelled_run_stays_on_view(
    fresh: Any, shown: Callable[[ConvergenceView], ConvergenceView], qtbot: QtBot
) -> None:
    view = shown(ConvergenceView(fresh))
    fresh.set_job("running")
    for i in range(5):
        fresh.framed.emit("groups", Frame(i, {"objective": 1.0, "residual": 0.1, "support": 3}))
    fresh.set_job("cancelled")
    fresh.step_changed.emit("groups")
    qtbot.waitUntil(lambda: view.built and drawn_length(view) == 5)
    qtbot.wait(60)
    assert not view.empty


def test_both_manners_of_drawing_the_population(view: ConvergenceView) -> None:
    assert view.population._bars.isVisible()
    view.manner.setCurrentIndex(view.manner.findData("lines"))
    view.synchronize()
    assert not view.population._bars.isVisible()
    assert len(view.population._lines) >= 1
    view.manner.setCurrentIndex(0)
    view.synchronize()
    assert view.population._bars.isVisible()


def test_ticks_of_the_gap_are_powers_of_ten(view: ConvergenceView) -> None:
    axis = view.curves.plots[1].getAxis("left")
    ((_, values),) = axis.tickValues(-8.5, 0.2, 200.0)
    assert axis.tickStrings(values, 1.0, 1.0) == ["10⁻⁸", "10⁻⁶", "10⁻⁴", "10⁻²", "1"]
    ((_, values),) = axis.tickValues(-6.5, -5.6, 200.0)
    assert axis.tickStrings(values, 1.0, 1.0) == ["5·10⁻⁷", "10⁻⁶", "2·10⁻⁶"]


def test_of_labels_alone_the_groups_are_the_population(
    fresh: Any, shown: Callable[[ConvergenceView], ConvergenceView]
) -> None:
    view = shown(ConvergenceView(fresh))
    for iteration in range(3):
        labels = np.repeat([-1, 0, 1, 2], [90 - 30 * iteration, 100, 50, 60 + 30 * iteration])
        fresh.framed.emit("groups", Frame(iteration, {"residual": 0.5}, labels=labels))
    view.synchronize()
    names = [view.manner.itemText(i) for i in range(view.manner.count())]
    assert names == ["Group shares", "Shares over time", "Three groups"]
    assert [text for _, text in view.population.plot.getAxis("left")._tickLevels[0]] == [
        "group 1", "group 2", "group 3",
    ]  # fmt: skip
    for manner in ("lines", "simplex"):
        view.manner.setCurrentIndex(view.manner.findData(manner))
        view.synchronize()
    assert [box.currentText() for box in view.corners] == ["group 1", "group 2", "group 3"]


def test_how_far_items_have_decided_is_drawn_for_each_and_in_the_triangle(
    fresh: Any, shown: Callable[[ConvergenceView], ConvergenceView]
) -> None:
    view = shown(ConvergenceView(fresh))
    leading = np.repeat([0, 1, 2, 3], 75)
    for iteration, sure in enumerate((0.25, 0.7, 1.0)):
        rows = np.full((300, 4), (1 - sure) / 3)
        rows[np.arange(300), leading] = sure
        labels = np.where(sure > 0.5, leading, -1)
        frame = Frame(iteration, {"residual": 0.5}, labels=labels, memberships=rows)
        fresh.framed.emit("groups", frame)
    view.synchronize()
    names = [view.manner.itemText(i) for i in range(view.manner.count())]
    assert names == ["Group shares", "Shares over time", "Decisions", "Three groups"]
    bars = view.state.population.bars()
    assert bars is not None
    np.testing.assert_allclose(bars.shares, 0.25)
    view.manner.setCurrentIndex(view.manner.findData("decided"))
    view.synchronize()
    picture = view.population._image.image
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) == 4  # a block of each group
    view.state.live.scrub(0)
    view.synchronize()
    assert (np.diff(view.population._image.image[:, 0].sum(axis=1).astype(int)) != 0).sum() == 3
    view.state.live.scrub(None)
    view.manner.setCurrentIndex(view.manner.findData("simplex"))
    view.synchronize()
    x, _ = view.simplex._cloud.getData()
    assert len(x) == 225  # those of the fourth group are not about these three
    assert not view.portrayed.isVisible()


def test_a_phase_portrait_shows_other_starts(
    session: Any, shown: Callable[[ConvergenceView], ConvergenceView]
) -> None:
    view = shown(ConvergenceView(session))
    view.manner.setCurrentIndex(view.manner.findData("simplex"))
    view.synchronize()
    path = view.state.population.simplex()
    assert path is not None
    portrait = view.state.portrait(path.items)
    assert portrait is not None
    assert view.portrayed.isVisible()
    assert len(view.simplex._portrait._rests.getData()[0]) == len(portrait.rests)
    view.portrayed.click()
    assert len(view.simplex._portrait._rests.getData()[0]) == 0


def test_the_portrait_of_cliques_has_a_half_on_the_diagonal(
    session: Any, shown: Callable[[ConvergenceView], ConvergenceView]
) -> None:
    state = shown(ConvergenceView(session)).state
    assert (before := state.portrait((0, 1, 2))) is not None
    step = state.live.step
    params = {**session.recipe.step(step).params, "clique": True}
    session.edits.replace(session.recipe.changed(step, params=params), "as a test wants it")
    state._portrait = None
    assert (after := state.portrait((0, 1, 2))) is not None
    assert not np.array_equal(np.sort(before.rests.ravel()), np.sort(after.rests.ravel()))


def test_a_run_is_saved_as_an_animation(
    session: Any,
    shown: Callable[[ConvergenceView], ConvergenceView],
    qtbot: QtBot,
    tmp_path: Path,
) -> None:
    view = shown(ConvergenceView(session))
    view.resize(400, 300)
    path = tmp_path / "run.apng"
    view.export_picture(path)
    with refuses("not-computed"):  # one at a time
        view.export_picture(path)
    qtbot.waitUntil(lambda: not view.filming.busy)
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG")
    pictures = content.count(b"fcTL")
    assert pictures == min(len(view.state.live.moments), 80)
    assert view.state.live.position is None


def test_an_animation_of_a_run_that_is_gone_is_not_written_and_says_so(
    session: Any,
    shown: Callable[[ConvergenceView], ConvergenceView],
    qtbot: QtBot,
    tmp_path: Path,
) -> None:
    view = shown(ConvergenceView(session))
    said: list[str] = []
    session.logged.connect(said.append)
    path = tmp_path / "run.apng"
    view.export_picture(path)
    view.state.live.show_trace(view.state.live.step, None)
    qtbot.waitUntil(lambda: not view.filming.busy)
    assert not path.exists()
    assert any(path.name in sentence for sentence in said)


def test_all_shares_sorted_are_an_area(view: ConvergenceView) -> None:
    view.manner.setCurrentIndex(view.manner.findData("area"))
    view.synchronize()
    assert view.population._area.isVisible()
    assert not view.population._bars.isVisible()
    found = view.state.population.in_order()
    assert found is not None
    np.testing.assert_array_equal(view.population._area.yData, found.shares)


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_a_picture_looks_like_the_screen(
    view: ConvergenceView, ending: str, tmp_path: Path, qtbot: QtBot
) -> None:
    qtbot.wait(60)
    path = tmp_path / f"run.{ending}"
    view.export_picture(path)
    screen = view.canvas.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    picture = QImage(screen.size(), QImage.Format.Format_RGB32)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    if ending == "svg":
        QSvgRenderer(str(path)).render(painter)
    else:
        painter.drawImage(picture.rect(), QImage(str(path)))
    painter.end()
    picture = picture.convertToFormat(QImage.Format.Format_Grayscale8)
    # The names of the axes are where they were, if smoothed a little differently.
    seen, written = (_pixels(image)[:, :70] < 200 for image in (screen, picture))
    assert (seen & written).sum() > 0.6 * (seen | written).sum()


def _pixels(image: QImage) -> Array:
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : image.width()].astype(float)


def test_the_way_among_three_strategies(session: Any, shown: Callable[[View], View]) -> None:
    view = shown(ConvergenceView(session))
    assert isinstance(view, ConvergenceView)
    assert not view.corners[0].isVisible()
    view.manner.setCurrentIndex(view.manner.findData("simplex"))
    view.synchronize()
    assert view.simplex.plot.isVisible()
    assert not view.population.plot.isVisible()
    before = [box.currentText() for box in view.corners]
    assert all(before)
    others = [
        i for i in range(view.corners[0].count()) if view.corners[0].itemText(i) not in before
    ]
    view.corners[0].setCurrentIndex(others[0])
    view.corners[0].activated.emit(others[0])
    assert view.state.population.strategies is not None
    assert view.corners[0].currentText() not in before
    view.manner.setCurrentIndex(view.manner.findData("bars"))
    view.synchronize()
    assert view.population.plot.isVisible()
    assert not view.corners[0].isVisible()


def test_curves_have_the_names_of_the_method_and_those_without_one_are_hidden(
    view: ConvergenceView,
) -> None:
    likelihood = Curve("objective", "log-likelihood", "Never falls.", unit="nats")
    view.curves.show((likelihood, Curve("residual", "change", log=True)))
    first, second, third = view.curves.plots
    assert first.getAxis("left").labelText == "log-likelihood [nats]"
    assert first.getAxis("left").toolTip() == "Never falls."
    assert [plot.getAxis("left").logMode for plot in (first, second)] == [False, True]
    assert not third.isVisible()
    assert second.getAxis("bottom").labelText == "iteration"
    view.curves.show(view.state.drawn_curves)
    assert third.isVisible()
    assert first.getAxis("left").labelText == view.state.drawn_curves[0].title
    assert second.getAxis("bottom").labelText == ""


def test_more_curves_get_plots_of_their_own(view: ConvergenceView, qtbot: QtBot) -> None:
    curves = [Curve(f"value_{i}", f"value {i}") for i in range(5)]
    view.curves.show(curves)
    iterations = np.arange(20)
    view.curves.draw(iterations, [iterations * float(i) for i in range(5)])
    view.curves.follow(iterations)
    qtbot.wait(60)
    assert [plot.isVisible() for plot in view.curves.plots] == [True] * 5
    heights = [plot.vb.height() for plot in view.curves.plots]
    assert min(heights) > 0.5 * max(heights) > 0
    for plot in view.curves.plots:
        assert plot.vb.viewRange()[0] == pytest.approx((-0.38, 19.38))


def test_a_single_curve_shows_all_iterations(view: ConvergenceView, qtbot: QtBot) -> None:
    iterations = np.arange(29)
    view.curves.show((Curve("residual", "residual", log=True),))
    qtbot.wait(60)  # the library lines plots up by where they are on the screen
    view.curves.draw(iterations, (0.5**iterations,))
    view.curves.follow(iterations)
    qtbot.wait(60)
    (low, high), _ = view.curves.plots[0].vb.viewRange()
    assert low == pytest.approx(-0.56)
    assert high == pytest.approx(28.56)


def test_between_two_iterations_there_is_no_tick(view: ConvergenceView) -> None:
    axis = view.curves.plots[2].getAxis("bottom")
    levels = axis.tickValues(0.9, 3.1, 400.0)
    assert {place for _, places in levels for place in places} == {1, 2, 3}


def test_long_numbers_have_the_room_they_need(view: ConvergenceView) -> None:
    axis = view.curves.plots[0].getAxis("left")
    usual = axis.fixedWidth
    values = 1_945_458.0 + np.array([0.003, 0.001, 0.0])
    view.curves.draw(np.arange(3), (values, np.ones(3), np.ones(3)))
    assert axis.fixedWidth > usual
    assert {plot.getAxis("left").fixedWidth for plot in view.curves.plots} == {axis.fixedWidth}


def test_a_method_without_a_population_leaves_no_empty_plot(new_session: Any, shown: Any) -> None:
    session = new_session(prepared.solved(prepared.blobs(50)), prepared.RECIPE)
    view = shown(ConvergenceView(session))
    assert view.population.plot.isVisible()
    whole = session.results.artefact("groups", "trace")
    bare = replace(whole, shares=None, share_iterations=None, labels=None, label_iterations=None)
    session.put("groups", bare, "trace")
    view.outdate()
    view.synchronize()
    assert not view.population.plot.isVisible()
    assert view.manner.isHidden()


def test_names_of_marks_lie_inside_the_plot_and_not_on_each_other(
    view: ConvergenceView, qtbot: QtBot
) -> None:
    for width in (420, 1000):
        view.resize(width, 500)
        qtbot.wait(30)
        box, lines = view.curves.plots[0].vb, view.curves.marks[0].lines
        metrics = view.canvas.fontMetrics()
        ends = []
        for line in (one for one in lines if one.name):
            at = box.mapFromView(QPointF(line.iteration, 0.0)).x()
            wide = metrics.horizontalAdvance(line.name)
            ends.append((at, at + wide) if line.right else (at - wide, at))
        assert ends
        assert ends[0][0] >= 0
        for (_, before), (after, _) in pairwise(ends):
            assert before <= after


def test_a_finished_run_can_be_run_again_and_watched(view: ConvergenceView) -> None:
    session: Any = view.session
    view.synchronize()
    assert view.bar.again.isVisibleTo(view)
    assert not view.bar.hold.isVisibleTo(view)
    view.bar.again.click()
    sent = [order for order in session.sent if isinstance(order, Run)]
    assert sent[-1].again
    assert sent[-1].frames_per_second == view.state.speed > 0
    view.synchronize()
    assert not view.bar.again.isVisibleTo(view)
    session.set_job("finished")
    view.synchronize()
    assert view.state.speed == SPEEDS[-1]


def test_a_held_run_can_be_looked_back_at(view: ConvergenceView) -> None:
    session: Any = view.session
    session.make_stale("groups")
    session.set_job("running")
    for frame, _ in prepared.run_of(session.results.artefact("data").truth)[:10]:
        session.framed.emit("groups", frame)
    view.synchronize()
    assert not view.bar.scrubber.isEnabled()
    session.set_job("paused")
    view.synchronize()
    assert view.bar.scrubber.isEnabled()
    view.bar.scrubber.setValue(1)
    assert view.state.live.scrubbed
    assert "looking back" in view.state.headline
    view.bar.hold.click()
    assert not view.state.live.scrubbed
