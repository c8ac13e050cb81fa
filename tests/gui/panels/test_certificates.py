"""The Inspector's answer to whether the selected items are a dominant set."""

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from coterie.core.model.affinity import Affinity
from coterie.core.model.dataset import Dataset
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.core.numerics.certificates.dominant_sets import certify_set
from coterie.gui.panels.certificate_lines import certificate_section
from coterie.gui.panels.inspector import Inspector
from coterie.gui.panels.inspector_state import Line
from coterie.projects.session import Session

Show = Callable[[QWidget], QWidget]
A = np.array([[0, 4, 3, 0], [4, 0, 3, 0], [3, 3, 0, 1], [0, 0, 1, 0.0]])


def said(*members: int, dataset: Dataset | None = None) -> list[tuple[str, str, str]]:
    found = certify_set(Affinity(values=A), np.array(members)).as_json()
    section = certificate_section(found, "near", dataset)
    assert section.lines[0] == Line("in “near”", "")
    first = (section.title, section.lines[1].label, section.lines[1].value)
    return [first, *((line.label, line.value, line.note) for line in section.lines[2:])]


def test_a_dominant_set_is_said_to_be_one_with_weights_and_margins() -> None:
    lines = said(0, 1, 2)
    assert lines[0] == ("Dominant set: yes", "by the definition", "")
    weights = {label: float(value) for label, value, note in lines if note == "weight"}
    assert weights == pytest.approx({"Item 1": 3 / 8, "Item 2": 3 / 8, "Item 3": 1 / 4}, abs=1e-3)
    # x = (3, 3, 2) / 8 earns 9 / 4, and the last item ¼ · 1 against it.
    outside = [(label, float(value)) for label, value, note in lines if note == "stays out"]
    assert dict(outside) == pytest.approx({"Item 4": 0.25 - 2.25})


def test_who_would_join_and_who_would_leave_are_named() -> None:
    people = Dataset(features=np.eye(4), items=("Ada", "Bo", "Cy", "Di"))
    lines = said(2, 3, dataset=people)
    assert lines[0] == ("Dominant set: no", "2 would join", "")
    assert [label for label, _, note in lines if note == "would join"] == ["Ada", "Bo"]
    lines = said(0, 1, 2, 3, dataset=people)
    assert lines[0] == ("Dominant set: no", "1 would leave", "")
    assert [label for label, _, note in lines if note == "would leave"] == ["Di"]


def test_a_sentence_in_place_of_a_certificate_is_said() -> None:
    section = certificate_section("There is nothing.", "near", None)
    assert [line.label for line in section.lines[1:]] == ["There is nothing."]


def lines_of(panel: Inspector) -> list[str]:
    top = panel.facts.topLevelItem(0)
    assert top is not None
    below = [top.child(i) for i in range(top.childCount())]
    return [top.text(0), *(line.text(0) for line in below if line is not None)]


def test_the_inspector_asks_the_engine_and_follows_the_selection(
    ran: Session, shown: Show, qtbot: QtBot
) -> None:
    panel = Inspector(ran)
    shown(panel)
    kernel = next(step.name for step in ran.recipe.steps if step.use.startswith("kernel/"))
    affinity = ran.results.artefact(kernel)
    for items in (np.arange(5), np.arange(40, 48)):
        ran.selection.update(items)
        headline = f"{len(items)} of 150 items"
        qtbot.waitUntil(lambda: panel.headline.text() == headline)  # noqa: B023
        panel.certify.setChecked(True)
        expected = certify_set(affinity, items)
        answer = {"holds": "yes", "fails": "no", "undecided": "undecided"}[expected.verdict]

        def is_answered(answer: str = answer) -> bool:
            ran.pump()
            return lines_of(panel)[:2] == [f"Dominant set: {answer}", f"in “{kernel}”"]

        qtbot.waitUntil(is_answered)
    panel.certify.setChecked(False)
    qtbot.waitUntil(lambda: "Dominant" not in lines_of(panel)[0])


def test_a_group_that_is_shown_is_tested_as_its_step_states_it(
    iris: Session, shown: Show, qtbot: QtBot
) -> None:
    iris.project.load_recipe(
        Recipe(
            sources=(Source(open="iris"),),
            steps=(
                Step("near", "kernel/gaussian", ("data",), {}),
                Step("tree", "clusterer/dominant-hierarchy", ("near",), {"level": 2}),
            ),
        )
    )
    iris.run()
    iris.wait(60)
    tree = iris.results.artefact("tree")
    panel = Inspector(iris)
    shown(panel)
    panel.resize(300, 560)
    panel.show_step("tree")
    iris.selection.update(tree.members(0))
    qtbot.waitUntil(panel.certify.isVisible)
    panel.certify.setChecked(True)

    def is_answered() -> bool:
        iris.pump()
        return "α" in lines_of(panel)

    qtbot.waitUntil(is_answered)
    assert lines_of(panel)[0] == "Dominant set: yes"
    assert "by the definition" in lines_of(panel)


def test_without_similarities_it_says_what_to_run(
    session: Session, shown: Show, qtbot: QtBot
) -> None:
    session.run("data")
    session.wait(60)
    panel = Inspector(session)
    shown(panel)
    session.selection.update([0, 1])
    qtbot.waitUntil(lambda: panel.headline.isVisible())
    panel.certify.setChecked(True)
    qtbot.waitUntil(lambda: "Dominant" in lines_of(panel)[0])
    assert lines_of(panel)[1] == "Run a kernel or a graph first."
