"""Validation finds everything that is wrong, not just the first."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest

from coterie.core.model.artefacts import Artefact
from coterie.core.model.encoding import Encoded
from coterie.projects.store.hdf5 import numbers
from coterie.projects.store.hdf5.reading import ProjectFile
from coterie.projects.store.hdf5.validation import FileProblem, validate

from . import samples


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "p.coterie.h5"


def test_a_whole_project_has_no_findings(path: Path) -> None:
    samples.save(path)
    assert validate(path) == []


def test_a_file_that_is_no_project_is_one_finding(path: Path) -> None:
    path.write_text("nothing")
    (finding,) = validate(path)
    assert finding.where == "/"
    assert "not a Coterie project" in finding.problem
    assert str(finding) == f"/: {finding.problem}"


def test_every_fault_is_found(path: Path) -> None:
    strange = Artefact(samples.key_of("s"), Encoded("tomorrow", 1, {}, {"x": np.ones(2)}))
    newer = Artefact(samples.key_of("n"), Encoded("clustering", 99, {}, {"labels": np.ones(2)}))
    samples.save(
        path,
        [*samples.artefacts(), strange, newer],
        recipe="[step",
        steps={"groups": {"key": samples.key_of("groups"), "parts": {}}},
    )
    with h5py.File(path, "r+", libver=("v108", "latest")) as file:
        groups, dense = samples.key_of("groups"), samples.key_of("dense")
        del file[f"data/{samples.points().key}"]
        del file[f"results/{groups}/labels"]
        del file[f"graphs/{dense}/values"]
        numbers.write(file[f"graphs/{dense}"], "values", np.ones((2, 3)))
        file["extra"] = 1
        del file["view"]
        file["view"] = np.bytes_(b"[]")
    found = {(finding.where, finding.problem) for finding in validate(path)}
    problems = "\n".join(f"{where}: {problem}" for where, problem in found)
    assert "/extra: is not part of a project" in problems
    assert f"/results/{strange.key}: has an unknown encoding type 'tomorrow'" in problems
    assert f"/results/{newer.key}: has an unknown version 99 of 'clustering'" in problems
    assert f"/results/{groups}: This clustering has no 'labels'" in problems
    assert f"/graphs/{dense}: Similarities must be a square matrix" in problems
    assert "/recipe: The recipe is not valid TOML" in problems
    assert "/view: has JSON that is not an object" in problems
    orphans = [where for where, problem in found if "a missing dataset" in problem]
    assert len(orphans) == 11


def test_values_of_the_wrong_type_in_a_provenance_are_found_and_left_out(path: Path) -> None:
    wrong = {"libraries": None, "inputs": "abc", "seconds": 10**400, "params": [1], "seed": True}
    odd = replace(samples.points(), provenance={"component": "reader/csv", "mine": 1, **wrong})
    samples.save(path, [odd], steps={})
    [said] = {finding.problem for finding in validate(path) if finding.where.startswith("/data")}
    assert said.endswith("provenance: inputs, libraries, params, seconds, seed")
    with ProjectFile.open(path) as file:
        kept = {"component": "reader/csv", "mine": 1}
        assert file.provenance(odd.key) == file.read(odd.key).provenance == kept


def test_a_step_that_names_nothing_is_found(path: Path) -> None:
    groups, trace = samples.key_of("groups"), samples.key_of("trace")
    samples.save(path, steps={"g": {"key": groups, "parts": {"trace": trace}}})
    with h5py.File(path, "r+", libver=("v108", "latest")) as file:
        del file[f"results/{trace}"]
    assert validate(path) == [
        FileProblem("/steps", f"refers to a missing trace {trace[:12]}… of 'g'")
    ]


def test_a_flipped_bit_in_an_array_is_found(path: Path) -> None:
    samples.save(path)
    where = f"results/{samples.key_of('order')}/scores"
    with h5py.File(path) as file:
        at = file[where].id.get_chunk_info(0).byte_offset
    raw = bytearray(path.read_bytes())
    raw[at + 3] ^= 4
    path.write_bytes(raw)
    (finding,) = validate(path)
    assert finding == FileProblem(f"/{where}", "has a chunk whose checksum or length is wrong")
