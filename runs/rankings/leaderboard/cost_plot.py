"""The plot above the table: the share solved against cost, tokens or time of an attempt, with the Pareto front."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import quantiles

from runs.analysis.cost.pareto import ParetoPoint, pareto
from runs.analysis.estimate import Estimate
from runs.data.queries.competitors import Competitor
from runs.presentation.charts.axis import Say, log_axis, near_share_axis
from runs.presentation.charts.line_chart import COLOURS
from runs.presentation.charts.scatter import Scatter, ScatterPoint
from runs.presentation.formatting.numbers import count, dollars, duration, percent
from runs.rankings.leaderboard.column import NO_MODEL, BoardRow, of_some

MIN_POINTS = 2
MIN_FENCED = 8  # agents, from which on those far below the others are left out of the drawing
OUTER_FENCE = 3.0  # interquartile ranges
MAX_BEST_NAMED = 5  # agents with a name in the drawing, beside those on the front


@dataclass(frozen=True, slots=True)
class Currency:
    """One choice for the x axis. `write` formats an amount; `method` is an anchor of the methods page.

    `per_task`: the amount as the head of a narrow column.
    """

    key: str
    label: str
    per_task: str
    axis: str
    amount: Callable[[BoardRow], Estimate]
    write: Say
    method: str


@dataclass(frozen=True, slots=True)
class Placed:
    """One agent in the plot's table.

    `beaten_by`: the best agent on the front that beats it, None on the front; `others`: how many more beat it.
    `on_front`: no other beats it, and it resolved something. `label`: its name in the chart.
    """

    agent: Competitor
    label: str
    rate: str
    amount: str
    beaten_by: Competitor | None
    others: int
    on_front: bool


@dataclass(frozen=True, slots=True)
class FrontPlot:
    """The chart, its table, and the agents in neither because the amount is unknown.

    `below`: those in the table that are too far below the others for the chart, so that these can be told apart.
    `shaded`: how many marks at the top cannot be told apart; 0 if the first one is alone there. If it is all of them,
    the chart has no shade.
    """

    currency: Currency
    chart: Scatter
    placed: tuple[Placed, ...]
    unknown: tuple[Competitor, ...]
    below: tuple[Placed, ...] = ()
    shaded: int = 0

    @property
    def title(self) -> str:
        """The text alternative of the chart."""
        axis = self.currency.axis.capitalize()
        drawn = len(self.placed) - len(self.below)
        return f"{axis} against the share solved per attempt, of {drawn} agents; the table below has the numbers."

    @property
    def front_names(self) -> list[str]:
        """The names in the chart of the agents on the front, the cheapest first."""
        return [one.label for one in self.placed if one.on_front]

    @property
    def front(self) -> list[Competitor]:
        """The agents that no other beats and that resolved something, the cheapest first."""
        return [one.agent for one in self.placed if one.on_front]


_NO_MODEL = Estimate.unknown(NO_MODEL)
CURRENCIES: Mapping[str, Currency] = {
    one.key: one
    for one in (
        Currency(
            "cost",
            "cost",
            "$ a task",
            "cost of an attempt",
            lambda row: row.standing.cost_per_attempt if row.agent.model else _NO_MODEL,
            dollars,
            "cost-per-attempt",
        ),
        Currency(
            "tokens",
            "tokens",
            "tokens",
            "tokens of an attempt",
            lambda row: row.standing.tokens_per_attempt if row.agent.model else _NO_MODEL,
            count,
            "row",
        ),
        Currency(
            "time",
            "time",
            "time",
            "time of an attempt",
            lambda row: row.standing.seconds_per_attempt,
            duration,
            "seconds-per-attempt",
        ),
    )
}


def front_plot(
    rows: Sequence[BoardRow], key: str, labels: Mapping[str, str], tied: Collection[str] = ()
) -> FrontPlot | None:
    """The competitors with their Pareto front; None without two to draw.

    `labels`: their names in the chart, by slug. `tied`: the slugs of those at the top that cannot be told apart.
    """
    currency = CURRENCIES[key]
    ours = {row.agent.slug: row for row in rows}
    estimates = {slug: currency.amount(row) for slug, row in ours.items()}
    amounts = {slug: estimate.value for slug, estimate in estimates.items()}
    front = pareto(
        [ParetoPoint(slug, row.standing.pass_1.value, amounts[slug]) for slug, row in ours.items()]
    )
    if front.n < MIN_POINTS:
        return None
    beaten = {one.name: one.by for one in front.dominated}
    order = [point.name for point in front.members]
    order += sorted(beaten, key=_best_first(ours))
    known = {slug: amount for slug, amount in amounts.items() if amount is not None}
    written = {slug: _written(currency, estimates[slug], ours[slug]) for slug in order}
    placed = {slug: _placed(slug, ours, labels[slug], written[slug], beaten.get(slug, ())) for slug in order}
    least = _least_drawn([ours[slug].standing.pass_1.value for slug in order])
    drawn = [slug for slug in order if ours[slug].standing.pass_1.value >= least]
    best = sorted(drawn, key=_best_first(ours))[:MAX_BEST_NAMED]
    named = {slug for slug in drawn if placed[slug].on_front or slug in best}
    drawn.sort(key=lambda slug: slug not in named)  # names are placed in the order of the marks
    marks = [
        _mark(
            ours[slug],
            known[slug],
            written[slug],
            labels[slug],
            named=slug in named,
            at_top=not tied or slug in tied,
        )
        for slug in drawn
    ]
    ends = [end for mark in marks for end in (mark.low, mark.high, mark.y) if end is not None]
    shaded = [ours[slug].standing.pass_1.value for slug in drawn if slug in tied]
    return FrontPlot(
        currency,
        Scatter(
            tuple(marks),
            log_axis(currency.axis, [known[slug] for slug in drawn], currency.write),
            near_share_axis("solved per attempt", ends),
            tuple(
                (known[point.name], point.rate)
                for point in front.members
                if point.name in drawn and placed[point.name].on_front
            ),
            shade=(min(shaded), max(shaded)) if shaded and len(shaded) < len(drawn) else None,
            numbered=False,
        ),
        tuple(placed.values()),
        tuple(ours[slug].agent for slug in front.unknown),
        tuple(placed[slug] for slug in order if slug not in drawn),
        len(shaded),
    )


def _mark(
    row: BoardRow, amount: float, written: str, label: str, *, named: bool, at_top: bool
) -> ScatterPoint:
    """The mark of an agent, which leads to its page. Only marks with a name have whiskers: 43 would hide each other."""
    rate = row.standing.pass_1
    return ScatterPoint(
        label,
        amount,
        rate.value,
        rate.interval.low if named else None,
        rate.interval.high if named else None,
        named=named,
        hover=(f"{percent(rate.value)}, {written} an attempt",),
        group=0 if at_top else COLOURS.index("ink-2"),
        href=row.agent.get_absolute_url(),
    )


def _least_drawn(rates: Sequence[float]) -> float:
    """The lowest rate that is drawn: three times the interquartile range below the lower quartile, Tukey's outer fence.

    Farther below, one agent would take half of the axis. With fewer than MIN_FENCED agents, all are drawn.
    """
    if len(rates) < MIN_FENCED:
        return 0.0
    first, _, third = quantiles(rates, n=4, method="inclusive")
    return first - OUTER_FENCE * (third - first)


def _written(currency: Currency, amount: Estimate, row: BoardRow) -> str:
    """An amount, with its n if some attempts have none: `$1.57, n 498`."""
    return ", ".join(filter(None, (currency.write(amount.value or 0.0), of_some(amount, row))))


def _placed(
    slug: str, rows: Mapping[str, BoardRow], label: str, amount: str, beaten_by: Sequence[str]
) -> Placed:
    best = min(beaten_by, key=_best_first(rows), default=None)
    rate = rows[slug].standing.pass_1.value
    return Placed(
        agent=rows[slug].agent,
        label=label,
        rate=percent(rate),
        amount=amount,
        beaten_by=rows[best].agent if best else None,
        others=max(0, len(beaten_by) - 1),
        on_front=best is None and rate > 0,
    )


def _best_first(rows: Mapping[str, BoardRow]) -> Callable[[str], tuple[float, str]]:
    return lambda slug: (-rows[slug].standing.pass_1.value, slug)
