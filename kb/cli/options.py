"""Options that every command takes, and what they mean."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kb.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from kb.knowledge import KnowledgeBase


@dataclass(frozen=True, slots=True)
class Settings:
    """Where the knowledge base is, which release is asked, how answers are printed."""

    folder: Path
    release: str | None
    form: str

    def open(self) -> KnowledgeBase:
        """Open the knowledge base.

        Raises:
            StoreError: there is none.
        """
        from kb.knowledge import KnowledgeBase  # noqa: PLC0415 - only commands that read need it

        return KnowledgeBase.open(self.folder)


def home() -> Path:
    """Return mtgkb's home folder: MTGKB_HOME, or the platform's place for a user's files."""
    if given := os.environ.get("MTGKB_HOME"):
        return Path(given)
    from platformdirs import user_data_path  # noqa: PLC0415 - not needed when the home is given

    return user_data_path("mtgkb", appauthor=False)


def common(*forms: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command ``--kb``, ``--release`` and ``--format``; it gets one ``Settings``.

    Args:
        forms: the formats that the command prints; the first is the default.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @click.option("--kb", "folder", metavar="DIR", help="The knowledge base's folder.")
        @click.option("--release", metavar="DATE", help="The release to ask (default: newest).")
        @click.option("--format", "form", metavar="FORM", help=" | ".join(forms))
        @wraps(function)
        def command(
            *args: Any,  # noqa: ANN401 - the command's own
            folder: str | None,
            release: str | None,
            form: str | None,
            **kwargs: Any,  # noqa: ANN401
        ) -> Any:  # noqa: ANN401
            outer = click.get_current_context().obj or {}
            chosen = form or outer.get("form") or forms[0]
            if chosen not in forms:
                raise UsageError(f"no format {chosen!r} here", hint=f"one of {', '.join(forms)}")
            place = folder or outer.get("folder")
            settings = Settings(
                Path(place) if place else home() / "kb", release or outer.get("release"), chosen
            )
            return function(settings, *args, **kwargs)

        return command

    return decorate
