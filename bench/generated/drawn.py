"""Kinds of generated sets as people draw them to try methods: mazes, bowls, long spirals, figures.

Functions as in `plane`. Here items may be spaced evenly, as of drawings made by hand, and
clouds overlap as far as they can still be separated.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.random import Generator
from scipy.spatial import cKDTree

from generated import plane
from generated.shapes import (
    Labels,
    Points,
    Set,
    bar,
    cloud,
    disk,
    labelled,
    placed,
    polar,
    ring,
    sizes,
    some_shape,
    square,
    turned,
)


def even(rng: Generator, points: Points, n: int) -> Points:
    """About n of the points, none close to another, as marks are placed by hand."""
    if len(points) <= n:
        return points
    low, high = 0.0, float(np.ptp(points, axis=0).max())
    kept = points
    tree = cKDTree(points)
    for _ in range(9):
        gap = (low + high) / 2
        kept = points[_far(tree, gap)]
        low, high = (gap, high) if len(kept) > n else (low, gap)
    return np.asarray(kept + rng.normal(0, 0.15 * low, kept.shape))


def _far(tree: cKDTree, gap: float) -> Labels:
    """Items taken in their order, each farther than the gap from those taken before."""
    out = np.zeros(tree.n, dtype=bool)
    taken = []
    for item, near in enumerate(tree.query_ball_point(tree.data, gap)):
        if not out[item]:
            taken.append(item)
            out[near] = True
    return np.array(taken, dtype=np.int64)


def by_hand(rng: Generator, n: int) -> Set:
    """Shapes of evenly spaced items, some more closely than others."""
    kinds: list[Callable[[Generator, int], Set]] = [
        bowl, maze, plane.amoebas, plane.layers, plane.dartboard, _figures, _figures, beside,
    ]  # fmt: skip
    X, labels = kinds[rng.integers(len(kinds))](rng, 5 * n)
    same = rng.random() < 0.6
    groups = []
    for group in range(1, int(labels.max()) + 1):
        own = X[labels == group]
        share = len(own) / len(X) * (1.0 if same else rng.uniform(0.4, 2.0))
        groups.append(even(rng, own[:3000], max(8, int(share * n))))
    return labelled(groups)


def _figures(rng: Generator, n: int) -> Set:
    k, gap, groups = int(rng.integers(2, 7)), rng.uniform(0.06, 0.4), []
    for size in sizes(rng, k, n):
        points = turned(rng, some_shape(rng, size, 0.06)) * rng.uniform(0.5, 1.4)
        groups.append(placed(rng, points, groups, gap))
    return labelled(groups)


def bowl(rng: Generator, n: int) -> Set:
    """A crescent around clouds or shapes that nearly touch it, or two crescents in each other."""
    span, thick = rng.uniform(0.45, 0.9) * np.pi, rng.uniform(0.04, 0.25)
    inside = int(rng.integers(1, 4)) if rng.random() < 0.4 else 1
    parts = sizes(rng, inside + 1, n, "mild")
    angle = rng.uniform(-span, span, parts[0])
    width = thick * (rng.uniform(-1, 1, parts[0]) if rng.random() < 0.5 else
                     0.5 * rng.normal(size=parts[0]))  # fmt: skip
    groups = [polar(angle - np.pi / 2, 1 + width)]
    if inside == 1 and rng.random() < 0.4:
        angle = rng.uniform(-span, span, parts[1])
        other = polar(angle + np.pi / 2, 1 + thick * rng.uniform(-1, 1, parts[1]))
        groups.append(other + np.array([rng.uniform(0.5, 1), rng.uniform(-0.2, 0.3)]))
        return labelled(groups)
    gap = rng.uniform(0.01, 0.3)
    for number, size in enumerate(parts[1:]):
        radius = (1 - thick - gap) * (rng.uniform(0.5, 0.95) if inside == 1 else 0.35)
        points = radius * (disk(rng, size) if rng.random() < 0.6 else 0.6 * cloud(rng, size))
        across = 0.0 if inside == 1 else 1.1 * (number - (inside - 1) / 2)
        lift = rng.uniform(-0.1, 0.6) if inside == 1 else 0.3
        groups.append(points + np.array([across * 0.7, lift * (1 - radius)]))
    X, labels = labelled(groups)
    return turned(rng, X), labels


def long_spirals(rng: Generator, n: int) -> Set:
    """Arms of one spiral that goes around up to three times, some with a disk in the middle."""
    k, turns = int(rng.integers(1, 5)), rng.uniform(0.8, 3.2)
    clear = rng.uniform(0.03, 0.16)
    groups = []
    for arm, size in enumerate(sizes(rng, k, n, str(rng.choice(["equal", "mild"])))):
        out = rng.uniform(0.12, 1, size)
        out = np.sqrt(out) if rng.random() < 0.6 else out
        points = polar(2 * np.pi * (out * turns + arm / k), out)
        groups.append(
            points + clear * rng.uniform(0.5, 1) / (k * turns) * rng.normal(size=(size, 2))
        )
    if k == 1 or rng.random() < 0.2:
        groups.append(disk(rng, max(10, n // 5)) * 0.3 / turns + rng.uniform(-1.6, 1.6, 2))
    return labelled(groups)


def maze(rng: Generator, n: int) -> Set:
    """Figures of squares on a grid that bend around each other."""
    side, k = int(rng.integers(4, 8)), int(rng.integers(2, 7))
    owner = np.zeros((side, side), dtype=np.int64)
    for group in range(1, k + 1):
        free = np.argwhere(owner == 0)
        place = free[rng.integers(len(free))]
        for _ in range(int(rng.integers(2, max(3, side * side // k)))):
            owner[tuple(place)] = group
            steps = place + np.array([[0, 1], [0, -1], [1, 0], [-1, 0]])
            steps = steps[((steps >= 0) & (steps < side)).all(axis=1)]
            steps = steps[[owner[tuple(step)] in (0, group) for step in steps]]
            if not len(steps):
                break
            place = steps[rng.integers(len(steps))]
    gap = rng.uniform(0.05, 0.35)
    cells = np.argwhere(owner > 0)
    each = max(6, n // len(cells))
    groups: list[Points] = []
    for group in np.unique(owner[owner > 0]):
        rate = 1.0 if rng.random() < 0.6 else rng.uniform(0.5, 2)
        own = np.argwhere(owner == group)
        many = max(12, int(rate * each * len(own)))
        points = own[rng.integers(len(own), size=2 * many)] + rng.uniform(0, 1, (2 * many, 2))
        near = owner[
            tuple(np.clip(np.floor(points + gap * rng.choice([-1, 1], points.shape)), 0,
                          side - 1).astype(int).T)
        ]  # fmt: skip
        points = points[(near == group) | (near == 0)]
        for other in groups:
            points = points[cKDTree(other).query(points)[0] > gap / 2]
        if len(points) >= 8:
            groups.append(points[:many])
    if len(groups) < 2:
        return _figures(rng, n)
    return labelled(groups)


def zigzags(rng: Generator, n: int) -> Set:
    """A line in zigzag with clouds beside it; its parts are right too where they differ."""
    bends, width = int(rng.integers(1, 5)), rng.uniform(0.01, 0.06)
    corners = np.column_stack([
        np.cumsum(rng.uniform(0.5, 1.2, bends + 2)), np.resize([0.0, rng.uniform(1, 2)], bends + 2)
    ])  # fmt: skip
    clouds = int(rng.integers(1, 4))
    parts = sizes(rng, clouds + 1, n, "mild")
    along = rng.uniform(0, bends + 0.999, parts[0])
    low = along.astype(int)
    line = corners[low] + (along - low)[:, None] * (corners[low + 1] - corners[low])
    groups = [line + width * rng.normal(size=line.shape)]
    for size in parts[1:]:
        points = cloud(rng, size) * rng.uniform(0.1, 0.35)
        for _ in range(60):
            centre = rng.uniform(corners.min(axis=0), corners.max(axis=0) + np.array([0, 0.3]))
            away = cKDTree(np.concatenate(groups)).query(points + centre)[0]
            if np.quantile(away, 0.03) > 0.08:
                break
        groups.append(points + centre)
    X, labels = labelled(groups)
    pieces = np.where(labels == 1, np.r_[low, np.zeros(len(X) - len(low), np.int64)] + 1,
                      labels + bends)  # fmt: skip
    truths = np.stack([labels, pieces])
    many = int(len(X) * rng.choice([0.0, rng.uniform(0.03, 0.15)]))
    spot = rng.uniform(X.min(axis=0), X.max(axis=0), (many, 2))
    return np.concatenate([X, spot]), np.column_stack([truths, np.zeros((2, many), np.int64)])


def figures(rng: Generator, n: int) -> Set:
    """Lines that meet at clouds: lines and clouds are groups, or all that hangs together is."""
    corners = rng.permutation(
        np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0.5, 0.5], [2, 0], [2, 1]], dtype=float)
    )[: int(rng.integers(3, 6))]
    links = [(i, j) for i in range(len(corners)) for j in range(i) if rng.random() < 0.7]
    groups = []
    parts = sizes(rng, len(corners) + len(links), n, "mild")
    for corner, size in zip(corners, parts, strict=False):
        groups.append(corner + rng.uniform(0.02, 0.07) * rng.normal(size=(size, 2)))
    for (i, j), size in zip(links, parts[len(corners) :], strict=True):
        share = rng.uniform(0.08, 0.92, (size, 1))
        line = corners[i] + share * (corners[j] - corners[i])
        groups.append(line + rng.uniform(0.005, 0.02) * rng.normal(size=line.shape))
    return labelled(groups)


def overlapping(rng: Generator, n: int) -> Set:
    """Many clouds in the plane that overlap, on a grid or anywhere, some much smaller."""
    k = int(rng.choice([3, 4, 5, 6, 8, 9, 10, 12, 15, 16, 20, 25, 31, 40, 50]))
    each = max(15, n // k)
    apart = rng.uniform(2.6, 5.5)
    side = int(np.ceil(np.sqrt(k)))
    match int(rng.integers(0, 3)):
        case 0:
            spots = np.argwhere(np.ones((side, side)))[:k] * apart
            middles = spots + rng.uniform(-0.15, 0.15, (k, 2)) * apart
        case 1:
            middles = rng.uniform(0, 0.8 * side * apart, (k, 2))
            for _ in range(60):  # push apart what is too close
                away = middles[:, None] - middles[None]
                length = np.linalg.norm(away, axis=2) + np.eye(k) * 1e9
                push = np.maximum(apart - length, 0) / length * 0.5
                middles = middles + (push[:, :, None] * away).sum(axis=1)
        case _:
            rings_of = int(rng.integers(1, 3))
            level = np.arange(k) % rings_of + 1
            around = 2 * np.pi * np.arange(k) / k
            middles = polar(around, level * apart * k / (2 * np.pi) / rings_of * 1.4)
    stretch, groups = rng.choice([0.0, 0.25]), []
    few = rng.random() < 0.2
    for number, middle in enumerate(middles):
        shape = np.linalg.qr(rng.normal(size=(2, 2)))[0] * np.exp(rng.normal(0, stretch, 2))
        size = each if not few or number % 3 == 0 else max(12, each // int(rng.integers(4, 15)))
        groups.append(middle + rng.normal(size=(size, 2)) @ shape.T)
    return labelled(groups)


def few_items(rng: Generator, n: int) -> Set:
    """Few items in two to five clouds, near each other, of unequal numbers, in few columns."""
    n = int(rng.integers(50, 260))
    k, d = int(rng.integers(2, 6)), int(rng.choice([2, 2, 2, 3, 4, 5]))
    apart, groups, middles = rng.uniform(2.2, 5.0), [], []
    for size in sizes(rng, k, n, str(rng.choice(["equal", "mild", "wild"]))):
        middle = apart * rng.normal(size=d)
        for _ in range(200):
            if all(np.linalg.norm(middle - other) > apart for other in middles):
                break
            middle = 1.2 * apart * rng.normal(size=d)
        middles.append(middle)
        shape = np.eye(d) + rng.choice([0.0, 0.4]) * rng.normal(size=(d, d))
        scale = np.exp(rng.normal(0, rng.choice([0.0, 0.5])))
        points = scale * (rng.normal(size=(size, d)) @ shape)
        if rng.random() < 0.2:
            points = scale * np.round(1.5 * rng.uniform(-1.7, 1.7, (size, d))) / 1.2
        groups.append(middle + points)
    return labelled(groups)


def beside(rng: Generator, n: int) -> Set:
    """Squares, triangles, diamonds or bars that touch or almost do, of one density or two."""
    k, gap = int(rng.integers(2, 5)), rng.uniform(-0.02, 0.25)
    angle, groups, right = rng.choice([0.0, np.pi / 4]), [], 0.0
    c, s = np.cos(angle), np.sin(angle)
    rates = rng.choice([0, 1]) * rng.normal(0, 0.6, k)
    slope = rng.choice([0.0, rng.uniform(0.5, 3)])
    for number, rate in enumerate(np.exp(rates)):
        size = max(15, int(rate * n / k))
        points = square(rng, 3 * size) if rng.random() < 0.75 else bar(rng, 3 * size)
        grow = (points[:, 0] + 1) / 2
        grow = grow if number % 2 else 1 - grow
        points = points[rng.random(3 * size) < grow**slope][:size] @ np.array([[c, -s], [s, c]])
        points = points + np.array([0, rng.choice([0.0, rng.uniform(-1, 1)])])
        groups.append(points + np.array([right - points[:, 0].min(), 0]))
        right = float(groups[-1][:, 0].max()) + gap
    X, labels = labelled(groups)
    return turned(rng, X), labels


def targets(rng: Generator, n: int) -> Set:
    """A ring around a cloud, and a few items far away: groups of their own, or noise."""
    inner, outer = sizes(rng, 2, n, "mild")
    groups = [rng.uniform(0.15, 0.55) * (disk(rng, inner) if rng.random() < 0.5 else
                                         cloud(rng, inner))]  # fmt: skip
    groups.append(ring(rng, outer, rng.uniform(0.01, 0.1)))
    few = int(rng.integers(0, 5))
    for corner in range(few):
        size = int(rng.integers(3, 12))
        spot = polar(np.array([np.pi / 4 + corner * np.pi / 2]), np.full(1, rng.uniform(1.6, 2.6)))
        groups.append(spot + rng.uniform(0.01, 0.12) * rng.normal(size=(size, 2)))
    X, labels = labelled(groups)
    return X, np.stack([labels, np.where(labels <= 2, labels, 0)]) if few else labels


def clouded(rng: Generator, n: int) -> Set:
    """Shapes of one density in much noise, with lines through them now and then."""
    k, groups = int(rng.integers(3, 9)), []
    gap = rng.uniform(0.12, 0.4)
    for size in sizes(rng, k, n, "mild"):
        points = turned(rng, some_shape(rng, size, 0.08)) * rng.uniform(0.6, 1.3)
        groups.append(placed(rng, points, groups, gap))
    X, labels = labelled(groups)
    low, high = X.min(axis=0), X.max(axis=0)
    many = int(len(X) * rng.uniform(0.05, 0.25))
    noise = rng.uniform(low, high, (many, 2))
    if rng.random() < 0.3:
        along = rng.uniform(0, 1, many // 3)
        height = low[1] + (high[1] - low[1]) * rng.uniform(0.2, 0.8)
        wave = height + 0.1 * (high[1] - low[1]) * np.sin(12 * along)
        noise[: many // 3] = np.column_stack([low[0] + along * (high[0] - low[0]), wave])
    return np.concatenate([X, noise]), np.r_[labels, np.zeros(many, dtype=np.int64)]


KINDS: dict[str, tuple[Callable[[Generator, int], Set], float]] = {
    "by hand": (by_hand, 0.16), "bowl": (bowl, 0.08), "long spirals": (long_spirals, 0.07),
    "maze": (maze, 0.08), "zigzags": (zigzags, 0.06), "figures": (figures, 0.03),
    "overlapping": (overlapping, 0.18), "few items": (few_items, 0.14), "beside": (beside, 0.08),
    "targets": (targets, 0.05), "clouded": (clouded, 0.07),
}  # fmt: skip
