"""Statistics that several groups lean on."""
