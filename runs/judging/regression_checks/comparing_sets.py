"""The verdict about two sets of runs, what it rests on, and the paper's flags beside it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from runs.analysis.estimate import Estimate
from runs.analysis.judging.judge_drift import JudgeDrift
from runs.analysis.regression.paper_flags import (
    PaperFlags,
    ToolSuccess,
    formal_flags,
    ratio_flags,
    termination_flags,
    tool_flags,
    unpaired_p,
)
from runs.analysis.regression.run_set_check import MAX_TOOLS, QuantityCheck, RunSetCheck, check_run_sets
from runs.judging.regression_checks.set_members import MemberSet, SetMember, as_run_sets, by_cell
from runs.models import RegressionCheck

Verdict = RegressionCheck.Verdict
MAX_LOST = 0.1  # of the runs of a set: with more that have no verdict, the rest is not what was planned
MAX_EVIDENCE = 5


class RunEvidence(NamedTuple):
    """A pair of runs with one of the largest declines of a quantity."""

    candidate: SetMember
    anchor: SetMember
    after: float
    before: float


class PaperRow(NamedTuple):
    """One quantity with the paper's flags. Values are sums for `price`, means otherwise, or counts."""

    title: str
    first: float
    second: float
    p: float | None
    flags: PaperFlags


@dataclass(frozen=True, slots=True)
class SetComparison:
    """The outcome of the check in one word, with its reason, its evidence and the paper's flags."""

    verdict: RegressionCheck.Verdict
    reason: str
    check: RunSetCheck
    evidence: Mapping[str, Sequence[RunEvidence]]
    paper: Sequence[PaperRow]


def lost_reason(members: MemberSet) -> str:
    """Why the infrastructure makes a set unusable; '' if it does not."""
    total = len(members.members) + members.lost
    if not members.members:
        return f"{members.name}: none of {total} runs has a verdict."
    if members.lost > MAX_LOST * total:
        return f"{members.name}: {members.lost} of {total} runs have no verdict, more than {MAX_LOST:.0%}."
    return ""


def compare_sets(
    anchor: MemberSet, candidate: MemberSet, drifts: Mapping[str, JudgeDrift] | None = None
) -> SetComparison:
    """Compares the sets. The verdict is the first of these that applies.

    *not comparable*: the anchor has no runs. *infrastructure*: more than a tenth of the runs of a set have no verdict.
    *not comparable*: the sets differ in more than the runs, or no quantity could be tested. *regression*: a quantity
    became worse. *none* otherwise.
    """
    checked = check_run_sets(*as_run_sets(anchor, candidate), drifts)
    evidence = {one.quantity.name: _evidence(one, anchor, candidate) for one in checked.alarms}
    verdict, reason = _verdict(anchor, candidate, checked)
    paper = () if checked.obstacles else paper_rows(anchor, candidate)
    return SetComparison(verdict, reason, checked, evidence, paper)


def _verdict(anchor: MemberSet, candidate: MemberSet, checked: RunSetCheck) -> tuple[Verdict, str]:
    if not anchor.members and not anchor.lost:
        return Verdict.NOT_COMPARABLE, f"{anchor.name} has no run of this agent."
    if lost := lost_reason(candidate) or lost_reason(anchor):
        return Verdict.INFRASTRUCTURE, lost
    if checked.obstacles:
        return Verdict.NOT_COMPARABLE, _sentence("; ".join(checked.obstacles))
    if not checked.family:
        reasons = sorted({one.reason for one in checked.checks if one.reason})
        return Verdict.NOT_COMPARABLE, f"No quantity could be tested: {'; '.join(reasons)}."
    if checked.alarms:
        titles = ", ".join(one.quantity.title for one in checked.alarms)
        return Verdict.REGRESSION, f"Became worse: {titles}."
    return Verdict.NONE, f"None of {checked.family} tested quantities became worse.{_unanswered(checked)}"


def _unanswered(checked: RunSetCheck) -> str:
    """What the verdict does not cover."""
    untested = len(checked.checks) - checked.family
    quantities = f" {untested} of {len(checked.checks)} could not be tested." if untested else ""
    alone = len(checked.unpaired)
    are = "scenarios and personas are" if alone > 1 else "scenario with its persona is"
    return quantities + (f" {alone} {are} in one of the sets only, and left out." if alone else "")


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _evidence(check: QuantityCheck, anchor: MemberSet, candidate: MemberSet) -> list[RunEvidence]:
    name, better = check.quantity.name, check.quantity.better
    ours = by_cell(anchor.members)
    found = []
    for key, members in by_cell(candidate.members).items():
        after, before = _extreme(members, name, -better), _extreme(ours.get(key, ()), name, better)
        if after and before:
            found.append(RunEvidence(after[0], before[0], after[1], before[1]))
    # An amount is compared by its ratio, which has the order of the difference of logarithms.
    scale: Callable[[float], float] = math.log1p if check.quantity.scale == "amount" else float
    worst = sorted(found, key=lambda pair: better * (scale(pair.after) - scale(pair.before)))
    return [pair for pair in worst[:MAX_EVIDENCE] if better * (pair.after - pair.before) < 0]


def _extreme(members: Sequence[SetMember], name: str, sign: int) -> tuple[SetMember, float] | None:
    """The member with the largest value for sign 1, the smallest for −1."""
    known = [(one, value) for one in members if (value := one.run.value(name)) is not None]
    return max(known, key=lambda pair: sign * pair[1], default=None)


def paper_rows(anchor: MemberSet, candidate: MemberSet) -> list[PaperRow]:
    """The paper's flags of what the records have. Its flags of dimensions need side-by-side comparisons."""
    rows = []
    measures: tuple[tuple[str, str, Callable[[SetMember], float | None]], ...] = (
        ("price", "Price, US$", lambda one: one.run.value("cost_usd")),
        ("seconds", "Seconds", lambda one: one.run.value("seconds")),
        ("completion_tokens", "Generated tokens", lambda one: float(one.completion_tokens)),
        ("tool_calls", "Tool calls", lambda one: one.run.value("calls")),
    )
    for quantity, title, value in measures:
        first, second = _known(anchor, value), _known(candidate, value)
        if first and second:
            p = unpaired_p(first, second)
            means = sum(first) / len(first), sum(second) / len(second)
            rows.append(PaperRow(title, *means, p.value, ratio_flags(quantity, *means, p.value)))
    rows += _formal(anchor, candidate)
    endings = [Counter(one.ending for one in each.members) for each in (anchor, candidate)]
    apart = sum((endings[0] - endings[1]).values()) + sum((endings[1] - endings[0]).values())
    rows.append(PaperRow("Endings that differ", 0, apart, None, termination_flags(*endings)))
    return rows + _tools(anchor, candidate)


def _known(members: MemberSet, value: Callable[[SetMember], float | None]) -> list[float]:
    return [found for one in members.members if (found := value(one)) is not None]


def _formal(anchor: MemberSet, candidate: MemberSet) -> list[PaperRow]:
    """Of sets of equal size only, as the paper's are."""
    if len(anchor.members) != len(candidate.members):
        return []
    first, second = (
        int(sum(_known(each, lambda one: one.run.value("formal")))) for each in (anchor, candidate)
    )
    flags, p = formal_flags(first, second, len(anchor.members))
    return [PaperRow("Formal verification, runs", first, second, p.value, flags)]


def _tools(anchor: MemberSet, candidate: MemberSet) -> list[PaperRow]:
    sums = [_tool_sums(each) for each in (anchor, candidate)]
    rows = []
    shared = sums[0].keys() & sums[1].keys()
    most_called = sorted(shared, key=lambda name: (-sum(each[name].calls for each in sums), name))[:MAX_TOOLS]
    for name in sorted(most_called):
        first, second = (each[name] for each in sums)
        rates = first.succeeded / first.calls, second.succeeded / second.calls
        rows.append(PaperRow(f"Success of {name}", *rates, None, tool_flags(first, second)))
    return rows


def _tool_sums(members: MemberSet) -> Mapping[str, ToolSuccess]:
    succeeded: Counter[str] = Counter()
    calls: Counter[str] = Counter()
    for one in members.members:
        for name, tool in one.run.tools.items():
            succeeded[name] += tool.succeeded
            calls[name] += tool.calls
    return {name: ToolSuccess(succeeded[name], calls[name]) for name in calls}


def shown(estimate: Estimate) -> tuple[float | None, float | None, float | None]:
    """Value and ends of the interval."""
    ends = estimate.interval
    return estimate.value, ends.low if ends else None, ends.high if ends else None
