"""The main window: one session, the start page or the workbench, and the commands on them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSettings, QSize, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QIcon
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QMainWindow,
    QStackedWidget,
)

from coterie.gui.app.commands import Commands
from coterie.gui.app.context import WindowContext
from coterie.gui.app.document_controller import Documents, why_empty
from coterie.gui.app.engine_status import EngineStatus
from coterie.gui.app.menus import Menus
from coterie.gui.app.preferences import Preferences
from coterie.gui.app.start_page import PICTURES, Gallery, offers
from coterie.gui.app.view_tabs import ViewTabs
from coterie.gui.app.window_dialogs import WindowDialogs
from coterie.gui.toolkit.problems import MessageBar, Problem
from coterie.gui.toolkit.stacked import stacked
from coterie.gui.toolkit.styling import theme
from coterie.gui.toolkit.styling.shell_style import shell_stylesheet

if TYPE_CHECKING:
    from coterie.gui.app.workbench import Workbench
    from coterie.projects.jobs.job import EngineJob, Failure
    from coterie.projects.session import Session

DEFAULT_SIZE = QSize(1280, 800)


class MainWindow(QMainWindow):
    """Shows the start page until something is opened, then the workbench.

    Parameters
    ----------
    new_session : makes an empty session; called when one is first needed, so the window is
        seen before anything else is loaded
    """

    def __init__(self, new_session: Callable[[], Session], size: QSize | None = None) -> None:
        super().__init__()
        self._dressed: bool | None = None
        self._closing = False
        self.setWindowIcon(QIcon(str(PICTURES / "coterie.svg")))
        self.setAcceptDrops(True)
        self.setDockOptions(QMainWindow.DockOption.AllowTabbedDocks)
        self._steps: set[str] = set()
        self.message_bar = MessageBar()
        self.message_bar.remedy_asked.connect(self._on_remedy)
        self.message_bar.added.connect(self._on_problem)
        self.tabs = ViewTabs()
        self.gallery = Gallery(offers())
        self.pages = QStackedWidget()
        self.pages.addWidget(self.gallery)
        self.pages.addWidget(self.tabs)
        centre = stacked(self.message_bar, self.pages, grows=self.pages)
        self.setCentralWidget(centre)
        self.engine_status = EngineStatus()
        self.statusBar().addPermanentWidget(self.engine_status)
        self._make_parts(new_session)
        self.gallery.sample_chosen.connect(self.documents.open_sample)
        self.gallery.file_chosen.connect(self.documents.open)
        self.gallery.data_asked.connect(self.documents.ask_data)
        self.gallery.project_asked.connect(self.documents.ask_project)
        self.gallery.return_asked.connect(self.show_work)
        self._restyle()
        self._restore_size(size)
        self.show_start()

    def _make_parts(self, new_session: Callable[[], Session]) -> None:
        self.context = WindowContext(self, self.tabs, self.message_bar, self.statusBar())
        self.commands = Commands(self.context)
        self.documents = Documents(self.context, new_session)
        self.documents.session_made.connect(self.show_session)
        self.documents.session_dropped.connect(self.drop_session)
        self.documents.remembered.connect(self.gallery.refresh)
        self.dialogs = WindowDialogs(self.context, self.documents.ensure_session)
        self.menus = Menus(self.context, self.documents, self.dialogs, self.commands)
        self.menus.window_asked.connect(self.new_window)
        self.menus.quit_asked.connect(self.quit)
        self.menus.start_asked.connect(self.show_start)
        self.menus.view_asked.connect(self.show_view)
        self.menus.scheme_chosen.connect(self.set_scheme)
        self.dialogs.scheme_chosen.connect(self.set_scheme)
        self.dialogs.scheme_chosen.connect(self.menus.fill_view_menu)
        self.menus.fill_view_menu()

    @property
    def session(self) -> Session | None:
        """What is open; None before the first project."""
        return self.context.session

    @property
    def workbench(self) -> Workbench | None:
        """The docks and views; None until something is opened for the first time."""
        return self.commands.workbench

    # Sessions

    def show_session(self, session: Session) -> None:
        """Show a session in place of the present one, which must be closed already."""
        from coterie.gui.app.workbench import Workbench

        self.context.session = session
        workbench = self.commands.workbench
        if workbench is None:
            workbench = self.commands.workbench = Workbench(self.context)
            workbench.export_asked.connect(self.commands.export_result)
            workbench.plugins_asked.connect(self.dialogs.show_plugins)
            workbench.finder_asked.connect(self.menus.finder.show)
            workbench.help_asked.connect(self.dialogs.show_help)
        for signal, method in (
            (session.recipe_changed, self._on_recipe_changed),
            (session.step_changed, self._on_step_changed),
            (session.job_changed, self._on_job_changed),
            (session.failed, self._on_failed),
            (session.engine_changed, self.engine_status.show_state),
            (session.project.saved, self._on_saved),
            (session.exports.exported, self._on_exported),
            (session.exports.failed, self._on_failed),
            (session.catalogue_changed, self._on_catalogue),
            (session.labels.written, self.dialogs.on_labelled),
            (session.labels.failed, self._on_failed),
        ):
            signal.connect(method)
        workbench.show_session(session)
        workbench.analysis.step_chosen.connect(self.menus.update)
        self.menus.fill_view_menu()
        self._on_catalogue()
        self._on_recipe_changed()

    def drop_session(self) -> None:
        """Let go of the session, which is about to close."""
        if self.session is not None and self.workbench is not None:
            self.workbench.clear()
        self.context.session = None
        self.gallery.offer_return("")
        self.message_bar.show_problem(None)
        self.engine_status.show_state("stopped")

    def show_start(self) -> None:
        """Show the start page, with a way back to what is open, or with why nothing is."""
        if self.workbench is not None:
            self.workbench.hide()
        if self.session is not None:
            opened = bool(self.session.recipe.names)
            self.gallery.offer_return(self.session.project.title if opened else "")
            self.gallery.say("" if opened else why_empty(self.session))
        self.pages.setCurrentWidget(self.gallery)
        self._update_title()

    def show_work(self) -> None:
        """Show the workbench."""
        self.pages.setCurrentWidget(self.tabs)
        if self.workbench is not None:
            self.workbench.show()
        self._update_title()

    def show_view(self, title: str) -> None:
        """Show the view of that title, also from the start page."""
        if self.session is not None and self.session.recipe.names:
            self.show_work()
            self.tabs.bring_forward(title)

    def show_problem(self, problem: Problem) -> None:
        """Show what went wrong, at the top of the window; the Log keeps it."""
        self.message_bar.add(problem)

    def _on_problem(self, problem: Problem) -> None:
        if self.workbench is not None and self.session is not None:
            self.workbench.log.add(": ".join(filter(None, (problem.step, problem.message))))

    # Windows and colours

    def new_window(self) -> None:
        """Open one more window, with the start page."""
        window = MainWindow(self.documents.new_session)
        window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        window.context.scheme = self.context.scheme
        window.move(self.x() + 32, self.y() + 32)
        window.show()

    def quit(self) -> None:
        """Close every window; each asks for itself."""
        QApplication.closeAllWindows()

    def set_scheme(self, scheme: theme.Scheme) -> None:
        """Wear light, dark, or what the system wears."""
        self.context.scheme = scheme
        QSettings().setValue("window/scheme", scheme)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            theme.apply(app, scheme)

    # The session's news

    def _on_catalogue(self) -> None:
        if self.session is not None:
            self.gallery.offer(offers(self.session.catalogue))
            self.menus.select.offer(self.session.catalogue)

    def _on_recipe_changed(self) -> None:
        if self.session is None:
            return
        names = set(self.session.recipe.names)
        for gone in self._steps - names:  # what went wrong with it concerns nobody any more
            self.message_bar.withdraw(gone)
        self._steps = names
        if names:
            if self.pages.currentWidget() is not self.tabs:
                self.show_work()
        else:
            self.show_start()
        self._update_title()
        self.menus.update()

    def _on_step_changed(self, _name: str) -> None:
        self._update_title()
        self.menus.update()

    def _on_job_changed(self, job: EngineJob) -> None:
        if job.active and job.done == 0:
            self.message_bar.withdraw(job.title)
        if self.session is not None:
            self.engine_status.show_busy(self.session.running is not None)

    def _on_failed(self, failure: Failure) -> None:
        from coterie.gui.panels.step_problems import problem_of

        self.statusBar().clearMessage()
        if self.session is not None:
            self.show_problem(problem_of(self.session, failure))

    def _on_remedy(self, step: str, use: str) -> None:
        if self.session is not None and self.workbench is not None:
            self.workbench.mend(step, use)

    def _on_saved(self, path: Path) -> None:
        self._update_title()
        self.menus.update()
        self.context.say(f"Saved {Path(path).name}.")

    def _on_exported(self, path: Path) -> None:
        self.context.say(f"Wrote {path.name}.")

    def _update_title(self) -> None:
        session = self.session
        if session is None or not session.recipe.names:
            self.setWindowTitle("Coterie")
            self.setWindowModified(False)
            return
        name = session.project.title or (
            session.project.path.stem if session.project.path else "Untitled"
        )
        if self.documents.is_read_only:
            name += " (read-only)"
        self.setWindowTitle(f"{name}[*] — Coterie")
        self.setWindowFilePath(str(session.project.path) if session.project.path else "")
        self.setWindowTitle(f"{name}[*] — Coterie")
        self.setWindowModified(session.project.modified)

    # Qt

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the file that was dropped."""
        files = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if files:
            event.acceptProposedAction()
            self.documents.open(files[0])
        if len(files) > 1:
            self.context.say("Coterie opens one file at a time: only the first was opened.")

    def changeEvent(self, event: QEvent) -> None:
        """Follow the colours of the system."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._restyle()
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self._look_for_files()

    def _look_for_files(self) -> None:
        """Whoever was away may have moved a file of the project."""
        if self.workbench is not None and self.session is not None:
            self.workbench.lost.look()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Close, once what was not saved is saved or let go."""
        asks = not self._closing and self.documents.must_ask()
        if asks and not Preferences.load().ask_on_close:
            self.documents.close_session(keep_work=True)
        elif asks:
            event.ignore()
            self.documents.ask_unsaved(self._close_now)
            return
        self._closing = True
        for dialog in self.findChildren(QDialog):
            dialog.close()
        if self.workbench is not None:
            self.workbench.remember()
        QSettings().setValue("window/geometry", self.saveGeometry())
        self.documents.close_session()
        super().closeEvent(event)

    def leave(self) -> None:
        """Close at once and without a question; unsaved work is offered at the next start."""
        self.documents.close_session(keep_work=self.documents.must_ask())
        self._close_now()

    def _close_now(self) -> None:
        self._closing = True
        self.close()

    def _restyle(self) -> None:
        colours = theme.current()
        # Setting a stylesheet makes Qt report a new palette again.
        if self._dressed != colours.dark:
            self._dressed = colours.dark
            self.setStyleSheet(shell_stylesheet(colours))

    def _restore_size(self, size: QSize | None) -> None:
        self.resize(size or DEFAULT_SIZE)
        stored = QSettings().value("window/geometry")
        if size is None and stored is not None and not os.environ.get("COTERIE_FRESH"):
            self.restoreGeometry(stored)
