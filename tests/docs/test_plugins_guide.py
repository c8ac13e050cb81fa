"""The plugin guide's examples are plugins: they load, run, and do what the guide says of them."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from coterie.core.api.components import Cost, Output
from coterie.core.api.context import Context, Control, NullListener
from coterie.core.api.kinds import KINDS
from coterie.core.catalogue.describing import describe
from coterie.core.catalogue.registry import Registry
from coterie.core.engine.messages import Finished, Run
from coterie.core.engine.runner import Runner
from coterie.core.io.workspace import Workspace
from coterie.core.model.dataset import Dataset
from coterie.core.testing import CHECKS, Subject, cases, check_component
from coterie.core.testing.loading import LOADS, QUIET, find_sources
from coterie.core.testing.templates import CHECK as RECIPE

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "plugins.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"), re.M | re.S)
DATA = Dataset(title="points", features=np.array([[0.0, 0.0], [0.0, 1.0], [4.0, 0.0]]))


# The first four are the plugins of the tutorial, the fifth is a test suite, others a class alone.
PLUGINS = {
    "kernel/local:cauchy": BLOCKS[0],
    "clusterer/local:leader": BLOCKS[1],
    "ranker/local:belonging": BLOCKS[2],
    "reader/local:points": BLOCKS[3],
}


def component(block: str, name: str) -> Any:
    """Run a block as a module of a plugin and return a class of it."""
    names: dict[str, Any] = {"__name__": "guide"}
    exec(compile(block, "<guide>", "exec", dont_inherit=True), names)
    return names[name]


def test_the_guide_has_the_examples_tested_here() -> None:
    assert len(BLOCKS) == 7


@pytest.fixture
def dropped_in(tmp_path: Path) -> Registry:
    """All plugins of the tutorial, saved as the guide says."""
    folder = tmp_path / "plugins"
    folder.mkdir()
    for name, block in PLUGINS.items():
        (folder / f"{name.rpartition(':')[2]}.py").write_text(block, encoding="utf-8")
    registry = Registry()
    for source in find_sources(str(folder)):
        registry.add(source)
    return registry


@pytest.mark.parametrize("name", PLUGINS)
def test_every_plugin_of_the_tutorial_keeps_every_promise(name: str, dropped_in: Registry) -> None:
    assert dropped_in.catalogue.broken == ()
    subject = Subject(dropped_in.catalogue.get(name), dropped_in.component(name))
    found = [case.check.find(subject) for case in cases([subject], timed=False)]
    assert [finding.line() for finding in found if finding.outcome == "failed"] == []
    assert sum(finding.outcome == "skipped" for finding in found) == 0


def test_the_tutorial_works_from_file_to_ranking(dropped_in: Registry, tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "work")
    runner = Runner(dropped_in, workspace, memory=1 << 30, workers=1)
    file = tmp_path / "three.points"
    file.write_text("# name and place\na 0 0\nb 0 1\nc 4 0\n", encoding="utf-8")

    def run(use: str, *inputs: str, **order: Any) -> Finished:
        return runner.run(
            Run(job=1, use=use, inputs=list(inputs), **order), NullListener(), Control()
        )

    data = run("reader/local:points", path=str(file)).key
    assert workspace.load(data).item_names == ("a", "b", "c")
    near = run("kernel/local:cauchy", data, params={"scale": 4.0}).key
    affinity = workspace.load(near)
    assert affinity.symmetric
    assert affinity.values[0, 2] == pytest.approx(0.5)  # similarity halves at the scale
    finished = run("clusterer/local:leader", near, params={"threshold": 0.6})
    assert workspace.load(finished.key).labels.tolist() == [0, 0, 1]
    trace = workspace.load(finished.parts["trace"])  # the frames that were drawn
    assert trace.value("leaders").tolist() == [1, 1, 2]
    assert [mark["item"] for mark in trace.marks] == [0, 2]
    order = workspace.load(run("ranker/local:belonging", near, finished.key).key)
    assert order.scores == pytest.approx([16 / 17, 16 / 17, 0.0])


def test_the_suite_of_the_guide_is_a_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    package, methods = ModuleType("mylab"), ModuleType("mylab.methods")
    exec(compile(BLOCKS[0], "<guide>", "exec", dont_inherit=True), vars(methods))
    package.methods = methods  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "mylab", package)
    monkeypatch.setitem(sys.modules, "mylab.methods", methods)
    test = component(BLOCKS[4], "test_conformance")
    [mark] = test.pytestmark
    assert "kernel/cauchy: same-seed" in {str(case) for case in mark.args[1]}


def test_every_check_is_in_the_guide_with_its_promise() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    told = [(check.name, check.promise) for check in CHECKS]
    for name, promise in (LOADS, QUIET, RECIPE, *told):
        assert f"| `{name}` | {promise} |" in text


def test_every_excerpt_is_in_the_package_that_it_is_said_to_be_from() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    found = re.finditer(r"\]\((\.\./[^)]+\.py)\)|^```py\n(.*?)^```$", text, re.M | re.S)
    source, excerpts = "", 0
    for match in found:
        if match[1]:
            source = (GUIDE.parent / match[1]).read_text(encoding="utf-8")
        else:
            excerpts += 1
            assert match[2] in source
    assert excerpts >= 9


def test_every_example_package_is_in_the_guide() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    examples = GUIDE.parents[1] / "packaging" / "examples"
    packages = [folder.name for folder in examples.iterdir() if (folder / "src").is_dir()]
    assert len(packages) >= 8
    for name in packages:
        assert f"(../packaging/examples/{name})" in text


def test_every_link_of_the_guide_leads_somewhere() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    links = re.findall(r"\]\((\.\./[^)]+)\)", text)
    assert len(links) > 15
    assert [link for link in links if not (GUIDE.parent / link).exists()] == []
    folders = {Path(link).parts[2] for link in links if link.startswith("../plugins/")}
    assert folders == {kind.folder for kind in KINDS.values()}


def test_the_commands_of_the_guide_are_there() -> None:
    for command in re.findall(r"^coterie (.*)$", GUIDE.read_text(encoding="utf-8"), re.M):
        words = command.split()
        assert words[0] == "plugin"
        assert words[1] in ("new", "check")


def test_the_clusterer_gives_its_hints() -> None:
    descriptor = describe("clusterer", component(BLOCKS[1], "Leader"))
    assert descriptor.params["properties"]["threshold"]["slider"] == [0.0, 1.0]
    assert descriptor.params["properties"]["order"]["advanced"] is True


def test_the_transform_publishes_a_model_that_can_be_applied() -> None:
    centre = component(BLOCKS[5], "Centre")
    describe("transform", centre)
    params = centre.Params()
    output = centre().compute(DATA, params=params, context=Context())
    assert isinstance(output, Output)
    assert np.allclose(output.main.dense_features().mean(axis=0), 0)  # type: ignore[union-attr]
    again = centre().apply(output.parts["model"], DATA, Context())
    np.testing.assert_array_equal(again.features, output.main.features)  # type: ignore[union-attr]
    assert isinstance(centre().estimate(DATA, params=params), Cost)


def test_the_plot_keeps_every_promise() -> None:
    sizes = component(BLOCKS[6], "Sizes")
    verdict = check_component(sizes, timed=False)
    assert {one.check for one in verdict.failures} <= {"estimate"}, verdict.failures


def test_every_kind_and_hook_is_in_the_guide() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    for kind in KINDS.values():
        assert f"`{kind.base.__name__}`" in text
        assert f"`{kind.hook}`" in text


def test_every_hint_that_forms_know_is_in_the_guide() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    forms = GUIDE.parents[1] / "gui" / "toolkit" / "forms"
    source = "\n".join(file.read_text(encoding="utf-8") for file in forms.glob("*.py"))
    known = {"slider", "log", "unit", "advanced", "only_if"} & set(re.findall(r'"(\w+)"', source))
    assert {"slider", "unit"} <= known
    assert all(f'"{hint}"' in text for hint in known)
