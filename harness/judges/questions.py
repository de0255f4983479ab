"""The texts that judges are asked with, from files in `prompts/`, and their digests."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from harness.judges.answer import SUBMIT_REVIEW
from harness.judges.dimensions import Dimension
from harness.judges.lookup import PREFIX, visible
from harness.llm.replies import Message, well_formed

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
    return question_digest("review", dimension_part(dimension), SUBMIT_REVIEW)


def question_digest(name: str, last_part: str, tool: Mapping[str, Any]) -> str:
    """SHA-256 of the text in `prompts/`, the last part of the prompt and the tool; 64 hexadecimal digits."""
    parts = (prompt(name), last_part, json.dumps(tool, sort_keys=True))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def messages(transcript: str, dimension: Dimension, *, marked: bool) -> list[Message]:
    """The question: the common text, the transcript, and last the dimension's part.

    The questions about one run are the same up to the dimension's part, so a provider's cache can serve all but the
    first. `marked`: the model needs a mark where that common part ends; others get one plain text, because not every
    server reads lists of parts.
    """
    system: Message = {"role": "system", "content": prompt("review")}
    part = dimension_part(dimension)
    if not marked:
        return [system, {"role": "user", "content": f"{transcript}\n\n{part}"}]
    shared = {"type": "text", "text": f"{transcript}\n\n", "cache_control": {"type": "ephemeral"}}
    return [system, {"role": "user", "content": [shared, {"type": "text", "text": part}]}]


def quoted(text: str) -> str:
    """`text` as content: each line with the prefix that headers and instructions never have."""
    return "\n".join(f"{PREFIX}{line}" for line in visible(well_formed(text)).splitlines() or [""])
