"""A card file → its objects, one at a time, whatever it is packed in.

What a file is, is told from its content. MTGJSON's AtomicCards is ``{"meta": …, "data":
{name: [face, …]}}``; Scryfall's bulk files are an array of objects, or one object a line, and
its service answers with ``{"object": "list", "data": [object, …]}``. Line ends, indents and
the order of keys make no difference, and several such files may follow each other in one.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from kb.cards.json_text import BrokenJson, Frame, JsonText
from kb.cards.packing import unpacked
from kb.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_FILE = Frame("{[", "}")
_LIST = Frame("{", "}", "]")
_MEMBERS = Frame('"', "]}", "}")


@dataclass(frozen=True, slots=True)
class CardObject:
    """An object of a card file: where it stands, and its value; or what is wrong there.

    ``name`` is the key under which MTGJSON lists it. ``kind`` is ``truncated`` where the
    file ends too early.
    """

    place: str
    value: Any = None
    name: str | None = None
    fault: str | None = None
    line: int = 0
    kind: str = "card"


@dataclass(frozen=True, slots=True)
class FileDate:
    """The date that a file gives to itself."""

    iso: str


def card_objects(path: Path) -> Iterator[CardObject | FileDate]:
    """Yield the objects of a card or ruling file, and its date where it has one.

    Raises:
        SourceError: it cannot be read or unpacked, is empty, or is no JSON of a known shape.
    """
    with unpacked(path) as read:
        text = JsonText(read)
        begin = text.peek()
        if not begin or begin not in "{[":
            raise SourceError(
                "this is no card file",
                where=str(path),
                why="it is no JSON object or array" if begin else "it is empty",
                hint="give MTGJSON's AtomicCards, or Scryfall's oracle-cards or rulings",
            )
        yield from _Objects(text).all()


class _Objects:
    """Walks through a text; each step yields what it finds."""

    def __init__(self, text: JsonText) -> None:
        self.text = text
        self.count = 0
        self.may_hold_others = True
        self.is_end_told = False

    def all(self) -> Iterator[CardObject | FileDate]:
        """Yield everything, value by value."""
        while begin := self.text.peek():
            if begin == "[":
                yield from self._list()
            elif begin == "{" and self.may_hold_others:
                yield from self._members()
            elif begin == "]":
                yield self._wrong("there is a “]” without its “[”: the file has no beginning")
                self.text.take("]")
            elif not self.text.take(","):
                yield self._one(_FILE)

    def _list(self) -> Iterator[CardObject]:
        self.text.take("[")
        while (begin := self.text.peek()) and begin != "]":
            if not self.text.take(","):
                yield self._one(_LIST)
        yield from self._closed("]", "list")

    def _closed(self, mark: str, what: str) -> Iterator[CardObject]:
        """Take the closing bracket, or tell once that the file ends before it."""
        if not self.text.take(mark) and not self.is_end_told:
            self.is_end_told = True
            why = f"the file was cut: it ends before the “{mark}” of its {what}"
            yield self._wrong(why, "truncated")

    def _one(self, frame: Frame) -> CardObject:
        self.count += 1
        place, line = self._place(), self.text.line
        try:
            return CardObject(place, self.text.value(), line=line)
        except BrokenJson as error:
            if not error.is_cut:
                self.text.pass_over(frame, self.text.margin())
            return self._broken(place, line, error)

    def _place(self) -> str:
        """Return the line; and the ordinal, unless the object is at the beginning of a line."""
        line = f"line {self.text.line}"
        return line if self.text.margin() == "" else f"{line}, object {self.count}"

    def _wrong(self, why: str, kind: str = "card") -> CardObject:
        line = self.text.line
        return CardObject(f"line {line}", fault=why, line=line, kind=kind)

    def _broken(self, place: str, line: int, error: BrokenJson) -> CardObject:
        """Return a value that cannot be read, and say what was passed over for it."""
        why = f"the JSON ends or breaks: {error}"
        if error.is_cut:
            self.text.to_end()
            self.is_end_told = True
            return CardObject(place, fault=why, line=line, kind="truncated")
        if not self.text.peek():
            self.is_end_told = True
            why += "; passed over up to the end of the file"
        elif self.text.line > line:
            why += f"; passed over up to line {self.text.line}"
        return CardObject(place, fault=why, line=line)

    def _members(self) -> Iterator[CardObject | FileDate]:
        """Read an object key by key: it may be a card, or hold all the others."""
        self.count += 1
        place, line, margin = self._place(), self.text.line, self.text.margin()
        members: dict[str, Any] = {}
        is_whole, self.may_hold_others = True, False
        is_apart = self.text.take("{")
        while (begin := self.text.peek()) and begin != "}":
            if self.text.take(","):
                is_apart = True
                continue
            own, key = self.text.margin(), None
            try:
                key, is_apart = self._key(is_apart=is_apart), False
                if key == "data" and not members.keys() & {"name", "comment"}:
                    self.may_hold_others = True
                    yield from self._data()
                else:
                    members[key] = self.text.value()
                    yield from _date(key, members[key], place, line)
            except BrokenJson as error:
                is_whole, is_apart = False, True  # what is passed over may end with a comma
                is_inside = self._pass_over_member(key, own, margin, error)
                yield self._broken(place, line, error)
                if not is_inside:
                    return
        yield from self._closed("}", "object")
        if is_whole and not self.is_end_told and not self.may_hold_others:
            lacks = "meta" in members and "name" not in members
            fault = "it has “meta”, but no “data”" if lacks else None
            yield CardObject(place, members, fault=fault, line=line)

    def _key(self, *, is_apart: bool) -> str:
        if not is_apart:  # two objects may run into each other here
            raise BrokenJson("expected a comma before a key")
        return self.text.key()

    def _pass_over_member(
        self, key: str | None, own: str | None, outer: str | None, error: BrokenJson
    ) -> bool:
        """Go behind what is broken in an object that is read key by key.

        ``own`` and ``outer`` are the margins of the key and of the object. Returns whether
        the cursor is still inside the object.
        """
        if error.is_cut:
            return False
        is_a_word = self.text.peek() not in '{["'
        if own is not None and is_a_word:
            self.text.to_line(_MEMBERS, own)
        elif own is not None or (key is not None and is_a_word):
            self.text.pass_over(_MEMBERS, own)
        elif key is None:
            self.text.pass_over(_FILE, outer, depth=1)
            return False
        elif not self.text.to_bracket(0):
            self.text.to_line(_FILE, outer)
            return False
        return True

    def _data(self) -> Iterator[CardObject]:
        self.count -= 1  # the object around the others is none of them
        begin = self.text.peek()
        if begin == "{":
            yield from self._names()
        elif begin == "[":
            yield from self._list()
        else:
            self.text.value()
            yield self._wrong("“data” is neither an object of names nor a list")

    def _names(self) -> Iterator[CardObject]:
        self.text.take("{")
        while (begin := self.text.peek()) and begin != "}":
            if self.text.take(","):
                continue
            self.count += 1
            line, margin, place = self.text.line, self.text.margin(), f"object {self.count}"
            try:
                name = self.text.key()
                place = f"“{name}”"
                value = self.text.value()
            except BrokenJson as error:
                if not error.is_cut:
                    self.text.pass_over(_MEMBERS, margin)
                yield self._broken(f"line {line}, {place}", line, error)
                continue
            fault = None if isinstance(value, list) else "it is no list of faces"
            yield CardObject(f"line {line}, {place}", value, name, fault, line)
        yield from self._closed("}", "“data”")


def _date(key: str, value: Any, place: str, line: int) -> Iterator[CardObject | FileDate]:  # noqa: ANN401
    """Yield the date of the file if a member is what tells it."""
    if key != "meta" or not isinstance(value, dict) or value.get("date") is None:
        return
    try:
        yield FileDate(date.fromisoformat(value["date"][:10]).isoformat())
    except (TypeError, ValueError):
        yield CardObject(place, fault="meta.date: it is no date", line=line)
