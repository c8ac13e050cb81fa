"""Data sets with known groups, generated from a seed: what the judgement of groups is learned on.

Shapes in the plane, blobs, rings in rings, spirals, touching and unequal groups, tables that look
like measurements, background noise, and sets without any groups. They share nothing with the public
sets that quality is reported on.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.random import Generator

from generated import drawn, plane, tables
from generated.shapes import (
    SHAPES,
    Labels,
    Points,
    Set,
    centres,
    disk,
    labelled,
    on_sphere,
    placed,
    polar,
    ring,
    sizes,
    turned,
)

MOST_ITEMS = 1100
DRAWN_FROM = 1000  # seeds from which sets are as people draw them
SOME_MORE = 0.04  # share of sets with up to 2,500 items


def generated(seed: int) -> tuple[str, Points, Labels]:
    """Return the kind, the items, and rows of truths: groups from 1, 0 for background noise."""
    rng = np.random.default_rng(seed)
    kinds = KINDS if seed < DRAWN_FROM else drawn.KINDS
    names, weights = list(kinds), np.array([weight for _, weight in kinds.values()])
    kind = names[rng.choice(len(names), p=weights / weights.sum())]
    n = int(90 * (1500 / 90) ** (rng.random() ** 1.5))
    most = MOST_ITEMS
    if rng.random() < SOME_MORE:
        n, most = int(rng.integers(1500, 2500)), 2500
    X, labels = kinds[kind][0](rng, n)
    order = rng.permutation(len(X))[:most]
    # Columns have units of their own, now and then.
    units = np.exp(rng.normal(0, rng.choice([0.0, 0.3, 0.6]), X.shape[1]))
    return kind, X[order] * units, np.atleast_2d(labels)[:, order]


# Kinds of sets


def shapes(rng: Generator, n: int) -> Set:
    """Different shapes in the plane that keep a distance from each other."""
    k = int(rng.choice([2, 3, 4, 5, 6, 7], p=[0.2, 0.25, 0.2, 0.15, 0.1, 0.1]))
    gap, width = rng.uniform(0.08, 0.55), rng.uniform(0.01, 0.12)
    groups: list[Points] = []
    for size in sizes(rng, k, n):
        shape = SHAPES[rng.integers(len(SHAPES))]
        points = turned(rng, shape(rng, size, width)) * rng.uniform(0.5, 1.6)
        groups.append(placed(rng, points, groups, gap))
    return labelled(groups)


def blobs(rng: Generator, n: int, d: int = 0, k: int = 0, apart: float = 0.0) -> Set:
    """Gaussian groups around centres that are at least `apart` from each other."""
    d = d or int(rng.choice([2, 2, 2, 3, 4, 5, 8, 10]))
    numbers = [2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30]
    chances = [0.12, 0.14, 0.12, 0.1, 0.1, 0.08, 0.08, 0.06, 0.07, 0.06, 0.04, 0.03]
    k = k or int(rng.choice(numbers, p=chances))
    apart = apart or rng.uniform(3.0, 9.0)
    middles = centres(rng, k, d, apart)
    stretched, scaled = rng.random() < 0.5, rng.random() < 0.3
    groups = []
    for centre, size in zip(middles, sizes(rng, k, max(n, 25 * k)), strict=True):
        shape = np.eye(d)
        if stretched:
            shape = np.linalg.qr(rng.normal(size=(d, d)))[0] * np.exp(rng.normal(0, 0.4, d))
        scale = np.exp(rng.normal(0, 0.35)) if scaled else 1.0
        groups.append(centre + scale * (rng.normal(size=(size, d)) @ shape.T))
    return labelled(groups)


def nested(rng: Generator, n: int) -> Set:
    """Rings around each other, some around a disk."""
    k, width, filled = int(rng.integers(2, 5)), rng.uniform(0.02, 0.1), rng.random() < 0.5
    radius, groups = (0.0 if filled else 1.0), []
    for number, size in enumerate(sizes(rng, k, n, "mild")):
        if number == 0 and filled:
            groups.append(0.5 * disk(rng, size))
            radius = 0.5
        else:
            groups.append(radius * ring(rng, size, width / max(radius, 0.3)))
        radius += 4 * width + rng.uniform(0.25, 0.8)
    return labelled(groups)


def spirals(rng: Generator, n: int) -> Set:
    """Two or three arms of one spiral."""
    k, turns, width = int(rng.integers(2, 4)), rng.uniform(0.7, 1.6), rng.uniform(0.01, 0.05)
    groups = []
    for arm in range(k):
        out = np.sqrt(rng.uniform(0.04, 1, n // k))
        points = polar(2 * np.pi * (out * turns + arm / k), out)
        groups.append(points + 0.6 * width * rng.normal(size=points.shape))
    return labelled(groups)


def moons(rng: Generator, n: int) -> Set:
    """Two half-rings that reach into each other."""
    first, second = rng.uniform(0, np.pi, n // 2), rng.uniform(0, np.pi, n - n // 2)
    width = rng.uniform(0.03, 0.14)
    upper, lower = polar(first, np.ones(n // 2)), polar(second, np.ones(n - n // 2))
    groups = [upper, [1, 0.5] - lower]
    return labelled([points + width * rng.normal(size=points.shape) for points in groups])


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
        even = rng.random() < 0.5
        points = disk(rng, size) if even else 0.5 * rng.normal(size=(size, 2))
        groups.append(points * scale + centre)
    X, labels = labelled(groups)
    return turned(rng, X), labels


def solids(rng: Generator, n: int) -> Set:
    """A ball in a shell, linked rings, blobs in space, or shapes with further columns."""
    half = n // 2
    match int(rng.integers(0, 4)):
        case 0:
            ball = on_sphere(rng, half) * rng.uniform(0, 1, (half, 1)) ** (1 / 3)
            shell = on_sphere(rng, n - half) * (1 + 0.05 * rng.normal(size=(n - half, 1)))
            return labelled([ball * rng.uniform(0.2, 0.5), shell])
        case 1:
            first, second = ring(rng, half, 0.06), ring(rng, n - half, 0.06)
            thin = 0.06 * rng.normal(size=n)
            return labelled([
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
    for size in sizes(rng, k, int(0.6 * n) + 60):
        shape = 0.35 * rng.normal(size=(telling, telling)) + np.eye(telling)
        spread = np.exp(rng.normal(0, 0.25, telling))
        points = rng.normal(size=(size, telling)) @ shape.T * spread
        groups.append(points + apart * rng.normal(size=telling))
    X, labels = labelled(groups)
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
        shapes, lambda r, m: blobs(r, m, d=2), nested, moons, plane.strokes, plane.amoebas,
        plane.elongated, plane.layers,
    ]  # fmt: skip
    X, labels = kinds[rng.integers(8)](rng, n)
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
    return labelled(groups)


def composed(rng: Generator, n: int) -> Set:
    """Two sets of different kinds beside each other."""
    kinds: list[Callable[[Generator, int], Set]] = [
        shapes, nested, moons, spirals, unequal, plane.strokes, plane.islands, plane.amoebas,
        plane.dartboard, plane.elongated, plane.unequal_clouds, lambda r, m: blobs(r, m, d=2),
    ]  # fmt: skip
    parts, above, right = [], 0, 0.0
    for which in rng.permutation(len(kinds))[:2]:
        X, labels = kinds[which](rng, n // 2)
        X = X - X.mean(axis=0)
        X = X / np.abs(X).max() * rng.uniform(0.7, 1.4)
        parts.append((X + np.array([right - X[:, 0].min(), 0]), labels + above))
        right = float(parts[-1][0][:, 0].max()) + rng.uniform(0.1, 0.5)
        above = above + int(labels.max())
    X = np.concatenate([points for points, _ in parts])
    return turned(rng, X), np.concatenate([labels for _, labels in parts])


KINDS: dict[str, tuple[Callable[[Generator, int], Set], float]] = {
    "shapes": (shapes, 0.10), "blobs": (blobs, 0.11), "noisy": (noisy, 0.09),
    "touching": (touching, 0.06), "solids": (solids, 0.03), "measurements": (measurements, 0.05),
    "one group": (one_group, 0.07), "nested": (nested, 0.025), "spirals": (spirals, 0.03),
    "moons": (moons, 0.02), "unequal": (unequal, 0.03), "grid": (grid, 0.03),
    "composed": (composed, 0.06),
    "strokes": (plane.strokes, 0.04), "layers": (plane.layers, 0.03),
    "elongated": (plane.elongated, 0.03), "islands": (plane.islands, 0.03),
    "dartboard": (plane.dartboard, 0.02), "cells": (plane.cells, 0.03),
    "bridged": (plane.bridged, 0.03), "amoebas": (plane.amoebas, 0.03),
    "unequal clouds": (plane.unequal_clouds, 0.04), "gradients": (plane.gradients, 0.02),
    "small groups": (plane.with_small_groups, 0.02),
    "families of blobs": (plane.families_of_blobs, 0.025),
    "factors": (tables.factors, 0.06), "classes of parts": (tables.classes_of_parts, 0.03),
    "tight and wide": (tables.tight_and_wide, 0.02), "manifolds": (tables.manifolds, 0.03),
    "counts": (tables.counts, 0.02), "corners": (tables.corners, 0.02),
    "solids in space": (tables.solids_in_space, 0.02),
}  # fmt: skip
