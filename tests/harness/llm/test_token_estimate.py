"""Tokens, estimated from bytes."""

from __future__ import annotations

import pytest

from harness.llm.token_estimate import IMAGE_PART, PICTURE_BYTES, calibrated, pictures_in, size


def test_the_size_is_that_of_the_json_in_bytes() -> None:
    assert size([]) == len("[]")
    # The umlaut has two bytes, the snowman three, and half of a surrogate pair three.
    assert size([{"a": "ü"}]) == len('[{"a": ""}]') + 2
    assert size([{"a": "\N{SNOWMAN}\ud800"}]) == len('[{"a": ""}]') + 6


def test_a_picture_has_a_fixed_size_and_other_parts_have_that_of_their_json() -> None:
    text = {"type": "text", "text": "See."}
    picture = {"type": IMAGE_PART, "image_url": {"url": "data:image/png;base64," + "A" * 100_000}}
    assert size([{"content": [picture, text, picture]}]) == size([{"content": [text]}]) + 2 * PICTURE_BYTES
    assert [pictures_in({"content": each}) for each in ([picture, text], "text", None, ["odd"])] == [
        1,
        0,
        0,
        0,
    ]


@pytest.mark.parametrize(
    ("sent", "prompt_tokens", "expected"),
    [(3000, 1000, 3.0), (1000, 0, 4.0), (100, 1000, 1.0), (100_000, 1000, 8.0)],
)
def test_bytes_per_token_come_from_the_bill(sent: int, prompt_tokens: int, expected: float) -> None:
    assert calibrated(sent, prompt_tokens) == expected
