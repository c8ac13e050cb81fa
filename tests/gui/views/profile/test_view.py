"""The Profile view through its widgets."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF
from pytestqt.qtbot import QtBot

from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering
from coterie.gui.views.base_view import View
from coterie.gui.views.profile import state
from coterie.gui.views.profile.state import Boxes
from coterie.gui.views.profile.view import ProfileView

Shown = Callable[[ProfileView], ProfileView]


@pytest.fixture
def view(session: Any, shown: Shown) -> ProfileView:
    return shown(ProfileView(session))


def test_it_has_a_plot_for_each_feature(view: ProfileView) -> None:
    assert [boxes.name for boxes in view.plots.plots][-1] == "weight"
    places = [view.plots.place_of(number) for number in range(4)]
    assert all(view.plots.rect().contains(place) for place in places)
    overlaps = [a.intersected(b) for i, a in enumerate(places) for b in places[:i]]
    # Edges may share a pixel where the width does not divide evenly.
    assert all(overlap.width() <= 1 or overlap.height() <= 1 for overlap in overlaps)


def test_a_box_is_painted_from_quartile_to_quartile(view: ProfileView) -> None:
    place = view.plots.place_of(0)
    image = view.plots.grab().toImage()
    ground = image.pixelColor(place.topLeft() + QPoint(2, 2))
    first = place.center() - QPoint(place.width() // 4, 0)
    columns = [
        [image.pixelColor(x, y) for y in range(place.top(), place.bottom())]
        for x in range(first.x() - 10, first.x() + 10)
    ]
    assert any(pixel != ground for column in columns for pixel in column)


def test_the_pointer_is_told_the_quantiles_of_a_box(view: ProfileView) -> None:
    place = view.plots.place_of(0)
    words = view.plots.words_at(QPointF(place.left() + 70, place.center().y()))
    boxes = view.state.boxes[0]
    assert isinstance(boxes, Boxes)
    assert words.startswith(f"{boxes.name}, {view.state.names[0]}")
    assert f"50%: {boxes.quantiles[0][2]:g}".replace("-", "−") in words
    assert view.plots.words_at(QPointF(place.topLeft())) == ""


def test_a_wide_table_is_compared_beside_the_windows_thread(
    session: Any, shown: Shown, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state, "_AT_ONCE", 10)
    view = shown(ProfileView(session))
    qtbot.waitUntil(lambda: not view.empty)
    assert len(view.plots.plots) == 4
    before = view.state.profile
    labels = np.roll(session.results.artefact("groups").labels, 40)
    session.put("groups", Clustering(labels=labels, dataset=session.results.artefact("data")))
    qtbot.waitUntil(
        lambda: view.plots.plots is view.state.boxes and view.state.profile is not before
    )


def test_what_is_written_waits_for_the_work(
    session: Any, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state, "_AT_ONCE", 10)
    view: View = ProfileView(session)
    qtbot.addWidget(view)
    view.export_table(tmp_path / "profile.csv")
    lines = (tmp_path / "profile.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 + 4 * 3
    view.export_picture(tmp_path / "profile.svg")
    assert "<svg" in (tmp_path / "profile.svg").read_text(encoding="utf-8")


def test_constant_and_missing_values_are_drawn_too(
    session: Any, new_session: Any, shown: Shown
) -> None:
    features = np.array([[1.0, np.nan], [1.0, np.nan], [1.0, 2.0], [1.0, 3.0]])
    data = Dataset(title="few", features=features, columns=("same", "partly known"))
    groups = Clustering(labels=np.array([0, 0, 1, 1]), dataset=data)
    few = new_session({"data": data, "groups": groups}, session.recipe)
    view = shown(ProfileView(few))
    assert not view.plots.grab().isNull()


def test_it_says_when_the_groups_are_out_of_date(view: ProfileView, session: Any) -> None:
    assert view._outdated_banner.isHidden()
    session.make_stale("groups")
    view.outdate()
    view.synchronize()
    assert not view._outdated_banner.isHidden()
    assert "'groups'" in view._outdated_label.text()
    session.edits.undo()
    view.synchronize()
    assert view._outdated_banner.isHidden()
