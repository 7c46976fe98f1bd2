"""The knowledge base: building one, opening one, asking it. Composition only.

What a name needs is imported when the name is first used: reading a rule need not wait for
the grammars that build it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kb.knowledge.base import KnowledgeBase
    from kb.knowledge.build import BuildReport, build
    from kb.knowledge.reading import read_release

__all__ = ["BuildReport", "KnowledgeBase", "build", "read_release"]

_MODULES = {
    "BuildReport": "kb.knowledge.build",
    "KnowledgeBase": "kb.knowledge.base",
    "build": "kb.knowledge.build",
    "read_release": "kb.knowledge.reading",
}


def __getattr__(name: str) -> object:
    """Import a public name from its module (PEP 562)."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(_MODULES[name]), name)
    globals()[name] = found  # a module of the same name must not hide it
    return found
