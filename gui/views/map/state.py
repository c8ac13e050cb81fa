"""The map: which scene, in which bands and layers, with which classes and regions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.core.errors import CoterieError, in_words
from coterie.core.formats.maps.accuracy_report import MapComparison
from coterie.core.model.arrays import Array, Ints
from coterie.core.model.dataset import SCENE, Dataset
from coterie.gui.views.map.accuracy.ground_truth import KEPT as KEPT_KNOWN
from coterie.gui.views.map.accuracy.ground_truth import ReferenceClasses, known_of
from coterie.gui.views.map.bands import BandSettings, Preset, presets_of, sensor_of
from coterie.gui.views.map.base_layer import Ground, PreparedOverviews, coordinates, ground_of
from coterie.gui.views.map.classes.state import KEPT as KEPT_CLASSES
from coterie.gui.views.map.classes.state import Classes
from coterie.gui.views.map.labelling.state import KEPT as KEPT_MAP
from coterie.gui.views.map.labelling.state import Made
from coterie.gui.views.map.layers.build import LayerMaker
from coterie.gui.views.map.layers.class_sources import ArrayCodes, Codes, FileCodes, PartialCodes
from coterie.gui.views.map.layers.state import Layer, LayerKey, Setting, Settings
from coterie.gui.views.map.regions.state import KEPT as KEPT_REGIONS
from coterie.gui.views.map.regions.state import RegionList
from coterie.gui.views.map.spectra import PixelSpectrum, of_items
from coterie.gui.views.shown_items import geometry
from coterie.gui.views.shown_items.columns import group_names, truth_names
from coterie.gui.views.shown_items.displayed import Shown, look, opened

if TYPE_CHECKING:
    from coterie.projects.session import Session

_OVER_ALL: dict[LayerKey, float] = {"groups": 0.6, "rank": 0.6, "selection": 0.55}
KEPT = "map"  # in session.view: bands, stretch, layers
_NO_PICTURE = (
    "These items are not pixels of a scene. Open a scene, or choose the sample "
    '"Clouds", to see a map here.'
)


class MapState:
    """What the Map view shows, and how."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.chosen = ""
        self.shown = Shown()
        self.root: Dataset | None = None
        self.ground: Ground | None = None
        self.prepared: PreparedOverviews | None = None
        self.problem = ""
        self.presets: tuple[Preset, ...] = ()
        self.look = BandSettings()
        self.settings = Settings()
        self.classes: Classes | None = None
        self.regions = RegionList()
        self.made: Made | None = None
        self.known = ReferenceClasses()
        self.counted: MapComparison | None = None  # with the classes as the mask has them
        self.error_of = -1
        self.rows: Ints = np.empty(0, dtype=np.int64)
        self.columns: Ints = np.empty(0, dtype=np.int64)
        self.full = False
        self._opened = True  # a project whose saved settings are not taken yet
        session.project.opened.connect(self._on_opened)
        self._kept_regions: object = None
        self._kept_classes: object = None
        self._kept_known: object = None
        self._grounded: object = None
        self._judged: tuple[object, object, MapComparison | None] = (None, None, None)

    # What is shown

    @property
    def n(self) -> int:
        """Number of items on the map."""
        return len(self.rows)

    def update(self) -> bool:
        """Take what the session has now; return whether the map has another scene."""
        session = self.session
        sources = [source.name for source in session.recipe.sources]
        # A source is on the map anyway: choosing it must not take the sample off it.
        self.shown = look(session, "" if self.chosen in sources else self.chosen)
        self.root = opened(session, self.chosen)
        another = self.root is not self._grounded
        if another:
            self._grounded = self.root
            self._take_ground()
        if self._opened or another:
            self._opened = False
            self._take_kept()
        self._take_items()
        if session.view.get(KEPT_REGIONS) is not self._kept_regions:  # undone, or done again
            self._take_regions()
        if session.view.get(KEPT_KNOWN) is not self._kept_known:
            self._take_known()
        kept = session.view.get(KEPT_CLASSES)
        if kept is not self._kept_classes:
            self._kept_classes = kept
            self.counted = None if self.made is None else self.counted
        mine = kept.get(self.shown.clustering_step) if isinstance(kept, dict) else None
        groups = group_names(self.shown) if self.shown.clustering is not None else ()
        self.classes = Classes(groups, mine) if groups else None
        return another

    def _on_opened(self) -> None:
        self._opened = True

    def _take_ground(self) -> None:
        self.prepared, self.counted, self.problem = None, None, ""
        try:
            self.ground = ground_of(self.root)
        except CoterieError as error:
            self.ground, self.problem = None, in_words(error)
        self.presets = presets_of(self.ground) if self.ground is not None else ()
        self.made = None
        self._take_known()

    def _take_kept(self) -> None:
        kept = self.session.view.get(KEPT)
        kept = kept if isinstance(kept, dict) else {}
        self.settings = Settings.from_json(kept.get("layers"))
        self._take_regions()
        self.made = Made.kept_in(self.session.view)
        if self.ground is None:
            return
        self.look = BandSettings(self.presets[0].bands)
        names = kept.get("bands")
        if isinstance(names, list) and len(names) == 3 and set(names) <= set(self.ground.bands):
            r, g, b = (self.ground.bands.index(name) for name in names)
            self.look = replace(self.look, bands=(r, g, b))
        low, high, gamma = kept.get("low"), kept.get("high"), kept.get("gamma")
        if (
            isinstance(low, int | float)
            and isinstance(high, int | float)
            and 0 <= low < high <= 100
        ):
            self.look = replace(self.look, low=float(low), high=float(high))
        if isinstance(gamma, int | float) and 0.1 <= gamma <= 10:
            self.look = replace(self.look, gamma=float(gamma))

    def _take_regions(self) -> None:
        self._kept_regions = self.session.view.get(KEPT_REGIONS)
        self.regions = RegionList.kept_in(self.session.view)

    def _take_known(self) -> None:
        looked_at = self.known.names[self.error_of] if self.error_of >= 0 else ""
        self._kept_known = kept = self.session.view.get(KEPT_KNOWN)
        mine = kept.get(self.root_step) if isinstance(kept, dict) else None
        try:
            self.known = known_of(self.root, self.ground).kept(mine)
        except CoterieError:  # of a damaged description; opening the scene again says so
            self.known = ReferenceClasses()
        names = self.known.names
        self.error_of = names.index(looked_at) if looked_at in names else -1

    def _take_items(self) -> None:
        """Where the items of the shown results lie."""
        data, ground = self.shown.dataset, self.ground
        self.full = False
        places: Any = None
        if ground is not None and data is not None:
            places = data.details.get("positions")
            if places is None and data.n == ground.n:
                places, self.full = np.arange(data.n), True
            elif places is not None and (len(places) != data.n or max(places) >= ground.n):
                places = None
        if ground is None or places is None:
            self.rows = self.columns = np.empty(0, dtype=np.int64)
        else:
            self.rows, self.columns = np.divmod(np.asarray(places, dtype=np.int64), ground.width)

    @property
    def emptiness(self) -> str:
        """A sentence on what to do when there is no map, else nothing."""
        if self.root is None:
            return "Open a file or choose a sample to see its pixels on a map here."
        if self.ground is None:
            return self.problem or _NO_PICTURE
        return ""

    @property
    def root_step(self) -> str:
        """The source that the map shows; empty for none."""
        names = [source.name for source in self.session.recipe.sources]
        return next((n for n in names if self.session.results.artefact(n) is self.root), "")

    @property
    def is_lost(self) -> bool:
        """Whether the file of the scene is not where it was."""
        if self.root is None or not self.root.on_disk:
            return False
        return not Path(str(self.root.details[SCENE].get("path", ""))).exists()

    @property
    def sensor(self) -> str:
        """What took the scene, as far as it is known."""
        return sensor_of(self.ground) if self.ground is not None else ""

    # What a person sets

    def choose_look(self, **changes: Any) -> None:
        """Change bands, percentiles or gamma."""
        self.look = replace(self.look, **changes)
        self._keep()

    def change_layer(self, key: LayerKey, **changes: Any) -> None:
        """Show or hide a layer, or change its opacity."""
        self.settings.of.setdefault(key, self.setting(key))
        self.settings.change(key, **changes)
        self._keep()

    def setting(self, key: LayerKey) -> Setting:
        """Return how a layer is to be seen."""
        setting = self.settings.get(key)
        if self.full and key not in self.settings.of:
            # Dots leave the scene between them; what covers every pixel must let it through.
            return replace(setting, opacity=_OVER_ALL.get(key, setting.opacity))
        if key == "groups" and key not in self.settings.of and self.made is not None:
            # Dots of the sample would hide the map that was made of it.
            return replace(setting, visible=False)
        return setting

    def _keep(self) -> None:
        if self.ground is None:
            return
        self.session.view[KEPT] = {
            "bands": [self.ground.bands[band] for band in self.look.bands],
            "low": self.look.low,
            "high": self.look.high,
            "gamma": self.look.gamma,
            "layers": self.settings.as_json(),
        }

    def keep_classes(self, what: str = "change classes") -> None:
        """Keep what a person made of the groups in the project, as one edit called `what`."""
        if self.classes is None:
            return
        known = self.session.view.get(KEPT_CLASSES)
        kept = dict(known) if isinstance(known, dict) else {}
        kept[self.shown.clustering_step] = self.classes.as_json()
        self.session.edits.edit_view(KEPT_CLASSES, kept, what)

    def keep_regions(self, regions: RegionList, what: str = "change regions") -> None:
        """Keep these regions in the project, in place of those it had, as one edit."""
        self.regions = regions
        self._kept_regions = regions.as_json(self.ground)
        self.session.edits.edit_view(KEPT_REGIONS, self._kept_regions, what)

    def keep_known(self, known: ReferenceClasses, what: str) -> None:
        """Keep what a person makes of the known classes in the project, as one edit."""
        if known.as_json() == self.known.as_json():
            return  # chosen as it was
        before = self.session.view.get(KEPT_KNOWN)
        kept = dict(before) if isinstance(before, dict) else {}
        kept[self.root_step] = known.as_json()
        self.session.edits.edit_view(KEPT_KNOWN, kept, what)
        self._take_known()

    @property
    def verdict(self) -> MapComparison | None:
        """The map against the known classes as a person takes them, once it was counted."""
        if self.counted is None:
            return None
        if self._judged[0] is not self.counted or self._judged[1] is not self.known:
            self._judged = (self.counted, self.known, self.known.judged(self.counted))
        return self._judged[2]

    def keep_map(self, made: Made | None) -> None:
        """Show this map; one that is complete is remembered in the project."""
        self.made, self.counted = made, None
        if made is not None and made.complete:
            self.session.view[KEPT_MAP] = made.as_json()
            self.session.project.modified = True

    # Layers

    def layers(self, selected: Array, *, dark: bool) -> list[Layer]:
        """Return the layers that there are, from the bottom to the top."""
        return LayerMaker(self).layers(selected, dark=dark)

    def map_codes(self) -> Codes | None:
        """Return where the numbers of the classification come from, if there is one."""
        if self.made is None or self.ground is None:
            return None
        shape = self.ground.height, self.ground.width
        kind = FileCodes if self.made.complete else PartialCodes
        return kind(self.made.path, shape, len(self.made.names))

    def class_names(self) -> tuple[str, ...]:
        """Return the names of the classes that the groups make up."""
        if self.classes is None:
            return ()
        return tuple(found.name for found in self.classes.listed(dark=False))

    def item_classes(self) -> Ints | None:
        """Return the class of each item, None when there are no groups of items on the map."""
        found = self.shown.clustering
        if found is None or self.classes is None or found.n != self.n:
            return None
        return self.classes.of_labels(found.labels)

    def truth_codes(self) -> Codes | None:
        """Return the known classes of all pixels, None when there are none."""
        return self.known.codes

    def truth_names(self) -> tuple[str, ...]:
        """Return the names of the known classes."""
        return self.known.names if self.known.raw is not None else truth_names(self.shown)

    def judged(self) -> tuple[Codes, tuple[str, ...]] | None:
        """Return what the known classes are compared with: the map, else groups of all pixels."""
        made = self.map_codes()
        if made is not None and self.made is not None and self.made.complete:
            return made, self.made.names
        codes = self.item_classes()
        if codes is None or not self.full or self.ground is None:
            return None
        grid = codes.reshape(self.ground.height, self.ground.width)
        return ArrayCodes(grid), self.class_names()

    def members(self, key: LayerKey, code: int) -> Array:
        """Return a mask of the items that a line of the legend stands for."""
        none = np.zeros(self.n, dtype=bool)
        if key == "groups":
            codes = self.item_classes()
            if codes is None:
                return none
            return np.asarray(codes < 0 if code >= len(self.class_names()) else codes == code)
        if key == "truth" and self.shown.dataset is not None:
            truth = self.shown.dataset.truth
            if truth is None or len(truth) != self.n:
                return none
            known = truth if self.known.raw is None else self.known.classes(truth)
            return np.asarray(known == code)
        return none

    # Items and pixels

    def inside(self, corners: Array) -> Array:
        """Return a mask of the items whose pixels are in a polygon of columns and rows."""
        return geometry.in_lasso(self.columns + 0.5, self.rows + 0.5, corners)

    def item_at(self, column: float, row: float, reach: float) -> int | None:
        """Return the item at a place: its pixel, or of a sample the nearest within reach."""
        if self.ground is None or not self.n:
            return None
        if self.full:
            at = int(np.floor(row)) * self.ground.width + int(np.floor(column))
            return at if self.contains(column, row) else None
        place = column - 0.5, row - 0.5
        return geometry.nearest(self.columns, self.rows, place, (max(reach, 0.71),) * 2)

    def contains(self, column: float, row: float) -> bool:
        """Return whether a place is on the ground."""
        ground = self.ground
        return ground is not None and 0 <= column < ground.width and 0 <= row < ground.height

    def where(self, column: float, row: float) -> str:
        """Return in words where a place is."""
        if self.ground is None or not self.contains(column, row):
            return ""
        said = f"row {int(row) + 1}, column {int(column) + 1}"
        place = self.ground.position(column, row)
        if place is None:
            return said
        degrees = self.prepared is not None and self.prepared.degrees
        return f"{coordinates(place, degrees)}  ·  {said}"

    def selected_spectrum(self, selected: Array) -> PixelSpectrum | None:
        """Return the mean spectrum of the selected items, None when their bands are not at hand."""
        data, ground = self.shown.dataset, self.ground
        if ground is None or data is None or data.features is None or data.n != len(selected):
            return None
        if data.columns != ground.bands:
            return None
        return of_items("selection", data.features, np.flatnonzero(selected))

    def note(self) -> str:
        """Return a line on what is shown."""
        ground = self.ground
        if ground is None:
            return ""
        parts = [f"{ground.height:,} × {ground.width:,} pixels", f"{len(ground.bands)} bands"]
        if self.sensor:
            parts.append(self.sensor)
        if self.prepared is not None and self.prepared.system:
            parts.append(self.prepared.system)
        elif ground.ties is None and not ground.placed:
            parts.append("no coordinate system")
        if self.n and not self.full:
            parts.append(f"{self.n:,} sampled")
        if self.prepared is not None and self.prepared.lacks_data(self.look.bands):
            parts.insert(0, "No valid pixel in these bands")
        return "  ·  ".join(parts)
