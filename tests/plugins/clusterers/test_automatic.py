"""The answer without choices: right where the groups are plain, honest where they are not."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.metrics import adjusted_rand_score

from coterie.core import (
    Affinity,
    Clusterer,
    Clustering,
    Context,
    DataError,
    Dataset,
    ParameterError,
)
from coterie.core.catalogue.discovery import PluginSource
from coterie.core.catalogue.registry import Registry
from coterie.core.engine.nested_runs import DirectRuns, built_in_runs
from coterie.core.model.arrays import Floats, Ints
from coterie.core.model.columns import Column, category
from coterie.core.numerics.features.typed_columns import encoded
from coterie.plugins.clusterers.automatic import Automatic
from tests.refusals import refuses
from tests.typed_tables import two_kinds


def run(X: Any, seed: int = 0, **params: Any) -> Any:
    data = Dataset(kind="table", features=np.asarray(X, dtype=np.float64))
    context = Context(seed=seed, runs=built_in_runs())
    return Automatic().compute(data, params=Automatic.Params(**params), context=context)


def groups(X: Any, **params: Any) -> Clustering:
    found: Clustering = run(X, **params).main
    return found


def blobs(k: int, each: int = 40, apart: float = 12.0) -> tuple[Floats, Ints]:
    rng = np.random.default_rng(k)
    side = int(np.ceil(np.sqrt(k)))
    centres = apart * np.array([(i // side, i % side) for i in range(k)])
    X = np.concatenate([centre + rng.normal(size=(each, 2)) for centre in centres])
    return X, np.repeat(np.arange(k), each)


@pytest.mark.parametrize("k", [2, 3, 5, 8, 12])
def test_plain_blobs_are_found_whatever_their_number(k: int) -> None:
    X, truth = blobs(k)
    found = groups(X, repeat=False)
    assert found.k == k
    assert adjusted_rand_score(truth, found.labels) >= 0.95
    assert found.details["verdict"] == "sure"


def test_rings_are_found() -> None:
    rng = np.random.default_rng(0)
    angle = rng.uniform(0, 2 * np.pi, 300)
    radius = np.repeat([1.0, 3.0], 150) + 0.08 * rng.normal(size=300)
    X = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    assert adjusted_rand_score(np.repeat([0, 1], 150), groups(X, repeat=False).labels) == 1.0


@pytest.mark.parametrize("d", [2, 10])
def test_a_shapeless_cloud_is_never_called_sure(d: int) -> None:
    found = groups(np.random.default_rng(d).normal(size=(300, d)), repeat=False)
    assert found.details["verdict"] != "sure"


def test_the_same_seed_gives_the_same_answer() -> None:
    X, _ = blobs(4, apart=4.0)
    first, second = groups(X, seed=3), groups(X, seed=3)
    assert first.labels.tolist() == second.labels.tolist()
    assert first.details == second.details


def test_the_unit_of_a_column_does_not_matter() -> None:
    X, _ = blobs(3)
    scaled = X * [1000.0, 0.25]
    first, second = groups(X, repeat=False), groups(scaled, repeat=False)
    assert adjusted_rand_score(first.labels, second.labels) == 1.0


def test_the_order_of_the_items_does_not_matter() -> None:
    X, _ = blobs(5)
    order = np.random.default_rng(1).permutation(len(X))
    first, second = groups(X, repeat=False), groups(X[order], repeat=False)
    assert adjusted_rand_score(first.labels[order], second.labels) == 1.0


def test_shares_sum_to_one_and_speak_for_the_chosen_group() -> None:
    X, _ = blobs(3, apart=4.0)
    found = groups(X, repeat=False)
    assert found.membership is not None
    assert np.allclose(found.membership.sum(axis=1), 1)
    assert (found.membership.argmax(axis=1) == found.labels).all()


def test_every_candidate_says_by_which_steps_it_comes_about() -> None:
    X, _ = blobs(3)
    runs = built_in_runs()
    output = run(X)
    for row in output.main.details["candidates"]:
        nouns: dict[str, Any] = {"": Dataset(kind="table", features=X)}
        for step in row["steps"]:
            inputs = [nouns[name] for name in step["of"]]
            context = Context(runs=runs)
            nouns[step["name"]] = context.run(step["use"], *inputs, params=step["params"]).main
        sizes = np.bincount(nouns["groups"].labels + 1)
        assert sorted(sizes[1:], reverse=True) == row["sizes"] or row["unassigned"]


def test_every_candidate_on_offer_is_what_its_steps_give() -> None:
    """Candidates start as steps do, so that adopting one changes no label."""
    rng = np.random.default_rng(3)
    X = np.concatenate([rng.normal(size=(60, 2)) + centre for centre in ([0, 0], [3, 0], [1, 4])])
    output = run(X, repeat=False)
    data, runs, families = Dataset(kind="table", features=X), built_in_runs(), set()
    for row in output.main.details["candidates"]:
        nouns: dict[str, Any] = {"": data}
        for step in row["steps"]:
            context = Context(runs=runs)
            inputs = [nouns[name] for name in step["of"]]
            nouns[step["name"]] = context.run(step["use"], *inputs, params=step["params"]).main
        offered = output.main if row["chosen"] else output.parts[row["part"]]
        assert adjusted_rand_score(offered.labels, nouns["groups"].labels) == 1.0
        families.add(row["family"])
    assert len(families) > 1


def test_the_chosen_candidate_is_the_result() -> None:
    X, _ = blobs(4)
    output = run(X)
    chosen = [row for row in output.main.details["candidates"] if row["chosen"]]
    assert [row["sizes"] for row in chosen] == [np.bincount(output.main.labels).tolist()]


def test_a_model_labels_new_items_as_their_neighbours() -> None:
    X, truth = blobs(4)
    output = run(X, repeat=False)
    model = output.parts["model"]
    again = Automatic().apply(model, Dataset(kind="table", features=X + 0.01), Context())
    assert adjusted_rand_score(truth, again.labels) == 1.0
    assert again.labels.tolist() == output.main.labels.tolist()


def test_many_columns_are_brought_to_main_directions_and_the_model_knows() -> None:
    rng = np.random.default_rng(4)
    truth = np.repeat([0, 1, 2], 50)
    X = rng.normal(size=(150, 25)) + 4 * rng.normal(size=(3, 25))[truth]
    output = run(X, repeat=False)
    assert adjusted_rand_score(truth, output.main.labels) >= 0.95
    again = Automatic().apply(output.parts["model"], Dataset(kind="table", features=X), Context())
    assert again.labels.tolist() == output.main.labels.tolist()


def test_many_items_are_decided_on_a_subset_and_all_are_grouped() -> None:
    X, truth = blobs(6, each=120)
    found = groups(X, decide_on=200)
    assert adjusted_rand_score(truth, found.labels) >= 0.95
    assert found.details["decided_on"] == 200
    assert any("200" in note for note in found.notes)


def test_very_many_items_join_the_nearest_of_those_that_were_grouped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("coterie.plugins.clusterers.automatic.RUN_ON", 600)
    X, truth = blobs(5, each=300)
    output = run(X, decide_on=300)
    found = output.main
    assert adjusted_rand_score(truth, found.labels) >= 0.99
    assert found.details["run_on"] == 600
    assert found.details["confirmed"] >= 0.95
    assert any("nearest of these" in note for note in found.notes)
    for row in found.details["candidates"]:  # as steps, the method runs on all items
        assert "transform/sample" not in [step["use"] for step in row["steps"]]


def test_what_one_method_loses_on_more_items_another_that_found_the_same_keeps() -> None:
    """With more items two groups touch, and the density tree joins them."""
    rng = np.random.default_rng(1)
    centres = 8 * rng.normal(size=(6, 4))
    truth = rng.integers(0, 6, 9000)
    found = groups(centres[truth] + rng.normal(size=(9000, 4)), repeat=False)
    assert adjusted_rand_score(truth, found.labels) >= 0.95
    assert found.details["sentence"].startswith(found.title.removeprefix("Automatic: "))
    assert [row["k"] for row in found.details["candidates"] if row["chosen"]] == [found.k]


def test_numbers_and_categories_count_together() -> None:
    data = two_kinds(240, sides=3)
    context = Context(runs=built_in_runs())
    output: Any = Automatic().compute(data, params=Automatic.Params(), context=context)
    assert adjusted_rand_score(data.truth, output.main.labels) >= 0.9
    again = Automatic().apply(output.parts["model"], data, Context())
    assert (again.labels == output.main.labels).mean() >= 0.98  # by the nearest in the factors


def test_rings_of_many_items_are_those_of_the_subset() -> None:
    """The smallest size of a dense group must grow with the items, or rings fall into pieces."""
    rng = np.random.default_rng(2)
    angle = rng.uniform(0, 2 * np.pi, 4000)
    radius = np.repeat([1.0, 3.0], 2000) + 0.15 * rng.normal(size=4000)
    X = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    found = groups(X, repeat=False, decide_on=400)
    assert adjusted_rand_score(np.repeat([0, 1], 2000), found.labels) >= 0.95


@pytest.mark.parametrize("n", range(1, 11))
def test_a_few_items_get_a_sensible_answer(n: int) -> None:
    found = groups(np.random.default_rng(n).normal(size=(n, 3)))
    assert len(found.labels) == n
    assert found.labels.min() >= 0
    assert found.k <= max(1, n // 3)


def test_what_its_method_does_not_give_again_is_expected_to_agree_less() -> None:
    """Of overlapping clouds a mixture from another start gives other groups."""
    rng = np.random.default_rng(3)
    output = run(rng.normal(size=(200, 6)) * rng.choice([0.3, 1.0, 3.0], (200, 1)), repeat=False)
    found = output.main.details
    for row in found["candidates"]:
        if row["chosen"]:
            assert row["expected"] == pytest.approx(found["expected"], abs=1e-4)
    assert (found["verdict"] == "sure") == (found["expected"] >= 0.8 and output.main.k > 1)


def test_items_that_are_all_equal_are_no_groups() -> None:
    found = groups(np.ones((50, 3)))
    assert found.k == 1
    assert found.details["verdict"] == "no groups"


@pytest.mark.parametrize(
    "X",
    [
        pytest.param(np.repeat([[0.0], [1.0], [5.0]], 40, axis=0), id="three values"),
        pytest.param(np.c_[blobs(2)[0], np.ones(80)], id="constant column"),
        pytest.param(np.r_[blobs(2)[0], [[1e9, 1e9]]], id="one far outlier"),
        pytest.param(np.random.default_rng(0).normal(size=(12, 40)), id="more columns than items"),
        pytest.param(np.repeat(blobs(3)[0][:30], 100, axis=0), id="duplicates by the thousand"),
        pytest.param(np.random.default_rng(0).integers(0, 3, (90, 2)), id="few whole numbers"),
    ],
)
def test_awkward_tables_are_answered(X: Floats) -> None:
    found = groups(X, decide_on=500)
    assert len(found.labels) == len(X)
    assert found.labels.min() >= 0
    assert found.details["sentence"]


def test_missing_values_are_named() -> None:
    X = blobs(2)[0].copy()
    X[3, 1] = np.nan
    with pytest.raises(DataError) as error:
        run(X)
    assert error.value.code == "missing-values"


def test_a_family_that_fails_is_left_out_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: Any, **kwargs: Any) -> Any:
        raise DataError("No luck today.")

    monkeypatch.setattr("coterie.core.numerics.automatic.families.by_mixtures", fail)
    X, truth = blobs(3)
    found = groups(X, repeat=False)
    assert adjusted_rand_score(truth, found.labels) >= 0.95
    assert "mixtures" in found.details["left_out"]
    assert any("mixtures" in note for note in found.notes)


def test_a_time_limit_keeps_the_first_family() -> None:
    X, truth = blobs(3)
    found = groups(X, repeat=False, seconds=1e-6)
    assert adjusted_rand_score(truth, found.labels) >= 0.95
    assert "mixtures" in found.details["left_out"]


def graph_of_blocks(k: int, each: int = 30) -> tuple[Any, Ints]:
    """Joined at random, within a block far more often than between."""
    rng = np.random.default_rng(k)
    truth = np.repeat(np.arange(k), each)
    chance = np.where(truth[:, None] == truth, 0.4, 0.02)
    upper = np.triu(rng.random(chance.shape) < chance, 1).astype(np.float64)
    return upper + upper.T, truth


def found_in(source: Any, **params: Any) -> Any:
    context = Context(seed=0, runs=built_in_runs())
    return Automatic().compute(source, params=Automatic.Params(**params), context=context)


@pytest.mark.parametrize("form", ["relation", "sparse", "dense", "directed"])
def test_similarities_are_grouped_by_methods_for_them(form: str) -> None:
    A, truth = graph_of_blocks(3)
    sources: dict[str, Any] = {
        "relation": Dataset(kind="relation", relation=csr_array(A)),
        "sparse": Affinity(sparse=csr_array(A)),
        "dense": Affinity(values=A + np.eye(len(A))),
        "directed": Affinity(sparse=csr_array(np.triu(A)), symmetric=False),
    }
    output = found_in(sources[form], repeat=False)
    assert adjusted_rand_score(truth, output.main.labels) >= 0.95
    assert any("known by their similarities" in note for note in output.main.notes)
    uses = {step["use"] for row in output.main.details["candidates"] for step in row["steps"]}
    assert "transform/standardise" not in uses


def test_texts_are_grouped_by_the_words_they_share() -> None:
    rng = np.random.default_rng(0)
    words = [["sun", "rain", "wind", "cloud", "storm"], ["bread", "milk", "salt", "rice", "oil"]]
    truth = np.repeat([0, 1], 20)
    texts = [" ".join(rng.choice(words[kind], 12)) for kind in truth]
    found = found_in(Dataset(kind="texts", texts=tuple(texts)), repeat=False).main
    assert adjusted_rand_score(truth, found.labels) == 1.0


def test_candidates_of_similarities_come_about_by_their_steps() -> None:
    A, _ = graph_of_blocks(3)
    source = Dataset(kind="relation", relation=csr_array(A))
    output = found_in(source, repeat=False)
    for row in output.main.details["candidates"]:
        nouns: dict[str, Any] = {"": source}
        for step in row["steps"]:
            inputs = [nouns[name] for name in step["of"]]
            context = Context(runs=built_in_runs())
            nouns[step["name"]] = context.run(step["use"], *inputs, params=step["params"]).main
        sizes = np.bincount(nouns["groups"].labels + 1)
        assert sorted(sizes[1:], reverse=True) == row["sizes"] or row["unassigned"]


def test_many_related_items_are_decided_on_some_of_them() -> None:
    A, truth = graph_of_blocks(3, each=60)
    found = found_in(Affinity(sparse=csr_array(A)), decide_on=120, repeat=False).main
    assert found.details["decided_on"] == 120
    assert adjusted_rand_score(truth, found.labels) >= 0.9


def test_what_belongs_together_is_in_one_group_and_what_belongs_apart_in_two() -> None:
    X, truth = blobs(4)
    one, other = np.flatnonzero(truth == 0)[0], np.flatnonzero(truth == 1)[0]
    far, near = np.flatnonzero(truth == 3)[:2]
    output = found_in(
        Dataset(kind="table", features=X),
        together=[[int(one), int(other)]],
        apart=[[int(far), int(near)], [int(one), int(far)]],
        repeat=False,
    )
    labels = output.main.labels
    assert labels[one] == labels[other]
    assert labels[far] != labels[near]
    # The groups that hold the two became one, and not these two items alone.
    assert len(np.unique(labels[truth < 2])) == 1
    for row in output.main.details["candidates"]:
        assert row["steps"][-1]["use"] == "clusterer/linked"
    for part in output.parts.values():
        if isinstance(part, Clustering):
            assert part.labels[one] == part.labels[other]
            assert part.labels[far] != part.labels[near]


def test_what_was_linked_counts_for_items_that_the_choice_was_not_made_on() -> None:
    X, truth = blobs(3, each=100)
    links = [[int(np.flatnonzero(truth == 0)[0]), int(np.flatnonzero(truth == 1)[0])]]
    data = Dataset(kind="table", features=X)
    found = found_in(data, decide_on=100, together=links, repeat=False).main
    assert found.labels[links[0][0]] == found.labels[links[0][1]]


def test_links_that_contradict_each_other_are_refused() -> None:
    X, _ = blobs(2)
    data = Dataset(kind="table", features=X)
    with refuses("contradiction", ParameterError):
        found_in(data, together=[[0, 1], [1, 2]], apart=[[0, 2]])
    with refuses("unknown-item", ParameterError):
        found_in(data, together=[[0, 900]])


class Halves(Clusterer):
    """Left and right of the middle."""

    id, title = "halves", "Halves"
    needs = ("dataset",)
    proposes = ({}, {"upside_down": True})

    class Params(Clusterer.Params):
        """Nothing that matters."""

        upside_down: bool = False

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Clustering:
        if params.upside_down:
            raise KeyError("no floor")
        X = data.dense_features()
        return Clustering(labels=(X[:, 0] > 0).astype(np.int64), dataset=data)


def test_a_clusterer_of_a_plugin_proposes_groups() -> None:
    registry = Registry.load(safe_mode=True)
    registry._take_one("clusterer", Halves, PluginSource("mylab", "mylab", "mylab 1.0"))
    data = Dataset(kind="table", features=blobs(4)[0])
    context = Context(runs=DirectRuns(lambda: registry))
    output = Automatic().compute(data, params=Automatic.Params(repeat=False), context=context)
    details = output.main.details
    assert any(name.endswith("halves") for name in details["left_out"])  # the second raised
    plain = Registry.load(safe_mode=True).catalogue.get("clusterer/automatic")
    asked = registry.catalogue.get("clusterer/automatic")
    data_key = "0" * 64
    assert plain.key_of({}, [data_key], 0) != asked.key_of({}, [data_key], 0)


def test_what_the_numbers_say_alone_is_offered_where_categories_go_across_it() -> None:
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], 50)
    numbers = rng.normal(size=(150, 3)) + 6 * np.eye(3)[truth]
    sex = rng.integers(2, size=150)
    columns = [Column(f"x{j}", x) for j, x in enumerate(numbers.T)]
    columns += [category(name, [f"{name}{value}" for value in sex]) for name in ("a", "b", "c")]
    features, names = encoded(columns)
    data = Dataset(kind="table", features=features, columns=names, table=tuple(columns))
    output = found_in(data, repeat=False)
    rows = output.main.details["candidates"]
    groups = [output.main if row["chosen"] else output.parts[row["part"]] for row in rows]
    offered = [
        adjusted_rand_score(truth, one.labels)
        for row, one in zip(rows, groups, strict=True)
        if row["answer"]
    ]
    assert max(offered) >= 0.95
    alone = [row for row in rows if row["title"].startswith("Numbers alone")]
    assert alone
    assert alone[0]["steps"][0]["params"] == {"columns": ["x0", "x1", "x2"]}
    assert any(note.startswith("Numbers alone") for note in output.main.notes)


def test_a_single_sparse_column_is_enough() -> None:
    column = csr_array(np.repeat([[0.0], [1.0]], 10, axis=0))
    found = found_in(Dataset(kind="table", features=column), repeat=False).main
    assert found.k == 2
    level = found_in(Dataset(kind="table", features=csr_array(np.ones((20, 1))))).main
    assert level.details["sentence"] == "No groups: all items are equal."


def test_items_with_weights_get_an_answer_that_says_it_does_not_use_them() -> None:
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(40, 2)), rng.normal(size=(40, 2)) + 12])
    plain = Dataset(kind="table", features=X)
    weighed = replace(plain, table=(Column("w", np.arange(80.0), role="weight"),))
    context = Context(runs=built_in_runs())
    for source, other in (
        (weighed, plain),
        (context.run("graph/knn", weighed).main, context.run("graph/knn", plain).main),
    ):
        found: Any = context.run("clusterer/automatic", source).main
        assert any("weights" in note for note in found.notes)
        expected: Any = context.run("clusterer/automatic", other).main
        assert np.array_equal(found.labels, expected.labels)
        assert found.dataset is weighed
