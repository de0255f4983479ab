"""Attempts to forge the verdict of a task, one module for each kind of world."""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks.forging.attempts import commands, java, javascript, linked, python_library
from benchmarks.forging.attempts.model import KINDS, Attempt

_MODULES = (python_library, commands, linked, javascript, java)

ATTEMPTS: Mapping[str, Attempt] = {attempt.id: attempt for module in _MODULES for attempt in module.ATTEMPTS}

__all__ = ["ATTEMPTS", "KINDS", "Attempt"]
