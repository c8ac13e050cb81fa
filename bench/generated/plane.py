"""Kinds of generated sets in the plane: strokes, layers, cells, islands in a cloud, bridges …

Each function takes a stream of random numbers and a number of items, and returns the items with the
group of each, from 1; 0 for items that belong to none. Several rows of labels are several truths,
any of which is right.
"""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from scipy.spatial import cKDTree

from generated.shapes import (
    Points,
    Set,
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


def strokes(rng: Generator, n: int) -> Set:
    """Thin curved strands that wander, as handwriting and tracks do."""
    k, width = int(rng.integers(2, 8)), rng.uniform(0.005, 0.06)
    bend, gap = rng.uniform(0.02, 0.25), rng.uniform(0.1, 0.35)
    groups: list[Points] = []
    for size in sizes(rng, k, n):
        heading = rng.uniform(0, 2 * np.pi) + np.cumsum(bend * rng.normal(size=40))
        steps = np.column_stack([np.cos(heading), np.sin(heading)]) * rng.uniform(0.03, 0.09)
        path = np.cumsum(steps, axis=0)
        along = rng.uniform(0, 38.99, size)
        low = along.astype(int)
        share = (along - low)[:, None]
        points = path[low] * (1 - share) + path[low + 1] * share
        points = points - points.mean(axis=0) + width * rng.normal(size=(size, 2))
        groups.append(placed(rng, points, groups, gap))
    return labelled(groups)


def layers(rng: Generator, n: int) -> Set:
    """Bands above each other: straight, wavy or in zigzag."""
    k, width = int(rng.integers(2, 7)), rng.uniform(0.01, 0.12)
    waves, height = rng.uniform(0.5, 3), rng.choice([0.0, rng.uniform(0.2, 1.0)])
    sharp, shift = rng.random() < 0.4, rng.uniform(0, 1)
    distance = 4 * width + rng.uniform(0.1, 0.6)
    groups = []
    for number, size in enumerate(sizes(rng, k, n)):
        x = rng.uniform(-1, 1, size) * rng.uniform(1.0, 2.5)
        phase = x * waves + shift * number * (rng.random() < 0.3)
        wave = 2 * np.abs(phase % 1 * 2 - 1) - 1 if sharp else np.sin(2 * np.pi * phase)
        y = height * wave + number * distance + width * rng.normal(size=size)
        groups.append(np.column_stack([x, y]))
    X, labels = labelled(groups)
    return turned(rng, X), labels


def elongated(rng: Generator, n: int) -> Set:
    """Long thin clouds or strips, side by side or at random angles."""
    k, aspect, parallel = int(rng.integers(2, 7)), rng.uniform(4, 15), rng.random() < 0.6
    even, groups, gap = rng.random() < 0.4, [], rng.uniform(0.05, 0.4)
    for size in sizes(rng, k, n):
        along = rng.uniform(-1.7, 1.7, size) if even else rng.normal(size=size)
        across = rng.uniform(-1.7, 1.7, size) if even else rng.normal(size=size)
        points = np.column_stack([along, across / aspect])
        points = points if parallel else turned(rng, points)
        groups.append(placed(rng, points, groups, gap))
    X, labels = labelled(groups)
    return turned(rng, X), labels


def islands(rng: Generator, n: int) -> Set:
    """Dense shapes in a thin cloud, which is a group too."""
    k = int(rng.integers(1, 5))
    shares = sizes(rng, k + 1, n, "mild")
    thin = shares[0] + 20
    wide = rng.uniform(1.6, 3.0)
    match int(rng.integers(0, 3)):
        case 0:
            around = wide * disk(rng, thin)
        case 1:
            around = wide * square(rng, thin)
        case _:
            around = 0.6 * wide * rng.normal(size=(thin, 2))
    groups, centres = [around], []
    for size in shares[1:]:
        scale = rng.uniform(0.08, 0.4)
        shape = some_shape(rng, size, 0.05)
        centre = rng.uniform(-0.7, 0.7, 2) * wide
        for _ in range(50):
            if all(np.linalg.norm(centre - other) > 0.9 for other in centres):
                break
            centre = rng.uniform(-0.7, 0.7, 2) * wide
        centres.append(centre)
        groups.append(scale * (shape - shape.mean(axis=0)) + centre)
    if rng.random() < 0.6:  # the cloud leaves room for the shapes
        away = cKDTree(np.concatenate(groups[1:])).query(around)[0]
        groups[0] = around[away > rng.uniform(0.04, 0.15)]
    return labelled(groups)


def dartboard(rng: Generator, n: int) -> Set:
    """Many rings around one centre or two."""
    boards, groups = int(rng.choice([1, 1, 2])), []
    for board in range(boards):
        k, width = int(rng.integers(3, 8 // boards + 1)), rng.uniform(0.005, 0.06)
        level = rng.random() < 0.5
        radii = 0.25 + np.arange(k) * (6 * width + rng.uniform(0.12, 0.4))
        shares = np.ones(k) if level else radii
        for radius, share in zip(radii, shares / shares.sum(), strict=True):
            points = radius * ring(rng, max(20, int(share * n / boards)), width / radius)
            groups.append(points + np.array([board * (2.2 * radii[-1] + 0.5), 0]))
    return labelled(groups)


def cells(rng: Generator, n: int) -> Set:
    """An area cut by straight lines into cells of different density, with narrow gaps or none."""
    k, points = int(rng.integers(2, 8)), square(rng, 6 * n)
    group = np.zeros(len(points), dtype=np.int64)
    gap = rng.choice([0.0, rng.uniform(0.02, 0.12)])
    gone = np.zeros(len(points), dtype=bool)
    for new in range(1, k):
        largest = int(np.bincount(group[~gone]).argmax())
        own = (group == largest) & ~gone
        angle = rng.choice([0.0, np.pi / 2, rng.uniform(0, np.pi)])
        side = points[own] @ [np.cos(angle), np.sin(angle)]
        side = side - np.quantile(side, rng.uniform(0.3, 0.7))
        group[np.flatnonzero(own)[side > 0]] = new
        gone[np.flatnonzero(own)[np.abs(side) < gap / 2]] = True
    rates = np.exp(rng.uniform(-1.2, 1.2, k)) if gap else 6.0 ** (np.arange(k) % 3)
    keep = (rng.random(len(points)) < (rates / rates.max())[group]) & ~gone
    chosen = rng.permutation(np.flatnonzero(keep))[:n]
    _, group = np.unique(group[chosen], return_inverse=True)
    return points[chosen], group + 1


def bridged(rng: Generator, n: int) -> Set:
    """Shapes with thin chains of items between them."""
    k = int(rng.integers(2, 6))
    groups: list[Points] = []
    for size in sizes(rng, k, n):
        points = turned(rng, some_shape(rng, size, 0.08))
        groups.append(placed(rng, points, groups, rng.uniform(0.25, 0.8)))
    X, labels = labelled(groups)
    chains = []
    for number in range(int(rng.integers(1, k))):
        first, second = X[labels == number + 1], X[labels != number + 1]
        away, place = cKDTree(second).query(first)
        start, end = first[away.argmin()], second[place[away.argmin()]]
        share = rng.uniform(0, 1, (int(rng.integers(4, 16)), 1))
        chain = start + share * (end - start)
        chains.append(chain + 0.03 * rng.normal(size=chain.shape))
    chain = np.concatenate(chains)
    nearest = labels[cKDTree(X).query(chain)[1]]
    return np.concatenate([X, chain]), np.concatenate([labels, nearest])


def amoebas(rng: Generator, n: int) -> Set:
    """Groups of any outline: each a chain of clouds that overlap."""
    k, gap = int(rng.integers(2, 6)), rng.uniform(0.06, 0.5)
    groups: list[Points] = []
    for size in sizes(rng, k, n):
        parts, centre, pieces = int(rng.integers(2, 7)), np.zeros(2), []
        for _ in range(parts):
            even = rng.random() < 0.5
            piece = disk(rng, size // parts + 3) if even else cloud(rng, size // parts + 3)
            pieces.append(rng.uniform(0.2, 0.5) * piece + centre)
            centre = centre + polar(rng.uniform(0, 2 * np.pi, 1), np.full(1, 0.4))[0]
        groups.append(placed(rng, np.concatenate(pieces), groups, gap))
    return labelled(groups)


def unequal_clouds(rng: Generator, n: int) -> Set:
    """Round clouds of very different size, number of items, and tails."""
    k = int(rng.integers(2, 7))
    counts = np.exp(rng.uniform(np.log(12), np.log(max(30.0, n)), k))
    counts = np.maximum(8, counts / counts.sum() * n).astype(int)
    scale = np.exp(rng.uniform(-1.6, 0, k))
    tails, apart = rng.choice([2.5, 5.0, 50.0]), rng.uniform(2.6, 5)
    groups: list[Points] = []
    centres: list[Points] = []
    reach = 1.0
    for count, spread in zip(counts, scale, strict=True):
        centre = rng.normal(size=2) * reach
        while any(
            np.linalg.norm(centre - other) < apart * (spread + near)
            for other, near in zip(centres, scale, strict=False)
        ):
            reach *= 1.05
            centre = rng.normal(size=2) * reach
        centres.append(centre)
        groups.append(centre + spread * rng.standard_t(tails, (count, 2)))
    return labelled(groups)


def gradients(rng: Generator, n: int) -> Set:
    """Areas side by side whose density rises or falls across them."""
    k, gap, groups = int(rng.integers(2, 5)), rng.uniform(0.05, 0.5), []
    for number, size in enumerate(sizes(rng, k, n, "mild")):
        x, y = rng.beta(1, rng.uniform(1.2, 4), size), rng.beta(*rng.uniform(0.8, 2, 2), size)
        if rng.random() < 0.5:
            x = 1 - x
        shift = rng.uniform(-0.5, 0.5)
        groups.append(np.column_stack([x + number * (1 + gap), y + shift]))
    X, labels = labelled(groups)
    return turned(rng, X), labels


def with_small_groups(rng: Generator, n: int) -> Set:
    """A few shapes and some far groups of a few items, which count as groups or as noise."""
    k = int(rng.integers(1, 4))
    groups: list[Points] = []
    for size in sizes(rng, k, n, "mild"):
        points = some_shape(rng, size, 0.05)
        groups.append(placed(rng, points, groups, rng.uniform(0.3, 0.8)))
    few = int(rng.integers(1, 5))
    for angle in rng.uniform(0, 2 * np.pi) + np.arange(few) * 2 * np.pi / few:
        size = int(rng.integers(3, 16))
        centre = polar(np.array([angle]), np.full(1, rng.uniform(3, 5)))
        groups.append(centre + 0.1 * rng.normal(size=(size, 2)))
    X, labels = labelled(groups)
    return X, np.stack([labels, np.where(labels <= k, labels, 0)]) if k > 1 else labels


def families_of_blobs(rng: Generator, n: int) -> Set:
    """Blobs in groups of blobs: both levels are right."""
    k, within = int(rng.integers(2, 5)), rng.uniform(3.0, 5.0)
    groups, above = [], []
    centres: list[Points] = []
    for number, size in enumerate(sizes(rng, k, n, "mild"), start=1):
        parts = int(rng.integers(2, 5))
        far = rng.uniform(2.2, 4.0) * within * 1.5
        centre = rng.normal(size=2) * far
        while any(np.linalg.norm(centre - other) < far for other in centres):
            centre = rng.normal(size=2) * far * 1.6
        centres.append(centre)
        angles = rng.uniform(0, 2 * np.pi) + np.arange(parts) * 2 * np.pi / parts
        radius = within / 2 / np.sin(np.pi / max(parts, 2))
        for angle in angles:
            each = max(10, size // parts)
            inner = polar(np.array([angle]), np.full(1, radius))
            groups.append(centre + inner + rng.normal(size=(each, 2)))
            above += [number] * each
    X, labels = labelled(groups)
    return X, np.stack([labels, np.array(above)])
