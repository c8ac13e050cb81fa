"""Kinds of generated sets that look like tables people have: columns that overlap, skew, repeat."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from generated.shapes import Points, Set, labelled, sizes


def _classes(rng: Generator, most: int = 10) -> int:
    numbers = np.arange(2, most + 1)
    chances = 1.0 / numbers
    return int(rng.choice(numbers, p=chances / chances.sum()))


def _as_measured(rng: Generator, X: Points) -> Points:
    """Columns as they are measured: some skewed, rounded, cut off at a level, mostly zero."""
    X = X / np.maximum(X.std(axis=0), 1e-12)
    for column in X.T:
        chance = rng.random()
        if chance < 0.15:
            column[:] = np.exp(rng.uniform(0.4, 0.9) * column)
        elif chance < 0.25:
            column[:] = np.round(rng.uniform(1, 3) * column)
        elif chance < 0.30:
            column[:] = np.maximum(column, np.quantile(column, rng.uniform(0.2, 0.7)))
        elif chance < 0.35:
            column[:] = column > np.quantile(column, rng.uniform(0.3, 0.95))
        elif chance < 0.40:
            column[:] = np.tanh(1.5 * column)
    return X


def factors(rng: Generator, n: int) -> Set:
    """Groups in a few hidden numbers, each seen through several columns that go with it."""
    hidden, k = int(rng.integers(2, 6)), _classes(rng)
    d = int(hidden * rng.integers(1, 7)) + int(rng.integers(0, 4))
    apart = rng.uniform(1.0, 4.0)
    groups = []
    for size in sizes(rng, k, n):
        spread = np.exp(rng.normal(0, 0.3, hidden))
        groups.append(apart * rng.normal(size=hidden) + spread * rng.normal(size=(size, hidden)))
    Z, labels = labelled(groups)
    loads = rng.normal(size=(hidden, d)) * (rng.random((hidden, d)) < 0.6)
    X = Z @ loads + rng.uniform(0.1, 1.0) * rng.normal(size=(len(Z), d))
    return _as_measured(rng, X), labels


def classes_of_parts(rng: Generator, n: int) -> Set:
    """Classes that consist of several clouds each; classes and clouds are both right."""
    k, d, apart = _classes(rng, 6), int(rng.choice([3, 4, 6, 8, 12])), rng.uniform(1.5, 4.0)
    groups, classes = [], []
    for number, size in enumerate(sizes(rng, k, n, "mild"), start=1):
        centre, parts = apart * rng.normal(size=d), int(rng.choice([1, 1, 2, 3]))
        for _ in range(parts):
            each = max(8, size // parts)
            shape = np.eye(d) + 0.3 * rng.normal(size=(d, d))
            middle = centre + 0.5 * apart * rng.normal(size=d)
            groups.append(middle + rng.normal(size=(each, d)) @ shape)
            classes += [number] * each
    X, labels = labelled(groups)
    return _as_measured(rng, X), np.stack([np.array(classes), labels])


def tight_and_wide(rng: Generator, n: int) -> Set:
    """One or two tight groups, and one that is scattered around or beside them."""
    d, tight = int(rng.choice([2, 4, 8, 15, 30])), int(rng.choice([1, 1, 2]))
    groups = []
    for size in sizes(rng, tight, int(n * rng.uniform(0.4, 0.8))):
        scale = rng.uniform(0.15, 0.6)
        groups.append(rng.normal(size=d) * 0.8 + scale * rng.normal(size=(size, d)))
    rest = max(20, n - sum(len(points) for points in groups))
    shift = rng.uniform(0, 1.5) * rng.normal(size=d)
    wide = shift + rng.standard_t(rng.choice([3, 8, 50]), (rest, d))
    return _as_measured(rng, np.concatenate([*groups, wide])), labelled([*groups, wide])[1]


def manifolds(rng: Generator, n: int) -> Set:
    """Each group a curved sheet in many columns, as pictures of one thing are."""
    k, d, freedom = _classes(rng), int(rng.choice([5, 8, 12, 16, 24])), int(rng.integers(1, 4))
    apart, noise, groups = rng.uniform(0.3, 1.2), rng.uniform(0.02, 0.25), []
    for size in sizes(rng, k, n, "mild"):
        where = rng.uniform(-1, 1, (size, freedom))
        waves = rng.normal(size=(freedom, d)) * rng.uniform(0.6, 1.8)
        sheet = np.sin(where @ waves + rng.uniform(0, 2 * np.pi, d))
        groups.append(sheet + apart * rng.normal(size=d) + noise * rng.normal(size=sheet.shape))
    return labelled(groups)


def counts(rng: Generator, n: int) -> Set:
    """Small whole numbers: counts, marks, answers on a scale."""
    k, d, apart = _classes(rng, 6), int(rng.integers(3, 16)), rng.uniform(0.6, 2.0)
    groups = []
    for size in sizes(rng, k, n):
        level = np.exp(rng.normal(1.0, 0.4, d) + 0.4 * apart * rng.normal(size=d))
        groups.append(rng.poisson(level, (size, d)).astype(np.float64))
    X, labels = labelled(groups)
    if rng.random() < 0.4:
        X = np.minimum(X, rng.integers(3, 8))
    return np.sqrt(X) if rng.random() < 0.3 else X, labels


def corners(rng: Generator, n: int) -> Set:
    """Clouds at corners of a cube of 3 to 6 dimensions, all or some of them."""
    d = int(rng.integers(3, 7))
    corner = np.array(np.meshgrid(*[[0.0, 1.0]] * d)).reshape(d, -1).T
    k = min(len(corner), int(rng.integers(3, 17)))
    chosen = rng.permutation(corner)[:k] * rng.uniform(2.8, 7)
    even = rng.random() < 0.3
    groups = []
    for centre, size in zip(chosen, sizes(rng, k, max(n, 20 * k)), strict=True):
        spread = rng.uniform(-1.7, 1.7, (size, d)) if even else rng.normal(size=(size, d))
        groups.append(centre + spread)
    return labelled(groups)


def solids_in_space(rng: Generator, n: int) -> Set:
    """Parallel sheets, twisted strands, or shells, in three dimensions."""
    k, noise, groups = int(rng.integers(2, 5)), rng.uniform(0.01, 0.08), []
    kind = int(rng.integers(0, 3))
    gap = rng.uniform(0.3, 0.8)
    for number, size in enumerate(sizes(rng, k, n, "mild")):
        t, u = rng.uniform(0, 1, size), rng.uniform(-1, 1, size)
        match kind:
            case 0:
                bend = 0.3 * np.sin(3 * t) if gap > 0.5 else 0 * t
                points = np.column_stack([2 * t, u, bend + number * gap])
            case 1:
                turn = 2 * np.pi * (1.5 * t + number / k)
                points = np.column_stack([np.cos(turn), np.sin(turn), 3 * t])
            case _:
                away = rng.normal(size=(size, 3))
                points = away / np.linalg.norm(away, axis=1, keepdims=True)
                points = points * (0.3 + number * (gap + 4 * noise))
        groups.append(points + noise * rng.normal(size=points.shape))
    return labelled(groups)
