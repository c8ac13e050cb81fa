"""Similarities that a project does without are computed when somebody looks at them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from coterie.core.engine.options import EngineOptions
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.gui.views.affinity.view import AffinityView
from coterie.projects.jobs.job import Status
from coterie.projects.session import Session


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Session]:
    """A project whose similarities are left out, opened again."""
    options = EngineOptions(plugin_folders=(), memory=2 << 30, workers=1)
    for opened in (False, True):
        root = tmp_path / str(opened)
        root.mkdir()
        session = Session(engine="inprocess", options=options, root=root)
        session.start()
        path = tmp_path / "arcs.coterie.h5"
        if opened:
            session.project.open_file(path)
            session.wait(60)
            yield session
        else:
            steps = (Step("near", "kernel/gaussian", ("data",), {"sigma": 0.3}),)
            source = Source(open="arcs", params={"n": 600})
            session.project.load_recipe(Recipe("Arcs", (source,), steps))
            session.run()
            session.wait(60)
            session.project.save(path)
            session.wait(60)
        session.close()


def test_similarities_that_are_not_stored_come_when_the_view_is_seen(
    project: Session, qtbot: QtBot
) -> None:
    assert project.status("near") is Status.LEFT_OUT
    view: QWidget = AffinityView(project)
    qtbot.addWidget(view)
    view.show()
    view.synchronize()  # type: ignore[attr-defined]
    project.wait(60)
    assert project.status("near") is Status.FRESH
    qtbot.waitUntil(lambda: not view.empty, timeout=60_000)  # type: ignore[attr-defined]


def test_similarities_whose_computing_was_cancelled_are_not_computed_by_themselves_again(
    project: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(project, "ask_for", asked.append)  # as if it was cancelled at once
    view: QWidget = AffinityView(project)
    qtbot.addWidget(view)
    view.show()
    for _ in range(3):
        project.wait(60)
        view.outdate()  # type: ignore[attr-defined]
        view.synchronize()  # type: ignore[attr-defined]
    assert asked == ["near"]
    assert "is not stored in the project" in view.emptiness()  # type: ignore[attr-defined]
