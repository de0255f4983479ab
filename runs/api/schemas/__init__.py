"""The objects that the API returns."""
