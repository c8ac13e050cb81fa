"""What a file that took over the process which reads it would try; each method is an attempt."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.io.confined.wire import Parcel


class Attempts:
    """Each returns what it got hold of; an error means that it got nothing."""

    def __init__(self, tell: Callable[[float, str], None]) -> None:
        self._tell = tell

    def read(self, path: str) -> str:
        return Path(path).read_text(encoding="utf-8")

    def listed(self, path: str) -> list[str]:
        return [entry.name for entry in Path(path).iterdir()]

    def write(self, path: str) -> str:
        Path(path).write_text("mine", encoding="utf-8")
        return "written"

    def remove(self, path: str) -> str:
        Path(path).unlink()
        return "removed"

    def link(self, path: str, new: str) -> str:
        Path(new).symlink_to(path)
        return "linked"

    def boast(self) -> str:
        self._tell(10**400, "a number beyond all others")
        return "told"

    def connect(self, port: int) -> str:
        with socket.create_connection(("127.0.0.1", port), 2):
            return "connected"

    def send_datagram(self) -> str:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
            out.sendto(b"secret", ("127.0.0.1", 53))
        return "sent"

    def run(self) -> str:
        return subprocess.run(
            [sys.executable, "-V"], check=True, capture_output=True
        ).stdout.decode()

    def fork(self) -> int:
        child = os.fork()
        if child == 0:
            os._exit(0)
        return child

    def signal(self, pid: int) -> str:
        os.kill(pid, signal.SIGTERM)
        return "signalled"

    def chmod(self, path: str) -> str:
        Path(path).chmod(0o777)
        return "changed"

    def memory(self, count: int) -> int:
        return len(bytearray(count))

    def look_into(self, pid: int) -> str:
        return Path(f"/proc/{pid}/environ").read_text(encoding="utf-8")

    def raise_limit(self) -> str:
        import resource

        everything = resource.RLIM_INFINITY
        resource.setrlimit(resource.RLIMIT_DATA, (everything, everything))
        return "raised"

    def crash(self) -> None:
        ctypes.string_at(0)

    def hang(self) -> None:
        while True:
            pass

    def tell(self) -> str:
        self._tell(0.5, "half")
        return "told"

    def refuse(self) -> None:
        raise DataError("A value is missing.", code="missing-values", offer=("transform/impute",))

    def stumble(self) -> None:
        raise ZeroDivisionError("a fault")

    def double(self, numbers: Any) -> Parcel:
        return Parcel(len(numbers), {"doubled": 2 * np.asarray(numbers)})
