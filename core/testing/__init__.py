"""The promises that every method makes, as checks that a plugin author can run.

In a test suite, one case for each component and check:

    from coterie.core.testing import conformance
    import mylab.kernels

    test_conformance = conformance(mylab.kernels)

From the command line `coterie plugin check` runs the same in a process of its own. The built-in
methods pass the same checks.

================  ==================================================================
`inputs`          small data of every type, usual and hostile
`subjects`        a component with what to try it on
`form`            checks of what it says of itself
`results`         checks of what it gives
`conduct`         checks of how it behaves while it runs
`sharing`         does the work of `context.map` as a cluster would
`strays`          notices prints, threads and files that a run leaves
`verdicts`        what comes of a check, for people and for programs
`loading`         finds and loads the plugin that is meant
`processes`       runs the checks in a process that may hang or die
================  ==================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from coterie.core.api.components import Component
from coterie.core.testing.behaviour import CONDUCT
from coterie.core.testing.declarations import FORM
from coterie.core.testing.loading import subjects_from
from coterie.core.testing.results import RESULTS
from coterie.core.testing.subjects import Subject
from coterie.core.testing.verdicts import Check, Finding, Verdict, only

__all__ = [
    "CHECKS",
    "Case",
    "Check",
    "Finding",
    "Subject",
    "Verdict",
    "cases",
    "check_component",
    "conformance",
]

CHECKS: tuple[Check, ...] = (*FORM, *RESULTS, *CONDUCT)


@dataclass(frozen=True)
class Case:
    """One check of one component."""

    subject: Subject
    check: Check

    def __str__(self) -> str:
        return f"{self.subject.name}: {self.check.name}"

    def verify(self) -> None:
        """Pass, skip or fail the test that calls this."""
        import pytest

        finding = self.check.find(self.subject)
        if finding.outcome == "skipped":
            pytest.skip(finding.what)
        if finding.outcome == "failed":
            pytest.fail(f"{self}: {finding.line()}\n{finding.traceback}".rstrip(), pytrace=False)


def cases(subjects: Sequence[Subject], *, timed: bool = True) -> list[Case]:
    """Return a case for each component and each check that concerns it."""
    return [
        Case(subject, check)
        for subject in subjects
        for check in only(CHECKS, subject.method.kind, timed=timed)
    ]


def check_component(
    component: type[Component], *, timed: bool = True, params: Mapping[str, Any] | None = None
) -> Verdict:
    """Run every check on a component class, in this process, and return what was found.

    Parameters
    ----------
    timed : whether to run the checks that go by the clock
    params : parameters to set in every run, instead of the defaults

    Examples
    --------
    >>> from coterie.core import Kernel
    >>> class Same(Kernel):
    ...     '''Every item is as similar to every other one as can be.'''
    ...     id, title = "same", "Same"
    ...     def compute(self, data, *, params, context):
    ...         context.check()
    ...         X = data.dense_features()
    ...         return 0 * X @ X.T + 1
    >>> print(check_component(Same, timed=False).failures)
    ()
    """
    [subject] = subjects_from([component])
    subject = replace(subject, values=params or {})
    found = tuple(case.check.find(subject) for case in cases([subject], timed=timed))
    return Verdict(subject.name, found)


def conformance(
    *plugins: Any, timed: bool = True, params: Mapping[str, Mapping[str, Any]] | None = None
) -> Callable[[Case], None]:
    """Return a pytest test with a case for each component and check.

    Parameters
    ----------
    plugins : modules with hooks, component classes, or names as `coterie plugin check` takes them
    timed : whether to run the checks that go by the clock
    params : parameters to set instead of the defaults, for each "kind/id"
    """
    import pytest

    subjects = [
        replace(subject, values=(params or {}).get(subject.name, {}))
        for subject in subjects_from(plugins)
    ]

    @pytest.mark.parametrize("case", cases(subjects, timed=timed), ids=str)
    def test_conformance(case: Case) -> None:
        case.verify()

    return test_conformance
