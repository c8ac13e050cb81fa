"""The groups of a map: what each is like, and dividing, merging and correcting them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QInputDialog

from coterie.core.errors import in_words
from coterie.core.model.arrays import Array, Floats, Ints, is_sparse
from coterie.core.numerics.assessing.separability import (
    OVERLAPPING,
    SEPARATE,
    nearest_of,
    separability,
)
from coterie.gui.toolkit.background import Aside
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.map.classes.panel import EXAMPLES, SIDE
from coterie.gui.views.map.classes.state import KEPT
from coterie.gui.views.map.labelling.state import why_outdated
from coterie.gui.views.map.spectra import PixelSpectrum, of_items
from coterie.gui.views.map.surroundings import SurroundingPicture, pixmap_of, surroundings_of
from coterie.gui.views.shown_items.group_editing import GroupEditing
from coterie.gui.views.shown_items.group_menu import GroupMenu

if TYPE_CHECKING:
    from coterie.gui.views.map.view import MapView

REACH = 10  # pixels to each side of an example
MOST_COMPARED = 20_000  # items by which groups are compared


@dataclass(frozen=True, eq=False)
class Compared:
    """Which groups of which items were compared, and how far they are apart when that is known."""

    labels: Ints
    features: Any
    distances: Floats | None = None


class ClassDesk(QObject):
    """Fills the panel of classes, and does what is asked there.

    Attributes
    ----------
    spectra : the mean spectra of the chosen groups
    """

    def __init__(self, view: MapView) -> None:
        super().__init__(view)
        self.spectra: list[PixelSpectrum] = []
        self._comparing, self._looking = Aside(self), Aside(self)
        self._compared: Compared | None = None
        self._examples: list[int] = []
        panel = view.classes
        panel.changed.connect(self._on_changed)
        panel.groups_chosen.connect(self._on_chosen)
        panel.split_asked.connect(self._split)
        panel.move_asked.connect(self._ask_move)
        panel.example_asked.connect(self._on_example)

    @property
    def _view(self) -> MapView:
        # By Qt's half: the two holding each other would keep both, and what they show.
        return cast("MapView", self.parent())

    def show(self, *, dark: bool) -> None:
        """Bring the panel up to date."""
        view, state = self._view, self._view.state
        found = state.shown.clustering
        editing = self._editing()
        view.classes.show_classes(
            state.classes,
            None if found is None else found.labels,
            dark=dark,
            outdated=why_outdated(state.made, state.classes),
            can_split=editing is not None and editing.can_split,
            selected=int(view.selected().sum()) if editing is not None else 0,
        )
        self._compare()
        self._show_chosen()

    # What a group is like

    def _on_chosen(self) -> None:
        self._show_chosen()
        self._view.pixels.show_spectra()
        self._look()

    def _show_chosen(self) -> None:
        view, state = self._view, self._view.state
        groups, found, data = view.classes.chosen(), state.shown.clustering, state.shown.dataset
        self.spectra = []
        if found is None or state.classes is None or not groups or groups[-1] >= found.k:
            view.classes.show_group("")
            return
        names, ground = state.classes.groups, state.ground
        bands = None if ground is None else ground.bands
        if data is not None and data.features is not None and data.n == found.n:
            spectra = (of_items(names[g], data.features, found.members(g)) for g in groups)
            # Of other features than the bands there is no spectrum.
            known = spectra if data.columns == bands else ()
            listed = state.classes.listed(dark=theme.current().dark)
            shades = {group: one.colour for one in listed for group in one.groups}
            self.spectra = [
                replace(spectrum, colour=shades[group])
                for group, spectrum in zip(groups, known, strict=False)
                if spectrum is not None
            ]
        if len(groups) == 1:
            if not view.classes.about.text():
                self._look()
            view.classes.about.setText(self._about(groups[0], names))
            view.classes.about.setVisible(True)
        else:
            view.classes.show_group("")

    def _about(self, group: int, names: tuple[str, ...]) -> str:
        matrix = None if self._compared is None else self._compared.distances
        near = None if matrix is None or group >= len(matrix) else nearest_of(matrix, group)
        if near is None:
            return names[group]
        other, apart = near
        how = "overlap" if apart < OVERLAPPING else "overlap a little"
        how = "are separate" if apart >= SEPARATE else how
        return (
            f"{names[group]} is most like {names[other]}: they {how} "
            f"(separability {apart:.2f} of 2)."
        )

    def _compare(self) -> None:
        """Work out how separate the groups are, once for each result."""
        found, data = self._view.state.shown.clustering, self._view.state.shown.dataset
        features: Any = None if data is None else data.features
        if found is None or features is None or is_sparse(features) or len(features) != found.n:
            self._compared = None
            return
        labels, before = np.asarray(found.labels), self._compared
        if (
            before is not None
            and before.features is features
            and np.array_equal(before.labels, labels)
        ):
            return
        asked = self._compared = Compared(labels, features)
        step = -(-found.n // MOST_COMPARED)

        def work() -> Floats:
            X = np.asarray(features[::step], dtype=np.float64)
            return separability(X, labels[::step], found.k)

        def done(matrix: Floats) -> None:
            if self._compared is asked:
                self._compared = replace(asked, distances=matrix)
                self._show_chosen()

        self._comparing.ask(work, done, lambda _: None)

    def _look(self) -> None:
        """Have pictures made of examples of the chosen group."""
        view, state = self._view, self._view.state
        groups, found = view.classes.chosen(), state.shown.clustering
        ground, prepared, look = state.ground, state.prepared, state.look
        view.classes.show_group(view.classes.about.text())
        if len(groups) != 1 or found is None or found.n != state.n or groups[0] >= found.k:
            return
        self._examples = examples_of(found.members(groups[0]), self._features())
        if ground is None or prepared is None:
            return
        places = [(int(state.rows[i]), int(state.columns[i]), REACH) for i in self._examples]
        self._looking.ask(
            lambda: surroundings_of(ground, prepared, look, places), self._on_seen, self._on_failed
        )

    def _features(self) -> Any:
        data = self._view.state.shown.dataset
        features: Any = None if data is None else data.features
        return None if features is None or is_sparse(features) else features

    def _on_seen(self, pictures: list[SurroundingPicture]) -> None:
        scale = self._view.devicePixelRatioF()
        self._view.classes.show_examples([pixmap_of(p, SIDE, scale) for p in pictures])

    def _on_example(self, at: int) -> None:
        state = self._view.state
        if at < len(self._examples) and self._examples[at] < state.n:
            item = self._examples[at]
            row, column = int(state.rows[item]), int(state.columns[item])
            self._view.map.look_at(row, column, 6 * REACH)

    # What is done to them

    def _editing(self) -> GroupEditing | None:
        shown = self._view.state.shown
        if shown.clustering is None or not shown.clustering_step:
            return None
        return GroupEditing(self._view.session, shown.clustering_step, shown.clustering)

    def _on_changed(self, what: str) -> None:
        state = self._view.state
        state.keep_classes(what)
        state.counted = None if state.made is None else state.counted
        self._view.refresh()

    def _split(self, group: int) -> None:
        editing = self._editing()
        if editing is not None:
            GroupMenu(
                editing, group, self._view, edited=self._on_edited, failed=self._view.say
            ).split()

    def _ask_move(self) -> None:
        state, editing = self._view.state, self._editing()
        if editing is None or state.classes is None or not self._view.selected().any():
            return
        listed = distinct(state.classes.groups)
        count = int(self._view.selected().sum())
        name, given = QInputDialog.getItem(
            self._view, "Move pixels", f"Move {count:,} selected pixels to:", listed, 0, False
        )
        if given:
            self.move_selected(listed.index(name))

    def move_selected(self, group: int) -> None:
        """Move the selected items into a group."""
        editing = self._editing()
        if editing is None:
            return
        try:
            self._on_edited(
                editing.move_items(np.flatnonzero(self._view.selected()).tolist(), group)
            )
        except Exception as error:
            self._on_failed(error)

    def _on_edited(self, step: str) -> None:
        """Show the step that has the groups now; the classes of the groups stay."""
        session, before = self._view.session, self._view.state.shown.clustering_step
        kept = session.view.get(KEPT)
        if isinstance(kept, dict) and before in kept and step != before:
            session.view[KEPT] = {**kept, step: kept[before]}
        self._view.show_step(step)

    def _on_failed(self, error: BaseException) -> None:
        self._view.say(in_words(error))


def distinct(names: tuple[str, ...]) -> list[str]:
    """Return names to choose among: those of several groups with the group's number.

    >>> distinct(["cloud", "land", "cloud"])
    ['cloud (group 1)', 'land', 'cloud (group 3)']
    """
    return [
        name if names.count(name) == 1 else f"{name} (group {number})"
        for number, name in enumerate(names, 1)
    ]


def examples_of(members: Ints, features: Any, count: int = EXAMPLES) -> list[int]:
    """Return some items of a group, from the most typical to the least.

    >>> examples_of(np.array([1, 2, 3, 5]), np.array([[9.0], [0], [1], [2], [9], [7]]), 2)
    [3, 5]
    """
    if len(members) <= 1 or features is None:
        return [int(item) for item in members[:count]]
    rows: Array = np.asarray(features[members], dtype=np.float64)
    spread = rows.std(axis=0)
    away = (((rows - rows.mean(axis=0)) / np.where(spread > 0, spread, 1)) ** 2).sum(axis=1)
    order = members[np.argsort(away, kind="stable")]
    at = np.unique(np.linspace(0, len(order) - 1, count).astype(int))
    return [int(order[i]) for i in at]
