"""The first lines of files, asked of the readers through a session."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core.formats.columns.previews import ENCODED
from coterie.core.formats.files.tabular import TablePreview
from coterie.projects.session import Session


class Asker:
    """Asks for previews and waits for the answers."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.answers: dict[int, TablePreview | str] = {}
        session.questions.file_previewed.connect(self.answers.__setitem__)

    def ask(self, path: Path, reader: str = "reader/csv", **params: Any) -> TablePreview | str:
        number = self.session.questions.preview_file(path, reader, params)
        until = time.monotonic() + 30
        while number not in self.answers and time.monotonic() < until:
            self.session.pump()
            time.sleep(0.005)
        return self.answers[number]


@pytest.fixture(scope="module")
def asker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    session = Session(engine="inprocess", root=tmp_path_factory.mktemp("workspaces"))
    session.start()
    session._background.do_quietly(lambda: None)  # or its thread begins in one of the tests
    yield Asker(session)
    session.close()


def test_every_guess_about_a_text_table_is_told(asker: Asker, tmp_path: Path) -> None:
    path = tmp_path / "prices.csv"
    path.write_bytes("Größe;Stadt;class\n1,5;Zürich;a\n2,25;Köln;b\n".encode("latin-1"))
    table = asker.ask(path)
    assert isinstance(table, TablePreview)
    assert table.columns == ("Größe", "Stadt", "class")
    assert table.roles == ("feature", "items", "truth")
    assert table.rows[1] == ("2,25", "Köln", "b")
    expected = {"delimiter": ";", "decimal": ",", "encoding": "cp1252", "truth": "class"}
    assert expected.items() <= dict(table.guessed).items()


def test_what_is_left_out_is_neither_feature_nor_taken_for_the_truth(
    asker: Asker, tmp_path: Path
) -> None:
    path = tmp_path / "table.csv"
    path.write_text("a,b,label\n1,2,x\n3,4,y\n")
    table = asker.ask(path, leave_out=["b", "label"])
    assert isinstance(table, TablePreview)
    assert table.roles == ("feature", "information", "information")
    assert "truth" not in table.guessed


def test_a_reader_without_a_preview_of_its_own_shows_the_first_rows_of_what_it_reads(
    asker: Asker, tmp_path: Path
) -> None:
    path = tmp_path / "matrix.npy"
    np.save(path, np.arange(400.0).reshape(100, 4))
    table = asker.ask(path, "reader/numpy")
    assert isinstance(table, TablePreview)
    assert table.roles == ("feature",) * 4
    assert len(table.rows) == 50
    assert table.rows[2][1] == "9"
    assert not table.named


def test_a_file_that_cannot_be_read_is_answered_with_one_sentence(
    asker: Asker, tmp_path: Path
) -> None:
    path = tmp_path / "empty.csv"
    path.write_text("")
    answer = asker.ask(path)
    assert isinstance(answer, str)
    assert "is empty" in answer
    answer = asker.ask(tmp_path / "lost.csv")
    assert isinstance(answer, str)
    assert "There is no file" in answer


def test_only_the_newest_question_is_answered(asker: Asker, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("a,b\n1,2\n3,4\n")
    earlier = asker.session.questions.preview_file(path, "reader/csv", {})
    table = asker.ask(path, header="no")
    assert isinstance(table, TablePreview)
    assert table.columns == ("column 1", "column 2")
    assert earlier not in asker.answers


def test_the_encoding_of_a_long_file_is_guessed_from_its_beginning_and_that_is_said(
    asker: Asker, tmp_path: Path
) -> None:
    path = tmp_path / "long.csv"
    path.write_bytes(b"a,b\n" + b"1,2\n" * (ENCODED >> 2) + b"\xff\xfe,3\n")
    table = asker.ask(path)
    assert isinstance(table, TablePreview)
    assert table.guessed["encoding"] == "utf-8"
    assert any("encoding" in note and "first" in note for note in table.notes)
