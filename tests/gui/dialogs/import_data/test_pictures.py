"""Texts and pictures in a table, as the import dialog takes them."""

from pathlib import Path

from sklearn.datasets import load_digits

from coterie.core.catalogue.descriptors import Catalogue, Descriptor
from coterie.core.formats.files.tabular import TablePreview
from coterie.gui.dialogs.import_data.pictures import ImportPictures
from coterie.gui.dialogs.import_data.state import ImportState


def reader(id: str, *names: str) -> Descriptor:
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
        extensions=(".csv",),
        default_for=None if id == "csv" else (),
    )


CATALOGUE = Catalogue(
    (
        reader("csv", "truth", "items", "decimal", "leave_out"),
        reader("texts", "truth", "items", "text"),
        reader("images", "truth", "items", "height", "width"),
    )
)
DIGITS = TablePreview(
    columns=tuple(f"p{j}" for j in range(64)),
    rows=tuple(tuple(f"{value:g}" for value in row) for row in load_digits().data[:20]),
    roles=("feature",) * 64,
)
TEXTS = TablePreview(
    columns=("no", "text"),
    rows=tuple((str(i), f"All people are equal before the law {i} " * 9) for i in range(9)),
    roles=("feature", "left out"),
)


def test_texts_are_decided_once_and_a_person_may_decide_otherwise() -> None:
    state = ImportState(Path("a.csv"), CATALOGUE)
    assert state.take(TEXTS)  # to be asked for again, with the reader of texts
    assert state.reader == "reader/texts"
    assert state.params == {"text": "text", "items": "no"}
    assert state.decision.startswith("Read as texts")
    state.choose_reader("reader/csv")
    assert not state.decision
    state.take(TEXTS)
    assert state.reader == "reader/csv"


def test_settings_that_were_made_before_are_not_decided_over() -> None:
    state = ImportState(Path("a.csv"), CATALOGUE, "reader/csv", {"items": "no"})
    state.take(TEXTS)
    assert state.reader == "reader/csv"


def test_a_row_is_drawn_in_the_size_that_is_chosen() -> None:
    state = ImportState(Path("a.csv"), CATALOGUE)
    pictures = ImportPictures(state)
    assert state.take(DIGITS)
    assert pictures.size == (8, 8)
    assert pictures.sizes()[0] == (8, 8)
    drawn = pictures.picture()
    assert drawn is not None
    assert drawn.shape == (8, 8)
    pictures.choose(None)
    assert state.reader == "reader/csv"
    state.take(DIGITS)
    again = ImportPictures(state)
    assert again.size is None
    assert again.picture() is None
    assert again.sizes()[0] == (8, 8)  # still offered
