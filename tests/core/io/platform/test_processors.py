"""The processors are those that this process may use."""

from __future__ import annotations

import os

from coterie.core.io.platform.processors import available_cores, processor_name, seconds_waited


def test_cores_are_those_that_this_process_may_use() -> None:
    assert available_cores() == len(os.sched_getaffinity(0))


def test_the_processor_has_a_name() -> None:
    assert processor_name().strip()


def test_waiting_for_a_processor_only_grows() -> None:
    before, after = seconds_waited(), seconds_waited()
    assert before is None or (after is not None and after >= before >= 0)
