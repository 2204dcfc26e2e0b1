"""Contestants of the bench side by side: small programs that speak lines of JSON, each in an environment of its own."""
