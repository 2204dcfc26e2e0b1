"""The command line: one file a verb family, each loaded when first used."""

from sliceway.cli.front import run

__all__ = ["run"]
