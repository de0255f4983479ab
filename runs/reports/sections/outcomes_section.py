"""Who resolves how much, and who can be told apart."""

from __future__ import annotations

from runs.reports.found import HeadToHead
from runs.reports.pen import Pen, Section
from runs.reports.report_tables import Table
from runs.reports.words import counted, number, percent


def leaderboard(pen: Pen) -> Section:
    """Places, groups and pass@1, with the pairs that are told apart."""
    found = pen.material.found.outcomes
    board = Table(
        "place",
        "group",
        "agent",
        "pass@1",
        "if lost runs had failed",
        "tests passed",
        "tasks",
        "resolved ÷ attempts",
        of="agents",
        where="outcomes.outcomes.agents",
    )
    for one in found.agents:
        if one.agent not in found.ties.places:
            board.row(
                "—", "—", pen.agent(one.agent), *[percent(one.pass_1)] * 2, percent(one.tests), "0", "0 ÷ 0"
            )
            continue
        place, group = found.ties.places[one.agent], found.ties.of(one.agent)
        board.row(
            _range(place.first, place.last),
            _range(group.first, group.last),
            pen.agent(one.agent),
            percent(one.pass_1),
            percent(one.pass_1_strict) if one.infrastructure_failed else "the same",
            percent(one.tests),
            f"{one.tasks:,}",
            f"{one.resolved:,} ÷ {one.attempts:,}",
        )
    return Section(
        "Leaderboard",
        "pass@1 is the mean over tasks of the share of attempts that resolved the task; n counts tasks, and the range "
        "is the 95 % interval over tasks like these. A place is a range, as far as the data tell agents apart; agents "
        "of one group hang together by ties.",
        [
            board.markdown("No agent made a run."),
            pen.plot("leaderboard", "pass@1 of each agent with its 95 % interval, best on top."),
            _pairs(pen),
        ],
        (
            "pass-rate",
            "clustered-interval",
            "groups",
            "head-to-head",
            "difference-interval",
            "excluded",
            "test-pass-rate",
        ),
    )


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}–{last}"


def _pairs(pen: Pen) -> str:
    ties = pen.material.found.outcomes.ties
    if not ties.pairs:
        return ""
    beside = {frozenset((one.first, one.second)): one for one in pen.material.found.head_to_head.pairs}
    table = Table(
        "better",
        "worse",
        "difference of pass@1",
        "tasks ahead, behind, level",
        "p",
        "p after Holm",
        of="pairs",
        where="pairs.head_to_head.pairs",
    )
    closest = sorted(
        ties.pairs, key=lambda pair: (abs(pair.difference.value or 0.0), pair.first, pair.second)
    )
    for pair in closest:
        if pair.told_apart and pair.better is not None:
            worse = pair.second if pair.better == pair.first else pair.first
            ours = _seen_from(pair.better, beside[frozenset((pair.first, pair.second))])
            table.row(
                pen.agent(pair.better),
                pen.agent(worse),
                percent(ours.difference),
                f"{ours.ahead:,}, {ours.behind:,}, {ours.level:,}",
                number(pair.p, 4),
                number(pair.corrected, 4),
            )
    told = sum(pair.told_apart for pair in ties.pairs)
    untested = sum(pair.corrected.value is None for pair in ties.pairs)
    short = (
        f"{untested:,} share fewer than {ties.tasks_needed} tasks and were not tested. " if untested else ""
    )
    sentence = (
        f"### Pairs told apart\n\n{told:,} of {counted(len(ties.pairs), 'pair')}, by a sign-flip test over common "
        f"tasks with Holm's correction, at 5 %; the closest stand first. {short}Any other two may be equally good. "
        "Intervals are those of single pairs, corrected for nobody."
    )
    return f"{sentence}\n\n{table.markdown('No pair is told apart.')}"


def _seen_from(agent: str, pair: HeadToHead) -> HeadToHead:
    """The same with this one of the two first."""
    return pair if pair.first == agent else pair.turned()


def attempts(pen: Pen) -> Section:
    """pass@k, pass^k, what retries bring, and where rates lie between floor and ceiling."""
    found, options = pen.material.found.outcomes, pen.material.options
    table = Table(
        "agent",
        f"pass@{found.k}",
        f"pass^{found.k}",
        "retry benefit",
        "pass@1 between bounds",
        "tests between bounds",
        of="agents",
        where="outcomes.outcomes.agents",
    )
    for one in found.agents:
        table.row(
            pen.agent(one.agent),
            percent(one.pass_k),
            percent(one.all_k),
            percent(one.retry_benefit),
            number(one.between_rates),
            number(one.between_tests),
        )
    floor = "no null agent made a run" if options.floor is None else pen.agent(options.floor)
    ceiling = "no oracle made a run" if options.ceiling is None else pen.agent(options.ceiling)
    return Section(
        f"Several attempts: k = {found.k}",
        f"pass@{found.k}: the chance that at least one of {found.k} attempts resolves a task; pass^{found.k}: that all "
        f"do; retry benefit: pass@{found.k} − pass@1. Between bounds: 0 is the floor (untouched code), 1 the ceiling "
        "(reference patch).",
        [f"Floor: {floor}. Ceiling: {ceiling}.", table.markdown("No agent made a run.")],
        ("pass-at-k", "pass-hat-k", "retry-benefit", "floor-and-ceiling"),
    )
