"""Messages survive the wire; bytes that are none are told as such and nothing else."""

from __future__ import annotations

import json
import struct
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from coterie.core.api.frame import Frame
from coterie.core.api.partial_affinity import Glimpse
from coterie.core.engine.message_bytes import from_bytes, to_bytes
from coterie.core.engine.messages import (
    MESSAGES,
    Event,
    FrameMessage,
    Message,
    Order,
    Previewed,
    Progress,
    Request,
    SceneRequest,
)
from coterie.core.errors import EngineError
from tests.refusals import refuses

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
arrays = hnp.arrays(
    st.sampled_from(["<f4", "<f8", ">f8", "i4", "u1", "b1", "c16"]),
    hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4),
)


@st.composite
def frames(draw: st.DrawFn) -> Frame:
    n, t = draw(st.integers(0, 3)), draw(st.integers(0, 3))
    names = draw(st.lists(st.text(), max_size=3, unique=True))
    columns = {"iteration": np.arange(t), **{name: np.full(t, 0.5) for name in names}}
    return Frame(
        draw(st.integers()),
        draw(st.dictionaries(st.text(), st.floats())),
        draw(st.text()),
        draw(st.none() | st.just(np.ones(n, dtype=np.float32))),
        draw(st.none() | st.just(np.ones(n, dtype=np.int32))),
        draw(st.none() | st.just(np.ones((n, 2), dtype=np.float32))),
        draw(st.none() | st.just(np.arange(n))),
        draw(st.none() | st.just(Glimpse(np.eye(n), np.arange(n), 9))),
        draw(st.none() | st.just(columns)),
    )


VALUES: dict[str, st.SearchStrategy[Any]] = {
    "int": st.integers(-(2**63), 2**63),
    "float": st.floats(),
    "str": st.text(),
    "bool": st.booleans(),
    "list[str]": st.lists(st.text()),
    "list[int]": st.lists(st.integers()),
    "dict[str, str]": st.dictionaries(st.text(), st.text()),
    "dict[str, Any]": st.dictionaries(st.text(), json_values),
    "dict[str, Array]": st.dictionaries(st.text(), arrays, max_size=3),
    "Frame": frames(),
}
messages = st.one_of(
    [
        st.builds(kind, **{part.name: VALUES[str(part.type)] for part in fields(kind)})
        for kind in MESSAGES.values()
    ]
)


def same(one: Any, other: Any) -> Any:
    if isinstance(one, np.ndarray):
        return (
            one.dtype == other.dtype
            and one.shape == other.shape
            and one.tobytes() == other.tobytes()
        )
    if isinstance(one, Frame | Glimpse):
        return all(same(getattr(one, p.name), getattr(other, p.name)) for p in fields(one))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return bool(one == other) or (one != one and other != other)


def kinds_of(kind: type[Message]) -> set[type[Message]]:
    return {kind}.union(*map(kinds_of, kind.__subclasses__()))


def test_every_kind_of_message_is_known_on_the_wire() -> None:
    known = {kind for kind in kinds_of(Message) if kind.__module__ == Message.__module__}
    assert known - {Message, Request, Order, SceneRequest} == set(MESSAGES.values())


@given(messages)
def test_every_message_survives_the_wire(message: Message) -> None:
    back = from_bytes(to_bytes(message))
    assert type(back) is type(message)
    assert all(same(getattr(back, p.name), getattr(message, p.name)) for p in fields(message))


@given(messages, st.data())
def test_damaged_bytes_give_a_message_or_an_engine_error(
    message: Message, data: st.DataObject
) -> None:
    raw = bytearray(to_bytes(message))
    for _ in range(data.draw(st.integers(0, 3))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    damaged = bytes(raw[: data.draw(st.integers(0, len(raw)))])
    try:
        from_bytes(damaged)
    except EngineError as error:
        assert "invalid message" in str(error)  # noqa: PT017 - any other error fails the test


def packed(header: Any, tail: bytes = b"") -> bytes:
    text = json.dumps(header).encode()
    return struct.pack("<I", len(text)) + text + tail


def header(kind: str = "Event", arrays: Any = (), **body: Any) -> dict[str, Any]:
    full = {"job": 1, "name": "peeled", "details": {}, **body}
    return {"type": kind, "body": full, "arrays": arrays}


def framed(arrays: Any = (), tail: bytes = b"", **changes: Any) -> bytes:
    """The bytes of a frame, changed."""
    frame = {"iteration": 1, "values": {"objective": 0.5}, "phase": "", **changes}
    return packed(
        {"type": "FrameMessage", "body": {"job": 1, "frame": frame}, "arrays": arrays}, tail
    )


def test_the_hand_made_header_is_a_message() -> None:
    assert isinstance(from_bytes(packed(header())), Event)
    assert isinstance(from_bytes(framed()), FrameMessage)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xff\xff\xff",
        packed([]),
        packed({}),
        packed(header("Nonsense")),
        packed(header("__class__")),
        packed(header(strange=1)),
        packed(header(job="1")),
        packed(header(job=[1])),
        packed(header(job=True)),
        packed(header(name=3)),
        packed(header(arrays=[["a", "O", [1]]]), b"12345678"),
        packed(header(arrays=[["a", "f8", [-1]]]), b"12345678"),
        packed(header(arrays=[["a", "f8", [2**62, 2**62]]]), b"12345678"),
        packed(header(arrays=[["a", "f8", [3]]]), b"12345678"),
        packed(header(arrays=[["a", "f8", [1.5]]]), b"12345678"),
        packed(header(arrays=[["a", "f8,f8", [1]]]), b"1234567812345678"),
        packed(header(arrays=[["a"]])),
        packed(header(), b"more"),
        struct.pack("<I", 200_000) + b"[" * 200_000,
        packed({"type": "FrameMessage", "body": {"job": 1}, "arrays": []}),
        packed({"type": "FrameMessage", "body": {"job": 1, "frame": 3}, "arrays": []}),
        framed(iteration=1.5),
        framed(iteration=True),
        framed(phase=3),
        framed(values=[0.5]),
        framed(values={"objective": "0.5"}),
        framed([["shares", "f8", [1, 1]]], b"12345678"),
        framed([["coordinates", "f8", [1]]], b"12345678"),
        framed([["since/objective", "f8", [1]]], b"12345678"),
        framed([["since/iteration", "f4", [2]], ["since/a", "f4", [1]]], b"1234" * 3),
        framed(n=3),
        framed([["glimpse/values", "f8", [1, 1]], ["glimpse/items", "i8", [2]]], b"1" * 24, n=9),
    ],
)
def test_bytes_that_are_no_message_are_told(data: bytes) -> None:
    with refuses("invalid-message", EngineError):
        from_bytes(data)


def test_arrays_arrive_read_only_and_views_are_sent_as_they_look() -> None:
    back = from_bytes(to_bytes(Previewed(arrays={"a": np.arange(10)[::2]})))
    assert isinstance(back, Previewed)
    assert back.arrays["a"].tolist() == [0, 2, 4, 6, 8]
    assert not back.arrays["a"].flags.writeable


def test_numpy_numbers_pass() -> None:
    sent = Progress(done=np.float64(0.5))
    assert from_bytes(to_bytes(sent)) == Progress(done=0.5)
    event = Event(name="peeled", details={"items": np.arange(2), "size": np.int64(2)})
    assert from_bytes(to_bytes(event)) == Event(name="peeled", details={"items": [0, 1], "size": 2})
