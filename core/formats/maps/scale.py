"""The length of a scale bar."""

from __future__ import annotations

from math import floor, isfinite, log10


def scale_for(pixels: float, metres: float, longest: float = 140.0) -> tuple[float, str]:
    """Return the length of a scale bar on the screen or page, and what it stands for.

    Parameters
    ----------
    pixels : of the ground for each unit of the screen
    metres : side of a pixel of the ground, 0 when not known
    longest : how long the bar may be

    >>> scale_for(1.0, 10.0)
    (100.0, '1 km')
    >>> scale_for(0.5, 0.0)
    (100.0, '50 pixels')
    """
    unit = pixels * (metres or 1.0)
    if not unit > 0 or not isfinite(unit):
        return 0.0, ""
    most = unit * longest
    power = 10.0 ** floor(log10(most))
    round_one = next(factor * power for factor in (5.0, 2.0, 1.0) if factor * power <= most)
    if not metres:
        return round_one / unit, f"{round_one:g} pixels"
    said = f"{round_one / 1000:g} km" if round_one >= 1000 else f"{round_one:g} m"
    return round_one / unit, said
