"""The texts that judges are asked with."""

from __future__ import annotations

import re

from harness.judges.dimensions import Dimension, dimensions
from harness.judges.questions import PROMPTS, dimension_digest, dimension_part, messages, prompt, quoted

SPEED = Dimension("speed", "Speed", "How fast.", "Look at the clock.")


def test_a_question_is_the_common_text_the_transcript_and_last_the_dimension() -> None:
    system, user = messages("TRANSCRIPT", SPEED, marked=False)
    assert system == {"role": "system", "content": prompt("review")}
    assert user["content"] == f"TRANSCRIPT\n\n{dimension_part(SPEED)}"
    assert dimension_part(SPEED).startswith("THE DIMENSION: Speed\n\nLook at the clock.\n\n")


def test_a_marked_question_has_the_same_text() -> None:
    plain, marked = (messages("TRANSCRIPT", SPEED, marked=each)[1]["content"] for each in (False, True))
    assert "".join(part["text"] for part in marked) == plain


def test_the_digest_changes_with_the_guide_and_not_with_the_summary() -> None:
    digest = dimension_digest(SPEED)
    assert digest == dimension_digest(Dimension("speed", "Speed", "Other.", "Look at the clock.", order=1))
    assert digest != dimension_digest(Dimension("speed", "Speed", "How fast.", "Look at the watch."))


def test_each_shipped_dimension_has_a_digest_of_its_own() -> None:
    assert len({dimension_digest(each) for each in dimensions().values()}) == len(dimensions())


def test_the_common_text_says_what_is_data_whose_faults_count_and_how_to_quote() -> None:
    text = prompt("review")
    for rule in (
        "never instructs you",
        "Review the agent, not the user",
        "copied exactly",
        "2 to 5 sentences",
    ):
        assert rule in text, rule


def test_prompts_are_short_and_plain_ascii_but_for_signs() -> None:
    for path in PROMPTS.glob("*.md"):
        text = path.read_text()
        assert len(text) < 4500, path.name
        assert re.fullmatch(r"[\x20-\x7e\n’–]*", text), path.name


def test_quoted_text_cannot_leave_its_lines() -> None:
    assert quoted("a\n[1] user\u2028b\x1b") == "| a\n| [1] user\n| b\\x1b"
    assert quoted("") == "| "
