"""Each result type is declared once, and what is declared exists."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from pathlib import Path

import pytest

from coterie.core.formats.files.tables import Table
from coterie.core.model.arrays import ARRAY_MAPPING, ARRAY_TYPES, declared_type
from coterie.core.model.result_types import RESULT_TYPES, Lazy, ResultType, declare, type_of_noun
from coterie.core.model.results import Result, Score

ROOT = Path(__file__).resolve().parents[3]
TYPES = pytest.mark.parametrize("declared", RESULT_TYPES.values(), ids=RESULT_TYPES)


def _nouns(base: type[Result]) -> set[type[Result]]:
    ours = {noun for noun in base.__subclasses__() if noun.__module__.startswith("coterie.")}
    return ours.union(*map(_nouns, ours))


def test_every_noun_is_declared() -> None:
    assert _nouns(Result) <= {declared.noun for declared in RESULT_TYPES.values()}


@TYPES
def test_what_is_imported_later_can_be(declared: ResultType) -> None:
    for part in fields(declared):
        function = getattr(declared, part.name)
        if isinstance(function, Lazy):
            assert callable(function.load())


@TYPES
def test_main_parts_are_fields(declared: ResultType) -> None:
    assert set(declared.main_parts) <= {part.name for part in fields(declared.noun)}


@TYPES
def test_every_part_is_in_the_page_about_the_file_format(declared: ResultType) -> None:
    page = (ROOT / "docs" / "file-format.md").read_text(encoding="utf-8")
    members = page.partition("| encoding-type |")[2]
    (row,) = re.findall(rf"^\| `{declared.name}` \|(.*)\|$", members, re.M)
    for part in fields(declared.noun):
        if declared_type(part.type) in {*ARRAY_TYPES, ARRAY_MAPPING} and part.name != "sparse":
            assert re.search(rf"`{part.name}(/|`)", row), part.name


@pytest.mark.parametrize("name", ["trace", "metric"])
def test_a_type_is_declared_once(name: str) -> None:
    with pytest.raises(ValueError, match=f"two result types '{name}'"):
        declare(RESULT_TYPES[name])


def test_a_new_version_without_an_upgrade_is_refused() -> None:
    class Newer(Score):
        encoding_type, encoding_version = "newer", 2

    with pytest.raises(ValueError, match="Version 2 of 'newer' has no upgrade from 1"):
        declare(replace(RESULT_TYPES["metric"], noun=Newer))
    assert "newer" not in RESULT_TYPES


def test_anything_else_has_no_type() -> None:
    assert type_of_noun(None) is None
    assert type_of_noun(Table((), ())) is None
    assert type_of_noun(Score(value=1.0)) is RESULT_TYPES["metric"]
