"""What a component gives: its noun, the same each time, true to what it says, fit to be kept."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.api.context import Context
from coterie.core.api.kinds import KINDS
from coterie.core.engine.nested_runs import built_in_runs
from coterie.core.errors import CoterieError, PluginError
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats, is_sparse
from coterie.core.model.dataset import Dataset
from coterie.core.model.encoding import decode, encode
from coterie.core.model.result_types import RESULT_TYPES
from coterie.core.model.results import Clustering
from coterie.core.numerics.features.typed_columns import is_default_encoding
from coterie.core.testing.inputs import HOSTILE, hostile
from coterie.core.testing.sharing import PicklingExecutor
from coterie.core.testing.subjects import ITEMS, SEED, Subject, require_same
from coterie.core.testing.verdicts import Check, CheckFailed, NotApplicable, describe_error, require

COMPUTING = frozenset(kind.name for kind in KINDS.values() if kind.is_step)


def _gives(subject: Subject) -> None:
    if (error := subject.failure) is not None:
        raise _failure_of_usual_run(error, subject) from error
    require(
        not subject.refusal,
        f"it refuses the usual inputs: '{subject.refusal}' If it needs others, give the class "
        "a method example(folder) that returns them.",
    )
    if subject.method.kind == "writer":
        require(bool(subject.first.written), "it wrote no file, or an empty one")
        return
    expected = RESULT_TYPES[subject.method.gives].noun
    require(isinstance(subject.output.main, expected), f"it gives no {expected.__name__}")


def _failure_of_usual_run(error: BaseException, subject: Subject) -> CheckFailed:
    """What keeps a component from getting through its usual run, said to its author."""
    if isinstance(error, PluginError):
        what = re.sub(r"^\S+ broke its promise: | Report it to its author.*$", "", str(error))
        return CheckFailed(what, "The table of kinds in the guide says what may be returned.")
    advice = "Fix that first. Report what is wrong with data by a DataError, in one sentence."
    return CheckFailed(describe_error(error, subject.component), advice)


def _same_seed(subject: Subject) -> None:
    first = subject.first.parts()
    again = subject.run_watched().parts()
    require(first.keys() == again.keys(), "two runs publish different parts")
    for name, part in first.items():
        require_same(part, again[name], f"'{name}' of two runs with one seed")


def _shared_work(subject: Subject) -> None:
    if not subject.first.shares_work:
        return
    here = {name: part for name, part in subject.first.parts().items() if name != "trace"}
    output = subject.run(
        subject.usual(), Context(seed=SEED, runs=built_in_runs(), crew=PicklingExecutor())
    )
    if output is None:
        raise NotApplicable("it gives a file")
    nouns = {"main": output.main, **output.parts}
    for name, part in here.items():
        require(name in nouns, f"'{name}' is not published when its work is done elsewhere")
        require_same(part, encode(nouns[name]), f"'{name}' of work that was done elsewhere")


def _inputs_untouched(subject: Subject) -> None:
    run = subject.first
    target = len(run.inputs) - 1 if subject.method.kind == "writer" else None
    for place, (before, after) in enumerate(zip(run.before, run.after, strict=True)):
        if place != target:
            require_same(before, after, f"input {place + 1}")


def _stored(subject: Subject) -> None:
    output = subject.output
    for noun in (output.main, *output.parts.values()):
        stored = encode(noun)
        again = encode(decode(stored, getattr(noun, "dataset", None)))
        require_same(again, stored, f"a {stored.type} read back")


def _promises(subject: Subject) -> None:
    nouns = (subject.output.main, *subject.output.parts.values())
    affinities = [noun for noun in nouns if isinstance(noun, Affinity)]
    if not affinities:
        raise NotApplicable("it gives no similarities")
    for affinity in affinities:
        check_promises(affinity)


def check_promises(affinity: Affinity) -> None:
    """Raise `CheckFailed` when similarities are not what their maker calls them.

    What is said in `details` as {"stochastic": True} is looked at as well: that rows sum to one.
    """
    A = affinity.to_dense().astype(np.float64)
    exact = np.finfo(affinity.stored.dtype).eps
    slack = float(10 * max(1, len(A)) * exact * np.abs(A).max(initial=0.0))
    if affinity.symmetric:
        worst = float(np.abs(A - A.T).max(initial=0.0))
        require(worst <= slack, f"it says 'symmetric', but A and Aᵀ differ by {worst:.3g}")
    if affinity.nonnegative:
        least = float(A.min(initial=0.0))
        require(least >= -slack, f"it says 'nonnegative', but there is {least:.3g}")
    if affinity.positive_semidefinite:
        least = _least_eigenvalue(A)
        # Rounding moves an eigenvalue by no more than the norm of the error.
        require(
            least >= -slack * max(1, len(A)),
            f"it says 'positive_semidefinite', but there is the eigenvalue {least:.3g}",
        )
    if affinity.details.get("stochastic"):
        off = float(np.abs(A.sum(axis=1) - 1.0).max(initial=0.0))
        require(off <= 1e-6, f"it says 'stochastic', but a row sums to one only within {off:.3g}")


def _least_eigenvalue(A: Floats) -> float:
    return float(np.linalg.eigvalsh((A + A.T) / 2).min(initial=0.0))


def _model(subject: Subject) -> None:
    output = subject.output
    if "model" not in output.parts:
        raise NotApplicable("it publishes no model to apply")
    inputs = subject.first.inputs
    # What is computed from similarities places new items by their features.
    items = inputs[0].dataset if isinstance(inputs[0], Affinity) else inputs[0]
    applied = subject.component().apply(output.parts["model"], items, Context(runs=built_in_runs()))
    main = "features" if subject.method.kind == "transform" else "coordinates"
    one, other = (np.asarray(getattr(noun, main)) for noun in (applied, output.main))
    require(one.shape == other.shape, f"applied to the same items it gives the shape {one.shape}")
    require(np.allclose(one, other, rtol=1e-7, atol=1e-10), "the same items get other coordinates")


def _labels_items(subject: Subject) -> None:
    component = subject.component()
    for n in (ITEMS, 7):
        data = subject.make(n)
        context = Context(runs=built_in_runs())
        found = component.apply(subject.output.main, data, context)
        require(isinstance(found, Clustering), f"apply gives {type(found).__name__}")
        require(found.n == n, f"apply labels {found.n} of {n} items")
        known = set(found.labels.tolist())
        require(known <= {-1, 0, 1}, f"it was trained on groups 0 and 1, but finds {sorted(known)}")
        require(context.checks >= 1, "apply never calls context.check()")
        if n == ITEMS:
            labelled = found.labels >= 0
            require(bool(labelled.any()), "it labels none of the items it was trained on")
            # The groups alternate as the clouds do: whoever is labelled is labelled right.
            right = np.arange(n)[labelled] % 2
            require(
                bool((found.labels[labelled] == right).all()),
                "it mislabels items it was trained on, although the groups are far apart",
            )


def _hostile(subject: Subject, case: str) -> None:
    """A clear error, or a result that is whole."""
    data = hostile(case, subject.make(1))
    try:
        output = subject.run(subject.on(data))
    except PluginError:
        raise  # a broken promise is not an answer
    except CoterieError as error:
        _require_clear(str(error))
        return
    nouns = () if output is None else (output.main, *output.parts.values())
    for noun in nouns:
        if _keeps_holes(noun, data):
            continue  # passed on unchanged: missing values there are for a later step to report
        encoded = encode(noun)
        # The columns of a table stay as they were read, holes and all.
        holes = {*RESULT_TYPES[encoded.type].may_miss} - {"features"}
        for name, array in encoded.arrays.items():
            if array.dtype.kind == "f" and name.partition("/")[0] not in holes:
                require(bool(np.isfinite(array).all()), f"'{name}' is not finite")


def _keeps_holes(noun: Any, data: Dataset) -> bool:
    """Whether a data set is missing nothing but what the items it comes from were missing.

    Columns of the same name must hold the values that they held, or be the columns of the table as
    they are encoded by default; a new column may be missing for items that miss something.
    """
    given, features = data.features, getattr(noun, "features", None)
    if features is given:
        return given is not None
    if not isinstance(noun, Dataset) or features is None or given is None or is_sparse(features):
        return False
    if is_default_encoding(noun) and noun.n == data.n:
        return True
    before, after = np.asarray(given), np.asarray(features)
    same = [name for name in noun.columns if name in data.columns]
    for name in same:
        old = before[:, data.columns.index(name)]
        new = after[:, noun.columns.index(name)]
        if not np.isin(new[np.isfinite(new)], old).all():
            return False
    if noun.n != data.n:
        return same == [*noun.columns]
    gone = ~np.isfinite(after).all(axis=1)
    return bool(same) and not (gone & np.isfinite(before).all(axis=1)).any()


def _hostile_file(subject: Subject, case: str) -> None:
    file = subject.folder / f"hostile{next(iter(subject.method.extensions), '.txt')}"
    if not subject.method.extensions:
        raise NotApplicable("it reads no files")
    file.write_bytes(_bytes_for(subject, case))
    try:
        subject.run([file])
    except PluginError:
        raise
    except CoterieError as error:
        _require_clear(str(error))


def _bytes_for(subject: Subject, case: str) -> bytes:
    if case == "empty":
        return b""
    if case == "noise":
        return np.random.default_rng(0).bytes(4096)
    [path, *_] = subject.usual()
    if not Path(os.fspath(path)).is_file():
        raise NotApplicable("its example is not one file")
    whole = Path(path).read_bytes()
    return whole[: len(whole) // 2]


def _require_clear(sentence: str) -> None:
    require(bool(sentence), "the error says nothing")
    begins = sentence[0].isupper() or sentence.startswith("'")
    require(
        begins and sentence.endswith((".", "?")), f"the error is not a sentence: '{sentence:.200}'"
    )


def _hostile_checks() -> tuple[Check, ...]:
    advice = (
        "Raise DataError with one sentence that says what is wrong and what to do; "
        "data.dense_features() and affinity.require_finite() do so for you."
    )

    def against(case: str, words: str, files: bool) -> Check:
        examine: Any = _hostile_file if files else _hostile
        return Check(
            f"{'file' if files else 'data'}-{case.replace(' ', '-')}",
            f"{words} a clear error or a whole result",
            advice,
            lambda subject: examine(subject, case),
            kinds=frozenset(("reader",)) if files else COMPUTING,
        )

    files = {
        "empty": "an empty file gets",
        "noise": "a file of noise gets",
        "half": "half a file gets",
    }
    return (
        *(against(case, f"data with {words} get", False) for case, words in HOSTILE.items()),
        *(against(case, words, True) for case, words in files.items()),
    )


RESULTS = (
    Check(
        "gives",
        "it gives what its kind gives",
        "See the table of kinds in the guide; a bare array will do for most.",
        _gives,
        runs=False,
    ),
    Check(
        "same-seed",
        "the same seed gives the same result",
        "Take all randomness from context.rng, and let no result depend on the time or on the "
        "order of a set.",
        _same_seed,
    ),
    Check(
        "shared-work",
        "what it hands to context.map can be done on another machine",
        "Let the function return its results: what it changes elsewhere is lost.",
        _shared_work,
        COMPUTING,
    ),
    Check(
        "inputs-untouched",
        "its inputs stay as they were",
        "Copy an array before changing it.",
        _inputs_untouched,
    ),
    Check(
        "stored",
        "its result survives being saved and loaded",
        "Put only numbers, texts, lists and dictionaries into details and settings.",
        _stored,
        kinds=COMPUTING | {"reader"},
    ),
    Check(
        "promises",
        "its similarities are what it says they are",
        "Correct the numbers, or say symmetric=False, nonnegative=False or "
        "positive_semidefinite=False.",
        _promises,
        kinds=frozenset(("kernel", "graph")),
    ),
    Check(
        "model",
        "its model puts the same items where they were",
        "Let apply(model, data, context) repeat on the data what compute did.",
        _model,
        kinds=frozenset(("transform", "embedder")),
    ),
    Check(
        "labels-items",
        "it labels the items it learned from and others",
        "Let apply(model, data, context) return a Clustering of the items of data.",
        _labels_items,
        kinds=frozenset(("classifier",)),
    ),
    *_hostile_checks(),
)
