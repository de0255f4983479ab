"""Which agents go well together."""
