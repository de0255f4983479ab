"""The stored form of a check: complete for a few files, bounded for many."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from runs.analysis.outcomes.stated_values import Comparison, Difference
from runs.intake.reported.checking_files import CheckedFiles, CheckedRun
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.storing import Stored
from runs.intake.uploads.check_table import check_table, shown_check
from runs.models import ResultReport
from tasks.models import Dataset

LONG = "\x1b[31m\u202e" + "ä" * 5000


def run(
    number: int, agent: str = "Ada", outcome: str = "", unknown: Sequence[str] = ("outcome",)
) -> CheckedRun:
    place = (f"{number}.json", "mini-swe-agent", agent, f"task-{number}", outcome)
    return CheckedRun(*place, 3, 1, None, 0.25, tuple(unknown), "lab-bench")


def stored(new: int, comparison: Comparison | None = None, left: Sequence[str] = ()) -> Stored:
    dataset = Dataset(slug="lab-bench", title="Lab bench")
    return Stored(ResultReport(dataset=dataset), new, 1, 2, comparison=comparison, unmatched=left)


def test_runs_are_grouped_and_what_is_unknown_of_them_is_counted() -> None:
    runs = [
        run(1),
        run(2, outcome="resolved", unknown=()),
        run(3, "Bob"),
        run(4, outcome="resolved", unknown=()),
    ]
    left = [ResultsRefused("a.txt", "it is no form"), ResultsRefused("b.txt", "it is no form")]
    found = check_table(CheckedFiles(runs, left, [stored(4)]))

    assert {name: found[name] for name in ("new", "grown", "known", "compared")} == {
        **{"new": 4, "grown": 1, "known": 2},
        "compared": None,
    }
    ada, bob = found["groups"]["first"]
    assert (ada["agent"], ada["runs"], ada["outcomes"]) == ("Ada", 3, {"resolved": 2, "unknown": 1})
    assert (ada["unknown"], bob["agent"], bob["runs"]) == ({"outcome": 1}, "Bob", 1)
    assert found["runs"]["first"][0] | {"unknown": None} == {
        **{"file": "1.json", "task": "task-1", "agent": "Ada", "outcome": None, "steps": 3, "calls": 1},
        **{"tokens": None, "dollars": 0.25, "unknown": None},
    }
    assert found["left_out"] == {
        "count": 2,
        "first": [{"reason": "it is no form", "files": 2, "first": ["a.txt", "b.txt"]}],
    }


def test_a_check_of_many_hostile_files_is_bounded_and_says_how_many_more_there_are() -> None:
    runs = [replace(run(number, f"{number} {LONG}"), file=LONG, task=LONG) for number in range(2_000)]
    left = [ResultsRefused(LONG, f"{number % 70}: {LONG}") for number in range(700)]
    differences = [Difference(f"{number} {LONG}", 1, "outcome", LONG, LONG) for number in range(60)]
    comparison = Comparison(dict.fromkeys(("outcome", "cost_usd", "iterations"), 60), differences)
    found = check_table(CheckedFiles(runs, left, [stored(2_000, comparison, [LONG] * 55)]))

    assert len(json.dumps(found, ensure_ascii=False)) < 200_000
    assert shown_check(found)["more"] == {
        **{"datasets": 0, "groups": 1_900, "runs": 1_900, "left_out": 200, "differs": 10, "unmatched": 5}
    }
    assert "\x1b" not in json.dumps(found, ensure_ascii=False)
