"""What earlier versions wrote is read for ever, from any store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from coterie.core.errors import DataError, WorkspaceError
from coterie.core.io.workspace import Workspace
from coterie.core.model.artefacts import Artefact
from coterie.core.model.encoding import Encoded, decode
from coterie.core.model.result_types import RESULT_TYPES
from coterie.core.model.results import Score
from coterie.core.model.upgrades import UPGRADES
from tests.refusals import refuses

KEY = "5" * 64
OLD = Encoded("metric", 1, {"percent": 75.0})


@pytest.fixture
def third_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make scores version 3: the first kept percentages, the second a value of another name."""
    monkeypatch.setattr(Score, "encoding_version", 3)
    steps: dict[int, Callable[[Encoded], Encoded]] = {
        1: lambda old: replace(old, meta={"share": old.meta["percent"] / 100}),
        2: lambda old: replace(old, meta={"value": old.meta["share"]}),
    }
    for version, step in steps.items():
        monkeypatch.setitem(UPGRADES, ("metric", version), step)


def test_no_upgrade_is_for_a_version_that_is_never_reached() -> None:
    for kind, version in UPGRADES:
        assert 1 <= version < RESULT_TYPES[kind].noun.encoding_version


@pytest.mark.usefixtures("third_version")
@pytest.mark.parametrize(
    "parts", [OLD, Encoded("metric", 2, {"share": 0.75}), Encoded("metric", 3, {"value": 0.75})]
)
def test_parts_are_upgraded_one_version_at_a_time(parts: Encoded) -> None:
    assert decode(parts).value == 0.75


@pytest.mark.usefixtures("third_version")
def test_a_workspace_upgrades_what_an_earlier_version_left_there(tmp_path: Path) -> None:
    Workspace(tmp_path).write(Artefact(KEY, OLD))
    assert Workspace(tmp_path).load(KEY).value == 0.75


def test_a_workspace_refuses_what_a_newer_version_left_there(tmp_path: Path) -> None:
    Workspace(tmp_path).write(Artefact(KEY, Encoded("metric", 2, {"value": 0.75})))
    with refuses("newer-version", WorkspaceError):
        Workspace(tmp_path).load(KEY)


@pytest.mark.usefixtures("third_version")
@pytest.mark.parametrize("meta", [{}, {"percent": "many"}, {"percent": None}])
def test_a_damaged_older_version_is_refused(meta: dict[str, object]) -> None:
    with refuses("file-damaged", DataError):
        decode(Encoded("metric", 1, meta))


@pytest.mark.parametrize("version", [0, -1])
def test_a_version_that_was_never_written_is_refused(version: int) -> None:
    with refuses("file-damaged", DataError):
        decode(Encoded("metric", version, {"value": 0.5}))
