"""The confined process: `python -m coterie.core.io.confined --channel=HANDLE`.

It gives up the network and all other programs, loads what parses files, learns which files it may
touch, and gives up all others before it touches one.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NoReturn

from coterie.core.io.platform.confinement import Confinement, give_up_others, keep_to_files
from coterie.core.io.platform.connections import inherited_connection
from coterie.core.io.platform.lifeline import end_with_lifeline
from coterie.core.io.platform.limits import LIMITS_MEMORY
from coterie.core.io.platform.locales import use_neutral_case

PACKAGES = ("coterie", "coterie.core", "coterie.projects")


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Serve one process until it goes away."""
    parser = argparse.ArgumentParser(prog="coterie.core.io.confined")
    parser.add_argument("--channel", type=int, required=True)
    parser.add_argument("--lifeline", type=int)
    parser.add_argument("--load", action="append", default=[], metavar="MODULE")
    chosen = parser.parse_args(arguments)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that asks
    use_neutral_case()
    if chosen.lifeline is not None:
        end_with_lifeline(chosen.lifeline)
    connection = inherited_connection(chosen.channel)
    with contextlib.suppress(EOFError, OSError):
        _serve(connection, chosen.load)
    os._exit(0)  # at once: a library that parsed a hostile file need not tidy up


def _serve(connection: Any, load: Sequence[str]) -> None:
    alone = give_up_others()
    if load:  # a spare, for a file that nobody has named yet
        for module in load:
            importlib.import_module(module)
        from coterie.core.io.confined.wire import LOADED, Parcel, pack

        connection.send_bytes(pack(Parcel(["done", LOADED])))
    order = _first(connection.recv_bytes())
    files = keep_to_files(
        [Path(path) for path in order["read"]],
        [Path(path) for path in order["write"]],
        order["memory"],
        tuple(_code()),
    )
    found = Confinement(files, "seccomp" if alone else "", memory=LIMITS_MEMORY)
    # From here on, files of strangers may be read, and threads be started.
    from coterie.core.io.confined.wire import Parcel, describe_error, pack, unpack

    def send(*words: Any, arrays: Any = None) -> None:
        connection.send_bytes(pack(Parcel(list(words), arrays or {})))

    service = _service(order["service"], lambda done, text: send("progress", done, text))
    send("done", asdict(found))
    while True:
        parcel = unpack(connection.recv_bytes())
        method, values = parcel.value
        try:
            if method.startswith("_"):
                raise AttributeError(method)
            answer = getattr(service, method)(**values, **parcel.arrays)
            arrays = {}
            if isinstance(answer, Parcel):
                answer, arrays = answer.value, answer.arrays
            data = pack(Parcel(["done", answer], arrays))
        except BaseException as error:
            data = pack(Parcel(["error", describe_error(error)]))
        connection.send_bytes(data)


def _first(data: bytes) -> dict[str, Any]:
    """The first message, which has no arrays; numpy is not loaded yet."""
    import json
    import struct

    (length,) = struct.unpack_from("<I", data)
    value: dict[str, Any] = json.loads(data[4 : 4 + length])[0]
    return value


def _service(named: str, tell: Any) -> Any:
    module, _, name = named.partition(":")
    return getattr(importlib.import_module(module), name)(tell)


def _code() -> Iterator[Path]:
    """Where the packages of Coterie are: not always where Python looks for modules."""
    for package in PACKAGES:
        spec = importlib.util.find_spec(package)
        if spec is not None:
            yield from map(Path, spec.submodule_search_locations or ())


if __name__ == "__main__":
    main(sys.argv[1:])
