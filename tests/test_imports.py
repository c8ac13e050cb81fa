"""No module imports itself by way of others, not even for its types."""

import ast
from collections.abc import Container, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("core", "plugins", "projects", "gui")
TOP = ROOT / "projects" / "python"  # is `coterie` itself

# Pairs that know each other: the second should not import the first.
KNOWN = {
    ("coterie.core.formats.rasters.formats", "coterie.core.formats.products.envisat"),
    ("coterie.core.testing.subjects", "coterie.core.testing.verdicts"),
    ("coterie.gui.dialogs.import_data.state", "coterie.gui.dialogs.import_data.hints"),
    ("coterie.gui.toolkit.styling.theme", "coterie.gui.toolkit.styling.stylesheet"),
    ("coterie.gui.views.convergence.view", "coterie.gui.views.convergence.filming"),
    ("coterie.gui.views.map.state", "coterie.gui.views.map.layers.build"),
    ("coterie.gui.views.map.view", "coterie.gui.views.map.assessing.controller"),
    ("coterie.gui.views.map.view", "coterie.gui.views.map.classes.controller"),
    ("coterie.gui.views.map.view", "coterie.gui.views.map.finishing.controller"),
    ("coterie.gui.views.map.view", "coterie.gui.views.map.labelling.controller"),
    ("coterie.gui.views.map.view", "coterie.gui.views.map.pixel_controller"),
    ("coterie.gui.views.map.view", "coterie.gui.views.map.regions.controller"),
    ("coterie.gui.views.map.view", "coterie.gui.views.map.teaching.controller"),
}


def _modules() -> dict[str, Path]:
    """Every module of the package by its name; that of a package is its `__init__`."""
    found = {}
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            inside = path.relative_to(TOP if path.is_relative_to(TOP) else ROOT)
            parts = inside.parent.parts if path.stem == "__init__" else inside.with_suffix("").parts
            found[".".join(("coterie", *parts))] = path
    return found


def _imported(path: Path, modules: Container[str]) -> Iterator[str]:
    """The modules that a file imports: at its top, in functions, or for its types alone."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name in modules)
        elif isinstance(node, ast.ImportFrom) and (package := node.module or "") in modules:
            inside = (f"{package}.{name.name}" for name in node.names)
            yield from (name if name in modules else package for name in inside)


@pytest.fixture(scope="module")
def graph() -> dict[str, set[str]]:
    modules = _modules()
    return {name: set(_imported(path, modules)) - {name} for name, path in modules.items()}


def test_imports_have_no_cycles(graph: dict[str, set[str]]) -> None:
    without = {
        name: {other for other in others if (other, name) not in KNOWN}
        for name, others in graph.items()
    }
    try:
        TopologicalSorter(without).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))


def test_known_cycles_are_there(graph: dict[str, set[str]]) -> None:
    gone = {(first, second) for first, second in KNOWN if first not in graph.get(second, ())}
    assert not gone, "take these out of KNOWN"


def test_a_cycle_by_type_checking_alone_is_found(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from x import b\n")
    assert set(_imported(file, {"x", "x.b"})) == {"x.b"}
    assert set(_imported(file, {"x"})) == {"x"}
