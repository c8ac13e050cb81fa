"""Opening shows what is there, reads no array, and says plainly what cannot be opened."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from coterie.core.errors import ProjectFileError
from coterie.core.model.encoding import decode
from coterie.projects.store.hdf5 import chunks, layout
from coterie.projects.store.hdf5.reading import ProjectFile
from coterie.projects.store.hdf5.texts import write_attribute
from tests.refusals import refuses

from . import samples

ARCHIVES = Path(__file__).parents[3] / "archives"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "p.coterie.h5"


def refusal(path: Path) -> str:
    with pytest.raises(ProjectFileError) as caught:
        ProjectFile.open(path)
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert sentence.endswith(".") or sentence.endswith("?")
    return sentence


def test_a_project_shows_what_is_in_it(path: Path) -> None:
    steps = {"groups": {"key": samples.key_of("groups"), "parts": {"t": samples.key_of("trace")}}}
    made = samples.save(path, steps=steps)
    with ProjectFile.open(path) as file:
        header = file.header
        assert (header.title, header.created) == ("Two groups", samples.CREATED)
        assert (header.schema, header.min_reader, header.read_only) == (2, 1, False)
        assert header.writer.startswith("coterie ")
        assert file.steps == steps
        assert file.recipe == samples.RECIPE
        assert file.view == {"panels": ["data"]}
        assert set(file.entries) == {artefact.key for artefact in made}
        points = file.entries[samples.points().key]
        assert (points.type, points.title, points.kind) == ("dataset", "Points", "table")
        assert points.path == f"/data/{points.key}"
        groups = file.entries[samples.key_of("groups")]
        assert groups.dataset == points.key
        assert file.provenance(groups.key) == {"component": "test/groups", "seed": 0}


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("points", (4, 2)),
        ("words", (4, 4)),
        ("texts", (2,)),
        ("dense", (4, 4)),
        ("sparse", (4, 4)),
        ("factor", (4, 2)),
        ("groups", (4,)),
        ("plane", (4, 2)),
        ("map", (2, 3)),
        ("trace", (3,)),
        ("model", ()),
    ],
)
def test_the_shape_is_that_of_the_main_array(path: Path, name: str, shape: tuple[int, ...]) -> None:
    samples.save(path)
    with ProjectFile.open(path) as file:
        assert file.entries[samples.key_of(name)].shape == shape
        assert file.entries[samples.key_of("score")].value == 0.75


def test_opening_reads_no_array(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = samples.save(path)
    read: list[str] = []

    def note(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(dataset: h5py.Dataset, *args: Any, **options: Any) -> Any:
            if dataset.shape != ():  # single texts, the recipe and so on, are no arrays
                read.append(dataset.name)
            return original(dataset, *args, **options)

        return wrapper

    for name in ("__getitem__", "read_direct", "__array__"):
        monkeypatch.setattr(h5py.Dataset, name, note(name, getattr(h5py.Dataset, name)))
    monkeypatch.setattr(
        "coterie.projects.store.hdf5.numbers.read_chunked", note("chunks", chunks.read_chunked)
    )
    with ProjectFile.open(path) as file:
        _ = file.entries, file.steps, file.recipe, file.view
        for artefact in made:
            file.provenance(artefact.key)
        assert read == []
        file.read(samples.key_of("groups"))
        assert read == [
            f"/results/{samples.key_of('groups')}/{name}" for name in ("labels", "names")
        ]


def test_what_was_read_outlives_the_file(path: Path) -> None:
    made = samples.save(path)
    with ProjectFile.open(path) as file:
        read = file.read(made[0].key)
    path.unlink()
    assert samples.same(made[0], read)
    with pytest.raises(ProjectFileError):
        file.read(made[0].key)


def test_an_unknown_key_gets_a_sentence(path: Path) -> None:
    samples.save(path)
    with ProjectFile.open(path) as file, refuses("result-missing", ProjectFileError):
        file.read("0" * 64)


def test_files_that_are_no_projects(path: Path, tmp_path: Path) -> None:
    assert "does not exist" in refusal(path)
    assert "is not a file" in refusal(tmp_path)
    path.touch()
    assert "is empty" in refusal(path)
    path.write_text("a,b\n1,2\n")
    assert "it is not an HDF5 file" in refusal(path)
    with h5py.File(path, "w") as file:
        file["x"] = np.zeros(3)
        file["out"] = h5py.ExternalLink("/etc/passwd", "/")
    assert "not a Coterie project" in refusal(path)


def test_a_pipe_is_not_waited_for(path: Path) -> None:
    os.mkfifo(path)
    assert "is not a file" in refusal(path)


def test_a_file_cut_short_says_so_and_names_the_backup(path: Path) -> None:
    samples.save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert "is truncated. Open its backup, 'p.coterie.h5.bak'" in refusal(path)


def test_a_newer_schema_that_we_can_still_read_opens_read_only(path: Path) -> None:
    made = samples.save(path)
    with h5py.File(path, "r+", libver=("v108", "latest")) as file:
        file.attrs["schema"] = layout.SCHEMA + 1
        file["futures"] = np.zeros(3)
    with ProjectFile.open(path) as opened:
        assert opened.header.read_only
        assert samples.same(made[0], opened.read(made[0].key))


def test_a_schema_that_is_too_new_says_so(path: Path) -> None:
    samples.save(path)
    with h5py.File(path, "r+", libver=("v108", "latest")) as file:
        file.attrs["schema"] = file.attrs["min_reader"] = layout.SCHEMA + 1
        write_attribute(file, "writer", "coterie 9.0")
    sentence = refusal(path)
    assert "was written by coterie 9.0 with schema" in sentence
    assert "Update Coterie" in sentence


@pytest.mark.parametrize("value", [0, -1, 1.5, True])
def test_a_schema_that_is_no_number_is_damage(path: Path, value: Any) -> None:
    samples.save(path)
    with h5py.File(path, "r+", libver=("v108", "latest")) as file:
        file.attrs["schema"] = value
    assert "no schema number" in refusal(path)


@pytest.mark.parametrize("name", ["steps", "recipe"])
def test_a_missing_text_is_damage(path: Path, name: str) -> None:
    samples.save(path)
    with h5py.File(path, "r+", libver=("v108", "latest")) as file:
        del file[name], file["view"]
    with ProjectFile.open(path) as opened:
        assert opened.view == {}
        with refuses("file-damaged", ProjectFileError, match=f"no text at /{name}"):
            getattr(opened, name)


def test_an_artefact_without_an_encoding_is_damage(path: Path) -> None:
    samples.save(path)
    with h5py.File(path, "r+", libver=("v108", "latest")) as file:
        del file[f"data/{samples.points().key}"].attrs["encoding-version"]
    assert "no encoding type and version" in refusal(path)


def test_an_artefact_in_the_wrong_place_is_damage(path: Path) -> None:
    samples.save(path)
    with h5py.File(path, "r+", libver=("v108", "latest")) as file:
        write_attribute(file[f"data/{samples.points().key}"], "encoding-type", "clustering")
    assert "an artefact of type 'clustering' in this place" in refusal(path)


@pytest.mark.skipif(shutil.which("h5dump") is None, reason="h5dump is not installed")
def test_the_tools_of_hdf5_read_it(path: Path) -> None:
    samples.save(path)
    labels = f"/results/{samples.key_of('groups')}/labels"
    dumped = subprocess.run(
        ["h5dump", "-d", labels, "-d", "/recipe", str(path)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "(0): 0, 0, 1, -1" in dumped
    assert 'title = "Two groups"' in dumped
    subprocess.run(["h5dump", str(path)], stdout=subprocess.DEVNULL, check=True)


def test_the_example_in_the_documentation_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (Path(__file__).parents[4] / "docs" / "file-format.md").read_text()
    example = page.split("```python\n")[1].split("```")[0]
    steps = {"groups": {"key": samples.key_of("groups"), "parts": {}}}
    samples.save(tmp_path / "project.coterie.h5", steps=steps)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(example, names)
    assert names["labels"].tolist() == [0, 0, 1, -1]


@pytest.mark.parametrize(
    "archive", sorted(ARCHIVES.glob("schema-*.coterie.h5")), ids=lambda p: p.name
)
def test_projects_of_every_released_schema_still_open(archive: Path) -> None:
    """Written by tests/archives/make.py when the schema was new, and never since."""
    assert archive.stat().st_size < 80_000
    with ProjectFile.open(archive) as file:
        assert file.header.title == "Two groups"
        assert file.recipe == samples.RECIPE
        assert file.steps["groups"]["key"] == samples.key_of("groups")
        assert len(file.entries) == (5 if file.header.schema == 1 else 7)
        for entry in file.entries.values():
            decode(file.read(entry.key).encoded)
        if file.header.schema > 1:
            trace = decode(file.read(samples.key_of("trace")).encoded)
            assert list(trace.values) == ["objective", "support"]
            kept = decode(file.read(samples.key_of("customers")).encoded).table
            made = samples.customers().table
            for column, written in zip(kept, made, strict=True):
                assert column.words() == written.words()
                about = ("name", "type", "role", "categories", "unit", "why", "notes")
                for what in about:
                    assert getattr(column, what) == getattr(written, what)
        points = file.read(samples.key_of("points")).encoded
        assert points.strings["items"] == ("a", "b", "", "日本")
        labels = file.read(samples.key_of("groups")).encoded.arrays["labels"]
        assert labels.tolist() == [0, 0, 1, -1]


def test_there_is_an_archive_of_every_schema() -> None:
    names = [path.name for path in ARCHIVES.glob("*.coterie.h5")]
    assert {f"schema-{number + 1}.coterie.h5" for number in range(layout.SCHEMA)} <= set(names)
