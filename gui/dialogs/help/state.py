"""The pages of the help window, and how they are found. Knows no Qt."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

from coterie.core.api.kinds import KINDS
from coterie.core.catalogue.descriptors import Catalogue
from coterie.core.catalogue.method_page import method_page

GUIDE = "guide"


@dataclass(frozen=True)
class Topic:
    """A page: its key ("guide", "glossary" or "kind/id"), its title, and the part it is in."""

    key: str
    title: str
    part: str = ""


_DOCUMENTS = (
    (GUIDE, "User guide", "user-guide.md"),
    ("questions", "Questions and problems", "faq.md"),
    ("satellite", "Satellite scenes", "satellite.md"),
    ("glossary", "Words", "glossary.md"),
)


def documents_folder() -> Path | None:
    """Return where the guide is: beside the code, or where an installation puts documents."""
    beside = Path(__file__).resolve().parents[3] / "docs"
    for folder in (beside, Path(sys.prefix) / "share" / "doc" / "coterie"):
        if (folder / "user-guide.md").exists():
            return folder
    return None


def topics(catalogue: Catalogue) -> tuple[Topic, ...]:
    """Return all pages: documents that are at hand, then the methods by kind."""
    folder = documents_folder()
    found = [
        Topic(key, title, "Guide")
        for key, title, file in _DOCUMENTS
        if folder is not None and (folder / file).exists()
    ]
    for kind in KINDS.values():
        methods = sorted(catalogue.of_kind(kind.name), key=lambda one: one.title.casefold())
        found += [Topic(method.name, method.title, kind.title) for method in methods]
    return tuple(found)


def page_of(key: str, catalogue: Catalogue) -> str:
    """Return a page as Markdown."""
    if key in catalogue:
        return method_page(catalogue.get(key))
    folder = documents_folder()
    for name, _, file in _DOCUMENTS:
        if name == key and folder is not None and (folder / file).exists():
            return plain((folder / file).read_text(encoding="utf-8"))
    return f"There is no page about '{key}'."


def plain(text: str) -> str:
    """Return a document as the window can show it: links to other files become their words.

    >>> plain("See [the guide](guide.md#start) and [below](#next).")
    'See the guide and [below](#next).'
    """
    return re.sub(r"(?<!!)\[([^\]]+)\]\((?!#)[^)]*\)", r"\1", text)


def anchors_of(text: str) -> dict[str, str]:
    """Return the headings of a document by the anchors that links name.

    >>> anchors_of("# Start\\n## What is *new*?")
    {'start': 'Start', 'what-is-new': 'What is new?'}
    """
    found: dict[str, str] = {}
    for heading in re.findall(r"^#+ +(.+)$", text, flags=re.MULTILINE):
        words = re.sub(r"[*`]", "", heading).strip()
        anchor = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
        found.setdefault(anchor, words)
    return found
