"""What a run directory takes for a picture: a PNG file of a size that every browser can show."""

from __future__ import annotations

PNG_START = b"\x89PNG\r\n\x1a\n"
MOST_PICTURE_BYTES = 4 << 20
MOST_PICTURE_PIXELS = 40_000_000
_HEAD = len(PNG_START) + 16


def check_picture(content: bytes) -> None:
    """Raises ValueError for anything but a PNG file, and for one with more bytes or pixels than are kept.

    Only the beginning is looked at: what is served as a picture is never taken for anything else.
    """
    if not content.startswith(PNG_START) or content[12:16] != b"IHDR" or len(content) < _HEAD:
        raise ValueError("it is not a PNG file")
    if len(content) > MOST_PICTURE_BYTES:
        raise ValueError(f"it has {len(content)} bytes; at most {MOST_PICTURE_BYTES} are kept")
    width, height = (int.from_bytes(content[at : at + 4], "big") for at in (16, 20))
    if width * height > MOST_PICTURE_PIXELS:
        raise ValueError(f"it has {width} × {height} pixels; at most {MOST_PICTURE_PIXELS} are kept")
