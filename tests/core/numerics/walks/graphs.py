"""Graphs to walk on."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array

from coterie.core import Affinity

FORMS = ("dense", "sparse", "factor")


def graph(n: int, form: str, *, seed: int = 0) -> Affinity:
    """A connected graph of n vertices; symmetric when factored, else directed."""
    rng = np.random.default_rng(seed)
    if form == "factor":
        return Affinity(factor=rng.random((n, 3)))
    A = rng.random((n, n)) * (rng.random((n, n)) < 0.3)
    A[np.arange(n), (np.arange(n) + 1) % n] = 1.0  # a ring: every vertex reaches every other
    given: dict[str, Any] = {"values": A} if form == "dense" else {"sparse": csr_array(A)}
    return Affinity(**given, symmetric=False)
