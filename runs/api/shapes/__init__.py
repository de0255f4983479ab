"""The objects that the API answers with."""
