"""Badges: small SVG pictures with a label and a value, to be shown in a README or on a page of another site."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from runs.presentation.charts.svg_shapes import width_of
from runs.presentation.formatting.text import one_line

HEIGHT = 20
PADDING = 8
MAX_TEXT = 60  # characters of each side
_NO_XML = dict.fromkeys((0xFFFE, 0xFFFF), "\N{REPLACEMENT CHARACTER}")


def badge(label: str, value: str, title: str) -> str:
    """A badge of two parts. `title`: what it says in full, for readers who do not see it. Texts may be hostile."""
    texts = [_text(text, MAX_TEXT) for text in (label, value)]
    left, right = (round(width_of(text, 11) + 2 * PADDING) for text in texts)
    full = _text(title, 300)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="{HEIGHT}" role="img"'
        f" aria-label={quoteattr(full)}><title>{escape(full)}</title>"
        f'<rect width="{left + right}" height="{HEIGHT}" rx="4" fill="#1d4ed8"/>'
        f'<path d="M4 0h{left - 4}v{HEIGHT}H4a4 4 0 0 1-4-4V4a4 4 0 0 1 4-4z" fill="#33373d"/>'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">'
        f'<text x="{PADDING}" y="14">{escape(texts[0])}</text>'
        f'<text x="{left + PADDING}" y="14">{escape(texts[1])}</text></g></svg>\n'
    )


def _text(hostile: str, longest: int) -> str:
    """One line without characters that XML forbids."""
    return one_line(hostile, longest).translate(_NO_XML)
