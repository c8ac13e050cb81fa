"""The codes of errors, written from `coterie.core.error_codes`."""

from __future__ import annotations

from pathlib import Path

from coterie.core.error_codes import SECTIONS

FILE = "errors.md"
INTRODUCTION = """\
# Error codes

Every error has a message for people and a code for programs. Messages are reworded now and then;
a code never changes its meaning. You find it

- in Python: `error.code` of a `CoterieError`,
- on the command line: with `--json`, a command that fails prints
  `{"error": {"code": …, "message": …}}`,
- in the window: behind *Details* of a message.

Plugins may use these codes or their own: `raise DataError("…", code="missing-values")`. Without
one, an error has the code of its class, such as `data`.
"""


def write(docs: Path) -> Path:
    """Write the page and return its path."""
    parts = [INTRODUCTION]
    for title, codes in SECTIONS.items():
        rows = [f"| `{code}` | {meaning} |" for code, meaning in sorted(codes.items())]
        parts += [f"## {title}\n", "| Code | Meaning |\n|---|---|", *rows, ""]
    page = docs / FILE
    page.write_text("\n".join(parts).rstrip() + "\n", encoding="utf-8")
    return page
