"""The command line: a function a command, each imported when it is called."""

from kb.cli.main import main

__all__ = ["main"]
