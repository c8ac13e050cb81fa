"""Process groups end whole, and numbers of processes that are gone are known as such."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from coterie.core.io.platform.processes import (
    children,
    is_gone,
    kill_group,
    new_group,
    numbering,
)

# The second process shares the first one's output, which is therefore open until both are gone.
PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(child.pid, flush=True)
child.wait()
"""


def test_a_group_is_killed_with_all_it_started() -> None:
    command = [sys.executable, "-c", PARENT]
    with subprocess.Popen(command, stdout=subprocess.PIPE, **new_group()) as process:
        assert process.stdout is not None
        assert int(process.stdout.readline()) > 0
        assert process.pid in children()
        kill_group(process)
        assert process.stdout.read() == b"", "something of the group still has its output open"
        process.wait()
        kill_group(process)  # a second time does nothing
    assert is_gone(process.pid)


def test_a_handle_that_is_named_is_kept_by_the_new_process() -> None:
    reading, writing = os.pipe()
    script = f"import os; os.write({writing}, b'kept')"
    try:
        process = subprocess.Popen([sys.executable, "-c", script], **new_group(writing))
        assert process.wait(60) == 0
        assert os.read(reading, 10) == b"kept"
    finally:
        os.close(reading)
        os.close(writing)


@pytest.mark.parametrize("pid", [os.getpid(), 1, 1 << 80], ids=["this", "first", "none"])
def test_who_lives_or_cannot_be_asked_about_is_not_gone(pid: int) -> None:
    assert not is_gone(pid)


def test_two_processes_of_one_computer_count_alike() -> None:
    script = "from coterie.core.io.platform.processes import numbering; print(numbering())"
    said = subprocess.check_output([sys.executable, "-c", script], text=True)
    assert said.strip() == numbering()
