"""What a person does to teach a scene: draw classes, classify, and answer where it is uncertain."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from PySide6.QtCore import QObject

from coterie.core.errors import CoterieError, in_words
from coterie.core.formats.maps.uncertainty import uncertainty_path
from coterie.core.model.arrays import Array
from coterie.gui.toolkit.background import Aside
from coterie.gui.toolkit.connect import listen
from coterie.gui.toolkit.file_dialogs import usual_folder
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.map.labelling.state import map_folder
from coterie.gui.views.map.teaching.state import (
    KEPT,
    Teaching,
    accuracy_of,
    classes_of,
    free_target,
    square_around,
)
from coterie.projects.recipe.teaching import require_classes, teach
from coterie.projects.sources import rasters

if TYPE_CHECKING:
    from coterie.gui.views.map.view import MapView

PLACES = 30  # uncertain places offered one after the other
SEEN = 60  # pixels to each side of one that is shown


class TeachDesk(QObject):
    """Takes shapes as regions of a class, has the scene classified, and leads to uncertain places.

    Attributes
    ----------
    place : (row, column) of the uncertain place that is shown, or None
    """

    def __init__(self, view: MapView) -> None:
        super().__init__(view)
        self._state = view.state
        self._searching = Aside(self)
        self._classifier = ""
        self._target: Path | None = None
        self._places: list[tuple[int, int]] = []
        self._looked_at: object = None  # the map that the places are of
        self.place: tuple[int, int] | None = None
        listen(self, view.session.project.opened, self.forget)
        panel = view.teach
        panel.classify_asked.connect(self.classify)
        panel.changed.connect(self._on_changed)
        panel.next_asked.connect(self.show_next)
        panel.label_asked.connect(self.label_place)
        panel.name.editTextChanged.connect(lambda _: self.show())
        view.page.side.currentChanged.connect(lambda _: view.refresh())

    @property
    def _view(self) -> MapView:
        # By Qt's half: the two holding each other would keep both, and what they show.
        return cast("MapView", self.parent())

    def forget(self) -> None:
        """Know of no lesson any more, as when another project was opened."""
        self._classifier, self._target, self.place = "", None, None
        self._places, self._looked_at = [], None

    @property
    def teaching(self) -> Teaching:
        """The method and its choices."""
        return Teaching.kept_in(self._view.session.view)

    @property
    def is_open(self) -> bool:
        """Whether the person is teaching: shapes are then regions, not selections."""
        return self._view.page.side.currentWidget() is self._view.teach

    def takes(self, corners: Array) -> bool:
        """Add a drawn shape to the class that is being drawn; False when none is."""
        name = self._view.teach.class_name
        ground = self._state.ground
        if not self.is_open or not name or ground is None:
            return False
        regions = self._state.regions.added(name, corners, ground)
        self._state.keep_regions(regions, f"draw {name}")
        self._view.pixels.measure()
        self._view.refresh()
        return True

    def show(self) -> None:
        """Bring the panel up to date."""
        view, state = self._view, self._state
        dark = theme.current().dark
        classes = classes_of(state.regions, dark=dark)
        view.teach.show_teaching(
            classes,
            self.teaching,
            said=self._said(),
            why_not=self._why_not(len(classes)),
            has_doubts=self._doubts() is not None and not view.run.going_on,
            at_place=self.place is not None and bool(view.teach.class_name),
        )
        # Names of many small regions would hide the scene; of classes, the colours say enough.
        told_by_colour = self.is_open or any(found.regions > 1 for found in classes)
        colours = {found.name: found.colour for found in classes} if told_by_colour else {}
        view.map.regions.colour_by(colours)
        view.map.show_place(self.place)

    def _why_not(self, classes: int) -> str:
        if self._view.run.going_on:
            return "The scene is being classified."
        if not self._state.root_step:
            return "Open a scene first."
        return "" if classes > 1 else "Draw regions of at least two classes."

    def _said(self) -> str:
        if self.place is not None:
            row, column = self.place
            return f"Row {row + 1}, column {column + 1}. Hold F to see the scene alone."
        found = accuracy_of(self._view.session, self._classifier)
        if not found and self._classifier and not self.teaching.teacher.holds_out:
            return (
                "Labels spread from the regions, so no pixels are held out to measure the "
                "accuracy. Compare with a mask."
            )
        return found

    # Classifying

    def classify(self) -> None:
        """Learn from the regions, then classify the whole scene."""
        view, state = self._view, self._state
        listed = state.regions.listed
        try:
            require_classes([region.name for region in listed])
            regions = json.dumps(state.regions.as_json())
            now = self.teaching
            taught = teach(
                view.session.recipe,
                state.root_step,
                regions,
                now.teacher,
                held_out=now.held_out,
                segment_size=now.segment_size,
            )
        except CoterieError as error:
            view.say(in_words(error))
            return
        if taught.recipe != view.session.recipe:
            view.session.edits.replace(taught.recipe, f"learn by {now.teacher.title.lower()}")
        self._classifier, self.place = taught.classifier, None
        view.show_step(taught.classes)
        folder = map_folder(view.session, usual_folder())
        title = state.ground.title if state.ground is not None else "scene"
        own = state.made.path if state.made is not None else None
        self._target = free_target(folder, title, self._target or own)
        view.whole.label(taught.classifier, self._target)

    def _on_changed(self, changes: dict[str, Any]) -> None:
        view = self._view
        view.session.view[KEPT] = self.teaching.changed(**changes).as_json()
        view.session.project.modified = True
        self.show()

    # Where it is uncertain

    def _doubts(self) -> Path | None:
        made = self._state.made
        if made is None or not made.complete:
            return None
        path = uncertainty_path(made.path)
        return path if path.is_file() else None

    def show_next(self) -> None:
        """Go to the next most uncertain place."""
        path = self._doubts()
        if path is None:
            return
        mark = (path, path.stat().st_mtime_ns)
        if self._looked_at == mark:
            self._go()
        else:
            self._searching.ask(
                lambda: (mark, rasters.most_uncertain(path, PLACES)),
                self._on_found,
                self._on_failed,
            )

    def _on_found(self, found: tuple[object, list[tuple[int, int]]]) -> None:
        self._looked_at, self._places = found
        self._go()

    def _on_failed(self, error: BaseException) -> None:
        self._view.say(in_words(error))

    def _go(self) -> None:
        ground = self._state.ground
        if ground is None:
            return
        drawn = [region.in_pixels(ground) for region in self._state.regions.listed]
        while self._places:
            row, column = self._places.pop(0)
            if not any(_holds(corners, row, column) for corners in drawn):
                self.place = row, column
                self._view.map.look_at(row, column, SEEN)
                self.show()
                return
        self.place, self._looked_at = None, None
        self._view.say("All uncertain places were shown. Classify again to find others.")
        self.show()

    def label_place(self) -> None:
        """Say that the place shown belongs to the class that is drawn, and go to the next."""
        ground, name = self._state.ground, self._view.teach.class_name
        if self.place is None or ground is None or not name:
            return
        corners = square_around(*self.place, ground.height, ground.width)
        regions = self._state.regions.added(name, np.array(corners), ground)
        self._state.keep_regions(regions, f"label {name}")
        self._view.refresh()
        self._go()


def _holds(corners: Array, row: int, column: int) -> bool:
    from coterie.gui.views.shown_items.geometry import in_lasso

    return bool(in_lasso(np.array([column + 0.5]), np.array([row + 0.5]), corners)[0])
