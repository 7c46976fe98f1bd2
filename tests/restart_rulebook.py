"""A small rulebook of our own with a card that restarts the game, and rulings on that card."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tools import rulebook, written

if TYPE_CHECKING:
    from pathlib import Path

RULES = """\
100. General
100.1. An object is a card, a token, or a sign.
100.2. A token isn’t a card. Nobody owns it.
103. Starting the Game
103.1. Each player begins the game with 20 life.
103.2. Then each player draws a hand of seven cards.
103.2a In a Basket game, each player begins the game with 40 life.
122. Counters
122.1. A counter is a marker on an object or a player.
122.1a If a player has odd counters, that player pays.
125. The King
125.1. There is no king in a game until an effect crowns one.
127. Restarting the Game
127.1. One card (Clock of Ann) restarts the game. That game immediately ends. All players who are \
left immediately start a new game, following the procedure set forth in rule 103.
127.2. Ownership doesn’t change. Each card is involved in the new game.
127.3. An effect may exempt some cards from the restart.
127.4. The first player in the new game is whoever held the clock.
128. Keyword Abilities
128.1. The rules below tell of these.
128.2. Soaring
128.2a Soaring is a static ability.
129. Exceptions
129.1. A game has two players.
129.2. A third player may join. This is an exception to rule 129.1."""
GLOSSARY = """\
Card
What players hold. See rule 100.

Counter
A marker. See rule 122.

Life Total
How much life there is. See rule 103.

Token
A marker that stands for a card. See rule 100."""
CARD = "Clock of Ann"
_ORACLE_ID = "00000000-0000-4000-8000-000000000001"
RULINGS = (
    ("2030-02-01", "The number of times a player has wound their clock resets to zero."),
    ("2030-03-01", "The new game starts without any counters that players had."),
    ("2032-01-01", "The odd debt doesn't carry over."),
)
"""Day and text; the rulebook is of May 1, 2031, so that the last one is younger."""


def changed(text: str, old: str, new: str) -> str:
    """Return a text with its one place that says ``old`` saying ``new``."""
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in the text"
    return text.replace(old, new)


def restart_files(
    folder: Path,
    rules: str = RULES,
    rulings: tuple[tuple[str, str], ...] = RULINGS,
    date: str = "May 1, 2031",
) -> tuple[Path, Path, Path]:
    """Write the rulebook, its card and the rulings on it, and return their paths."""
    card = {
        "object": "card",
        "oracle_id": _ORACLE_ID,
        "name": CARD,
        "lang": "en",
        "layout": "normal",
        "cmc": 7.0,
        "mana_cost": "{7}",
        "type_line": "Artifact",
        "oracle_text": "{T}: Restart the game.",
        "color_identity": [],
        "keywords": [],
        "legalities": {"vintage": "legal"},
    }
    said = [
        {
            "object": "ruling",
            "oracle_id": _ORACLE_ID,
            "source": "mtgkb",
            "published_at": day,
            "comment": text,
        }
        for day, text in rulings
    ]
    return (
        written(folder, "rules.txt", rulebook(rules, glossary=GLOSSARY, date=date)),
        written(folder, "cards.json", json.dumps([card])),
        written(folder, "rulings.json", json.dumps(said)),
    )
