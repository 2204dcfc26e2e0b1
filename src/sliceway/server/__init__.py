"""The brain over HTTP: every call of `wire/routes.py`, for whoever shows a token, and what a server owes its keeper."""
