"""The docks and views around one session, and how they stay in step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QObject, QSettings, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QDialog, QDockWidget, QMainWindow, QTabBar, QWidget

from coterie.core.model.recipes import Step
from coterie.gui.dialogs.missing_files import LostFiles
from coterie.gui.panels.analysis import AnalysisPanel
from coterie.gui.panels.inspector import Inspector
from coterie.gui.panels.jobs import JobsPanel
from coterie.gui.panels.log import LogPanel
from coterie.gui.panels.project_tree import ProjectTree
from coterie.gui.panels.selections import SelectionPanel
from coterie.gui.toolkit.problems import Problem
from coterie.gui.views.all_views import VIEWS
from coterie.gui.views.compare.view import CompareView
from coterie.gui.views.convergence.view import ConvergenceView
from coterie.gui.views.map.view import MapView
from coterie.gui.views.methods.view import MethodsView
from coterie.gui.views.ranking.view import RankingView
from coterie.gui.views.summary.view import SummaryView
from coterie.projects.candidates import AUTOMATIC, with_automatic
from coterie.projects.recipe.inputs import is_scene
from coterie.projects.recipe.toml import is_sample

if TYPE_CHECKING:
    from coterie.gui.app.context import WindowContext
    from coterie.projects.jobs.job import EngineJob
    from coterie.projects.session import Session

_LEFT, _RIGHT = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
_BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea
_PLACES = {
    "Project": _LEFT,
    "Analysis": _LEFT,
    "Inspector": _RIGHT,
    "Selection": _RIGHT,
    "Jobs": _BOTTOM,
    "Log": _BOTTOM,
}
_STATE_VERSION = 2  # with the Selection panel


class Workbench(QObject):
    """Owns the docks for the life of the window, and fills them for each session."""

    export_asked = Signal(str, str)
    plugins_asked = Signal()
    finder_asked = Signal(str)
    help_asked = Signal(str)  # a method, "kind/id"

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.frame)
        self._context, self._frame, self.tabs = context, context.frame, context.tabs
        self.docks = {title: self._make_dock(title) for title in _PLACES}
        self._place_docks()
        # Qt leaves the old bar of tabs behind when a kept state is restored over tabs, and does
        # not show the new one when docks that are seen already are made to share tabs.
        self._kept = QSettings().value("window/docks")
        if not isinstance(self._kept, QByteArray):
            self._share_tabs()
        self._put_away: list[QDockWidget] | None = None  # what to show again; None: the first time
        self.shown = False
        self._dialogs: set[QDialog] = set()

    # Sessions

    def show_session(self, session: Session) -> None:
        """Fill the docks and tabs for a session."""
        self.session = session
        self.tree = ProjectTree(session)
        self.analysis = AnalysisPanel(session)
        self.inspector = Inspector(session)
        self.jobs = JobsPanel(session)
        self.log = LogPanel(session)
        self.selection = SelectionPanel(session)
        panels = (self.tree, self.analysis, self.inspector, self.selection, self.jobs, self.log)
        for dock, panel in zip(self.docks.values(), panels, strict=True):
            self._fill(dock, panel)
        self.tabs.show_views([view(session) for view in VIEWS])
        for view in self.tabs.views:
            view.asked.connect(self._on_asked)
        session.job_changed.connect(self._on_job_changed)
        self.tree.step_chosen.connect(self._on_tree_chosen)
        self.tree.run_asked.connect(self.analysis.run)
        self.tree.removal_asked.connect(self.analysis.remove)
        self.tree.export_asked.connect(self.export_asked)
        self.tree.find_asked.connect(self.find_file)
        self.tree.attach_asked.connect(self.attach_file)
        self.analysis.work.find_asked.connect(self.find_file)
        self.analysis.work.plugins_asked.connect(lambda _: self.plugins_asked.emit())
        self.lost = LostFiles(session, self.tree)
        self.lost.changed.connect(self.tree.show_lost)
        self.lost.changed.connect(self.analysis.show_lost)
        self.analysis.step_chosen.connect(self._on_card_chosen)
        self.analysis.failed_edit.connect(self._context.problems.add)
        self.analysis.compared.connect(self._compare)
        self.analysis.sweep_asked.connect(self.sweep)
        self.analysis.watch_asked.connect(self._watch)
        self.analysis.finder_asked.connect(lambda: self.finder_asked.emit(""))
        self.analysis.template_asked.connect(self.selection.make_by)
        self.analysis.work.help_asked.connect(self.help_asked)
        self.selection.step_made.connect(self._on_step_made)
        self.selection.run_asked.connect(self.analysis.run)
        self.jobs.cancel_asked.connect(lambda _number: session.cancel())
        session.project.opened.connect(self._on_opened)
        session.recipe_changed.connect(self.tabs.hide_empty)
        session.step_changed.connect(self.tabs.hide_empty)

    def clear(self) -> None:
        """Empty the docks and tabs, before the session closes."""
        for dialog in tuple(self._dialogs):
            dialog.close()  # while the session can still stop
        self.tabs.clear_views()
        for dock in self.docks.values():
            self._fill(dock, QWidget())

    # Where the docks are

    def show(self) -> None:
        """Show the docks where they were left."""
        if self.shown:
            return
        self.shown = True
        again = self._put_away
        for dock in self.docks.values() if again is None else again:
            dock.show()
        if again is not None:
            return
        if not isinstance(self._kept, QByteArray):
            self._size_docks()
        elif not self._frame.restoreState(self._kept, _STATE_VERSION):
            self.reset()
        QTimer.singleShot(0, self._frame, self._show_dock_tabs)

    def _show_dock_tabs(self) -> None:
        """Show the tabs of docks that share a place.

        Qt leaves them hidden until the window is resized when the docks were made and shown in one
        go, as they are when a sample is the first thing opened.
        """
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        for bar in self._frame.findChildren(QTabBar, options=direct):
            if self.shown and bar.count() > 1:
                bar.show()

    def hide(self) -> None:
        """Put the docks away, as on the start page."""
        if self.shown:
            self.remember()
            self._put_away = [dock for dock in self.docks.values() if not dock.isHidden()]
        self.shown = False
        for dock in self.docks.values():
            dock.hide()

    def remember(self) -> None:
        """Keep where the docks are for the next start."""
        if self.shown:
            QSettings().setValue("window/docks", self._frame.saveState(_STATE_VERSION))

    def reset(self) -> None:
        """Put the docks where they were on the first day."""
        QSettings().remove("window/docks")
        for dock in self.docks.values():
            dock.setFloating(False)
            dock.show()
        self._place_docks()
        self._share_tabs()
        self._size_docks()

    def _make_dock(self, title: str) -> QDockWidget:
        dock = _Dock(title, self._frame)
        dock.setObjectName(title)
        dock.hide()
        return dock

    def _place_docks(self) -> None:
        frame = self._frame
        corners = Qt.Corner.BottomLeftCorner, Qt.Corner.BottomRightCorner
        for corner, area in zip(corners, (_LEFT, _RIGHT), strict=True):
            frame.setCorner(corner, area)
        for title, dock in self.docks.items():
            frame.addDockWidget(_PLACES[title], dock)

    def _share_tabs(self) -> None:
        self._frame.tabifyDockWidget(self.docks["Jobs"], self.docks["Log"])
        self.docks["Jobs"].raise_()

    def _size_docks(self) -> None:
        docks, frame = self.docks, self._frame
        horizontal, vertical = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        frame.resizeDocks([docks["Analysis"], docks["Inspector"]], [368, 224], horizontal)
        height = frame.height()
        frame.resizeDocks(
            [docks["Project"], docks["Analysis"]],
            [height * 36 // 100, height * 64 // 100],
            vertical,
        )
        frame.resizeDocks(
            [docks["Inspector"], docks["Selection"]],
            [height * 60 // 100, height * 40 // 100],
            vertical,
        )
        frame.resizeDocks([docks["Jobs"]], [116], vertical)

    def _fill(self, dock: QDockWidget, widget: QWidget) -> None:
        old = dock.widget()
        dock.setWidget(widget)
        if old is not None:
            old.hide()
            old.deleteLater()

    # What cards and selections ask for

    def sweep(self, name: str) -> None:
        """Open the window of a sweep of a step."""
        from coterie.gui.dialogs.sweep.dialog import SweepDialog

        try:
            dialog = SweepDialog(self.session, name, self._frame)
        except Exception as error:
            self._context.problems.add(Problem.of_error(error, f"sweep '{name}'"))
            return
        dialog.adopted.connect(lambda step: self.analysis.reveal(step))
        dialog.finished.connect(lambda: self._dialogs.discard(dialog))
        self._dialogs.add(dialog)
        dialog.show()

    def find_file(self, step: str) -> None:
        """Open the dialog that finds the file which a step needs, where it is now."""
        from coterie.gui.dialogs.find_file import find_file

        dialog = find_file(self.session, step, self._frame)
        if dialog is not None:
            dialog.finished.connect(lambda: self._dialogs.discard(dialog))
            self._dialogs.add(dialog)

    def attach_file(self, name: str) -> None:
        """Ask whether a source's file is to be kept in the project, or leave it out again."""
        from coterie.gui.dialogs.attach_file import ask_to_attach

        if self.session.files.is_attached(name):
            self.session.files.detach(name)
        else:
            ask_to_attach(self.session, name, self._context)

    def mend(self, step: str, use: str) -> None:
        """Do what would help a failed step."""
        self.analysis.work.mend(step, use)

    def _compare(self, rows: str, columns: str) -> None:
        for view in self.tabs.views:
            if isinstance(view, CompareView):
                view.compare(rows, columns)
                self.tabs.bring_forward(view.title)

    def _on_asked(self, what: str, which: str) -> None:
        """Do what a view asks for."""
        if what == "step":
            self.analysis.synchronize()
            self.analysis.reveal(which, opened=False)
            self._on_card_chosen(which)
        elif what == "view":
            self.tabs.bring_forward(which)
        elif what == "export":
            self.export_asked.emit(which, "")
        elif what == "find":
            self.finder_asked.emit(which)
        elif what == "compare":
            self.compare_methods()
        elif what == "help":
            self.help_asked.emit(which)

    def add_method(self, use: str) -> None:
        """Add a method to what is compared, when that is in front, else to the recipe."""
        view = self.tabs.current_view()
        if isinstance(view, MethodsView) and not view.empty:
            view.add_method(use)
        else:
            self.analysis.add_step(use)

    def compare_methods(self) -> None:
        """Show the candidates of the automatic answer beside each other; find them if need be."""
        session = self.session
        try:
            recipe, name = with_automatic(session.recipe, session.catalogue)
            if recipe is not session.recipe:
                session.edits.replace(recipe, "compare methods")
            self.tabs.bring_forward(MethodsView.title)
            session.run(name)
        except Exception as error:
            self._context.problems.add(Problem.of_error(error, "compare methods"))

    def _watch(self, name: str) -> None:
        """Run a step that is up to date once more, and show how it goes."""
        self._on_card_chosen(name)
        for view in self.tabs.views:
            if isinstance(view, ConvergenceView):
                self.tabs.bring_forward(view.title)
                view.watch(name)

    def _on_job_changed(self, job: EngineJob) -> None:
        """Show dynamics while they go on, and read the answer first, when there is a new one."""
        names = self.session.recipe.names
        if job.state == "running" and job.done == 0 and self._is_to_be_watched(job.step):
            self.tabs.bring_forward(ConvergenceView.title)
        if job.state != "finished" or not job.step or job.step not in names:
            return
        step = self.session.recipe.find(job.step)
        compared = isinstance(self.tabs.current_view(), MethodsView)
        if getattr(step, "use", "") == AUTOMATIC and not compared:
            self.tabs.bring_forward(SummaryView.title)

    def _is_to_be_watched(self, name: str) -> bool:
        """Whether a step runs the dynamics that people come to see, on a sample just opened."""
        recipe = self.session.recipe
        part = recipe.find(name) if name in recipe.names else None
        return (
            isinstance(part, Step)
            and part.params.get("dynamics") == "replicator"
            and self.session.project.path is None
            and all(is_sample(source) for source in recipe.sources)
        )

    def _on_step_made(self, name: str) -> None:
        self.analysis.synchronize()
        self.analysis.reveal(name)
        self._on_card_chosen(name)
        if self.session.recipe.step(name).use.startswith("ranker/"):
            self.tabs.bring_forward(RankingView.title)  # who asks for an order wants to read it

    # Choosing

    def _on_opened(self) -> None:
        """Show a scene as a scene: there is nothing to see in the other views yet."""
        sources = self.session.recipe.sources
        if any(is_scene(source, self.session.catalogue) for source in sources):
            self.tabs.bring_forward(MapView.title)

    def _on_tree_chosen(self, name: str) -> None:
        self.analysis.reveal(name, opened=False)
        self.session.ask_for(name)  # one that is not stored is computed as it is looked at
        self._show_step(name)

    def _on_card_chosen(self, name: str) -> None:
        self.tree.choose(name)
        self._show_step(name)

    def _show_step(self, name: str) -> None:
        self.selection.show_step(name)
        self.inspector.show_step(name)
        for view in self.tabs.views:
            try:
                view.show_step(name)
            except Exception as error:
                self._context.problems.add(Problem.of_error(error, f"show '{name}'"))


class _Dock(QDockWidget):
    """A dock that neither asks for much room nor takes all."""

    def __init__(self, title: str, window: QMainWindow) -> None:
        super().__init__(title, window)
        self.setAccessibleName(title)

    def sizeHint(self) -> QSize:
        return QSize(300, 160)
