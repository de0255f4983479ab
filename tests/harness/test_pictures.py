"""Which pictures a run directory takes."""

from __future__ import annotations

import pytest

from harness.pictures import JPEG, MAX_PICTURE_BYTES, PNG, check_picture, picture_type
from tests.harness.worlds import jpeg, png


@pytest.mark.parametrize(
    "content",
    [png(), png(1280, 720), png(40_000_000, 1), png().ljust(MAX_PICTURE_BYTES)],
    ids=["a pixel", "a window", "as many pixels as allowed", "as many bytes as allowed"],
)
def test_a_png_file_within_the_limits_is_taken(content: bytes) -> None:
    check_picture(content)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "it is not a PNG file"),
        (b"GIF89a" + bytes(100), "it is not a PNG file"),
        (jpeg(), "it is not a PNG file"),
        (png()[:23], "it is not a PNG file"),
        (png().replace(b"IHDR", b"IDAT"), "it is not a PNG file"),
        (b" " + png(), "it is not a PNG file"),
        (png().ljust(MAX_PICTURE_BYTES + 1), "it has 4194305 bytes; at most 4194304 are allowed"),
        (png(40_000_001, 1), "it has 40000001 × 1 pixels; at most 40000000 are allowed"),
    ],
    ids=["nothing", "gif", "jpeg", "cut off", "no header", "shifted", "a byte too many", "a pixel too many"],
)
def test_anything_else_is_refused_with_a_reason(content: bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=f"^{reason}$"):
        check_picture(content)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (png(), PNG),
        (jpeg(), JPEG),
        (jpeg(8000, 5000, segments=500), JPEG),
        (jpeg().ljust(MAX_PICTURE_BYTES), JPEG),
    ],
    ids=["png", "jpeg", "a jpeg of many segments", "as many bytes as allowed"],
)
def test_the_type_of_a_picture_is_that_of_its_content(content: bytes, kind: str) -> None:
    assert picture_type(content) == kind


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"<svg onload=alert(1)>", "it is not a PNG file"),
        (b"\xff\xd8\xff<script>alert(1)</script>", "it is not a JPEG file whose size is known"),
        (jpeg()[:28], "it is not a JPEG file whose size is known"),
        (jpeg(segments=1_001), "it is not a JPEG file whose size is known"),
        (b"\xff\xd8\xff\xe0\0\0" * 700_000, "it is not a JPEG file whose size is known"),
        (jpeg().ljust(MAX_PICTURE_BYTES + 1), "it has 4194305 bytes; at most 4194304 are allowed"),
        (jpeg(8000, 5001), "it has 8000 × 5001 pixels; at most 40000000 are allowed"),
    ],
    ids=["svg", "a page", "cut off", "too many segments", "empty segments", "a byte too many", "too large"],
)
def test_what_is_no_picture_within_the_limits_has_no_type(content: bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=f"^{reason}$"):
        picture_type(content)
