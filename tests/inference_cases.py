"""Premises and conclusions of each inference rule, a few lines of Turtle each.

The names of nodes: ``:again`` is a chapter on restarting, ``:start`` the one on starting that
it points to, ``:r`` a rule of the first, ``:go`` one of the second, ``:z`` one of another,
``:s`` the statement that a case turns on. What ``spoiled`` says is replaced in (or, in place of
nothing, added to) the premises, one at a time: the rule must not fire then.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """``rule`` concludes ``gives``, ``count`` facts in all, from ``given``."""

    rule: str
    given: str
    gives: str
    spoiled: tuple[tuple[str, str], ...]
    count: int = 1


_KEYWORD = """
:c mtg:level "chapter" ; dcterms:title "Keyword Abilities" .
:k dcterms:isPartOf :c ; dcterms:title "Soaring" . :ka dcterms:isPartOf :k .
"""
_CLASS = '"static ability" ; mtg:value "evasion ability"'
_RESTARTS = """
:again mtg:level "chapter" ; mtg:number "7" . :start mtg:number "3" .
:r dcterms:isPartOf :again ; mtg:number "7.1" ; mtg:position 4 .
:go dcterms:isPartOf :start ; mtg:number "3.4" ; mtg:position 2 .
:z mtg:number "5.1" ; mtg:position 9 .
:f mtg:kind "follows" ; mtg:subject :r ; mtg:value :start ; mtg:quote "See 3." .
:e mtg:kind "ends" ; mtg:subject "game" ; prov:wasQuotedFrom :r .
"""
_PROCEDURE = '[ mtg:kind "restart-procedure" ]'
_NO_RULE = ('mtg:number "5.1" ; ', "")  # a ruling has no number
_NO_RESTART = ('mtg:subject "game"', 'mtg:subject "turn"')
_OTHER_PLACE = ("prov:wasQuotedFrom :r ; mtg:v", "prov:wasQuotedFrom :x ; mtg:v")
_RULED = """
:only mtg:kind "single-card" ; mtg:subject :r ; mtg:value "Ann’s Clock" .
:card mtg:name "Ann’s Clock" . :n mtg:rulingOn :card ; mtg:position 2 ;
  dcterms:date "2031-02-01"^^xsd:date, "2031-01-01"^^xsd:date .
:s mtg:kind "resets" ; mtg:subject "cast count" ; mtg:value "zero" ; mtg:quote "It does." ;
  prov:wasQuotedFrom :n .
"""
_LIFE = """
:s mtg:kind "starts-with" ; mtg:subject "life total" ; mtg:value "20" ; mtg:quote "It is 20." ;
  prov:wasQuotedFrom :q .
"""
_LIFE_GIVEN = 'mtg:value "20" ; mtg:quote "It is 20." ; prov:wasQuotedFrom :q'
_NO_NUMBER = ('mtg:value "20"', 'mtg:value "that of the card"')
_TIMES = ('mtg:value "20"', 'mtg:value "20 times two"')
_OF_ALL = ("", ':s mtg:scope "basket" .')
_TURN = """
:s mtg:kind "part" ; mtg:subject "turn" ; mtg:value "ending" ; mtg:scope "phase" ;
  mtg:position 3 ; mtg:quote "It ends." ; prov:wasQuotedFrom :r .
"""

CASES = (
    Case(
        "within",
        """:a mtg:number "1.1a" ; dcterms:isPartOf :b . :b mtg:number "1.1" ; dcterms:isPartOf :c .
        :c mtg:number "1" ; dcterms:isPartOf <https://mtgkb.example/cr/r> .""",
        ":a mtg:within :b, :c . :b mtg:within :c .",
        (("mtg:number", "mtg:text"), ("dcterms:isPartOf", "dcterms:references")),
        3,
    ),
    Case(
        "list-items",
        """:s mtg:kind "announces" ; mtg:subject :r ; mtg:value "way" ; mtg:quote "Ways:" .
        :a dcterms:isPartOf :r ; mtg:number "7.1a" .""",
        """[] mtg:kind "item" ; mtg:subject :a ; mtg:value "way" ; mtg:quote "Ways:" ;
        prov:wasQuotedFrom :r ; prov:wasDerivedFrom :s .""",
        (
            ('"announces"', '"member"'),
            (":a dcterms:isPartOf :r", ":a dcterms:isPartOf :q"),
            ("mtg:number", "mtg:text"),  # an example below it is no item
        ),
    ),
    Case(
        "exception-items",
        """:s mtg:kind "exception-list" ; mtg:subject :h ; mtg:value :g ; mtg:quote "But:" ;
        prov:wasQuotedFrom :h . :a dcterms:isPartOf :h ; mtg:number "7.1a" .""",
        """:a mtg:exceptionTo :g . [] mtg:kind "exception" ; mtg:subject :a ; mtg:value :g ;
        mtg:quote "But:" ; prov:wasQuotedFrom :h ; prov:wasDerivedFrom :s .""",
        (
            ('"exception-list"', '"exception"'),
            (":a dcterms:isPartOf :h", ":a dcterms:isPartOf :q"),
            ("mtg:number", "mtg:text"),
        ),
    ),
    Case(
        "keywords",
        _KEYWORD,
        """[] mtg:kind "keyword" ; mtg:subject :k ; mtg:value "soaring" ; mtg:quote "Soaring" ;
        prov:wasQuotedFrom :k ; prov:wasDerivedFrom :k .""",
        (("Abilities", "Actions"), ('"chapter"', '"rule"'), (":k dcterms:isPartOf :c", ":k a :c")),
    ),
    Case(
        "keywords",
        _KEYWORD.replace("Soaring", "Soaring and Sinking"),
        """[] mtg:kind "keyword" ; mtg:subject :k ; mtg:value "soaring" .
        [] mtg:kind "keyword" ; mtg:subject :k ; mtg:value "sinking" .""",
        (("Abilities", "Actions"),),
        2,
    ),
    Case(
        "keyword-kinds-named",
        _KEYWORD
        + """:s mtg:kind "ability-kind" ; mtg:subject :ka ; mtg:value "static" ;
        mtg:quote "Soaring is static." .""",
        """[] mtg:kind "keyword-kind" ; mtg:subject "soaring" ; mtg:value "static" ;
        mtg:quote "Soaring is static." ; prov:wasQuotedFrom :ka ;
        prov:wasDerivedFrom :s, [ mtg:kind "keyword" ] .""",
        (
            ('"static"', '"evasion"'),
            ('"ability-kind"', '"meaning"'),
            (":ka dcterms:isPartOf :k", ":ka dcterms:isPartOf :other"),
            ("Abilities", "Actions"),
        ),
    ),
    Case(
        "keyword-kinds-of-class",
        _KEYWORD
        + f"""
        :s mtg:kind "ability-kind" ; mtg:subject :ka ; mtg:value "evasion" ; mtg:quote "It is." .
        :t mtg:kind "is-a" ; mtg:subject {_CLASS} .""",
        """[] mtg:kind "keyword-kind" ; mtg:subject "soaring" ; mtg:value "static" ;
        mtg:quote "It is." ; prov:wasQuotedFrom :ka ;
        prov:wasDerivedFrom :s, :t, [ mtg:kind "keyword" ] .""",
        (
            ('"evasion"', '"mana"'),
            ('"is-a"', '"is-not"'),
            ('"static ability"', '"static effect"'),
            ('"static ability"', '"odd ability"'),
        ),
    ),
    Case(
        "keyword-kinds-shown",
        _KEYWORD
        + """:s mtg:kind "meaning" ; mtg:subject :ka ; mtg:value "triggered" ;
        mtg:quote "It means “When it lands, turn it.”" .""",
        """[] mtg:kind "keyword-kind" ; mtg:subject "soaring" ; mtg:value "triggered" ;
        prov:wasQuotedFrom :ka ; prov:wasDerivedFrom :s, [ mtg:kind "keyword" ] .""",
        (
            ('"meaning"', '"means"'),
            ('"triggered"', '"odd"'),
            # the section names a kind elsewhere
            ("", ':kb dcterms:isPartOf :k . :n mtg:kind "ability-kind" ; mtg:subject :kb .'),
        ),
    ),
    Case(
        "restart-procedure",
        _RESTARTS,
        """[] mtg:kind "restart-procedure" ; mtg:subject :again ; mtg:value :start ;
        mtg:quote "See 3." ; prov:wasQuotedFrom :r ; prov:wasDerivedFrom :f, :e .""",
        (
            _NO_RESTART,
            ('"ends"', '"persists"'),
            ('"follows"', '"exception"'),
            ('"chapter"', '"rule"'),
            ("prov:wasQuotedFrom :r", "prov:wasQuotedFrom :go"),
        ),
    ),
    Case(
        "restart-said",
        _RESTARTS
        + """:s mtg:kind "persists" ; mtg:subject "ownership" ; mtg:quote "It stays." ;
        prov:wasQuotedFrom :r ; mtg:value "stays" .""",
        f"""[] mtg:kind "restart-persists" ; mtg:subject "ownership" ; mtg:value "stays" ;
        mtg:quote "It stays." ; prov:wasQuotedFrom :r ; mtg:position 4 ;
        prov:wasDerivedFrom :s, {_PROCEDURE} .""",
        (_NO_RESTART, _OTHER_PLACE, ('"persists"', '"draws"')),
    ),
    Case(
        "restart-said",
        _RESTARTS
        + """:s mtg:kind "assigned" ; mtg:subject "starting player" ; mtg:scope "basket" ;
        mtg:quote "Ann is." ; prov:wasQuotedFrom :r ; mtg:value "Ann" .""",
        '[] mtg:kind "restart-assigned" ; mtg:subject "starting player" ; mtg:position 100004 .',
        (_NO_RESTART, _OTHER_PLACE, ('"assigned"', '"called"')),
    ),
    Case(
        "restart-said",
        _RESTARTS
        + """:w mtg:kind "persists" ; mtg:value "is in the new game" ; mtg:quote "All are." ;
        prov:wasQuotedFrom :r . :s mtg:kind "includes" ; mtg:subject "old pebble" ;
        mtg:quote "All are." ; prov:wasQuotedFrom :r ; mtg:value "and so on" .""",
        """[] mtg:kind "restart-persists" ; mtg:subject "old pebble" ; prov:wasDerivedFrom :s ;
        mtg:value "is in the new game" .""",
        (
            ("is in the new game", "is here"),
            ('mtg:value "is in the new game" ; mtg:quote "All are."', 'mtg:quote "Not so."'),
            ('"includes"', '"means"'),
        ),
    ),
    Case(
        "restart-ruled",
        _RESTARTS + _RULED,
        f"""[] mtg:kind "restart-resets" ; mtg:subject "cast count" ; mtg:value "zero" ;
        mtg:quote "It does." ; prov:wasQuotedFrom :n ; dcterms:date "2031-01-01"^^xsd:date ;
        mtg:ruledOn "Ann’s Clock" ; mtg:position 200002 ;
        prov:wasDerivedFrom :s, :only, {_PROCEDURE} .""",
        (
            _NO_RESTART,
            ('mtg:name "Ann’s Clock"', 'mtg:name "Ben’s Clock"'),
            ('mtg:subject :r ; mtg:value "Ann’s', 'mtg:subject :go ; mtg:value "Ann’s'),
            ('"single-card"', '"exception"'),
            ('"resets"', '"starts-with"'),
        ),
    ),
    Case(
        "restart-started",
        _RESTARTS
        + """:s mtg:kind "starts-with" ; mtg:subject "starting life total" ;
        mtg:quote "Each has 9 life." ; prov:wasQuotedFrom :go ; mtg:value "9" .""",
        f"""[] mtg:kind "restart-resets" ; mtg:subject "life total" ; mtg:value "9" ;
        mtg:quote "Each has 9 life." ; prov:wasQuotedFrom :go ; mtg:position 2 ;
        prov:wasDerivedFrom :s, {_PROCEDURE} .""",
        (
            _NO_RESTART,
            ("prov:wasQuotedFrom :go", "prov:wasQuotedFrom :r"),
            ("Each has", "If asked, each has"),
            ('"starting life total"', '"starting hand size"'),
            ('"starts-with"', '"becomes"'),
        ),
    ),
    Case(
        "restart-begins",
        _RESTARTS
        + """:s mtg:kind "starts-with" ; mtg:subject "graveyard" ;
        mtg:cue "starts out" ; mtg:quote "It starts out bare." ; prov:wasQuotedFrom :z ;
        mtg:value "bare" .""",
        f"""[] mtg:kind "restart-resets" ; mtg:subject "graveyard" ; mtg:value "bare" ;
        mtg:quote "It starts out bare." ; prov:wasQuotedFrom :z ; mtg:position 9 ;
        prov:wasDerivedFrom :s, {_PROCEDURE} .""",
        (
            _NO_RESTART,
            _NO_RULE,
            ('mtg:cue "starts out"', 'mtg:cue "is"'),
            ('"starts-with"', '"becomes"'),
        ),
    ),
    Case(
        "restart-without",
        _RESTARTS
        + """:s mtg:kind "starts-without" ; mtg:subject "monarch" ;
        mtg:quote "There is none." ; prov:wasQuotedFrom :z .""",
        f"""[] mtg:kind "restart-ends" ; mtg:subject "monarch" ; mtg:quote "There is none." ;
        mtg:value "none until something sets it" ; prov:wasQuotedFrom :z ; mtg:position 9 ;
        prov:wasDerivedFrom :s, {_PROCEDURE} .""",
        (_NO_RESTART, _NO_RULE, ('"starts-without"', '"starts-with"')),
    ),
    Case(
        "restart-without",
        _RESTARTS
        + """:s mtg:kind "lasts-game" ; mtg:subject "blessing" ;
        mtg:quote "It lasts." ; prov:wasQuotedFrom :z .""",
        '[] mtg:kind "restart-ends" ; mtg:subject "blessing" ; prov:wasQuotedFrom :z .',
        (_NO_RESTART, _NO_RULE, ('"lasts-game"', '"persists"')),
    ),
    Case(
        "restart-no-card",
        _RESTARTS
        + """:i mtg:kind "persists" ; mtg:subject "card" ; mtg:quote "All cards are." ;
        prov:wasQuotedFrom :r ; mtg:value "is in the new game" .
        :o mtg:kind "may-be" ; mtg:subject "object" ; mtg:value "token" .
        :s mtg:kind "is-not" ; mtg:subject "token" ; mtg:value "card" ; mtg:quote "It is none." ;
        prov:wasQuotedFrom :z .""",
        """[] mtg:kind "restart-ends" ; mtg:subject "token" ; mtg:value "not a card" ;
        mtg:quote "It is none." ; prov:wasQuotedFrom :z ; mtg:position 9 ; prov:wasDerivedFrom
        :s, :o, [ mtg:kind "restart-persists" ; mtg:subject "card" ] .""",
        (
            _NO_RESTART,
            _NO_RULE,
            _OTHER_PLACE,
            ('"is-not"', '"is-a"'),
            ('"may-be" ; mtg:subject "object"', '"may-be" ; mtg:subject "area"'),
            ('"token" ; mtg:value "card"', '"token" ; mtg:value "counter"'),
            ('mtg:subject "card"', 'mtg:subject "library"'),
        ),
    ),
    Case(
        "restart-kinds",
        _RESTARTS
        + """:s mtg:kind "ends" ; mtg:subject "counter" ; mtg:quote "They go." ;
        prov:wasQuotedFrom :r ; mtg:value "no longer" .
        :k mtg:kind "counter-kind" ; mtg:scope "player" ; mtg:value "rad counter" ;
        mtg:subject :ca . :ca dcterms:isPartOf :ch . :d mtg:kind "is-a" ; mtg:subject "counter" ;
        prov:wasQuotedFrom :ch .""",
        """[] mtg:kind "restart-ends" ; mtg:subject "rad counter" ; mtg:value "no longer" ;
        mtg:quote "They go." ; prov:wasQuotedFrom :r ; mtg:position 4 ; prov:wasDerivedFrom
        :k, [ mtg:kind "restart-ends" ; mtg:subject "counter" ] .""",
        (
            _NO_RESTART,
            ('mtg:scope "player"', 'mtg:scope "creature"'),
            ('"is-a"', '"is-not"'),
            (":ca dcterms:isPartOf :ch", ":ca dcterms:isPartOf :other"),
            ('"ends" ; mtg:subject "counter"', '"ends" ; mtg:subject "emblem"'),
        ),
    ),
    Case(
        "starting-life-default",
        _LIFE
        + """:q dcterms:isPartOf :c ; mtg:number "3.4" .
        :c mtg:level "chapter" ; dcterms:title "Starting the Game" .""",
        f"""[] mtg:kind "starting-life" ; mtg:subject "default" ; {_LIFE_GIVEN} ;
        prov:wasDerivedFrom :s .""",
        (
            _NO_NUMBER,
            _TIMES,
            _OF_ALL,
            ("Starting the Game", "Ending the Game"),
            ('"life total"', '"hand"'),
            ('"starts-with"', '"becomes"'),
        ),
    ),
    Case(
        "starting-life-in-variant",
        _LIFE + ':s mtg:scope "basket" .',
        f"""[] mtg:kind "starting-life" ; mtg:subject "basket" ; {_LIFE_GIVEN} ;
        prov:wasDerivedFrom :s .""",
        (_NO_NUMBER, _TIMES, ("mtg:scope", "mtg:cue"), ('"life total"', '"hand"')),
    ),
    Case(
        "starting-life-of-variant",
        _LIFE
        + """:q dcterms:isPartOf :c ; mtg:number "9.1" . :sec mtg:number "9" ;
        dcterms:title "Casual Variants" . :c dcterms:isPartOf :sec ; mtg:number "901" ;
        mtg:level "chapter" ; dcterms:title "Basket Variant" .""",
        f"""[] mtg:kind "starting-life" ; mtg:subject "basket" ; {_LIFE_GIVEN} ;
        prov:wasDerivedFrom :s .""",
        (_NO_NUMBER, _TIMES, _OF_ALL, ("Casual Variants", "Zones"), ('"life total"', '"hand"')),
    ),
    Case(
        "starting-life-of-variant",
        _LIFE
        + """:q dcterms:isPartOf :o ; mtg:number "901.1a" . :sec mtg:number "9" ;
        dcterms:title "Multiplayer Rules" . :c dcterms:isPartOf :sec ; mtg:number "901" ;
        mtg:level "chapter" ; dcterms:title "Basket Variant" . :o dcterms:isPartOf :c ;
        mtg:number "901.1" ; mtg:level "rule" ; dcterms:title "Duel Option" .""",
        '[] mtg:kind "starting-life" ; mtg:subject "duel" .',
        (_NO_NUMBER, _TIMES, _OF_ALL, ("Multiplayer Rules", "Zones")),
    ),
    Case(
        "variant-overrides",
        _LIFE
        + """:q dcterms:isPartOf :c ; mtg:number "3.4" .
        :c mtg:level "chapter" ; dcterms:title "Starting the Game" .
        :o mtg:kind "starts-with" ; mtg:subject "life total" ; mtg:value "40" ;
        mtg:scope "basket" ; mtg:quote "It is 40." ; prov:wasQuotedFrom :v .""",
        """[] mtg:kind "overrides" ; mtg:subject :v ; mtg:value :q ; mtg:scope "basket" ;
        mtg:quote "It is 40." ; prov:wasQuotedFrom :v ; prov:wasDerivedFrom
        [ mtg:kind "starting-life" ; mtg:subject "basket" ],
        [ mtg:kind "starting-life" ; mtg:subject "default" ] .""",
        (
            ('mtg:value "40"', 'mtg:value "20"'),  # it says the same
            ("mtg:scope", "mtg:cue"),
            ("Starting the Game", "Ending the Game"),
        ),
    ),
    Case(
        "turn-based-times",
        """:h mtg:text "They are as follows:" . :l mtg:kind "announces" ; mtg:subject :h ;
        mtg:value "turn-based action" ; mtg:quote "They are as follows:" .
        :a dcterms:isPartOf :h ; mtg:number "7.1a" ; mtg:position 1 .
        :b dcterms:isPartOf :h ; mtg:number "7.1b" ; mtg:position 2 .
        :s mtg:kind "at" ; mtg:subject :a ; mtg:position 5 ; mtg:value "draw step" ;
        mtg:quote "In the draw step, one is drawn." .""",
        """[] mtg:kind "happens-at" ; mtg:subject :a ; mtg:value "draw step" ;
        prov:wasDerivedFrom :s, [ mtg:kind "item" ; mtg:subject :a ] .
        [] mtg:kind "happens-at" ; mtg:subject :b ; mtg:value "draw step" ;
        mtg:quote "In the draw step, one is drawn." ; prov:wasQuotedFrom :a .""",
        (('"turn-based action"', '"special action"'), ('"at"', '"outcome"'), ("t :a ;", "t :h ;")),
        2,
    ),
    Case(
        "turn-parts",
        _TURN,
        """[] mtg:kind "turn-part" ; mtg:subject "ending phase" ; mtg:value "" ;
        mtg:quote "It ends." ; prov:wasQuotedFrom :r ; mtg:position 300000 ;
        prov:wasDerivedFrom :s .""",
        (('"part"', '"member"'), ('"turn"', '"game"')),
    ),
    Case(
        "turn-parts",
        _TURN
        + """:p mtg:kind "part" ; mtg:subject "ending phase" ; mtg:value "cleanup" ;
        mtg:scope "step" ; mtg:position 8 ; mtg:quote "It has one." ; prov:wasQuotedFrom :q .""",
        """[] mtg:kind "turn-part" ; mtg:subject "ending phase" ; mtg:value "cleanup step" ;
        mtg:quote "It has one." ; prov:wasQuotedFrom :q ; mtg:position 300008 ;
        prov:wasDerivedFrom :s, :p .""",
        (('"turn"', '"game"'),),
    ),
)
