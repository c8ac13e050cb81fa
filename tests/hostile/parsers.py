"""Our own parsers, fed with mutated texts and messages: each answers, or raises its own error.

Run as a program: python -m tests.hostile.parsers TARGET SEED COUNT. What breaks a parser is kept in
build/fuzz, and is the first that it meets the next time. `guided.py` looks further.
"""

from __future__ import annotations

import json
import random
import signal
import struct
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from coterie.core.api.frame import Frame
from coterie.core.engine import message_bytes, messages
from coterie.core.errors import CoterieError
from coterie.core.formats.products.plain_xml import parse_xml
from coterie.core.formats.rasters.polygons import Polygon, polygon_to_wkb, polygons_of_wkb
from coterie.core.formats.rasters.regions import parse_regions
from coterie.core.formats.rasters.scene import Band, Scene
from coterie.core.formats.rasters.windows import SceneReader
from coterie.core.io.confined import wire
from coterie.core.model.query import matching
from coterie.projects.recipe.toml import parse_recipe

KEPT = Path(__file__).resolve().parents[2] / "build" / "fuzz"
MOST_SECONDS = 10
NUMBERS = (0, 1, -1, 255, 2**31, -(2**31), 2**63, 2**70, 0.5, 1e308, -1e400, float("nan"))
TEXTS = ("", "x" * 999, "../../etc", "\u202e", "\0", "<f8", "(1,2", "3,(", "O", "M8[", "U0", "nan")
WORDS = (b"[", b"]", b"{", b"}", b'"', b"'", b"=", b",", b"(", b")", b"\0", b"\xff", b"9" * 400)


@dataclass(frozen=True)
class Target:
    """A parser: texts that it takes, and the errors by which it may refuse others."""

    parse: Callable[[bytes], Any]
    seeds: tuple[bytes, ...]
    refuses: tuple[type[BaseException], ...] = (CoterieError,)
    framed: bool = False  # a length, JSON of that length, and the bytes of arrays


def _recipe(data: bytes) -> Any:
    return parse_recipe(data.decode("utf-8", "replace"))


def _query(data: bytes) -> Any:
    return matching(data.decode("utf-8", "replace"), COLUMNS, 3)


def _regions(data: bytes) -> Any:
    scene = Scene("/x.tif", (Band("a"),), 5, 5)
    return parse_regions(data.decode("utf-8", "replace"), scene)


def _xml(data: bytes) -> Any:
    with tempfile.NamedTemporaryFile(suffix=".xml") as file:
        file.write(data)
        file.flush()
        return parse_xml(Path(file.name), 1 << 20)


def _scene(data: bytes) -> Any:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return SceneReader(Scene.from_json(value)) if isinstance(value, dict) else None


def _error(data: bytes) -> Any:
    value = wire.unpack(data).value
    return wire.error_of(value) if isinstance(value, dict) else None


COLUMNS = {"a": np.arange(3.0), "b c": np.array([1, 2, 3]), "name": np.array(["x", "y", "z"])}
# A value of each type that a message can have.
DEFAULTS: dict[str, Any] = {
    "int": 7, "float": 0.5, "str": "groups", "bool": False, "list[str]": ["a"], "list[int]": [1],
    "dict[str, str]": {"a": "b"}, "dict[str, Any]": {"k": 3}, "dict[str, Array]": {}, "Frame": {},
}  # fmt: skip
SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]])
RECIPE = b"""format = 2
title = "Groups"
[data]
open = "points.csv"
params = { header = true, k = [1, 2.5, "x"] }
[[step]]
name = "near"
use = "graph/knn"
of = "data"
params = { k = 10 }
[[step]]
name = "groups"
use = "clusterer/dominant-sets"
of = ["near"]
"""
FEATURE = {
    "type": "Feature",
    "properties": {"name": "field", "class": 3},
    "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]},
}
REGIONS = json.dumps({"type": "FeatureCollection", "features": [FEATURE, FEATURE]}).encode()


def _messages() -> tuple[bytes, ...]:
    frame = Frame(3, {"objective": 0.5}, "search", labels=np.arange(4))
    found = [message_bytes.to_bytes(messages.FrameMessage(job=1, frame=frame))]
    for name, kind in messages.MESSAGES.items():
        if kind is messages.FrameMessage:
            continue
        body = {part.name: DEFAULTS[str(part.type)] for part in fields(kind)}
        has_arrays = body.pop("arrays", None) is not None
        arrays = [["x", "<f8", [2]]] if has_arrays else []
        text = json.dumps({"type": name, "body": body, "arrays": arrays}).encode()
        found.append(struct.pack("<I", len(text)) + text + bytes(16 * has_arrays))
    return tuple(found)


def targets() -> dict[str, Target]:
    """Return the parsers by name."""
    parcel = wire.Parcel(["done", {"a": [1, None]}], {"x": np.arange(6.0).reshape(2, 3)})
    error = wire.Parcel(wire.describe_error(CoterieError("no", code="internal")))
    answers = (wire.InvalidAnswerError, CoterieError)
    scene = Scene("/x.tif", (Band("a", wavelength=480.0, nodata=0.0), Band("b")), 5, 5)
    return {
        "recipe": Target(_recipe, (RECIPE,)),
        "query": Target(_query, (b"a > 1 and name == 'x'", b"not (`b c` in [1, 2]) or a + 1 < 3")),
        "regions": Target(_regions, (REGIONS,)),
        "wkb": Target(
            lambda data: polygons_of_wkb(data, "field"),
            (polygon_to_wkb(Polygon("field", (SQUARE, SQUARE / 2))),),
        ),
        "xml": Target(_xml, (b'<?xml version="1.0"?><a b="c"><d>text &amp; more</d><d/></a>',)),
        "scene": Target(_scene, (json.dumps(scene.as_json()).encode(),)),
        "messages": Target(message_bytes.from_bytes, _messages(), framed=True),
        "answers": Target(wire.unpack, (wire.pack(parcel),), answers, framed=True),
        "errors": Target(_error, (wire.pack(error),), answers, framed=True),
    }


# Mutations


def mutate(data: bytes, rng: random.Random, *, framed: bool = False) -> bytes:
    """Return one to three changes of a text; of a framed message, most within its JSON."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        if framed and rng.random() < 0.8:
            data = _in_frame(data, rng)
        elif data.lstrip()[:1] in b"{[" and rng.random() < 0.6:
            data = _in_json(data, rng)
        else:
            data = _bytes(data, rng)
    return data


def _in_frame(data: bytes, rng: random.Random) -> bytes:
    try:
        (length,) = struct.unpack_from("<I", data)
    except struct.error:
        return data
    text = _in_json(data[4 : 4 + length], rng)
    return struct.pack("<I", len(text)) + text + data[4 + length :]


def _in_json(text: bytes, rng: random.Random) -> bytes:
    """Change one value anywhere in some JSON."""
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return _bytes(text, rng)
    places: list[tuple[Any, Any]] = []

    def walk(at: Any) -> None:
        for key in at if isinstance(at, dict) else range(len(at)):
            places.append((at, key))
            if isinstance(at[key], dict | list):
                walk(at[key])

    if isinstance(value, dict | list):
        walk(value)
    evil: Any = rng.choice((*NUMBERS, *TEXTS, None, True, [], {}, [[[]]], {"a": 1}, [2**70, 0]))
    if not places:
        return json.dumps(evil).encode("utf-8", "replace")
    owner, key = rng.choice(places)
    if rng.random() < 0.15:
        del owner[key]
    elif isinstance(owner, dict) and rng.random() < 0.1:
        owner[rng.choice(TEXTS)] = owner.pop(key)
    else:
        owner[key] = evil
    return json.dumps(value).encode("utf-8", "replace")


def _bytes(data: bytes, rng: random.Random) -> bytes:
    if not data:
        return rng.choice(WORDS)
    start = rng.randrange(len(data))
    end = min(len(data), start + rng.choice((1, 2, 4, 16, 64)))
    way = rng.choice(("flip", "set", "cut", "twice", "insert", "end", "number"))
    if way == "flip":
        return data[:start] + bytes([data[start] ^ (1 << rng.randrange(8))]) + data[start + 1 :]
    if way == "set":
        return data[:start] + bytes([rng.choice((0, 0x7F, 0x80, 0xFF))]) + data[start + 1 :]
    if way == "cut":
        return data[:start] + data[end:]
    if way == "twice":
        return data[:end] + data[start:end] * rng.choice((1, 2, 50)) + data[end:]
    if way == "insert":
        return data[:start] + rng.choice(WORDS) * rng.choice((1, 1, 200)) + data[start:]
    if way == "end":
        return data[:start]
    return data[:start] + str(rng.choice(NUMBERS)).encode() + data[end:]


# Campaigns


def attempt(name: str, target: Target, data: bytes) -> bool:
    """Feed a parser; return whether it answered. What it may not do is kept, and raised."""
    signal.alarm(MOST_SECONDS)
    try:
        target.parse(data)
    except target.refuses:
        return False
    except BaseException:
        folder = KEPT / name / "crashes"
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{abs(hash(data)):016x}"
        file.write_bytes(data)
        print(f"kept: {file}", file=sys.stderr)
        raise
    finally:
        signal.alarm(0)
    return True


def run(name: str, seed: int, count: int) -> dict[str, int]:
    """Feed a parser with so many mutations; what broke it before comes first."""
    target, rng = targets()[name], random.Random(seed)
    tally = {"refused": 0, "read": 0}
    old = sorted((KEPT / name / "crashes").glob("*"))
    cases = [file.read_bytes() for file in old]
    for number in range(count):
        if number < len(cases):
            data = cases[number]
        else:
            data = mutate(rng.choice(target.seeds), rng, framed=target.framed)
        tally["read" if attempt(name, target, data) else "refused"] += 1
    return tally


def _too_long(_number: int, _frame: FrameType | None) -> None:
    raise TimeoutError(f"still at it after {MOST_SECONDS} seconds")


def main() -> None:
    signal.signal(signal.SIGALRM, _too_long)
    name, seed, count = sys.argv[1:]
    print(json.dumps(run(name, int(seed), int(count))))


if __name__ == "__main__":
    main()
