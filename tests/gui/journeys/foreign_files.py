"""Opens strangers' files in a real window in every way there is, and prints what it has loaded.

Run as a program: python -m tests.gui.journeys.foreign_files FOLDER. The files are made by another
process: this one is to load nothing that parses them.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

MAKE = """
import sys
from pathlib import Path
import h5py, numpy as np, rasterio
from rasterio.transform import Affine
from coterie.core.formats.rasters.geopackage import write_geopackage
from coterie.core.formats.rasters.polygons import Polygon
folder = Path(sys.argv[1])
rng = np.random.default_rng(0)
truth = np.zeros((1, 600, 700), dtype=np.uint8)
truth[:, 200:400, 300:600] = 1
values = rng.normal(200.0 + 600.0 * truth, 20, (3, 600, 700)).astype(np.uint16)
place = {"crs": "EPSG:32633", "transform": Affine(10, 0, 5e5, 0, -10, 5e6)}
for name, array, nodata in (("scene", values, 0), ("mask", truth, 255)):
    with rasterio.open(folder / f"{name}.tif", "w", driver="GTiff", count=len(array), height=600,
                       width=700, dtype=array.dtype, nodata=nodata, **place) as target:
        target.write(array)
corners = np.array([[5.01e5, 4.999e6], [5.03e5, 4.999e6], [5.03e5, 4.997e6]])
write_geopackage(folder / "regions.gpkg", [Polygon("field", (corners,))], "EPSG:32633")
with h5py.File(folder / "numbers.h5", "w") as file:
    file["x"] = rng.normal(size=(50, 3))
"""
PATIENCE = 120.0


def main() -> None:
    folder = Path(sys.argv[1])
    subprocess.run([sys.executable, "-c", MAKE, folder], check=True)

    from PySide6.QtCore import QSize

    from coterie.core.model.recipes import Recipe, Source, Step
    from coterie.gui.app.application import make_application, session_maker
    from coterie.gui.app.main_window import MainWindow
    from coterie.gui.views.map.labelling.state import written_picture
    from coterie.gui.views.map.view import MapView
    from coterie.projects.sources import rasters

    app = make_application("light")
    window = MainWindow(session_maker(safe_mode=True), QSize(1280, 800))
    window.show()

    def wait(what: str, until: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not until():
            if time.monotonic() > deadline:
                raise SystemExit(f"still waiting for {what}")
            app.processEvents()
            time.sleep(0.01)
        print(f"seen: {what}", flush=True)

    def settled() -> bool:
        return window.session is not None and not window.session.busy

    def shown_map() -> MapView:
        window.tabs.bring_forward("Map")
        view = window.tabs.current_view()
        assert isinstance(view, MapView)
        return view

    session = window.documents.ensure_session()
    wait("methods", lambda: bool(session.catalogue.methods))
    known = {"mask": "mask.tif", "mask_classes": "0 = land, 1 = cloud"}
    session.project.load_recipe(
        Recipe(
            sources=(Source("data", str(folder / "scene.tif"), "reader/raster", known),),
            steps=(
                Step("some", "transform/sample", ("data",), {"size": 150}),
                Step("groups", "clusterer/kmeans", ("some",), {"k": 2}),
            ),
        )
    )
    window.commands.run_all()
    wait("groups", settled)
    view = shown_map()
    view.work.failed.connect(lambda said: sys.exit(f"failed: {said}"))
    wait("the scene with smaller copies", lambda: view.state.prepared is not None)
    assert view.state.prepared is not None
    assert view.state.ground is not None
    assert len(view.state.prepared.levels) > 1
    assert view.state.prepared.system == "EPSG:32633"
    wait("tiles", lambda: not view.work.drawing and bool(view.map.tiles) and not view.map.wishes())
    assert not view.page.problem, view.page.problem

    spectra: list[object] = []
    view.work.measured.connect(lambda found: spectra.append(found))
    view.desk.read(folder / "regions.gpkg")
    assert [region.name for region in view.state.regions.listed] == ["field"], view.page.problem
    view.work.measure(view.state.ground, [(3, 4)], view.state.regions.listed)
    wait("spectra", lambda: bool(spectra))
    view.desk.write(folder / "again.gpkg")
    assert (folder / "again.gpkg").stat().st_size > 1000

    view.whole.label("", folder / "map.tif")
    wait("a map", lambda: view.run.phase == "done")
    wait("its accuracy", lambda: view.state.verdict is not None)
    assert view.state.verdict is not None
    assert view.state.verdict.accuracy.overall > 0.99
    view.whole.save_errors(folder / "errors.tif")
    wait("its errors", lambda: (folder / "errors.tif").exists())

    from coterie.core.formats.maps.finish import Finish
    from coterie.gui.views.map.finishing.dialog import Wanted, target_of

    finished = target_of(folder / "map.tif")
    wanted = Wanted(Finish(majority=3, smallest=5), polygons=True, page=True, statistics=True)
    view.finisher.finish(wanted)
    wait("a finished copy", lambda: not view.finisher.busy)
    assert not view.page.problem, view.page.problem
    for ending in (".tif", ".gpkg", ".pdf", ".classes.csv"):
        assert finished.with_suffix(ending).exists(), ending
    assert isinstance(rasters.most_uncertain(folder / "map.tif", 3), list)

    session.project.save(folder / "scene.coterie.h5").result(PATIENCE)
    window.documents.open(folder / "scene.coterie.h5", ask=False)
    wait("the project again", lambda: session.project.path is not None and settled())
    wait("its map", lambda: shown_map().state.prepared is not None)

    window.documents.open_sample("china")
    wait("a picture", settled)
    assert window.session is not None
    written, _ = written_picture(window.session.fetch(window.session.recipe.sources[0].name))
    assert written.stat().st_size > 1000

    window.documents.ask_how_to_read(folder / "numbers.h5")
    wait("a preview", settled)
    print("\n".join(sorted(Path("/proc/self/maps").read_text(encoding="utf-8").split("\n"))))
    sys.stdout.flush()
    window.documents.close_session()
    window.close()


if __name__ == "__main__":
    main()
