"""What the evidence of many reviews has in common."""

from __future__ import annotations

from typing import Any

from runs.analysis.judging.common_aspects import AspectLine, common_aspects


def line(text: str, run: int, severity: str = "low", **more: Any) -> AspectLine:
    """A line of a review of its own, at step 3."""
    values = {"frequency": "", "step": 3, "dimension": "Pitfalls", "review": text, "place": 1, **more}
    return AspectLine(text, severity, run=run, **values)


def test_aspects_are_grouped_by_their_text_and_ordered_by_weight() -> None:
    found = common_aspects(
        [
            line("No tests", 1, "medium", frequency="repeated"),
            line("no  TESTS", 2, "low", dimension="End result", step=None),
            line("Deleted a file", 3, "high"),
            line("Polite", 1, "none"),
            line("Polite", 2, "none"),
            line("Clear", 2, "none"),
        ]
    )
    assert [(each.text, each.weight) for each in found] == [
        ("No tests", 7),
        ("Deleted a file", 7),
        ("Polite", 0),
        ("Clear", 0),
    ]
    assert found[0].places == ((1, 3), (2, None))
    assert found[0].dimensions == ("Pitfalls", "End result")


def test_equal_reviews_count_once_and_a_run_is_named_once() -> None:
    twice = [line("No tests", 1, "high", review="key"), line("No tests", 1, "high", review="key")]
    (found,) = common_aspects([*twice, line("No tests", 1, "low", review="key", place=2)])
    assert (found.weight, found.places) == (8, ((1, 3),))


def test_at_most_so_many_are_shown() -> None:
    assert len(common_aspects(line(f"aspect {number}", 1) for number in range(20))) == 8
    assert common_aspects([]) == ()
