"""Every link of the documentation leads somewhere, in the files and on the site made of them."""

from __future__ import annotations

import re
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
sys.path.append(str(DOCS / "making"))  # scripts of the documentation, no package

import site_pages  # noqa: E402

PAGES = [path.relative_to(ROOT).as_posix() for path in site_pages.sources(DOCS)]


@cache
def anchors(page: Path) -> frozenset[str]:
    return frozenset(site_pages.anchors(page.read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name: str) -> None:
    page = ROOT / name
    wrong = []
    for address in site_pages.links(page.read_text(encoding="utf-8")):
        if re.match(r"https?://|mailto:", address):
            continue
        path, _, anchor = address.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or not target.is_relative_to(ROOT):
            wrong.append(f"{address}: no such file")
        elif anchor and anchor not in anchors(target):
            wrong.append(f"{address}: no such heading")
    assert not wrong


def test_every_page_can_be_reached_from_the_readme() -> None:
    """Or from the list at the side of the site."""
    listed = {address for _, entries in site_pages.MENU for address, _ in entries}
    seen = {"README.md", *(re.sub(r"html$", "md", a) for a in listed if a != "index.html")}
    waiting = [name for name in seen if (ROOT / name).exists()]
    while waiting:
        page = ROOT / waiting.pop()
        for address in site_pages.links(page.read_text(encoding="utf-8")):
            target = (page.parent / address.partition("#")[0]).resolve()
            if target.suffix == ".md" and target.is_relative_to(ROOT):
                name = target.relative_to(ROOT).as_posix()
                if name not in seen:
                    seen.add(name)
                    waiting.append(name)
    assert {name for name in PAGES if "/adr/" not in name} <= seen


def test_the_pictures_are_of_moderate_size() -> None:
    large = {
        path.name: path.stat().st_size
        for path in (DOCS / "pictures").iterdir()
        if path.stat().st_size > 1_000_000
    }
    assert not large


def test_anchors_are_made_as_on_github() -> None:
    assert site_pages.anchors("# A `b`, c!\n\n## Same\n\n## Same\n") == ["a-b-c", "same", "same-1"]


class Addresses(HTMLParser):
    """What a page of the site links to and calls its parts."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.parts: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            if name == "id" and value:
                self.parts.add(value)


def test_links_of_the_site_lead_somewhere_and_nothing_comes_from_elsewhere(tmp_path: Path) -> None:
    pages = list(site_pages.build(DOCS, tmp_path / "site"))
    found = {path.resolve(): Addresses() for path in (tmp_path / "site").rglob("*.html")}
    for path, addresses in found.items():
        addresses.feed(path.read_text(encoding="utf-8"))
    assert len(pages) == len(PAGES)
    wrong = []
    for path, addresses in found.items():
        for address in addresses.links:
            if re.match(r"https?://|mailto:", address):
                continue
            place, _, anchor = address.partition("#")
            target = (path.parent / place).resolve() if place else path
            if not target.exists() or (anchor and anchor not in found[target].parts):
                wrong.append(f"{path.name}: {address}")
    assert not wrong
