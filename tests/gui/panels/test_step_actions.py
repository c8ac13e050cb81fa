"""What a person does to steps in the Analysis panel: by mouse, by menu, by key."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from coterie.core.model.recipes import Recipe, Source, Step
from coterie.gui.panels.analysis import AnalysisPanel
from coterie.gui.panels.step_menu import fill_step_menu
from coterie.gui.toolkit.problems import Problem
from coterie.projects.recipe.edits import moved
from coterie.projects.session import Session

Show = Callable[[QWidget], QWidget]
LEFT = Qt.MouseButton.LeftButton

RECIPE = Recipe(
    sources=(Source("data", "iris"),),
    steps=(
        Step("scaled", "transform/minmax", ("data",)),
        Step("near", "kernel/gaussian", ("scaled",), {"sigma": 0.3}),
        Step("picture", "embedder/pca", ("scaled",)),
        Step("groups", "clusterer/dominant-sets", ("near",), {"k": 3}),
    ),
)


@pytest.fixture
def panel(session: Session, shown: Show) -> AnalysisPanel:
    session.project.load_recipe(RECIPE)
    panel = AnalysisPanel(session)
    panel.resize(420, 700)
    shown(panel)
    for card in panel.cards.values():
        card.open(False)
    return panel


def names(session: Session) -> list[str]:
    return [step.name for step in session.recipe.steps]


def pull(qtbot: QtBot, panel: AnalysisPanel, name: str, onto: str) -> None:
    """Pull the header of one card to below the middle of another."""
    card, other = panel.cards[name], panel.cards[onto]
    qtbot.wait(20)
    start = QPoint(card.width() // 2, 10)
    goal = card.mapFromGlobal(
        other.mapToGlobal(QPoint(other.width() // 2, other.height() // 2 + 2))
    )
    QTest.mousePress(card, LEFT, pos=start)
    QTest.mouseMove(card, start + QPoint(0, 30))
    QTest.mouseMove(card, goal)
    QTest.mouseRelease(card, LEFT, pos=goal)


def test_pulling_a_card_down_moves_its_step(
    session: Session, panel: AnalysisPanel, qtbot: QtBot
) -> None:
    pull(qtbot, panel, "picture", "groups")
    assert names(session) == ["scaled", "near", "groups", "picture"]
    assert not panel.drop_mark.isVisible()
    assert session.edits.can_undo == "move picture"
    session.edits.undo()
    assert names(session) == ["scaled", "near", "picture", "groups"]


def test_a_card_cannot_be_pulled_below_what_uses_it(
    session: Session, panel: AnalysisPanel, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(panel.failed_edit) as told:
        pull(qtbot, panel, "scaled", "picture")
    assert told.args is not None
    assert "'near' uses 'scaled'" in told.args[0].message
    assert names(session) == ["scaled", "near", "picture", "groups"]


def test_the_menu_of_a_card_says_what_cannot_be_done_and_why(
    session: Session, panel: AnalysisPanel, qtbot: QtBot
) -> None:
    menu = QMenu(panel)
    fill_step_menu(menu, session, "scaled", panel.do)
    by_name = {action.objectName(): action for action in menu.actions() if action.objectName()}
    assert not by_name["up"].isEnabled()
    assert not by_name["down"].isEnabled()
    assert "uses" in by_name["down"].toolTip()
    by_name["duplicate"].trigger()
    assert names(session)[:2] == ["scaled", "scaled-2"]
    assert panel.chosen == "scaled-2"
    assert panel.cards["scaled-2"].opened


def test_a_step_is_switched_off_and_on(
    session: Session, panel: AnalysisPanel, qtbot: QtBot
) -> None:
    panel.choose("near")
    panel.do("switch")
    assert session.recipe.step("near").disabled
    assert panel.cards["near"].chip.text() == "Off"
    assert panel.cards["groups"].chip.text() == "Skipped"
    assert not panel.cards["groups"].run.isEnabled()
    menu = QMenu(panel)
    fill_step_menu(menu, session, "near", panel.do)
    assert any(action.text() == "Switch &on" for action in menu.actions())
    panel.do("switch")
    assert not session.recipe.step("near").disabled
    assert panel.cards["near"].chip.text() == "Not run"


def test_tab_goes_through_the_cards_in_their_order_each_with_its_settings(
    panel: AnalysisPanel, session: Session, qtbot: QtBot
) -> None:
    def reached() -> list[str]:
        names: list[str] = []
        widget = panel.area.nextInFocusChain()
        while widget is not None and widget is not panel.area:
            if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible():
                names.append(widget.accessibleName())
            widget = widget.nextInFocusChain()
        return names

    def in_order(*wanted: str) -> bool:
        found = reached()
        return all(name in found for name in wanted) and [
            name for name in found if name in wanted
        ] == list(wanted)

    panel.cards["near"].open()
    heads = ("Settings of near", "Run near", "More actions for near")
    after = ("Settings of picture", "Settings of groups")
    qtbot.waitUntil(lambda: in_order(*heads, "Method", "Seed", "Remove near", *after))
    session.edits.replace(moved(session.recipe, "picture", 3), "move")
    qtbot.waitUntil(lambda: in_order(*heads, "Settings of groups", "Settings of picture"))


def test_a_step_is_renamed_in_its_card(
    session: Session, panel: AnalysisPanel, qtbot: QtBot
) -> None:
    panel.choose("groups")
    panel.do("rename")
    line = panel.cards["groups"].naming
    assert line.isVisible()
    QTest.keyClicks(line, "parties")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert "parties" in panel.cards
    assert "groups" not in panel.cards
    panel.do("rename", "parties")
    line = panel.cards["parties"].naming
    QTest.keyClick(line, Qt.Key.Key_Escape)
    assert not line.isVisible()
    assert names(session)[-1] == "parties"


def test_keys_move_a_step(session: Session, panel: AnalysisPanel) -> None:
    panel.do("down", "picture")
    assert names(session)[-1] == "picture"
    panel.do("up", "picture")
    assert names(session)[-1] == "groups"


def test_trying_other_settings_gives_two_groupings_to_compare(
    session: Session, panel: AnalysisPanel, qtbot: QtBot
) -> None:
    session.run()
    session.wait(60)
    with qtbot.waitSignal(panel.compared) as told:
        panel.do("try", "near")
    assert told.args == ["groups", "groups-2"]
    assert session.recipe.step("groups-2").of == ("near-2",)
    assert panel.cards["near"].opened
    assert panel.cards["near-2"].opened
    # Nothing has changed yet, so that there is nothing to compute.
    assert session.status("groups-2") == "fresh"
    session.edits.undo()
    assert "near-2" not in session.recipe.names


def test_a_failed_step_offers_what_would_mend_it(
    session: Session, shown: Show, qtbot: QtBot, tmp_path: Path
) -> None:
    table = tmp_path / "holes.csv"
    table.write_text("a,b\n1,2\n,4\n5,7\n")
    source = Source("data", str(table))
    session.project.load_recipe(
        Recipe(
            "",
            (source,),
            (
                Step("scaled", "transform/minmax", ("data",)),
                Step("near", "kernel/gaussian", ("scaled",)),
                Step("groups", "clusterer/dominant-sets", ("near",)),
            ),
        )
    )
    panel = AnalysisPanel(session)
    shown(panel)
    session.run("near")
    session.wait(60)
    banner = panel.cards["scaled"].banner
    words = [button.text() for button in banner.remedies]
    assert words == ["Insert “Fill in missing values” before"]
    banner.remedies[0].click()
    session.wait(60)
    assert names(session) == ["impute", "scaled", "near", "groups"]
    # What was to run goes on, and no more than that.
    assert [session.status(name) for name in ("scaled", "near")] == ["fresh", "fresh"]
    assert session.status("groups") == "missing"
    panel.synchronize()
    assert not banner.isVisible()
    assert banner.remedies == []


def test_an_edit_that_is_refused_is_told(
    panel: AnalysisPanel, session: Session, qtbot: QtBot
) -> None:
    told: list[Problem] = []
    panel.failed_edit.connect(told.append)
    panel.work.rename("near", "scaled")
    assert "already a step" in told[0].message
