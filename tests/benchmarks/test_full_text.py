"""The made texts are like recorded ones, and the benchmark of the search measures what it says."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from benchmarks import full_text
from benchmarks.made_texts import COMMON, RARE, RARE_OF, STEPS, MadeTexts
from runs.models import Run

CHARACTERS = 100_000


def test_words_are_as_frequent_as_in_recorded_trajectories() -> None:
    texts = MadeTexts()
    words: Counter[str] = Counter()
    size = 0
    for run in range(12):
        for step in texts.steps(run, CHARACTERS):
            for text in full_text.texts_of(step):
                size += len(text)
                words.update(re.findall(r"\w+", text))
    assert size == pytest.approx(12 * CHARACTERS, rel=0.15)
    assert 7 < size / words.total() < 10  # 7.9 in the runs that ship with the project
    assert 0.01 < words.most_common(1)[0][1] / words.total() < 0.08  # 0.03 there
    assert sum(count == 1 for count in words.values()) > 0.1 * len(words)
    assert list(texts.steps(3, 9_000)) == list(MadeTexts().steps(3, 9_000))


@pytest.mark.django_db
def test_a_small_site_keeps_the_promise_about_size_and_finds_what_is_planted() -> None:
    full_text.fill(24, CHARACTERS)
    made = full_text.make_index()
    assert (made.runs, Run.objects.exclude(directory="").count()) == (24, 24)
    assert made.characters == pytest.approx(24 * CHARACTERS, rel=0.15)
    assert made.share <= full_text.PROMISED_SHARE
    planted = [pk for pk in Run.objects.values_list("pk", flat=True) if pk % RARE_OF == 7]
    assert full_text.first_page(RARE, 1)[1] == full_text.scan(RARE, 24)[1] == len(planted)
    milliseconds, runs = full_text.first_page(COMMON, 1)
    assert (runs, milliseconds > 0) == (24, True)
    lines = (Run.objects.all()[0].path / "trajectory.jsonl").read_text().splitlines()
    assert len(lines) == STEPS + 1
