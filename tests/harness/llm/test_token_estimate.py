"""Tokens, estimated from bytes."""

from __future__ import annotations

import pytest

from harness.llm.token_estimate import calibrated, size


def test_the_size_is_that_of_the_json_in_bytes() -> None:
    assert size([]) == len("[]")
    # The umlaut has two bytes, the snowman three, and half of a surrogate pair three.
    assert size([{"a": "ü"}]) == len('[{"a": ""}]') + 2
    assert size([{"a": "\N{SNOWMAN}\ud800"}]) == len('[{"a": ""}]') + 6


@pytest.mark.parametrize(
    ("sent", "prompt_tokens", "expected"),
    [(3000, 1000, 3.0), (1000, 0, 4.0), (100, 1000, 1.0), (100_000, 1000, 8.0)],
)
def test_bytes_per_token_come_from_the_bill(sent: int, prompt_tokens: int, expected: float) -> None:
    assert calibrated(sent, prompt_tokens) == expected
