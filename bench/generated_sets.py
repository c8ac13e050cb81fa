"""Data sets with known groups, generated from a seed: what the judgement of groups is learned on.

Shapes in the plane, blobs, rings in rings, spirals, touching and unequal groups, tables that look
like measurements, background noise, and sets without any groups. They share nothing with the public
sets that quality is reported on.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.spatial import cKDTree

Points = NDArray[np.float64]
Labels = NDArray[np.int64]
Set = tuple[Points, Labels]

MOST_ITEMS = 1100


def generated(seed: int) -> tuple[str, Points, Labels]:
    """Return the kind, the items and the group of each, from 1; 0 for background noise."""
    rng = np.random.default_rng(seed)
    names, weights = list(KINDS), np.array([weight for _, weight in KINDS.values()])
    kind = names[rng.choice(len(names), p=weights / weights.sum())]
    n = int(np.exp(rng.uniform(np.log(120), np.log(1600))))
    X, labels = KINDS[kind][0](rng, n)
    order = rng.permutation(len(X))[:MOST_ITEMS]
    return kind, X[order] * np.exp(rng.normal(0, 0.3, X.shape[1])), labels[order]


# Shapes in the plane, of about unit size


def _ring(rng: Generator, n: int, width: float) -> Points:
    return _polar(rng.uniform(0, 2 * np.pi, n), 1 + width * rng.normal(size=n))


def _arc(rng: Generator, n: int, width: float) -> Points:
    span = rng.uniform(0.5, 1.6) * np.pi
    along = rng.uniform(0, 1, n) if rng.random() < 0.7 else rng.beta(2, 2, n)
    return _polar(along * span, 1 + width * rng.normal(size=n))


def _bar(rng: Generator, n: int, _width: float) -> Points:
    return np.column_stack([rng.uniform(-1, 1, n), rng.uniform(-1, 1, n) * rng.uniform(0.05, 0.35)])


def _square(rng: Generator, n: int, _width: float) -> Points:
    return rng.uniform(-1, 1, (n, 2))


def _disk(rng: Generator, n: int, _width: float) -> Points:
    return _polar(rng.uniform(0, 2 * np.pi, n), np.sqrt(rng.uniform(0, 1, n)))


def _cloud(rng: Generator, n: int, _width: float) -> Points:
    return rng.normal(size=(n, 2)) * [0.45, 0.45 * rng.uniform(0.3, 1)]


def _wave(rng: Generator, n: int, width: float) -> Points:
    along = rng.uniform(-1, 1, n)
    across = 0.5 * np.sin(along * np.pi * rng.uniform(0.8, 2)) + 0.6 * width * rng.normal(size=n)
    return np.column_stack([1.3 * along, across])


def _cross(rng: Generator, n: int, _width: float) -> Points:
    level = rng.random(n) < 0.5
    along, across = rng.uniform(-1, 1, n), rng.uniform(-0.1, 0.1, n)
    flat = np.column_stack([along, across])
    return np.where(level[:, None], flat, flat[:, ::-1])


def _triangle(rng: Generator, n: int, _width: float) -> Points:
    u = rng.random((n, 2))
    outside = u.sum(axis=1) > 1
    u[outside] = 1 - u[outside]
    corner, second, third = np.array([[-1, -0.7], [1, -0.7], [0, 1]])
    return np.asarray(corner + u[:, :1] * (second - corner) + u[:, 1:] * (third - corner))


def _frame(rng: Generator, n: int, width: float) -> Points:
    side, along, one = rng.integers(0, 4, n), rng.uniform(-1, 1, n), np.ones(n)
    sides = np.stack([
        np.column_stack([along, one]), np.column_stack([along, -one]),
        np.column_stack([one, along]), np.column_stack([-one, along]),
    ])  # fmt: skip
    return np.asarray(sides[side, np.arange(n)] + 0.5 * width * rng.normal(size=(n, 2)))


def _spiral_arm(rng: Generator, n: int, width: float) -> Points:
    angle = np.sqrt(rng.uniform(0.05, 1, n)) * rng.uniform(1.5, 2.6) * np.pi
    return _polar(angle, angle * 1.4 / (2.6 * np.pi)) + 0.3 * width * rng.normal(size=(n, 2))


_SHAPES: tuple[Callable[[Generator, int, float], Points], ...] = (
    _ring, _arc, _bar, _square, _disk, _cloud, _wave, _cross, _triangle, _frame, _spiral_arm,
    _cloud, _disk, _cloud, _arc,
)  # fmt: skip


# Kinds of sets


def shapes(rng: Generator, n: int) -> Set:
    """Different shapes in the plane that keep a distance from each other."""
    k = int(rng.choice([2, 3, 4, 5, 6, 7], p=[0.2, 0.25, 0.2, 0.15, 0.1, 0.1]))
    gap, width = rng.uniform(0.12, 0.6), rng.uniform(0.01, 0.12)
    placed: list[Points] = []
    for size in _sizes(rng, k, n):
        shape = _SHAPES[rng.integers(len(_SHAPES))]
        points = _turned(rng, shape(rng, size, width)) * rng.uniform(0.5, 1.6)
        placed.append(_placed(rng, points, placed, gap))
    return _labelled(placed)


def blobs(rng: Generator, n: int, d: int = 0, k: int = 0, apart: float = 0.0) -> Set:
    """Gaussian groups around centres that are at least `apart` from each other."""
    d = d or int(rng.choice([2, 2, 2, 3, 4, 5, 8, 10]))
    numbers = [2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30]
    chances = [0.12, 0.14, 0.12, 0.1, 0.1, 0.08, 0.08, 0.06, 0.07, 0.06, 0.04, 0.03]
    k = k or int(rng.choice(numbers, p=chances))
    apart = apart or rng.uniform(3.0, 9.0)
    centres = _centres(rng, k, d, apart)
    stretched, scaled = rng.random() < 0.5, rng.random() < 0.3
    groups = []
    for centre, size in zip(centres, _sizes(rng, k, max(n, 25 * k)), strict=True):
        shape = np.eye(d)
        if stretched:
            shape = np.linalg.qr(rng.normal(size=(d, d)))[0] * np.exp(rng.normal(0, 0.4, d))
        scale = np.exp(rng.normal(0, 0.35)) if scaled else 1.0
        groups.append(centre + scale * (rng.normal(size=(size, d)) @ shape.T))
    return _labelled(groups)


def nested(rng: Generator, n: int) -> Set:
    """Rings around each other, some around a disk."""
    k, width, filled = int(rng.integers(2, 5)), rng.uniform(0.02, 0.1), rng.random() < 0.5
    radius, groups = (0.0 if filled else 1.0), []
    for number, size in enumerate(_sizes(rng, k, n, "mild")):
        if number == 0 and filled:
            groups.append(0.5 * _disk(rng, size, 0.0))
            radius = 0.5
        else:
            groups.append(radius * _ring(rng, size, width / max(radius, 0.3)))
        radius += 4 * width + rng.uniform(0.25, 0.8)
    return _labelled(groups)


def spirals(rng: Generator, n: int) -> Set:
    """Two or three arms of one spiral."""
    k, turns, width = int(rng.integers(2, 4)), rng.uniform(0.7, 1.6), rng.uniform(0.01, 0.05)
    groups = []
    for arm in range(k):
        out = np.sqrt(rng.uniform(0.04, 1, n // k))
        points = _polar(2 * np.pi * (out * turns + arm / k), out)
        groups.append(points + 0.6 * width * rng.normal(size=points.shape))
    return _labelled(groups)


def moons(rng: Generator, n: int) -> Set:
    """Two half-rings that reach into each other."""
    first, second = rng.uniform(0, np.pi, n // 2), rng.uniform(0, np.pi, n - n // 2)
    width = rng.uniform(0.03, 0.14)
    upper, lower = _polar(first, np.ones(n // 2)), _polar(second, np.ones(n - n // 2))
    groups = [upper, [1, 0.5] - lower]
    return _labelled([points + width * rng.normal(size=points.shape) for points in groups])


def touching(rng: Generator, n: int) -> Set:
    """Few Gaussian groups that overlap a little."""
    k, d = int(rng.integers(2, 5)), int(rng.choice([2, 2, 3, 5]))
    return blobs(rng, n, d=d, k=k, apart=rng.uniform(2.4, 3.6))


def unequal(rng: Generator, n: int) -> Set:
    """Dense groups beside thin ones."""
    k, groups = int(rng.integers(2, 4)), []
    for number in range(k):
        scale, size = np.exp(rng.uniform(-2.5, 0)), int(n / k * rng.uniform(0.6, 1.4))
        centre = np.array([2.2 * number, 0]) + rng.uniform(-0.3, 0.3, 2)
        disk = rng.random() < 0.5
        points = _disk(rng, size, 0.0) if disk else 0.5 * rng.normal(size=(size, 2))
        groups.append(points * scale + centre)
    X, labels = _labelled(groups)
    return _turned(rng, X), labels


def solids(rng: Generator, n: int) -> Set:
    """A ball in a shell, linked rings, blobs in space, or shapes with further columns."""
    half = n // 2
    match int(rng.integers(0, 4)):
        case 0:
            ball = _on_sphere(rng, half) * rng.uniform(0, 1, (half, 1)) ** (1 / 3)
            shell = _on_sphere(rng, n - half) * (1 + 0.05 * rng.normal(size=(n - half, 1)))
            return _labelled([ball * rng.uniform(0.2, 0.5), shell])
        case 1:
            first, second = _ring(rng, half, 0.06), _ring(rng, n - half, 0.06)
            thin = 0.06 * rng.normal(size=n)
            return _labelled([
                np.column_stack([first, thin[:half]]),
                np.column_stack([second[:, 0] + 1, thin[half:], second[:, 1]]),
            ])  # fmt: skip
        case 2:
            return blobs(rng, n, d=3, k=int(rng.integers(3, 9)), apart=rng.uniform(4, 7))
        case _:
            X, labels = shapes(rng, n)
            more = rng.normal(size=(len(X), int(rng.integers(1, 4)))) * rng.uniform(0.02, 0.25)
            return np.column_stack([X, more]), labels


def one_group(rng: Generator, n: int) -> Set:
    """No groups: a cloud, a box, a ball, heavy tails, correlated or skewed columns."""
    d = int(rng.choice([2, 2, 2, 3, 5, 10, 20, 50]))
    match int(rng.integers(0, 6)):
        case 0:
            X = rng.normal(size=(n, d))
        case 1:
            X = rng.uniform(size=(n, d))
        case 2:
            X = rng.normal(size=(n, d))
            X *= rng.uniform(0, 1, (n, 1)) ** (1 / d) / np.linalg.norm(X, axis=1, keepdims=True)
        case 3:
            X = rng.standard_t(6, size=(n, d))
        case 4:
            X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d))
        case _:
            X = np.exp(0.6 * rng.normal(size=(n, d)))
    return X, np.ones(n, dtype=np.int64)


def measurements(rng: Generator, n: int) -> Set:
    """Groups that overlap in several columns, some of them skewed, rounded or without meaning."""
    d = int(rng.choice([4, 5, 7, 9, 13, 20, 30]))
    k = int(rng.choice([2, 3, 4, 5, 6, 8], p=[0.25, 0.25, 0.2, 0.1, 0.1, 0.1]))
    telling, apart = max(2, int(d * rng.uniform(0.4, 1))), rng.uniform(1.2, 3.2)
    groups = []
    for size in _sizes(rng, k, int(0.6 * n) + 60):
        shape = 0.35 * rng.normal(size=(telling, telling)) + np.eye(telling)
        spread = np.exp(rng.normal(0, 0.25, telling))
        points = rng.normal(size=(size, telling)) @ shape.T * spread
        groups.append(points + apart * rng.normal(size=telling))
    X, labels = _labelled(groups)
    X = np.column_stack([X, 2 * rng.normal(size=(len(X), d - telling))])
    if d > 6 and rng.random() < 0.4:
        X = X @ rng.normal(size=(d, d))
    X = X / X.std(axis=0)
    for column in X.T:
        chance = rng.random()
        if chance < 0.2:
            column[:] = np.exp(0.7 * column)
        elif chance < 0.3:
            column[:] = np.round(2 * column)
    return X, labels


def noisy(rng: Generator, n: int) -> Set:
    """Groups in the plane with noise over all of it."""
    kinds: list[Callable[[Generator, int], Set]] = [
        shapes, lambda r, m: blobs(r, m, d=2), nested, moons,
    ]  # fmt: skip
    X, labels = kinds[rng.integers(4)](rng, n)
    low, high = X.min(axis=0), X.max(axis=0)
    edge = 0.08 * (high - low)
    noise = rng.uniform(low - edge, high + edge, (int(len(X) * rng.uniform(0.03, 0.12)), 2))
    return np.concatenate([X, noise]), np.concatenate([labels, np.zeros(len(noise), np.int64)])


def grid(rng: Generator, n: int) -> Set:
    """Squares or clouds in rows and columns."""
    rows, columns = int(rng.integers(1, 5)), int(rng.integers(2, 5))
    each, gap, squares = max(25, n // (rows * columns)), rng.uniform(1.15, 1.8), rng.random() < 0.5
    groups = []
    for row in range(rows):
        for column in range(columns):
            square = rng.uniform(-0.5, 0.5, (each, 2))
            cloud = 0.17 * rng.normal(size=(each, 2))
            groups.append((square if squares else cloud) + [row * gap, column * gap])
    return _labelled(groups)


KINDS: dict[str, tuple[Callable[[Generator, int], Set], float]] = {
    "shapes": (shapes, 0.20), "blobs": (blobs, 0.18), "noisy": (noisy, 0.12),
    "touching": (touching, 0.10), "solids": (solids, 0.08), "measurements": (measurements, 0.08),
    "one group": (one_group, 0.08), "nested": (nested, 0.06), "spirals": (spirals, 0.05),
    "moons": (moons, 0.05), "unequal": (unequal, 0.05), "grid": (grid, 0.04),
}  # fmt: skip


# What they share


def _polar(angle: Points, radius: Points) -> Points:
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])


def _on_sphere(rng: Generator, n: int) -> Points:
    points = rng.normal(size=(n, 3))
    return np.asarray(points / np.linalg.norm(points, axis=1, keepdims=True))


def _turned(rng: Generator, points: Points) -> Points:
    angle = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(angle), np.sin(angle)
    return points @ np.array([[c, -s], [s, c]])


def _sizes(rng: Generator, k: int, n: int, how: str = "") -> list[int]:
    how = how or str(rng.choice(["equal", "mild", "wild"], p=[0.45, 0.35, 0.2]))
    shares = np.ones(k)
    if how == "mild":
        shares = rng.uniform(0.4, 1.6, k)
    elif how == "wild":
        shares = np.exp(rng.normal(0, 1, k))
    return [max(8, int(size)) for size in shares / shares.sum() * n]


def _placed(rng: Generator, points: Points, others: list[Points], gap: float) -> Points:
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


def _centres(rng: Generator, k: int, d: int, apart: float) -> list[Points]:
    side = k ** (1 / d) * apart * rng.uniform(0.6, 1.2)
    centres: list[Points] = []
    while len(centres) < k:
        centre = rng.uniform(0, side, d)
        if all(np.linalg.norm(centre - other) > apart for other in centres):
            centres.append(centre)
        else:
            side *= 1.002
    return centres


def _labelled(groups: list[Points]) -> Set:
    labels = np.repeat(np.arange(1, len(groups) + 1), [len(points) for points in groups])
    return np.concatenate(groups), labels
