"""Why runs fail: the failure modes of two papers."""
