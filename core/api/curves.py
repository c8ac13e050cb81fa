"""How a component describes the values that it shows at each iteration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from coterie.core.errors import PluginError

MOST_CURVES = 64  # of one run; a value in a loop's name would make one for each iteration
RESERVED = ("iteration", "phase", "shares", "labels", "coordinates", "items", "glimpse")
_FIRST_NAMES = ("objective", "residual", "support")


@dataclass(frozen=True)
class Curve:
    """A number that a method shows at each iteration, drawn as a curve.

    Attributes
    ----------
    name : its keyword in `context.frame(iteration, name=value)`
    title : a few words beside its axis; empty for a value that is recorded and not drawn
    description : one sentence: what it measures, and how it should behave
    unit : written behind the title; empty for none
    log : whether its axis is logarithmic

    Examples
    --------
    >>> Curve("stress", "stress", "How far distances are from those asked for; falls.").log
    False
    """

    name: str
    title: str
    description: str = ""
    unit: str = ""
    log: bool = False

    @property
    def label(self) -> str:
        """The title with its unit."""
        return f"{self.title} [{self.unit}]" if self.unit else self.title

    def as_json(self) -> dict[str, Any]:
        """Return it as plain JSON."""
        # Not `asdict`, which copies each text: at every start there are hundreds.
        return {part.name: getattr(self, part.name) for part in fields(self)}


def curves_of(declared: Any) -> tuple[Curve, ...]:
    """Return the curves of a component, or say what is wrong with its `curves`.

    Three texts are the titles of objective, residual and support, as in version 0.1.

    >>> [curve.name for curve in curves_of(("log-likelihood", "change", ""))]
    ['objective', 'residual', 'support']
    """
    if not isinstance(declared, tuple):
        raise PluginError(
            f"Its curves must be a tuple. Got {declared!r:.80}.", code="invalid-plugin"
        )
    if [type(one) for one in declared] == [str, str, str]:
        pairs = zip(_FIRST_NAMES, declared, strict=True)
        return tuple(Curve(name, title, log=name == "residual") for name, title in pairs)
    if not all(isinstance(one, Curve) for one in declared):
        raise PluginError(
            "Its curves must be Curve objects, or three titles for objective, residual and "
            f"support. Got {declared!r:.80}.",
            code="invalid-plugin",
        )
    _check(declared)
    return declared


def curves_from_json(values: Iterable[Mapping[str, Any]]) -> tuple[Curve, ...]:
    """Return the curves that `Curve.as_json` described."""
    return tuple(Curve(**value) for value in values)


def _check(curves: tuple[Curve, ...]) -> None:
    names = [curve.name for curve in curves]
    for curve in curves:
        texts = (curve.name, curve.title, curve.description, curve.unit)
        if not all(isinstance(text, str) for text in texts) or type(curve.log) is not bool:
            raise PluginError(
                f"The texts of a curve must be texts, its log a bool. Got {curve}.",
                code="invalid-plugin",
            )
        if not curve.name.isidentifier() or curve.name in RESERVED:
            raise PluginError(
                f"A curve is named by a keyword of context.frame. Got {curve.name!r:.80}.",
                code="invalid-plugin",
            )
    if len(set(names)) < len(names) or len(names) > MOST_CURVES:
        raise PluginError(
            f"Its curves must have different names, at most {MOST_CURVES}. Got {names!r:.120}.",
            code="invalid-plugin",
        )
