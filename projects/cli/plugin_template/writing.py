"""Fills in the templates of a new plugin and writes them, never over what is there."""

from __future__ import annotations

import os
import tempfile
from dataclasses import asdict
from pathlib import Path
from string import Template

from coterie.core.api.kinds import KINDS
from coterie.core.errors import ParameterError, WorkspaceError
from coterie.core.version import VERSION
from coterie.core.wording import with_article
from coterie.projects.cli.plugin_template.names import Names, names_from

TEMPLATES = Path(__file__).parent / "templates"
_PARTING = "---\n"  # between what a test imports and what it tests


def package_files(name: str, kind: str) -> dict[str, str]:
    """Return the files of a new package: path in it, and text.

    >>> sorted(package_files("mykernel", "kernel"))[-2:]
    ['src/mykernel/methods.py', 'tests/test_mykernel.py']
    """
    names = names_from(name)
    filled = {
        path: _filled(f"package/{template}", names, kind)
        for path, template in {
            "pyproject.toml": "pyproject.toml.txt",
            "README.md": "README.md.txt",
            "LICENSE": "LICENSE.txt",
            ".gitignore": "gitignore.txt",
            ".github/workflows/check.yml": "check.yml.txt",
            f"src/{names.module}/__init__.py": "__init__.py.txt",
        }.items()
    }
    filled[f"src/{names.module}/methods.py"] = component_text(name, kind)
    filled[f"tests/test_{names.module}.py"] = _tests(names, kind)
    return filled


def component_text(name: str, kind: str) -> str:
    """Return a module with one method of a kind, which is a complete plugin."""
    if kind not in KINDS:
        raise ParameterError(
            f"Unknown kind '{kind:.80}'. The kinds are {', '.join(KINDS)}.", code="unknown-kind"
        )
    return _filled(f"components/{kind}.txt", names_from(name), kind)


def write_package(name: str, kind: str, into: Path) -> Path:
    """Write a new package into a folder of its own below `into`; return that folder."""
    files = package_files(name, kind)
    folder = into / name
    _refuse_to_overwrite(folder)
    into.mkdir(parents=True, exist_ok=True)
    # All of it or nothing: it is written beside its place and then moved there.
    with tempfile.TemporaryDirectory(prefix=f".{name}-", dir=into) as beside:
        whole = Path(beside) / name
        for path, text in files.items():
            file = whole / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        whole.rename(folder)
    return folder


def write_file(name: str, kind: str, into: Path) -> Path:
    """Write a plugin of one file into `into`, such as the drop-in folder; return the file."""
    file = into / f"{names_from(name).module}.py"
    text = component_text(name, kind)
    _refuse_to_overwrite(file)
    into.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644), "wb") as stream:
        stream.write(text.encode())
    return file


def _refuse_to_overwrite(path: Path) -> None:
    if path.exists() or path.is_symlink():
        raise WorkspaceError(
            f"'{path}' already exists; it was not changed. Choose another name, or "
            "another folder with --into.",
            code="file-exists",
        )


def _tests(names: Names, kind: str) -> str:
    imports, _, tests = _text(f"tests/{kind}.txt").partition(_PARTING)
    head = Template(_text("tests/head.txt")).substitute(
        imports=imports.rstrip(), **_values(names, kind)
    )
    return head + Template(tests).substitute(_values(names, kind))


def _filled(template: str, names: Names, kind: str) -> str:
    return Template(_text(template)).substitute(_values(names, kind))


def _values(names: Names, kind: str) -> dict[str, str]:
    return {**asdict(names), "kind": kind, "a_kind": with_article(kind), "version": VERSION}


def _text(template: str) -> str:
    return (TEMPLATES / template).read_text(encoding="utf-8")
