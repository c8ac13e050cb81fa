"""What every built-in component promises, tested the moment it exists.

Each kind has small inputs below; a new component of a known kind needs no line here. One that
takes other inputs than its kind usually does is given them by what it says it needs.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core import (
    Affinity,
    Cancelled,
    Clustering,
    Component,
    Context,
    Cost,
    CoterieError,
    Dataset,
    Embedding,
    Output,
    Ranking,
)
from coterie.core.context import Control, Frame
from coterie.core.descriptors import Descriptor, Need
from coterie.core.encoding import NOUNS, Encoded, decode, encode
from coterie.core.parameters import parse_params
from coterie.core.registry import Registry

REGISTRY = Registry.load(safe_mode=True)
METHODS = REGISTRY.catalogue.methods
each_component = pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
COMPUTING = [m for m in METHODS if m.kind not in ("reader", "writer")]
each_computing = pytest.mark.parametrize("method", COMPUTING, ids=lambda method: method.name)
FIXED_SEED = 11
# For components whose defaults ask for more items than the small inputs below have.
SMALL: dict[str, dict[str, Any]] = {
    "kernel/cluster": {"initialisations": 2, "max_components": 3},
    "kernel/probabilistic-cluster": {"initialisations": 2, "max_components": 3},
    "transform/visual-words": {"words": 6},
}


def table(n: int, *, seed: int = 0) -> Dataset:
    """Two loose clouds of n items with known classes, described in every way there is.

    Values lie between 0 and 1 and there are 1 + 4 + 16 columns, as methods for scaled data and for
    pyramids of histograms ask; the items have texts, similarities and a place in a picture as well.
    """
    rng = np.random.default_rng(seed)
    truth = (np.arange(n) % 2).astype(np.int64)
    X = np.clip(rng.normal(0.3, 0.1, (n, 21)) + 0.4 * truth[:, None], 0.0, 1.0)
    words = np.array(["near", "far", "left", "right", "up", "down"])
    return Dataset(
        title="two clouds",
        features=X,
        truth=truth,
        truth_names=("left", "right")[: max(1, min(n, 2))],
        truth_column="side",
        texts=tuple(" ".join(rng.choice(words, 5)) for _ in range(n)),
        relation=X @ X.T,
        details={"height": 1, "width": n},
    )


def about(data: Dataset) -> dict[str, Any]:
    """One noun of every type, all of them about `data`."""
    X = np.nan_to_num(np.asarray(data.features)) if data.d else np.zeros((data.n, 1))
    A = np.exp(-np.abs(X[:, None] - X[None]).sum(2))
    A[np.isnan(np.asarray(data.features)).any(axis=1)] = np.nan
    labels = (np.arange(data.n) % 2).astype(np.int64)
    membership = np.eye(2)[labels] / max(1, data.n)
    return {
        "dataset": data,
        "affinity": Affinity(values=A, dataset=data, title="similarity"),
        "clustering": Clustering(labels=labels, membership=membership, dataset=data),
        "embedding": Embedding(coordinates=X, dataset=data),
        "ranking": Ranking(scores=np.arange(data.n, dtype=np.float64), dataset=data),
    }


def pictures(n: int) -> Dataset:
    """n small pictures, for methods whose items are such."""
    pixels = np.random.default_rng(0).random((n, 256))
    return Dataset(
        title="pictures", kind="images", features=pixels, details={"height": 16, "width": 16}
    )


def inputs_for(method: Descriptor, data: Dataset) -> list[Any]:
    """The inputs the component says it needs; the optional ones are left out."""
    if method.name == "transform/visual-words" and data.details:
        data = pictures(data.n)
    nouns = about(data)
    found: list[Any] = []
    for text in method.needs:
        need = Need.parse(text)
        if need.optional:
            break
        noun = next(nouns[kind] for kind in need.accepts if kind in nouns)
        found += [noun, noun] if need.many else [noun]
    return found


def run(
    method: Descriptor, inputs: list[Any], context: Context | None = None, **params: Any
) -> Output:
    component = REGISTRY.component(method.name)
    values = parse_params(component.Params, SMALL.get(method.name, {}) | params, method.name)
    returned = component().compute(
        *inputs, params=values, context=context or Context(seed=FIXED_SEED)
    )
    return returned if isinstance(returned, Output) else Output(returned)


def parts_of(output: Output) -> dict[str, Encoded]:
    return {"main": encode(output.main)} | {
        name: encode(part) for name, part in output.parts.items()
    }


def assert_same(one: Encoded, other: Encoded) -> None:
    assert one.meta == other.meta
    assert one.strings == other.strings
    assert one.arrays.keys() == other.arrays.keys()
    for name, array in one.arrays.items():
        np.testing.assert_array_equal(array, other.arrays[name], err_msg=name)


def test_nothing_built_in_is_broken() -> None:
    assert REGISTRY.catalogue.broken == ()
    assert {"reader", "transform", "kernel", "clusterer", "embedder", "ranker", "metric"} <= {
        method.kind for method in METHODS
    }


@each_component
def test_a_person_can_read_what_it_is(method: Descriptor) -> None:
    assert method.title
    assert len(method.summary) > 20
    assert method.summary.endswith((".", "…"))
    assert method.version
    assert method.origin


@each_component
def test_every_parameter_is_described_and_has_a_valid_default(method: Descriptor) -> None:
    component = REGISTRY.component(method.name)
    for name, parameter in component.Params.model_fields.items():
        assert parameter.description, f"{name} has no description"
        assert parameter.description.endswith("."), f"{name}: a sentence, please"
        assert not parameter.is_required(), f"{name} has no default"
    defaults = component.Params().as_json()
    assert parse_params(component.Params, defaults, method.name).as_json() == defaults
    assert json.loads(json.dumps(method.params)) == method.params


@each_component
def test_params_and_context_come_by_keyword(method: Descriptor) -> None:
    parameters = inspect.signature(REGISTRY.component(method.name).compute).parameters
    for name in ("params", "context"):
        assert parameters[name].kind is inspect.Parameter.KEYWORD_ONLY


@each_component
def test_it_is_documented_in_its_own_words(method: Descriptor) -> None:
    component = REGISTRY.component(method.name)
    for member in (component, component.Params, component.compute):
        assert member.__doc__
    assert component.__doc__ != component.__mro__[1].__doc__
    assert component.compute.__doc__ != Component.compute.__doc__


@each_computing
def test_the_same_seed_gives_the_same_result(method: Descriptor) -> None:
    first, second = (run(method, inputs_for(method, table(24))) for _ in range(2))
    assert parts_of(first).keys() == parts_of(second).keys()
    for name, part in parts_of(first).items():
        assert_same(part, parts_of(second)[name])


@each_computing
def test_inputs_stay_untouched(method: Descriptor) -> None:
    inputs, fresh = inputs_for(method, table(24)), inputs_for(method, table(24))
    run(method, inputs)
    for given, expected in zip(inputs, fresh, strict=True):
        assert_same(encode(given), encode(expected))


@each_computing
def test_it_gives_what_its_kind_gives(method: Descriptor) -> None:
    output = run(method, inputs_for(method, table(24)))
    assert isinstance(output.main, NOUNS[method.gives])


@each_computing
def test_the_result_survives_being_stored(method: Descriptor) -> None:
    output = run(method, inputs_for(method, table(24)))
    for noun in (output.main, *output.parts.values()):
        stored = encode(noun)
        assert_same(encode(decode(stored, getattr(noun, "dataset", None))), stored)


@each_computing
def test_a_cancelled_run_stops_at_its_first_check(method: Descriptor) -> None:
    control = Control()
    control.cancel()
    with pytest.raises(Cancelled):
        run(method, inputs_for(method, table(24)), Context(control=control))


class Limited(Context):
    """A context in which the person cancels after so many checks."""

    def __init__(self, allowed: int) -> None:
        self.control = Control()
        super().__init__(seed=FIXED_SEED, control=self.control)
        self.allowed = allowed

    def check(self) -> None:
        self.control.cancelled = self.checks >= self.allowed
        super().check()

    def frame(self, *args: Any, **kwargs: Any) -> None:
        self.control.cancelled = self.checks >= self.allowed
        super().frame(*args, **kwargs)


@each_computing
def test_it_stops_at_whichever_check_the_person_cancels(method: Descriptor) -> None:
    counting = Context(seed=FIXED_SEED)
    run(method, inputs_for(method, table(24)), counting)
    assert counting.checks >= 1
    for allowed in {0, counting.checks // 2, counting.checks - 1}:
        limited = Limited(allowed)
        with pytest.raises(Cancelled):
            run(method, inputs_for(method, table(24)), limited)
        assert limited.checks == allowed + 1


class Progress:
    def __init__(self) -> None:
        self.done: list[float] = []
        self.iterations: list[int] = []

    def progress(self, done: float, total: float, message: str) -> None:
        self.done.append(done / total)

    def frame(self, frame: Frame) -> None:
        self.iterations.append(frame.iteration)
        for state in (frame.shares, frame.labels):
            assert state is None or state.shape == (24,)

    def event(self, name: str, details: Mapping[str, Any]) -> None:
        json.dumps(dict(details))  # events travel as JSON


@each_computing
def test_progress_and_iterations_only_go_forward(
    method: Descriptor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("coterie.core.context.FRAMES_PER_SECOND", 1e12)
    progress = Progress()
    run(method, inputs_for(method, table(24)), Context(seed=FIXED_SEED, listener=progress))
    assert progress.done == sorted(progress.done)
    assert all(0 <= done <= 1 for done in progress.done)
    assert (np.diff(progress.iterations) > 0).all()


def hostile() -> dict[str, Dataset]:
    usual = table(6)
    missing = np.array(usual.features)
    missing[2, 1] = np.nan
    return {
        "missing": Dataset(title="missing", features=missing, truth=usual.truth),
        "empty": Dataset(title="empty", features=np.zeros((0, 2)), truth=np.zeros(0, np.int64)),
        "one item": table(1),
        "duplicates": Dataset(title="same", features=np.ones((6, 2)), truth=usual.truth),
        "one column": Dataset(title="thin", features=np.arange(6.0)[:, None], truth=usual.truth),
        "huge": Dataset(title="huge", features=table(6).dense_features() * 1e200),
    }


@each_computing
@pytest.mark.parametrize("case", hostile())
def test_hostile_data_gets_a_clear_error_or_a_valid_result(method: Descriptor, case: str) -> None:
    data = hostile()[case]
    output, sentence = None, ""
    try:
        output = run(method, inputs_for(method, data))
    except CoterieError as error:
        sentence = str(error)
    if output is None:
        assert sentence[0].isupper() or sentence.startswith("'")
        assert sentence.endswith(".")
        return
    for noun in (output.main, *output.parts.values()):
        for name, array in encode(noun).arrays.items():
            if array.dtype.kind == "f":
                assert np.isfinite(array).all(), name


@each_component
def test_an_estimate_needs_no_work(method: Descriptor) -> None:
    component = REGISTRY.component(method.name)
    if method.kind == "reader":
        inputs: list[Any] = [Path("nowhere.csv")]
    elif method.kind == "writer":
        need = Need.parse(method.needs[0])
        noun = next(noun for kind, noun in about(table(24)).items() if need.takes(kind))
        inputs = [noun, Path("nowhere.csv")]
    else:
        inputs = inputs_for(method, table(24))
    cost = component().estimate(*inputs, params=component.Params())
    assert isinstance(cost, Cost)
    assert cost.bytes >= 0
    assert cost.seconds >= 0
    assert isinstance(cost.bytes, int)


@each_computing
def test_a_model_puts_the_old_items_where_they_were(method: Descriptor) -> None:
    inputs = inputs_for(method, table(24))
    output = run(method, inputs)
    if "model" not in output.parts or method.kind not in ("transform", "embedder"):
        pytest.skip("publishes no model to apply")
    component = REGISTRY.component(method.name)()
    applied = component.apply(output.parts["model"], inputs[0], Context())
    main = "features" if method.kind == "transform" else "coordinates"
    np.testing.assert_allclose(
        np.asarray(getattr(applied, main)), np.asarray(getattr(output.main, main)), atol=1e-10
    )


@pytest.mark.parametrize(
    "method", [m for m in METHODS if m.kind == "classifier"], ids=lambda method: method.name
)
def test_a_classifier_labels_the_items_it_learned_from_and_others(method: Descriptor) -> None:
    model = run(method, inputs_for(method, table(24))).main
    component = REGISTRY.component(method.name)()
    for data in (table(24), table(7, seed=1)):
        context = Context()
        labels = component.apply(model, data, context)
        assert isinstance(labels, Clustering)
        assert labels.n == data.n
        assert set(labels.labels.tolist()) <= {-1, 0, 1}
        assert context.checks >= 1
    # The groups alternate as the clouds do: whoever is labelled is labelled right.
    again = component.apply(model, table(24), Context()).labels
    known = again >= 0
    assert known.any()
    np.testing.assert_array_equal(again[known], np.arange(24)[known] % 2)
