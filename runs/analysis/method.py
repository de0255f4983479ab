"""How a number is computed: entries of the methods page and docs/methods.md, taken from docstrings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

LABELS = ("Formula:", "Source:", "Units:", "Small n:")


@dataclass(frozen=True, slots=True)
class Method:
    """One number and the code that computes it. `anchor` is its link on the methods page, unique over all groups.

    The docstring of `described` starts with a description, followed by a paragraph for each of LABELS: the formula, the
    source (paper and section), the units of input and output, and the results for n = 0 and n = 1.
    """

    anchor: str
    title: str
    described: Callable[..., Any] | type
