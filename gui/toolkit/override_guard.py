"""Reports errors in methods that Qt calls, so they do not end the window.

Where a Python method overrides one of Qt's, PySide asks an error that it raised for its arguments.
On Python 3.11 an error that the interpreter itself raised, such as an index out of range, may not
be an object yet at that moment, and the process dies. Caught and raised again it is one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QGraphicsItem, QGraphicsLayoutItem

_OURS = "coterie."
_THEIRS = ("PySide6.", "Shiboken.")
_ROOTS: tuple[type, ...] = (QObject, QGraphicsItem, QGraphicsLayoutItem)


def guard_overrides() -> None:
    """Guard the overrides of all classes of the window: those there are, and those to come."""
    if "__init_subclass__" in vars(QObject):
        return
    for root in _ROOTS:
        _guard_below(root)
        # Not by assignment: a type checker would compare it with Qt's own declaration.
        setattr(root, "__init_subclass__", classmethod(_guarding(root)))  # noqa: B010


def _guard_below(cls: type) -> None:
    below: list[type] = type.__subclasses__(cls)
    for subclass in below:
        _guard(subclass)
        _guard_below(subclass)


def _guarding(root: Any) -> Callable[..., None]:
    def begin(cls: type, **options: Any) -> None:
        super(root, cls).__init_subclass__(**options)
        _guard(cls)

    return begin


def _guard(cls: type) -> None:
    if not cls.__module__.startswith(_OURS):
        return
    qt = [base for base in cls.__mro__ if base.__module__.startswith(_THEIRS)]
    for name, method in list(vars(cls).items()):
        is_override = any(name in vars(base) for base in qt) and not name.startswith("_")
        if isinstance(method, FunctionType) and is_override and not hasattr(method, "__wrapped__"):
            setattr(cls, name, _told(method))


def _told(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def call(*given: Any, **named: Any) -> Any:
        try:
            return method(*given, **named)
        except BaseException:
            raise  # it is an object now

    return call
