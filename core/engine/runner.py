"""Runs one step: loads its inputs, calls the component, checks and publishes what it returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.api.choices import check_choices
from coterie.core.api.components import Component, Output, Reader
from coterie.core.api.context import Context, Control, Listener, NullListener
from coterie.core.api.executor import Executor
from coterie.core.api.parameters import Params, parse_params
from coterie.core.catalogue.descriptors import Descriptor
from coterie.core.catalogue.registry import Registry
from coterie.core.engine.assess_scene import judge
from coterie.core.engine.check_output import as_output, broken_promise, main_array
from coterie.core.engine.classify_scene import classify
from coterie.core.engine.cost_check import cost_of, require_memory
from coterie.core.engine.file_output import write_whole
from coterie.core.engine.label_items import label_items
from coterie.core.engine.messages import (
    Certified,
    Certify,
    Classify,
    Estimated,
    Finished,
    Judge,
    Label,
    Order,
    Previewed,
    PreviewedTable,
    Run,
)
from coterie.core.engine.nested_runs import DirectRuns, NestedRuns
from coterie.core.engine.previews import first_lines, some_items
from coterie.core.engine.source_hash import companions_of, source_of, unchanged
from coterie.core.engine.weighed_items import refuse_weights
from coterie.core.errors import (
    CoterieError,
    DataError,
    PluginError,
    RecipeError,
    WorkspaceError,
)
from coterie.core.io import clock
from coterie.core.io.workspace import Workspace
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Ints
from coterie.core.model.artefacts import Artefact, part_key
from coterie.core.model.dataset import SCENE, Dataset
from coterie.core.model.embedding_items import as_needed
from coterie.core.model.encoding import Encoded, Noun, encode
from coterie.core.model.results import Clustering
from coterie.core.numerics.certificates.claims import certify_claims
from coterie.core.numerics.certificates.dominant_sets import SetCertificate, certify_set
from coterie.core.numerics.certificates.stated_groups import claims_of

_LIBRARIES = ("numpy", "scipy", "scikit-learn")


@dataclass(frozen=True)
class Prepared:
    """A step with all it needs, ready to run."""

    descriptor: Descriptor
    component: Component
    params: Params
    inputs: tuple[Any, ...]
    key: str
    dataset: Dataset | None
    dataset_key: str | None
    source: Mapping[str, Any]


class Runner:
    """Runs, estimates and previews steps with the components of one registry."""

    def __init__(
        self,
        registry: Registry,
        workspace: Workspace,
        memory: int,
        workers: int,
        crew: Executor | None = None,
    ) -> None:
        self._crew = crew
        self._registry = registry
        self._workspace = workspace
        self._memory = memory
        self._workers = workers

    def run(
        self, order: Run | Classify | Judge | Label, listener: Listener, control: Control
    ) -> Finished:
        """Do what is asked for, and report it step by step."""
        seed = 0 if isinstance(order, Classify | Label) else order.seed
        context = self._context(seed, listener, control)
        if isinstance(order, Run):
            return self._run_step(order, context)
        began, rooms = clock.seconds(), (self._registry, self._workspace, context)
        if isinstance(order, Judge):
            key, parts = judge(order, *rooms)
            done = Finished(job=order.job, key=key, type="metric", parts=parts)
        else:
            if isinstance(order, Label):
                notes = label_items(order, *rooms)
            else:
                notes = classify(order, *rooms)
            done = Finished(job=order.job, key="", type="file", notes=notes)
        return replace(done, seconds=clock.seconds() - began)

    def _run_step(self, order: Run, context: Context) -> Finished:
        """Run a step, unless the workspace has its result already."""
        with unchanged(order.path if order.use.startswith("reader/") else ""):
            prepared = self._prepare(order, context)
            if order.key and order.key != prepared.key:
                raise PluginError(
                    f"{order.use} was not run: the engine and the window have different versions "
                    "of it. Restart Coterie.",
                    code="plugin-changed",
                )
            writes = prepared.descriptor.gives == "file"
            known = None if writes else self._known(order, prepared.key)
            if known is not None and not order.again:
                return known
            require_memory(*_of(prepared), self._memory)
            started, began = clock.timestamp(), clock.seconds()
            if writes:
                self._write(prepared, context)
                return Finished(job=order.job, key="", type="file", seconds=clock.seconds() - began)
            output = self._compute(prepared, context)
        took = clock.seconds() - began
        if known is not None:  # it was watched; its result is there, and others may be reading it
            return replace(known, seconds=took, cached=False)
        self._publish(prepared, output, _provenance(order, prepared, started, took))
        return self._finished(order, prepared.key, seconds=took, cached=False)

    def estimate(self, order: Order, control: Control) -> Estimated:
        """Say what a step would take and whether that fits."""
        prepared = self._prepare(order, self._context(order.seed, None, control))
        cost = cost_of(*_of(prepared))
        return Estimated(
            job=order.job,
            bytes=cost.bytes,
            seconds=cost.seconds,
            fits=cost.bytes <= self._memory,
            alternatives=list(cost.alternatives),
        )

    def preview(self, order: Order, items: int, control: Control) -> Previewed:
        """Run a step on evenly spread items and return its main array, published nowhere."""
        context = self._context(order.seed, None, control)
        prepared = self._prepare(order, context)
        n = getattr(prepared.dataset, "n", 0) or getattr(prepared.inputs[0], "n", 0)
        if not n:
            raise DataError(
                f"{order.use} has no preview. Run it to see its result.",
                code="no-preview",
            )
        index = np.arange(n)
        if n > items:
            index = np.linspace(0, n - 1, items).astype(np.int64)
            inputs = tuple(some_items(noun, index, order.use) for noun in prepared.inputs)
            first = inputs[0]
            dataset = first if isinstance(first, Dataset) else first.dataset
            prepared = replace(prepared, inputs=inputs, dataset=dataset)
        output = self._compute(prepared, context)
        return Previewed(job=order.job, arrays={"main": main_array(output.main), "items": index})

    def preview_file(self, order: Order, control: Control) -> PreviewedTable:
        """Return the first lines of a file as its reader takes them."""
        reader_class = self._registry.component(order.use)
        params = parse_params(reader_class.Params, order.params, order.use)
        reader = reader_class()
        if not isinstance(reader, Reader):
            raise DataError(
                f"{order.use} does not read files, so it has no preview.", code="no-preview"
            )
        context = self._context(order.seed, None, control)
        table = first_lines(reader, Path(order.path), params, context)
        return PreviewedTable(job=order.job, table=table.as_json())

    def certify(self, order: Certify, control: Control) -> Certified:
        """Say by the definition whether items are a dominant set."""
        affinity = self._workspace.load(order.affinity)
        if not isinstance(affinity, Affinity):
            raise DataError(
                "Dominant sets are sets of similarities. Choose a kernel or graph step.",
                code="wrong-type",
            )
        items = np.asarray(order.items, dtype=np.int64)
        context = self._context(0, None, control)
        found = self._stated(order, items, context)
        if found is None:
            found = certify_set(affinity, items, check=context.check)
        return Certified(job=order.job, certificate=found.as_json())

    def _stated(self, order: Certify, items: Ints, context: Context) -> SetCertificate | None:
        """Test items as a method states them; None unless they are a group of its result."""
        if not order.result:
            return None
        result = self._workspace.load(order.result)
        inputs = [self._workspace.load(key) for key in order.inputs]
        if not isinstance(result, Clustering):
            return None
        for claim in claims_of(order.method, order.params, result, inputs):
            if np.array_equal(np.sort(items), claim.members):
                return certify_claims([claim], inputs, context)[0]
        return None

    def _context(self, seed: int, listener: Listener | None, control: Control) -> Context:
        def publish(use: str, keys: list[str], params: Mapping[str, Any], seed: int) -> str:
            order = Run(use=use, inputs=keys, params=dict(params), seed=seed)
            return self.run(order, NullListener(), control).key

        return Context(
            seed=seed,
            memory=self._memory,
            workers=self._workers,
            listener=listener,
            control=control,
            crew=self._crew,
            runs=NestedRuns(DirectRuns(lambda: self._registry), self._workspace, publish),
        )

    def _prepare(self, order: Order, context: Context) -> Prepared:
        component_class = self._registry.component(order.use)
        descriptor = self._registry.catalogue.get(order.use)
        params = parse_params(component_class.Params, order.params, order.use)
        source: dict[str, Any] = {}
        inputs: tuple[Any, ...]
        if descriptor.kind == "reader":
            source = source_of(order.path, descriptor, component_class, context)
            inputs, keys = (order.path,), [source["source_sha256"]]
            if others := companions_of(component_class(), order.path, params, context):
                source["companions"] = others
                keys += others.values()
            dataset, dataset_key = None, None
            if descriptor.extensions:
                inputs = (Path(order.path),)
        else:
            keys = list(order.inputs)
            inputs = tuple(self._workspace.load(key) for key in keys)
            if isinstance(context.runs, NestedRuns):
                for noun, key in zip(inputs, keys, strict=True):
                    context.runs.know(noun, key)
            dataset, dataset_key = self._dataset_of(keys, inputs)
            types = [noun.encoding_type for noun in inputs]
            if descriptor.kind == "writer":
                inputs, types = (*inputs, Path(order.path)), [*types, "path"]
            if refusal := descriptor.refusal(types):
                raise RecipeError(refusal, code="input-mismatch")
            inputs = as_needed(inputs, descriptor.accepted)
            check_choices(descriptor.params, params.as_json(), inputs, order.use)
            refuse_weights(component_class, inputs)
        key = descriptor.key_of(order.params, keys, order.seed)
        return Prepared(
            descriptor, component_class(), params, inputs, key, dataset, dataset_key, source
        )

    def _dataset_of(
        self, keys: list[str], inputs: tuple[Any, ...]
    ) -> tuple[Dataset | None, str | None]:
        """Return the dataset the step is about: its first input, or what that one is about."""
        if not inputs:
            return None, None
        if isinstance(inputs[0], Dataset):
            return inputs[0], keys[0]
        return inputs[0].dataset, self._workspace.record(keys[0])["dataset"]

    def _call(self, prepared: Prepared, context: Context) -> Any:
        context.check()
        returned = prepared.component.compute(
            *prepared.inputs, params=prepared.params, context=context
        )
        context.check()
        return returned

    def _write(self, prepared: Prepared, context: Context) -> None:
        *nouns, target = prepared.inputs
        write_whole(
            prepared.descriptor,
            target,
            lambda beside: self._call(replace(prepared, inputs=(*nouns, beside)), context),
        )

    def _compute(self, prepared: Prepared, context: Context) -> Output:
        returned = self._call(prepared, context)
        output = as_output(returned, prepared.descriptor, prepared.dataset, prepared.inputs)
        trace = context.trace()
        if trace is not None and "trace" not in output.parts:
            trace = replace(trace, dataset=prepared.dataset, title=prepared.descriptor.title)
            output = Output(output.main, {**output.parts, "trace": trace})
        return output

    def _publish(self, prepared: Prepared, output: Output, provenance: dict[str, Any]) -> None:
        """Write the parts first and the main result last: where it is, all of it is."""
        makes_data = isinstance(output.main, Dataset)
        part_link = prepared.key if makes_data else prepared.dataset_key
        parts = {name: part_key(prepared.key, name) for name in output.parts}
        # All of it before any is written: what turns out not to fit leaves nothing behind.
        main = _encoded(prepared, output.main)
        encoded = {name: _encoded(prepared, part) for name, part in output.parts.items()}
        for name, part in encoded.items():
            about = {**provenance, "part": name}
            self._workspace.write(Artefact(parts[name], part, part_link, about))
        about = {**provenance, "parts": parts}
        link = None if makes_data else prepared.dataset_key
        self._workspace.write(Artefact(prepared.key, main, link, about))

    def _known(self, order: Order, key: str) -> Finished | None:
        """Return what the workspace has; what is damaged, or lacks a part, is computed again."""
        if key not in self._workspace:
            return None
        try:
            known = self._finished(order, key, seconds=0.0, cached=True)
            whole = all(part in self._workspace for part in known.parts.values())
            if whole and not self._has_moved(order, key):
                return known
        except WorkspaceError:
            pass
        self._workspace.discard(key)
        return None

    def _has_moved(self, order: Order, key: str) -> bool:
        """Return whether a scene was read from another place, where its windows are not now."""
        noun = self._workspace.load(key)
        if not isinstance(noun, Dataset) or not noun.on_disk or not order.path:
            return False
        place = Path(noun.details[SCENE].get("path", ""))
        return not (place.exists() and place.is_relative_to(_folder(order.path)))

    def _finished(self, order: Order, key: str, *, seconds: float, cached: bool) -> Finished:
        noun = self._workspace.load(key)  # as others will: what cannot be loaded is not a result
        return Finished(
            job=order.job,
            key=key,
            type=noun.encoding_type,
            parts=dict(self._workspace.read(key).provenance.get("parts", {})),
            seconds=seconds,
            cached=cached,
            notes=list(noun.notes),
        )


def _of(prepared: Prepared) -> tuple[Descriptor, Component, tuple[Any, ...], Params]:
    """What its cost depends on."""
    return prepared.descriptor, prepared.component, prepared.inputs, prepared.params


def _encoded(prepared: Prepared, noun: Noun) -> Encoded:
    """A noun as it is kept; what cannot be is the component's fault."""
    try:
        return encode(noun)
    except CoterieError as error:
        raise broken_promise(prepared.descriptor, error) from error


def _folder(path: str) -> Path:
    """A scene may be opened by a file of its product: what counts is the folder."""
    return Path(path).absolute().parent


def _provenance(order: Order, prepared: Prepared, started: str, took: float) -> dict[str, Any]:
    return {
        "component": prepared.descriptor.name,
        "title": prepared.descriptor.title,
        "version": prepared.descriptor.version,
        "origin": prepared.descriptor.origin,
        "params": prepared.params.as_json(),
        "inputs": list(order.inputs),
        "seed": order.seed,
        "started": started,
        "seconds": round(took, 6),
        "libraries": {name: _version(name) for name in _LIBRARIES},
        **prepared.source,
    }


@cache
def _version(distribution: str) -> str:
    """What is installed; it stays so while the engine runs, and is slow to look up."""
    try:
        return installed_version(distribution)
    except PackageNotFoundError:
        return ""
