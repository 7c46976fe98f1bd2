"""The closed vocabulary, and the only place that mints IRIs.

Terms of our own stand in ``rules/vocabulary.ttl``; a name that is not there cannot be
written here (a test compares the two). The namespace is fixed, so that a query reads alike
everywhere; the base of all other IRIs is a setting.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING
from urllib.parse import quote

from pyoxigraph import NamedNode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kb.records import Place

BASE = "https://mtgkb.example/"
NAMESPACE = "https://mtgkb.example/ns#"
PREFIXES = {
    "mtg": NAMESPACE,
    "dcterms": "http://purl.org/dc/terms/",
    "prov": "http://www.w3.org/ns/prov#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}


def _node(prefixed: str) -> NamedNode:
    prefix, _, name = prefixed.partition(":")
    return NamedNode(PREFIXES[prefix] + name)


class _Vocabulary(Enum):
    """Members are prefixed names; ``node`` is the IRI."""

    def __init__(self, prefixed: str) -> None:
        self.node: NamedNode = _node(prefixed)


class C(_Vocabulary):
    """Classes."""

    RELEASE = "mtg:Release"
    SECTION = "mtg:Section"
    RULE = "mtg:Rule"
    EXAMPLE = "mtg:Example"
    TERM = "mtg:Term"
    SENSE = "mtg:Sense"
    BLOCK = "mtg:Block"
    CITATION = "mtg:Citation"
    STATEMENT = "mtg:Statement"
    PROBLEM = "mtg:Problem"
    CARD = "mtg:Card"
    FACE = "mtg:Face"
    ABILITY = "mtg:Ability"
    RULING = "mtg:Ruling"
    IDENTITY = "mtg:RuleIdentity"
    VERSION = "mtg:Version"
    STALE = "mtg:StaleReference"
    TERM_VERSION = "mtg:TermVersion"
    CONCEPT = "skos:Concept"
    CONCEPT_SCHEME = "skos:ConceptScheme"


class P(_Vocabulary):
    """Properties."""

    TYPE = "rdf:type"
    # a release
    NAME = "mtg:name"
    EFFECTIVE = "mtg:effective"
    EDITION = "mtg:edition"
    OFFICIAL = "mtg:official"
    VARIANT = "mtg:variant"
    SHA256 = "mtg:sha256"
    ENCODING = "mtg:encoding"
    TITLE = "dcterms:title"
    # the text
    NUMBER = "mtg:number"
    LABEL = "mtg:label"
    TITLE_KEY = "mtg:titleKey"
    LEVEL = "mtg:level"
    TEXT = "mtg:text"
    SPANS = "mtg:spans"
    POSITION = "mtg:position"
    PART_OF = "dcterms:isPartOf"
    VERSION_OF = "dcterms:isVersionOf"
    HEADING = "mtg:heading"
    OBSOLETE = "mtg:obsolete"
    SENSE_NUMBER = "mtg:senseNumber"
    KIND = "mtg:kind"
    GOVERNS = "mtg:governs"
    MENTIONS_NAME = "mtg:mentionsName"
    # a concept
    PREF_LABEL = "skos:prefLabel"
    ALT_LABEL = "skos:altLabel"
    IN_SCHEME = "skos:inScheme"
    # a citation
    REFERENCES = "dcterms:references"
    CITED_IN = "mtg:citedIn"
    IN_EXAMPLE = "mtg:inExample"
    CITES = "mtg:cites"
    CITED_NUMBER = "mtg:citedNumber"
    QUOTED_TITLE = "mtg:quotedTitle"
    FORM = "mtg:form"
    START = "mtg:start"
    END = "mtg:end"
    QUOTE = "mtg:quote"
    # a statement
    SUBJECT = "mtg:subject"
    VALUE = "mtg:value"
    CUE = "mtg:cue"
    QUOTED_FROM = "prov:wasQuotedFrom"
    EXCEPTION_TO = "mtg:exceptionTo"
    ONLY_CARD = "mtg:onlyCard"
    REPLACED_BY = "dcterms:isReplacedBy"
    SCOPE = "mtg:scope"
    ABOUT = "mtg:about"
    # an inferred statement
    INFERRED_BY = "mtg:inferredBy"
    DERIVED_FROM = "prov:wasDerivedFrom"
    RULED_ON = "mtg:ruledOn"
    WITHIN = "mtg:within"
    # a card
    ORACLE_ID = "mtg:oracleId"
    LAYOUT = "mtg:layout"
    MANA_VALUE = "mtg:manaValue"
    COLOR_IDENTITY = "mtg:colorIdentity"
    LISTED_KEYWORD = "mtg:listedKeyword"
    LEGAL_IN = "mtg:legalIn"
    BANNED_IN = "mtg:bannedIn"
    RESTRICTED_IN = "mtg:restrictedIn"
    PRINTED_NAME = "mtg:printedName"
    NAME_KEY = "mtg:nameKey"
    # a face
    TYPE_LINE = "mtg:typeLine"
    SUPERTYPE = "mtg:supertype"
    CARD_TYPE = "mtg:cardType"
    SUBTYPE = "mtg:subtype"
    MANA_COST = "mtg:manaCost"
    SYMBOL = "mtg:symbol"
    COLOR = "mtg:color"
    COLOR_INDICATOR = "mtg:colorIndicator"
    POWER = "mtg:power"
    POWER_NUMBER = "mtg:powerNumber"
    TOUGHNESS = "mtg:toughness"
    TOUGHNESS_NUMBER = "mtg:toughnessNumber"
    LOYALTY = "mtg:loyalty"
    DEFENSE = "mtg:defense"
    HAND_MODIFIER = "mtg:handModifier"
    LIFE_MODIFIER = "mtg:lifeModifier"
    KEYWORD = "mtg:keyword"
    # an ability
    ABILITY_WORD = "mtg:abilityWord"
    COST = "mtg:cost"
    EFFECT = "mtg:effect"
    REMINDER = "mtg:reminder"
    KEYWORD_USE = "mtg:keywordUse"
    # a ruling
    RULING_ON = "mtg:rulingOn"
    CLEANED = "mtg:cleaned"
    SPEAKS_OF = "mtg:speaksOf"
    DATE = "dcterms:date"
    SOURCE = "dcterms:publisher"
    # a history
    WORDING = "mtg:wording"
    ILLUSTRATION = "mtg:illustration"
    FIRST = "mtg:first"
    LAST = "mtg:last"
    ILLUSTRATION_WORDING = "mtg:illustrationWording"
    REFERENCE_KEY = "mtg:referenceKey"
    MEANT = "mtg:meant"
    RIGHT_UNTIL = "mtg:rightUntil"
    CONFIDENCE = "mtg:confidence"
    METHOD = "mtg:method"
    SPLIT_INTO = "mtg:splitInto"
    MERGED_INTO = "mtg:mergedInto"
    REVISION_OF = "prov:wasRevisionOf"
    ALTERNATE_OF = "prov:alternateOf"
    EDITED = "mtg:edited"
    CHANGE = "mtg:change"
    REMOVED_IN = "mtg:removedIn"
    # a problem
    MESSAGE = "mtg:message"
    LINE = "mtg:line"
    COLUMN = "mtg:column"
    EXCERPT = "mtg:excerpt"


def slug(name: str) -> str:
    """Return a name as it stands in an IRI: lower case, words joined by hyphens."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower().replace("'", "")).strip("-") or quote(
        name, safe=""
    )


def keys(names: Iterable[str]) -> Iterator[str]:
    """Yield each name, a later one of the same name with ``~2``, ``~3`` behind it."""
    seen: dict[str, int] = {}
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        yield name if seen[name] == 1 else f"{name}~{seen[name]}"


@dataclass(frozen=True, slots=True)
class Minter:
    """Mints the IRIs of one release.

    A release's own IRI names its graph too. ``base`` ends with a slash.
    """

    release_name: str
    base: str = BASE

    @property
    def release(self) -> NamedNode:
        """The release, and the graph of what its text says."""
        return NamedNode(f"{self.base}cr/{self.release_name}")

    def within(self, path: str) -> NamedNode:
        """Return the IRI of a part of the release (``problem/3``, ``section/7``)."""
        return NamedNode(f"{self.base}cr/{self.release_name}/{path}")

    def rule(self, key: str) -> NamedNode:
        """Return the IRI of a rule's version in the release."""
        return self.within(f"rule/{key}")

    def term(self, key: str) -> NamedNode:
        """Return the IRI of a term's version in the release."""
        return self.within(f"term/{key}")

    def concept(self, key: str) -> NamedNode:
        """Return the IRI of a term over all releases."""
        return NamedNode(f"{self.base}id/term/{key}")

    @property
    def scheme(self) -> NamedNode:
        """Return the IRI of the scheme of all terms."""
        return NamedNode(f"{self.base}id/term")

    def place(self, place: Place) -> NamedNode:
        """Return the IRI of the rule or term that a place is in."""
        return self.rule(place.name) if place.kind == "rule" else self.term(place.name)

    def below(self, node: NamedNode, kind: str, ordinal: int) -> NamedNode:
        """Return the IRI of the nth example, sense, citation or statement of a rule or term."""
        return _below(node, kind, ordinal)


@dataclass(frozen=True, slots=True)
class CardMinter:
    """Mints the IRIs of cards, which belong to no release."""

    base: str = BASE

    @property
    def graph(self) -> NamedNode:
        """The graph of all cards."""
        return NamedNode(f"{self.base}cards")

    def card(self, oracle_id: str | None, name: str) -> NamedNode:
        """Return a card's IRI: its oracle id, or ``name:`` and its exact name where it has none.

        No other id or name gives the same IRI, whatever characters are in it.
        """
        own = quote(oracle_id, safe="") if oracle_id else f"name:{quote(name, safe='')}"
        return NamedNode(f"{self.base}id/card/{own}")

    def below(self, node: NamedNode, kind: str, ordinal: int) -> NamedNode:
        """Return the IRI of the nth face or ruling of a card, or ability of a face."""
        return _below(node, kind, ordinal)


@dataclass(frozen=True, slots=True)
class HistoryMinter:
    """Mints the IRIs of the history of rules and terms over all releases."""

    base: str = BASE

    @property
    def graph(self) -> NamedNode:
        """The graph of history."""
        return NamedNode(f"{self.base}history")

    def rule(self, key: str) -> NamedNode:
        """Return the IRI of a rule over all releases; no number stands in it."""
        return NamedNode(f"{self.base}id/rule/{key}")

    def term_version(self, key: str) -> NamedNode:
        """Return the IRI of a glossary entry as it stood from one release to another."""
        return NamedNode(f"{self.base}id/term-version/{key}")

    def below(self, node: NamedNode, kind: str, ordinal: int) -> NamedNode:
        """Return the IRI of the nth version of a rule."""
        return _below(node, kind, ordinal)


def _below(node: NamedNode, kind: str, ordinal: int) -> NamedNode:
    return NamedNode(f"{node.value}/{kind}/{ordinal}")


def inferred_graph(release: NamedNode) -> NamedNode:
    """Return the graph of what is inferred of a release."""
    return NamedNode(f"{release.value}/inferred")
