"""Methods that code outside plugins/ names: each exists, and is written in one module."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from coterie.core import well_known
from coterie.core.catalogue.registry import Registry

ROOT = Path(well_known.__file__).parent.parent
NAMES = {name: value for name, value in vars(well_known).items() if name.isupper()}


@cache
def _methods() -> frozenset[str]:
    return frozenset(method.name for method in Registry.load(safe_mode=True).catalogue)


@pytest.mark.parametrize("name", NAMES)
def test_each_well_known_method_exists_and_is_called_after_it(name: str) -> None:
    assert NAMES[name] in _methods()
    assert name == re.sub(r"\W", "_", NAMES[name]).upper()


@pytest.mark.parametrize("package", ["core", "projects", "gui"])
def test_no_other_text_names_a_method(package: str) -> None:
    longest_first = sorted(_methods(), key=len, reverse=True)
    named = re.compile(rf"(?<![\w/-])({'|'.join(map(re.escape, longest_first))})(?![\w/-])")
    found = [
        f"{file.relative_to(ROOT)}:{line} {text!r:.60}"
        for file in sorted((ROOT / package).rglob("*.py"))
        if file != Path(well_known.__file__)
        for line, text in _texts(ast.parse(file.read_text(encoding="utf-8")))
        if named.search(text)
    ]
    assert not found, "Use coterie.core.well_known instead."


def _texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and text of all texts in a module that are not documentation."""
    documentation = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = (node for node in ast.walk(tree) if isinstance(node, ast.Constant))
    for node in texts:
        if isinstance(node.value, str) and node not in documentation:
            yield node.lineno, node.value
