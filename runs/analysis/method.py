"""How a number is made, as the methods page and docs/methods.md tell it: in the words of its own docstring."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

LABELS = ("Formula:", "Source:", "Units:", "Small n:")


@dataclass(frozen=True, slots=True)
class Method:
    """One number and where it is computed. `anchor` is its place on the methods page, unique over all groups.

    The docstring of `described` says first what it promises, then has a paragraph for each of LABELS: the formula, the
    paper and section that it comes from, the units of what goes in and comes out, and what n = 0 and n = 1 give.
    """

    anchor: str
    title: str
    described: Callable[..., Any] | type
