"""Shapes in the plane and what kinds of generated sets share: sizes, places, labels."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.spatial import cKDTree

Points = NDArray[np.float64]
Labels = NDArray[np.int64]
Set = tuple[Points, Labels]


# Shapes in the plane, of about unit size


def ring(rng: Generator, n: int, width: float = 0.0) -> Points:
    return polar(rng.uniform(0, 2 * np.pi, n), 1 + width * rng.normal(size=n))


def arc(rng: Generator, n: int, width: float = 0.0) -> Points:
    span = rng.uniform(0.5, 1.6) * np.pi
    along = rng.uniform(0, 1, n) if rng.random() < 0.7 else rng.beta(2, 2, n)
    return polar(along * span, 1 + width * rng.normal(size=n))


def bar(rng: Generator, n: int, _width: float = 0.0) -> Points:
    return np.column_stack([rng.uniform(-1, 1, n), rng.uniform(-1, 1, n) * rng.uniform(0.05, 0.35)])


def square(rng: Generator, n: int, _width: float = 0.0) -> Points:
    return rng.uniform(-1, 1, (n, 2))


def disk(rng: Generator, n: int, _width: float = 0.0) -> Points:
    return polar(rng.uniform(0, 2 * np.pi, n), np.sqrt(rng.uniform(0, 1, n)))


def cloud(rng: Generator, n: int, _width: float = 0.0) -> Points:
    return rng.normal(size=(n, 2)) * [0.45, 0.45 * rng.uniform(0.3, 1)]


def wave(rng: Generator, n: int, width: float = 0.0) -> Points:
    along = rng.uniform(-1, 1, n)
    across = 0.5 * np.sin(along * np.pi * rng.uniform(0.8, 2)) + 0.6 * width * rng.normal(size=n)
    return np.column_stack([1.3 * along, across])


def cross(rng: Generator, n: int, _width: float = 0.0) -> Points:
    level = rng.random(n) < 0.5
    along, across = rng.uniform(-1, 1, n), rng.uniform(-0.1, 0.1, n)
    flat = np.column_stack([along, across])
    return np.where(level[:, None], flat, flat[:, ::-1])


def triangle(rng: Generator, n: int, _width: float = 0.0) -> Points:
    u = rng.random((n, 2))
    outside = u.sum(axis=1) > 1
    u[outside] = 1 - u[outside]
    corner, second, third = np.array([[-1, -0.7], [1, -0.7], [0, 1]])
    return np.asarray(corner + u[:, :1] * (second - corner) + u[:, 1:] * (third - corner))


def frame(rng: Generator, n: int, width: float = 0.0) -> Points:
    side, along, one = rng.integers(0, 4, n), rng.uniform(-1, 1, n), np.ones(n)
    sides = np.stack([
        np.column_stack([along, one]), np.column_stack([along, -one]),
        np.column_stack([one, along]), np.column_stack([-one, along]),
    ])  # fmt: skip
    return np.asarray(sides[side, np.arange(n)] + 0.5 * width * rng.normal(size=(n, 2)))


def spiral_arm(rng: Generator, n: int, width: float = 0.0) -> Points:
    angle = np.sqrt(rng.uniform(0.05, 1, n)) * rng.uniform(1.5, 2.6) * np.pi
    return polar(angle, angle * 1.4 / (2.6 * np.pi)) + 0.3 * width * rng.normal(size=(n, 2))


SHAPES: tuple[Callable[[Generator, int, float], Points], ...] = (
    ring, arc, bar, square, disk, cloud, wave, cross, triangle, frame, spiral_arm,
    cloud, disk, cloud, arc,
)  # fmt: skip


# What they share


def polar(angle: Points, radius: Points) -> Points:
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])


def on_sphere(rng: Generator, n: int) -> Points:
    points = rng.normal(size=(n, 3))
    return np.asarray(points / np.linalg.norm(points, axis=1, keepdims=True))


def turned(rng: Generator, points: Points) -> Points:
    angle = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(angle), np.sin(angle)
    return points @ np.array([[c, -s], [s, c]])


def sizes(rng: Generator, k: int, n: int, how: str = "") -> list[int]:
    how = how or str(rng.choice(["equal", "mild", "wild"], p=[0.45, 0.35, 0.2]))
    shares = np.ones(k)
    if how == "mild":
        shares = rng.uniform(0.4, 1.6, k)
    elif how == "wild":
        shares = np.exp(rng.normal(0, 1, k))
    return [max(8, int(size)) for size in shares / shares.sum() * n]


def placed(rng: Generator, points: Points, others: list[Points], gap: float) -> Points:
    """The points moved to where they keep the gap, if a place is found."""
    tree = cKDTree(np.concatenate(others)) if others else None
    moved = points
    for attempt in range(200):
        moved = points + rng.uniform(-1, 1, 2) * (1 + 0.05 * attempt) * 1.2
        if tree is None:
            break
        away = tree.query(moved)[0]
        if np.quantile(away, 0.01) > gap and away.min() > gap / 2:
            break
    return moved


def centres(rng: Generator, k: int, d: int, apart: float) -> list[Points]:
    side = k ** (1 / d) * apart * rng.uniform(0.6, 1.2)
    found: list[Points] = []
    while len(found) < k:
        centre = rng.uniform(0, side, d)
        if all(np.linalg.norm(centre - other) > apart for other in found):
            found.append(centre)
        else:
            side *= 1.002
    return found


def labelled(groups: list[Points]) -> Set:
    labels = np.repeat(np.arange(1, len(groups) + 1), [len(points) for points in groups])
    return np.concatenate(groups), labels


def some_shape(rng: Generator, n: int, width: float) -> Points:
    """Any of the shapes."""
    return SHAPES[rng.integers(len(SHAPES))](rng, n, width)
