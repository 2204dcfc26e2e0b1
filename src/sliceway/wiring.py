"""The one file that names concrete classes: it opens everything, in order, and closes it in reverse."""
