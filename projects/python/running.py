"""Runs one method: in this process, or in an engine's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from coterie.core.api.components import Component, Output
from coterie.core.api.context import Context, Control, Frame
from coterie.core.api.parameters import Params, parse_params
from coterie.core.catalogue.descriptors import Descriptor
from coterie.core.engine.check_output import as_output
from coterie.core.engine.cost_check import require_memory
from coterie.core.engine.label_items import like_fitted
from coterie.core.engine.weighed_items import refuse_weights
from coterie.core.errors import DataError, RecipeError
from coterie.core.io import clock
from coterie.core.model.dataset import Dataset
from coterie.core.model.embedding_items import as_needed, items_of
from coterie.core.model.results import Clustering, Embedding
from coterie.core.numerics.features.typed_columns import is_default_encoding
from coterie.core.optional_parts import naming_parts
from coterie.engines import run_in_process
from coterie.inputs import as_dataset, noun_of
from coterie.jobs import Job, ProgressCall
from coterie.registry import component, describe, runs_for
from coterie.results import Result


class _Control(Control):
    """Asks the job at each check whether to stop."""

    def __init__(self, job: Job) -> None:
        super().__init__()
        self._job = job

    def pass_check(self) -> None:
        if self._job.is_cancelled():
            self.cancel()
        super().pass_check()


class _Listener:
    """Passes progress on."""

    def __init__(self, tell: ProgressCall | None) -> None:
        self._tell = tell

    def progress(self, done: float, total: float, message: str) -> None:
        if self._tell is not None:
            self._tell(done / total, message)

    def frame(self, frame: Frame) -> None: ...
    def event(self, name: str, details: Mapping[str, Any]) -> None: ...


def result_of(use: str, nouns: tuple[Any, ...], params: Mapping[str, Any], job: Job) -> Result:
    """Run a method on nouns that fit it, and return its result with its parts."""
    parsed = parse_params(component(use).Params, params, use)
    started = clock.seconds()
    if job.engine == "process":
        output = run_in_process(use, nouns, params, job)
    else:
        with naming_parts():
            output = compute(use, nouns, parsed, job)
    return Result(
        output.main,
        output.parts,
        use=use,
        params=parsed.as_json(),
        seed=int(job.seed),
        seconds=clock.seconds() - started,
        apply=partial(apply_like, nouns[0] if nouns else None),
    )


def compute(use: str, nouns: tuple[Any, ...], params: Params, job: Job) -> Output:
    """Run a method in this process."""
    descriptor, made = describe(use), component(use)()
    require_inputs(descriptor, nouns)
    nouns = as_needed(nouns, descriptor.accepted)
    refuse_weights(component(use), nouns)
    require_memory(descriptor, made, nouns, params, job.options.memory)
    context = context_of(use, job)
    context.check()
    returned = made.compute(*nouns, params=params, context=context)
    context.check()
    dataset = _dataset_of(nouns)
    output = as_output(returned, descriptor, dataset, nouns)
    trace = context.trace()
    if trace is not None and "trace" not in output.parts:
        trace = replace(trace, dataset=dataset, title=descriptor.title)
        output = Output(output.main, {**output.parts, "trace": trace})
    return output


def context_of(use: str, job: Job) -> Context:
    """Return what a method gets to work with."""
    return Context(
        seed=int(job.seed),
        memory=job.options.memory,
        workers=job.options.workers,
        listener=_Listener(job.tell),
        control=_Control(job),
        runs=runs_for(use),
    )


def require_inputs(descriptor: Descriptor, nouns: tuple[Any, ...]) -> None:
    """Refuse inputs of types that the method does not work on."""
    types = [getattr(noun, "encoding_type", "path") for noun in nouns]
    if refusal := descriptor.refusal(types):
        raise RecipeError(refusal, code="input-mismatch")


def _dataset_of(nouns: tuple[Any, ...]) -> Dataset | None:
    first = nouns[0] if nouns else None
    return first if isinstance(first, Dataset) else getattr(first, "dataset", None)


def apply_like(fitted: Any, use: str, model: Any, data: Any) -> Any:
    """Apply a fitted method to new items; of a data frame or a file, columns go by their names."""
    items = as_dataset(data)
    # What a transform made has its values in its features; its columns are those from before.
    opened = isinstance(data, Result) and data.use.partition("/")[0] in ("", "reader")
    named = items.table and (opened or noun_of(data) is None)
    if named and isinstance(fitted, Dataset):
        there = bool(fitted.columns) and set(fitted.columns) <= set(items.columns)
        if there or is_default_encoding(fitted):
            items = like_fitted(items, fitted)
    if describe(use).kind == "classifier":
        _require_columns(use, fitted, items)
    return apply_model(use, model, items)


def _require_columns(use: str, fitted: Any, items: Dataset) -> None:
    """Refuse items with more or fewer columns than a classifier was fitted to."""
    about = items_of(fitted) if isinstance(fitted, Embedding) else fitted
    if isinstance(about, Dataset) and about.d and items.d and about.d != items.d:
        raise DataError(
            f"{use} was fitted to {about.d} columns ({', '.join(about.columns):.120}). "
            f"Got {items.d} ({', '.join(items.columns):.120}).",
            code="columns-mismatch",
        )


def apply_model(use: str, model: Any, data: Any) -> Any:
    """Apply a fitted method to new items, which must have the columns it was fitted to."""
    items = as_dataset(data)
    learnt: Component = component(use)()
    try:
        applied = learnt.apply(model, items, context_of(use, Job()))
    except TypeError as error:
        if type(learnt).apply is not Component.apply:
            raise
        raise DataError(str(error), code="no-model") from error
    if isinstance(applied, Output):
        applied = applied.main
    if isinstance(applied, Clustering) and applied.dataset is None:
        applied = replace(applied, dataset=items)
    return applied
