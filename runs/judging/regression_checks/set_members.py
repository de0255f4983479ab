"""Sets of runs for the check: what the record of each run says, with its scores by judges."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from harness.dataset.workflow import scenario_of
from harness.records import Outcome, RunSummary
from runs.analysis.facts import ToolUse, sensible
from runs.analysis.regression.paper_flags import ToolSuccess
from runs.analysis.regression.run_sets import RunSet, ScenarioRun

VERDICTS = (Outcome.RESOLVED, Outcome.UNRESOLVED)
Scores = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class SetMember:
    """One run with a verdict. `pk`: its number on this site, None for a run in a directory alone."""

    key: str
    pk: int | None
    task: str
    digest: str
    dataset: str
    limits: str
    user: str
    ending: str
    completion_tokens: int
    run: ScenarioRun


@dataclass(frozen=True, slots=True)
class MemberSet:
    """The runs of one agent. `lost`: runs without a verdict. `panel`: the judges with their prompts; '' without."""

    name: str
    members: tuple[SetMember, ...]
    lost: int = 0
    panel: str = ""
    agents: frozenset[str] = field(default_factory=frozenset)


def member_of(
    summary: RunSummary, tools: ToolUse | None, scores: Scores, *, pk: int | None = None
) -> SetMember:
    """A run of a set, from its record. An invalid value of the record is unknown."""
    who = summary.identity
    named = scenario_of(who.task)
    scenario, persona = (named[0], named[1].value) if named else (who.task, "")
    tokens = summary.prompt_tokens + summary.completion_tokens
    values: dict[str, float | None] = {
        "formal": float(summary.outcome is Outcome.RESOLVED),
        "cost_usd": summary.cost_usd,
        "seconds": summary.act_seconds,
        "tokens": float(tokens),
        **scores,
    }
    return SetMember(
        key=who.run_id,
        pk=pk,
        task=f"{who.repository}/{who.task}",
        digest=who.task_digest,
        dataset=f"{who.dataset} {who.dataset_version}",
        limits=_limits(summary),
        user="" if summary.user is None else summary.user.model or "scripted user",
        ending=summary.ending.value,
        completion_tokens=max(0, summary.completion_tokens),
        run=ScenarioRun(
            scenario=f"{who.repository}/{scenario}",
            persona=persona,
            values={name: value for name, value in values.items() if value is not None and sensible(value)},
            tools=_tools(tools),
        ),
    )


def as_run_sets(anchor: MemberSet, candidate: MemberSet) -> tuple[RunSet, RunSet]:
    """Both sets for the check. Tasks of both that have other files now make them two versions of a dataset."""
    shared = {one.task for one in anchor.members} & {one.task for one in candidate.members}
    return _as_run_set(anchor, shared), _as_run_set(candidate, shared)


def _as_run_set(members: MemberSet, shared: Iterable[str]) -> RunSet:
    runs = members.members
    shared = frozenset(shared)
    files = sorted({(one.task, one.digest) for one in runs if one.task in shared})
    digest = hashlib.sha256(repr(files).encode()).hexdigest()[:8]
    return RunSet(
        name=members.name,
        dataset=f"{_words(one.dataset for one in runs)} (files of the shared tasks {digest})",
        limits=_words(one.limits for one in runs),
        user=_words(one.user for one in runs),
        panel=members.panel,
        runs=tuple(one.run for one in runs),
    )


def _words(values: Iterable[str]) -> str:
    return "; ".join(sorted({value for value in values if value}))


def _limits(summary: RunSummary) -> str:
    stored = summary.environment.get("limits")
    if not isinstance(stored, dict):
        return "not recorded"
    return ", ".join(f"{name} {value}" for name, value in sorted(stored.items()) if value is not None)


def _tools(use: ToolUse | None) -> dict[str, ToolSuccess]:
    """Calls of which the record says whether they failed, by tool."""
    found = {}
    for name, total in (use.totals if use else {}).items():
        if total.judged > 0:
            found[name] = ToolSuccess(total.judged - total.failed, total.judged)
    return found


def mean_scores(scores: Iterable[tuple[str, float]]) -> Scores:
    """Dimension → the mean of its scores, over judges and samples."""
    found: dict[str, list[float]] = defaultdict(list)
    for dimension, score in scores:
        found[dimension].append(score)
    return {dimension: sum(values) / len(values) for dimension, values in found.items()}


def by_cell(members: Sequence[SetMember]) -> Mapping[tuple[str, str], list[SetMember]]:
    """The members by scenario and persona."""
    found: dict[tuple[str, str], list[SetMember]] = defaultdict(list)
    for one in members:
        found[one.run.scenario, one.run.persona].append(one)
    return found
