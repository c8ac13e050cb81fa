"""Sessions whose results a test publishes, and make-believe data, results and runs for them."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.api.context import Frame
from coterie.core.catalogue.descriptors import Catalogue
from coterie.core.catalogue.registry import Registry
from coterie.core.engine.mailbox import Mailbox
from coterie.core.engine.messages import (
    CancelledMessage,
    CatalogueMessage,
    EngineState,
    Finished,
    Message,
    Order,
)
from coterie.core.engine.options import EngineOptions
from coterie.core.errors import RecipeError
from coterie.core.model.affinity import Affinity
from coterie.core.model.artefacts import Artefact, part_key
from coterie.core.model.dataset import Dataset
from coterie.core.model.encoding import encode
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.core.model.results import Clustering, Embedding, Ranking, Spectrum, Trace
from coterie.projects.recipe.inputs import reader_of
from coterie.projects.recipe.keys import Computed, implied_keys, request_of
from coterie.projects.session import Session


@cache
def built_in_methods() -> Catalogue:
    """The catalogue of the built-in methods, loaded once in a process."""
    return Registry.load(()).catalogue


@cache
def _as_the_engine_says_it() -> dict[str, Any]:
    return built_in_methods().as_json()


class SilentEngine:
    """An engine that knows the built-in methods, notes what it is sent, and never answers."""

    def __init__(
        self, _workspace: Path, _options: EngineOptions, notify: Callable[[], None]
    ) -> None:
        self.inbox = Mailbox(notify)
        self.sent: list[Message] = []

    def start(self) -> None:
        self.inbox.put(EngineState(state="ready"))
        self.inbox.put(CatalogueMessage(catalogue=_as_the_engine_says_it()))

    def send(self, message: Message) -> None:
        self.sent.append(message)

    def close(self) -> None:
        self.inbox.close()


class PreparedSession(Session):
    """A session like any other, whose results were published by a test and not by an engine.

    Its engine is silent: a job runs until the test ends it.
    """

    def __init__(
        self,
        root: Path,
        artefacts: Mapping[Any, Any] | None = None,
        recipe: Recipe | None = None,
    ) -> None:
        options = EngineOptions(plugin_folders=(), memory=2 << 30, workers=1)
        self._engines: list[SilentEngine] = []
        self._items: dict[str, int] = {}  # in each of the data, by their keys
        super().__init__(engine=self._new_engine, options=options, root=root)
        self.start()
        self.pump()
        if recipe is not None:
            self.project.load_recipe(recipe)
            self.publish(artefacts or {})
            self.project.modified = False

    def _new_engine(self, *arguments: Any) -> SilentEngine:
        self._engines.append(SilentEngine(*arguments))
        return self._engines[-1]

    @property
    def sent(self) -> list[Message]:
        """What the engine was sent."""
        return self._engines[0].sent

    def publish(self, artefacts: Mapping[Any, Any]) -> None:
        """Put each artefact, inputs before what depends on them; parts are named (step, part)."""
        sources = (source.name for source in self.recipe.sources)
        names = (*sources, *(step.name for step in self.recipe.in_order()))
        for name in names:
            if name in artefacts:
                self._put(name, artefacts[name], "")
            for key, part in artefacts.items():
                if isinstance(key, tuple) and key[0] == name:
                    self._put(name, part, key[1])
        self._runs.refresh()
        self.results.brought.emit(names)

    def put(self, name: str, noun: Any, part: str = "") -> None:
        """Publish a step's result, or a part of it, under the key that the recipe implies."""
        self._put(name, noun, part)
        self._runs.refresh()
        self.results.brought.emit((name,))

    def _put(self, name: str, noun: Any, part: str) -> None:
        known = self.results.computed((name,)).get(name)
        expected = self._expected(name)
        if known is None or (known.key != expected.key and not part):
            known = expected
        if part:
            known = replace(known, parts={**known.parts, part: part_key(known.key, part)})
        key = known.parts[part] if part else known.key
        workspace = self._storage.workspace
        if key in workspace:
            workspace.discard(key)
            self.results.forget((key,))
        workspace.write(Artefact(key, encode(noun), self._key_of_dataset(noun)))
        self.results.take(name, known)
        if isinstance(noun, Dataset):
            self._items[key] = noun.n

    def _expected(self, name: str) -> Computed:
        """What a step is to be computed to; some key of its own where the recipe implies none."""
        some_key = hashlib.sha256(name.encode()).hexdigest()
        part = self.recipe.find(name)
        if isinstance(part, Source):
            try:
                reader = reader_of(part, self.catalogue)
            except RecipeError:  # a file that nobody could read: any reader may have read it
                reader = next(r for r in self.catalogue.of_kind("reader") if r.extensions)
            return Computed(some_key, request=request_of(part, reader))
        computed = self.results.computed(self.recipe.names)
        return Computed(implied_keys(self.recipe, self.catalogue, computed).get(name, some_key))

    def _key_of_dataset(self, noun: Any) -> str | None:
        """The key of the data that a result is about: those of as many items that came last."""
        dataset = getattr(noun, "dataset", None)
        if dataset is None:
            return None
        for name in reversed(self.recipe.names):
            key = self.results.key(name)
            if key is not None and self._items.get(key) == dataset.n:
                return key
        raise AssertionError("publish the data before the results about them")

    def make_stale(self, name: str) -> None:
        """Edit a step after it was computed; undoing the edit makes it fresh again."""
        seed = self.recipe.step(name).seed + 1
        self.edits.replace(self.recipe.changed(name, seed=seed), f"change {name}")

    def set_job(self, state: str, step: str = "groups") -> None:
        """Start the job of a step, hold it, or end it as the engine would."""
        scheduler = self.scheduler
        job = scheduler.running
        if job is None:
            assert state == "running"
            scheduler.run(step, Order(use=self.recipe.step(step).use), step=step)
        elif state == "paused":
            scheduler.pause()
        elif state != "running":
            ended = {
                "finished": Finished(job=job.number, key=self.results.key(step) or "", type=""),
                "cancelled": CancelledMessage(job=job.number),
            }
            self._engines[0].inbox.put(ended[state])
            self.pump()


RECIPE = Recipe(
    title="make-believe",
    sources=(Source("data", "blobs"),),
    steps=(
        Step("near", "kernel/gaussian", ("data",)),
        Step("groups", "clusterer/dominant-sets", ("near",)),
        Step("plane", "embedder/pca", ("data",)),
        Step("order", "ranker/membership", ("groups",)),
    ),
)


def blobs(n: int = 300, k: int = 3, seed: int = 0, spread: float = 0.6) -> Dataset:
    """k round clouds in four dimensions, named items, a missing value, known classes."""
    rng = np.random.default_rng(seed)
    truth = np.sort(rng.integers(0, k, n))
    angle = 2 * np.pi * np.arange(k) / k
    centres = np.stack([3 * np.cos(angle), 3 * np.sin(angle), angle, np.zeros(k)], axis=1)
    features = centres[truth] + rng.normal(scale=spread, size=(n, 4))
    features = np.round(features, 3)
    features[min(4, n - 1), 2] = np.nan
    return Dataset(
        title="blobs",
        features=features,
        columns=("width", "height", "age", "weight"),
        items=tuple(f"item {i + 1}" for i in range(n)),
        truth=truth,
        truth_names=tuple(["red", "green", "blue"][c] if c < 3 else f"c{c}" for c in range(k)),
        truth_column="colour",
    )


def solved(data: Dataset, clutter: int = 5) -> dict[Any, Any]:
    """The artefacts of RECIPE on `data`."""
    assert data.truth is not None
    assert data.features is not None
    labels = data.truth.copy()
    labels[:: max(len(labels) // max(clutter, 1), 1)] = -1
    features: Any = data.features
    return {
        "data": data,
        "near": Affinity(factor=np.nan_to_num(features), nonnegative=False, dataset=data),
        "groups": Clustering(labels=labels, membership=memberships(labels), dataset=data),
        ("groups", "trace"): trace(labels),
        ("groups", "spectrum"): Spectrum(
            eigenvalues=np.array([1.0, 0.98, 0.95, 0.3, 0.25]), suggested_k=3
        ),
        "plane": Embedding(coordinates=features[:, :2] @ np.array([[0.8, 0.6], [-0.6, 0.8]]),
                           axes=("PC 1", "PC 2"), dataset=data),
        "order": Ranking(scores=np.hypot(features[:, 0], features[:, 1]), dataset=data),
    }  # fmt: skip


def memberships(labels: Any) -> Any:
    """Shares that fall from the first member of each group to the last."""
    k = int(labels.max()) + 1
    shares = np.zeros((len(labels), k))
    for group in range(k):
        members = np.flatnonzero(labels == group)
        shares[members, group] = np.linspace(1.0, 0.1, len(members))
    return shares / shares.sum(axis=0)


def run_of(labels: Any, per_set: int = 40) -> list[tuple[Frame, bool]]:
    """Frames of a make-believe run that gathers on one group after the other."""
    n, frames, iteration = len(labels), [], 0
    found = np.full(n, -1)
    rng = np.random.default_rng(1)
    for group in range(int(labels.max()) + 1):
        weight = np.where(found < 0, np.where(labels == group, 1.0, 0.93), 0.0)
        weight *= 1 + 0.04 * rng.random(n)
        for t in range(per_set):
            shares = weight ** (1 + 2 * t) * (found < 0)
            shares /= shares.sum()
            objective = 0.3 + 0.5 * (1 - np.exp(-t / 8)) - 0.05 * group
            iteration += 1
            frames.append(
                (
                    Frame(
                        iteration,
                        {
                            "objective": objective,
                            "residual": 0.5 * np.exp(-t / 2.2),
                            "support": int((shares > 1e-3 * shares.max()).sum()),
                        },
                        f"set {group + 1}",
                        shares.astype(np.float32),
                        found.copy(),
                    ),
                    t == per_set - 1,
                )
            )
        found[labels == group] = group
    return frames  # fmt: skip


def trace(labels: Any) -> Trace:
    frames = [frame for frame, _ in run_of(labels)]
    marks = [
        {"iteration": frame.iteration, "name": "peeled", "size": frame.values["support"]}
        for frame, last in run_of(labels)
        if last
    ]
    kept = frames[::2]
    return Trace(
        iterations=np.array([f.iteration for f in frames]),
        values={name: np.array([f.values[name] for f in frames]) for name in frames[0].values},
        share_iterations=np.array([f.iteration for f in kept]),
        shares=np.stack([f.shares for f in kept if f.shares is not None]),
        label_iterations=np.array([f.iteration for f in kept]),
        labels=np.stack([f.labels for f in kept if f.labels is not None]),
        marks=tuple(marks),
    )
