"""Reads runs for analysis in one query, without model instances."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from sys import intern
from typing import Any

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from runs.analysis import behaviour
from runs.analysis.facts import Behaviour, RunFacts
from runs.models import Counts, Run

# The database has 0 for an invalid value of the record, and None for an unknown one; analysis gets an invalid value.
_INVALID: Mapping[str, tuple[str, float]] = {
    **{name: (name, math.nan) for name in ("prompt_tokens", "completion_tokens", "cached_tokens")},
    "act_seconds": ("seconds", math.nan),
    "similarity": ("similarity", math.nan),
    **{
        name: (name, -1)
        for name in ("tests_total", "tests_passed", "iterations", "tool_calls", "failed_calls")
    },
}
_COLUMNS = (
    *("pk", "agent__slug", "task__slug", "task__repository__slug", "attempt", "outcome", "ending"),
    *("task__repository__stack", "languages_text", "task__category", "task__difficulty"),
    *("evaluation__attempts", "tests_total", "tests_passed", "iterations", "tool_calls", "failed_calls"),
    *("prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd", "act_seconds"),
    *("similarity_text", "odd", "task__scenario", "task__origin"),
    *("targets_found", "solved_elsewhere", "submissions", "solved_at_submission"),
)
_PLACES = {name: place for place, name in enumerate(_COLUMNS)}
_MAKE: Callable[..., RunFacts] = RunFacts
_COUNTS = ("counts__version", "counts__behaviour")


def run_facts(runs: QuerySet[Run], *, with_behaviour: bool = False) -> list[RunFacts]:
    """The finished runs among these, infrastructure failures included, ordered by id; one query.

    `with_behaviour`: with the counts of their trajectories, which takes several times as long. It stays None without
    counts of this version of the project. Agent, task and repository are slugs.
    """
    rows = (
        runs.filter(state=Run.State.FINISHED)
        .order_by("pk")
        .annotate(
            # As text, which many runs share, so that each is parsed once.
            languages_text=Cast("task__repository__languages", TextField()),
            similarity_text=Cast("similarity", TextField()),
        )
        .values_list(*_COLUMNS, *(_COUNTS if with_behaviour else ()))
    )
    make = _counted_facts if with_behaviour else _facts
    return [make(row) for row in rows.iterator(chunk_size=2000)]


def behaviour_of_run(run: Run) -> Behaviour | str:
    """The counts of one run, in one query; a sentence that says why there are none."""
    counts = Counts.objects.filter(run=run).first()
    if counts is None or counts.version != behaviour.VERSION:
        return "its trajectory has not been counted yet"
    counted = stored_behaviour(counts.behaviour) if counts.behaviour else None
    return counted or counts.reason or "its counts are unreadable"


def _facts(row: tuple[Any, ...], counted: Behaviour | None = None) -> RunFacts:
    run, agent, task, repository, attempt, outcome, ending, stack, languages, category, difficulty = row[:11]
    similarity, odd, scenario, origin = row[22:26]
    # By position, in the order of _COLUMNS, which takes half the time of names. Equal names are one string: a run takes
    # half the memory, and grouping many runs by name takes less time.
    first = (
        run,
        intern(agent),
        intern(f"{repository}/{task}"),
        intern(repository),
        attempt,
        intern(outcome),
        intern(ending),
        intern(stack),
        _languages(languages),
        intern(category),
        intern(difficulty),
    )
    group = intern(f"{repository}/{scenario}") if scenario else ""
    last = (_similarity(similarity, counted), counted, group, intern(origin), *row[26:30])
    facts = _MAKE(*first, *row[11:22], *last)
    if None in row[12:20] or row[21] is None:
        odd = " ".join([odd, *(name for name in _INVALID if name in _PLACES and row[_PLACES[name]] is None)])
    if not odd:
        return facts
    changes: dict[str, Any] = dict(_INVALID[name] for name in odd.split() if name in _INVALID)
    return replace(facts, **changes)


def _counted_facts(row: tuple[Any, ...]) -> RunFacts:
    version, stored = row[30:]
    return _facts(row, stored_behaviour(stored) if version == behaviour.VERSION and stored else None)


def stored_behaviour(stored: str) -> Behaviour | None:
    """The counts from their text in the database; None if it is not readable."""
    try:
        return behaviour.from_json(json.loads(stored))
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def _similarity(stored: str, counted: Behaviour | None) -> float | None:
    """How similar the lines of patch and reference patch are.

    Old summaries do not have it: then it comes from the counts, which use the same two patches.
    """
    value = json.loads(stored).get("lines") if stored != "{}" else None
    if value is None and counted is not None:
        value = counted.features.get("final_similarity")
    return None if value is None else float(value)


@lru_cache(maxsize=1024)
def _languages(stored: str) -> tuple[str, ...]:
    return tuple(map(str, json.loads(stored)))
