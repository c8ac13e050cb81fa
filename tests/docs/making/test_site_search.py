"""The site's search: every section is in its index, under its own address."""

from __future__ import annotations

import json
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parents[3] / "docs"
sys.path.append(str(DOCS / "making"))

import site_pages  # noqa: E402
import site_search  # noqa: E402


def test_sections_are_found_by_their_anchor_with_their_words() -> None:
    text = "# Page\n\nAbove *all*.\n\n<!-- made -->\n## A `b`\n\n| x |\n|---|\n| 1 |\n\n    ls\n"
    title, tokens = site_pages.parsed(text)
    found = list(site_search.sections(tokens, "docs/page.html", title))
    assert [(each.address, each.heading, each.text) for each in found] == [
        ("docs/page.html#page", "Page", "Above all."),
        ("docs/page.html#a-b", "A b", "x 1 ls"),
    ]


def test_the_index_is_a_script_of_all_sections() -> None:
    sections = [site_search.Section("a.html#b", "A", "B", 'said "</script>" once')]
    script = site_search.index(sections)
    assert script.startswith("const SECTIONS = ")
    rows = json.loads(script.removeprefix("const SECTIONS = ").rstrip(";\n"))
    assert rows == [["a.html#b", "A", "B", 'said "</script>" once']]


def test_comments_in_a_page_are_not_shown() -> None:
    title, tokens = site_pages.parsed("# Page\n\n<!-- scores -->\n\ntext\n")
    assert title == "Page"
    assert not any("scores" in token.content for token in tokens)
