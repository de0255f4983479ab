"""Attempts to forge the verdict of a task, one module for each kind of world and of trick."""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks.forging.attempts import (
    added_results,
    command_answers,
    command_files,
    command_memory,
    endless_results,
    equal_values,
    java,
    java_events,
    java_more_results,
    java_settings,
    javascript_files,
    javascript_more_results,
    javascript_process,
    javascript_settings,
    javascript_vitest,
    linked_files,
    linked_process,
    odd_results,
    python_answers,
    python_files,
    python_internals,
    python_memory,
    python_planted,
    python_runtime,
    python_twins,
)
from benchmarks.forging.attempts.model import KINDS, Attempt

_MODULES = (
    added_results,
    command_answers,
    command_files,
    command_memory,
    endless_results,
    equal_values,
    java,
    java_events,
    java_more_results,
    java_settings,
    javascript_files,
    javascript_more_results,
    javascript_process,
    javascript_settings,
    javascript_vitest,
    linked_files,
    linked_process,
    odd_results,
    python_answers,
    python_files,
    python_internals,
    python_memory,
    python_planted,
    python_runtime,
    python_twins,
)

ATTEMPTS: Mapping[str, Attempt] = {attempt.id: attempt for module in _MODULES for attempt in module.ATTEMPTS}

__all__ = ["ATTEMPTS", "KINDS", "Attempt"]
