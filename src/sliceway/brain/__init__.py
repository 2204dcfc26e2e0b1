"""The embedded brain: the rules over a store, each part in a file of its own."""
