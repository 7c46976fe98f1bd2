"""Free words → the question of the catalogue that they mean, with its parameters.

``words``: a text's words, folded. ``spans``: what in a text may name a card, a rule, a release.
``profile``: the words of each question. ``choose``: which question is meant, and how surely.
"""

from kb.asking.choose import Choice, Meant, choose

__all__ = ["Choice", "Meant", "choose"]
