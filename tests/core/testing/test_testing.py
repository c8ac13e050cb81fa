"""Every check notices the fault that it is there for, and nothing else."""

from __future__ import annotations

import gc
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from coterie.core import (
    Affinity,
    Clusterer,
    Clustering,
    Context,
    CoterieError,
    DataError,
    Dataset,
    Field,
    Kernel,
    Reader,
    hookimpl,
)
from coterie.core.catalogue.registry import LOCAL_PREFIX
from coterie.core.errors import PluginError
from coterie.core.testing import CHECKS, Case, check_component, conformance
from coterie.core.testing.importing import BUDGET, measure
from coterie.core.testing.loading import find_sources
from coterie.core.testing.results import check_promises
from coterie.core.testing.verdicts import CheckFailed
from tests.refusals import refuses

RELEASE = threading.Event()


@pytest.fixture
def release() -> Iterator[None]:
    RELEASE.clear()
    yield
    RELEASE.set()


class Good(Kernel):
    """All items are as similar as their columns say."""

    id, title = "good", "Good"

    class Params(Kernel.Params):
        """How similar."""

        power: int = Field(1, ge=1, description="What similarities are raised to.")

    def compute(self, data: Dataset, *, params: Any, context: Context) -> Any:
        """Return the similarities."""
        context.progress(0, 1)
        X = data.dense_features()
        X = X / max(1.0, float(np.abs(X).max()))
        return self.spoil(X @ X.T, data, context)

    def spoil(self, values: Any, data: Dataset, context: Context) -> Any:
        """Do something wrong, in one of those below."""
        return values


class Unreadable(Good):
    """Short."""


class Undescribed(Good):
    """It has a parameter that nobody can understand."""

    class Params(Good.Params):
        """How similar."""

        other: int = 3


class Positional(Good):
    """It takes its context by position as well."""

    def compute(self, data: Dataset, params: Any, context: Context) -> Any:
        """Return the similarities."""
        return super().compute(data, params=params, context=context)


class Guessing(Good):
    """It estimates by a word instead of a cost."""

    def estimate(self, *args: Any, **kwargs: Any) -> Any:
        """Say something else."""
        return "little"


class Random(Good):
    """It draws numbers from a place of its own."""

    def spoil(self, values: Any, data: Dataset, context: Context) -> Any:
        return values + np.random.default_rng().random()


class Meddling(Good):
    """It changes the data that it was given."""

    def spoil(self, values: Any, data: Dataset, context: Context) -> Any:
        base = np.asarray(data.features)
        while isinstance(base.base, np.ndarray):
            base = base.base
        base.flags.writeable = True
        base.flat[0] += 1.0
        return values


class WrongSize(Good):
    """It leaves the last item out."""

    def spoil(self, values: Any, data: Dataset, context: Context) -> Any:
        return values[:-1, :-1]


class Unpromised(Good):
    """It says more of its similarities than is true."""

    def spoil(self, values: Any, data: Dataset, context: Context) -> Any:
        return Affinity(
            values=values - 2 * np.diag(np.diag(values)),
            nonnegative=False,
            positive_semidefinite=True,
        )


class Deaf(Good):
    """It goes on when it is asked to stop."""

    def compute(self, data: Dataset, *, params: Any, context: Context) -> Any:
        """Return the similarities."""
        try:
            return super().compute(data, params=params, context=context)
        except CoterieError:
            return np.eye(data.n)


class Unchecked(Good):
    """It never looks whether it was cancelled."""

    def compute(self, data: Dataset, *, params: Any, context: Context) -> Any:
        """Return the similarities."""
        X = data.dense_features()
        X = X / max(1.0, float(np.abs(X).max()))
        return X @ X.T


class Backwards(Good):
    """It loses what it had done."""

    def spoil(self, values: Any, data: Dataset, context: Context) -> Any:
        context.progress(2, 3)
        context.progress(1, 3)
        return values


class Careless(Good):
    """It fails in its own way when a value is missing."""

    def compute(self, data: Dataset, *, params: Any, context: Context) -> Any:
        """Return the similarities."""
        context.check()
        if np.isnan(np.asarray(data.features)).any():
            raise ZeroDivisionError("oh")
        return super().compute(data, params=params, context=context)


class Curt(Good):
    """It says what is wrong in a way that helps nobody."""

    def compute(self, data: Dataset, *, params: Any, context: Context) -> Any:
        """Return the similarities."""
        context.check()
        if data.n == 1:
            raise DataError("bad n")
        return super().compute(data, params=params, context=context)


class Loud(Good):
    """It prints what it is about."""

    def spoil(self, values: Any, data: Dataset, context: Context) -> Any:
        print("working")
        return values


class Threaded(Good):
    """It leaves a thread behind."""

    def spoil(self, values: Any, data: Dataset, context: Context) -> Any:
        threading.Thread(target=RELEASE.wait, args=(20,), daemon=True).start()
        return values


class Littering(Good):
    """It keeps a file of its own."""

    file = Path("kept.txt")

    def spoil(self, values: Any, data: Dataset, context: Context) -> Any:
        self.file.write_text("kept", encoding="utf-8")
        return values


class Forgetful(Good):
    """It relies on what a function of context.map changes beside what it returns."""

    def spoil(self, values: Any, data: Dataset, context: Context) -> Any:
        copied = np.zeros_like(values)

        def copy(row: int) -> None:
            copied[row] = values[row]

        context.map(copy, range(len(values)))
        return copied


FAULTS: dict[type[Kernel], set[str]] = {
    Good: set(),
    Unreadable: {"readable"},
    Undescribed: {"parameters"},
    Positional: {"signature"},
    Guessing: {"estimate"},
    Random: {"same-seed"},
    Meddling: {"inputs-untouched"},
    Forgetful: {"shared-work"},
    Unpromised: {"promises"},
    Unchecked: {"cancel-at-once", "cancel-anywhere"},
    Backwards: {"progress"},
    Careless: {"data-missing", "data-typed-columns"},
    Curt: {"data-one-item"},
    Loud: {"no-prints"},
    Threaded: {"no-threads"},
    Littering: {"no-files"},
}


@pytest.mark.parametrize("component", FAULTS, ids=lambda component: component.__name__)
@pytest.mark.usefixtures("release")
def test_a_fault_is_found_by_its_check_and_by_no_other(
    component: type[Kernel], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    verdict = check_component(component, timed=False)
    assert {finding.check for finding in verdict.failures} == FAULTS[component]
    assert verdict.passed == (not FAULTS[component])
    for failure in verdict.failures:
        assert failure.line().startswith("✗ ")
        assert failure.advice.endswith(".")


def test_one_that_does_not_get_through_the_usual_run_is_told_so_once() -> None:
    verdict = check_component(WrongSize, timed=False)
    assert [finding.check for finding in verdict.failures] == ["gives"]
    skipped = {finding.check for finding in verdict.findings if finding.outcome == "skipped"}
    assert {"same-seed", "stored", "promises", "data-one-item", "cancel-at-once"} <= skipped


def test_a_docstring_that_is_only_inherited_does_not_count() -> None:
    # As written in a file; here every class must have one of its own.
    silent = type("Silent", (Good,), {"__module__": __name__, "title": "Silent"})
    failures = check_component(silent, timed=False).failures
    assert [finding.check for finding in failures] == ["readable"]
    assert "no docstring of its own" in failures[0].what


@pytest.mark.parametrize("line", ["time.sleep(1.5)", "while time.thread_time() < began + 1: pass"])
def test_work_and_waiting_at_import_are_measured(line: str, tmp_path: Path) -> None:
    file = tmp_path / "slow.py"
    file.write_text(f"import time\nbegan = time.thread_time()\n{line}\n", encoding="utf-8")
    assert measure(f"{LOCAL_PREFIX}slow", str(file)).seconds > BUDGET


def test_one_that_goes_on_when_cancelled_is_caught() -> None:
    failed = {finding.check for finding in check_component(Deaf, timed=False).failures}
    assert {"cancel-at-once", "cancel-anywhere"} <= failed


class Slow(Good):
    """It works for long between two looks."""

    def spoil(self, values: Any, data: Dataset, context: Context) -> Any:
        began = time.thread_time()
        while time.thread_time() < began + 0.25:
            pass
        return values


def test_one_that_looks_up_too_seldom_is_caught() -> None:
    quickly = next(check for check in CHECKS if check.name == "cancel-quickly")
    finding = quickly.find(_subject(Slow))
    assert finding.outcome == "failed"
    assert "ms pass between two calls" in finding.what


def _subject(component: type[Kernel]) -> Any:
    from coterie.core.testing.loading import subjects_from

    return subjects_from([component])[0]


class Picky(Good):
    """It takes other data than the usual."""

    def spoil(self, values: Any, data: Dataset, context: Context) -> Any:
        if data.title != "mine":
            raise DataError("These are not my data. Bring others.")
        return values


class Provided(Picky):
    """It takes other data than the usual, and brings them."""

    @staticmethod
    def example(folder: Path) -> Dataset:
        """Return the data it takes."""
        return Dataset(title="mine", features=np.eye(3), details={"folder": folder.name})


def test_one_that_refuses_the_usual_inputs_is_told_once_how_to_bring_others() -> None:
    verdict = check_component(Picky, timed=False)
    assert [finding.check for finding in verdict.failures] == ["gives"]
    assert "example(folder)" in verdict.failures[0].what
    assert check_component(Provided, timed=False).passed


class Lines(Reader):
    """A number in each line, and nothing is checked."""

    id, title, extensions = "lines", "Lines", (".lines",)

    def compute(self, path: Path, *, params: Any, context: Context) -> Any:
        """Return the numbers."""
        context.check()
        return np.array([[float(line)] for line in path.read_text().splitlines()])


def test_a_reader_without_an_example_is_still_given_hostile_files() -> None:
    verdict = check_component(Lines, timed=False)
    assert "file-noise" in {finding.check for finding in verdict.failures}
    skipped = {finding.check for finding in verdict.findings if finding.outcome == "skipped"}
    assert {"gives", "same-seed"} <= skipped


def test_a_folder_is_made_only_for_files_and_goes_with_its_subject(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    without, with_files = _subject(Good), _subject(Provided)
    assert without.output is not None
    assert list(tmp_path.iterdir()) == []
    assert with_files.output is not None
    assert list(tmp_path.iterdir()) == [with_files.folder]
    del with_files
    gc.collect()
    assert list(tmp_path.iterdir()) == []


class Frames(Clusterer):
    """It shows labels for other items than there are."""

    id, title = "frames", "Frames"

    def compute(self, affinity: Affinity, *, params: Any, context: Context) -> Clustering:
        """Return one group."""
        context.frame(1, labels=np.zeros(affinity.n + 1, dtype=np.int64))
        affinity.require_finite()
        return Clustering(labels=np.zeros(affinity.n, dtype=np.int64))


def test_frames_must_speak_of_all_items() -> None:
    assert [f.check for f in check_component(Frames, timed=False).failures] == ["progress"]


@pytest.mark.parametrize(
    ("values", "said", "broken"),
    [
        ([[1.0, 0.0], [0.5, 1.0]], {"symmetric": True}, "symmetric"),
        ([[1.0, -0.5], [-0.5, 1.0]], {"nonnegative": True}, "nonnegative"),
        ([[0.0, 1.0], [1.0, 0.0]], {"positive_semidefinite": True}, "eigenvalue -1"),
        ([[0.5, 0.4], [0.4, 0.5]], {"details": {"stochastic": True}}, "stochastic"),
        ([[0.5, 0.5], [0.5, 0.5]], {"details": {"stochastic": True}}, ""),
    ],
)
def test_what_is_said_of_similarities_is_held_against_them(
    values: list[list[float]], said: dict[str, Any], broken: str
) -> None:
    quiet: dict[str, Any] = {"symmetric": False, "nonnegative": False}
    affinity = Affinity(values=np.array(values), **{**quiet, **said})
    if not broken:
        check_promises(affinity)
        return
    with pytest.raises(CheckFailed, match=broken):
        check_promises(affinity)


def _module() -> ModuleType:
    module = ModuleType("theirs")

    @hookimpl
    def coterie_kernels() -> list[type[Kernel]]:
        return [Good, Loud]

    module.coterie_kernels = coterie_kernels  # type: ignore[attr-defined]
    Loud.id = "loud"
    return module


def test_a_suite_gets_a_case_for_each_component_and_check() -> None:
    test: Any = conformance(_module(), timed=False)
    [mark] = test.pytestmark
    assert mark.args[0] == "case"
    given: list[Case] = mark.args[1]
    named = {str(case) for case in given}
    assert {"kernel/good: same-seed", "kernel/loud: no-prints"} <= named
    for case in given:
        if str(case) == "kernel/loud: no-prints":
            with pytest.raises(pytest.fail.Exception, match="it printed 'working'"):
                test(case)
        if str(case) == "kernel/good: no-prints":
            test(case)


test_of_a_stranger = conformance(Good, timed=False)


def test_a_plugin_is_found_by_file_folder_and_module(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("", encoding="utf-8")
    assert [source.prefix for source in find_sources(str(file))] == ["local"]
    assert [source.file for source in find_sources(str(tmp_path))] == [file.resolve()]
    [built_in] = find_sources("coterie.plugins.kernels.gaussian")
    assert built_in.prefix == ""
    for nothing in ("no.such.module", "no such thing", str(tmp_path / "gone.py")):
        with pytest.raises(PluginError, match="There is no"):
            find_sources(nothing)
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n", encoding="utf-8")
    with refuses("invalid-plugin", PluginError):
        find_sources(str(tmp_path))


class Stumbling(Good):
    """Raises what nobody expected."""

    def compute(self, data: Dataset, *, params: Any, context: Context) -> Any:
        context.check()
        raise KeyError("surprise")


def test_an_error_is_told_with_its_line_and_advice_that_fits() -> None:
    [failure] = check_component(Stumbling, timed=False).failures
    assert failure.check == "gives"
    assert "KeyError: 'surprise' (line " in failure.what
    assert failure.what.endswith("of test_testing.py)")
    assert failure.advice.startswith("Fix that first.")
    assert "raise KeyError" in failure.traceback


def test_a_broken_promise_is_told_to_the_author() -> None:
    [failure] = check_component(WrongSize, timed=False).failures
    assert "Report it to its author" not in failure.line()
    assert "broke its promise" not in failure.line()
