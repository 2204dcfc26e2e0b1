"""The store: tables, ledger and desk, synchronous, the only floor that speaks SQL."""
