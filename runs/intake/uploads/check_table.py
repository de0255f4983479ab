"""What a check of an upload found, grouped and bounded: as it is stored, shown on its page, and sent to programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from runs.analysis.facts import INFRASTRUCTURE_FAILED, RESOLVED, UNRESOLVED
from runs.intake.reported.checking_files import CheckedFiles, CheckedRun
from runs.intake.reported.storing import Stored
from runs.presentation.formatting.text import one_line

MAX_DATASETS = 50
MAX_GROUPS = 100
MAX_RUNS = 100  # the first ones, one by one
MAX_REASONS = 50
MAX_FILES = 5  # that are named with a reason
MAX_SENTENCES = 50  # on the same subject
MAX_NAME = 150  # characters
MAX_SENTENCE = 300  # characters
_OUTCOMES = {RESOLVED: "resolved", UNRESOLVED: "unresolved", INFRASTRUCTURE_FAILED: "infrastructure_failed"}


def check_table(checked: CheckedFiles) -> dict[str, Any]:
    """The stored form of a check. However many files there are, it has less than 200,000 characters.

    `new`, `grown` and `known` count trajectories. Each of `datasets`, `groups`, `runs`, `left_out`, `differs` and
    `unmatched` has the first entries in `first`, and in `count` how many there are in all. Unknown values are None.
    """
    differences = checked.comparison.differences if checked.comparison else ()
    return {
        "new": sum(one.new for one in checked.stored),
        "grown": sum(one.grown for one in checked.stored),
        "known": sum(one.known for one in checked.stored),
        "datasets": _first(checked.stored, MAX_DATASETS, _dataset),
        "groups": _groups(checked.runs),
        "runs": _first(checked.runs, MAX_RUNS, _run),
        "left_out": _reasons(checked),
        "compared": _sentence(checked.comparison) if checked.comparison else None,
        "differs": _first(differences, MAX_SENTENCES, _sentence),
        "unmatched": _first(checked.unmatched, MAX_SENTENCES, _sentence),
    }


def _first(values: Sequence[Any], most: int, entry: Any) -> dict[str, Any]:
    return {"count": len(values), "first": [entry(one) for one in values[:most]]}


def _dataset(stored: Stored) -> dict[str, Any]:
    dataset = stored.report.dataset
    return {
        "dataset": dataset.slug,
        "title": _name(dataset.title),
        "new": stored.new,
        "grown": stored.grown,
        "known": stored.known,
    }


def _groups(runs: Iterable[CheckedRun]) -> dict[str, Any]:
    """The runs by dataset, agent and form, the largest group first, with what is unknown of how many of them."""
    groups: dict[tuple[str, str, str], list[CheckedRun]] = {}
    for run in runs:
        groups.setdefault((run.dataset, run.agent, run.form), []).append(run)
    return _first(sorted(groups.values(), key=len, reverse=True), MAX_GROUPS, _group)


def _group(runs: Sequence[CheckedRun]) -> dict[str, Any]:
    outcomes = Counter(_OUTCOMES.get(run.outcome, "unknown") for run in runs)
    unknown = Counter(name for run in runs for name in run.unknown)
    return {
        "dataset": runs[0].dataset,
        "agent": _name(runs[0].agent),
        "form": runs[0].form,
        "runs": len(runs),
        "outcomes": dict(outcomes.most_common()),
        "unknown": dict(unknown.most_common()),
    }


def _run(run: CheckedRun) -> dict[str, Any]:
    return {
        "file": _name(run.file),
        "task": _name(run.task),
        "agent": _name(run.agent),
        "outcome": run.outcome or None,
        "steps": run.steps,
        "calls": run.calls,
        "tokens": run.tokens,
        "dollars": run.dollars,
        "unknown": list(run.unknown),
    }


def _reasons(checked: CheckedFiles) -> dict[str, Any]:
    """The files that are left out, by reason, the most frequent first. `count` is that of the files."""
    by_reason: dict[str, list[str]] = {}
    for refusal in checked.left_out:
        by_reason.setdefault(_sentence(refusal.problem), []).append(refusal.place)
    ordered = sorted(by_reason.items(), key=lambda entry: -len(entry[1]))
    return {
        "count": len(checked.left_out),
        "first": [
            {"reason": reason, "files": len(places), "first": [_name(place) for place in places[:MAX_FILES]]}
            for reason, places in ordered[:MAX_REASONS]
        ],
    }


def _name(text: str) -> str:
    return one_line(text, MAX_NAME)


def _sentence(said: object) -> str:
    return one_line(str(said), MAX_SENTENCE)


def shown_check(stored: Mapping[str, Any]) -> dict[str, Any]:
    """A stored check as a page shows it.

    `more`: how many entries of each list are not in it. Of each group, `never`: what is unknown of all its runs;
    `sometimes`: what is unknown of some, with how many.
    """
    more = {
        name: found["count"] - sum(one.get("files", 1) if name == "left_out" else 1 for one in found["first"])
        for name, found in stored.items()
        if isinstance(found, dict)
    }
    groups = [
        {
            **group,
            "never": [name for name, count in group["unknown"].items() if count == group["runs"]],
            "sometimes": {name: count for name, count in group["unknown"].items() if count < group["runs"]},
        }
        for group in stored["groups"]["first"]
    ]
    return {**stored, "more": more, "shown_groups": groups}
