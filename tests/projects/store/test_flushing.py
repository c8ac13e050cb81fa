"""Results are on the disk some seconds after the state names them."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import numpy as np
import pytest

from coterie.core.io.platform import durable
from coterie.core.io.workspace import Workspace
from coterie.core.model.artefacts import Artefact
from coterie.core.model.dataset import Dataset
from coterie.core.model.encoding import encode
from coterie.projects.store import flushing
from coterie.projects.store.flushing import Flushing


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    names: list[str] = []
    monkeypatch.setattr(flushing, "DELAY", 0.01)
    monkeypatch.setattr(durable, "sync_path", lambda path, *_: names.append(path.name))
    monkeypatch.setattr(durable, "sync_folder", lambda path: names.append(f"{path.name}/"))
    return names


def written(folder: Path, digit: str) -> str:
    key = digit * 64
    Workspace(folder).write(Artefact(key, encode(Dataset(title="x", features=np.eye(2)))))
    return key


def wait(flushing: Flushing) -> None:
    deadline = time.monotonic() + 20
    while flushing._timer is not None or threading.active_count() > 1:
        if time.monotonic() > deadline or not any(
            thread.name == "coterie-flush" for thread in threading.enumerate()
        ):
            return
        time.sleep(0.005)


def test_every_file_of_a_result_is_written_before_its_name(
    tmp_path: Path, synced: list[str]
) -> None:
    key = written(tmp_path, "a")
    flushing = Flushing(tmp_path)
    flushing.note([key])
    wait(flushing)
    files = {file.name for file in (tmp_path / "artefacts" / key).iterdir()}
    at = synced.index(f"{key}/")
    assert set(synced[:at]) == files
    assert synced[at + 1 :] == ["artefacts/", f"{tmp_path.name}/"]


def test_each_result_is_waited_for_once(tmp_path: Path, synced: list[str]) -> None:
    flushing = Flushing(tmp_path)
    for digit in "ab":
        key = written(tmp_path, digit)
        flushing.note(["a" * 64, key])
        wait(flushing)
    assert synced.count(f"{'a' * 64}/") == synced.count(f"{'b' * 64}/") == 1


def test_results_that_are_gone_or_on_a_failing_disk_do_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, synced: list[str]
) -> None:
    def fail(path: Path, *_: int) -> None:
        raise OSError(5, "Input/output error", str(path))

    monkeypatch.setattr(durable, "sync_path", fail)
    key = written(tmp_path, "a")
    flushing = Flushing(tmp_path)
    flushing.note([key, "b" * 64])
    wait(flushing)
    assert synced == ["artefacts/", f"{tmp_path.name}/"]


def test_a_closed_one_waits_for_nothing(tmp_path: Path, synced: list[str]) -> None:
    flushing = Flushing(tmp_path)
    flushing.close()
    flushing.note(["a" * 64])
    assert flushing._timer is None
    assert synced == []
