"""Projects without what is quickly computed again, as Python reads them."""

from pathlib import Path

import h5py
import numpy as np
import pytest

import coterie
from coterie.core.errors import ProjectFileError
from coterie.projects.store.hdf5.reading import ProjectFile


def test_what_a_saved_project_does_without_is_computed_when_it_is_asked_for(tmp_path: Path) -> None:
    recipe = coterie.Recipe().data("arcs", params={"n": 600})
    recipe.add("near", "kernel/gaussian", sigma=0.3).add("groups", "clusterer/ncut", "near", k=2)
    kept = recipe.run()  # in a file that goes away with it: everything is there
    path = tmp_path / "arcs.coterie.h5"
    kept.save(path)
    with ProjectFile.open(path) as file:
        assert set(file.left_out) == {"near"}
    project = coterie.open(path)
    assert list(project) == ["data", "near", "groups"]
    assert "near" in project
    assert "not stored" in project._repr_html_()
    assert (project["near"].noun.values == kept["near"].noun.values).all()


def test_what_a_later_version_would_compute_otherwise_is_refused(tmp_path: Path) -> None:
    recipe = coterie.Recipe().data("arcs", params={"n": 600})
    recipe.add("near", "kernel/gaussian", sigma=0.3).add("groups", "clusterer/ncut", "near", k=2)
    path = tmp_path / "arcs.coterie.h5"
    recipe.run(save=path)
    with ProjectFile.open(path) as file:
        key = file.left_out["near"].key
    with h5py.File(path, "r+", libver=("v108", "latest")) as file:
        text = file["left_out"][()].replace(key.encode(), b"0" * 64)
        del file["left_out"]
        file["left_out"] = np.bytes_(text)
    with pytest.raises(ProjectFileError, match="not stored"):
        coterie.open(path)["near"]
