"""What sweeps and repetitions share: inputs that must be there first, and results that are let go.

A trial is an ordinary run on the engine, under the same keys as any other, so that what is computed
already is not computed again; what was new is discarded when it has been looked at.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from coterie.core.errors import RecipeError
from coterie.core.recipes import Recipe, Step
from coterie.projects.backstage import Backstage
from coterie.projects.results import Results
from coterie.projects.runs import Runs
from coterie.projects.storage import Storage


@dataclass
class Needs:
    """What trials work on and is not part of them; `asked` once it was had computed."""

    recipe: Recipe
    names: tuple[str, ...]
    asked: bool = False

    @classmethod
    def of(cls, recipe: Recipe, chain: Iterable[Step]) -> Needs:
        """Return what the steps of a chain take that none of them gives."""
        steps = tuple(chain)
        own = {step.name for step in steps}
        names = dict.fromkeys(of for step in steps for of in step.of if of not in own)
        return cls(recipe, tuple(names))


class Trials:
    """Has what trials need computed or fetched, and their results discarded."""

    def __init__(
        self, results: Results, storage: Storage, runs: Runs, backstage: Backstage
    ) -> None:
        self._results, self._storage = results, storage
        self._runs, self._backstage = runs, backstage

    def ready(self, needs: Needs, who: str) -> bool:
        """Return whether all is there; if not, have it computed or fetched.

        Raises a clear error when that has failed; `who` needs it, as "the sweep".
        """
        if self._runs.pending:
            return False
        lacking = [name for name in needs.names if not self._results.is_fresh(name)]
        if lacking and needs.asked:
            above = needs.recipe.ancestors(lacking)
            failure = next((f for n in above if (f := self._runs.failure(n))), None)
            why = f" {failure.message}" if failure is not None else ""
            raise RecipeError(f"'{lacking[0]}', which {who} needs, was not computed.{why}")
        if lacking:
            needs.asked = True
            self._runs.add(needs.recipe.ancestors(lacking))
            return False
        absent = [
            (name, key)
            for name in needs.names
            if (key := self._results.key(name)) and key not in self._storage.workspace
        ]
        for name, key in absent:
            self._results.bring(name, (key,))
        return not absent

    def let_go(self, made: Iterable[str]) -> None:
        """Discard these results, unless a person has taken one of them up meanwhile."""
        named = self._results.keys()
        doomed = [key for key in made if key not in named]
        workspace = self._storage.workspace

        def discard() -> None:
            for key in doomed:
                workspace.discard(key)

        if doomed:
            self._backstage.do_quietly(discard)


def steps_between(recipe: Recipe, first: str, last: str) -> tuple[Step, ...]:
    """Return the steps from one to another that depends on it, both included, in order."""
    below = {first, *(step.name for step in recipe.dependents(first))}
    needed = set(recipe.ancestors([last]))
    return tuple(step for step in recipe.in_order() if step.name in below & needed)
