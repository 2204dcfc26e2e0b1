"""`python -m sliceway` and the command `sliceway`."""

from __future__ import annotations

from sliceway.cli import run


def main() -> None:
    """Run the command line and exit with its code."""
    raise SystemExit(run())


if __name__ == "__main__":
    main()
