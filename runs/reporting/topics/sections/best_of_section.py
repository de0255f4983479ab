"""The section on best-of-N: whether what is known before grading chooses the better of several runs."""

from __future__ import annotations

from collections.abc import Sequence

from runs.analysis.outcomes.best_of_n import BestOfN, SelectorResult, best_of_n
from runs.analysis.outcomes.run_selectors import SELECTORS
from runs.analysis.prediction.predicted_selector import predicted_selector
from runs.presentation.charts.axis import linear_axis
from runs.presentation.charts.dots import Dot, Dots
from runs.presentation.formatting.numbers import bounds, counted, percent, points, signed
from runs.reporting.topics.section_parts import Columns, Field, one_picture, one_table, table_of
from runs.reporting.topics.topic_data import TopicData
from runs.reporting.topics.topic_result import ResultSection, ResultTable, TableColumn, Term


def best_of_section(data: TopicData) -> ResultSection:
    """The gain of each selector over all agents, and the rates of each agent."""
    found = best_of_n(data.runs, data.k, (*SELECTORS, predicted_selector(data.runs, seed=data.seed)))
    known = [one for one in found.overall.selectors if one.best_of.value is not None]
    return ResultSection(
        "best-of-n",
        "Choosing one of several attempts",
        f"Of {counted(found.n, 'attempt')} of an agent at a task, one is chosen by what is known before grading. A "
        f"random choice gives pass@1, and a choice that always finds a success gives pass@{found.n}; the share "
        "captured is the position between these two. A selector below pass@1 prefers failures. Intervals allow for "
        "tasks of one repository being alike. An attempt without a value is chosen only if no other was drawn.",
        ("best-of-n", "chosen-rate", "predicted-selector", "pass-rate"),
        one_picture(
            "best-of-n-chart",
            f"Gain over pass@1 of choosing one of {found.n} attempts, over all agents, with 95 % intervals.",
            _chart(known) if known else None,
        ),
        (*_overall(found), *_by_agent(data, found)) if known else (),
        f"No choice is possible: {_reason(found)}.",
    )


def _reason(found: BestOfN) -> str:
    return next((one.best_of.reason for one in found.overall.selectors if one.best_of.reason), "no run")


def _chart(known: Sequence[SelectorResult]) -> Dots:
    rows = sorted(known, key=lambda one: (-(one.gain.value or 0.0), one.selector))
    reach = [end for one in rows for end in (one.gain.value, *bounds(one.gain)) if end is not None]
    return Dots(
        tuple(
            Dot(one.title, one.gain.value, f"{points(one.gain.value)}, n {one.gain.n:,}", *bounds(one.gain))
            for one in rows
        ),
        linear_axis("points above pass@1", reach, lambda value: signed(100 * value, 0)),
        reference=0.0,
    )


_OVERALL: Columns[SelectorResult] = (
    Field("selector", "Chosen", "text", lambda it: Term(it.selector, it.title)),
    Field("best_of", "Resolved", "percent", lambda it: it.best_of, "best-of-n"),
    Field("gain", "Points above pass@1", "points", lambda it: it.gain, "best-of-n"),
    Field("captured", "Captured", "percent", lambda it: it.captured, "best-of-n"),
    Field("missing", "Attempts without a value", "count", lambda it: it.missing),
)


def _overall(found: BestOfN) -> tuple[ResultTable, ...]:
    return table_of(
        "best-of-n",
        f"Best-of-{found.n} over all agents: pass@1 {percent(found.overall.pass_1.value)}, pass@{found.n} "
        f"{percent(found.overall.pass_n.value)}, of {counted(found.overall.runs, 'attempt')}",
        _OVERALL,
        found.overall.selectors,
    )


def _by_agent(data: TopicData, found: BestOfN) -> tuple[ResultTable, ...]:
    order = {one.agent: place for place, one in enumerate(data.outcomes.agents)}
    agents = sorted(found.agents, key=lambda one: order.get(one.agent or "", len(order)))
    selectors = [(one.selector, one.title) for one in found.overall.selectors]
    columns = [
        TableColumn("agent", "Agent", "agent"),
        TableColumn("pass_1", "pass@1", "percent", "pass-rate"),
        *(TableColumn(name, title, "percent", "best-of-n") for name, title in selectors),
        TableColumn("pass_n", f"pass@{found.n}", "percent", "pass-rate"),
    ]
    rows = [(one.agent, one.pass_1, *(each.best_of for each in one.selectors), one.pass_n) for one in agents]
    return one_table("best-of-n-by-agent", f"Best-of-{found.n} by agent", columns, rows)
