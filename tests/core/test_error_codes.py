"""Codes of errors: listed once, all of them used, and documented."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from coterie import core
from coterie.core.error_codes import CODES
from coterie.core.errors import CoterieError, DataError, code_of
from tests.refusals import refuses

ROOM = Path(core.__file__).parents[1]
DOCS = Path(__file__).parents[2] / "docs" / "errors.md"
PACKAGES = ("core", "plugins", "projects", "gui")
GENERAL = {
    "CoterieError", "DataError", "ParameterError", "PluginError", "RecipeError",
    "EngineError", "WorkspaceError", "ProjectFileError",
}  # fmt: skip


def _literals(node: ast.expr) -> set[str]:
    """Return the texts that an expression can give: of a literal, or of a choice between some."""
    return {
        part.value
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    }


def _codes(tree: ast.AST) -> Iterator[str]:
    """Yield the codes given as an argument, as the default of a class, or by `code_of`."""
    for node in ast.walk(tree):
        match node:
            case ast.keyword(arg="code", value=value):
                yield from _literals(value)
            case ast.ClassDef(body=lines):
                for line in lines:
                    match line:
                        case (
                            ast.Assign(targets=[ast.Name(id="code")], value=ast.expr() as value)
                            | ast.AnnAssign(target=ast.Name(id="code"), value=ast.expr() as value)
                        ):
                            yield from _literals(value)
            case ast.FunctionDef(name="code_of", body=[_, *lines]):
                for part in ast.walk(ast.Module(lines, [])):
                    if isinstance(part, ast.Return) and part.value is not None:
                        yield from _literals(part.value)


def _without_code(tree: ast.AST) -> Iterator[int]:
    """Yield the lines that make an error of a general class without a code."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), keywords=given):
                if name in GENERAL and not any(keyword.arg == "code" for keyword in given):
                    yield node.lineno


@cache
def _read(package: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the codes that a package uses, and where it makes errors without one."""
    used: set[str] = set()
    without = []
    for file in (ROOM / package).rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        used.update(_codes(tree))
        without += [f"{file.relative_to(ROOM)}:{line}" for line in _without_code(tree)]
    return frozenset(used), tuple(without)


def test_every_code_is_listed_and_every_listed_code_is_used() -> None:
    used = {code for package in PACKAGES for code in _read(package)[0]}
    assert sorted(used - {""}) == sorted(CODES)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_raise_has_a_code_of_its_own(package: str) -> None:
    assert _read(package)[1] == ()


@pytest.mark.parametrize("code", CODES)
def test_a_code_is_a_few_words_joined_by_hyphens_and_explained(code: str) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+){0,3}", code)
    assert CODES[code].endswith(".")


def test_the_page_of_errors_lists_every_code() -> None:
    listed = re.findall(r"^\| `([a-z0-9-]+)` \| (.+) \|$", DOCS.read_text(encoding="utf-8"), re.M)
    assert dict(listed) == CODES


def test_an_error_has_the_code_given_or_that_of_its_class() -> None:
    assert DataError("It is gone.", code="file-not-found").code == "file-not-found"
    assert DataError("It is gone.").code == "data"
    assert CoterieError("It is gone.").code == "error"


def test_errors_of_others_get_the_nearest_code() -> None:
    assert code_of(FileNotFoundError()) == "file-not-found"
    assert code_of(PermissionError()) == "file-access"
    assert code_of(ValueError()) == "internal"


def test_an_expected_refusal_is_checked_by_code() -> None:
    with refuses("file-not-found", DataError):
        _refuse("file-not-found")
    with pytest.raises(AssertionError, match="data: There"), refuses("file-not-found"):
        _refuse("data")


def _refuse(code: str) -> None:
    raise DataError("There is no file.", code=code)
