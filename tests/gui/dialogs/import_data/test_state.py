"""What is known of a file before it is opened."""

from pathlib import Path

import pytest

from coterie.core.catalogue.descriptors import Catalogue, Descriptor
from coterie.core.formats.files.tabular import TablePreview
from coterie.gui.dialogs.import_data.state import ImportState


def reader(id: str, *extensions: str, claims: tuple[str, ...] | None = None) -> Descriptor:
    names = ("truth", "items", "delimiter", "decimal", "leave_out") if id == "csv" else ("sheet",)
    return Descriptor(
        kind="reader",
        id=id,
        title=id,
        summary="",
        version="1",
        origin="coterie",
        params={"properties": {name: {} for name in names}},
        needs=("path",),
        gives="dataset",
        extensions=extensions,
        default_for=claims,
    )


CATALOGUE = Catalogue(
    (
        reader("edges", ".edges", ".csv", claims=(".edges",)),
        reader("csv", ".csv", ".txt"),
        reader("excel", ".xlsx"),
        reader("sample"),
    )
)
PREVIEW = TablePreview(
    columns=("name", "price", "class"),
    rows=(("anna", "1.234,5", "a"), ("bert", "NA", "b")),
    roles=("left out", "feature", "truth"),
    guessed={"delimiter": ";", "decimal": ",", "thousands": ".", "header": True, "truth": "class"},
    notes=("Guessed from the file: all of it.", "Another remark."),
)


@pytest.fixture
def state() -> ImportState:
    state = ImportState(Path("prices.csv"), CATALOGUE)
    state.take(PREVIEW)
    return state


def test_readers_that_know_the_ending_come_first_and_the_usual_one_is_chosen() -> None:
    state = ImportState(Path("prices.csv"), CATALOGUE)
    fitting, others = state.readers()
    assert [r.id for r in fitting] == ["csv", "edges"]
    assert [r.id for r in others] == ["excel"]
    assert state.reader == "reader/csv"
    assert not state.can_open  # nothing is known of the file yet


def test_an_unknown_ending_is_tried_as_text_and_that_is_said() -> None:
    state = ImportState(Path("prices.xyz"), CATALOGUE)
    assert state.reader == "reader/csv"
    assert "No reader is registered for .xyz" in state.remark


def test_every_guess_is_a_sentence_and_what_was_set_is_told_apart(state: ImportState) -> None:
    sentences = [finding.sentence for finding in state.findings()]
    assert "Delimiter: semicolon ; — guessed" in sentences
    assert "Decimals: comma , — guessed" in sentences
    assert "First line: names — guessed" in sentences
    assert "Labels: class — guessed" in sentences
    state.params = {"items": "name"}
    assert "Names: name — as set" in [finding.sentence for finding in state.findings()]
    assert state.can_open


def test_cells_are_shown_as_they_will_be_read(state: ImportState) -> None:
    assert state.columns.cell(0, 1) == "1234.5"
    assert state.columns.raw(0, 1) == "1.234,5"
    assert state.columns.cell(1, 1) == ""  # missing
    assert state.columns.cell(0, 0) == "anna"


def test_roles_become_parameters_and_exclude_each_other(state: ImportState) -> None:
    state.params = state.columns.with_role(0, "items")
    assert state.params == {"items": "name"}
    state.params = state.columns.with_role(0, "truth")
    assert state.params == {"truth": "name"}
    state.params = state.columns.with_role(0, "left out")
    assert state.params == {"leave_out": ["name"]}
    assert state.columns.with_role(0, "feature") == {}


def test_only_roles_that_the_reader_can_give_are_offered(state: ImportState) -> None:
    offered = {choice.role: choice for choice in state.columns.roles_for(0)}
    assert set(offered) == {"feature", "truth", "items", "left out"}
    assert not offered["feature"].allowed  # it holds texts
    state.reader = "reader/excel"
    assert state.columns.roles_for(0) == []


def test_notes_hold_what_the_findings_do_not_say(state: ImportState) -> None:
    notes = state.notes()
    assert notes[0] == "Another remark."
    assert "'name' has a different value in every row" in notes[1]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (
            TablePreview(("a", "b"), (("1", "2"), ("3",)), ("feature",) * 2),
            "Row 2 has 1 cell, but there are 2 columns",
        ),
        (TablePreview(("a",), (), ("feature",)), "no rows"),
        (TablePreview(("a",), (("x",),), ("left out",)), "No column contains numbers"),
        ("'a.csv' is empty.", "is empty"),
    ],
)
def test_what_cannot_be_read_is_said_and_not_opened(
    state: ImportState, answer: TablePreview | str, words: str
) -> None:
    state.take(answer)
    assert words in state.problem
    assert not state.can_open


def test_a_folder_is_read_by_what_its_files_are(tmp_path: Path) -> None:
    catalogue = Catalogue((*CATALOGUE.methods, reader("texts", ".csv"), reader("images", ".npy")))
    (tmp_path / "faces").mkdir()
    (tmp_path / "faces" / "a.png").touch()
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "a.txt").touch()
    state = ImportState(tmp_path / "faces", catalogue)
    assert state.reader == "reader/images"
    assert "folder" in state.remark
    assert ImportState(tmp_path / "letters", catalogue).reader == "reader/texts"


def test_a_column_of_a_few_texts_is_offered_as_known_classes() -> None:
    preview = TablePreview(
        columns=("sort", "years", "remark"),
        rows=tuple(("ab"[i % 2], "1", f"text {i % 5}") for i in range(8)),
        roles=("left out", "feature", "left out"),
        named=True,
    )
    state = ImportState(Path("sorts.csv"), CATALOGUE)
    state.take(preview)
    assert "'sort' has a few repeated values" in " ".join(state.notes())
    state.params = state.columns.with_role(0, "left out")
    assert "repeated values" not in " ".join(state.notes())


def test_a_column_that_could_name_the_items_does_so_unless_somebody_chose_before() -> None:
    preview = TablePreview(
        columns=("country", "years"),
        rows=(("Norway", "12.3"), ("Chad", "2.1")),
        roles=("left out", "feature"),
        named=True,
    )
    state = ImportState(Path("countries.csv"), CATALOGUE)
    assert state.take(preview)
    assert state.params["items"] == "country"
    assert not state.take(preview)  # asked once; what a person then chooses stays
    again = ImportState(Path("countries.csv"), CATALOGUE, params={"delimiter": ","})
    assert not again.take(preview)
    assert "items" not in again.params
