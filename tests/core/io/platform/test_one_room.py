"""Nothing outside `core/io/platform` asks which system it runs on, or calls what only some have."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
ROOM = ROOT / "core" / "io" / "platform"
PACKAGES = ("core", "plugins", "projects", "gui")

SYSTEM_MODULES = {"fcntl", "msvcrt", "resource", "pwd", "grp", "termios", "winreg", "_winapi"}
SYSTEM_NAMES = {
    "sys": {"platform", "getwindowsversion"},
    "os": {
        "name", "uname", "sysconf", "nice", "fsync", "fdatasync", "killpg", "kill", "getpgid",
        "setsid", "getuid", "geteuid", "sched_getaffinity", "O_NOFOLLOW", "O_ASYNC", "startfile",
        "set_handle_inheritable", "set_inheritable",
    },
    "signal": {"SIGKILL", "SIGIO", "SIGHUP"},
    "platform": {"system", "uname"},
    "subprocess": {"STARTUPINFO", "CREATE_NEW_PROCESS_GROUP", "CREATE_NO_WINDOW"},
    "ctypes": {"windll", "CDLL"},
}  # fmt: skip
SYSTEM_FOLDERS = ("/proc/", "/sys/", "/dev/")


def asked(source: str) -> Iterator[str]:
    """Yield what a module asks the system that another system would not know."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                yield from (f"import {a.name}" for a in names if a.name in SYSTEM_MODULES)
            case ast.ImportFrom(module=str(module), names=names):
                if module in SYSTEM_MODULES:
                    yield f"from {module} import"
                yield from (
                    f"{module}.{a.name}" for a in names if a.name in SYSTEM_NAMES.get(module, ())
                )
            case ast.Attribute(value=ast.Name(id=module), attr=name):
                if name in SYSTEM_NAMES.get(module, ()):
                    yield f"{module}.{name}"
            case ast.Constant(value=str(text)) if text.startswith(SYSTEM_FOLDERS):
                yield text
            case ast.keyword(arg="start_new_session" | "creationflags" | "pass_fds" as name):
                yield f"{name}="


@pytest.mark.parametrize(
    "source",
    [
        "import fcntl",
        "from resource import getrlimit",
        "import os\nif os.name == 'nt': pass",
        "from sys import platform",
        "open('/proc/self/status')",
        "open(f'/proc/{pid}/status')",
        "Popen([], start_new_session=True)",
    ],
)
def test_what_depends_on_the_system_is_noticed(source: str) -> None:
    assert list(asked(source))


def test_nothing_outside_the_room_asks_which_system_it_is() -> None:
    found = {
        file.relative_to(ROOT).as_posix(): what
        for package in PACKAGES
        for file in (ROOT / package).rglob("*.py")
        if ROOM not in file.parents and (what := list(asked(file.read_text(encoding="utf-8"))))
    }
    assert found == {}
