"""Checks pictures for a run directory: PNG and JPEG files of a size that every browser can show.

Only their headers are checked, because browsers treat files that are served as pictures only as pictures.
"""

from __future__ import annotations

PNG, JPEG = "image/png", "image/jpeg"
PICTURE_SUFFIXES = {PNG: ".png", JPEG: ".jpg"}
"""How the names of their files end."""
PNG_START = b"\x89PNG\r\n\x1a\n"
JPEG_START = b"\xff\xd8\xff"
MAX_PICTURE_BYTES = 4 << 20
MAX_PICTURE_PIXELS = 40_000_000
_PNG_HEAD = len(PNG_START) + 16
_MAX_SEGMENTS = 1_000  # of a JPEG file before that with its size; cameras write less than a hundred
# Segments of a JPEG file that begin with its size.
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def check_picture(content: bytes) -> None:
    """Raises ValueError unless `content` is a PNG file within the limits, as our own tools take them."""
    if picture_type(content) != PNG:
        raise ValueError("it is not a PNG file")


def picture_type(content: bytes) -> str:
    """The media type of a picture, by its content. Raises ValueError for what is none within the limits."""
    kind, size = (JPEG, _jpeg_size(content)) if content.startswith(JPEG_START) else (PNG, _png_size(content))
    if len(content) > MAX_PICTURE_BYTES:
        raise ValueError(f"it has {len(content)} bytes; at most {MAX_PICTURE_BYTES} are allowed")
    width, height = size
    if width * height > MAX_PICTURE_PIXELS:
        raise ValueError(f"it has {width} × {height} pixels; at most {MAX_PICTURE_PIXELS} are allowed")
    return kind


def _png_size(content: bytes) -> tuple[int, int]:
    if not content.startswith(PNG_START) or content[12:16] != b"IHDR" or len(content) < _PNG_HEAD:
        raise ValueError("it is not a PNG file")
    return _number(content, 16, 4), _number(content, 20, 4)


def _jpeg_size(content: bytes) -> tuple[int, int]:
    """Width and height in the first frame. Segments are a marker of two bytes, a length and their content."""
    at = 2
    for _ in range(_MAX_SEGMENTS):
        if content[at : at + 1] != b"\xff" or len(content) < at + 9:
            break
        if content[at + 1] in _FRAMES:
            return _number(content, at + 7, 2), _number(content, at + 5, 2)
        at += 2 + _number(content, at + 2, 2)
    raise ValueError("it is not a JPEG file whose size is known")


def _number(content: bytes, at: int, size: int) -> int:
    return int.from_bytes(content[at : at + size], "big")
