"""`coterie validate`: whole and damaged projects."""

from pathlib import Path
from typing import Any

import h5py


def test_a_whole_project_is_called_whole(coterie: Any, project: Path) -> None:
    said = coterie("validate", project)
    assert said.code == 0
    assert "is valid" in said.out


def test_what_is_missing_is_found_and_where(coterie: Any, project: Path) -> None:
    with h5py.File(project, "r+", libver=("v108", "latest")) as file:
        key = next(iter(file["graphs"]))
        del file[f"graphs/{key}/values"]
    said = coterie("validate", project)
    assert said.code == 1
    assert said.complaint.startswith(f"{project}: /graphs/{key}")


def test_a_truncated_project_is_said_to_be_cut_short(coterie: Any, project: Path) -> None:
    project.write_bytes(project.read_bytes()[:-3000])
    for command in ("validate", "info"):
        said = coterie(command, project)
        assert said.code == 1
        assert "is truncated" in said.complaint
    assert "is truncated" in coterie("show", project, "groups").complaint


def test_another_file_is_no_project(coterie: Any, recipe: Path) -> None:
    said = coterie("validate", recipe)
    assert said.code == 1
    assert "is not a Coterie project" in said.complaint


def test_a_missing_file_is_said_to_be_missing(coterie: Any) -> None:
    said = coterie("validate", "none.coterie.h5")
    assert said.code == 1
    assert "does not exist" in said.complaint
