"""The store: tables, the ledger and its projections. SQL stops here."""
