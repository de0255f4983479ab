"""Pages for the owner of an account."""
