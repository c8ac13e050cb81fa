"""Projects without what is quickly computed again, as Python reads them."""

from pathlib import Path

import coterie
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
