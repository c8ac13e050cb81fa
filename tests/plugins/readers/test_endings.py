"""Which reader, and which writer, a file's ending chooses."""

import pytest

from coterie.core.catalogue.descriptors import Catalogue
from coterie.core.catalogue.registry import Registry

CATALOGUE = Registry.load(safe_mode=True).catalogue


@pytest.mark.parametrize(
    ("name", "reader"),
    [
        ("Iris.CSV", "csv"),
        ("a.csv.gz", "csv"),
        ("a.txt", "csv"),
        ("a.npy", "numpy"),
        ("a.mat", "matlab"),
        ("a.h5", "hdf5"),
        ("a.xlsx", "excel"),
        ("a.parquet", "parquet"),
        ("a.arff.gz", "arff"),
        ("a.json", "json"),
        ("a.jsonl.gz", "json"),
        ("a.tab", "similarity"),
        ("a.edges", "edges"),
        ("a.triplets.gz", "triplets"),
    ],
)
def test_an_ending_chooses_one_reader_whatever_the_order(name: str, reader: str) -> None:
    for methods in (CATALOGUE.methods, CATALOGUE.methods[::-1]):
        found = Catalogue(methods).reader_for(name)
        assert found is not None
        assert found.id == reader


def test_an_ending_chooses_a_writer() -> None:
    for name, writer in (("a.csv", "csv"), ("a.graphml", "graphml"), ("a.edges", "edges")):
        found = CATALOGUE.writer_for(name)
        assert found is not None
        assert found.id == writer
    assert CATALOGUE.writer_for("a.odd") is None
    assert CATALOGUE.reader_for("a.odd") is None


def test_no_two_built_in_readers_claim_one_ending() -> None:
    for kind in ("reader", "writer"):
        claimed = [ending for method in CATALOGUE.of_kind(kind) for ending in method.claims]
        assert len(claimed) == len(set(claimed))
