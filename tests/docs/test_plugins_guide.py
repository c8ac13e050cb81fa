"""The plugin guide's examples are plugins: they load, run, and do what the guide says of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core import hooks
from coterie.core.affinity import Affinity
from coterie.core.artefacts import Artefact
from coterie.core.components import KINDS, Cost, Output
from coterie.core.context import Context, Control, Silence
from coterie.core.dataset import Dataset
from coterie.core.encoding import encode
from coterie.core.engine.messages import Run
from coterie.core.engine.runner import Runner
from coterie.core.registry import Registry, describe
from coterie.core.workspace import Workspace

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "plugins.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"), re.M | re.S)
DATA = Dataset(title="points", features=np.array([[0.0, 0.0], [0.0, 1.0], [4.0, 0.0]]))


def component(block: str, name: str) -> Any:
    """Run a block as a module of a plugin and return a class of it."""
    names: dict[str, Any] = {"__name__": "guide"}
    exec(compile(block, str(GUIDE), "exec", dont_inherit=True), names)
    return names[name]


def test_the_guide_has_the_examples_tested_here() -> None:
    assert len(BLOCKS) == 3


def test_the_file_works_when_dropped_in(tmp_path: Path) -> None:
    (tmp_path / "cauchy.py").write_text(BLOCKS[0], encoding="utf-8")
    registry = Registry.load([tmp_path])
    assert registry.catalogue.broken == ()
    method = registry.catalogue.get("kernel/local:cauchy")
    assert method.summary.startswith("Similarity 1 / (1 + ||x - y||² / scale²)")

    workspace = Workspace(tmp_path / "work")
    workspace.write(Artefact("0" * 64, encode(DATA)))
    runner = Runner(registry, workspace, memory=1 << 30, workers=1)
    done = runner.run(
        Run(job=1, use="kernel/local:cauchy", inputs=["0" * 64], params={"scale": 4.0}),
        Silence(),
        Control(),
    )
    affinity = workspace.load(done.key)
    assert affinity.symmetric
    assert affinity.values[0, 2] == pytest.approx(0.5)  # similarity halves at the scale


def test_the_clusterer_loads_runs_and_gives_its_hints() -> None:
    leader = component(BLOCKS[1], "Leader")
    descriptor = describe("clusterer", leader)
    assert descriptor.params["properties"]["threshold"]["slider"] == [0.0, 1.0]
    cauchy = component(BLOCKS[0], "Cauchy")
    similar = cauchy().compute(DATA, params=cauchy.Params(), context=Context())
    context = Context(seed=1)
    found = leader().compute(Affinity(values=similar), params=leader.Params(), context=context)
    assert found.labels.tolist() == [0, 0, 1]
    assert context.checks >= DATA.n


def test_the_transform_publishes_a_model_that_can_be_applied() -> None:
    centre = component(BLOCKS[2], "Centre")
    describe("transform", centre)
    params = centre.Params()
    output = centre().compute(DATA, params=params, context=Context())
    assert isinstance(output, Output)
    assert np.allclose(output.main.dense_features().mean(axis=0), 0)  # type: ignore[union-attr]
    again = centre().apply(output.parts["model"], DATA, Context())
    np.testing.assert_array_equal(again.features, output.main.features)  # type: ignore[union-attr]
    assert isinstance(centre().estimate(DATA, params=params), Cost)


def test_every_kind_and_hook_is_in_the_guide() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    for kind, base in KINDS.items():
        assert f"`{base.__name__}`" in text
        assert f"`{hooks.PROJECT}_{kind}s`" in text


def test_every_hint_that_forms_know_is_in_the_guide() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    forms = GUIDE.parents[1] / "gui" / "forms"
    source = "\n".join(file.read_text(encoding="utf-8") for file in forms.glob("*.py"))
    known = {"slider", "log", "unit", "advanced", "only_if"} & set(re.findall(r'"(\w+)"', source))
    assert {"slider", "unit"} <= known
    assert all(f'"{hint}"' in text for hint in known)
