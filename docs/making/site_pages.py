"""The static site: the pages of docs/, README, changelog and benchmarks, as HTML files.

Nothing is loaded from elsewhere, so the pages work from a disk; only the search needs a script.
"""

from __future__ import annotations

import html
import re
import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import site_search
from markdown_it import MarkdownIt
from markdown_it.token import Token

MENU = (
    ("Start", (("index.html", "Coterie"), ("docs/user-guide.html", "User guide"),
               ("docs/faq.html", "Questions and problems"),
               ("CHANGELOG.html", "Changes"), ("docs/upgrading.html", "From 0.1 to 0.2"))),
    ("Guides", (("docs/satellite.html", "Satellite scenes"), ("docs/python.html", "Python"),
                ("docs/plugins.html", "Plugins"), ("docs/dynamics.html", "Dynamics"),
                ("docs/cuts.html", "Cuts"), ("docs/certificates.html", "Certificates"))),
    ("Reference", (("docs/methods/README.html", "Methods"),
                   ("docs/command-line.html", "Command line"),
                   ("docs/plugin-api.html", "Plugin interface"),
                   ("docs/file-format.html", "File format"), ("docs/errors.html", "Errors"),
                   ("docs/glossary.html", "Glossary"))),
    ("Measured", (("docs/quality.html", "Quality"), ("docs/scale.html", "Scale"),
                  ("docs/reproductions.html", "Reproductions"),
                  ("docs/reliability.html", "Reliability"), ("docs/security.html", "Security"),
                  ("bench/README.html", "Benchmarks"))),
    ("Inside", (("docs/architecture.html", "Architecture"),
                ("docs/contributing.html", "Contributing"), ("docs/adr/README.html", "Decisions"))),
)  # fmt: skip
STYLE = """
:root { color-scheme: light dark; --ink: #1d2733; --page: #fff; --soft: #f3f5f8; --line: #d7dde5;
  --link: #1a56a8; }
@media (prefers-color-scheme: dark) { :root { --ink: #dde4ec; --page: #14191f; --soft: #1d242c;
  --line: #344050; --link: #8fb8f0; } }
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; color: var(--ink); background: var(--page) }
.page { display: grid; grid-template-columns: 15rem minmax(0, 1fr); max-width: 80rem; margin: auto }
nav { padding: 2rem 1.5rem; position: sticky; top: 0; align-self: start }
nav b { display: block; margin: 1.2rem 0 .3rem; font-size: .85rem; opacity: .7 }
input[type=search] { font: inherit; width: 100%; padding: .3rem .5rem; color: inherit;
  background: var(--page); border: 1px solid var(--line); border-radius: 6px }
nav a { display: block; padding: .1rem 0; text-decoration: none }
nav a[aria-current] { font-weight: 600; color: var(--ink) }
main { padding: 1.5rem 2rem 4rem; max-width: 58rem }
a { color: var(--link) }
h1, h2, h3 { line-height: 1.25; margin-top: 2em } h1 { margin-top: .5em }
h2 { border-top: 1px solid var(--line); padding-top: 1em }
img { max-width: 100%; height: auto; background: #fff; border-radius: 6px }
pre { background: var(--soft); padding: 1rem; overflow: auto; border-radius: 6px;
  line-height: 1.35 }
code { font: .9em ui-monospace, monospace; background: var(--soft); border-radius: 3px;
  padding: .05em .25em }
pre code { padding: 0 }
.wide { overflow-x: auto } table { border-collapse: collapse; font-size: .92em }
th, td { text-align: left; vertical-align: top; padding: .35rem .7rem;
  border-bottom: 1px solid var(--line) }
@media (max-width: 50rem) { .page { display: block } nav { position: static } }
"""
PAGE = """<!doctype html>
<html lang="en-GB">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="{root}docs/pictures/coterie.svg">
<link rel="stylesheet" href="{root}style.css">
<div class="page">
<nav aria-label="Pages">{search}{menu}</nav>
<main>
{content}
</main>
</div>
</html>
"""


def build(docs: Path, into: Path) -> Iterator[Path]:
    """Write the site again; return the pages."""
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    (into / "style.css").write_text(STYLE.strip() + "\n", encoding="utf-8")
    root = docs.parent
    found: list[site_search.Section] = []
    for source in sources(docs):
        inside = source.relative_to(root)
        name = "index.html" if inside.name == "README.md" and len(inside.parts) == 1 else ""
        target = into / (name or inside.with_suffix(".html"))
        target.parent.mkdir(parents=True, exist_ok=True)
        place = target.relative_to(into).as_posix()
        title, tokens = parsed(source.read_text(encoding="utf-8"))
        found += site_search.sections(tokens, place, title)
        target.write_text(_page(title, _rendered(tokens), place), encoding="utf-8")
        yield target
    _write_decisions(docs, into)
    (into / site_search.INDEX).write_text(site_search.index(found), encoding="utf-8")
    search = _page("Search", site_search.CONTENT, site_search.PAGE)
    (into / site_search.PAGE).write_text(search, encoding="utf-8")
    for folder in ("pictures", "methods/pictures"):
        if (docs / folder).is_dir():
            shutil.copytree(docs / folder, into / "docs" / folder, dirs_exist_ok=True)
    shutil.copy(
        root / "gui" / "toolkit" / "styling" / "pictures" / "coterie.svg",
        into / "docs" / "pictures",
    )
    shutil.copy(root / "LICENSE", into / "LICENSE")


def sources(docs: Path) -> list[Path]:
    """Return the pages, in the order of their names."""
    root = docs.parent
    others = [root / name for name in ("README.md", "CHANGELOG.md", "bench/README.md")]
    return [*others, *sorted(docs.rglob("*.md"))]


def slug(heading: str) -> str:
    """Return the anchor of a heading, as GitHub makes it.

    >>> slug("Run a recipe: `coterie run`")
    'run-a-recipe-coterie-run'
    """
    kept = re.sub(r"[^\w\- ]", "", heading.lower())
    return kept.replace(" ", "-")


def reader() -> MarkdownIt:
    """Return what reads our Markdown: CommonMark and tables, HTML left as text."""
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def anchors(text: str) -> list[str]:
    """Return the anchors of a page's headings, numbered where one occurs again."""
    tokens = reader().parse(text)
    return [anchor for _, anchor in _headings(tokens)]


def links(text: str) -> list[str]:
    """Return where a page's links and pictures lead to."""
    found = []
    for token in reader().parse(text):
        for child in token.children or ():
            address = child.attrGet("href") or child.attrGet("src")
            if address:
                found.append(str(address))
    return found


def _headings(tokens: list[Token]) -> Iterator[tuple[Token, str]]:
    seen: dict[str, int] = {}
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            inside = tokens[at + 1].children or ()
            name = slug("".join(child.content for child in inside))
            count = seen.get(name, 0)
            seen[name] = count + 1
            yield token, f"{name}-{count}" if count else name


def parsed(text: str) -> tuple[str, list[Token]]:
    """Return the title of a page and its parts, headings with their anchors; no comments."""
    text = re.sub(r"^<!--.*?-->\n", "", text, flags=re.MULTILINE | re.DOTALL)
    tokens = reader().parse(text)
    for token, anchor in _headings(tokens):
        token.attrSet("id", anchor)
    first = re.search(r"^# (.*)$", text, re.MULTILINE)
    return first.group(1) if first else "Coterie", tokens


def _rendered(tokens: list[Token]) -> str:
    for token in tokens:
        for child in token.children or ():
            if child.type == "link_open":
                address = _as_page(str(child.attrGet("href") or ""))
                child.attrs = {"href": address} if address else {}
    markdown = reader()
    content = str(markdown.renderer.render(tokens, markdown.options, {}))
    content = content.replace("<table>", '<div class="wide"><table>')
    return content.replace("</table>", "</table></div>")


def _page(title: str, content: str, place: str) -> str:
    root = "../" * (len(PurePosixPath(place).parts) - 1)
    return PAGE.format(
        title=html.escape(title),
        root=root,
        search=site_search.FORM.format(root=root),
        menu=_menu(place, root),
        content=content,
    )


def _as_page(address: str) -> str:
    """Turn a link to a Markdown file into one to its page; sources are not on the site: empty."""
    if "://" in address or address.startswith("#"):
        return address
    path, _, anchor = address.partition("#")
    path = re.sub(r"\.md$", ".html", path)
    if path.rstrip("/").endswith("adr"):
        path = path.rstrip("/") + "/README.html"
    if not path.endswith((".html", ".png", ".svg", "LICENSE")):
        return ""
    if path == "../README.html":  # from docs/ up to the first page
        path = "../index.html"
    return f"{path}#{anchor}" if anchor else path


def _menu(place: str, root: str) -> str:
    parts = []
    for heading, entries in MENU:
        parts.append(f"<b>{heading}</b>")
        for address, title in entries:
            here = ' aria-current="page"' if address == place else ""
            parts.append(f'<a href="{root}{address}"{here}>{title}</a>')
    return "".join(parts)


def _write_decisions(docs: Path, into: Path) -> None:
    lines = ["# Decisions", "", "What could have been otherwise, and why it is not.", ""]
    for path in sorted((docs / "adr").glob("[0-9]*.md")):
        title = path.read_text(encoding="utf-8").splitlines()[0].lstrip("# ")
        lines.append(f"- [{title}]({path.name})")
    target = into / "docs" / "adr" / "README.html"
    title, tokens = parsed("\n".join(lines))
    page = _page(title, _rendered(tokens), "docs/adr/README.html")
    target.write_text(page, encoding="utf-8")
