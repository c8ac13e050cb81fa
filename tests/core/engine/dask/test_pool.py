"""Work on a Dask cluster comes out as it does here; a cluster that is not there is told of."""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from coterie.core import Cancelled, Context, DataError
from coterie.core.api.context import Control
from coterie.core.api.parameters import parse_params
from coterie.core.catalogue.registry import Registry
from coterie.core.engine.dask import connect as dask_connect
from coterie.core.engine.dask.connect import ask, ask_in_subprocess, parse_address
from coterie.core.engine.dask.pool import DaskExecutor
from coterie.core.errors import EngineError, ParameterError
from coterie.core.formats.samples import SAMPLES
from tests.core.engine.clusters import TestCluster, cluster
from tests.refusals import refuses

pytest.importorskip("distributed")
INSTEAD = "leave out --engine"
BLINK = 0.02
LONG = 20.0  # only ever waited for when something is wrong


@pytest.fixture(scope="module")
def running() -> Iterator[TestCluster]:
    """A scheduler and two workers, started once."""
    with cluster() as started:
        yield started


@pytest.fixture
def crew(running: TestCluster) -> Iterator[DaskExecutor]:
    with DaskExecutor(running.address) as connected:
        yield connected


# What answers


def test_what_answers_is_said(running: TestCluster) -> None:
    said = str(ask(running.address, INSTEAD))
    assert said.startswith(f"A Dask scheduler answers at {running.address}. It has 2 workers with")


def test_nobody_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_connect, "ANSWER_SECONDS", 0.2)
    with pytest.raises(EngineError) as raised:
        ask("tcp://127.0.0.1:9", INSTEAD)
    assert str(raised.value) == (
        "No Dask scheduler answers at tcp://127.0.0.1:9. "
        "Start one with `dask scheduler`, or leave out --engine."
    )


def test_something_else_that_listens_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_connect, "ANSWER_SECONDS", 0.3)
    with (
        socket.create_server(("127.0.0.1", 0)) as mute,
        refuses("dask-unreachable", EngineError),
    ):
        ask(f"tcp://127.0.0.1:{mute.getsockname()[1]}", INSTEAD)


def test_the_window_asks_by_a_process_of_its_own(running: TestCluster) -> None:
    assert ask_in_subprocess(running.address, INSTEAD) == str(ask(running.address, INSTEAD))
    with pytest.raises(ParameterError):
        ask_in_subprocess("8786", INSTEAD)


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with refuses("missing-package", EngineError):
        ask("tcp://127.0.0.1:9", INSTEAD)


@pytest.mark.parametrize(
    "text", ["host:8786", "tcp://host", "tcp://:1", "tcp://h:0", "tcp://h:70000", "http://h:1", ""]
)
def test_addresses_are_checked(text: str) -> None:
    with refuses("invalid-address", ParameterError):
        parse_address(text)


def test_workers_of_another_version_or_without_us_are_refused(
    running: TestCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_connect, "_version", lambda name: "9.9")
    with refuses("dask-mismatch", EngineError, match=r"9\.9"):
        ask(running.address, INSTEAD)
    monkeypatch.setattr(dask_connect, "OURS", "a-package-that-nobody-has")
    with refuses("dask-mismatch", EngineError):
        ask(running.address, INSTEAD)


def test_other_libraries_are_remarked_on(
    running: TestCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_connect, "LIBRARIES", ("a-package-that-nobody-has",))
    assert ask(running.address, INSTEAD).remarks == ()
    usual = dask_connect._version
    monkeypatch.setattr(dask_connect, "LIBRARIES", ("numpy",))
    monkeypatch.setattr(dask_connect, "_version", lambda n: "1.0" if n == "numpy" else usual(n))
    (remark,) = ask(running.address, INSTEAD).remarks
    assert "here 1.0" in remark


# Work


def test_results_come_in_order_from_all_workers(crew: DaskExecutor, running: TestCluster) -> None:
    context = Context(crew=crew)
    found = context.map(lambda x: (x * x, os.getpid()), range(12))
    assert [square for square, _ in found] == [x * x for x in range(12)]
    assert {pid for _, pid in found} <= set(running.workers)
    assert sorted(crew.everywhere(os.getpid, context.check)) == sorted(running.workers)


def test_values_are_not_taken_far_ahead_of_results(crew: DaskExecutor) -> None:
    taken: list[int] = []

    def values() -> Iterator[int]:
        for x in range(30):
            taken.append(x)
            yield x

    for i, result in enumerate(Context(crew=crew).each(lambda x: x, values())):
        assert result == i
        assert len(taken) <= i + 6


@pytest.mark.parametrize("use", ["kernel/cluster", "kernel/probabilistic-cluster"])
def test_kernels_are_learned_bit_for_bit_as_here(crew: DaskExecutor, use: str) -> None:
    kernel = Registry.load(safe_mode=True).component(use)()
    data = SAMPLES["iris"].make()
    params = parse_params(kernel.Params, {"initialisations": 3, "max_components": 6}, use)
    here = kernel.compute(data, params=params, context=Context(seed=3, workers=2))
    there = kernel.compute(data, params=params, context=Context(seed=3, crew=crew))
    assert here.main.values is not None or here.main.factor is not None
    for name in ("values", "factor"):
        ours, theirs = getattr(here.main, name), getattr(there.main, name)
        assert (ours is None) == (theirs is None)
        if ours is not None:
            assert np.asarray(ours).tobytes() == np.asarray(theirs).tobytes()
    for name, array in here.parts["model"].arrays.items():
        assert array.tobytes() == there.parts["model"].arrays[name].tobytes()
    assert dict(here.main.details) == dict(there.main.details)


def test_what_a_piece_raises_is_raised_here(crew: DaskExecutor) -> None:
    def refuse(x: int) -> None:
        raise DataError("Some values are missing.", offer=("transform/impute",))

    with pytest.raises(DataError, match="Some values are missing") as raised:
        Context(crew=crew).map(refuse, range(3))
    assert raised.value.offer == ("transform/impute",)


def test_what_cannot_be_sent_is_done_here(
    crew: DaskExecutor, capsys: pytest.CaptureFixture[str]
) -> None:
    lock = threading.Lock()

    def guarded(x: int) -> tuple[int, int]:
        with lock:
            return x, os.getpid()

    assert Context(crew=crew).map(guarded, range(3)) == [(x, os.getpid()) for x in range(3)]
    assert "Done on this machine" in capsys.readouterr().err


def test_drop_in_plugins_go_along(crew: DaskExecutor, tmp_path: Path) -> None:
    from coterie.core.catalogue.registry import import_file

    (tmp_path / "_base_of_mine.py").write_text("BASE = 1\n", encoding="utf-8")
    (tmp_path / "_factor_of_mine.py").write_text(
        "from _base_of_mine import BASE\nFACTOR = BASE + 1\n", encoding="utf-8"
    )
    (tmp_path / "mine.py").write_text(
        "from _factor_of_mine import FACTOR\ndef twice(x):\n    return FACTOR * x\n",
        encoding="utf-8",
    )
    before = set(sys.modules)
    try:
        module = import_file(tmp_path / "mine.py")
        assert Context(crew=crew).map(module.twice, range(4)) == [0, 2, 4, 6]
    finally:
        sys.path.remove(str(tmp_path))
        for name in set(sys.modules) - before:
            if name.endswith("mine"):
                del sys.modules[name]


def test_cancel_reaches_what_runs_on_the_workers(crew: DaskExecutor, tmp_path: Path) -> None:
    control = Control()
    context = Context(crew=crew, control=control)

    def endless(x: int) -> None:
        (tmp_path / f"begun {x}").touch()
        try:
            while True:
                context.check()
                time.sleep(BLINK)
        finally:
            (tmp_path / f"ended {x}").touch()

    def cancel() -> None:
        _wait_until(lambda: any(tmp_path.glob("begun *")))
        control.cancel()

    helper = threading.Thread(target=cancel)
    helper.start()
    with pytest.raises(Cancelled):
        context.map(endless, range(8))
    helper.join()

    def how_many(what: str) -> int:
        return len(list(tmp_path.glob(f"{what} *")))

    # Counted together: one more may begin before the workers have heard of the cancelling.
    _wait_until(lambda: how_many("ended") == how_many("begun"))
    assert Context(crew=crew).map(abs, [-1, -2]) == [1, 2]


@pytest.mark.slow
def test_a_cluster_that_is_lost_is_told_of_in_one_sentence() -> None:
    def slow(x: int) -> int:
        time.sleep(0.2)
        return x

    with cluster(1) as lost, DaskExecutor(lost.address) as crew:
        results = Context(crew=crew).each(slow, range(50))
        assert next(results) == 0
        lost.kill()
        with refuses("dask-lost", EngineError):
            list(results)


@pytest.mark.slow
def test_pieces_of_a_worker_that_dies_are_done_by_others() -> None:
    def slow(x: int) -> int:
        time.sleep(0.1)
        return x

    found = []
    with cluster() as wounded, DaskExecutor(wounded.address) as crew:
        for x in Context(crew=crew).each(slow, range(20)):
            found.append(x)
            if x == 3:
                wounded.kill_worker()
    assert found == list(range(20))


@pytest.mark.slow
def test_a_piece_that_kills_every_worker_is_given_up() -> None:
    once = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}
    with (
        cluster(1, **once) as wounded,
        DaskExecutor(wounded.address) as crew,
        refuses("dask-lost", EngineError),
    ):
        Context(crew=crew).map(os._exit, [1])


@pytest.mark.slow
def test_a_scheduler_without_workers_is_said() -> None:
    with cluster(0) as empty, refuses("dask-unreachable", EngineError):
        ask(empty.address, INSTEAD)


def _wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(BLINK)
