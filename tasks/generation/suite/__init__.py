"""The hidden tests of a repository, and what they say of a candidate."""
