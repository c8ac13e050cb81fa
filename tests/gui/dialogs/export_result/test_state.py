"""What can be written, by which writers, to which files."""

from pathlib import Path

import pytest

from coterie.core.catalogue.descriptors import Catalogue, Descriptor
from coterie.gui.dialogs.export_result.state import (
    ExportChoice,
    file_name,
    with_writers_ending,
    writers_for,
)


def writer(id: str, takes: str, *extensions: str) -> Descriptor:
    return Descriptor(
        kind="writer",
        id=id,
        title=id,
        summary="",
        version="1",
        origin="coterie",
        params={},
        needs=(takes, "path"),
        gives="file",
        extensions=extensions,
    )


CATALOGUE = Catalogue(
    (writer("csv", "any", ".csv", ".tsv"), writer("graphml", "affinity|dataset", ".graphml"))
)


@pytest.mark.parametrize(
    ("kind", "writers"),
    [
        ("clustering", ["csv"]),
        ("affinity", ["graphml", "csv"]),
        ("dataset", ["csv", "graphml"]),
    ],
)
def test_writers_are_those_that_take_the_result_the_likeliest_first(
    kind: str, writers: list[str]
) -> None:
    assert [w.id for w in writers_for(CATALOGUE, ExportChoice("x", "", kind))] == writers


def test_a_file_gets_the_ending_of_its_writer_unless_it_has_one() -> None:
    table = CATALOGUE.get("writer/csv")
    assert with_writers_ending(Path("a.tsv"), table) == Path("a.tsv")
    assert with_writers_ending(Path("a"), table) == Path("a.csv")
    assert with_writers_ending(Path("a.graphml"), table) == Path("a.csv")


def test_a_file_is_named_for_the_project_and_the_result() -> None:
    assert (
        file_name("Three groups", ExportChoice("groups", "trace", "trace"))
        == "Three-groups-groups-trace"
    )
    assert file_name("", ExportChoice("?", "", "x")) == "result"
