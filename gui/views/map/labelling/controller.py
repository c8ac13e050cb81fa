"""Labelling every pixel of a scene from the window, and measuring the accuracy of the map."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMainWindow

from coterie.core.errors import CoterieError, in_words
from coterie.core.formats.rasters.windows import Window
from coterie.core.model.arrays import Array
from coterie.core.wording import counted
from coterie.gui.dialogs.cross_validation.state import Written
from coterie.gui.toolkit.background import Aside
from coterie.gui.toolkit.connect import listen
from coterie.gui.toolkit.file_dialogs import ask_target, usual_folder
from coterie.gui.views.map.accuracy.ground_truth import STANDING, TAKING, ReferenceClasses
from coterie.gui.views.map.accuracy.state import items_of_cell, save_errors
from coterie.gui.views.map.assessing.controller import AssessDesk
from coterie.gui.views.map.labelling.run import Plan
from coterie.gui.views.map.labelling.state import (
    BEGUN,
    Made,
    begun_in,
    classes_of,
    made_of,
    map_folder,
    request_for,
    source_of,
)

if TYPE_CHECKING:
    from coterie.gui.views.map.accuracy.dialog import AccuracyDialog
    from coterie.gui.views.map.view import MapView
    from coterie.projects.jobs.classify_scene import MapRequest


class WholeScene(QObject):
    """Asks, has the engine work, shows the map as it grows, and compares it with the known
    classes."""

    said_of_cell = Signal(str)  # to the error matrix, which may have been closed by then

    def __init__(self, view: MapView) -> None:
        super().__init__(view)
        self._state, self.run = view.state, view.run
        self._asked_for_accuracy = False
        self._opened = True  # a project of whose unfinished map nobody was asked yet
        self._waiting: tuple[str, Path] | None = None
        self._asked_to_cross_validate = False
        self.assessing = AssessDesk(view)
        self._selecting = Aside(self)
        view.bar.label_asked.connect(self.ask)
        view.bar.accuracy_asked.connect(self.ask_accuracy)
        view.work.judged.connect(self._on_judged)
        view.work.written.connect(self._on_written)
        view.work.errors_written.connect(self._on_errors_written)
        view.layers.errors_asked.connect(self.ask_errors)
        view.strip.cancel_asked.connect(self.run.cancel)
        view.strip.resume_asked.connect(self.run.resume)
        view.strip.dismissed.connect(self._on_dismissed)
        listen(self, view.session.project.opened, self._on_opened)
        self.run.changed.connect(self._on_run)
        self.run.tile_done.connect(self._on_tile)

    @property
    def _view(self) -> MapView:
        # By Qt's half: the two holding each other would keep both, and what they show.
        return cast("MapView", self.parent())

    def ask(self) -> None:
        """Ask how and where to, then label the whole scene."""
        from coterie.gui.views.map.labelling.dialog import LabellingDialog

        folder = map_folder(self._view.session, usual_folder())
        dialog = LabellingDialog(self._view.session, self._state, folder, self._view)
        dialog.asked.connect(self.label)
        dialog.open()

    def label(self, step: str, target: Path) -> None:
        """Label the whole scene by a classifier step, adding one when `step` is empty."""
        self._view.say("")
        try:
            step = step or self.run.ensure_classifier()
        except CoterieError as error:
            self._view.say(in_words(error))
            return
        self._waiting = (step, target)
        self._note_begun(step, target)
        root = self._state.root
        if root is not None and not root.on_disk:
            self._view.work.write_picture(root)  # and then goes on
        else:
            self._begin(None)

    def look_for_begun(self) -> None:
        """Offer to resume a map that an opened project began."""
        if not self._opened or self.run.going_on:
            return
        self._opened = False
        found = begun_in(self._view.session)
        if found is not None and self.run.phase == "idle":
            step, target = found
            self.run.offer(step, self._plan(step, target, None))

    def _on_opened(self) -> None:
        """Know of no run of the project before, even one whose classifier is still learning."""
        self._opened, self._waiting = True, None
        self.run.forget()

    def _note_begun(self, step: str, target: Path | None) -> None:
        """Have the project know of a map that is being made; None: of none any more."""
        session = self._view.session
        if target is not None and self._state.root is not None and self._state.root.on_disk:
            session.view[BEGUN] = {"step": step, "path": str(target)}
            session.project.modified = True
        elif session.view.pop(BEGUN, None) is not None:
            session.project.modified = True

    def _begin(self, written: tuple[Path, Path | None] | None) -> None:
        """Begin, now that the scene is a file; `written` is what a picture was written to."""
        if self._waiting is None:
            return
        (step, target), self._waiting = self._waiting, None
        self.run.begin(step, self._plan(step, target, written))

    def _plan(self, step: str, target: Path, written: tuple[Path, Path | None] | None) -> Plan:
        """What to ask for, known once the classifier has learnt."""

        def plan() -> tuple[MapRequest, Made | None]:
            self._state.update()
            session, known = self._view.session, self._state.known
            classes = classes_of(session, step)
            own = written is not None or source_of(session, step).name == self._state.root_step
            meant = known.meant if own and (written or known.merged) else ""
            request = request_for(session, step, target, classes, written, meant)
            return request, made_of(request, classes)

        return plan

    def _on_run(self) -> None:
        made = self.run.made
        if made is not None and made is not self._state.made and self.run.phase != "idle":
            self._state.keep_map(made)
            if made.complete:
                self._note_begun("", None)
            if made.complete and not self.why_not_judge():
                self._judge()
        self._view.strip.show_run(self.run)
        self._view.refresh()

    def _on_dismissed(self) -> None:
        if self.run.phase == "stopped":  # nobody wants it any more
            self._note_begun("", None)
        self.run.dismiss()

    def _on_tile(self, window: Window) -> None:
        self._view.map.outdate("map", window)
        self._view.refresh()

    # Judging

    def why_not_judge(self) -> str:
        """Return a sentence when there is nothing to compare with the truth, else nothing."""
        if self._state.truth_codes() is None:
            return "The pixels have no known classes. Open the scene with a mask."
        if self._state.judged() is None:
            return "Classify the scene first."
        return ""

    def why_not_accuracy(self) -> str:
        """Return a sentence when the map can neither be compared nor checked by eye."""
        return self.why_not_judge() and self.assessing.why_not()

    def ask_accuracy(self) -> None:
        """Show how well the map agrees with what is known, or have it checked by eye."""
        if self.why_not_judge():
            self.assessing.open()
            return
        self._asked_for_accuracy = True
        self._judge()

    def _judge(self) -> None:
        judged, known = self._state.judged(), self._state.known
        if judged is not None and known.raw is not None:
            self._view.work.judge(judged[0], known.raw, judged[1], known.given)

    def _on_judged(self, counted: Any) -> None:
        self._state.counted = counted
        self._view.refresh()
        if self._asked_for_accuracy:
            self._asked_for_accuracy = False
            from coterie.gui.views.map.accuracy.dialog import AccuracyDialog

            named = self._state.made.path.name if self._state.made is not None else "The groups"
            title = f"{named} compared with the known classes"
            dialog = AccuracyDialog(counted, self._state.known, title, self._view)
            dialog.chosen.connect(lambda known, what: self._take_known(dialog, known, what))
            dialog.undo_asked.connect(lambda: self._undo(dialog))
            dialog.redo_asked.connect(lambda: self._redo(dialog))
            dialog.cross_validation_asked.connect(dialog.accept)
            dialog.cross_validation_asked.connect(self.ask_cross_validation)
            dialog.errors_asked.connect(self.ask_errors)
            dialog.cell_asked.connect(self._select_cell)
            self.said_of_cell.connect(dialog.say)
            dialog.eye.setEnabled(not self.assessing.why_not())
            dialog.eye_asked.connect(dialog.accept)
            dialog.eye_asked.connect(self.assessing.open)
            dialog.open()

    def _take_known(self, dialog: AccuracyDialog, known: ReferenceClasses, what: str) -> None:
        self._state.keep_known(known, what)
        self._show_verdict(dialog)

    def _undo(self, dialog: AccuracyDialog) -> None:
        """Take back what was done there; what was done before it is the window's to undo."""
        if self._view.session.edits.can_undo in (STANDING, TAKING):
            self._view.session.edits.undo()
            self._show_verdict(dialog)

    def _redo(self, dialog: AccuracyDialog) -> None:
        if self._view.session.edits.can_redo in (STANDING, TAKING):
            self._view.session.edits.redo()
            self._show_verdict(dialog)

    def _show_verdict(self, dialog: AccuracyDialog) -> None:
        self._state.update()
        if self._state.verdict is not None:
            dialog.show_choices(self._state.known, self._state.verdict)
        self._view.refresh()

    # Where it is wrong

    def _select_cell(self, says: int, true: int) -> None:
        """Select the items that a cell of the error matrix counts."""
        state = self._state
        judged, known, verdict = state.judged(), state.truth_codes(), state.verdict
        if judged is None or known is None or verdict is None or not state.n:
            self.said_of_cell.emit(
                "There is no sample of pixels to select from. Show the groups on the map."
            )
            return
        made, rows, columns = judged[0], state.rows, state.columns

        def select(found: Array) -> None:
            count = int(found.sum())
            if len(found) != state.n:
                return
            if count:  # an empty cell leaves what is selected as it is
                self._view.select(found, Qt.KeyboardModifier.NoModifier)
            names = verdict.truths[says], verdict.truths[true]
            where = f"on the map as {names[0]} and truly {names[1]}"
            self.said_of_cell.emit(
                f"{counted(count, 'sampled pixel')} {where} selected. “Move…” under Classes puts "
                "them into another group."
                if count
                else f"No sampled pixel is {where}; the layer Errors shows where others are."
            )

        self._selecting.ask(
            lambda: items_of_cell(made, known, verdict, (says, true), rows, columns),
            select,
            lambda error: self.said_of_cell.emit(in_words(error)),
        )

    def ask_errors(self) -> None:
        """Ask for a file and write where the map is wrong to it, as the layer shows it."""
        of = self._state.error_of
        name = f"errors-{self._state.truth_names()[of]}.tif" if of >= 0 else "errors.tif"
        asked = ask_target(self._view, "Save errors", name, "GeoTIFF (*.tif *.tiff)")
        if asked is not None:
            self.save_errors(asked[0])

    def save_errors(self, target: Path) -> None:
        """Write where the map is wrong as a GeoTIFF."""
        state = self._state
        judged, known, ground = state.judged(), state.truth_codes(), state.ground
        verdict, of = state.verdict, state.error_of
        if judged is None or known is None or ground is None or verdict is None:
            return
        made = judged[0]
        self._view.say("")
        self._view.work.write_errors(
            target, lambda path: save_errors(path, ground, made, known, verdict, of)
        )

    def _on_errors_written(self, target: Path) -> None:
        window = self._view.window()
        if isinstance(window, QMainWindow):
            window.statusBar().showMessage(f"Wrote {target.name}.", 5000)

    # Other samples

    def ask_cross_validation(self) -> None:
        """Open the window of repetitions; a picture in memory is written as a scene first."""
        root = self._state.root
        if root is not None and not root.on_disk:
            self._asked_to_cross_validate = True
            self._view.work.write_picture(root)
        else:
            self._open_cross_validation(None)

    def _on_written(self, written: tuple[Path, Path | None]) -> None:
        if self._asked_to_cross_validate:
            self._asked_to_cross_validate = False
            self._open_cross_validation(Written(*written, self._state.known.meant))
        else:
            self._begin(written)

    def _open_cross_validation(self, written: Written | None) -> None:
        from coterie.gui.dialogs.cross_validation.dialog import CrossValidationDialog

        known = self._state.known
        meant = known.meant if known.merged else ""
        CrossValidationDialog(self._view.session, written, self._view, meant=meant).show()
