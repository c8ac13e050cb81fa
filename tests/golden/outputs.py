"""What every built-in method computes, in a form that can be compared on any machine.

Run as a program to record it again: `./dev golden`, or `python -m tests.golden.outputs`.

A result becomes a few numbers for each of its arrays. They do not change when an eigenvector turns
its sign, nor when the coordinates of an embedding rotate, which is a matter of the processor. Texts
do not count: rewording a note changes no result.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core import CoterieError
from coterie.core.api.context import Context
from coterie.core.formats.samples import SAMPLES
from coterie.core.model.encoding import Encoded, encode
from coterie.core.testing import Subject
from coterie.core.testing.inputs import nouns_about
from coterie.core.testing.subjects import ITEMS

from ..contracts.subjects import SUBJECTS
from .files import FILES

RECORDS = Path(__file__).with_name("outputs.json")
SAMPLE_READER = "reader/sample"
SEED = 11
FEW = 32  # whole numbers of an array that are compared one by one
# What some choices cannot do without.
BESIDE: dict[str, dict[str, Any]] = {
    'scope = "items"': {"items": [0, 2]},
    'scope = "across-cluster"': {"cluster": 0},
}
# How often an iteration ran, and how long it took, may differ where the result does not.
LEFT_OUT = frozenset({"iterations", "seconds", "steps", "history"})
# Iterations stop when what is left is below 1e-6 or so, and on another processor may stop one
# earlier: that much may differ. A changed method differs by far more.
RELATIVE, ABSOLUTE = 1e-4, 1e-6

# Their iterations turn a difference in the last digit into another picture, as good as the first:
# only the shapes of what they give are the same on every processor. Their tests look at the rest.
CHAOTIC = frozenset({"embedder/tsne", "embedder/umap"})

Record = dict[str, Any]


def recorded_subjects() -> dict[str, Subject]:
    """The methods whose results are kept under a key: all but writers, which give files.

    What `reader/sample` gives is compared sample by sample.
    """
    return {
        subject.name: replace(subject, example=FILES.get(subject.name, subject.example))
        for subject in SUBJECTS
        if subject.method.kind != "writer" and subject.name != SAMPLE_READER
    }


def record_of(subject: Subject) -> Record:
    """Return the outputs of a method: with its usual settings, and with each other choice."""
    outputs = {name: output_of(changed) for name, changed in variants(subject)}
    return {"version": subject.method.version, "outputs": outputs}


def variants(subject: Subject) -> Iterator[tuple[str, Subject]]:
    """A subject as it is, and with each of its choices and switches set otherwise."""
    yield "defaults", subject
    defaults = subject.method.with_defaults(subject.values)
    for name, schema in subject.method.params.get("properties", {}).items():
        choices = (True, False) if schema.get("type") == "boolean" else schema.get("enum", ())
        for choice in choices:
            if choice != defaults.get(name):
                variant = f"{name} = {json.dumps(choice)}"
                values = {**subject.values, **BESIDE.get(variant, {}), name: choice}
                yield variant, replace(subject, values=values)


def output_of(subject: Subject) -> Any:
    """Run a subject; return its main result and parts in numbers, or that it refuses.

    One that refuses its required inputs gets the optional ones too: a choice may need them.
    """
    output, refusal = None, ""
    for inputs in inputs_to_try(subject):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                output = subject.run(inputs, Context(seed=SEED))
            break
        except CoterieError as error:
            refusal = f"refused: {type(error).__name__}"
    if output is None:
        return refusal
    numbers = shapes_of if subject.name in CHAOTIC else numbers_of
    parts = {name: numbers(encode(part)) for name, part in output.parts.items()}
    return {"main": numbers(encode(output.main)), **parts}


def inputs_to_try(subject: Subject) -> Iterator[list[Any]]:
    """The usual inputs, then those with one noun for each optional input."""
    yield subject.usual()
    if subject.example is None and any(need.optional for need in subject.method.inputs):
        nouns = nouns_about(subject.make(ITEMS))
        yield [
            nouns[next(kind for kind in (*need.accepts, "dataset") if kind in nouns)]
            for need in subject.method.inputs
        ]


def samples() -> Record:
    """Return every built-in sample in numbers: those are what `reader/sample` gives."""
    return {name: numbers_of(encode(sample.make())) for name, sample in SAMPLES.items()}


def numbers_of(encoded: Encoded) -> Record:
    """Return a result as plain numbers that are the same on every processor, nearly."""
    if encoded.type == "trace":  # one point for each iteration, and their number may differ
        return {"type": encoded.type}
    numbers: Record = {"type": encoded.type}
    if found := _numbers(encoded.meta):
        numbers["meta"] = found
    for name, array in sorted(encoded.arrays.items()):
        turns = encoded.type == "embedding" and name == "coordinates"
        numbers[name] = in_numbers(array @ array.T if turns else array)
    return numbers


def shapes_of(encoded: Encoded) -> Record:
    """Return the shapes of the arrays of a result."""
    if encoded.type == "trace":
        return {"type": encoded.type}
    arrays = sorted(encoded.arrays.items())
    return {"type": encoded.type, **{name: list(array.shape) for name, array in arrays}}


def in_numbers(array: np.ndarray[Any, Any]) -> Any:
    """Return an array as a list of its few whole numbers, or as four sums over it."""
    if array.dtype.kind in "biu" and array.size <= FEW:
        return array.astype(int).tolist()
    values = np.abs(np.nan_to_num(array.astype(np.float64), posinf=1e300, neginf=-1e300)).ravel()
    # By the golden ratio: entries that change places change the sum.
    weights = np.modf(np.arange(1, values.size + 1) * 0.6180339887498949)[0]
    sums = [values.sum(), np.sqrt((values**2).sum()), values.max(initial=0.0), values @ weights]
    return {"shape": list(array.shape), "sums": [_rounded(value) for value in sums]}


def differences(then: Any, now: Any, where: str = "") -> list[str]:
    """Return where two records differ by more than processors do."""
    if isinstance(then, Mapping) and isinstance(now, Mapping):
        names = sorted({*then, *now})
        return [
            found
            for name in names
            for found in differences(then.get(name), now.get(name), f"{where}/{name}")
        ]
    if isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        return [
            found
            for position, pair in enumerate(zip(then, now, strict=True))
            for found in differences(*pair, f"{where}[{position}]")
        ]
    if _is_number(then) and _is_number(now):
        close = abs(then - now) <= ABSOLUTE + RELATIVE * max(abs(then), abs(now))
        whole = isinstance(then, int) and isinstance(now, int)
        same = then == now if whole else close
    else:
        same = then == now
    return [] if same else [f"{where}: was {then!r:.60}, is {now!r:.60}"]


def _numbers(value: Any) -> Any:
    """The numbers in a piece of JSON; texts go."""
    if isinstance(value, Mapping):
        found = {
            name: part
            for name, entry in sorted(value.items())
            if name not in LEFT_OUT and (part := _numbers(entry)) is not None
        }
        return found or None
    if isinstance(value, list | tuple):
        return [part for entry in value if (part := _numbers(entry)) is not None] or None
    return _rounded(value) if _is_number(value) else None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _rounded(value: Any) -> float | int:
    return value if isinstance(value, int) else float(f"{float(value):.9g}")


def main() -> None:
    """Record the outputs of all methods, or of those named."""
    parser = argparse.ArgumentParser(prog="./dev golden", description=main.__doc__)
    parser.add_argument("names", nargs="*", metavar="KIND/ID", help="all, unless named")
    names = parser.parse_args().names
    subjects = recorded_subjects()
    records = json.loads(RECORDS.read_text()) if RECORDS.exists() else {}
    records = {name: kept for name, kept in records.items() if name in {*subjects, SAMPLE_READER}}
    for name in names or [*subjects, SAMPLE_READER]:
        print(name, flush=True)
        if name == SAMPLE_READER:
            records[name] = {"version": version_of_samples(), "outputs": samples()}
        else:
            records[name] = record_of(subjects[name])
    RECORDS.write_text(_as_text(records), encoding="utf-8")


def version_of_samples() -> str:
    """The version of the method that gives the samples."""
    return next(s.method.version for s in SUBJECTS if s.name == SAMPLE_READER)


def _as_text(records: Record) -> str:
    """One line for each way of running a method, so that a change is seen in its place."""
    lines = []
    for name, record in sorted(records.items()):
        outputs = ",\n".join(
            f"   {json.dumps(variant)}: {json.dumps(output)}"
            for variant, output in record["outputs"].items()
        )
        lines.append(
            f' {json.dumps(name)}: {{"version": {json.dumps(record["version"])}, "outputs": {{\n'
            f"{outputs}}}}}"
        )
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    main()
