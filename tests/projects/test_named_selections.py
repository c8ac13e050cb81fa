"""Named selections: values, undo, and their place in a project file."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.core.errors import DataError
from coterie.core.model.recipes import Recipe, Source
from coterie.projects.named_selections import NamedSelections
from coterie.projects.session import Session


def test_they_are_saved_renamed_and_removed_without_changing_the_old_ones() -> None:
    one = NamedSelections().with_one(" odd ", [3, 1, 3], 5)
    two = one.with_one("even", [0, 2, 4], 5)
    assert one.names == ("odd",)
    assert two["odd"].items == (1, 3)
    assert two.renamed("odd", "strange").names == ("strange", "even")
    assert two.without("odd").names == ("even",)
    assert two.with_one("odd", [0], 5)["odd"].items == (0,)


@pytest.mark.parametrize(("name", "items"), [("", [1]), ("a", []), ("a", [5]), ("a", [-1])])
def test_what_is_no_selection_is_refused(name: str, items: list[int]) -> None:
    with pytest.raises(DataError):
        NamedSelections().with_one(name, items, 5)


def test_unknown_and_taken_names_are_refused() -> None:
    kept = NamedSelections().with_one("a", [1], 5).with_one("b", [1], 5)
    for wrong in (lambda: kept["c"], lambda: kept.without("c"), lambda: kept.renamed("a", "b")):
        with pytest.raises(DataError):
            wrong()


json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(json)
def test_damaged_ones_are_left_out(value: object) -> None:
    NamedSelections.from_json(value)
    NamedSelections.from_json({"a": value})
    NamedSelections.from_json({"a": {"items": value, "n": 3}})


def test_a_named_selection_can_be_undone_and_lives_in_the_project_file(
    session: Session, tmp_path: Path
) -> None:
    session.project.load_recipe(Recipe(sources=(Source("data", "iris"),)))
    session.run()
    session.wait(60)
    session.edits.keep_named(session.edits.named.with_one("first", [0, 1], 150), "name a selection")
    assert session.edits.can_undo == "name a selection"
    session.edits.undo()
    assert session.edits.named.names == ()
    session.edits.redo()
    assert session.edits.named["first"].items == (0, 1)
    path = tmp_path / "named.coterie.h5"
    saving = session.project.save(path)
    session.wait(60)
    saving.result()
    assert not session.project.modified
    session.project.load_recipe(Recipe(sources=(Source("data", "wine"),)))
    assert session.edits.named.names == ()
    opening = session.project.open_file(path)
    session.wait(60)
    opening.result()
    assert session.edits.named["first"].items == (0, 1)
    assert "selections" not in session.view
