"""The kinds of components, each declared once, in the order of an analysis.

A new kind is a base class (`core/api/components.py`) and an entry here; whatever must know all
kinds looks them up: hooks, the catalogue, the plugin kit, menus, and the generated documentation.
`docs/contributing.md` has the steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from coterie.core.api import components
from coterie.core.wording import with_article

HOOK_PREFIX = "coterie_"


@dataclass(frozen=True, kw_only=True)
class Kind:
    """All that differs from kind to kind.

    Attributes
    ----------
    base : the class that components of this kind derive from; it has `kind`, `needs` and `gives`
    about : one or two sentences for the methods reference
    icon : name of its icon in menus
    """

    base: type[Any]
    about: str
    icon: str

    @property
    def name(self) -> str:
        """Its name in ids, such as "kernel" in "kernel/gaussian"."""
        return str(self.base.kind)

    @property
    def title(self) -> str:
        """The heading of its methods, such as "Kernels"."""
        return f"{self.name.capitalize()}s"

    @property
    def folder(self) -> str:
        """Where its built-in methods are in `plugins/`, and its page in the reference."""
        return f"{self.name}s"

    @property
    def hook(self) -> str:
        """The hook by which a plugin may offer components of this kind."""
        return f"{HOOK_PREFIX}{self.folder}"

    @property
    def gives(self) -> str:
        """The type of its results."""
        return str(self.base.gives)

    @property
    def is_step(self) -> bool:
        """Whether it can be a step of a recipe: it works on results, not on files."""
        return "path" not in self.base.needs


KINDS: dict[str, Kind] = {}


def declare(kind: Kind) -> None:
    """Add a kind."""
    if kind.name in KINDS:
        raise ValueError(f"There are two kinds '{kind.name}'.")
    KINDS[kind.name] = kind


def kind_of_hook(hook: str) -> Kind | None:
    """Return the kind that a hook offers; None for a hook that there is not."""
    return next((kind for kind in KINDS.values() if kind.hook == hook), None)


def makers_of(encoding_type: str) -> str:
    """Return who gives results of a type: "a kernel or a graph"."""
    makers = [kind.name for kind in KINDS.values() if kind.gives == encoding_type]
    return " or ".join(map(with_article, makers))


for _kind in (
    Kind(
        base=components.Reader,
        about="Readers open files. The file extension selects the reader, unless a recipe names "
        "one.",
        icon="open",
    ),
    Kind(
        base=components.Transform,
        about="Transforms change the features of items before they are compared.",
        icon="data",
    ),
    Kind(
        base=components.Kernel,
        about="Kernels compute how similar every two items are.",
        icon="affinity",
    ),
    Kind(
        base=components.Graph,
        about="Graphs keep, drop or reweight similarities; some are built directly from the data.",
        icon="affinity",
    ),
    Kind(
        base=components.Clusterer,
        about="Clusterers find groups. Items may stay unassigned, with the label −1.",
        icon="clustering",
    ),
    Kind(
        base=components.Embedder,
        about="Embedders give each item coordinates to plot.",
        icon="embedding",
    ),
    Kind(
        base=components.Ranker,
        about="Rankers order items: overall, within a group, or relative to chosen items.",
        icon="ranking",
    ),
    Kind(
        base=components.Classifier,
        about="Classifiers learn groups from a sample and apply them to new items and scenes.",
        icon="model",
    ),
    Kind(
        base=components.Metric,
        about="Metrics measure groups, against known classes or from the data alone.",
        icon="metric",
    ),
    Kind(
        base=components.Plot,
        about="Plots draw results as figures; selecting a mark selects its items.",
        icon="figure",
    ),
    Kind(
        base=components.Writer,
        about="Writers export results for other programs.",
        icon="download",
    ),
):
    declare(_kind)
