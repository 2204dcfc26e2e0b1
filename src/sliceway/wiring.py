"""The one file that names concrete classes: it opens everything, in order, and closes it in reverse."""

from sliceway.workspace.server import running_workspace

__all__ = ["running_workspace"]
