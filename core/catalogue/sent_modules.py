"""Drop-in plugins of an engine on a worker of a cluster: their modules arrive as texts."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

from coterie.core.catalogue.plugin_code import code_of_file
from coterie.core.catalogue.registry import LOCAL_PREFIX


def drop_in_sources() -> dict[str, str]:
    """Return the source of each drop-in plugin that is loaded here, by the name of its module.

    The modules beside it that it has imported come with it.
    """
    sources = {}
    for name, module in list(sys.modules.items()):
        if name.startswith(LOCAL_PREFIX) and module.__file__:
            file = Path(module.__file__)
            sources[name] = file.read_text(encoding="utf-8")
            beside = [other for other in code_of_file(file).files.values() if other.suffix == ".py"]
            for other in beside:
                loaded = sys.modules.get(other.stem)
                if other != file and getattr(loaded, "__file__", None) == str(other):
                    sources[other.stem] = other.read_text(encoding="utf-8")
    return sources


class SentModules(MetaPathFinder, Loader):
    """Finds modules in the texts that were sent; whatever is installed comes first."""

    def __init__(self) -> None:
        self._sources: dict[str, str] = {}

    def provide(self, sources: Mapping[str, str]) -> None:
        """Have these modules here, each as it is where it was sent from."""
        if self not in sys.meta_path:
            sys.meta_path.append(self)
        for name, source in sources.items():
            if self._sources.get(name, source) != source:
                sys.modules.pop(name, None)
        self._sources.update(sources)
        for name in sources:
            importlib.import_module(name)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how a module that was sent is made; None for any other."""
        del path, target
        return ModuleSpec(fullname, self) if fullname in self._sources else None

    def exec_module(self, module: ModuleType) -> None:
        """Run the text of a module."""
        name = module.__name__
        exec(compile(self._sources[name], name, "exec"), module.__dict__)
