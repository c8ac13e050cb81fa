"""A session without an engine: the same names and signals, filled by the test."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from psygnal import Signal

from coterie.core.api.context import Frame
from coterie.core.model.affinity import Affinity
from coterie.core.model.dataset import Dataset
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.core.model.results import Clustering, Embedding, Ranking, Spectrum, Trace
from coterie.projects.selection import Selection


@dataclass(frozen=True)
class Job:
    number: int = 0
    step: str = "groups"
    component: str = "clusterer/dominant-sets"
    state: str = "running"
    done: float = 0.0
    message: str = ""

    @property
    def title(self) -> str:
        return self.step

    @property
    def active(self) -> bool:
        return self.state in ("running", "paused")


class FakeSession:
    opened = Signal()
    recipe_changed = Signal()
    step_changed = Signal(str)
    job_changed = Signal(object)
    framed = Signal(str, Frame)
    happened = Signal(str, str, dict)
    step_previewed = Signal(str, object)

    def __init__(self, artefacts: dict[str, Any] | None = None, recipe: Recipe | None = None):
        self.artefacts: dict[Any, Any] = artefacts or {}
        self.recipe = recipe or Recipe()
        self.stale: set[str] = set()
        self.jobs: tuple[Job, ...] = ()
        self.calls: list[Any] = []
        data = self.artefacts.get("data")
        self.selection = Selection(data.n if data is not None else 0)
        self.view: dict[str, Any] = {}
        self.catalogue: tuple[str, ...] = ()
        self.busy = False
        self.title = "make-believe"
        # Its parts are all here.
        self.results = self.edits = self.scheduler = self.questions = self.project = self

    def failure(self, name: str) -> None:
        return None

    def provenance(self, name: str) -> dict[str, Any]:
        return {}

    def replace(self, recipe: Recipe, what: str) -> None:
        self.recipe = recipe
        self.calls.append(("edit", what))

    def edit_view(self, name: str, value: Any, what: str) -> None:
        self.view[name] = value
        self.modified = True

    def run(self, *names: str) -> None:
        self.calls.append(("run", *names))

    def artefact(self, name: str, part: str = "") -> Any:
        return self.artefacts.get((name, part) if part else name)

    def parts(self, name: str) -> tuple[str, ...]:
        return tuple(k[1] for k in self.artefacts if isinstance(k, tuple) and k[0] == name)

    def key(self, name: str, part: str = "") -> str | None:
        return None if self.artefact(name, part) is None else f"key of {name} {part}"

    def status(self, name: str) -> str:
        return "stale" if name in self.stale else "fresh"

    def put(self, name: str, artefact: Any, part: str = "") -> None:
        self.artefacts[(name, part) if part else name] = artefact
        self.step_changed.emit(name)

    def set_job(self, state: str, number: int = 0, step: str = "groups") -> None:
        self.jobs = (*[j for j in self.jobs if j.number != number], Job(number, step, state=state))
        self.job_changed.emit(self.jobs[-1])

    def pause(self) -> None:
        self.calls.append("pause")

    def resume(self) -> None:
        self.calls.append("resume")

    def step_once(self) -> None:
        self.calls.append("step")

    def cancel(self) -> None:
        self.calls.append("cancel")

    def set_speed(self, frames_per_second: float) -> None:
        self.calls.append(("speed", frames_per_second))


RECIPE = Recipe(
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
