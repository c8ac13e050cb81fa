"""Parameters that all game-theoretic methods share, declared once; each method has its defaults."""

from __future__ import annotations

from typing import Any

from coterie.core.api.parameters import Field


def tolerance(default: float = 1e-8) -> Any:
    """When an equilibrium is reached."""
    return Field(
        default,
        gt=0,
        lt=1,
        description="An equilibrium is reached when no item would gain more than this share of the "
        "average payoff (Nash gap relative to xᵀAx).",
        json_schema_extra={"slider": [1e-12, 1e-2], "log": True, "advanced": True},
    )


def max_iterations(default: int) -> Any:
    """When the search for one set is given up."""
    return Field(
        default,
        ge=1,
        description="Maximum number of iterations for each set; the result reports when it was "
        "reached.",
        json_schema_extra={"advanced": True},
    )


def support(default: float = 1e-5) -> Any:
    """Which shares make a member."""
    return Field(
        default,
        ge=0,
        lt=1,
        description="An item is a member when its share exceeds this × the largest share.",
        json_schema_extra={"slider": [1e-9, 1e-1], "log": True, "advanced": True},
    )


def min_size(default: int) -> Any:
    """Which sets are too small."""
    return Field(
        default,
        ge=1,
        description="Sets with fewer members are left as clutter.",
        json_schema_extra={"unit": "items", "advanced": True},
    )


def selection() -> Any:
    """What infects the population."""
    return Field(
        "best-reply",
        description="What infects the population: a mixture of all better strategies or, as "
        "published, the strongest single item or the population without its weakest.",
        json_schema_extra={"advanced": True, "only_if": {"dynamics": ["infection-immunisation"]}},
    )


def stop() -> Any:
    """What ends the search for a set."""
    return Field(
        "gap",
        description="When a set is found: when no item would gain more than the tolerance, or "
        "when a step moves all shares together by at most the tolerance, ‖Δx‖.",
        json_schema_extra={"advanced": True},
    )


def rest_sigma() -> Any:
    """The width of a second similarity, along which the labels of groups spread to the rest."""
    return Field(
        "auto",
        description="Width σ of a second Gaussian similarity for the transduction; 0: the given "
        "similarities; auto: from the 7th neighbours, where all pairs of items with features are "
        "compared.",
        json_schema_extra={
            "slider": [1e-3, 1.0],
            "log": True,
            "unit": "feature units",
            "only_if": {"rest": ["transduction"]},
        },
    )


def rest_euler() -> Any:
    """Whether that similarity is an Euler-Gaussian."""
    return Field(
        0.0,
        ge=0,
        description="Winding α of an Euler-Gaussian as second similarity, for features from 0 to "
        "1; 0: a plain Gaussian.",
        json_schema_extra={
            "slider": [0.0, 2.0],
            "advanced": True,
            "only_if": {"rest": ["transduction"]},
        },
    )


def rest_normalise() -> Any:
    """Whether degrees are divided out of it."""
    return Field(
        False,
        description="Divide each similarity of the transduction by the square root of both "
        "degrees, so well-connected items count less.",
        json_schema_extra={"advanced": True, "only_if": {"rest": ["transduction"]}},
    )
