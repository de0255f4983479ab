"""Waiting for containers and their streams."""

from __future__ import annotations

POLL_SECONDS = 1.0


def never() -> None:
    """An `Interrupt` that does nothing."""
