"""The ground floor: values, rules and tables. Pure; no I/O, no clock, no randomness."""
