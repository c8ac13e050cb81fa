"""What a check says: a promise is kept, it is not and what to do, or why it was not tried."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from coterie.core.errors import in_words
from coterie.core.io import clock
from coterie.core.wording import counted

if TYPE_CHECKING:
    from coterie.core.testing.subjects import Subject

Outcome = Literal["passed", "failed", "skipped"]
FAILS = "it fails the usual run; fix that first"
SIGNS: dict[Outcome, str] = {"passed": "✓", "failed": "✗", "skipped": "–"}


class CheckFailed(AssertionError):  # noqa: N818 - an outcome, as pytest knows it
    """A promise is not kept; the text says how that was seen.

    Parameters
    ----------
    advice : what to do, where the check's own advice does not fit
    """

    def __init__(self, what: str, advice: str = "") -> None:
        super().__init__(what)
        self.advice = advice


class NotApplicable(Exception):  # noqa: N818 - an outcome as well
    """There is nothing to check; the text says why."""


@dataclass(frozen=True)
class Check:
    """One promise of a component.

    Attributes
    ----------
    name : short and stable, for programs
    promise : what holds when it is kept, as half a sentence
    advice : what to do when it is not
    examine : raises `CheckFailed`, or anything else, when it is not kept
    timed : whether it goes by the clock, so a busy machine may fail it
    runs : whether it means something only once the component gets through its usual run
    """

    name: str
    promise: str
    advice: str
    examine: Callable[[Subject], None] = field(repr=False)
    kinds: frozenset[str] | None = None
    timed: bool = False
    runs: bool = True

    def concerns(self, kind: str) -> bool:
        """Return whether components of that kind make this promise."""
        return self.kinds is None or kind in self.kinds

    def find(self, subject: Subject) -> Finding:
        """Examine a component; whatever it throws is a finding."""
        began = clock.seconds()
        outcome: Outcome = "passed"
        what, advice, trace = "", "", ""
        try:
            # One error reported once, with advice on it, not once for each promise.
            if self.runs and subject.failure is not None:
                raise NotApplicable(FAILS)
            self.examine(subject)
        except NotApplicable as reason:
            outcome, what = "skipped", str(reason)
        except CheckFailed as failure:
            outcome, what, advice = "failed", str(failure), failure.advice or self.advice
            if failure.__cause__ is not None:
                trace = "".join(traceback.format_exception(failure.__cause__))
        # A component may raise anything, SystemExit included.
        except BaseException as error:
            outcome, what, advice = "failed", describe_error(error, subject.component), self.advice
            trace = traceback.format_exc()
        took = round(clock.seconds() - began, 3)
        return Finding(subject.name, self.name, self.promise, outcome, what, advice, trace, took)


@dataclass(frozen=True)
class Finding:
    """What came of one check of one component, or of the plugin as a whole."""

    component: str
    check: str
    promise: str
    outcome: Outcome
    what: str = ""
    advice: str = ""
    traceback: str = ""
    seconds: float = 0.0

    def line(self) -> str:
        """Return it as one line: a sign, the promise, and what to do."""
        said = " ".join(_sentence(part) for part in (self.what, self.advice) if part)
        return f"{SIGNS[self.outcome]} {self.promise}" + (f": {said}" if said else "")


@dataclass(frozen=True)
class Verdict:
    """All findings about a plugin."""

    target: str
    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        """Whether there was something to check, and no promise is broken."""
        return bool(self.findings) and not self.failures

    @property
    def failures(self) -> tuple[Finding, ...]:
        """The promises that are not kept."""
        return tuple(finding for finding in self.findings if finding.outcome == "failed")

    def lines(self) -> list[str]:
        """Return it for people: a heading for each component, a line for each check."""
        lines: list[str] = []
        heading = ""
        for finding in self.findings:
            if finding.component != heading:
                heading = finding.component
                lines += ["", heading] if lines else [heading]
            lines.append(f"  {finding.line()}")
        counts = {
            outcome: sum(finding.outcome == outcome for finding in self.findings)
            for outcome in SIGNS
        }
        said = f"{counted(counts['passed'], 'promise')} kept, {counts['failed']} broken"
        said += f", {counts['skipped']} not tried." if counts["skipped"] else "."
        return [*lines, "", said] if lines else ["There was nothing to check."]

    def as_json(self) -> dict[str, Any]:
        """Return it for programs: {target, passed, findings: [{component, check, outcome, …}]}."""
        return {
            "target": self.target,
            "passed": self.passed,
            "findings": [asdict(finding) for finding in self.findings],
        }


def describe_error(error: BaseException, component: type) -> str:
    """Return an error in words, with the line of the component's own file where it came up."""
    file = getattr(sys.modules.get(component.__module__), "__file__", None)
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == file]
    place = f" (line {lines[-1]} of {Path(str(file)).name})" if lines else ""
    return f"{in_words(error).rstrip('.')}{place}"


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    return text if text.endswith((".", "?", "!", ".'")) else f"{text}."


def require(kept: bool, what: str) -> None:
    """Raise `CheckFailed` saying `what` unless `kept`."""
    if not kept:
        raise CheckFailed(what)


def only(checks: Iterable[Check], kind: str, *, timed: bool) -> Sequence[Check]:
    """Return the checks that concern components of a kind."""
    return [check for check in checks if check.concerns(kind) and (timed or not check.timed)]
