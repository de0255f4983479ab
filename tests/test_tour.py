"""The tour shows the pictures that there are, and no more than a megabyte of them."""

from __future__ import annotations

import re

from tests.browser.site import ROOT
from tests.browser.tour import PLACE, STOPS


def test_the_tour_shows_every_picture_with_words_for_it() -> None:
    shown = re.findall(r"!\[(.+)\]\(tour/(.+)\.png\)", (ROOT / "docs/tour.md").read_text(encoding="utf-8"))
    assert [name for _, name in shown] == [stop.name for stop in STOPS]
    assert {path.stem for path in PLACE.iterdir()} == {stop.name for stop in STOPS}


def test_the_pictures_are_small() -> None:
    assert sum(path.stat().st_size for path in PLACE.iterdir()) < 1_000_000
