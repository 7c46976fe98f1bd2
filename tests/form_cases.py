"""Sentences of our own and the facts that they state, for every form of the grammar.

A form goes by its family's and its own name in the header of ``grammar/statement.lark``. A fact
is kind, subject, value and scope; ``100.1`` is the rule that the sentence stands in.
"""

from __future__ import annotations

TERMS = ["Pebble", "Basket", "Owner", "Put", "Heap Value", "Token", "Card", "Crown", "Sign"]
TERMS += ["Hidden Zone", "Life Total", "Static Ability", "Evasion Ability", "Object", "Permanent"]
TITLES = {"moves of pebbles": "705"}

_S = "100.1"


def _each(kind, subject, *values, scope=""):
    return [(kind, subject, value, scope) for value in values]


def _lists(general=_S):
    return _each("exception-list", _S, general)


def _to_this(*exceptions):
    return [("exception", exception, _S, "") for exception in exceptions]


FORMS = {
    "exception.is_exception": [
        ("This is an exception to rule 101.1.", _each("exception", _S, "101.1")),
        ("Heaps are exceptions to rules 101.2a–b.", _each("exception", _S, "101.2a", "101.2b")),
    ],
    "exception.list_follows": [
        ("This rule has the following exceptions.", _lists()),
        ("There are two exceptions to this rule:", _lists()),
        ("The list of exceptions is as follows:", _lists()),
    ],
    "exception.with_exceptions": [
        (
            "It goes on (see rule 102.2), with the following exceptions:",
            [*_each("exception", _S, "102.2"), *_lists("102.2")],
        ),
        ("A pebble stays, with two exceptions.", _lists()),
    ],
    "exception.as_specified": [
        ("Nothing moves, except as specified in rules 102.1a–b.", _to_this("102.1a", "102.1b")),
        ("It is so, except for those listed in rule 102.3.", _to_this("102.3")),
    ],
    "exception.only_exception": [
        ("The only exception is that it may go (see rule 104.3).", _to_this("104.3")),
        ("It stays, with one exception that is told in rule 104.4.", _to_this("104.4")),
    ],
    "exception.ignore_this": [
        ("Ignore this rule for pebbles (see rule 105.1).", _to_this("105.1")),
        ("Players ignore this rule while rule 105.2 applies.", _to_this("105.2")),
    ],
    "exception.exempt_from_this": [
        ("A heap may be exempt from this rule; see rules 106.1b–c.", _to_this("106.1b", "106.1c")),
        ("Some are exempt from this rule (see rule 106.2).", _to_this("106.2")),
    ],
    "exception.exempt_from": [
        ("Heaps are exempt from that law (see rule 106.4).", _each("exception", _S, "106.4")),
        ("Heaps are exempt from moves of pebbles.", _each("exception", _S, "705")),
    ],
    "single_card.one_card": [
        ("One card (Old Pebble) does so.", _each("single-card", _S, "Old Pebble")),
        ("Here only one artifact, The Net, has it.", _each("single-card", _S, "The Net")),
    ],
    "enumeration.list_of": [
        ("The moods are glad, sad, and calm.", _each("member", "mood", "glad", "sad", "calm")),
        ("The two winds are north and south.", _each("member", "wind", "north", "south")),
    ],
    "enumeration.one_of": [
        ("That board type is Round.", _each("member", "board type", "round")),
        ("This shelf kind is Oak.", _each("member", "shelf kind", "oak")),
        ("The only shelf kind is Oak.", _each("member", "shelf kind", "oak")),
    ],
    "enumeration.any_of": [
        (
            "An area is a board, a basket, or a heap.",
            _each("may-be", "area", "board", "basket", "heap"),
        ),
        (
            "A piece is a coin, a stone, or a bean.",
            _each("may-be", "piece", "coin", "stone", "bean"),
        ),
    ],
    "enumeration.parts_of": [
        (
            "A round consists of two stages, in this order: first, last.",
            _each("part", "round", "first", "last", scope="stage"),
        ),
        (
            "The first stage has three steps: look, think, and move.",
            _each("part", "first stage", "look", "think", "move", scope="step"),
        ),
    ],
    "classification.is_a": [
        ("Soaring is an evasion ability.", _each("is-a", "soaring", "evasion ability")),
        (
            "Heap and basket are hidden zones.",
            [("is-a", "heap", "hidden zone", ""), ("is-a", "basket", "hidden zone", "")],
        ),
    ],
    "classification.is_not": [
        ("A token isn’t a card.", _each("is-not", "token", "card")),
        ("A sign is not a permanent.", _each("is-not", "sign", "permanent")),
        (
            "A sign is neither a card nor a permanent.",
            _each("is-not", "sign", "card", "permanent"),
        ),
    ],
    "subtyping": [
        (
            "Baskets have their own set of subtypes; these are called basket types.",
            _each("subtypes", "basket", "basket type"),
        ),
        (
            "Heap types are the subtypes that heaps can have.",
            _each("subtypes", "heap", "heap type"),
        ),
        (
            "Stones and coins share their lists of subtypes; these are called piece types.",
            [("subtypes", name, "piece type", "") for name in ("stone", "coin", "stone and coin")],
        ),
    ],
    "announcement.as_follows": [
        ("The odd moves are as follows:", _each("announces", _S, "odd move")),
        ("The steps of a visit are as follows.", _each("announces", _S, "step")),
    ],
    "announcement.there_are": [
        (
            "There are several ways to leave the table.",
            _each("announces", _S, "ways to leave the table"),
        ),
        ("There are three odd moves:", _each("announces", _S, "odd move")),
    ],
    "announcement.include": [
        (
            "Some visits include additional odd moves that end them.",
            _each("announces", _S, "odd move"),
        ),
        ("Grand visits use additional steps.", _each("announces", _S, "step")),
    ],
    "announcement.results": [
        ("A hit has one or more of the following results.", _each("announces", _S, "result")),
        ("It brings the following effects:", _each("announces", _S, "result")),
    ],
    "announcement.steps_below": [
        ("One is picked, following the steps listed below.", _each("announces", _S, "step")),
        ("They act in the order listed below:", _each("announces", _S, "step")),
    ],
    "layer.layer": [
        ("Layer 3b: Effects that move heaps are applied.", _each("layer", _S, "3b")),
        ("Sublayer 2: Odd effects.", _each("layer", _S, "2")),
    ],
    "layer.layers_in_order": [
        (
            "All go in a series of layers in the following order: (1) odd ones; (2a) even ones.",
            _each("layer", _S, "1", "2a"),
        ),
        (
            "All go in a series of sublayers in the following order: (7a) these; (7b) those.",
            _each("layer", _S, "7a", "7b"),
        ),
    ],
    "ability_kind": [
        (
            "Soaring represents a static ability and a triggered ability.",
            _each("ability-kind", _S, "static", "triggered"),
        ),
        ("Sinking is an activated ability.", _each("ability-kind", _S, "activated")),
    ],
    "meaning": [
        ("“Soaring” means “Whenever it lands, turn it over.”", _each("meaning", _S, "triggered")),
        ("“Lifting” means “[Cost]: Lift it.”", _each("meaning", _S, "activated")),
        ("“Wide” means “It is wide.”", _each("meaning", _S, "other")),
    ],
    "instances.redundant": [
        (
            "Multiple instances of soaring on one stone are redundant.",
            _each("redundant", _S, "soaring on one stone"),
        ),
        ("More than one instance of wide is redundant.", _each("redundant", _S, "wide")),
    ],
    "instances.separate": [
        (
            "If a stone has multiple instances of soaring, each triggers separately.",
            _each("separate", _S, "soaring"),
        ),
        ("Several instances of wide each work separately.", _each("separate", _S, "wide")),
    ],
    "timing": [
        ("As the draw step begins, one is drawn.", _each("at", _S, "draw step")),
        ("As each phase or step ends, all of it stops.", _each("at", _S, "any")),
        ("At the end of each step and each phase, it goes.", _each("at", _S, "any")),
        ("In the declare movers step, movers are named.", _each("at", _S, "declare movers step")),
    ],
    "priority": [
        ("No player gets priority during the untap step.", _each("no-priority", _S, "untap step")),
        (
            "Players don’t receive priority during the draw step or the cleanup step.",
            _each("no-priority", _S, "draw step", "cleanup step"),
        ),
    ],
    "outcome": [
        ("If it is bare, that player loses the game.", _each("outcome", _S, "lose-game")),
        ("It is put into its owner’s graveyard.", _each("outcome", _S, "graveyard")),
        ("A cracked stone is destroyed.", _each("outcome", _S, "destroy")),
        ("A loose token ceases to exist.", _each("outcome", _S, "cease-to-exist")),
        ("The net becomes unattached.", _each("outcome", _S, "unattach")),
        ("Its owner removes all odd counters.", _each("outcome", _S, "remove-counters")),
        ("Its controller sacrifices it.", _each("outcome", _S, "sacrifice")),
        ("The map is removed from the game.", _each("outcome", _S, "remove-from-game")),
        ("That player gets a hero designation.", _each("outcome", _S, "gain-designation")),
        ("Its controller chooses one of two.", _each("outcome", _S, "choose")),
        ("The player’s speed becomes 1.", _each("outcome", _S, "set-speed")),
        ("Its owner may put it into the command zone.", _each("outcome", _S, "command-zone")),
        ("The scheme is turned face down.", _each("outcome", _S, "turn-face-down")),
        (
            "That player chooses a hero designation.",
            _each("outcome", _S, "gain-designation", "choose"),
        ),
        (
            "A token that is destroyed ceases to exist.",
            _each("outcome", _S, "destroy", "cease-to-exist"),
        ),
    ],
    "counter": [
        ("A shield counter guards a stone.", _each("counter-kind", _S, "shield counter")),
        ("A −1/−1 counter makes it shrink.", _each("counter-kind", _S, "-1/-1 counter")),
        ("Rad counters hurt a player.", _each("counter-kind", _S, "rad counter")),
        (
            "If a player has rad counters, that player pays.",
            _each("counter-kind", _S, "rad counter", scope="player"),
        ),
    ],
    "change.ends": [
        ("The visit immediately ends.", _each("ends", "visit", "immediately ends")),
        ("That old effect doesn’t carry over.", _each("ends", "old effect", "doesn’t carry over")),
        (
            "They will no longer have any tokens or coins.",
            [("ends", name, "any tokens or coins", "") for name in ("token", "coin")],
        ),
    ],
    "change.resets": [
        ("The move count resets to zero.", _each("resets", "move count", "zero")),
        (
            "The number of times a player has moved their stone resets to zero.",
            _each("resets", "stone moved count", "zero"),
        ),
        (
            "The amount of damage dealt to a player by each stone is reset to 0.",
            _each("resets", "stone damage", "0"),
        ),
    ],
    "change.persists": [
        ("Ownership doesn’t change.", _each("persists", "ownership", "doesn’t change")),
        ("The main board is unaffected.", _each("persists", "main board", "is unaffected")),
        (
            "All players who are left immediately start a new game.",
            _each("persists", "player", "immediately start a new game"),
        ),
        (
            "Still, it remains that crown.",
            _each("persists", "crown", "remains that crown"),
        ),
    ],
    "change.starts-with": [
        ("Each board starts out empty.", _each("starts-with", "board", "empty")),
        (
            "Each player’s starting life total is 40.",
            _each("starts-with", "starting life total", "40"),
        ),
        ("Each team sets their life total to 20.", _each("starts-with", "life total", "20")),
        (
            "A player begins the game with a life total of 9.",
            _each("starts-with", "life total", "9"),
        ),
        ("Each begins the game with 12 life.", _each("starts-with", "life total", "12")),
        (
            "In a Basket game, the starting life total is 30.",
            _each("starts-with", "starting life total", "30", scope="basket"),
        ),
    ],
    "change.starts-without": [
        (
            "There is no king in a game until one is crowned.",
            _each("starts-without", "king", "king in a game until one is crowned"),
        ),
        (
            "A stone doesn’t have a color until one is chosen.",
            _each("starts-without", "color", "a color until one is chosen"),
        ),
        (
            "Sun and moon are signs. The game starts with neither sign.",
            _each("starts-without", "sun and moon", ""),
        ),
    ],
    "change.lasts-game": [
        ("You get the ring for the rest of the game.", _each("lasts-game", "ring", "")),
        ("A player gains that badge until the game ends.", _each("lasts-game", "badge", "")),
    ],
    "change.becomes": [
        (
            "The players’ piles become their baskets.",
            [
                ("becomes", "pile", "their baskets", ""),
                ("formed", "basket", "the players' piles", ""),
            ],
        ),
        ("A turned stone becomes white.", _each("becomes", "turned stone", "white")),
    ],
    "change.draws, puts": [
        (
            "Each player draws a hand of five stones.",
            _each("draws", "hand", "a hand of five stones"),
        ),
        ("Each draws seven cards.", _each("draws", "hand", "seven cards")),
        (
            "Each player puts their crown into the chest.",
            _each("puts", "crown", "their crown into the chest"),
        ),
    ],
    "change.exempts": [
        (
            "An effect may exempt some stones from it.",
            _each("exempt", "exempted stone", "exempt some stones from it"),
        ),
        (
            "A crown that has been exempted from it stays away.",
            _each("exempt", "exempted crown", "that has been exempted from it stays away"),
        ),
        (
            "Those stones will remain in exile.",
            _each("exempt", "exempted stone", "will remain in exile"),
        ),
    ],
    "change.assigned": [
        ("The first player in the new game is Ann.", _each("assigned", "first player", "Ann")),
        (
            "Ann is the first player in the new game.",
            _each("assigned", "first player", "the first player in the new game"),
        ),
    ],
    "modal": [
        ("A player may look at it.", _each("permission", "A player", "look at it")),
        ("A stone can’t be moved twice.", _each("prohibition", "A stone", "be moved twice")),
        ("A player must stop there.", _each("requirement", "A player", "stop there")),
    ],
    "definition": [
        ("Such a stone is called a rover.", _each("called", "Such a stone", "a rover")),
        ("The word refers to all heaps.", _each("means", "The word", "all heaps")),
    ],
    "stack": [
        ("Some things don’t use the stack.", _each("no-stack", _S, "some")),
        ("An odd ability doesn’t use the stack.", _each("no-stack", _S, "all")),
    ],
    "look_back": [
        ("Some abilities look back in time.", _each("looks-back", _S, "past")),
        ("Such an ability “looks back in time.”", _each("looks-back", _S, "past")),
    ],
    "only": [
        ("Only objects on the board have a keeper.", _each("only", _S, "keeper")),
        ("Only objects in a heap have an owner.", _each("only", _S, "owner")),
    ],
    "procedure": [
        ("It starts, following the procedure described in rule 102.", _each("follows", _S, "102")),
        ("They follow rule 102.3 from there.", _each("follows", _S, "102.3")),
    ],
    "variant": [
        ("In a Basket game, players wait.", _each("variant", _S, "basket")),
        ("All wait in the Two-Headed Stone variant.", _each("variant", _S, "two-headed stone")),
    ],
}
