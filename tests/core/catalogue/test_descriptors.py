"""The catalogue knows every method without its code, and what comes close to a wrong name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from coterie.core.catalogue.descriptors import BrokenPlugin, Catalogue, Descriptor, Need
from coterie.core.errors import UnknownComponentError
from tests.refusals import refuses


def descriptor(kind: str = "kernel", id: str = "gaussian", **fields: object) -> Descriptor:
    made = {
        "kind": kind,
        "id": id,
        "title": id.title(),
        "summary": "",
        "version": "1",
        "origin": "coterie 1",
        "params": {"type": "object"},
        "needs": ("dataset",),
        "gives": "affinity",
        **fields,
    }
    return Descriptor(**made)  # type: ignore[arg-type]


CATALOGUE = Catalogue(
    methods=(
        descriptor(defaults={"sigma": 1.0}),
        descriptor(id="laplace"),
        descriptor("reader", "csv", extensions=(".csv", ".csv.gz"), needs=("path",)),
    ),
    broken=(BrokenPlugin("bad.py", "SyntaxError", "Traceback …"),),
)


def test_the_catalogue_survives_json() -> None:
    assert Catalogue.from_json(json.loads(json.dumps(CATALOGUE.as_json()))) == CATALOGUE


def test_a_method_is_found_by_kind_and_id() -> None:
    assert CATALOGUE.get("kernel/laplace").title == "Laplace"
    assert "kernel/laplace" in CATALOGUE
    assert "laplace" not in CATALOGUE
    assert [method.id for method in CATALOGUE.of_kind("kernel")] == ["gaussian", "laplace"]


@pytest.mark.parametrize("name", ["kernel/gausian", "kernal/gaussian"])
def test_a_slip_of_the_finger_gets_the_one_suggestion(name: str) -> None:
    with refuses("unknown-method", UnknownComponentError, match="kernel/gaussian"):
        CATALOGUE.get(name)


def test_a_missing_plugin_is_named() -> None:
    with refuses("unknown-method", UnknownComponentError, match="'mylab'"):
        CATALOGUE.get("clusterer/mylab:wonder")


def test_anything_else_leads_to_the_list() -> None:
    with refuses("unknown-method", UnknownComponentError):
        CATALOGUE.get("zzz")


@pytest.mark.parametrize("name", ["a.csv", "A.CSV", "a.b.csv.gz"])
def test_a_reader_is_found_by_the_ending(name: str) -> None:
    reader = CATALOGUE.reader_for(name)
    assert reader is not None
    assert reader.id == "csv"


def test_no_reader_is_found_for_other_endings() -> None:
    assert CATALOGUE.reader_for("a.pdf") is None


def test_a_folder_is_known_by_a_file_in_it_that_no_other_has(tmp_path: Path) -> None:
    scenes = descriptor("reader", "raster", extensions=(".tif", "_mtl.txt"), needs=("path",))
    catalogue = Catalogue((*CATALOGUE.methods, scenes))
    assert catalogue.reader_of(tmp_path) is None
    for name in ("a.csv", "b.tif"):
        (tmp_path / name).touch()
    assert catalogue.reader_of(tmp_path) is None  # what many files end in says nothing of a folder
    (tmp_path / "LC08_MTL.TXT").touch()
    assert catalogue.reader_of(tmp_path) is scenes
    assert catalogue.reader_of(tmp_path / "a.csv") is CATALOGUE.reader_for("a.csv")
    assert catalogue.reader_of(tmp_path / "gone") is None


@pytest.mark.parametrize(
    ("text", "need"),
    [
        ("affinity", Need(("affinity",))),
        ("dataset|affinity", Need(("dataset", "affinity"))),
        ("clustering?", Need(("clustering",), optional=True)),
        ("affinity+", Need(("affinity",), many=True)),
    ],
)
def test_the_short_form_of_needs(text: str, need: Need) -> None:
    assert Need.parse(text) == need


@pytest.mark.parametrize(
    ("needs", "given", "fits"),
    [
        (("affinity",), ["affinity"], True),
        (("affinity",), ["dataset"], False),
        (("affinity",), [], False),
        (("affinity",), ["affinity", "affinity"], False),
        (("affinity", "clustering?"), ["affinity"], True),
        (("affinity", "clustering?"), ["affinity", "clustering"], True),
        (("affinity", "clustering?"), ["affinity", "ranking"], False),
        (("affinity+",), ["affinity", "affinity", "affinity"], True),
        (("affinity+",), ["affinity", "dataset"], False),
        (("any", "path"), ["trace", "path"], True),
        ((), [], True),
    ],
)
def test_inputs_are_refused_in_words(needs: tuple[str, ...], given: list[str], fits: bool) -> None:
    refusal = descriptor(needs=needs).refusal(given)
    assert (refusal == "") == fits
    assert fits or refusal.startswith("kernel/gaussian ")
