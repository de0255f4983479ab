"""The boards that there are: one for each open dataset with results. No ranking mixes datasets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from itertools import chain

from django.db.models import Count, F, Max, Q, Sum

from runs.cache.results import cached
from runs.models import CALIBRATION_KINDS, Cell, ResultReport
from runs.models.open_rows import without_hidden


@dataclass(frozen=True)
class BoardEntry:
    """One board. `reported_by`: who reported its results, '' if they were run; `tested`: attempts with tests.

    `here`: whether this site executed runs of it; else all of them are imported.

    `day`: of the source's version, or of the last change of what was run here.
    """

    dataset: str
    title: str
    reported_by: str
    competitors: int
    tasks: int
    attempts: int
    tested: int
    day: date | None
    here: bool = True

    @property
    def origin(self) -> str:
        """Where its results come from, in words."""
        if self.reported_by:
            return f"reported by {self.reported_by}, not run here"
        return "run here" if self.here else "recorded with BenchBench elsewhere"


@dataclass(frozen=True)
class Boards:
    """All boards, the one with most competitors first."""

    entries: tuple[BoardEntry, ...]

    def of(self, dataset: str) -> BoardEntry | None:
        """The board of a dataset; None without results."""
        return next((one for one in self.entries if one.dataset == dataset), None)

    @property
    def default(self) -> str:
        """The dataset of the first board; '' without one."""
        return next((one.dataset for one in self.entries), "")

    @property
    def tested(self) -> Boards:
        """Those with results of tests."""
        return Boards(tuple(one for one in self.entries if one.tested))

    def of_agent(self, agent: str) -> Boards:
        """The boards on which an agent (its slug) has results, in one query."""
        cells = without_hidden(Cell.objects.filter(agent__slug=agent)).order_by()
        slugs = set(cells.values_list("task__repository__dataset__slug", flat=True).distinct())
        return Boards(tuple(one for one in self.entries if one.dataset in slugs))

    def common(self, agents: Iterable[str]) -> str:
        """The first dataset in which all of these agents have results; one of the first agent if there is none."""
        theirs = [[one.dataset for one in self.of_agent(agent).entries] for agent in agents]
        common = (dataset for dataset in next(iter(theirs), []) if all(dataset in each for each in theirs))
        own = (dataset for each in theirs for dataset in each)
        return next(chain(common, own), "") or self.default


def all_boards() -> Boards:
    """Every board; cached until the data change."""
    return cached("boards", "", _boards)


def _boards() -> Boards:
    competing = ~Q(agent__kind__in=CALIBRATION_KINDS) & Q(attempts__gt=0)
    dataset = "task__repository__dataset"
    found = (
        without_hidden(Cell.objects.all())
        .order_by()
        .values_list(f"{dataset}__slug", f"{dataset}__title", f"{dataset}__reported_by")
        .annotate(
            competitors=Count("agent", filter=competing, distinct=True),
            tasks=Count("task", distinct=True),
            made=Sum(F("attempts") + F("infrastructure_failed")),
            with_tests=Sum("tested"),
            changed=Max("updated_at"),
            ours=Count("agent", filter=Q(agent__origin=""), distinct=True),
        )
    )
    reported = without_hidden(ResultReport.objects.filter(evaluation__listed=True)).order_by("evaluation")
    days = dict(reported.values_list("dataset__slug", "reported_on"))
    entries = [
        BoardEntry(
            slug,
            title,
            by,
            competitors,
            tasks,
            made,
            tested,
            days.get(slug) if by else changed.date(),
            ours > 0,
        )
        for slug, title, by, competitors, tasks, made, tested, changed, ours in found
    ]
    return Boards(tuple(sorted(entries, key=lambda one: (-one.competitors, -one.tasks, one.title))))
