"""Checks pictures for a run directory: PNG files of a size that every browser can show."""

from __future__ import annotations

PNG_START = b"\x89PNG\r\n\x1a\n"
MOST_PICTURE_BYTES = 4 << 20
MOST_PICTURE_PIXELS = 40_000_000
_HEAD = len(PNG_START) + 16


def check_picture(content: bytes) -> None:
    """Raises ValueError unless `content` is a PNG file within the limits for bytes and pixels.

    Only checks the header, because browsers treat files that are served as pictures only as pictures.
    """
    if not content.startswith(PNG_START) or content[12:16] != b"IHDR" or len(content) < _HEAD:
        raise ValueError("it is not a PNG file")
    if len(content) > MOST_PICTURE_BYTES:
        raise ValueError(f"it has {len(content)} bytes; at most {MOST_PICTURE_BYTES} are allowed")
    width, height = (int.from_bytes(content[at : at + 4], "big") for at in (16, 20))
    if width * height > MOST_PICTURE_PIXELS:
        raise ValueError(f"it has {width} × {height} pixels; at most {MOST_PICTURE_PIXELS} are allowed")
