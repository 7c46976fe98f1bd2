"""What a reader finds in the concise edition, and the edition's text by rule, read without kb."""

from __future__ import annotations

import json
import re

from kb import resources

EDITION = resources.text("rules/concise-edition.txt")
_BODY = EDITION[EDITION.rindex("\n1. Game Concepts\n") : EDITION.rindex("\nGlossary\n")]
RULES = dict(re.findall(r"^(\d{3}(?:\.\d+[a-z]?)?)\.? (.*)$", _BODY, re.MULTILINE))
"""Number → the line of its chapter, rule or subrule."""
_NAMES = {c["oracle_id"]: c["name"] for c in json.loads(resources.text("rules/concise-cards.json"))}
RULINGS = {}
"""Card and date, as an answer writes them → the rulings of that card and day."""
for _ruling in json.loads(resources.text("rules/concise-rulings.json")):
    _day = f"{_NAMES[_ruling['oracle_id']]}, {_ruling['published_at']}"
    RULINGS.setdefault(_day, []).append(_ruling["comment"])


def subrules(head):
    """Return the numbers of the subrules of a rule."""
    return [number for number in RULES if re.fullmatch(re.escape(head) + "[a-z]", number)]


def listed(number, opening):
    """Return the members of the list that a rule gives behind some words, in small letters."""
    words = re.sub(r" \([^)]*\)", "", RULES[number].partition(opening)[2]).partition(".")[0]
    return [
        name.removeprefix("and ").lower().replace("’", "'")
        for part in words.split(", ")
        for name in ([part] if part.startswith("and ") else part.split(" and "))
    ]


def headings(chapter):
    """Return the keywords that head the rules of a chapter, with their rules."""
    titled = [(n, t) for n, t in RULES.items() if re.fullmatch(rf"{chapter}\.\d+", n)]
    return [
        (name.lower(), number)
        for number, title in titled
        if not title.endswith(".")
        for name in title.split(" and ")
    ]


def saying(chapter, pattern):
    """Return the numbers of a chapter's subrules in which a pattern stands."""
    return [n for n, t in RULES.items() if n.startswith(f"{chapter}.") and re.search(pattern, t)]


BY_RULE = {
    "start-procedure": [f"103.{n}" for n in range(1, 9)],
    "ways-to-win": subrules("104.2"),
    "ways-to-lose": subrules("104.3"),
    "ways-to-draw": subrules("104.4"),
    "turn-based-actions": subrules("703.4"),
    "no-stack": subrules("405.6"),
    "new-object-exceptions": subrules("400.7"),
    "controller-exceptions": subrules("109.4"),
    "special-actions": subrules("116.2"),
    "replacement-cues": subrules("614.1"),
    "replacement-order": subrules("616.1"),
    "damage-results": subrules("120.3"),
    "linked-abilities": subrules("607.2"),
    "look-back-triggers": subrules("603.10"),
    "redundant-keywords": saying("702", r"[Mm]ultiple instances of .* redundant"),
    "evasion-abilities": saying("702", r"^\w+ is an evasion ability\."),
}
"""The rules of an answer whose rows are the rules of a list, or those that say one thing."""

_LANDS = "The land types are "
BY_NAME = {
    "characteristics": listed("109.3", "The characteristics of an object are "),
    "colors": ["white", "blue", "black", "red", "green"],
    "card-types": listed("205.2a", "The card types are "),
    "permanent-types": ["artifact", "battle", "creature", "enchantment", "land", "planeswalker"],
    "supertypes": ["basic", "legendary", "ongoing", "snow", "world"],
    "ability-words": listed("207.2c", "The ability words are "),
    "subtypes land": listed("205.3i", _LANDS),
    "subtypes artifact": listed("205.3g", "The artifact types are "),
    "subtypes enchantment": listed("205.3h", "The enchantment types are "),
    "subtypes planeswalker": listed("205.3j", "The planeswalker types are "),
    "subtypes plane": listed("205.3n", "The planar types are "),
    "subtypes creature": ["time lord", *listed("205.3m", "are single words: ")],
    "subtypes instant": ["adventure", "arcane", "lesson", "omen", "trap"],
    "subtypes sorcery": ["adventure", "arcane", "lesson", "omen", "trap"],
    "subtypes battle": ["siege"],
    "subtypes dungeon": ["undercity"],
}
"""The names of an answer that is a list, in its order; a plural of a term in the singular."""

RESTART = {
    "reset": "library/life total/hand/battlefield/graveyard/commander cast count/"
    "commander combat damage",
    "ends": "current game/token/emblem/copy/counter/poison counter/rad counter/effect/monarch/"
    "initiative/speed/city's blessing/day and night",
    "persists": "player/magic card/phased-out permanent/nontraditional card/ownership/"
    "restarting effect/deck's commander/main game/sideboard and deck",
    "exempt": "exempted card/exempted commander",
    "assigned": "starting player",
}
RESTART_LEFT_OUT = {
    ("commander", "reset"): "103.2c says that commanders “are put”, and only “puts” is a form",
}

STARTING_LIFE = {
    ("default", "20", "103.4"),
    ("two-headed giant", "30", "103.4a"),
    ("commander", "40", "103.4c"),
    ("two-player brawl", "25", "103.4d"),
    ("multiplayer brawl", "30", "103.4d"),
    ("archenemy", "40", "103.4e"),
    ("conspiracy draft", "20", "905.6"),
}

TURN = [
    ("beginning phase", "untap step", "501.1"),
    ("beginning phase", "upkeep step", "501.1"),
    ("beginning phase", "draw step", "501.1"),
    ("precombat main phase", None, "500.1"),
    ("combat phase", "beginning of combat step", "506.1"),
    ("combat phase", "declare attackers step", "506.1"),
    ("combat phase", "declare blockers step", "506.1"),
    ("combat phase", "combat damage step", "506.1"),
    ("combat phase", "end of combat step", "506.1"),
    ("postcombat main phase", None, "500.1"),
    ("ending phase", "end step", "512.1"),
    ("ending phase", "cleanup step", "512.1"),
]

TURN_BASED = {
    "untap step": "abc",
    "draw step": "d",
    "precombat main phase": "efg",
    "beginning of combat step": "h",
    "declare attackers step": "i",
    "declare blockers step": "j",
    "combat damage step": "km",
    "cleanup step": "np",
    "any": "q",
}
"""When → the letters of the subrules of 703.4."""

ZONES = {
    "public": {"graveyard", "battlefield", "stack", "exile", "ante", "command"},
    "hidden": {"library", "hand"},
}

OUTCOMES = {
    "lose-game": "704.5a 704.5b 704.5c",
    "cease-to-exist": "704.5d 704.5e",
    "destroy": "704.5g 704.5h",
    "unattach": "704.5n 704.5p",
    "sacrifice": "704.5s",
    "remove-from-game": "704.5t",
    "choose": "704.5u 704.5w 704.5x",
}
OUTCOMES_LEFT_OUT = [
    *((rule, "graveyard") for rule in ("704.5f", "704.5i", "704.5j", "704.5k", "704.5m")),
    *((rule, "graveyard") for rule in ("704.5v", "704.5y")),
    ("704.5q", "remove-counters"),
    ("704.5r", "remove-counters"),
    ("704.5z", "set-speed"),
    ("704.6a", "lose-game"),
    ("704.6c", "lose-game"),
]

COUNTERS = {
    ("+x/+y counter", "122.1a"),
    ("-x/-y counter", "122.1a"),
    ("keyword counter", "122.1b"),
    ("shield counter", "122.1c"),
    ("stun counter", "122.1d"),
    ("loyalty counter", "122.1e"),
    ("poison counter", "122.1f"),
    ("defense counter", "122.1g"),
    ("finality counter", "122.1h"),
    ("rad counter", "122.1i"),
}

KINDS = {
    "deathtouch": "static",
    "changeling": "static",
    "devoid": "static",
    "equip": "activated",
    "ward": "triggered",
    "buyback": "static",
    "cycling": "activated",
    "storm": "triggered",
    "fading": "static triggered",
    "madness": "static triggered",
    "epic": "spell",
    "suspend": "static triggered",
    "vanishing": "static triggered",
    "evoke": "static triggered",
    "exalted": "triggered",
    "ascend": "spell static",
    "daybound": "static",
    "nightbound": "static",
    "reconfigure": "activated",
    "prototype": "static",
    "∞ (infinity)": "static",
    "start your engines!": "static",
    # its section names no kind, nor quotes a meaning
    "companion": "",
    "boast": "",
    "plot": "",
}
