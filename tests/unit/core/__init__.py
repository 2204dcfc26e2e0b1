"""The ground floor: tables of cases, and properties over generated ones."""
