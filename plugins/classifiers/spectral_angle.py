"""Spectral angle: the group whose spectra point the same way, however bright an item is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from coterie.core import Array, Context, DataError, Field, Floats, Model
from coterie.core.numerics.partitions.trained_classifier import TrainedClassifier, TrainingSet

BLOCK = 4096  # items compared with all references at a time


class SpectralAngle(TrainedClassifier):
    """Give an item to the group with the spectrum of the smallest angle to its own.

    The angle does not change when all features are multiplied by one number, as by a shadow. It is
    meant for features that are brightness, not for standardised ones. Shares are weights by the
    inverse of the angles.
    """

    id, title = "spectral-angle", "Spectral angle"
    reference = "Kruse and others (1993). The spectral image processing system. RSE 44."

    class Params(TrainedClassifier.Params):
        """What spectra are compared with, and how large an angle may be."""

        compare: Literal["items", "means"] = Field(
            "items",
            description="Compare with every labelled spectrum and use the nearest, or with the "
            "mean of each group.",
        )
        max_angle: float = Field(
            0.0,
            ge=0,
            le=3.1415926535897932,
            description="Items with a larger angle to every group stay unassigned; 0: no limit.",
            json_schema_extra={"unit": "radians"},
        )

    def learn(
        self, lesson: TrainingSet, params: Params, context: Context
    ) -> tuple[Mapping[str, Array], Mapping[str, Any]]:
        """Return the directions to compare with, and the group of each."""
        context.check()
        spectra, groups = lesson.X, lesson.y
        if params.compare == "means":
            spectra = np.zeros((lesson.k, lesson.X.shape[1]))
            np.add.at(spectra, lesson.y, lesson.X)
            groups = np.arange(lesson.k)
        lengths = np.linalg.norm(spectra, axis=1)
        pointing = lengths > 0
        if set(groups[pointing].tolist()) != set(lesson.y.tolist()):
            raise DataError(
                "The spectra of a group are 0 in all features, so they have no direction. Use "
                "features that measure brightness.",
                code="values-out-of-range",
            )
        arrays = {
            "directions": spectra[pointing] / lengths[pointing, None],
            "groups": groups[pointing],
        }
        return arrays, {"max_angle": params.max_angle}

    def shares(self, model: Model, X: Floats) -> Floats:
        """Return weights by the inverse of the angles."""
        directions, groups = (np.asarray(model.arrays[name]) for name in ("directions", "groups"))
        k = int(model.settings["k"])
        lengths = np.linalg.norm(X, axis=1)
        unit = X / np.where(lengths > 0, lengths, 1)[:, None]
        angles = np.full((len(X), k), np.inf)
        for start in range(0, len(X), BLOCK):
            some = slice(start, start + BLOCK)
            # By the chord, which is exact for small angles where the cosine is not.
            chords = np.sqrt(np.maximum(2 - 2 * unit[some] @ directions.T, 0))
            found = 2 * np.arcsin(np.minimum(chords / 2, 1))
            for group in range(k):
                mine = groups == group
                if mine.any():
                    angles[some, group] = found[:, mine].min(axis=1)
        weights: Floats = 1 / (angles + 1e-12)
        limit = float(model.settings.get("max_angle", 0.0))
        outside = lengths == 0
        if limit:
            outside |= angles.min(axis=1) > limit
        weights[outside] = 0
        total = weights.sum(axis=1, keepdims=True)
        weights /= np.where(total > 0, total, 1)
        return weights
