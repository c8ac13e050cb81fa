"""The state of a dialog that runs many trials: how far they are, and what is best so far."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sized
from typing import TYPE_CHECKING, ClassVar, Generic, Protocol, TypeVar

from coterie.core.errors import CoterieError
from coterie.core.wording import counted

if TYPE_CHECKING:
    from coterie.projects.jobs.trials import TrialState
    from coterie.projects.session import Session


class TrialsPlan(Protocol):
    """What is to be tried."""

    @property
    def count(self) -> int: ...


class TrialResults(Protocol):
    """What came of trials so far."""

    @property
    def plan(self) -> TrialsPlan: ...
    @property
    def state(self) -> TrialState: ...
    @property
    def message(self) -> str: ...
    @property
    def done(self) -> int: ...
    @property
    def problems(self) -> Sized: ...


T = TypeVar("T", bound=TrialResults)


class TrialsState(ABC, Generic[T]):
    """What is tried, and what came of it.

    Attributes
    ----------
    kept : what is kept of each run, as "the scores"
    failing : what is said of trials that failed
    table : the results so far; None before the first run
    """

    kept: ClassVar[str]
    failing: ClassVar[str] = "failed"

    def __init__(self, session: Session) -> None:
        self._session = session
        self.table: T | None = None

    @property
    @abstractmethod
    def why_not(self) -> str:
        """Why nothing can be tried, or nothing."""

    @abstractmethod
    def start(self) -> None:
        """Begin, or say what is wrong with the plan."""

    @abstractmethod
    def planned(self) -> int:
        """Return the number of runs, or say what is wrong with the plan."""

    @abstractmethod
    def best_in_words(self, table: T) -> str:
        """Return the best of the results so far, or nothing."""

    @property
    def count(self) -> int:
        """Number of runs, 0 when the plan is wrong."""
        try:
            return self.planned()
        except CoterieError:
            return 0

    @abstractmethod
    def take(self, table: T) -> None:
        """Take in a table."""

    @property
    def running(self) -> bool:
        """Whether trials are under way."""
        return self.table is not None and self.table.state == "running"

    def stop(self) -> None:
        """Stop; finished runs are kept."""
        if self.running:
            self._session.cancel()

    @property
    def headline(self) -> str:
        """How far it is, and what is best so far."""
        table = self.table
        if self.why_not:
            return self.why_not
        if table is None:
            return f"{counted(self.count, 'run')}; only {self.kept} are kept."
        if table.state == "failed":
            return table.message
        said = [f"{table.done} of {table.plan.count} runs"]
        if table.state == "cancelled":
            said.append("stopped")
        if best := self.best_in_words(table):
            said.append(best)
        if table.problems:
            said.append(f"{len(table.problems)} {self.failing}")
        return ", ".join(said) + "."
