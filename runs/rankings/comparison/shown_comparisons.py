"""Comparisons by judges, turned so that the first run of the page is A, with both orders and their quotes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import F, Q, QuerySet

from harness.judges.dimensions import dimensions
from runs.data.queries.visibility import Reader, visible
from runs.models import ComparisonLine, ComparisonOrder, Run, RunComparison

_LABELS = ("A", "B")
TIE = "tie"


@dataclass(frozen=True, slots=True)
class ShownLine:
    """One aspect. `winner`: A, B or tie. `label` and `run`: which run is quoted."""

    line: ComparisonLine
    winner: str
    label: str
    run: Run


@dataclass(frozen=True, slots=True)
class ShownOrder:
    """A judge's answer for one order. `first`: A or B, which was shown first. `score`: negative if A is better."""

    order: ComparisonOrder
    first: str
    score: int | None
    lines: Sequence[ShownLine]

    @property
    def winner(self) -> str:
        """A, B or tie; '' without a score."""
        return winner_of(self.score)


@dataclass(frozen=True, slots=True)
class ShownComparison:
    """One comparison of the runs A and B. `score`: −5 to 5, negative if A is better; None without one."""

    row: RunComparison
    title: str
    first: Run
    second: Run
    score: int | None
    orders: Sequence[ShownOrder]

    @property
    def winner(self) -> str:
        """A, B or tie; '' without a score."""
        return winner_of(self.score)

    @property
    def points(self) -> int:
        """How far the runs are apart, 0 to 5."""
        return abs(self.score or 0)

    @property
    def struck(self) -> int:
        """Quotes that do not stand in what the judge was shown."""
        return sum(each.line.status == "unverified" for order in self.orders for each in order.lines)


def winner_of(score: int | None) -> str:
    """A for a negative score, B for a positive one; '' for none."""
    if score is None:
        return ""
    return TIE if not score else "A" if score < 0 else "B"


def comparisons_of(one: Run, two: Run, reader: Reader) -> list[ShownComparison]:
    """The ended comparisons of two runs, whichever was their first, by dimension, judge and sample."""
    either = Q(run_one=one, run_two=two) | Q(run_one=two, run_two=one)
    rows = visible(RunComparison.objects.filter(either), reader)
    return shown(rows, lambda row: row.run_one_id == two.pk)


def shown(
    rows: QuerySet[RunComparison], is_swapped: Callable[[RunComparison], bool]
) -> list[ShownComparison]:
    """Those of these rows that have ended, of the present tries, equal ones of several passes once."""
    ended = (
        rows.filter(
            Q(try_one=0) | Q(try_one=F("run_one__tries")), Q(try_two=0) | Q(try_two=F("run_two__tries"))
        )
        .exclude(state__in=(*RunComparison.OPEN, RunComparison.State.CANCELLED))
        .select_related("judge", "run_one__agent", "run_two__agent", "run_one__task__repository")
        .order_by("-pk")
    )
    found: dict[object, RunComparison] = {}
    for row in ended:
        asked = (row.run_one_id, row.run_two_id, row.judge.name, row.dimension, row.sample)
        found.setdefault(row.key or asked, row)
    orders = _orders(found.values())
    place = {name: number for number, name in enumerate(dimensions())}
    return sorted(
        (_shown(row, orders.get(row.pk, ()), is_swapped(row)) for row in found.values()),
        key=lambda each: (
            place.get(each.row.dimension, len(place)),
            each.row.dimension,
            each.row.judge.name,
            each.row.sample,
            each.first.pk,
        ),
    )


def title_of(dimension: str) -> str:
    """The title of a dimension, also of one that the code does not have any more."""
    known = dimensions().get(dimension)
    return known.title if known else dimension.replace("_", " ").capitalize()


def _orders(rows: Iterable[RunComparison]) -> Mapping[int, Sequence[ComparisonOrder]]:
    # The comparisons are visible to the reader: their orders and lines are visible with them.
    numbers = [row.pk for row in rows]
    grouped: dict[int, list[ComparisonOrder]] = defaultdict(list)
    orders = ComparisonOrder.objects.filter(comparison__in=numbers).prefetch_related("lines")
    for order in orders.order_by("comparison", "shown_first"):
        grouped[order.comparison_id].append(order)
    return grouped


def _shown(row: RunComparison, orders: Sequence[ComparisonOrder], swapped: bool) -> ShownComparison:
    runs = (row.run_two, row.run_one) if swapped else (row.run_one, row.run_two)
    return ShownComparison(
        row,
        title_of(row.dimension),
        *runs,
        _turned(row.score, swapped),
        [
            ShownOrder(
                order,
                _label(order.shown_first, swapped),
                _turned(order.score, swapped),
                [_line(line, runs, swapped) for line in order.lines.all()],
            )
            for order in orders
        ],
    )


def _line(line: ComparisonLine, runs: tuple[Run, Run], swapped: bool) -> ShownLine:
    winner = TIE if line.winner == ComparisonLine.Winner.TIE else _label(int(line.winner[1]), swapped)
    label = _label(line.quoted_run, swapped)
    return ShownLine(line, winner, label, runs[_LABELS.index(label)])


def _label(number: int, swapped: bool) -> str:
    """A or B for run 1 or 2 of a comparison."""
    return _LABELS[(number == 2) != swapped]


def _turned(score: int | None, swapped: bool) -> int | None:
    return -score if score is not None and swapped else score
