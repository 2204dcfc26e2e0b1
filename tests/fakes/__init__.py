"""Stand-ins that tests hold in their hands."""
