"""A step is computed once, checked, and published with all that is known of how it came about."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core.api.context import Control, NullListener
from coterie.core.catalogue.registry import Registry
from coterie.core.engine.messages import Finished, Preview, Run
from coterie.core.engine.runner import Runner
from coterie.core.errors import (
    Cancelled,
    CostError,
    DataError,
    ParameterError,
    PluginError,
    RecipeError,
    UnknownComponentError,
    WorkspaceError,
)
from coterie.core.io.fingerprints import fingerprint
from coterie.core.io.workspace import Workspace
from coterie.core.model.affinity import Affinity
from tests.refusals import refuses

from .acting import DATA_KEY, acting_folder, filled_workspace, order

MEMORY = 10_000_000
RANDOM = "result = context.rng.random((n, n)); result += result.T"


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    return Registry.load([acting_folder(tmp_path_factory.mktemp("plugins"))])


class Bench:
    """A runner with a workspace."""

    def __init__(self, registry: Registry, folder: Path) -> None:
        self.workspace: Workspace = filled_workspace(folder)
        self.runner = Runner(registry, self.workspace, MEMORY, workers=1)

    def run(self, code: str = "pass", **changes: Any) -> Finished:
        return self.runner.run(order(Run, 1, code, **changes), NullListener(), Control())

    def affinity(self) -> str:
        return self.run(
            "result = np.exp(-np.abs(np.subtract.outer(np.arange(n), np.arange(n))))"
        ).key

    def preview(self, items: int, **changes: Any) -> dict[str, Any]:
        asked = order(Preview, 1, **{"items": items, **changes})
        return self.runner.preview(asked, items, Control()).arrays


@pytest.fixture
def bench(registry: Registry, tmp_path: Path) -> Bench:
    return Bench(registry, tmp_path)


def test_the_second_time_comes_from_the_workspace(bench: Bench, tmp_path: Path) -> None:
    trace = tmp_path / "ran"
    code = f"with open({str(trace)!r}, 'a') as f: f.write('x')\n{RANDOM}"
    first = bench.run(code)
    before = bench.workspace.load(first.key).values
    second = bench.run(code)
    assert (first.cached, second.cached) == (False, True)
    assert first.key == second.key
    np.testing.assert_array_equal(bench.workspace.load(second.key).values, before)
    assert trace.read_text() == "x"


def test_another_seed_is_another_result(bench: Bench) -> None:
    one, other = bench.run(RANDOM, seed=1), bench.run(RANDOM, seed=2)
    assert one.key != other.key
    assert not np.array_equal(
        bench.workspace.load(one.key).values, bench.workspace.load(other.key).values
    )


def test_a_damaged_result_is_computed_again(bench: Bench) -> None:
    key = bench.run().key
    for file in (bench.workspace.folder / "artefacts" / key).glob("*.npy"):
        file.write_bytes(b"")
    again = bench.run()
    assert (again.key, again.cached) == (key, False)
    assert bench.workspace.load(key).n == 5


def test_a_result_that_lost_a_part_is_computed_again(bench: Bench) -> None:
    done = bench.run("context.frame(0)")
    bench.workspace.discard(done.parts["trace"])
    again = bench.run("context.frame(0)")
    assert not again.cached
    assert again.parts["trace"] in bench.workspace


def test_a_damaged_input_is_told(bench: Bench) -> None:
    bench.workspace.discard(DATA_KEY)
    with refuses("result-missing", WorkspaceError):
        bench.run()


def test_provenance_tells_how_it_came_about(bench: Bench) -> None:
    done = bench.run("pass", seed=3)
    about = bench.workspace.read(done.key).provenance
    assert about["component"] == "kernel/local:act"
    assert about["title"] == "Act"
    assert about["version"] == "1"
    assert about["origin"] == "local file acting.py"
    assert about["params"] == {"code": "pass", "estimate": "pass"}
    assert about["inputs"] == [DATA_KEY]
    assert about["seed"] == 3
    assert about["started"].endswith("+00:00")
    assert about["seconds"] >= 0
    assert about["libraries"]["numpy"] == np.__version__
    assert set(about["libraries"]) == {"numpy", "scipy", "scikit-learn"}
    json.dumps(dict(about))


def test_frames_and_events_become_a_trace(bench: Bench) -> None:
    done = bench.run("for i in range(5): context.frame(i, objective=i)\ncontext.event('end', k=1)")
    trace = bench.workspace.load(done.parts["trace"])
    assert trace.objective.tolist() == [0, 1, 2, 3, 4]
    assert trace.marks == ({"iteration": 4, "name": "end", "k": 1},)
    assert trace.dataset is not None
    assert bench.workspace.read(done.parts["trace"]).provenance["part"] == "trace"


def test_parts_are_published_beside_the_result(bench: Bench) -> None:
    done = bench.run("result = Output(result, {'model': Model(arrays={'m': np.ones(2)})})")
    assert set(done.parts) == {"model"}
    assert bench.workspace.load(done.parts["model"]).arrays["m"].tolist() == [1, 1]


def test_a_result_knows_its_dataset_through_every_step(bench: Bench) -> None:
    groups = bench.run(
        "result = np.zeros(n, dtype=int)", use="clusterer/local:act", inputs=[bench.affinity()]
    )
    assert bench.workspace.load(groups.key).dataset.title == "points"
    assert bench.workspace.record(groups.key)["dataset"] == DATA_KEY


@pytest.mark.parametrize(
    ("use", "code", "field"),
    [
        ("kernel", "result = np.eye(n, dtype=int)", "values"),
        ("kernel", "import scipy.sparse as s; result = s.eye(n, format='coo')", "sparse"),
        ("kernel", "result = np.eye(n, dtype=np.float32)", "values"),
        ("clusterer", "result = np.zeros(n, dtype=np.uint8)", "labels"),
        ("ranker", "result = np.arange(n)", "scores"),
    ],
)
def test_a_bare_array_is_wrapped(bench: Bench, use: str, code: str, field: str) -> None:
    inputs = [DATA_KEY] if use == "kernel" else [bench.affinity()]
    done = bench.run(code, use=f"{use}/local:act", inputs=inputs)
    noun = bench.workspace.load(done.key)
    assert getattr(noun, field) is not None
    assert noun.title == "Act"


def test_what_is_true_of_bare_similarities_is_found_out(bench: Bench) -> None:
    one = bench.workspace.load(bench.run("result = np.eye(n)").key)
    other = bench.workspace.load(bench.run("result = -np.tri(n)").key)
    assert (one.symmetric, one.nonnegative) == (True, True)
    assert (other.symmetric, other.nonnegative) == (False, False)


LIES = {
    "nothing": ("kernel", "result = None"),
    "a text": ("kernel", "result = 'similar'"),
    "a list": ("kernel", "result = [[1.0]]"),
    "too few items": ("kernel", "result = np.eye(n - 1)"),
    "too few items in its own noun": ("kernel", "result = Affinity(values=np.eye(n + 1))"),
    "not square": ("kernel", "result = np.ones((n, n + 1))"),
    "one dimension": ("kernel", "result = np.ones(n)"),
    "texts": ("kernel", "result = np.full((n, n), 'a')"),
    "objects": ("kernel", "result = np.full((n, n), None)"),
    "not a number": ("kernel", "result[0, 1] = np.nan"),
    "infinite": ("kernel", "result = Affinity(values=np.full((n, n), np.inf))"),
    "not symmetric": ("kernel", "result = Affinity(values=np.tri(n), symmetric=True)"),
    "negative": ("kernel", "result = Affinity(values=-np.eye(n), nonnegative=True)"),
    "another noun": ("kernel", "result = Clustering(labels=np.zeros(n, dtype=int))"),
    "a class": ("kernel", "result = Affinity"),
    "a strange part": ("kernel", "result = Output(result, {'model': 3})"),
    "a part without name": ("kernel", "result = Output(result, {3: Model()})"),
    "parts without names": ("kernel", "result = Output(result, [Model()])"),
    "output of output": ("kernel", "result = Output(Output(result))"),
    "details that are no JSON": (
        "kernel",
        "result = Affinity(values=result, details={'x': object()})",
    ),
    "a part that cannot be kept": (
        "kernel",
        "result = Output(result, {'a': Model(), 'model': Model(settings={'x': object()})})",
    ),
    "labels that are floats": ("clusterer", "result = np.zeros(n)"),
    "labels below -1": ("clusterer", "result = np.full(n, -2)"),
    "labels for others": ("clusterer", "result = np.zeros(n + 1, dtype=int)"),
    "scores that are none": ("ranker", "result = np.full(n, np.nan)"),
    "scores for others": ("ranker", "result = Ranking(scores=np.zeros(n - 1))"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_lying_component_is_told_and_nothing_is_published(bench: Bench, lie: str) -> None:
    kind, code = LIES[lie]
    inputs = [DATA_KEY] if kind == "kernel" else [bench.affinity()]
    before = set(bench.workspace.keys())
    with refuses(
        "invalid-result",
        PluginError,
        match=rf"{kind}/local:act .*Report it to its author \(local file",
    ):
        bench.run(code, use=f"{kind}/local:act", inputs=inputs)
    assert set(bench.workspace.keys()) == before


def test_inputs_cannot_be_written_to(bench: Bench) -> None:
    with pytest.raises(ValueError, match="read-only"):
        bench.run("data.features[0, 0] = 99")


def test_what_does_not_fit_is_refused_with_alternatives(bench: Bench) -> None:
    estimate = "cost = Cost(bytes=10**12, alternatives=('take a sample', 'use a sparse graph'))"
    with refuses("out-of-memory", CostError, match=r"1\.0"):
        bench.run("raise AssertionError('never run')", params={"estimate": estimate})


@pytest.mark.parametrize("estimate", ["cost = None", "cost = 3", "cost = (1, 2)"])
def test_an_estimate_that_is_none_is_told(bench: Bench, estimate: str) -> None:
    with refuses("invalid-result", PluginError):
        bench.run(params={"estimate": estimate})


def test_an_estimate_says_whether_it_fits(bench: Bench) -> None:
    estimate = "cost = Cost(np.int64(data.n), np.float32(0.5))"
    answer = bench.runner.estimate(order(Run, 1, params={"estimate": estimate}), Control())
    assert (answer.bytes, answer.seconds, answer.fits) == (5, 0.5, True)
    assert type(answer.bytes) is int


def test_wrong_orders_are_told(bench: Bench) -> None:
    with pytest.raises(UnknownComponentError):
        bench.run(use="kernel/nothing")
    with refuses("invalid-parameters", ParameterError, match="'cod'"):
        bench.run(params={"cod": "x"})
    with refuses("input-mismatch", RecipeError):
        bench.run(inputs=[])
    with refuses("input-mismatch", RecipeError):
        bench.run(inputs=[bench.affinity()])
    with refuses("result-missing", WorkspaceError):
        bench.run(inputs=["../../etc"])


def test_a_cancelled_run_publishes_nothing(bench: Bench) -> None:
    control = Control()
    control.cancel()
    with pytest.raises(Cancelled):
        bench.runner.run(order(Run, 1), NullListener(), control)
    assert list(bench.workspace.keys()) == [DATA_KEY]


def test_a_reader_is_keyed_by_the_bytes_of_its_file(bench: Bench, tmp_path: Path) -> None:
    file = tmp_path / "points.csv"
    file.write_text("a,b\n1,2\n3,4\n")

    def run() -> Finished:
        asked = Run(job=1, use="reader/csv", path=str(file))
        return bench.runner.run(asked, NullListener(), Control())

    first, second = run(), run()
    assert second.cached
    about = bench.workspace.read(first.key).provenance
    assert about["source"] == "points.csv"  # not where it lies
    assert about["source_sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
    file.write_text("a,b\n1,2\n3,5\n")
    assert run().key != first.key


@pytest.mark.parametrize("then", ["a,b\n1,2\n3,4\n5,6\n", "a,b\n1,2\n3,4,5\n"])
def test_a_file_that_is_written_to_while_it_is_read_is_not_taken(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, then: str
) -> None:
    file = tmp_path / "points.csv"
    file.write_text("a,b\n1,2\n3,4\n")

    def hashed_before_the_change(*given: Any, **more: Any) -> Any:
        found = fingerprint(*given, **more)
        file.write_text(then)
        return found

    monkeypatch.setattr("coterie.core.engine.source_hash.fingerprint", hashed_before_the_change)
    before = set(bench.workspace.keys())
    asked = Run(job=1, use="reader/csv", path=str(file))
    with refuses("file-changed", DataError):
        bench.runner.run(asked, NullListener(), Control())
    assert set(bench.workspace.keys()) == before


@pytest.mark.parametrize("path", ["", "/nowhere/at/all.csv"])
def test_a_file_that_is_not_there_is_told(bench: Bench, path: str) -> None:
    with refuses("file-not-found", DataError):
        bench.runner.run(Run(job=1, use="reader/csv", path=path), NullListener(), Control())


def test_a_writer_writes_its_file_and_publishes_nothing(bench: Bench, tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    before = set(bench.workspace.keys())
    code = "inputs[1].write_text(data.title)"
    done = bench.run(code, use="writer/local:act", path=str(target))
    assert (done.type, done.key) == ("file", "")
    assert target.read_text() == "points"
    assert set(bench.workspace.keys()) == before


def test_a_file_takes_its_place_only_when_it_is_whole(bench: Bench, tmp_path: Path) -> None:
    target = tmp_path / "out.tar.txt"
    target.write_text("before")
    for code, error in (
        ("inputs[1].write_text('half'); raise ValueError('no more')", ValueError),
        ("None", PluginError),
        ("(inputs[1] / 'x').write_text('')", DataError),
    ):
        with pytest.raises(error):
            bench.run(code, use="writer/local:act", path=str(target))
        assert target.read_text() == "before"
        assert not [file for file in tmp_path.iterdir() if file.name.startswith(".out")]
    bench.run("inputs[1].write_text(inputs[1].suffix)", use="writer/local:act", path=str(target))
    assert target.read_text() == ".txt"


def test_files_that_belong_to_one_are_part_of_the_key(bench: Bench, tmp_path: Path) -> None:
    counts, words = tmp_path / "c.triplets", tmp_path / "words.txt"
    counts.write_text("1,1,5\n1,2,6\n")

    def run(names: str) -> str:
        words.write_text(names)
        order = Run(
            job=1, use="reader/triplets", path=str(counts), params={"vocabulary": "words.txt"}
        )
        return bench.runner.run(order, NullListener(), Control()).key

    first = run("alpha\nbeta\n")
    assert run("alpha\nbeta\n") == first
    assert run("alpha\ngamma\n") != first
    assert bench.workspace.record(first)["provenance"]["companions"].keys() == {"words.txt"}


def test_a_preview_is_small_and_published_nowhere(bench: Bench) -> None:
    key = bench.affinity()
    before = set(bench.workspace.keys())
    shown = bench.preview(3)
    assert shown["main"].shape == (3, 3)
    assert shown["items"].tolist() == [0, 2, 4]
    groups = bench.preview(
        2,
        use="clusterer/local:act",
        inputs=[key],
        params={"code": "result = np.zeros(n, dtype=int)"},
    )
    assert groups["main"].tolist() == [0, 0]
    assert bench.preview(100)["main"].shape == (5, 5)
    assert set(bench.workspace.keys()) == before


def test_a_preview_of_a_reader_is_refused(bench: Bench) -> None:
    asked = Preview(job=1, use="reader/sample", path="iris")
    with refuses("no-preview", DataError):
        bench.runner.preview(asked, 3, Control())


def test_a_graph_of_an_affinity_keeps_the_root(bench: Bench) -> None:
    assert isinstance(bench.workspace.load(bench.affinity()), Affinity)


def test_a_result_is_published_under_the_key_of_its_order_or_not_at_all(
    bench: Bench, tmp_path: Path
) -> None:
    key = bench.run(RANDOM).key
    assert bench.run(RANDOM, key=key).cached
    before = set(bench.workspace.keys())
    trace = tmp_path / "ran"
    with refuses("plugin-changed", PluginError):
        bench.run(f"open({str(trace)!r}, 'w')", key=key)
    assert set(bench.workspace.keys()) == before
    assert not trace.exists()


def test_a_result_that_is_there_is_computed_again_to_watch_it(bench: Bench, tmp_path: Path) -> None:
    trace = tmp_path / "ran"
    code = f"with open({str(trace)!r}, 'a') as f: f.write('x')\n{RANDOM}"
    first = bench.run(code)
    second = bench.run(code, again=True)
    assert (second.key, second.cached) == (first.key, False)
    assert trace.read_text() == "xx"
    assert bench.run(code, again=True, seed=5).key != first.key
