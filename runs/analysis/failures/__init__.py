"""The failure modes of two papers."""
