"""The methods reference says what the catalogue says."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from coterie.core.catalogue import method_page
from coterie.core.catalogue.descriptors import Catalogue
from coterie.core.catalogue.registry import Registry

DOCS = Path(__file__).resolve().parents[2] / "docs"
sys.path.append(str(DOCS / "making"))  # scripts of the documentation, no package

import method_pages  # noqa: E402


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return Registry.load(safe_mode=True).catalogue


def test_the_pages_are_up_to_date(catalogue: Catalogue) -> None:
    folder = DOCS / "methods"
    pictures = {path.name for path in (folder / method_pages.PICTURES).glob("*.svg")}
    stale = [
        name
        for name, text in method_pages.pages(catalogue, pictures).items()
        if not (folder / name).exists() or (folder / name).read_text(encoding="utf-8") != text
    ]
    assert not stale, "run ./dev docs"


def test_every_method_says_when_to_use_it(catalogue: Catalogue) -> None:
    when = method_page.when_to_use()
    assert set(when) == {method.name for method in catalogue}, "mend core/catalogue/when.toml"
    assert all(text.endswith(".") for text in when.values())


def test_what_a_parameter_takes_is_said_in_words() -> None:
    choice = {"anyOf": [{"type": "number", "exclusiveMinimum": 0}, {"const": "auto"}]}
    assert method_page.allowed(choice) == "number > 0 or `auto`"
    assert method_page.allowed({"enum": ["a", "b"]}) == "`a`, `b`"
    assert method_page.allowed({"type": "integer", "minimum": 1, "unit": "items"}) == (
        "whole number ≥ 1 [items]"
    )


def test_mathematics_is_not_taken_for_markdown() -> None:
    assert method_page.escape("x_i * a < b, `x_i`") == "x\\_i \\* a &lt; b, `x_i`"
