"""Has a map checked by eye: draws places, shows each, keeps the answers in the project."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QObject

from coterie.core.errors import CoterieError, in_words
from coterie.core.formats.maps.assessment import write_places
from coterie.core.model.arrays import Ints
from coterie.gui.toolkit.background import Aside
from coterie.gui.toolkit.file_dialogs import ask_target
from coterie.gui.views.map.assessing.dialog import SIDES, AssessDialog
from coterie.gui.views.map.assessing.state import KEPT, Assessment, counted, draw
from coterie.gui.views.map.surroundings import SurroundingPicture, pixmap_of, surroundings_of

if TYPE_CHECKING:
    from coterie.gui.views.map.labelling.state import Made
    from coterie.gui.views.map.layers.class_sources import Codes
    from coterie.gui.views.map.view import MapView

REACHES = (12, 100)  # pixels to each side of a place: near, and from afar


class AssessDesk(QObject):
    """Opens the dialog for the map that is shown."""

    def __init__(self, view: MapView) -> None:
        super().__init__(view)
        self._counting, self._drawing, self._looking = Aside(self), Aside(self), Aside(self)
        self._dialog: AssessDialog | None = None
        self._pixels: Ints | None = None
        self.assessment: Assessment | None = None

    @property
    def _view(self) -> MapView:
        # By Qt's half: the two holding each other would keep both, and what they show.
        return cast("MapView", self.parent())

    def why_not(self) -> str:
        """Return a sentence when there is no map to check, else nothing."""
        made = self._view.state.made
        if made is None or not made.complete:
            return "Classify the scene first."
        return ""

    def open(self) -> AssessDialog | None:
        """Open the dialog, or bring it to the front; it goes on where it was left."""
        if self._dialog is not None:  # two would answer for the same places
            self._dialog.raise_()
            self._dialog.activateWindow()
            return self._dialog
        view = self._view
        made, codes = view.state.made, view.state.map_codes()
        if made is None or codes is None or not made.complete:
            return None
        dialog = AssessDialog(f"Check {made.path.name} by eye", view)
        self._dialog = dialog
        dialog.drawn.connect(lambda wanted: self._draw(made, codes, wanted))
        dialog.answered.connect(self._on_answer)
        dialog.place_asked.connect(self._show_place)
        dialog.save_asked.connect(self._on_save)
        dialog.destroyed.connect(self._on_closed)
        self.assessment = Assessment.kept_in(view.session.view, made)
        self._counting.ask(lambda: counted(made, codes), self._on_counted, self._on_failed)
        if self.assessment is not None:
            dialog.show_assessment(self.assessment)
        dialog.show()
        return dialog

    def _on_counted(self, pixels: Ints) -> None:
        self._pixels = pixels
        made = self._view.state.made
        if self._dialog is not None and made is not None:
            self._dialog.show_map(made.names[:-1], pixels)

    def _draw(self, made: Made, codes: Codes, wanted: Ints) -> None:
        pixels = self._pixels
        seed = 0 if self.assessment is None else self.assessment.seed + 1
        if pixels is not None:
            work = lambda: draw(made, codes, pixels, wanted, seed)  # noqa: E731
            self._drawing.ask(work, self._on_drawn, self._on_failed)

    def _on_drawn(self, found: Assessment) -> None:
        self._keep(found)
        if self._dialog is not None:
            self._dialog.say("")
            self._dialog.at = -1
            self._dialog.show_assessment(found)

    def _on_answer(self, at: int, answer: str) -> None:
        if self.assessment is None or self._dialog is None:
            return
        self._keep(self.assessment.with_answer(at, answer))
        self._dialog.show_assessment(self.assessment)

    def _keep(self, assessment: Assessment) -> None:
        self.assessment = assessment
        session = self._view.session
        session.view[KEPT] = assessment.beside_others(session.view)
        session.project.modified = True

    def _show_place(self, at: int) -> None:
        state, found = self._view.state, self.assessment
        ground, prepared, look = state.ground, state.prepared, state.look
        if found is None or ground is None or prepared is None:
            return
        place = found.places[at]
        wanted = [(place.row, place.column, reach) for reach in REACHES]
        self._looking.ask(
            lambda: surroundings_of(ground, prepared, look, wanted), self._on_seen, self._on_failed
        )

    def _on_seen(self, pictures: list[SurroundingPicture]) -> None:
        if self._dialog is not None:
            scale = self._dialog.devicePixelRatioF()
            near, far = (
                pixmap_of(picture, side, scale)
                for picture, side in zip(pictures, SIDES, strict=True)
            )
            self._dialog.show_pictures(near, far)

    def _on_save(self) -> None:
        found, ground = self.assessment, self._view.state.ground
        if self._dialog is None or found is None or ground is None:
            return
        asked = ask_target(self._dialog, "Save places", "places.csv", "CSV (*.csv)")
        if asked is not None:
            try:
                write_places(asked[0], found.places, found.names, ground.transform)
            except (OSError, CoterieError) as error:
                self._dialog.say(in_words(error))

    def _on_closed(self, _: Any = None) -> None:
        self._dialog = None

    def _on_failed(self, error: BaseException) -> None:
        if self._dialog is not None:
            self._dialog.say(in_words(error))
