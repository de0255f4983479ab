"""How a number is computed: entries of the methods page, taken from docstrings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

Described = TypeVar("Described", bound=Callable[..., Any])
LABELS = ("Formula:", "Source:", "Units:", "Small n:")


class Section(StrEnum):
    """The sections of the methods page, by their titles, in its order."""

    PASS_RATES = "Pass rates"  # noqa: S105 - a title
    INTERVALS = "Intervals"
    OUTCOMES = "Outcomes"
    TWO_AGENTS = "Two agents"
    JUDGES = "Judges"
    REGRESSIONS = "Regressions"
    GROUPS = "Groups"
    LEADERBOARD = "The leaderboard"
    CONSISTENCY = "Consistency"
    CHOOSING_AMONG_ATTEMPTS = "Choosing among attempts"
    PROGRESS = "Progress"
    ITERATIONS = "Iterations"
    TOOLS = "Tools"
    SEQUENCES_OF_CALLS = "Sequences of calls"
    SIMILARITY = "Similarity"
    TASKS = "Tasks"
    CASCADES_AND_ROUTING = "Cascades and routing"
    COST_AND_EFFORT = "Cost and effort"
    SCORES = "Scores"
    QUALITY_AND_CORRELATIONS = "Quality and correlations"
    FAILURE_MODES = "Failure modes"
    EXPLOITS = "Exploits"
    RATINGS = "Ratings"
    OTHER_LEADERBOARDS = "Other leaderboards"
    BEHAVIOUR = "Behaviour"
    DIFFICULTY = "Difficulty"
    GENERATED_TASKS = "Generated tasks"
    PREDICTION = "Prediction"


@dataclass(frozen=True, slots=True)
class Method:
    """One number and the code that computes it. `anchor` is its link on the methods page, unique over all groups.

    The docstring of `described` starts with a description, followed by a paragraph for each of LABELS: the formula, the
    source (paper and section), the units of input and output, and the results for n = 0 and n = 1.

    `short` says in one sentence what the number is, by the term of the field, and `example` gives one with values:
    both are shown where a reader asks about the number on a page. Every method with such a question mark has both.
    """

    anchor: str
    title: str
    described: Callable[..., Any]
    short: str = ""
    example: str = ""


@dataclass(frozen=True, slots=True)
class PlacedMethod:
    """An entry with its section, and its place there."""

    section: Section
    place: int
    method: Method


STATED: list[PlacedMethod] = []  # by the modules that are imported so far; see catalogue.py


def method(
    anchor: str, title: str, section: Section, place: int, *, short: str = "", example: str = ""
) -> Callable[[Described], Described]:
    """Lists a function or class in a section of the methods page; numbers with equal places are sorted by anchor.

    `short` and `example` are those of Method.
    """

    def state(described: Described) -> Described:
        STATED.append(PlacedMethod(section, place, Method(anchor, title, described, short, example)))
        return described

    return state
