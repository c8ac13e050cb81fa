"""The commands on the regions of a map."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog

from coterie.core import well_known
from coterie.core.errors import CoterieError, in_words
from coterie.gui.toolkit.file_dialogs import ask_target, usual_folder
from coterie.gui.views.map.regions.state import RegionList

if TYPE_CHECKING:
    from coterie.gui.views.map.view import MapView


class RegionDesk(QObject):
    """Keeps, renames, removes, reads and writes regions, and samples from them."""

    def __init__(self, view: MapView) -> None:
        super().__init__(view)
        self._state = view.state
        panel = view.regions
        panel.keep_asked.connect(self.keep_shape)
        panel.renamed.connect(self._on_renamed)
        panel.removed.connect(self._on_removed)
        panel.select_asked.connect(self._on_selected)
        panel.import_asked.connect(self._on_import)
        panel.export_asked.connect(self._on_export)
        panel.sample_asked.connect(self.sample)

    @property
    def _view(self) -> MapView:
        # By Qt's half: the two holding each other would keep both, and what they show.
        return cast("MapView", self.parent())

    def keep_shape(self, name: str = "") -> None:
        """Keep the shape drawn last as a region."""
        if self._view.shape is not None and self._state.ground is not None:
            called = name or self._state.regions.free_name()
            regions = self._state.regions.added(called, self._view.shape, self._state.ground)
            self._keep(regions, f"add {called}")
            self._view.shape = None

    def _keep(self, regions: RegionList, what: str) -> None:
        self._state.keep_regions(regions, what)
        self._view.pixels.measure()
        self._view.refresh()

    def _on_renamed(self, at: int, name: str) -> None:
        regions = self._state.regions.renamed(at, name)
        self._keep(regions, f"rename {self._state.regions.listed[at].name}")

    def _on_removed(self, at: int) -> None:
        if 0 <= at < len(self._state.regions.listed):
            what = f"remove {self._state.regions.listed[at].name}"
            self._keep(self._state.regions.without(at), what)

    def _on_selected(self, at: int) -> None:
        if 0 <= at < len(self._state.regions.listed) and self._state.ground is not None:
            corners = self._state.regions.listed[at].in_pixels(self._state.ground)
            self._view.select(self._state.inside(corners), Qt.KeyboardModifier.NoModifier)

    def _on_import(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self._view,
            "Import regions",
            str(usual_folder()),
            "Regions (*.geojson *.json *.gpkg);;GeoJSON (*.geojson *.json);;"
            "GeoPackage (*.gpkg);;All files (*)",
        )
        if name:
            self.read(Path(name))

    def read(self, path: Path) -> None:
        """Add the regions in a GeoJSON file or a GeoPackage."""
        try:
            found = RegionList.read(path, self._state.ground)
            self._keep(self._state.regions.joined(found), f"import {path.name}")
            self._view.say(self._remarks(path.name, found))
        except CoterieError as error:
            self._view.say(in_words(error))

    def _remarks(self, name: str, found: RegionList) -> str:
        """What a person should know of regions that were read."""
        said = []
        if found.holes:
            said.append(
                f"'{name}' has polygons with holes ({found.holes}); regions cannot have "
                "holes, so they were filled."
            )
        away = found.outside(self._state.ground) if self._state.ground is not None else ()
        if away:
            which = "All" if len(away) == len(found.listed) else f"{len(away)}"
            said.append(
                f"{which} of the {len(found.listed)} regions in '{name}' are outside "
                f"the scene ({', '.join(away):.80}). Check their coordinate system."
            )
        return " ".join(said)

    def _on_export(self) -> None:
        kinds = "GeoJSON (*.geojson *.json);;GeoPackage (*.gpkg)"
        asked = ask_target(self._view, "Export regions", "regions.geojson", kinds)
        if asked is not None:
            self.write(asked[0])

    def write(self, path: Path) -> None:
        """Write the regions as GeoJSON, or as GeoPackage when the name ends so."""
        if self._state.ground is None:
            return
        try:
            self._state.regions.write(path, self._state.ground)
            self._view.say("")
        except CoterieError as error:
            self._view.say(in_words(error))
        except OSError as error:
            self._view.say(f"'{path.name}' cannot be written: {error.strerror}.")

    def sample(self) -> None:
        """Have the recipe take as many pixels from each region."""
        session = self._view.session
        steps = [step for step in session.recipe.steps if step.use == well_known.TRANSFORM_SAMPLE]
        name = steps[0].name if steps else session.edits.add_step(well_known.TRANSFORM_SAMPLE)
        params = {
            **session.recipe.step(name).params,
            "balanced_by": "regions",
            "regions": json.dumps(self._state.regions.as_json()),
        }
        session.edits.replace(session.recipe.changed(name, params=params), "sample from regions")
