"""`coterie info`: projects, data files, samples."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

SHARED = {"name", "key", "type", "shape", "stale", "value"}


def test_a_project_is_listed_by_section(coterie: Any, project: Path) -> None:
    said = coterie("info", project)
    assert said.code == 0
    assert said.out.startswith("Small arcs\n")
    for words in ("Data\n", "Graphs\n", "Results\n", "groups.trace", "60 × 60", "coterie 0."):
        assert words in said.out
    assert "stale" not in said.out.replace("state", "")


def test_the_json_of_a_project_is_stable(coterie: Any, project: Path) -> None:
    said = coterie("info", project, "--json")
    found = json.loads(said.out)
    assert found["title"] == "Small arcs"
    assert {"title", "data", "graphs", "results"} <= set(found)
    for section in ("data", "graphs", "results"):
        for entry in found[section]:
            assert set(entry) >= SHARED
            assert entry["stale"] is False
            assert len(entry["key"]) == 64
    assert [entry["name"] for entry in found["data"]] == ["data", "scaled"]
    assert found["graphs"][0]["shape"] == [60, 60]
    results = {entry["name"]: entry for entry in found["results"]}
    assert results["groups"]["type"] == "clustering"
    assert results["groups"]["shape"] == [60]
    assert results["groups"]["value"] is None
    assert 0 <= results["agreement"]["value"] <= 1
    assert results["groups.trace"]["type"] == "trace"


def test_a_project_is_known_by_its_content(coterie: Any, project: Path) -> None:
    project.rename("renamed.h5")
    assert coterie("info", "renamed.h5").out.startswith("Small arcs\n")


def test_a_stale_result_is_marked(coterie: Any, recipe: Path) -> None:
    coterie("run", recipe)
    coterie("run", recipe, "--set", "near.sigma=-1")  # fails: the old results stay, marked
    found = json.loads(coterie("info", "small.coterie.h5", "--json").out)
    stale = {entry["name"]: entry["stale"] for entry in found["results"]}
    assert stale["groups"] is True
    assert stale["picture"] is False
    assert "stale" in coterie("info", "small.coterie.h5").out.replace("state", "")


def test_a_table_is_read_through_the_engine(coterie: Any, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a;b;class\n1,5;2;x\n3;4;y\n", encoding="utf-8")
    said = coterie("info", "t.csv")
    assert said.code == 0
    for words in ("Known classes, 'class': x, y\n", "2 × 2", "decimal comma"):
        assert words in said.out
    assert re.search(r"^a +number +feature +1\.5 – 3", said.out, re.MULTILINE)
    assert re.search(r"^class +category +label +2: x, y", said.out, re.MULTILINE)
    found = json.loads(coterie("info", "t.csv", "--json").out)
    (data,) = found["data"]
    assert set(data) >= SHARED
    assert data["columns"] == ["a", "b"]
    assert [column["role"] for column in data["table"]] == ["feature", "feature", "label"]
    assert data["shape"] == [2, 2]
    assert found["graphs"] == found["results"] == []


def test_a_column_that_can_name_the_items_does(coterie: Any, tmp_path: Path) -> None:
    table = "town,people,area\nUlm,12.5,118\nPisa,9,185\nNara,35.5,276\n"
    (tmp_path / "towns.csv").write_text(table, encoding="utf-8")
    assert "Column 'town' holds the names of the items." in coterie("info", "towns.csv").out
    said = coterie("info", "towns.csv", "--set", 'leave_out=["town"]')  # a person's word
    assert said.code == 0
    assert "holds the names" not in said.out


def test_a_sample_is_data_too(coterie: Any) -> None:
    assert json.loads(coterie("info", "rings", "--json").out)["data"][0]["shape"] == [400, 2]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("none.csv", None, "'none.csv' does not exist"),
        ("none.coterie.h5", None, "does not exist"),
        ("empty.csv", b"", "is empty"),
        ("odd.xyz", b"1,2\n", "No reader supports 'odd.xyz'"),
        ("fake.coterie.h5", b"not a project", "is not a Coterie project"),
        ("plain.h5", "hdf5", "'plain.h5' holds no array of numbers"),
        ("plain.coterie.h5", "hdf5", "is not a Coterie project: it is HDF5"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_line(
    coterie: Any, tmp_path: Path, name: str, content: bytes | str | None, words: str
) -> None:
    if isinstance(content, bytes):
        (tmp_path / name).write_bytes(content)
    elif content is not None:
        import h5py

        h5py.File(tmp_path / name, "w").close()
    said = coterie("info", name)
    assert said.code == 1
    assert said.out == ""
    assert words in said.complaint


def test_a_file_of_several_arrays_is_listed_and_one_is_named(coterie: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    np.savez(tmp_path / "s.npz", a=rng.random((4, 3)), b=rng.random((5, 2)), c=np.arange(4))
    said = coterie("info", "s.npz")
    assert said.code == 0
    for words in ("a     4 × 3", "b     5 × 2", "c     4", "--set array=NAME"):
        assert words in said.out
    found = json.loads(coterie("info", "s.npz", "--json").out)
    assert [entry["name"] for entry in found["arrays"]] == ["a", "b", "c"]
    assert found["data"] == []
    for named in (("s.npz:b",), ("s.npz", "--set", "array=b")):
        said = coterie("info", *named)
        assert said.code == 0
        assert "5 × 2" in said.out
    wrong = coterie("info", "s.npz:d")
    assert wrong.code == 1
    assert "It has: a (4 × 3), b (5 × 2), c (4)." in wrong.err


def test_a_scene_in_an_npz_is_looked_into_by_its_reader(coterie: Any, tmp_path: Path) -> None:
    mask = np.zeros((6, 8), dtype=np.uint8)
    mask[2:, :] = 3
    np.savez(tmp_path / "s.npz", cube=np.ones((6, 8, 3)), mask=mask)
    said = coterie("info", "s.npz:cube", "--reader", "raster", "--set", "mask=mask")
    assert said.code == 0
    assert "48 × 3" in said.out
    assert "Known classes, 'class': 0, 3" in said.out
    wrong = coterie("info", "s.npz:cube")
    assert "reader/raster" in wrong.err


def test_a_scene_says_where_it_lies_and_a_folder_of_landsat_is_one(
    coterie: Any, tmp_path: Path
) -> None:
    from tests.core.formats.rasters.making import write_landsat

    write_landsat(tmp_path / "LC08")
    said = coterie("info", "LC08")
    assert said.code == 0, said.err
    assert said.out.startswith("LC08\n")
    assert "Bands: B4 (655 nm), B5 (865 nm)" in said.out
    assert "40 × 50 pixels of 10 × 10, EPSG:32633." in said.out
    found = json.loads(coterie("info", "LC08", "--json").out)["data"][0]["scene"]
    assert (found["height"], found["width"], found["crs"]) == (40, 50, "EPSG:32633")


def test_a_failure_for_programs_has_its_code(coterie: Any) -> None:
    said = coterie("info", "nowhere.coterie.h5", "--json")
    assert said.code == 1
    assert json.loads(said.out)["error"]["message"] == said.complaint
