"""The version of the harness, as runs, proofs and generated tasks state it."""

__version__ = "0.2.0"
