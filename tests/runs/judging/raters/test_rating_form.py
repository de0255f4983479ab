"""The form of a rating."""

from __future__ import annotations

import pytest
from django.contrib.sessions.backends.base import SessionBase

from harness.judges.dimensions import GENERAL, dimensions_of
from harness.judges.rendering import Rendered, render_steps
from harness.records import Step
from runs.judging.raters.rating_form import MAX_OPEN, MAX_SECONDS, Opened, RatingForm
from runs.models import Run

NAMES = [each.name for each in dimensions_of(GENERAL)]


@pytest.fixture
def rendered() -> Rendered:
    texts = ["The neap tide is wrong.", "I ran the tests of the ha\u200brbour."]
    steps = [Step(number, "2026-01-02T03:04:05Z", "agent", text) for number, text in enumerate(texts, 1)]
    return render_steps(steps, b"diff --git a/tide.py b/tide.py\n", most_characters=400_000)


def entered(**more: str) -> dict[str, str]:
    """A complete form."""
    return {"opened": "x", **{f"score_{name}": "0.5" for name in NAMES}, **more}


def test_five_scores_are_enough(rendered: Rendered) -> None:
    form = RatingForm(rendered, entered(score_pitfalls="0"))
    assert form.is_valid()
    assert [(each.dimension, each.score) for each in form.dimensions()] == [
        (name, 0.0 if name == "pitfalls" else 0.5) for name in NAMES
    ]
    assert len(NAMES) == 5


@pytest.mark.parametrize("score", ["", "0.75", "2", "1.0 ", "nan"])
def test_only_the_three_scores_are_taken(rendered: Rendered, score: str) -> None:
    form = RatingForm(rendered, entered(score_pitfalls=score))
    assert list(form.errors) == ["score_pitfalls"]


@pytest.mark.parametrize(
    ("quote", "step", "found"),
    [
        ("neap tide  is wrong", "1", (1, 1, "verified")),
        ("neap tide is wrong", "", (1, 1, "verified")),
        ("neap tide is wrong", "2", (2, 1, "relocated")),
        ("diff --git a/tide.py", "3", (3, None, "verified")),
        ("the tests of the ha⟨U+200B⟩rbour", "2", (2, 2, "verified")),
    ],
)
def test_a_quote_is_looked_up(
    rendered: Rendered, quote: str, step: str, found: tuple[int, int | None, str]
) -> None:
    form = RatingForm(rendered, entered(quote_pitfalls=quote, step_pitfalls=step))
    assert form.is_valid(), form.errors
    (line,) = next(each for each in form.dimensions() if each.dimension == "pitfalls").evidence
    assert (line.step, line.found_step, line.status) == found


@pytest.mark.parametrize(
    "quote", ["the neap tide was wrong", "neap", "wrong. I ran the tests", "--------------"]
)
def test_a_wrong_quote_is_refused_with_the_reason_and_stays(rendered: Rendered, quote: str) -> None:
    form = RatingForm(rendered, entered(quote_pitfalls=quote))
    assert "does not stand in the transcript" in form.errors["quote_pitfalls"][0]
    assert form["quote_pitfalls"].value() == quote


def test_a_step_needs_its_quote(rendered: Rendered) -> None:
    form = RatingForm(rendered, entered(step_pitfalls="1"))
    assert form.errors["quote_pitfalls"] == ["Enter the quote of this step, or no step."]


def test_the_time_is_the_servers_and_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_000_000.0
    monkeypatch.setattr("time.time", lambda: now)
    assert Opened(2, 1, 1, now - 90).seconds == 90
    assert Opened(2, 1, 1, now - 10**6).seconds == MAX_SECONDS
    assert Opened(2, 1, 1, now + 10).seconds == 0


def test_the_session_says_what_a_form_is_about(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.time", lambda: 1_000_000.0)
    session, run = SessionBase(), Run(pk=7, tries=3)
    name = Opened.now(session, run, 1)
    assert Opened.named(session, name) == Opened(7, 3, 1, 1_000_000.0)
    assert Opened.now(session, run, 1) == name, "in another tab"
    assert Opened.now(session, run, 2) != name
    for wrong in ("", "x", name + "x"):
        assert Opened.named(session, wrong) is None
    assert Opened.named(SessionBase(), name) is None


def test_a_session_has_a_limited_number_of_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    session = SessionBase()
    names = []
    for number in range(MAX_OPEN + 2):
        monkeypatch.setattr("time.time", lambda at=number: float(at))
        names.append(Opened.now(session, Run(pk=number, tries=1), 1))
    found = [Opened.named(session, name) is not None for name in names]
    assert found == [False] * 2 + [True] * MAX_OPEN
