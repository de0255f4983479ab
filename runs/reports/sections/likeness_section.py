"""How steady agents are, how alike, and what several of them do together."""

from __future__ import annotations

from runs.formatting.markdown_text import text
from runs.reports.found import Routing
from runs.reports.pen import Pen, Section
from runs.reports.report_tables import Table
from runs.reports.words import counted, dollars, number, percent


def consistency(pen: Pen) -> Section:
    """σ and ICC."""
    table = Table(
        "agent",
        "σ over attempts",
        "variance between tasks",
        "within",
        "ICC",
        "reliability",
        "tasks tried once",
        of="agents",
        where="consistency.consistency.rows",
    )
    for one in pen.material.found.consistency.rows:
        table.row(
            pen.agent(one.agent),
            number(one.sigma, 3),
            number(one.between, 4),
            number(one.within, 4),
            number(one.icc),
            number(one.reliability, 1),
            f"{one.unrepeated} of {one.tasks}",
        )
    return Section(
        "Consistency",
        "How far the test pass rates of attempts at one task lie apart: σ is the mean over tasks of their standard "
        "deviation, 0 for an agent that always does the same, good or bad. The ICC is the share of the variance that "
        "lies between tasks.",
        [table.markdown("No run has a test pass rate.")],
        ("consistency", "consistency-of-an-agent", "icc"),
    )


def together(pen: Pen) -> Section:
    """Similarity, portfolios, cascades and routing."""
    found = pen.material.found
    pairs = Table(
        "pair",
        "both",
        "first alone",
        "second alone",
        "neither",
        "Jaccard",
        "together",
        of="pairs",
        where="similarity.similarity.pairs",
        most=12,
    )
    ranked = sorted(
        found.similarity.pairs,
        key=lambda pair: (-(pair.coverage.value or 0.0), pair.jaccard.value or 0.0, pair.first, pair.second),
    )
    for pair in ranked:
        pairs.row(
            f"{pen.agent(pair.first)}, {pen.agent(pair.second)}",
            *(f"{count:,}" for count in (pair.both, pair.only_first, pair.only_second, pair.neither)),
            number(pair.jaccard),
            percent(pair.coverage),
        )
    return Section(
        "Alike, and together",
        f"A task counts as solved when one of the first {found.similarity.k} attempts resolved it; with fewer attempts "
        "and no success it is undecided. Jaccard: tasks that both solve ÷ tasks that either solves. The pairs "
        "that solve most together stand first, and of these the least alike.",
        [
            pairs.markdown("There are no two agents."),
            pen.plot("jaccard", "Jaccard index of the solved tasks of each two agents."),
            _portfolios(pen),
            _cascades(pen),
            f"### Routing by stack\n\n{_routing(pen, found.routing)}",
            f"### Routing by language\n\n{_routing(pen, found.routing_by_language)}",
        ],
        ("solved-within-k", "jaccard", "similarity", "portfolios", "cascades", "routing"),
    )


def _portfolios(pen: Pen) -> str:
    enough = ""
    table = Table("agents", "who", "tasks covered", "exact", "undecided tasks", of="sizes")
    covered = -1
    for one in pen.material.found.portfolios.portfolios:
        if one.covered <= covered and one.exact:
            enough = "More agents cover no more tasks."
            break
        covered = one.covered
        table.row(
            str(len(one.agents)),
            pen.agents(one.agents),
            percent(one.coverage),
            "yes" if one.exact else f"no: at most {one.at_most:,} tasks",
            f"{len(one.undecided):,}",
        )
    return (
        "### Portfolios\n\nThe agents that together solve the most. They are chosen on the tasks that they are "
        f"measured on, so new tasks will see less.\n\n{table.markdown('There is no agent to choose.')}\n\n{enough}"
    )


def _cascades(pen: Pen) -> str:
    cascades = pen.material.found.cascades
    table = Table(
        "first",
        "then",
        "resolves",
        "more than the second alone",
        "US$ saved by task",
        "tokens saved by task",
        of="ordered pairs",
        where="cost.cascades.pairs",
        most=10,
    )
    ranked = sorted(
        cascades.pairs,
        key=lambda pair: (-(pair.plan.rate.value or 0.0), pair.plan.tokens.value or 0.0, pair.plan.agents),
    )
    for pair in ranked:
        first, second = pair.plan.agents
        table.row(
            pen.agent(first),
            pen.agent(second),
            percent(pair.plan.rate),
            percent(pair.gain),
            dollars(pair.saving_usd),
            number(pair.saving_tokens, 0),
        )
    return (
        "### A first, then B if A fails\n\nExpected for one try at each task, the pairs that resolve most first, of "
        "equals the one with fewer tokens. It takes knowing that the first failed, and counts on the second to start "
        "afresh. Negative savings: dearer.\n\n" + table.markdown("There are no two agents with common tasks.")
    )


def _routing(pen: Pen, routing: Routing) -> str:
    table = Table("tasks of", "n tasks", "best agent", "its rate", "not told apart from it", of="labels")
    for route in routing.routes:
        others = [agent for agent in route.tied if agent != route.agent]
        table.row(
            text(route.label),
            f"{route.tasks:,}",
            pen.agent(route.agent),
            percent(route.rate),
            pen.agents(others),
        )
    gain, naive = percent(routing.gain), percent(routing.naive_gain)
    said = (
        f"No gain can be told: {text(gain.reason)}."
        if gain.reason
        else f"Gain over always taking the best agent, on tasks that did not choose: {gain.shown}; measured on the "
        f"tasks that chose, which flatters: {naive.shown}."
    )
    ground = f"Over {counted(len(routing.ground.tasks), 'task')} that all compared agents tried."
    return f"{said} {ground}\n\n{table.markdown('No task names one.')}"
