"""The knowledge base: building one, opening one, asking it. Composition only."""

from kb.knowledge.base import KnowledgeBase
from kb.knowledge.build import BuildReport, build
from kb.knowledge.reading import read_release

__all__ = ["BuildReport", "KnowledgeBase", "build", "read_release"]
