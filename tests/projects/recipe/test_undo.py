"""Undo and redo of recipes."""

from coterie.core.model.recipes import Recipe
from coterie.projects.recipe.undo import MOST, EditHistory
from coterie.projects.session import Session


def test_undo_and_redo_walk_along_the_edits() -> None:
    edits = EditHistory(Recipe("0"))
    edits.do(Recipe("1"), "first")
    edits.do(Recipe("2"), "second")
    assert edits.can_undo == "second"
    edits.undo()
    assert (edits.recipe.title, edits.can_undo, edits.can_redo) == ("1", "first", "second")
    edits.redo()
    assert edits.recipe.title == "2"
    edits.undo()
    edits.do(Recipe("3"), "third")
    assert edits.can_redo == ""
    edits.redo()
    assert edits.recipe.title == "3"


def test_undo_without_edits_does_nothing_and_history_is_bounded() -> None:
    edits = EditHistory(Recipe("0"))
    edits.undo()
    assert edits.recipe.title == "0"
    for number in range(MOST + 50):
        edits.do(Recipe(str(number)), "edit")
    for _ in range(MOST + 50):
        edits.undo()
    assert edits.recipe.title == "49"


def test_notes_are_undone_in_their_turn_and_begin_as_they_were_found() -> None:
    edits = EditHistory(Recipe("0"))
    edits.do(Recipe("1"), "first")
    edits.note("regions", None, ["a"], "keep a")
    edits.do(Recipe("2"), "second")
    edits.note("regions", ["a"], ["a", "b"], "keep b")
    assert edits.can_undo == "keep b"
    edits.undo()
    assert (edits.noted, edits.recipe.title) == ({"regions": ["a"]}, "2")
    edits.undo()
    edits.undo()
    assert (edits.noted, edits.recipe.title) == ({"regions": None}, "1")
    edits.redo()
    assert edits.noted == {"regions": ["a"]}


def test_a_rename_takes_the_classes_along_as_one_edit(session: Session) -> None:
    session.project.open("iris")
    session.edits.edit_view("classes", {"groups": {"names": {"0": "setosa"}}}, "name a class")
    session.edits.rename("groups", "kinds")
    assert session.view["classes"] == {"kinds": {"names": {"0": "setosa"}}}
    session.edits.undo()
    assert session.view["classes"] == {"groups": {"names": {"0": "setosa"}}}
    assert "groups" in session.recipe.names
    session.edits.redo()
    assert "kinds" in session.view["classes"]
