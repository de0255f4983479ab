"""Which pictures a run directory takes."""

from __future__ import annotations

import pytest

from harness.pictures import MOST_PICTURE_BYTES, check_picture
from tests.harness.worlds import png


@pytest.mark.parametrize(
    "content",
    [png(), png(1280, 720), png(40_000_000, 1), png().ljust(MOST_PICTURE_BYTES)],
    ids=["a pixel", "a window", "as many pixels as allowed", "as many bytes as allowed"],
)
def test_a_png_file_within_the_limits_is_taken(content: bytes) -> None:
    check_picture(content)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "it is not a PNG file"),
        (b"GIF89a" + bytes(100), "it is not a PNG file"),
        (png()[:23], "it is not a PNG file"),
        (png().replace(b"IHDR", b"IDAT"), "it is not a PNG file"),
        (b" " + png(), "it is not a PNG file"),
        (png().ljust(MOST_PICTURE_BYTES + 1), "it has 4194305 bytes; at most 4194304 are allowed"),
        (png(40_000_001, 1), "it has 40000001 × 1 pixels; at most 40000000 are allowed"),
    ],
    ids=["nothing", "gif", "cut off", "no header", "shifted", "a byte too many", "a pixel too many"],
)
def test_anything_else_is_refused_with_a_reason(content: bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=f"^{reason}$"):
        check_picture(content)
