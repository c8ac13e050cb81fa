"""The steps of docs/contributing.md for a new view, done with a made-up one."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from coterie.gui.app import workbench
from coterie.gui.app.main_window import MainWindow
from coterie.gui.views.all_views import VIEWS
from coterie.gui.views.base_view import View
from coterie.gui.views.shown_items.csv_export import Rows, write_csv
from coterie.gui.views.shown_items.displayed import opened
from coterie.projects.session import Session

ROOT = Path(__file__).resolve().parents[3]


class CensusState:
    """How many items there are: step 1, without Qt."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.count = 0

    def update(self) -> None:
        """Count again."""
        data = opened(self._session)
        self.count = 0 if data is None else data.n

    def table_rows(self) -> Rows:
        """One number."""
        yield ["items"]
        yield [self.count]


class CensusView(View):
    """The number as a text: step 2."""

    title = "Census"
    has_table = True

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.state = CensusState(session)

    def update_state(self) -> None:
        self.state.update()

    def emptiness(self) -> str:
        return "" if self.state.count else "Open a file to count its items."

    def build(self) -> QWidget:
        self.label = QLabel()
        return self.label

    def draw(self) -> None:
        self.label.setText(f"{self.state.count} items")

    def export_picture(self, path: Path) -> None:
        self.grab().save(str(path))

    def export_table(self, path: Path) -> None:
        write_csv(path, self.state.table_rows())


@pytest.fixture(autouse=True)
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Step 3: the class is in the list of all views."""
    monkeypatch.setattr(workbench, "VIEWS", (*VIEWS, CensusView))


def test_a_listed_view_is_a_tab_that_shows_exports_and_is_in_the_menu(
    window: MainWindow, settle: Callable[[MainWindow], Session], qtbot: QtBot, tmp_path: Path
) -> None:
    window.documents.open_sample("arcs")
    session = settle(window)
    tabs = window.tabs
    assert tabs.tabText(tabs.count() - 1) == "Census"
    tabs.bring_forward("Census")
    view = tabs.current_view()
    assert isinstance(view, CensusView)
    data = opened(session)
    assert data is not None
    qtbot.waitUntil(lambda: view.built and view.label.text() == f"{data.n} items")
    menu = tabs.all_views.menu()
    menu.aboutToShow.emit()
    assert "Census" in [action.text() for action in menu.actions()]
    assert window.menus.actions["table"].isEnabled()
    view.export_table(tmp_path / "census.csv")
    assert (tmp_path / "census.csv").read_text(encoding="utf-8").split() == ["items", str(data.n)]


def test_one_module_lists_the_views() -> None:
    classes = {view.__name__ for view in VIEWS}
    listing = {
        file.relative_to(ROOT).as_posix()
        for file in (ROOT / "gui").rglob("*.py")
        if len({name for name in classes if name in file.read_text(encoding="utf-8")})
        >= len(classes) / 2
    }
    assert listing == {"gui/views/all_views.py"}


def test_every_view_has_a_folder_of_its_own() -> None:
    places = {view.__module__ for view in VIEWS}
    assert len(places) == len(VIEWS)
    assert all(re.fullmatch(r"coterie\.gui\.views\.\w+\.view", place) for place in places)


def test_the_steps_name_modules_that_exist() -> None:
    page = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")
    steps = page.partition("**Add a view.**")[2].partition("\n\n**")[0]
    named = re.findall(r"`((?:gui|tests)/[\w./-]+)`", steps)
    assert "gui/views/all_views.py" in named
    assert all((ROOT / name).exists() for name in named)
