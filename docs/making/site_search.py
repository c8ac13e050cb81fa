"""The site's search: an index of every section, and a page that looks words up in it.

The index is a script beside the page, as a browser reads no other file from a disk.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from markdown_it.token import Token

INDEX = "search-index.js"
PAGE = "search.html"
FORM = (
    '<form action="{root}search.html" role="search">'
    '<input type="search" name="q" placeholder="Search" aria-label="Search"></form>'
)
CONTENT = """<h1>Search</h1>
<form action="search.html" role="search">
<input type="search" name="q" id="asked" aria-label="Words to search for" autofocus></form>
<p id="count" role="status"></p>
<div id="found"></div>
<noscript>The search needs JavaScript. The list of pages is on the left.</noscript>
<script src="search-index.js"></script>
<script>
const asked = new URLSearchParams(location.search).get("q") || "";
const words = asked.toLowerCase().split(/\\s+/).filter(Boolean);
const field = document.getElementById("asked");
field.value = asked;

function score(section) {
  const [, page, heading, text] = section;
  const inPage = page.toLowerCase(), inHeading = heading.toLowerCase(), inText = text.toLowerCase();
  let sum = 0;
  for (const word of words) {
    const here = 8 * inHeading.includes(word) + 4 * inPage.includes(word)
      + Math.min(inText.split(word).length - 1, 3);
    if (!here) return 0;
    sum += here;
  }
  return sum;
}

function excerpt(text) {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const start = Math.max(0, Math.min(...places, text.length) - 60);
  return (start ? "\\u2026 " : "") + text.slice(start, start + 220)
    + (text.length > start + 220 ? " \\u2026" : "");
}

if (words.length) {
  const found = SECTIONS.map((section) => [score(section), section])
    .filter(([points]) => points).sort((one, other) => other[0] - one[0]).slice(0, 50);
  document.getElementById("count").textContent = found.length
    ? (found.length === 1 ? "1 section" : found.length + " sections")
    : "Nothing has all of these words. Try fewer, or shorter ones.";
  for (const [, [address, page, heading, text]] of found) {
    const link = document.createElement("a");
    link.href = address;
    link.textContent = heading === page ? page : page + ": " + heading;
    const about = document.createElement("p");
    about.textContent = excerpt(text);
    document.getElementById("found").append(link, about);
  }
}
</script>
"""


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it, as it can be searched."""

    address: str
    page: str
    heading: str
    text: str


def sections(tokens: list[Token], address: str, page: str) -> Iterator[Section]:
    """Yield the sections of a page whose headings have their anchors."""
    where, heading, words = address, page, list[str]()
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            if words:
                yield Section(where, page, heading, " ".join(words))
            where, words = f"{address}#{token.attrGet('id')}", []
            heading = _plain(tokens[at + 1])
        elif token.type == "inline" and (at == 0 or tokens[at - 1].type != "heading_open"):
            words.append(_plain(token))
        elif token.type in ("fence", "code_block"):
            words.append(" ".join(token.content.split()))
    if words:
        yield Section(where, page, heading, " ".join(words))


def index(found: list[Section]) -> str:
    """Return the script that holds the sections."""
    rows = [[each.address, each.page, each.heading, each.text] for each in found]
    text = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    return f"const SECTIONS = {text};\n"


def _plain(token: Token) -> str:
    parts = (" " if child.type == "softbreak" else child.content for child in token.children or ())
    return " ".join("".join(parts).split())
