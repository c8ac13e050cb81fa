"""`coterie.run` and `coterie.cluster`: one call from data to a result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from coterie.core import well_known
from coterie.core.catalogue.descriptors import Descriptor, Need
from coterie.core.errors import DataError, ParameterError
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import is_sparse
from coterie.core.model.dataset import Dataset
from coterie.core.model.recipes import Source
from coterie.files import read_with, write
from coterie.inputs import (
    as_affinity,
    as_clustering,
    as_dataset,
    as_embedding,
    as_ranking,
    noun_of,
)
from coterie.jobs import Cancels, EngineName, Job, ProgressCall
from coterie.projects.recipe.defaults import default_recipe
from coterie.registry import describe
from coterie.results import Result
from coterie.running import apply_model, result_of
from coterie.similarity import Choice, compare

PRECOMPUTED = "precomputed"
_GROUPS = "groups"
_READERS = {"texts": well_known.READER_TEXTS, "relation": well_known.READER_SIMILARITY}


def run(
    use: str,
    *inputs: Any,
    kernel: Choice = None,
    graph: Choice = None,
    affinity: Any = None,
    params: Mapping[str, Any] | None = None,
    seed: int = 0,
    progress: ProgressCall | bool | None = None,
    cancel: Cancels | None = None,
    engine: EngineName = "inprocess",
    **more: Any,
) -> Result:
    """Run a method on data and return its result.

    Parameters
    ----------
    use : the method, as "kind/id"; `coterie.methods()` lists all
    *inputs : what it works on: arrays, sparse matrices, data frames, or earlier results
    kernel, graph : for a method on similarities that is given features: how items are compared,
        as "gaussian" or ("gaussian", {"sigma": 1.0}); both are applied one after the other. By
        default the features are standardised and each item is compared with its ten nearest, as
        in the recipe that the window begins with
    affinity : "precomputed" when the first input is a square matrix of similarities; or such a
        matrix, or a result, for features that come with their similarities
    params, **more : parameters of the method, by name; `params` for names that this function has
    seed : of all that is random
    progress : called with the share done, from 0 to 1, and a text; True prints to standard error
    cancel : something with `is_set()`, such as a `threading.Event`, that stops the run
    engine : "inprocess", or "process" for a process of its own

    Examples
    --------
    >>> groups = run("clusterer/kmeans", [[0.0], [0.1], [5.0], [5.1]], k=2)
    >>> groups
    Clustering: 2 groups of 2 and 2 items
    >>> run("metric/accuracy", groups, [1, 1, 2, 2]).value
    1.0
    """
    descriptor = describe(use)
    if descriptor.kind in ("reader", "writer"):
        return _run_on_file(descriptor, inputs, {**(params or {}), **more}, seed, engine)
    job = Job(seed=seed, progress=progress, cancel=cancel, engine=engine)
    given = {**(params or {}), **more}
    nouns = _nouns(descriptor, inputs, kernel, graph, affinity, job)
    return result_of(use, nouns, given, job)


def _run_on_file(
    descriptor: Descriptor,
    inputs: tuple[Any, ...],
    params: Mapping[str, Any],
    seed: int,
    engine: EngineName,
) -> Result:
    if descriptor.kind == "writer":
        if len(inputs) != 2:
            raise DataError(
                f"{descriptor.name} needs a result and a path. Got {len(inputs)} inputs.",
                code="input-mismatch",
            )
        write(inputs[0], inputs[1], writer=descriptor.name, **params)
        return Result(noun_of(inputs[0]) or as_dataset(inputs[0]))
    if len(inputs) != 1:
        raise DataError(
            f"{descriptor.name} needs one path. Got {len(inputs)} inputs.", code="input-mismatch"
        )
    return read_with(descriptor, inputs[0], params, Job(seed=seed, engine=engine))


def _nouns(
    descriptor: Descriptor,
    inputs: tuple[Any, ...],
    kernel: Choice,
    graph: Choice,
    affinity: Any,
    job: Job,
) -> tuple[Any, ...]:
    """The inputs as the nouns that the method works on, with similarities where it needs them."""

    def call(use: str, nouns: tuple[Any, ...], params: Mapping[str, Any]) -> Any:
        return result_of(use, nouns, params, job).noun

    chosen = kernel is not None or graph is not None or affinity is not None
    takes = any(need.accepts_type("affinity") for need in descriptor.inputs)
    if chosen and not takes:
        raise ParameterError(
            f"{descriptor.name} compares no items by similarities: leave out kernel, graph and "
            f"affinity. It works on {', '.join(descriptor.needs)}.",
            code="invalid-parameters",
        )
    nouns: list[Any] = []
    given = list(inputs)
    for need in _slots(descriptor, len(given)):
        if not given:
            break
        wants = need.accepts_type("affinity") and (chosen or not need.accepts_type("dataset"))
        about = next((noun for noun in nouns if isinstance(noun, Dataset)), None)
        if (wants and noun_of(given[0]) is None) or (
            wants and isinstance(noun_of(given[0]), Dataset)
        ):
            nouns.append(_similarities(given.pop(0), kernel, graph, affinity, call))
        elif wants and not _is_affinity(given[0]) and about is not None:
            nouns.append(compare(about, kernel, graph, call))
        else:
            nouns.append(_as_needed(need, given.pop(0)))
    nouns += [noun_of(value) or as_dataset(value) for value in given]
    return tuple(nouns)


def _is_affinity(value: Any) -> bool:
    return isinstance(noun_of(value), Affinity)


def _slots(descriptor: Descriptor, given: int) -> list[Need]:
    needs = list(descriptor.inputs)
    if needs and needs[-1].many:
        needs += [needs[-1]] * max(0, given - len(needs))
    return needs


def _similarities(value: Any, kernel: Choice, graph: Choice, affinity: Any, call: Any) -> Affinity:
    if isinstance(affinity, str):
        if affinity != PRECOMPUTED:
            raise ParameterError(
                f"affinity must be '{PRECOMPUTED}', a matrix or a result. Got {affinity!r:.80}. "
                "Kernels and graphs are named by kernel= and graph=.",
                code="invalid-parameters",
            )
        return as_affinity(value)
    if affinity is not None:
        return as_affinity(affinity, data=value)
    return compare(as_dataset(value), kernel, graph, call)


def _as_needed(need: Need, value: Any) -> Any:
    """A value as the first type that the method accepts and the value can be."""
    noun = noun_of(value)
    if noun is not None:
        return noun
    flat = not is_sparse(value) and getattr(value, "ndim", None) == 1
    flat = flat or (isinstance(value, list | tuple) and not _is_nested(value))
    flat = flat or type(value).__name__ in ("Series", "ChunkedArray")
    for name, make, fits in (
        ("clustering", as_clustering, flat),
        ("ranking", as_ranking, flat),
        ("dataset", as_dataset, True),
        ("embedding", as_embedding, True),
        ("affinity", as_affinity, True),
        ("clustering", as_clustering, True),
    ):
        if fits and need.accepts_type(name):
            return make(value)
    return as_dataset(value)


def _is_nested(values: Any) -> bool:
    first = values[0] if len(values) else None
    return isinstance(first, list | tuple) or getattr(first, "ndim", 0) > 0


def cluster(
    data: Any,
    *,
    truth: Any = None,
    together: Sequence[Sequence[int | str]] = (),
    apart: Sequence[Sequence[int | str]] = (),
    seed: int = 0,
    progress: ProgressCall | bool | None = None,
    cancel: Cancels | None = None,
    engine: EngineName = "inprocess",
) -> Result:
    """Return the groups that the evidence speaks for; nothing has to be chosen.

    Missing values are filled in, features are standardised, and methods and numbers of groups are
    compared, as when a table is opened in the window and run. `docs/quality.md` says how good the
    answer is.

    Parameters
    ----------
    together, apart : lists of items, by names or positions from 0: those of a list share a group,
        or no two of them do

    Examples
    --------
    >>> X = [[0.0, 0.1], [0.1, 0.0], [5.0, 5.1], [5.1, 5.0]] * 10
    >>> cluster(X).k
    2
    >>> labels = cluster(X, apart=[[0, 1]]).labels
    >>> bool(labels[0] == labels[1])
    False
    """
    items = as_dataset(data, truth=truth)
    job = Job(seed=seed, progress=progress, cancel=cancel, engine=engine)
    reader = _READERS.get(items.kind, "") if items.features is None else ""
    recipe = default_recipe(Source(), "", reader).leading_to(_GROUPS)
    found: dict[str, Result] = {"data": Result(items)}
    for step in recipe.in_order():
        nouns = tuple(found[of].noun for of in step.of)
        known = {"together": together, "apart": apart} if step.name == _GROUPS else {}
        asked = {name: [list(one) for one in lists] for name, lists in known.items() if lists}
        found[step.name] = result_of(step.use, nouns, {**step.params, **asked}, job)
    groups = found[_GROUPS]
    earlier: list[Result] = []
    name = recipe.step(_GROUPS).of[0]
    while name != "data":
        earlier.insert(0, found[name])
        name = recipe.step(name).of[0]
    return Result(
        groups.noun,
        groups.parts,
        use=groups.use,
        params=groups.params,
        seed=groups.seed,
        seconds=groups.seconds,
        apply=partial(_after, tuple(earlier)),
    )


def _after(earlier: Sequence[Result], use: str, model: Any, data: Any) -> Any:
    """Apply a model to new items after the steps that its own items went through."""
    for step in earlier:
        data = step.apply(data)
    return apply_model(use, model, data)
