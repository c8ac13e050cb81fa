"""Scenes of a project file are looked for only where the recipe may read."""

from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.formats.rasters.scene import Band, Scene, raster_dataset
from coterie.core.model.artefacts import Artefact
from coterie.core.model.encoding import encode
from coterie.projects.cli.main import main
from coterie.projects.session import Session
from coterie.projects.sources.scene_paths import with_place, without_place


def artefact(path: str, mask: str = "") -> Artefact:
    scene = Scene(path, (Band("red"),), 4, 5)
    details: dict[str, Any] = {"mask": {"scene": {**scene.as_json(), "path": mask}}} if mask else {}
    return Artefact("0" * 64, encode(raster_dataset(scene, details=details)))


def path_in(found: Artefact) -> str:
    return str(found.encoded.meta["details"]["scene"]["path"])


def test_a_file_gets_the_name_and_gives_no_place() -> None:
    told = without_place(artefact("/home/ada/scenes/a.tif", "/home/ada/scenes/m.tif"))
    assert path_in(told) == "a.tif"
    assert told.encoded.meta["details"]["mask"]["scene"]["path"] == "m.tif"


def test_the_place_is_that_of_a_source_that_may_be_read(tmp_path: Path) -> None:
    (tmp_path / "m.tif").touch()
    found = with_place(artefact("a.tif", "m.tif"), [str(tmp_path / "a.tif")])
    assert path_in(found) == str(tmp_path / "a.tif")
    assert found.encoded.meta["details"]["mask"]["scene"]["path"] == str(tmp_path / "m.tif")


def test_a_place_in_the_file_is_not_believed(tmp_path: Path) -> None:
    (tmp_path / "secret.tif").touch()
    assert path_in(with_place(artefact(str(tmp_path / "secret.tif")), ())) == "secret.tif"


def test_a_product_opened_by_its_metadata_is_its_folder(tmp_path: Path) -> None:
    source = tmp_path / "S2.SAFE" / "MTD_MSIL1C.xml"
    assert path_in(with_place(artefact("S2.SAFE"), [str(source)])) == str(source.parent)


def test_other_artefacts_pass_as_they_are() -> None:
    from coterie.core import Dataset

    plain = Artefact("0" * 64, encode(Dataset(title="table")))
    assert without_place(plain) is plain
    assert with_place(plain, ["/a.tif"]) is plain


RECIPE = """
[data]
open = "scene.npy"
reader = "raster"
[[step]]
name = "pixels"
use = "transform/sample"
of = "data"
params = { size = 5 }
"""


def test_a_scene_outside_the_project_is_read_only_when_that_was_allowed(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    np.save(tmp_path / "scene.npy", np.arange(60.0).reshape(4, 5, 3))
    (tmp_path / "a.toml").write_text(RECIPE, encoding="utf-8")
    project = home / "a.coterie.h5"
    assert main(["run", str(tmp_path / "a.toml"), "-o", str(project), "--engine", "inprocess"]) == 0

    session = Session(engine="inprocess", root=tmp_path)
    session.start()
    try:
        session.project.open_file(project, lock=False)
        session.wait()
        session.edits.replace(session.recipe.changed("pixels", params={"size": 7}), "take more")
        session.run("pixels")
        session.wait()
        failure = session.failure("pixels")
        assert failure is not None
        assert "Allow the project to read it" in failure.message
        session.files.confirm("data")
        session.run("pixels")
        session.wait()
        assert session.failure("pixels") is None
        assert session.fetch("pixels").n == 7
    finally:
        session.close()
