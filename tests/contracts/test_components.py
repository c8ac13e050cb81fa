"""What every built-in component promises, tested the moment it exists.

The checks are those that a plugin author runs (`coterie.core.testing`); a new component of a known
kind needs no line here. `subjects.py` has the few that ask for other parameters or data; below are
the rules of this house that others need not keep.
"""

from __future__ import annotations

import pytest

from coterie.core import Component, Curve, Output
from coterie.core.catalogue.descriptors import Descriptor
from coterie.core.model.result_types import RESULT_TYPES
from coterie.core.testing import CHECKS, Case, Subject, Verdict, cases
from coterie.core.testing.declarations import FORM

from .subjects import DATA, METHODS, REGISTRY, SMALL, SUBJECTS, TEXTS

WITHOUT_EXAMPLE = ("file-empty", "file-noise")  # a reader of any kind meets these


def has_file(subject: Subject) -> bool:
    return subject.method.kind != "reader" or subject.example is not None


each_component = pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)


def test_nothing_built_in_is_broken() -> None:
    assert REGISTRY.catalogue.broken == ()
    assert {"reader", "transform", "kernel", "clusterer", "embedder", "ranker", "metric"} <= {
        method.kind for method in METHODS
    }


def test_no_line_above_is_about_a_component_that_is_gone() -> None:
    assert {*SMALL, *DATA, *TEXTS} <= {method.name for method in METHODS}


def test_there_is_a_check_of_each_name() -> None:
    assert len({check.name for check in CHECKS}) == len(CHECKS)


def promises(subject: Subject) -> list[Case]:
    """The checks that concern a component.

    How long things take depends on who else works here: the checks by the clock are left out.
    """
    return [
        case
        for case in cases([subject], timed=False)
        if has_file(subject) or case.check in FORM or case.check.name in WITHOUT_EXAMPLE
    ]


# A test for each of the thousands of promises would take longer to report than to check.
@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_it_keeps_its_promises(subject: Subject) -> None:
    verdict = Verdict(subject.name, tuple(case.check.find(subject) for case in promises(subject)))
    told = [f"{broken.line()}\n{broken.traceback}".rstrip() for broken in verdict.failures]
    assert verdict.passed, "\n".join(told)
    assert any(finding.outcome == "passed" for finding in verdict.findings)


@each_component
def test_each_curve_it_declares_is_explained_in_a_sentence(method: Descriptor) -> None:
    component = REGISTRY.component(method.name)
    if component.curves is not Component.curves:
        assert all(isinstance(curve, Curve) for curve in component.curves)
        assert all(curve.description.endswith(".") for curve in method.curves)


@each_component
def test_it_is_documented_in_its_own_words(method: Descriptor) -> None:
    component = REGISTRY.component(method.name)
    for member in (component, component.Params, component.compute):
        assert member.__doc__
    assert component.compute.__doc__ != Component.compute.__doc__


@pytest.mark.parametrize(
    "subject",
    [subject for subject in SUBJECTS if subject.method.kind not in ("reader", "writer")],
    ids=lambda subject: subject.name,
)
def test_it_gives_the_noun_itself_rather_than_a_bare_array(subject: Subject) -> None:
    returned = subject.first.returned
    main = returned.main if isinstance(returned, Output) else returned
    assert isinstance(main, RESULT_TYPES[subject.method.gives].noun)
