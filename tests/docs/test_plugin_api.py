"""The plugin API's page has every public name, and says what the docstrings say."""

from __future__ import annotations

import sys
from pathlib import Path

from coterie import core

DOCS = Path(__file__).resolve().parents[2] / "docs"
sys.path.append(str(DOCS / "making"))  # scripts of the documentation, no package

import api_page  # noqa: E402


def test_the_page_is_up_to_date() -> None:
    written = (DOCS / api_page.FILE).read_text(encoding="utf-8")
    assert written == api_page.page(), "run ./dev docs"


def test_every_public_name_is_on_it() -> None:
    told = {name for names in api_page.SECTIONS.values() for name in names} | set(api_page.OTHERS)
    assert told == set(core.__all__)


def test_everything_on_it_is_explained() -> None:
    empty = [line for line in api_page.page().splitlines() if line.endswith("|  |")]
    assert empty == []


def test_the_guide_leads_to_it() -> None:
    assert "(plugin-api.md)" in (DOCS / "plugins.md").read_text(encoding="utf-8")
