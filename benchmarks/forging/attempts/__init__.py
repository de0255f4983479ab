"""Attempts to forge the verdict of a task, one module for each kind of world."""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks.forging.attempts import python_library
from benchmarks.forging.attempts.model import KINDS, Attempt

ATTEMPTS: Mapping[str, Attempt] = {attempt.id: attempt for attempt in (*python_library.ATTEMPTS,)}

__all__ = ["ATTEMPTS", "KINDS", "Attempt"]
