"""Plain words: phrases that docs/glossary.md rules out do not come back."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from coterie import core

ROOM = Path(core.__file__).parents[1]
# Each phrase with what to write instead.
PHRASES = {
    r"(?<![Tt]here )\bis no (?!longer\b|more\b|less\b|higher\b|better\b|data\b)": "is not a …",
    r"\banew\b": "again, new",
    r"\bparted by\b": "separated by",
    r"\b(lies|lay|lying)\b": "is",
    r"\btold\b": "reported, given",
    r"\b(?<!annot )tells?\b": "shows, reports, says",
    r", so that\b": ", so",
    r"\b(held|hold|holds) .{0,20}against\b": "compare with",
    r"\bat will\b": "arbitrarily, if wanted",
    r"\btake a sample\b": "use a subset",
    r"\bcan be had\b": "is available",
    r"\breckon": "compute",
    r"\bmay not be\b": "cannot be",
    r"\bmeanwhile\b": "since, while waiting",
    r"\bfor want of\b": "because … is missing",
    r"\bof no use\b": "useless",
    r"\bsecond names\b": "hard links",
    r"\bthe guilty\b": "what failed",
    r"\bheirs?\b": "subclasses",
    r"\b(Tell|tell) (its|the) author\b": "report it to its author",
}
PATTERN = re.compile("|".join(PHRASES))
# From Python 3.12 on, the words of an f-string are tokens of their own.
WORDS = {tokenize.STRING, tokenize.COMMENT, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}


def _texts(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each string and comment."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in WORDS:
            yield token.start[0], token.string


def _offences(place: Path, texts: Iterator[tuple[int, str]]) -> Iterator[str]:
    for line, text in texts:
        for hit in PATTERN.finditer(text):
            around = text[max(0, hit.start() - 30) : hit.end() + 20]
            yield f"{place.relative_to(ROOM)}:{line}: …{around}…"


@pytest.mark.parametrize("package", ["core", "plugins", "projects", "gui", "bench", "docs/making"])
def test_texts_and_comments_are_in_plain_words(package: str) -> None:
    files = sorted((ROOM / package).rglob("*.py"))
    found = (_offences(file, _texts(file.read_text(encoding="utf-8"))) for file in files)
    assert list(chain.from_iterable(found)) == []


def test_the_guides_are_in_plain_words() -> None:
    pages = [ROOM / "README.md", *sorted((ROOM / "docs").glob("*.md"))]
    pages += sorted((ROOM / "docs/adr").glob("*.md"))
    found = (
        _offences(page, enumerate(page.read_text(encoding="utf-8").splitlines(), 1))
        for page in pages
        if page.name != "glossary.md"  # which lists what is ruled out
    )
    assert list(chain.from_iterable(found)) == []


@pytest.mark.parametrize(
    "text",
    [
        "'x' is no number.",
        "cells parted by commas",
        "where the file lies",
        "only 4 GB can be had",
        "It is sorted, so that it is found.",
    ],
)
def test_a_phrase_that_is_ruled_out_is_found(text: str) -> None:
    assert PATTERN.search(text)


def test_plain_sentences_pass() -> None:
    assert not PATTERN.search("There is no file 'x'. It is no longer needed, so it was deleted.")
