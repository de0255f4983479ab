"""The texts that judges are asked with, from files in `prompts/`, and their digests."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path

from harness.judges.answer import SUBMIT_REVIEW
from harness.judges.dimensions import Dimension

PROMPTS = Path(__file__).parent / "prompts"


@cache
def prompt(name: str) -> str:
    """The text of a file in `prompts/`, such as `review`."""
    return (PROMPTS / f"{name}.md").read_text(encoding="utf-8").strip()


def dimension_part(dimension: Dimension) -> str:
    """The last part of the prompt, the only one that differs between the dimensions of one run."""
    return (
        f"THE DIMENSION: {dimension.title}\n\n{dimension.guide}\n\n"
        f"Review the agent on this dimension only, and answer with one call of submit_review."
    )


def dimension_digest(dimension: Dimension) -> str:
    """SHA-256 of all that judges are asked with for this dimension except the run; 64 hexadecimal digits.

    It covers the common text, the dimension's part and the schema of the answer: a change of any makes other reviews.
    """
    parts = (prompt("review"), dimension_part(dimension), json.dumps(SUBMIT_REVIEW, sort_keys=True))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
