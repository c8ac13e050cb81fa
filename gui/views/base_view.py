"""What all views share: one session, a first build when seen, an empty state, export, the look."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStackedLayout,
    QWidget,
)

from coterie.gui.toolkit.connect import listen
from coterie.gui.toolkit.file_dialogs import ask_target
from coterie.gui.toolkit.redraw_queue import soon
from coterie.gui.toolkit.stacked import stacked
from coterie.gui.toolkit.styling.icons import icon
from coterie.gui.views.shown_items.displayed import gives_any, opened, why_outdated

if TYPE_CHECKING:
    from coterie.gui.views.shown_items.group_editing import GroupEditing
    from coterie.gui.views.shown_items.group_menu import GroupMenu
    from coterie.projects.session import Session

_IDLE_MILLISECONDS = 150
_ON_DISK = (
    "The pixels of this scene stay on disk. Add a Sample step and run it to see pixels "
    "here. The Map shows the scene itself."
)


class View(QWidget):
    """A tab at the centre of the window.

    A view makes its widgets when it first has something to show and is seen, so tabs nobody
    looks at cost nothing at start. News only mark it as out of date; it redraws from its state
    soon after, once for any number of them, and not at all while it is hidden.
    """

    # What the window is to do: "step" (show it everywhere), "view", "export", "compare" or "find";
    # and with which step, view or kind of method.
    asked = Signal(str, str)

    title: ClassVar[str] = ""
    has_table: ClassVar[bool] = False  # whether what it shows can be written as a table
    # Its tab is hidden until the recipe has a step that gives one of these types; empty: never.
    draws_types: ClassVar[tuple[str, ...]] = ()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.built = False
        self._building: Generator[None, None, QWidget] | None = None
        self.setAccessibleName(self.title)
        self._outdated = True
        self._empty = QLabel(alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True)
        self._empty.setProperty("role", "muted")
        self._empty.setMargin(32)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._empty)
        self.listen(session.recipe_changed, self._on_project_changed)
        self.listen(session.step_changed, self._on_step_changed)

    # What a view implements

    def update_state(self) -> None:
        """Look again at what the session has, as the project changed."""

    def may_fill(self) -> bool:
        """Return whether the project has, or will have, anything for this view to show."""
        return not self.draws_types or gives_any(self.session, self.draws_types)

    def emptiness(self) -> str:
        """Return a sentence on what to do when there is nothing to show, else nothing."""
        return ""

    def drawn_steps(self) -> Iterable[str]:
        """Return the steps whose results are seen; of those out of date the view says so.

        Views with a banner of their own return none.
        """
        return ()

    def expects_content(self) -> bool:
        """Return whether an empty view is likely to fill at a moment when time is precious."""
        return False

    def worth_preparing(self) -> bool:
        """Return whether its widgets should be made before anybody looks at it."""
        return True

    def build(self) -> QWidget:
        """Make the widgets. Called once, when there is something to show."""
        raise NotImplementedError

    def build_in_parts(self) -> Generator[None, None, QWidget]:
        """Make the widgets, with a `yield` where the event loop may have a turn before the rest.

        For views with many plots, each of which takes some 10 ms to make, instead of `build`.
        """
        yield from ()
        return self.build()

    def restyle(self) -> None:
        """Take the colours of the theme again. Called only after `build`."""

    def draw(self) -> None:
        """Redraw from the state. Called only after `build`."""

    def draw_rest(self) -> None:
        """Redraw what `draw` left, which news draw in a turn of its own: together they pause."""

    def show_step(self, name: str) -> None:
        """Show what the person chose in the project tree, as far as it concerns this view."""

    def export_picture(self, path: Path) -> None:
        """Write what is seen to a file, PNG or SVG by its ending."""
        raise NotImplementedError

    def export_table(self, path: Path) -> None:
        """Write what is shown as a table, CSV. Only for views that have one."""
        raise NotImplementedError

    # What the window and the views call

    def refresh(self) -> None:
        """Redraw within a frame; when hidden, as soon as the view is shown."""
        soon(self._on_time_to_redraw)

    def synchronize(self) -> None:
        """Redraw from the session now."""
        if self._draw_first():
            self.draw_rest()

    def _draw_first(self) -> bool:
        """Redraw up to what may wait for another turn; return whether there is such."""
        if self._outdated:
            self._outdated = False
            self.update_state()
        sentence = self.emptiness()
        if sentence:
            if sentence.startswith("Open a file") and self._has_scene():
                sentence = _ON_DISK
            self._empty.setText(sentence)
            self._pages.setCurrentIndex(0)
            if self.expects_content() and not self.built:
                QTimer.singleShot(_IDLE_MILLISECONDS, self, self._go_on_building)
            return False
        self._ensure_built()
        self._pages.setCurrentIndex(1)
        self.draw()
        self._show_outdated()
        return True

    def prepare(self) -> None:
        """Make a part of the widgets ahead of time, so the first picture need not wait."""
        if self.built:
            return
        self._building = self._building or self.build_in_parts()
        try:
            next(self._building)
        except StopIteration as made:
            self._pages.addWidget(self._with_banner(made.value))
            self._building, self.built = None, True
            self.restyle()

    @property
    def empty(self) -> bool:
        """Whether the view shows its sentence instead of content."""
        return self._pages.currentIndex() == 0

    def outdate(self) -> None:
        """Look at the session again before the next redraw, which is soon."""
        self._outdated = True
        self.refresh()

    def claim_selection(self, n: int) -> None:
        """Make the shared selection one among the n items that this view shows."""
        if self.session.selection.n != n:
            self.session.selection.set_size(n)

    def listen(self, signal: Any, method: Callable[..., Any]) -> None:
        """Call `method`, one of this view, at each `signal` of the session, while the view lives.

        The session outlives its views, and Python's half of a widget may outlive Qt's.
        """
        listen(self, signal, method)

    def group_menu(self, editing: GroupEditing | None, group: int) -> GroupMenu | None:
        """Return the menu of a group, to which a view may have added; None where there is none."""
        if editing is None or not 0 <= group < editing.groups.k:
            return None
        menu = self.bare_group_menu(editing, group)
        menu.add_edits()
        return menu

    def bare_group_menu(self, editing: GroupEditing, group: int) -> GroupMenu:
        """Return the menu of a group with nothing in it yet."""
        from coterie.gui.views.shown_items.group_menu import GroupMenu

        return GroupMenu(
            editing,
            group,
            self,
            edited=lambda step: self.asked.emit("step", step),
            failed=self.session.logged.emit,
        )

    def save_button(
        self,
        save: Callable[[], object] | None = None,
        tip: str = "Save the picture as PNG or SVG",
        name: str = "Save picture",
    ) -> QPushButton:
        """Return the button at the top right that saves what is seen."""
        button = QPushButton(icon("download"), "")
        button.setToolTip(tip)
        button.setAccessibleName(name)
        button.setProperty("role", "quiet")
        button.clicked.connect(save or self.ask_and_export)
        return button

    def ask_and_export(self) -> None:
        """Ask for a file and write the picture to it."""
        name, kinds = f"{self.title.lower()}.png", "PNG (*.png);;SVG (*.svg)"
        if (asked := ask_target(self, "Save picture", name, kinds)) is not None:
            self.export_picture(asked[0])

    # Qt and the session

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._draw_first():
            soon(self._on_time_for_rest, within=0.0)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.built:
            self.restyle()
            self.refresh()

    def _has_scene(self) -> bool:
        """Whether a scene is open, whose pixels are no items before some of them are sampled."""
        data = opened(self.session)
        return data is not None and data.on_disk

    def _show_outdated(self) -> None:
        names, status = self.session.recipe.names, self.session.status
        drawn = [step for step in dict.fromkeys(self.drawn_steps()) if step in names]
        said = why_outdated(step for step in drawn if status(step) == "stale")
        self._outdated_label.setText(said)
        self._outdated_banner.setVisible(bool(said))

    def _with_banner(self, content: QWidget) -> QWidget:
        self._outdated_label = QLabel(wordWrap=True)
        self._outdated_banner = QFrame()
        self._outdated_banner.setProperty("role", "banner")
        inside = QHBoxLayout(self._outdated_banner)
        inside.setContentsMargins(12, 6, 12, 6)
        inside.addWidget(self._outdated_label)
        self._outdated_banner.hide()
        return stacked(self._outdated_banner, content, grows=content)

    def _go_on_building(self) -> None:
        self.prepare()
        if not self.built:
            QTimer.singleShot(0, self, self._go_on_building)

    def _ensure_built(self) -> None:
        while not self.built:
            self.prepare()

    def _on_time_to_redraw(self) -> None:
        if self.isVisible() and self._draw_first():
            soon(self._on_time_for_rest, within=0.0)

    def _on_time_for_rest(self) -> None:
        if self.isVisible() and not self.empty:
            self.draw_rest()

    def _on_project_changed(self) -> None:
        self.outdate()

    def _on_step_changed(self, _name: str) -> None:
        self.outdate()
