"""What is in the workspace is whole, mapped, and never outside its folder."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from coterie.core.errors import WorkspaceError
from coterie.core.io.artefact_folder import DamagedArtefactError
from coterie.core.io.workspace import Workspace
from coterie.core.model.artefacts import Artefact
from coterie.core.model.dataset import Dataset
from coterie.core.model.encoding import decode, encode
from coterie.core.model.results import Clustering, Model, Score
from tests.core.model.nouns import nouns, same
from tests.refusals import refuses

KEYS = [f"{i:064x}" for i in range(10)]
DATA = Dataset(title="größe 日本", features=np.arange(6.0).reshape(3, 2), items=("a", "", "\n"))


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "work")


def write(workspace: Workspace, number: int, noun: Any, dataset: str | None = None) -> str:
    workspace.write(Artefact(KEYS[number], encode(noun), dataset, {"seed": number}))
    return KEYS[number]


def folder_of(workspace: Workspace, key: str) -> Path:
    return workspace.folder / "artefacts" / key


def sized(count: int) -> Model:
    return Model(arrays={"numbers": np.zeros(count, dtype=np.uint8)})


@settings(suppress_health_check=[*HealthCheck], max_examples=60)
@given(nouns)
def test_every_noun_comes_back_as_it_was(tmp_path_factory: Any, noun: Any) -> None:
    workspace = Workspace(tmp_path_factory.mktemp("workspace"))
    key = write(workspace, 0, noun)
    assert same(workspace.load(key), noun)


def test_an_artefact_comes_with_its_dataset_and_provenance(workspace: Workspace) -> None:
    data = write(workspace, 0, DATA)
    groups = write(workspace, 1, Clustering(labels=np.array([0, 1, -1])), data)
    loaded = workspace.load(groups)
    assert same(loaded.dataset, DATA)
    assert workspace.read(groups).provenance == {"seed": 1}
    assert set(workspace.keys()) == {data, groups}


@pytest.mark.parametrize("count", [0, 10, 100_000])
def test_arrays_small_and_large_are_read_only(workspace: Workspace, count: int) -> None:
    array = workspace.load(write(workspace, 0, sized(count))).arrays["numbers"]
    assert array.shape == (count,)
    assert not array.flags.writeable


def test_large_arrays_are_mapped(workspace: Workspace) -> None:
    key = write(workspace, 0, sized(1 << 20))
    array = workspace.read(key).encoded.arrays["arrays/numbers"]
    assert isinstance(array.base, np.memmap)


def test_an_artefact_that_is_there_is_left_as_it_is(workspace: Workspace) -> None:
    key = write(workspace, 0, Score(value=1.0))
    write(workspace, 0, Score(value=2.0))
    assert workspace.load(key).value == 1.0


def test_a_failed_write_leaves_nothing(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("numpy.save", fail)
    with refuses("workspace-unusable", WorkspaceError):
        write(workspace, 0, DATA)
    assert list((workspace.folder / "artefacts").iterdir()) == []
    assert KEYS[0] not in workspace


def test_many_may_write_the_same_artefact_at_once(tmp_path: Path) -> None:
    noun = sized(200_000)
    with ThreadPoolExecutor(8) as pool:
        done = [
            pool.submit(write, Workspace(tmp_path), number % 2, noun, None) for number in range(40)
        ]
        assert {future.result() for future in done} == set(KEYS[:2])
    assert {path.name for path in (tmp_path / "artefacts").iterdir()} == set(KEYS[:2])


def damage(folder: Path, how: str) -> None:
    record = folder / "record.json"
    known = json.loads(record.read_text())
    array = folder / known["arrays"]["features"]
    texts = folder / known["strings"]["items"]
    match how:
        case "no array":
            array.unlink()
        case "empty array":
            array.write_bytes(b"")
        case "short array":
            array.write_bytes(array.read_bytes()[:-8])
        case "promising array":
            header = array.read_bytes()[:128].replace(b"(3, 2), ", b"(3, 2000000000), ")
            array.write_bytes(header[:128])
        case "pickled array":
            np.save(array, np.array([object()]), allow_pickle=True)
        case "open header":  # numpy tokenizes what does not parse
            content = array.read_bytes()
            array.write_bytes(content.replace(b"'descr'", b"('escr'", 1))
        case "no texts":
            texts.unlink()
        case "texts that are none":
            texts.write_text("[1, 2, 3]")
        case "too few texts":
            texts.write_text('["a"]')
        case "empty record":
            record.write_text("")
        case "list for a record":
            record.write_text("[]")
        case "deep record":
            record.write_text("[" * 100_000)
        case "binary record":
            record.write_bytes(b"\xff\xfe")
        case _:
            name, value = json.loads(how)
            if value == "gone":
                del known[name]
            else:
                known[name] = value
            record.write_text(json.dumps(known))


DAMAGES = [
    "no array",
    "empty array",
    "short array",
    "promising array",
    "pickled array",
    "open header",
    "no texts",
    "texts that are none",
    "too few texts",
    "empty record",
    "list for a record",
    "deep record",
    "binary record",
    *(json.dumps([name, "gone"]) for name in ("type", "version", "meta", "arrays", "strings")),
    *(json.dumps([name, "gone"]) for name in ("dataset", "provenance")),
    *(json.dumps([name, 3]) for name in ("type", "meta", "arrays", "strings", "provenance")),
    json.dumps(["dataset", "../escape"]),
    json.dumps(["version", "one"]),
    json.dumps(["arrays", {"features": "../../../secret.npy"}]),
    json.dumps(["arrays", {"features": "/etc/passwd"}]),
    json.dumps(["arrays", {"features": 3}]),
    json.dumps(["strings", {"items": "../secret.json"}]),
]


@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_artefact_is_told_and_can_be_made_again(workspace: Workspace, how: str) -> None:
    key = write(workspace, 0, DATA)
    damage(folder_of(workspace, key), how)
    with refuses("result-damaged", WorkspaceError):
        workspace.load(key)
    workspace.discard(key)
    assert key not in workspace
    write(workspace, 0, DATA)
    assert same(workspace.load(key), DATA)


def test_what_is_left_of_an_artefact_does_not_block_it(workspace: Workspace) -> None:
    key = write(workspace, 0, DATA)
    (folder_of(workspace, key) / "record.json").unlink()
    assert key not in workspace
    write(workspace, 0, DATA)
    assert same(workspace.load(key), DATA)


def test_what_is_not_there_is_told(workspace: Workspace) -> None:
    with refuses("result-missing", WorkspaceError):
        workspace.load(KEYS[0])
    workspace.discard(KEYS[0])


@pytest.mark.parametrize("key", ["..", "../x", "", "/etc", "a" * 63, "A" * 64])
def test_only_keys_become_paths(workspace: Workspace, key: str) -> None:
    artefact = Artefact(key, encode(DATA))
    for action in (workspace.read, workspace.load, workspace.record, workspace.discard):
        with pytest.raises(WorkspaceError):
            action(key)
    with pytest.raises(WorkspaceError):
        workspace.write(artefact)
    assert key not in workspace
    assert [path.name for path in workspace.folder.iterdir()] == ["artefacts"]


def test_a_result_about_something_that_is_no_dataset_is_damaged(workspace: Workspace) -> None:
    groups = write(workspace, 0, Clustering(labels=np.array([0])))
    other = write(workspace, 1, Clustering(labels=np.array([0])), groups)
    itself = write(workspace, 2, Clustering(labels=np.array([0])), KEYS[2])
    for key in (other, itself):
        with refuses("result-damaged", WorkspaceError):
            workspace.load(key)


def test_the_least_recently_used_goes_first(workspace: Workspace) -> None:
    for number in range(4):
        key = write(workspace, number, sized(100_000))
        os.utime(folder_of(workspace, key) / "record.json", (1000 + number, 1000 + number))
    workspace.read(KEYS[0])  # used just now
    evicted = workspace.evict(keep=[KEYS[1]], quota=250_000)
    assert evicted == [KEYS[2], KEYS[3]]
    assert set(workspace.keys()) == {KEYS[0], KEYS[1]}


def test_what_is_kept_stays_whatever_the_quota_with_the_dataset_it_is_about(
    workspace: Workspace,
) -> None:
    data = write(workspace, 0, DATA)
    groups = write(workspace, 1, Clustering(labels=np.array([0, 1, -1])), data)
    write(workspace, 2, sized(1000))
    assert workspace.evict(keep=[groups, KEYS[9]], quota=0) == [KEYS[2]]
    assert workspace.load(groups).dataset is not None


def test_nothing_is_evicted_while_all_fits(workspace: Workspace) -> None:
    write(workspace, 0, DATA)
    assert workspace.evict(keep=[]) == []
    assert workspace.nbytes() > 0


def test_what_a_dead_process_left_half_written_can_be_swept_away(workspace: Workspace) -> None:
    for name in ("writing-123-abc", "writing-1234-abc"):
        (workspace.folder / "artefacts" / name).mkdir()
    key = write(workspace, 0, DATA)
    workspace.sweep(123)
    left = {path.name for path in (workspace.folder / "artefacts").iterdir()}
    assert left == {"writing-1234-abc", key}


def test_a_workspace_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with refuses("workspace-unusable", WorkspaceError):
        Workspace(tmp_path / "file" / "work")


def test_a_single_number_keeps_its_shape(workspace: Workspace) -> None:
    key = write(workspace, 0, Model(arrays={"bias": np.array(2.5)}))
    assert workspace.load(key).arrays["bias"].shape == ()
    assert decode(workspace.read(key).encoded).arrays["bias"] == 2.5


def test_a_changed_number_is_noticed_when_all_is_read(workspace: Workspace) -> None:
    key = write(workspace, 0, DATA)
    workspace.verify(key)
    array = folder_of(workspace, key) / "0.npy"
    array.write_bytes(array.read_bytes()[:-1] + b"\x55")
    with refuses("result-damaged", DamagedArtefactError):
        workspace.verify(key)


def test_a_changed_record_is_noticed(workspace: Workspace) -> None:
    key = write(workspace, 0, DATA)
    record = folder_of(workspace, key) / "record.json"
    text = record.read_text()
    record.write_text(text.replace('"title": "', '"title": "x', 1))
    assert record.read_text() != text
    with refuses("result-damaged", DamagedArtefactError):
        workspace.record(key)


@pytest.mark.parametrize("changed", [{"version": 99}, {"type": "hologram"}])
@pytest.mark.parametrize("newer", ["the result", "its dataset"])
def test_what_a_newer_coterie_wrote_is_refused_and_stays(
    workspace: Workspace, changed: dict[str, Any], newer: str
) -> None:
    about, key = "0" * 64, "1" * 64
    encoded = {about: encode(DATA), key: encode(Score(value=1.0))}
    made_newer = about if newer == "its dataset" else key
    encoded[made_newer] = replace(encoded[made_newer], **changed)
    workspace.write(Artefact(about, encoded[about]))
    workspace.write(Artefact(key, encoded[key], about))
    with refuses("newer-version", WorkspaceError) as refused:
        workspace.load(key)
    assert refused.value.code == "newer-version"
    assert not isinstance(refused.value, DamagedArtefactError)
    assert {about, key} <= set(workspace.keys())


def test_what_is_damaged_is_discarded_and_what_cannot_be_read_now_is_kept(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = write(workspace, 0, DATA)

    def too_many_files(*_: Any, **__: Any) -> None:
        raise OSError(24, "Too many open files")

    with monkeypatch.context() as patched:
        patched.setattr(np.lib.format, "open_memmap", too_many_files)
        with refuses("result-unreadable", WorkspaceError):
            workspace.load(key)
    assert key in workspace
    (folder_of(workspace, key) / "0.npy").write_bytes(b"")
    with pytest.raises(DamagedArtefactError):
        workspace.load(key)
    assert key not in workspace


def test_an_artefact_says_something_else_of_itself(workspace: Workspace) -> None:
    key = write(workspace, 0, DATA)
    told = Dataset(title="elsewhere", features=DATA.features, items=DATA.items)
    workspace.restate(Artefact(key, encode(told)))
    workspace.verify(key)
    assert workspace.load(key).title == "elsewhere"
    assert workspace.read(key).provenance == {"seed": 0}
    assert same(workspace.load(key), told)


def test_an_artefact_that_cannot_be_restated_stays_as_it_was(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = write(workspace, 0, DATA)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_text", full)
        with refuses("workspace-unusable", WorkspaceError):
            workspace.restate(Artefact(key, encode(Dataset(title="x", features=np.eye(3)))))
    workspace.verify(key)
    assert same(workspace.load(key), DATA)
    names = {file.name for file in folder_of(workspace, key).iterdir()}
    assert "record.json" in names
    assert not [name for name in names if name.startswith("record.json.")]
