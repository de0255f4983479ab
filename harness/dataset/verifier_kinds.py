"""The kinds of verifiers of a workflow task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Verifier:
    """One check of a workflow task. `name` is its id among the results."""

    kind: str
    name: str
    parameters: Mapping[str, Any]
