"""Statistics that several packages use."""
