"""The Profile view: box plots of the features, group by group."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QWidget,
)

from coterie.core.errors import in_words
from coterie.gui.toolkit.background import Aside
from coterie.gui.toolkit.stacked import stacked
from coterie.gui.views.base_view import View
from coterie.gui.views.profile.state import ProfileState
from coterie.gui.views.shown_items.csv_export import write_csv

if TYPE_CHECKING:
    from coterie.gui.views.profile.box_plots import BoxPlots
    from coterie.projects.session import Session


class ProfileView(View):
    """What sets each group off: the most telling features first."""

    title = "Profile"
    draws_types = ("clustering",)
    has_table = True

    plots: BoxPlots
    _headline: QLabel

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.state = ProfileState(session)
        self._aside = Aside(self)

    def show_step(self, name: str) -> None:
        self.state.chosen = name
        self.outdate()

    def update_state(self) -> None:
        self.state.update()
        self._aside.work_out(self.state.pending, self.refresh, self._on_no_profile)

    def emptiness(self) -> str:
        return self.state.empty

    def drawn_steps(self) -> Iterable[str]:
        return (self.state.shown.clustering_step,)

    def build(self) -> QWidget:
        from coterie.gui.views.profile.box_plots import BoxPlots

        self._headline = QLabel(wordWrap=True)
        top = QHBoxLayout()
        top.setContentsMargins(12, 6, 8, 6)
        top.addWidget(self._headline, 1)
        top.addWidget(self.save_button())
        self.plots = BoxPlots("Box plots of the features in each group")
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setAccessibleName("Features by group")
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(self.plots)
        return stacked(top, area, grows=area)

    def restyle(self) -> None:
        self.plots.update()

    def draw(self) -> None:
        self._headline.setText(self.state.sentence)
        self.plots.show_profile(self.state.profile)

    def export_picture(self, path: Path) -> None:
        from coterie.gui.toolkit.plots.widget_image import write_widget

        self._finish()
        if not self.empty:
            write_widget(self.plots, path)

    def export_table(self, path: Path) -> None:
        """Write what is shown as CSV."""
        self._finish()
        write_csv(path, self.state.table_rows())

    def _finish(self) -> None:
        self.state.update()
        self.state.pending.finish()
        self.synchronize()

    def _on_no_profile(self, error: BaseException) -> None:
        self.session.logged.emit(f"The features cannot be compared: {in_words(error)}")
