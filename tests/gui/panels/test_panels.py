"""The panels on a real session."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from coterie.core.api.components import Cost
from coterie.core.catalogue.descriptors import BrokenPlugin, Catalogue
from coterie.core.catalogue.method_page import NOT_INTERRUPTIBLE, method_page
from coterie.core.model.recipes import Step
from coterie.gui.panels.add_menu import fill_add_menu
from coterie.gui.panels.analysis import AnalysisPanel
from coterie.gui.panels.inspector import Inspector
from coterie.gui.panels.inspector_state import Line, inspect
from coterie.gui.panels.jobs import JobsPanel
from coterie.gui.panels.log import MOST_LINES, LogPanel
from coterie.gui.panels.project_tree import ProjectTree
from coterie.gui.panels.step_cards import StepCard
from coterie.gui.toolkit.forms.editors import NumberEditor
from coterie.projects.jobs.job import EngineJob
from coterie.projects.jobs.step_previews import StepPreview
from coterie.projects.session import Session

Show = Callable[[QWidget], QWidget]


def texts(tree: ProjectTree) -> list[str]:
    top = [tree.tree.topLevelItem(i) for i in range(tree.tree.topLevelItemCount())]
    return [item.text(0) for item in top if item is not None]


def card_of(panel: AnalysisPanel, kind: str) -> StepCard:
    for card in panel.cards.values():
        if isinstance(card, StepCard) and card.session.recipe.step(card.name).use.startswith(kind):
            return card
    raise AssertionError(f"no card of a {kind}")


# The project tree


def test_the_tree_groups_by_what_a_step_gives(session: Session, shown: Show) -> None:
    tree = ProjectTree(session)
    shown(tree)
    assert texts(tree) == ["Data", "Graphs", "Results"]
    assert "Not run" in tree.item("data").toolTip(0)


def test_the_tree_shows_shape_time_and_status(ran: Session, shown: Show) -> None:
    tree = ProjectTree(ran)
    shown(tree)
    assert tree.item("data").text(1).startswith("150 × 4 · ")
    assert "Up to date" in tree.item("data").toolTip(0)
    assert tree.item("data").data(0, Qt.ItemDataRole.AccessibleTextRole) == "data, Up to date"


def test_the_tree_follows_an_edit(ran: Session, shown: Show, qtbot: QtBot) -> None:
    tree = ProjectTree(ran)
    shown(tree)
    kernel = next(step for step in ran.recipe.steps if step.use.startswith("kernel/"))
    ran.edits.replace(ran.recipe.changed(kernel.name, params={"sigma": 0.7}), "change sigma")
    qtbot.waitUntil(lambda: "Out of date" in tree.item(kernel.name).toolTip(0))


def test_choosing_in_the_tree_is_told_but_setting_the_choice_is_not(
    session: Session, shown: Show, qtbot: QtBot
) -> None:
    tree = ProjectTree(session)
    shown(tree)
    with qtbot.assertNotEmitted(tree.step_chosen):
        tree.choose("data")
    with qtbot.waitSignal(tree.step_chosen) as told:
        tree.tree.setCurrentItem(tree.item(session.recipe.steps[0].name))
    assert told.args == [session.recipe.steps[0].name]


def test_an_empty_project_says_what_to_do(session: Session, shown: Show) -> None:
    tree = ProjectTree(session)
    shown(tree)
    session.project.load_recipe(replace(session.recipe, sources=(), steps=()))
    assert not tree.tree.isVisible()


# The cards


def test_there_is_a_card_for_each_step_in_order(session: Session, shown: Show) -> None:
    panel = AnalysisPanel(session)
    shown(panel)
    tops = [panel.cards[name].mapTo(panel, panel.cards[name].rect().topLeft()).y()
            for name in session.recipe.names]  # fmt: skip
    assert list(panel.cards) == list(session.recipe.names)
    assert tops == sorted(tops)


def test_the_card_of_the_clusterer_opens_with_the_project(session: Session, shown: Show) -> None:
    panel = AnalysisPanel(session)
    shown(panel)
    assert card_of(panel, "clusterer/").opened
    assert not card_of(panel, "kernel/").opened


def test_cards_are_those_of_the_project_that_was_opened_last(session: Session, shown: Show) -> None:
    panel = AnalysisPanel(session)
    shown(panel)
    kernel = card_of(panel, "kernel/")
    kernel.open()
    panel.choose(kernel.name)
    session.project.load_recipe(session.recipe)  # the same sample once more
    assert panel.chosen != kernel.name
    assert not card_of(panel, "kernel/").opened
    assert card_of(panel, "clusterer/").opened


def test_a_moved_slider_of_a_kernel_is_previewed_before_it_is_an_edit(
    ran: Session, shown: Show, qtbot: QtBot
) -> None:
    panel = AnalysisPanel(ran)
    shown(panel)
    card = card_of(panel, "kernel/")
    card.open()
    answers: list[tuple[str, object]] = []
    ran.questions.step_previewed.connect(lambda step, answer: answers.append((step, answer)))
    assert card.form is not None
    before = ran.recipe
    editor = card.form.editor("sigma")
    assert isinstance(editor, NumberEditor)
    assert editor._slider is not None
    editor._slider.setValue(150)
    assert ran.recipe is before

    def is_answered() -> bool:
        ran.pump()
        return bool(answers)

    qtbot.waitUntil(is_answered)
    step, answer = answers[0]
    assert step == card.name
    assert isinstance(answer, StepPreview)
    assert answer.values.shape == (150, 150)
    assert answer.params["sigma"] == editor.value()


def test_changing_a_parameter_edits_the_recipe_as_one_undo_step(
    session: Session, shown: Show, qtbot: QtBot
) -> None:
    panel = AnalysisPanel(session)
    shown(panel)
    card = card_of(panel, "clusterer/")
    assert card.form is not None
    editor = card.form.editor("k")
    assert isinstance(editor, NumberEditor)
    before = session.recipe.step(card.name).params.get("k")
    editor.box.stepBy(4)
    qtbot.waitUntil(lambda: session.recipe.step(card.name).params.get("k") != before)
    assert session.edits.can_undo == f"change k of {card.name}"
    session.edits.undo()
    assert session.recipe.step(card.name).params.get("k") == before
    assert editor.value() == (before or 0)


def test_a_changed_parameter_marks_what_depends_on_it(
    ran: Session, shown: Show, qtbot: QtBot
) -> None:
    panel = AnalysisPanel(ran)
    shown(panel)
    kernel = card_of(panel, "kernel/")
    ran.edits.replace(ran.recipe.changed(kernel.name, params={"sigma": 0.7}), "change sigma")
    clusterer = card_of(panel, "clusterer/")
    qtbot.waitUntil(lambda: clusterer.chip.text() == "Out of date")
    assert panel.cards["data"].chip.accessibleName() == "Up to date"


def test_running_takes_in_what_is_half_typed(session: Session, shown: Show, qtbot: QtBot) -> None:
    panel = AnalysisPanel(session)
    shown(panel)
    card = card_of(panel, "clusterer/")
    assert card.form is not None
    editor = card.form.editor("k")
    assert isinstance(editor, NumberEditor)
    editor.box.lineEdit().setText("2")
    panel.run()
    assert session.recipe.step(card.name).params["k"] == 2
    session.cancel()
    session.wait(30)


def test_a_step_is_added_opened_and_removed(session: Session, shown: Show) -> None:
    panel = AnalysisPanel(session)
    shown(panel)
    panel.add_step("transform/standardise")
    name = session.recipe.steps[-1].name
    assert panel.cards[name].opened
    panel.remove(name)
    assert name not in panel.cards
    assert session.edits.can_undo == f"remove {name}"


def test_removing_a_step_removes_what_depends_on_it(session: Session, shown: Show) -> None:
    panel = AnalysisPanel(session)
    shown(panel)
    kernel = card_of(panel, "kernel/").name
    gone = {kernel, *(step.name for step in session.recipe.dependents(kernel))}
    panel.remove(kernel)
    assert not gone & set(panel.cards)


def test_a_method_is_chosen_among_its_kind(session: Session, shown: Show) -> None:
    panel = AnalysisPanel(session)
    shown(panel)
    panel.add_step("transform/minmax")
    card = panel.cards[session.recipe.steps[-1].name]
    assert isinstance(card, StepCard)
    chooser = card._methods
    offered = [chooser.box.itemText(i) for i in range(chooser.box.count())]
    assert session.catalogue.get("transform/standardise").title in offered
    assert session.catalogue.get("kernel/gaussian").title not in offered
    chooser.picked.emit("transform/standardise")
    assert session.recipe.step(card.name).use == "transform/standardise"
    assert card.title.text() == session.catalogue.get("transform/standardise").title


def test_the_card_says_of_a_method_that_it_cannot_be_stopped(session: Session, shown: Show) -> None:
    panel = AnalysisPanel(session)
    shown(panel)
    catalogue, name = session.catalogue, "transform/minmax"
    rigid = replace(catalogue.get(name), interruptible=False)
    methods = tuple(rigid if one.name == name else one for one in catalogue.methods)
    session.plugins.catalogue = replace(catalogue, methods=methods)
    panel.add_step(name)
    card = panel.cards[session.recipe.steps[-1].name]
    assert isinstance(card, StepCard)
    assert NOT_INTERRUPTIBLE in card._methods._summary.text()
    card._methods.picked.emit("transform/standardise")
    assert NOT_INTERRUPTIBLE not in card._methods._summary.text()
    assert NOT_INTERRUPTIBLE in method_page(rigid)


def test_a_failed_step_says_why_in_its_card(session: Session, shown: Show, qtbot: QtBot) -> None:
    panel = AnalysisPanel(session)
    shown(panel)
    card = card_of(panel, "kernel/")
    session.edits.replace(
        session.recipe.changed(card.name, params={"sigma": -1.0}), "make it wrong"
    )
    session.run(card.name)
    session.wait(30)
    qtbot.waitUntil(lambda: card.banner.isVisible())
    assert "sigma" in card.banner.text()
    assert "Got -1" in card.banner.text()
    assert card.chip.text() == "Failed"


def test_a_card_says_what_its_result_has_to_remark(
    session: Session, shown: Show, qtbot: QtBot
) -> None:
    panel = AnalysisPanel(session)
    shown(panel)
    kernel = next(step for step in session.recipe.steps if step.use.startswith("kernel/"))
    few = {"initialisations": 1, "max_components": 3, "max_iterations": 1}
    changed = session.recipe.changed(kernel.name, use="kernel/probabilistic-cluster", params=few)
    session.edits.replace(changed, "learn")
    card = card_of(panel, "kernel/")
    assert card.remarks.isHidden()
    session.run(kernel.name)
    session.wait(60)
    qtbot.waitUntil(lambda: not card.remarks.isHidden())
    result = session.results.artefact(kernel.name)
    assert result is not None
    assert any("still rising after 1 iterations" in note for note in result.notes)
    assert card.remarks.toolTip() == "\n".join(result.notes)
    card.open()
    assert card.remarks.line.isHidden()
    assert card.remarks.whole.text() == "\n".join(result.notes)
    card.open(False)
    assert card.remarks.whole.isHidden()


def test_a_card_says_what_a_step_will_take(session: Session, shown: Show) -> None:
    panel = AnalysisPanel(session)
    shown(panel)
    card = card_of(panel, "clusterer/")
    session.questions.estimated.emit(card.name, Cost(40_000_000, 3.0))
    assert card._cost.text() == "Takes about 3.0 s, 40 MB of memory"


def test_a_missing_plugin_is_shown_as_such(session: Session, shown: Show, qtbot: QtBot) -> None:
    panel = AnalysisPanel(session)
    shown(panel)
    card = card_of(panel, "kernel/")
    session.edits.replace(session.recipe.changed(card.name, use="kernel/lab:lost"), "lose it")
    assert card.chip.text() == "No plugin"
    assert not card.run.isEnabled()


def test_the_menu_of_methods_lists_broken_plugins_disabled(session: Session, qtbot: QtBot) -> None:
    broken = BrokenPlugin("lab", "No module named 'lab_core'. Install it.")
    catalogue = Catalogue(session.catalogue.methods, (broken,))
    menu = QMenu()
    qtbot.addWidget(menu)
    picked: list[str] = []
    fill_add_menu(menu, catalogue, session.recipe, picked.append, picked.append)
    titles = [action.text() for action in menu.actions() if action.text()]
    assert titles[0] == "Transforms"
    assert titles[-1] == "Broken plugins"
    submenu = menu.actions()[-1].menu()
    assert isinstance(submenu, QMenu)
    assert not submenu.actions()[0].isEnabled()
    assert "lab" in submenu.actions()[0].text()
    first = menu.actions()[0].menu()
    assert isinstance(first, QMenu)
    first.actions()[0].trigger()
    assert picked == [catalogue.of_kind("transform")[0].name]


def test_a_method_whose_input_is_lacking_is_offered_disabled(
    session: Session, qtbot: QtBot
) -> None:
    menu = QMenu()
    qtbot.addWidget(menu)
    recipe = replace(session.recipe, steps=())
    fill_add_menu(menu, session.catalogue, recipe, lambda use: None, lambda name: None)
    clusterers = next(a for a in menu.actions() if a.text() == "Clusterers").menu()
    assert isinstance(clusterers, QMenu)
    dominant = next(a for a in clusterers.actions() if a.data() == "clusterer/dominant-sets")
    assert not dominant.isEnabled()
    assert "needs an affinity first" in dominant.toolTip()


# Jobs, log, inspector


def test_jobs_show_progress_and_can_be_cancelled(
    session: Session, shown: Show, qtbot: QtBot
) -> None:
    panel = JobsPanel(session)
    shown(panel)
    running = EngineJob(7, "near", "kernel/gaussian", done=0.5, message="half", started=0.0)
    session.job_changed.emit(running)
    qtbot.waitUntil(lambda: 7 in panel.rows)
    row = panel.rows[7]
    assert row.bar.value() == 500
    assert row.message.text().endswith("half")
    assert "left" in row.times.text()
    with qtbot.waitSignal(panel.cancel_asked) as told:
        row.cancel.click()
    assert told.args == [7]
    session.job_changed.emit(replace(running, state="finished", seconds=2.0, done=1.0))
    qtbot.waitUntil(row.cancel.isHidden)
    assert row.times.text() == "2.0 s"


def test_news_of_a_job_are_shown_once_in_a_turn_of_their_own(
    session: Session, shown: Show, qtbot: QtBot
) -> None:
    panel = JobsPanel(session)
    shown(panel)
    running = EngineJob(7, "near", "kernel/gaussian", started=0.0)
    for percent in range(100):
        session.job_changed.emit(replace(running, done=percent / 100))
    assert not panel.rows
    qtbot.waitUntil(lambda: 7 in panel.rows)
    assert panel.rows[7].bar.value() == 990


def test_a_result_from_the_cache_says_so(session: Session, shown: Show, qtbot: QtBot) -> None:
    panel = JobsPanel(session)
    shown(panel)
    session.job_changed.emit(EngineJob(1, "near", "kernel/gaussian", state="finished", cached=True))
    qtbot.waitUntil(lambda: 1 in panel.rows)
    assert "from cache" in panel.rows[1].message.text()


def test_another_project_begins_with_an_empty_list_of_jobs(
    session: Session, shown: Show, qtbot: QtBot
) -> None:
    panel = JobsPanel(session)
    shown(panel)
    session.job_changed.emit(EngineJob(1, "near", "kernel/gaussian", state="finished"))
    qtbot.waitUntil(lambda: 1 in panel.rows)
    recipe = session.recipe
    session.edits.replace(recipe.changed("similarity", params={"sigma": 0.123}), "change sigma")
    session.edits.undo()
    assert list(panel.rows) == [1]
    session.job_changed.emit(EngineJob(2, "near", "kernel/gaussian", state="finished"))
    session.project.load_recipe(recipe)
    assert not panel.rows
    assert panel._empty.isVisible()


def test_saving_a_project_keeps_its_list_of_jobs(ran: Session, shown: Show, tmp_path: Path) -> None:
    panel = JobsPanel(ran)
    shown(panel)
    before = list(panel.rows)
    assert before
    ran.project.save(tmp_path / "iris.coterie.h5")
    ran.wait(60)
    assert ran.project.path is not None
    assert list(panel.rows) == before


def test_a_flood_of_lines_stays_bounded(session: Session, shown: Show, qtbot: QtBot) -> None:
    panel = LogPanel(session)
    shown(panel)
    for number in range(MOST_LINES + 500):
        session.logged.emit(f"line {number}")
    qtbot.waitUntil(lambda: f"line {MOST_LINES + 499}" in panel.text.toPlainText())
    assert panel.text.document().blockCount() <= MOST_LINES


def test_the_inspector_tells_all_about_one_item(ran: Session, shown: Show, qtbot: QtBot) -> None:
    panel = Inspector(ran)
    shown(panel)
    assert panel.headline.isHidden()
    ran.selection.update([3])
    qtbot.waitUntil(lambda: panel.headline.isVisible())
    sections = [panel.facts.topLevelItem(i) for i in range(panel.facts.topLevelItemCount())]
    titles = [item.text(0) for item in sections if item is not None]
    assert titles[0] == "Item"
    assert {"Groups", "Features"} <= set(titles)


def test_the_inspector_knows_items_that_a_ranking_does_not_list(
    ran: Session, shown: Show, qtbot: QtBot
) -> None:
    similarity, groups = "", ""
    for step in ran.recipe.steps:
        similarity = step.name if step.use.startswith("kernel/") else similarity
        groups = step.name if step.use.startswith("clusterer/") else groups
    across = {"scope": "across-cluster", "cluster": 0}
    step = Step("others", "ranker/personalised-pagerank", (similarity, groups), across)
    ran.edits.replace(ran.recipe.with_step(step), "rank")
    ran.run("others")
    ran.wait(60)
    labels = ran.results.artefact(groups).labels
    panel = Inspector(ran)
    shown(panel)
    ran.selection.update([int(np.flatnonzero(labels == 0)[0])])
    qtbot.waitUntil(lambda: panel.headline.isVisible())
    found = panel.facts.findItems("others", Qt.MatchFlag.MatchRecursive, 0)
    assert "not listed" in " ".join(found[0].text(i) for i in range(3))


def test_the_inspector_counts_places_within_groups_that_are_ranked_each_on_its_own(
    ran: Session,
) -> None:
    labels, ranking = ran.results.artefact("groups").labels, ran.results.artefact("typical")
    assert ranking.scope == "within-cluster"
    second = ranking.order[labels[ranking.order] == 1]
    ran.selection.update(second[:1])
    _, sections = inspect(ran)
    ranks = next(section for section in sections if section.title == "Ranks")
    place = next(line.value for line in ranks.lines if line.label == "typical")
    assert place == f"1 of {len(second)}"


def test_the_inspector_cuts_no_number_off(ran: Session, shown: Show, qtbot: QtBot) -> None:
    panel = Inspector(ran)
    shown(panel)
    ran.selection.set_size(150)
    ran.selection.update(np.arange(40, 120))
    for width in (panel.minimumWidth(), 400):
        panel.resize(width, 500)
        panel.synchronize()
        facts = panel.facts
        features: Any = facts.topLevelItem(facts.topLevelItemCount() - 1)
        line = features.child(0)
        assert " to " in line.text(2)
        for column in (1, 2):
            needed = QFontMetrics(line.font(column)).horizontalAdvance(line.text(column))
            assert facts.columnWidth(column) >= needed + 6


def test_the_inspector_sums_up_many_items(ran: Session, shown: Show, qtbot: QtBot) -> None:
    panel = Inspector(ran)
    shown(panel)
    ran.selection.update(list(range(50)))
    qtbot.waitUntil(lambda: panel.headline.text() == "50 of 150 items")
    ran.selection.clear()
    qtbot.waitUntil(lambda: panel.headline.isHidden())


@pytest.mark.parametrize("panel", [ProjectTree, AnalysisPanel, JobsPanel, LogPanel, Inspector])
def test_a_panel_that_is_gone_hears_nothing_more(
    session: Session, panel: type[QWidget], qtbot: QtBot
) -> None:
    widget = panel(session)  # type: ignore[arg-type]
    widget.deleteLater()
    qtbot.waitUntil(lambda: not shiboken6.isValid(widget))
    session.edits.undo()
    session.edits.replace(session.recipe, "nothing")
    session.logged.emit("a line")
    session.selection.set_size(10)


def test_a_long_name_leaves_room_for_the_values(
    ran: Session, shown: Callable[[QWidget], QWidget], qtbot: QtBot
) -> None:
    panel = Inspector(ran)
    panel.resize(224, 400)
    shown(panel)
    ran.selection.update([0, 1, 2])
    panel.synchronize()
    long = Line("Latin America and the Caribbean, with all its islands", "3", "5 to 8")
    panel._lines = (long, *panel._lines)
    panel._share_width()
    assert panel.facts.columnViewportPosition(1) < panel.facts.viewport().width() / 2
    assert panel.facts.columnViewportPosition(2) < panel.facts.viewport().width()
    # No column reaches beyond the edge, where its text would be cut without a sign.
    widths = [panel.facts.columnWidth(column) for column in range(3)]
    assert sum(widths) <= panel.facts.viewport().width()
