"""Autoencoder: coordinates from which a small network can restore the columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core import (
    Context,
    Cost,
    Curve,
    Dataset,
    Embedder,
    Embedding,
    Field,
    Figure,
    Model,
    Output,
)  # fmt: skip

RATE, DECAY, SQUARE_DECAY = 0.01, 0.9, 0.999  # of Adam


class Autoencoder(Embedder):
    """Coordinates found by a network that is taught to restore each item from a few numbers."""

    id, title = "autoencoder", "Autoencoder"
    reference = "Hinton, Salakhutdinov (2006). Reducing the dimensionality of data. Science 313."
    needs = ("dataset",)
    curves = (Curve("loss", "loss", "Mean squared error of what is restored; falls.", log=True),)

    class Params(Embedder.Params):
        """The shape of the network, and how long it learns."""

        components: int = Field(2, ge=1, le=32, description="Number of coordinates.")
        hidden: int = Field(16, ge=1, le=512, description="Units between columns and coordinates.")
        epochs: int = Field(150, ge=1, description="How often all items are looked at.")

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the coordinates, and the network as a model for new items."""
        context.check()
        X, mean, scale = _scaled(data.dense_features())
        d, rng = X.shape[1], context.rng
        sizes = [(d, params.hidden), (params.hidden, params.components),
                 (params.components, params.hidden), (params.hidden, d)]  # fmt: skip
        W = [rng.normal(size=size) / np.sqrt(size[0]) for size in sizes]
        first, second = [np.zeros_like(w) for w in W], [np.zeros_like(w) for w in W]
        for epoch in range(1, params.epochs + 1):
            context.progress(epoch, params.epochs, "learning")
            hidden = np.tanh(X @ W[0])
            code = hidden @ W[1]
            opened = np.tanh(code @ W[2])
            error = opened @ W[3] - X
            back = 2 * error / X.size
            to_opened = (back @ W[3].T) * (1 - opened**2)
            to_code = to_opened @ W[2].T
            to_hidden = (to_code @ W[1].T) * (1 - hidden**2)
            slopes = [X.T @ to_hidden, hidden.T @ to_code, code.T @ to_opened, opened.T @ back]
            for j, slope in enumerate(slopes):
                first[j] = DECAY * first[j] + (1 - DECAY) * slope
                second[j] = SQUARE_DECAY * second[j] + (1 - SQUARE_DECAY) * slope**2
                step = first[j] / (1 - DECAY**epoch)
                W[j] = W[j] - RATE * step / (np.sqrt(second[j] / (1 - SQUARE_DECAY**epoch)) + 1e-8)
            squares = (error**2).mean(axis=0)
            context.frame(
                epoch,
                loss=float(squares.mean()),
                coordinates=code,
                figure=_errors(squares, data.columns),
            )
        model = Model(arrays={"mean": mean, "scale": scale, "inward": W[0], "code": W[1]})
        return Output(Embedding(coordinates=_encoded(X, model)), {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Embedding:
        """Return the coordinates of other items."""
        context.check()
        X = np.clip(
            (data.dense_features() / 2 - model.arrays["mean"] / 2) / model.arrays["scale"],
            -1e6,
            1e6,
        )
        return Embedding(coordinates=_encoded(X, model))

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """Some layers for all items."""
        n, d, h = data.n, max(1, data.d), params.hidden
        return Cost(bytes=8 * n * (6 * d + 8 * h), seconds=4e-9 * params.epochs * n * h * (d + 4))


def _scaled(X: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Columns around 0; halved first, as the span of numbers near the largest is infinite."""
    largest = np.abs(X).max(axis=0, initial=np.finfo(float).tiny)
    mean = (X / largest).mean(axis=0) * largest
    half = X / 2 - mean / 2
    scale = np.abs(half).max(axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    return half / scale, mean, scale


def _encoded(X: np.ndarray, model: Model) -> Any:
    return np.tanh(X @ model.arrays["inward"]) @ model.arrays["code"]


def _errors(squares: np.ndarray, columns: tuple[str, ...]) -> Figure:
    return Figure(
        form="bars", values=squares, rows=columns, axes=("mean squared error", "column"),
        title="What is not restored yet",
    )  # fmt: skip
