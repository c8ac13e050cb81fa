"""The steps of docs/contributing.md, done with a made-up result type and a kind that gives it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from coterie import core
from coterie.core import Component
from coterie.core.api import kinds
from coterie.core.api.kinds import KINDS, Kind
from coterie.core.engine.options import EngineOptions
from coterie.core.formats.files.tables import Table
from coterie.core.model import result_types
from coterie.core.model.arrays import Floats
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.core.model.result_types import RESULT_TYPES, ResultType
from coterie.core.model.results import Result
from coterie.gui.panels.project_tree import ProjectTree
from coterie.projects.formatting import summary_in_words
from coterie.projects.jobs.export import Export
from coterie.projects.jobs.job import Status
from coterie.projects.report import contents, snapshot
from coterie.projects.session import Session

ROOT = Path(__file__).resolve().parents[2]
CODE = ("core", "projects", "gui", "docs/making")


@dataclass(frozen=True, eq=False, kw_only=True)
class Heights(Result):
    """How high each item stands: step 1 of a new type."""

    encoding_type: ClassVar[str] = "heights"

    metres: Floats


class Leveller(Component):
    """From a dataset to heights: step 1 of a new kind."""

    kind, gives = "leveller", "heights"
    needs: ClassVar[tuple[str, ...]] = ("dataset",)


HEIGHTS = ResultType(
    noun=Heights,
    title="Heights",
    icon="trace",
    section="results",
    main_parts=("metres",),
    size=lambda heights: f"up to {heights.metres.max():g} m",
    summary=lambda heights: f"{len(heights.metres)} heights",
    table=lambda heights: Table(("metres",), (heights.metres.tolist(),)),
    figure=None,
    caption="",
    main_array=lambda heights: heights.metres,
    per_item=True,
    wrap=lambda value, _: Heights(metres=value) if isinstance(value, np.ndarray) else value,
)
LEVELLER = Kind(base=Leveller, about="Levellers measure heights.", icon="trace")

PLUGIN = f'''
from {__name__} import Leveller

class Sums(Leveller):
    """The sum of all columns."""
    id, title = "sums", "Sums"

    def compute(self, data, *, params, context):
        return data.dense_features().sum(axis=1)
'''
RECIPE = Recipe(
    title="Heights",
    sources=(Source(open="arcs", params={"n": 20}),),
    steps=(Step("levels", "leveller/local:sums", ("data",)),),
)


@pytest.fixture
def declared() -> Iterator[None]:
    """Declare the type and the kind, step 2 of each, and take them back afterwards."""
    result_types.declare(HEIGHTS)
    kinds.declare(LEVELLER)
    yield
    del RESULT_TYPES["heights"], KINDS["leveller"]


@pytest.fixture
def new_session(tmp_path: Path) -> Iterator[Any]:
    made: list[Session] = []
    folder = tmp_path / "plugins"
    folder.mkdir()
    (folder / "sums.py").write_text(PLUGIN, encoding="utf-8")

    def make() -> Session:
        options = EngineOptions(plugin_folders=(folder,), memory=2 << 30, workers=1)
        made.append(Session(engine="inprocess", options=options, root=tmp_path))
        made[-1].start()
        return made[-1]

    yield make
    for session in made:
        if session._storage.folder.exists():
            session.close()


@pytest.mark.usefixtures("declared")
def test_a_new_type_is_computed_saved_reopened_shown_described_and_exported(
    new_session: Any, tmp_path: Path, qtbot: QtBot
) -> None:
    session: Session = new_session()
    session.project.load_recipe(RECIPE)
    session.run()
    session.wait(60)
    failure = session.failure("levels")
    assert session.status("levels") is Status.FRESH, failure and failure.message
    session.exports.add(Export("levels", tmp_path / "levels.csv"))
    file = tmp_path / "a.coterie.h5"
    session.project.save(file)
    session.wait(60)
    metres = np.array(session.results.artefact("levels").metres)
    tree = ProjectTree(session)
    qtbot.addWidget(tree)
    heading = tree.item("levels").parent()
    assert heading is not None
    assert heading.text(0) == "Results"
    assert tree.item("levels").text(1).startswith("up to ")
    said = {getattr(block, "text", "") for block in contents.contents(snapshot.take(session))}
    assert "20 heights." in said
    written = (tmp_path / "levels.csv").read_text(encoding="utf-8").split()
    assert written[0] == "metres"
    assert [float(text) for text in written[1:]] == metres.tolist()

    session.close()
    again: Session = new_session()
    again.project.open_file(file)
    again.wait(60)
    heights = again.fetch("levels")
    assert isinstance(heights, Heights)
    assert again.status("levels") is Status.FRESH
    assert again.results.shape_in_file("levels") == "20"
    assert summary_in_words(heights) == "20 heights"
    np.testing.assert_array_equal(heights.metres, metres)


@cache
def _said(file: Path) -> frozenset[str]:
    """Return every text and name in a module."""
    said: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant):
            said.add(str(node.value))
        elif isinstance(node, ast.Name):
            said.add(node.id)
        elif isinstance(node, ast.Attribute):
            said.add(node.attr)
        elif isinstance(node, ast.ClassDef | ast.alias):
            said.add(node.name)
    return frozenset(said)


def _modules_that_list(*names: set[str]) -> set[str]:
    """Return the modules that name most of `names`: tables of all kinds or types."""
    most = {
        file.relative_to(ROOT).as_posix(): max(len(some & _said(file)) for some in names)
        for folder in CODE
        for file in (ROOT / folder).rglob("*.py")
    }
    return {module for module, count in most.items() if count >= 0.8 * len(names[0])}


def test_a_new_result_type_touches_three_modules() -> None:
    nouns = {declared.noun.__name__ for declared in RESULT_TYPES.values()}
    # Those that draw and write may be anywhere; these two have all that there are so far.
    functions = {"core/formats/files/tables.py", "core/numerics/drawing/figures.py"}
    assert _modules_that_list(nouns, set(RESULT_TYPES)) - functions == {
        "core/__init__.py",
        "core/model/result_types.py",
        "core/model/results.py",
    }


def test_a_new_kind_touches_three_modules() -> None:
    bases = {kind.base.__name__ for kind in KINDS.values()}
    assert _modules_that_list(bases, set(KINDS)) == {
        "core/__init__.py",
        "core/api/components.py",
        "core/api/kinds.py",
    }


def test_plugin_authors_can_import_every_noun_and_base_class() -> None:
    for kind in KINDS.values():
        assert getattr(core, kind.base.__name__) is kind.base
    for declared in RESULT_TYPES.values():
        assert getattr(core, declared.noun.__name__) is declared.noun


@pytest.mark.parametrize("what", ["result type", "kind of method"])
def test_the_steps_name_modules_that_exist(what: str) -> None:
    page = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")
    steps = page.partition(f"**Add a {what}.**")[2].partition("\n\n**")[0]
    named = re.findall(r"`((?:core|docs|tests)/[\w./-]+)`", steps)
    assert len({name for name in named if name.startswith("core/")}) == 3
    assert all((ROOT / name).exists() for name in named)
