"""A component under examination, with the inputs to try it on and what came of the usual run."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.api.components import Component, Output
from coterie.core.api.context import Context, Control
from coterie.core.api.kinds import KINDS
from coterie.core.api.parameters import Params, parse_params
from coterie.core.catalogue.descriptors import Descriptor
from coterie.core.engine.check_output import as_output
from coterie.core.engine.nested_runs import built_in_runs
from coterie.core.errors import Cancelled, CoterieError, PluginError
from coterie.core.model.dataset import Dataset
from coterie.core.model.encoding import Encoded, encode
from coterie.core.testing.inputs import inputs_for, table
from coterie.core.testing.sharing import RecordingExecutor
from coterie.core.testing.side_effects import LeakDetector
from coterie.core.testing.verdicts import FAILS, CheckFailed, NotApplicable, require

SEED = 11
ITEMS = 24
REFUSES = "it refuses the usual inputs"


@dataclass
class Subject:
    """One component and how to run it.

    Attributes
    ----------
    make : gives the usual data set of n items
    values : parameters to set, for a component whose defaults ask for more items
    example : writes a file for a reader, or makes other inputs than the usual, in a folder; by
        default the component's own method of that name
    """

    method: Descriptor
    component: type[Component]
    make: Callable[[int], Dataset] = table
    values: Mapping[str, Any] = field(default_factory=dict)
    example: Callable[[Path], Any] | None = None

    def __post_init__(self) -> None:
        self.example = self.example or getattr(self.component, "example", None)

    @property
    def name(self) -> str:
        """Kind and id."""
        return self.method.name

    @property
    def params(self) -> Params:
        """The parameters of every run."""
        return parse_params(self.component.Params, self.values, self.name)

    @cached_property
    def folder(self) -> Path:
        """A folder that goes when this object does."""
        made = Path(tempfile.mkdtemp(prefix="coterie-check-"))
        weakref.finalize(self, shutil.rmtree, made, ignore_errors=True)
        return made

    def usual(self, n: int = ITEMS) -> list[Any]:
        """Return fresh usual inputs: the component's own example, or those its needs imply."""
        if self.example is not None:
            return list(_as_tuple(self.example(self.folder)))
        if self.method.sample:
            return [self.method.id]
        if self.method.kind == "reader":
            raise NotApplicable(
                "there is no file to read. Give the class a method example(folder) that writes one "
                "and returns its path"
            )
        inputs = inputs_for(self.method.needs, self.make(n))
        return [*inputs, self.target] if self.method.kind == "writer" else inputs

    def accepted(self, n: int = ITEMS) -> list[Any]:
        """Return fresh usual inputs, known to be taken."""
        if self.refusal:
            raise NotApplicable(REFUSES)
        return self.usual(n)

    def on(self, data: Dataset) -> list[Any]:
        """Return the inputs that the component needs, about `data`."""
        inputs = inputs_for(self.method.needs, data)
        return [*inputs, self.target] if self.method.kind == "writer" else inputs

    @property
    def target(self) -> Path:
        """The file that a writer is to write."""
        return self.folder / f"written{next(iter(self.method.extensions), '.out')}"

    def run(self, inputs: Sequence[Any], context: Context | None = None) -> Output | None:
        """Run as the engine does; return what would be published, None when a file was written."""
        return self._published(
            self._call(inputs, context or Context(seed=SEED, runs=built_in_runs())), inputs
        )

    def _call(self, inputs: Sequence[Any], context: Context) -> Any:
        return self.component().compute(*inputs, params=self.params, context=context)

    def _published(self, returned: Any, inputs: Sequence[Any]) -> Output | None:
        if self.method.gives == "file":
            return None
        return as_output(returned, self.method, _dataset_of(inputs), inputs)

    @cached_property
    def first(self) -> WatchedRun:
        """The usual run, done once; there is none of a component that refuses the usual inputs."""
        if isinstance(self._attempt, WatchedRun):
            return self._attempt
        raise NotApplicable(REFUSES if self.refusal else FAILS)

    @property
    def refusal(self) -> str:
        """What the component says to the usual inputs when it does not take them."""
        return self._attempt if isinstance(self._attempt, str) else ""

    @property
    def failure(self) -> BaseException | None:
        """What the component raises on the usual inputs instead of working or refusing them."""
        try:
            return self._attempt if isinstance(self._attempt, BaseException) else None
        except NotApplicable:  # there are no usual inputs
            return None

    @cached_property
    def _attempt(self) -> WatchedRun | str | BaseException:
        has_files = self.example is not None or not KINDS[self.method.kind].is_step
        strays = LeakDetector(allowed=self.folder if has_files else None)
        try:
            self.usual()  # what making the inputs leaves behind is not the component's
            if self.component.warms_up:
                self.run_watched()
            with strays:
                return replace(self.run_watched(), strays=strays)
        except NotApplicable:
            raise
        except (PluginError, Cancelled) as error:
            return error
        except CoterieError as error:
            return str(error) or type(error).__name__
        # A component may raise anything, SystemExit included.
        except BaseException as error:
            return error

    def run_watched(self) -> WatchedRun:
        """Run on fresh usual inputs and keep all there is to compare."""
        inputs = self.usual()
        before = [content(given) for given in inputs]
        crew = RecordingExecutor()
        context = Context(seed=SEED, runs=built_in_runs(), crew=crew)
        returned = self._call(inputs, context)
        output = self._published(returned, inputs)
        after = [content(given) for given in inputs]
        written = content(inputs[-1]) if self.method.kind == "writer" else None
        return WatchedRun(
            inputs, before, after, returned, output, written, context.checks, crew.used
        )

    @property
    def output(self) -> Output:
        """What the usual run gives."""
        if self.first.output is None:
            raise NotApplicable("it gives a file")
        return self.first.output


@dataclass(frozen=True)
class WatchedRun:
    """A run that was watched: its inputs before and after, and what it gave."""

    inputs: list[Any]
    before: list[Any]
    after: list[Any]
    returned: Any
    output: Output | None
    written: bytes | None
    checks: int
    shares_work: bool = False
    strays: LeakDetector | None = None

    def parts(self) -> dict[str, Any]:
        """All that the run gave, in a form that can be compared."""
        if self.output is None:
            return {"file": self.written}
        return {"main": encode(self.output.main)} | {
            name: encode(part) for name, part in self.output.parts.items()
        }


class Limited(Context):
    """A context in which the person cancels after so many checks."""

    def __init__(self, allowed: int) -> None:
        self.control = Control()
        super().__init__(seed=SEED, control=self.control, runs=built_in_runs())
        self.allowed = allowed

    def check(self) -> None:
        """Cancel when enough checks have passed."""
        self.control.cancelled = self.checks >= self.allowed
        super().check()

    def frame(self, *args: Any, **kwargs: Any) -> None:
        """Cancel likewise."""
        self.control.cancelled = self.checks >= self.allowed
        super().frame(*args, **kwargs)


def content(given: Any) -> Any:
    """Return a copy of all that an input holds: the parts of a noun, the bytes of a file."""
    if not isinstance(given, str | Path):
        encoded = encode(given)
        copied = {name: np.array(array) for name, array in encoded.arrays.items()}
        return Encoded(encoded.type, encoded.version, encoded.meta, copied, encoded.strings)
    path = Path(given)
    if path.is_dir():
        return {str(file): file.read_bytes() for file in path.rglob("*") if file.is_file()}
    return path.read_bytes() if path.exists() else b""


def require_same(one: Any, other: Any, what: str) -> None:
    """Raise `CheckFailed` unless two contents are equal, number by number."""
    if not isinstance(one, Encoded) or not isinstance(other, Encoded):
        require(one == other, f"{what} differs")
        return
    require(one.meta == other.meta, f"{what} differs in {_difference(one.meta, other.meta)}")
    require(one.strings == other.strings, f"{what} differs in its texts")
    require(one.arrays.keys() == other.arrays.keys(), f"{what} differs in what it holds")
    for name, array in one.arrays.items():
        try:
            np.testing.assert_array_equal(array, other.arrays[name])
        except AssertionError:
            raise CheckFailed(f"{what} differs in '{name}'") from None


def _difference(one: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    names = [name for name in {**one, **other} if one.get(name) != other.get(name)]
    return ", ".join(f"'{name}'" for name in names)


def _dataset_of(inputs: Sequence[Any]) -> Dataset | None:
    """The dataset that a run is about, as the engine sees it."""
    first = inputs[0] if inputs else None
    return first if isinstance(first, Dataset) else getattr(first, "dataset", None)


def _as_tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, tuple | list) else (value,)
