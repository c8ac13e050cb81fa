"""The Spectrum view: the eigenvalues behind a result, and the number of groups they suggest."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Array
from coterie.core.model.results import Embedding, Spectrum
from coterie.core.numerics.spectral.group_counts import COUNTS
from coterie.core.numerics.spectral.group_counts import said as rules_in_words
from coterie.core.wording import counted
from coterie.gui.toolkit.deferred import Pending
from coterie.gui.views.shown_items.csv_export import Rows
from coterie.gui.views.shown_items.displayed import same_items
from coterie.gui.views.spectrum.affinity_spectra import OF_KERNEL, OF_WALK, spectrum_of

if TYPE_CHECKING:
    from coterie.projects.session import Session

_CLEAR = 0.01  # of the first eigenvalue: a smaller gap is none to rely on
MOST_SHOWN = 60  # eigenvalues; later ones say nothing about groups


@dataclass(frozen=True)
class ShownSpectrum:
    """Eigenvalues in the order that matters, and what is to be read from them.

    Attributes
    ----------
    values : (m,) eigenvalues, their real parts
    suggested : number of groups before the largest gap; 0 when nothing is suggested
    used : number of groups that the result has; 0 when it has none
    imaginary : largest imaginary part that was left out
    total : how many eigenvalues there are, of which only the first are shown
    whole : the sum of all eigenvalues, where some are not known; 0: those shown are all
    of_similarities : whether they are those of the similarities that the step gives
    rules : what other rules suggest, in words, where they disagree
    """

    step: str
    title: str
    values: Array
    suggested: int = 0
    used: int = 0
    imaginary: float = 0.0
    total: int = 0
    whole: float = 0.0
    of_similarities: bool = False
    rules: str = ""

    @property
    def gaps(self) -> Array:
        """How far each eigenvalue is from the next."""
        return np.abs(np.diff(self.values))

    @property
    def shares(self) -> Array | None:
        """The share of the sum that the first eigenvalues have.

        None when some are negative, or when the smallest come first, as those of a Laplacian do:
        the first ones matter most there, and hold the smallest share.
        """
        values = self.values
        if len(values) == 0 or values[-1] > values[0] or values[0] <= 0:
            return None
        sums, whole = np.cumsum(values), self.whole if self.of_similarities else float(values.sum())
        rounding = 1e-9 * float(values[0])
        # With more than the whole in the first ones, some of those not shown are negative.
        if values.min() < -rounding or sums[-1] > whole + rounding:
            return None
        return np.asarray(sums / whole)


class SpectrumState:
    """Which spectra the project has, and the one that is looked at."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.chosen = ""
        self.choice = ""  # what is looked at, of `choices`
        self.steps: tuple[str, ...] = ()
        self.shown: ShownSpectrum | None = None
        self.pending: Pending[Spectrum | None] = Pending(None)
        self._of_similarities: dict[str, tuple[str, str]] = {}  # choice: step, which of the two
        self._problem = ""

    def update(self) -> None:
        """Look for spectra again."""
        session = self._session
        steps = session.recipe.in_order()
        self.steps = tuple(step.name for step in steps if self._has(step.name))
        self._of_similarities = {
            f"{step.name} ({which})": (step.name, which)
            for step in steps
            if step.use.startswith(("kernel/", "graph/")) and session.results.key(step.name)
            for which in (OF_WALK, OF_KERNEL)
        }
        self.choice = self._preferred()
        self.shown = self._look(self.choice)

    @property
    def choices(self) -> tuple[str, ...]:
        """What can be chosen: steps that have a spectrum, and similarities that can have one."""
        return (*self.steps, *self._of_similarities)

    def choose(self, step: str) -> None:
        """Look at the spectrum of a step."""
        self.chosen = step
        self.update()

    @property
    def empty(self) -> str:
        """A sentence when there is nothing to draw, else nothing."""
        if self.shown is not None:
            return ""
        if self.pending.work is not None:
            return "Computing the eigenvalues …"
        if self._problem:
            return self._problem
        if not self._session.recipe.names:
            return "Open a file or choose a sample, then run a spectral method to see its spectrum."
        return (
            "Run a spectral method, such as normalised cut or an embedding, to see its "
            "spectrum and the number of groups it suggests."
        )

    @property
    def sentence(self) -> str:
        """What the picture says, in words."""
        shown = self.shown
        if shown is None:
            return ""
        said = []
        if shown.suggested >= len(shown.values) > 1:
            said.append(
                "There is no gap up to the last eigenvalue shown, probably because the "
                "graph has several components. This suggests "
                f"{counted(shown.suggested, 'group')}."
            )
        elif 0 < shown.suggested <= len(shown.gaps):
            gap = float(shown.gaps[shown.suggested - 1])
            weak = gap < _CLEAR * abs(float(shown.values[0]))
            words = f"No gap is clear. The largest, {gap:.2g}," if weak else "The largest gap"
            said.append(f"{words} suggests {counted(shown.suggested, 'group')}.")
        if shown.rules:
            said.append(shown.rules)
        if shown.used and shown.used != shown.suggested:
            said.append(f"The result has {counted(shown.used, 'group')}.")
        if shown.imaginary > 0:
            said.append(
                f"Some eigenvalues are complex (imaginary parts up to {shown.imaginary:.2g}): "
                "their real parts are shown."
            )
        if shown.total > len(shown.values):
            said.append(f"The first {len(shown.values)} of {shown.total:,} are shown.")
        return " ".join(said)

    def table_rows(self) -> Rows:
        """Each eigenvalue with its distance to the next."""
        yield ["number", "eigenvalue", "gap"]
        if (shown := self.shown) is not None:
            gaps = [*shown.gaps.tolist(), float("nan")]
            pairs = zip(shown.values.tolist(), gaps, strict=True)
            yield from ([number, *pair] for number, pair in enumerate(pairs, 1))

    def _preferred(self) -> str:
        if self.chosen in self.choices:
            return self.chosen
        if (walk := f"{self.chosen} ({OF_WALK})") in self._of_similarities:
            return walk
        related = [
            step for step in self.steps if same_items(self._session, step, self.chosen or step)
        ]
        # Of several, one that suggests a number of groups says more than an embedding's.
        telling = [step for step in related if "spectrum" in self._session.results.parts(step)]
        recipe = self._session.recipe
        grouping = [step for step in telling if recipe.step(step).use.startswith("clusterer/")]
        walks = [choice for choice, (_, w) in self._of_similarities.items() if w == OF_WALK]
        found = grouping or telling or related or list(self.steps) or walks
        return found[-1] if found else ""

    def fail(self, sentence: str) -> None:
        """Say why the eigenvalues cannot be had."""
        self._problem = sentence

    def _has(self, name: str) -> bool:
        parts = self._session.results.parts(name)
        if "spectrum" in parts:
            return True
        use = self._session.recipe.step(name).use
        return use.startswith("embedder/") and self._session.results.key(name) is not None

    def _look(self, name: str) -> ShownSpectrum | None:
        if name in self._of_similarities:
            return self._look_at_similarities(name)
        self.pending.renew((), lambda: None, at_once=True)
        self._problem = ""
        if not name:
            return None
        session = self._session
        main = session.results.artefact(name)
        found: Any = main
        if "spectrum" in session.results.parts(name):
            found = session.results.artefact(name, "spectrum")
        values: Array | None = None
        suggested, rules = 0, ""
        if isinstance(found, Spectrum):
            values, suggested = found.eigenvalues, found.suggested_k
            counts = found.details.get(COUNTS, {})
            rules = rules_in_words(counts) if len(set(counts.values())) > 1 else ""
        elif isinstance(found, Embedding) and found.spectrum is not None:
            values = found.spectrum
        if values is None or len(values) == 0:
            return None
        whole = np.asarray(values).ravel()
        imaginary = float(np.abs(whole.imag).max()) if np.iscomplexobj(whole) else 0.0
        first = np.asarray(whole.real[:MOST_SHOWN], dtype=np.float64)
        used = int(getattr(main, "k", 0) or 0)
        title = getattr(found, "title", "") or getattr(main, "title", "")
        return ShownSpectrum(
            name, title, first, suggested, used, imaginary, len(whole), rules=rules
        )

    def _look_at_similarities(self, choice: str) -> ShownSpectrum | None:
        """Have the eigenvalues of similarities worked out, and show them when they are there."""
        step, which = self._of_similarities[choice]
        affinity = self._session.results.artefact(step)
        if not isinstance(affinity, Affinity):
            return None
        before = self.pending.work
        work = partial(spectrum_of, affinity, which)
        self.pending.renew((affinity, which), work, at_once=False)
        if self.pending.work is not None:
            self._problem = "" if self.pending.work is not before else self._problem
            return None
        found = self.pending.value
        if found is None or self._problem:
            return None
        values = np.asarray(found.eigenvalues, dtype=np.float64)
        whole = float(found.details.get("whole", 0.0))
        return ShownSpectrum(
            step, found.title, values, found.suggested_k, whole=whole, of_similarities=True
        )
