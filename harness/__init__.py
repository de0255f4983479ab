"""Runs one coding agent on one task in a container, records every step, and grades the result.

Independent of Django: `python -m harness --help` works from a shell, without a database or Redis. The public names are
defined here and loaded on first use; docs/harness.md shows how to use them.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from harness.version import __version__

if TYPE_CHECKING:
    from harness.admission.admit import admit
    from harness.agents.base import AgentSpec
    from harness.dataset import load_dataset
    from harness.errors import HarnessError
    from harness.execute import execute_run
    from harness.grading.grade import grade
    from harness.limits import Limits
    from harness.llm.spec import ModelSpec
    from harness.records import Identity, RunRecord, RunSummary
    from harness.sandbox import open_engine

_HOMES = {
    "AgentSpec": "harness.agents.base",
    "HarnessError": "harness.errors",
    "Identity": "harness.records",
    "Limits": "harness.limits",
    "ModelSpec": "harness.llm.spec",
    "RunRecord": "harness.records",
    "RunSummary": "harness.records",
    "admit": "harness.admission.admit",
    "execute_run": "harness.execute",
    "grade": "harness.grading.grade",
    "load_dataset": "harness.dataset",
    "open_engine": "harness.sandbox",
}
__all__ = list(_HOMES)


if not TYPE_CHECKING:  # otherwise type checkers would accept misspelt names

    def __getattr__(name: str) -> Any:
        """Loads a public name, so that `import harness` alone does not import Docker, pydantic and others."""
        if name not in _HOMES:
            raise AttributeError(f"module 'harness' has no attribute {name!r}")
        return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
