"""The page about changes since 0.1 lists every default and name that has changed."""

from __future__ import annotations

from pathlib import Path

from coterie.projects.recipe.upgrade import DEFAULTS_OF_FORMAT_1, RENAMED_SINCE_FORMAT_1

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "upgrading.md").read_text(encoding="utf-8")


def test_every_changed_default_has_its_row() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    missing = [
        (method, parameter)
        for method, parameters in DEFAULTS_OF_FORMAT_1.items()
        for parameter in parameters
        if not any(f"`{method}`" in row and f"| `{parameter}` |" in row for row in rows)
    ]
    assert not missing


def test_every_new_name_is_given() -> None:
    assert all(f"`{name}`" in PAGE for name in RENAMED_SINCE_FORMAT_1.values())
