"""Sets of runs from this site's database, and from run directories without it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from harness.errors import HarnessError
from harness.judges.review_file import Review, ReviewState, all_stored
from harness.records import SUMMARY, TRAJECTORY, Outcome, RunRecord, RunSummary
from runs.analysis import behaviour
from runs.analysis.facts import ToolUse
from runs.analysis.judging.review_scores import DIMENSIONS
from runs.analysis.tools.use import tool_use
from runs.data.run_facts.count_trajectory import read_trace
from runs.data.run_facts.facts_query import stored_behaviour
from runs.judging.regression_checks.set_members import VERDICTS, MemberSet, Scores, mean_scores, member_of
from runs.models import Agent, Counts, Evaluation, JudgeReview, JudgingPass, Run

UNREADABLE = (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError)
WORKDIR = "/app"


class SetUnreadable(Exception):
    """A directory is no set of runs of one agent. The message names it and the reason."""


def members_of_evaluation(
    evaluation: Evaluation, agent: Agent, judged: JudgingPass | None = None
) -> MemberSet:
    """The runs of an agent in an evaluation. A run whose record is gone counts as lost. `judged`: a pass over them."""
    runs = list(evaluation.runs.filter(agent=agent).order_by("pk"))
    tools = _tools(runs)
    scores = pass_scores(judged) if judged else {}
    members = []
    for run in runs:
        summary = _summary(run) if run.state == Run.State.FINISHED and run.outcome in Run.VERDICTS else None
        if summary is not None:
            members.append(member_of(summary, tools.get(run.pk), scores.get(run.pk, {}), pk=run.pk))
    return MemberSet(
        evaluation.title,
        tuple(members),
        lost=len(runs) - len(members),
        panel=f"{judged.panel.slug} {judged.panel.digest[:12]}" if judged else "",
        agents=frozenset({agent.slug}),
    )


def pass_scores(judged: JudgingPass) -> Mapping[int, Scores]:
    """Run → dimension → mean score of the reviews of a pass that are done."""
    rows = judged.reviews.filter(state=JudgeReview.State.DONE, dimension__in=DIMENSIONS).order_by("pk")
    found: dict[int, list[tuple[str, float]]] = defaultdict(list)
    for run, dimension, score in rows.values_list("run", "dimension", "score"):
        if score is not None:
            found[run].append((dimension, score))
    return {run: mean_scores(scores) for run, scores in found.items()}


def members_in_directory(directory: Path) -> MemberSet:
    """The newest try of each run below a directory, with the reviews that lie beside it. Raises SetUnreadable.

    A run without a summary did not end, and counts as lost.
    """
    newest: dict[str, tuple[Path, RunSummary]] = {}
    for path, summary in _summaries(directory):
        key = summary.identity.run_id
        if key not in newest or newest[key][1].identity.try_number < summary.identity.try_number:
            newest[key] = path, summary
    agents = frozenset(summary.identity.agent for _, summary in newest.values())
    if len(agents) != 1:
        names = ", ".join(sorted(agents)) or "none"
        raise SetUnreadable(f"{directory}: expected runs of one agent, found {names}")
    members, panels = [], set()
    for path, summary in newest.values():
        if summary.outcome in VERDICTS:
            scores, panel = _reviews(path)
            panels.add(panel)
            members.append(member_of(summary, _use(path), scores))
    return MemberSet(
        str(directory),
        tuple(members),
        lost=len(newest) - len(members) + len(_unfinished(directory) - newest.keys()),
        panel="; ".join(sorted(panels - {""})),
        agents=agents,
    )


def _summaries(directory: Path) -> Iterator[tuple[Path, RunSummary]]:
    if not directory.is_dir():
        raise SetUnreadable(f"{directory}: is no directory")
    for file in sorted(directory.rglob(SUMMARY)):
        try:
            summary = RunRecord(file.parent).summary()
        except UNREADABLE as error:
            raise SetUnreadable(f"{file}: {error}") from error
        if summary is not None:
            yield file.parent, summary


def _unfinished(directory: Path) -> set[str]:
    """The runs of which a try has no summary."""
    begun = (path.parent for path in directory.rglob(TRAJECTORY) if not (path.parent / SUMMARY).is_file())
    found = set()
    for path in begun:
        try:
            found.add(str(RunRecord(path).header().get("session_id", path)))
        except UNREADABLE:
            found.add(str(path))
    return found


def _reviews(path: Path) -> tuple[Scores, str]:
    """The scores of a run, and its judges with the digests of what they were asked."""
    try:
        reviews = [
            one
            for one in all_stored(path, Review)
            if one.state is ReviewState.DONE and one.dimension in DIMENSIONS
        ]
    except (HarnessError, OSError) as error:
        raise SetUnreadable(str(error)) from error
    judges = {
        f"{one.judge.name} {one.judge.model} {one.dimension} {one.dimension_digest[:12]}" for one in reviews
    }
    scores = mean_scores((one.dimension, one.score) for one in reviews if one.score is not None)
    return scores, ", ".join(sorted(judges))


def _use(path: Path) -> ToolUse | None:
    try:
        return tool_use(read_trace(RunRecord(path), WORKDIR))
    except UNREADABLE as error:
        raise SetUnreadable(f"{path}: its steps cannot be read: {error}") from error


def _summary(run: Run) -> RunSummary | None:
    """The record's summary; None if it is gone or of another try."""
    try:
        summary = RunRecord(run.path).summary() if run.directory else None
    except UNREADABLE:
        return None
    if summary is None or summary.outcome is Outcome.INFRASTRUCTURE_FAILED:
        return None
    return summary


def _tools(runs: Iterable[Run]) -> Mapping[int, ToolUse]:
    rows = Counts.objects.filter(run__in=[run.pk for run in runs], version=behaviour.VERSION)
    found = {}
    for run, stored in rows.exclude(behaviour="").values_list("run", "behaviour"):
        counted = stored_behaviour(stored)
        if counted is not None:
            found[run] = counted.tools
    return found
