"""Topic: the same model in several harnesses, and several models in the same harness."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from runs.analysis.estimate import Estimate
from runs.analysis.facts import sift
from runs.analysis.outcomes.harness_effect import (
    AgentParts,
    EffectPair,
    Pairs,
    harness_effect,
    leading_pair,
    model_effect,
)
from runs.analysis.outcomes.solved import scores_of
from runs.models.agent import UNKNOWN_MODEL
from runs.presentation.charts.axis import linear_axis
from runs.presentation.charts.dots import Dot, Dots
from runs.presentation.formatting.numbers import bounds, counted, p_value, percent, points, signed
from runs.reporting.topics.section_parts import (
    Columns,
    Field,
    alternatives,
    matrix,
    one_picture,
    table_of,
)
from runs.reporting.topics.topic_data import TopicData
from runs.reporting.topics.topic_result import Minor, ResultSection, ResultTable, TableColumn

MAX_DOTS = 30
_UNCERTAIN = "A harness is the program that calls the model, with its prompts, tools and limits."


def sections(data: TopicData) -> tuple[str, tuple[ResultSection, ...]]:
    """The pairs of harnesses, and for each harness the pairs of models."""
    scores, parts = scores_of(sift(data.runs).usable), _parts(data)
    harnesses, models = harness_effect(scores, parts), model_effect(scores, parts)
    return _summary(harnesses), (_harnesses(harnesses), _models(data, models))


def _parts(data: TopicData) -> dict[str, AgentParts]:
    return {
        slug: AgentParts("" if agent.model == UNKNOWN_MODEL else agent.model, agent.harness)
        for slug, agent in data.agents.items()
    }


def _summary(pairs: Pairs[str]) -> str:
    if not pairs:
        return "No model has runs in two harnesses here."
    top = leading_pair(pairs)
    models = len({pair.same for pair in pairs})
    significant = sum(pair.significant for pair in pairs)
    said = (
        f"{counted(models, 'model')} {'has' if models == 1 else 'have'} runs in several harnesses: of "
        f"{counted(len(pairs), 'pair')} {significant} {'differs' if significant == 1 else 'differ'} significantly "
        "after Holm's correction."
    )
    if top is None:
        return said
    corrected = "" if top.corrected.value is None else f", corrected p {p_value(top.corrected.value)}"
    return (
        f"{said} The largest{' of these' if top.significant else ''}: {top.same} resolves "
        f"{percent(top.our_rate.value)} in {top.ours} and {percent(top.their_rate.value)} in {top.theirs}, of "
        f"{counted(top.difference.n, 'task')}{corrected}."
    )


_COLUMNS: Columns[EffectPair[str]] = (
    Field("model", "Model", "text", lambda it: it.same),
    Field("first_harness", "Harness", "text", lambda it: it.ours),
    Field("second_harness", "Other harness", "text", lambda it: it.theirs),
    Field("first_rate", "Resolved", "percent", lambda it: it.our_rate.value),
    Field("second_rate", "In the other", "percent", lambda it: it.their_rate.value),
    Field("difference", "Points", "points", lambda it: it.difference, "harness-effect"),
    Field("corrected_p", "Corrected p", "number4", lambda it: it.corrected.value, "harness-effect"),
    Field("p", "p", "number4", lambda it: it.p.value, "told-apart"),
    Field("ahead", "Tasks ahead", "count", lambda it: it.ahead),
    Field("behind", "Behind", "count", lambda it: it.behind),
    Field("level", "Level", "count", lambda it: it.level),
    Field("significant", "Significant", "flag", lambda it: it.significant),
    Field("first", "Agent", "agent", lambda it: it.first),
    Field("second", "Other agent", "agent", lambda it: it.second),
)


def _harnesses(pairs: Pairs[str]) -> ResultSection:
    return ResultSection(
        "harnesses",
        "The same model in another harness",
        f"{_UNCERTAIN} The agents differ in it and have the same model, as far as the source names it. Rates and "
        "differences are over the tasks that both tried. Intervals are not corrected for the number of pairs; the "
        "corrected p is.",
        ("harness-effect", "told-apart"),
        one_picture(
            "harness-chart",
            "Points between two harnesses with the same model, with 95 % intervals; hollow: not significant.",
            _chart(pairs[:MAX_DOTS]),
        ),
        table_of("harness-pairs", "Every two harnesses with the same model", _COLUMNS, pairs),
        "No model has runs in two harnesses, or the harnesses are unknown.",
    )


def _chart(pairs: Sequence[EffectPair[str]]) -> Dots | None:
    known = [pair for pair in pairs if pair.difference.value is not None]
    if not known:
        return None
    reach = [
        end for pair in known for end in (pair.difference.value, *bounds(pair.difference)) if end is not None
    ]
    rows = tuple(
        Dot(
            f"{pair.ours} – {pair.theirs}",
            pair.difference.value,
            f"{points(pair.difference.value)}, {pair.same}",
            *bounds(pair.difference),
            hollow=not pair.significant,
            hover=(pair.same, f"{points(pair.difference.value)}, n {pair.difference.n:,}"),
        )
        for pair in known
    )
    return Dots(rows, linear_axis("points", reach, lambda value: signed(100 * value, 0)), reference=0.0)


def _models(data: TopicData, pairs: Pairs[str]) -> ResultSection:
    significant = sum(pair.significant for pair in pairs)
    return ResultSection(
        "models",
        "Another model in the same harness",
        f"What the row solves per attempt (pass@1) minus what the column solves, over the tasks that both tried. Of "
        f"{counted(len(pairs), 'pair')}, {significant} differ significantly after Holm's correction over all of them; "
        "those that do not are without colour.",
        ("harness-effect",),
        (),
        alternatives(_matrices(data, pairs)),
        "No harness has runs of two models, or the harnesses are unknown.",
    )


def _matrices(data: TopicData, pairs: Pairs[str]) -> Iterator[tuple[str, tuple[ResultTable, ...]]]:
    """A matrix of agents for each harness, the one with most pairs first."""
    harnesses = sorted({pair.same for pair in pairs}, key=lambda name: (-_count(pairs, name), name))
    for number, harness in enumerate(harnesses, 1):
        ours = [pair for pair in pairs if pair.same == harness]
        cells = {(pair.first, pair.second): _cell(pair) for pair in ours}
        cells |= {(pair.second, pair.first): _cell(pair, swapped=True) for pair in ours}
        rates = {pair.first: pair.our_rate.value or 0.0 for pair in ours}
        rates |= {pair.second: pair.their_rate.value or 0.0 for pair in ours}
        agents = sorted(rates, key=lambda agent: (-rates[agent], agent))
        yield harness, _matrix(data, f"model-matrix-{number}", harness, agents, cells)


def _matrix(
    data: TopicData,
    name: str,
    harness: str,
    agents: Sequence[str],
    cells: Mapping[tuple[str, str], Estimate | Minor],
) -> tuple[ResultTable, ...]:
    return matrix(
        name,
        f"Differences of solved per attempt in {harness}",
        agents,
        [(agent, data.agents[agent].model) for agent in agents],
        lambda one, other: cells.get((one, other)),
        head=TableColumn("agent", "Agent", "agent"),
        form="difference",
    )


def _count(pairs: Pairs[str], harness: str) -> int:
    return sum(pair.same == harness for pair in pairs)


def _cell(pair: EffectPair[str], *, swapped: bool = False) -> Estimate | Minor:
    figure = pair.difference.negated() if swapped else pair.difference
    return figure if pair.significant else Minor(figure)
