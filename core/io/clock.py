"""The one place that asks what time it is, so tests can hold the clock."""

import time
from datetime import UTC, datetime


def timestamp() -> str:
    """Return the present moment as ISO 8601 text in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def seconds() -> float:
    """Return seconds from a monotonic clock; only differences mean anything."""
    return time.monotonic()


def seconds_since(moment: float) -> float:
    """Return how long ago a moment was, such as the time stamp of a file."""
    return time.time() - moment
