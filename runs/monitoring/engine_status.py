"""The container engine of this host."""

from __future__ import annotations

from harness.sandbox import open_engine
from harness.sandbox.base import EngineStatus


def engine_status() -> EngineStatus:
    """Whether the engine answers, with reason and remedy where it does not. Never raises."""
    return open_engine().status()
