"""A brain elsewhere: what its client does when the wire is good, bad, or slow."""
