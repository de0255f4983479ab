"""Cards are pictures of a fixed size and a bounded weight, whatever the names in them are."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from runs.presentation.cards.card_image import ACCENT, KINDS, CardRow, CardStrip, LinkCard, draw_card

CARD = LinkCard(
    about="Leaderboard · run here",
    title="Ports",
    answer="Alice leads with pass@1 60.0 %",
    foot="2 agents on 6 tasks",
    rows=(CardRow("Alice", 0.6, "60.0 %", 0.4, 0.75), CardRow("Bob", 0.2, "20.0 %")),
)


def opened(card: LinkCard) -> Image.Image:
    picture = Image.open(BytesIO(draw_card(card)))
    picture.load()
    assert picture.format == "PNG"
    assert picture.size == (1200, 630)
    return picture.convert("RGB")


def near(picture: Image.Image, colour: str) -> int:
    """How many pixels have this colour, or nearly: the palette is small."""
    distance = np.abs(np.asarray(picture).astype(int) - list(bytes.fromhex(colour[1:]))).sum(axis=2)
    return int((distance < 24).sum())


def test_a_card_is_a_small_png_of_the_size_that_sites_show() -> None:
    opened(CARD)

    assert len(draw_card(CARD)) < 60_000


def test_bars_are_as_long_as_their_shares() -> None:
    none, some, more = (
        near(opened(replace(CARD, rows=(CardRow("Alice", share, ""),))), ACCENT)
        for share in (0.0, 0.25, 0.75)
    )

    assert none == 0
    assert more == pytest.approx(3 * some, rel=0.05)


def test_a_run_shows_its_steps_in_the_colours_of_the_replay() -> None:
    paths = (("read", "M0 10h20v26h-20z"), ("edit", "M500 0h100v36h-100z"), ("unknown", "M700 0h5v36h-5z"))
    strip = CardStrip(paths, 1000, 36)

    picture = opened(replace(CARD, rows=(), strip=strip))

    assert near(picture, KINDS["edit"]) > 5 * near(picture, KINDS["read"]) > 0
    assert near(opened(CARD), KINDS["edit"]) == 0


def test_a_long_title_has_a_second_line_where_the_rows_leave_room_for_it() -> None:
    def title(second: str, rows: int) -> bytes:
        long = f"An agent with a long name and its long model against {second}"
        card = replace(CARD, title=long, rows=(CARD.rows[0],) * rows)
        return opened(card).crop((0, 160, 1200, 270)).tobytes()

    assert title("the one", 2) != title("the two", 2)
    assert title("the one", 5) == title("the two", 5)


@pytest.mark.parametrize(
    "hostile",
    [
        "",
        "x" * 100_000,
        "\u202e\x00\x1b[31m\ud800",
        "漢字 🦜 Ж",
        "<script>alert(1)</script>",
        "\n\n\n",
        "W" * 400,
    ],
    ids=["empty", "long", "control", "letters without a picture", "markup", "lines", "wide"],
)
def test_hostile_names_are_drawn_in_their_place(hostile: str) -> None:
    rows = tuple(CardRow(hostile, share, hostile[:20], -1.0, 7.0) for share in (-3.0, 0.5, 9.0)) * 20
    opened(LinkCard(hostile, hostile, hostile, hostile, rows, tone="good"))
    opened(LinkCard(hostile, hostile, hostile, hostile, strip=CardStrip((("read", hostile),), 1000, 36)))
