"""The page of the local workspace, in a real browser."""
