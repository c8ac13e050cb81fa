"""What a new plugin, its module, its class and its method are called, all from one name."""

from __future__ import annotations

import keyword
import re
import sys
from dataclasses import dataclass
from importlib.util import find_spec

from coterie import core
from coterie.core.errors import ParameterError

# What PEP 508 lets a distribution be called.
_DISTRIBUTION = re.compile(r"[A-Z0-9]|[A-Z0-9][A-Z0-9._-]*[A-Z0-9]", re.IGNORECASE)
_ALSO_TAKEN = {"Params", "Path"}


@dataclass(frozen=True)
class Names:
    """The names of one plugin.

    Attributes
    ----------
    distribution : what it is installed as
    prefix : what Coterie puts before the ids of its methods
    module : what Python imports
    id : the id of its first method
    title : what menus show
    class_name : the class of its first method
    """

    distribution: str
    prefix: str
    module: str
    id: str
    title: str
    class_name: str


def names_from(name: str) -> Names:
    """Return all names, or say why `name` will not do.

    >>> names = names_from("My-Kernel")
    >>> names.module, names.id, names.title, names.class_name
    ('my_kernel', 'my-kernel', 'My kernel', 'MyKernel')
    """
    if not _DISTRIBUTION.fullmatch(name):
        raise ParameterError(
            "A plugin name may contain letters, digits, '-', '_' and '.', and must "
            f"start and end with a letter or digit. Got '{name:.80}'.",
            code="invalid-name",
        )
    words = [word for word in re.split(r"[-_.]+", name) if word]
    module = "_".join(words).lower()
    if not module.isidentifier() or keyword.iskeyword(module) or keyword.issoftkeyword(module):
        raise ParameterError(
            f"'{module}' is not a valid module name. Choose a name that starts with a "
            "letter and is not a Python keyword.",
            code="invalid-name",
        )
    if module in sys.stdlib_module_names or module in ("coterie", "tests"):
        raise ParameterError(
            f"'{module}' is already a module of Python or Coterie. Choose another name.",
            code="invalid-name",
        )
    class_name = "".join(word[:1].upper() + word[1:] for word in words)
    if class_name in core.__all__ or class_name in _ALSO_TAKEN:
        class_name = f"My{class_name}"
    joined = " ".join(words)
    return Names(
        distribution=name,
        prefix="-".join(words).lower(),
        module=module,
        id="-".join(words).lower(),
        title=joined[:1].upper() + joined[1:].lower(),
        class_name=class_name,
    )


def is_taken(module: str) -> bool:
    """Return whether a module of that name is installed already, which the new one would hide."""
    try:
        found = find_spec(module)
        return found is not None and found.origin is not None  # a bare folder hides nothing
    except (ImportError, ValueError, AttributeError):
        return False
