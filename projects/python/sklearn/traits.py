"""What the catalogue does not say of built-in methods, and scikit-learn's tags want to know."""

from __future__ import annotations

from typing import Any

_NAN = {"_takes_nan": True}
_POSITIVE = {"_positive": True}
_PROBABLE = {"_probable": True}
TRAITS: dict[str, dict[str, Any]] = {
    "classifier/kernel-bayes": _PROBABLE,
    "classifier/nearest-bayes": _PROBABLE,
    "clusterer/k-prototypes": _NAN,
    "clusterer/mixed-mixture": _NAN,
    "embedder/famd": _NAN,
    "kernel/gower": _NAN,
    "kernel/histogram-intersection": _POSITIVE,
    "kernel/spatial-pyramid": _POSITIVE,
    "transform/encode": _NAN,
    "transform/famd": _NAN,
    "transform/impute": _NAN,
    "transform/tf-idf": _POSITIVE,
    "transform/unit-sum": _POSITIVE,
}
# Kernels of texts rather than of tables.
TEXTS = ("kernel/bag-of-words", "kernel/spectrum")
