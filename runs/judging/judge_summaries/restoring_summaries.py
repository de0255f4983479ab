"""Rebuilds the summaries of judging passes from the files in the directories of their first runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import QuerySet

from harness.judges.summary_file import Summary
from runs.judging.judge_summaries.settling_summaries import copy_summary
from runs.judging.reviews.pass_file import StoredPass
from runs.models import JudgeReview, JudgeSummary, JudgeWork, JudgingPass, PanelJudge, Run, RunComparison
from runs.models.judge_summary import WHOLE


def restored_summaries(
    passes: Sequence[tuple[StoredPass, JudgingPass]],
    answers: Iterable[Summary],
    known: Mapping[str, Run] | None,
) -> int:
    """Stores the summaries of a run directory, once the answers that they are made of are stored. Returns how many.

    One belongs to those of the directory's `passes` that have exactly its answers. `known`: runs by key that it may
    name; None: all. Call it in a transaction.
    """
    count = 0
    # The summary of the whole names those of the dimensions.
    for answer in sorted(answers, key=lambda each: each.dimension == WHOLE):
        runs = _runs(answer, known)
        if runs is not None and _is_one_topic(answer, runs):
            count += sum(_store_summary(stored, owner, answer, runs) for stored, owner in passes)
    return count


def _store_summary(stored: StoredPass, owner: JudgingPass, answer: Summary, runs: Mapping[str, Run]) -> int:
    first = answer.sources[0]
    run, other = runs[first.run_id], runs.get(first.other_run_id)
    judge = _judge(owner, stored, answer)
    if judge is None:
        return 0
    topic = {
        "judging_pass": owner,
        "judge": judge,
        "dataset_id": run.task.repository.dataset_id,
        "agent_id": run.agent_id,
        "other_agent_id": None if other is None else other.agent_id,
    }
    rows = JudgeSummary.objects.filter(**topic)
    if rows.filter(dimension=answer.dimension).exists() or not _has_its_answers(rows, topic, answer):
        return 0
    row = JudgeSummary(
        **topic,
        dimension=answer.dimension,
        spent_usd=answer.cost_usd or 0.0,
        cost_unknown=answer.cost_usd is None,
    )
    copy_summary(row, answer, runs, reused=False)
    return 1


def _has_its_answers(rows: QuerySet[JudgeSummary], topic: Mapping[str, Any], answer: Summary) -> bool:
    """Whether the pass has exactly the answers from which the summary was made. `rows`: the topic's other summaries."""
    if answer.dimension == WHOLE:
        done = rows.filter(state=JudgeWork.State.DONE).exclude(dimension=WHOLE)
        return set(done.values_list("key", flat=True)) == set(answer.parts)
    made = {
        "judging_pass": topic["judging_pass"],
        "dimension": answer.dimension,
        "state": JudgeWork.State.DONE,
    }
    agent, other, dataset = topic["agent_id"], topic["other_agent_id"], topic["dataset_id"]
    # Equal runs have reviews of one key, so keys alone would not tell them apart.
    shown = {(each.run_id, each.other_run_id, key) for each in answer.sources for key in each.answers}
    if other is None:
        reviews = JudgeReview.objects.filter(run__agent=agent, run__task__repository__dataset=dataset, **made)
        return {(run, "", key) for run, key in reviews.values_list("run__key", "key")} == shown
    compared = RunComparison.objects.filter(
        run_one__agent=agent, run_two__agent=other, run_one__task__repository__dataset=dataset, **made
    )
    return set(compared.values_list("run_one__key", "run_two__key", "key")) == shown


def _judge(owner: JudgingPass, stored: StoredPass, answer: Summary) -> PanelJudge | None:
    """The pass's judge that wrote the summary; None if none of them did."""
    for judge in stored.judges:
        if judge.name == answer.judge.name and judge.is_it(answer.judge):
            return owner.panel.judges.filter(name=judge.name).first()
    return None


def _runs(answer: Summary, known: Mapping[str, Run] | None) -> Mapping[str, Run] | None:
    """The runs that the summary names, by key; None if one is not here, or is of another try."""
    tries = {source.run_id: source.try_number for source in answer.sources}
    tries |= {source.other_run_id: source.other_try for source in answer.sources if source.other_run_id}
    if known is None:
        rows = Run.objects.filter(key__in=list(tries)).select_related("task__repository")
        known = {run.key: run for run in rows}
    found = {key: known[key] for key, number in tries.items() if key in known and known[key].tries == number}
    return found if len(found) == len(tries) else None


def _is_one_topic(answer: Summary, runs: Mapping[str, Run]) -> bool:
    """Whether all first runs are of one agent, all second ones of one agent, and all of one dataset."""
    pairs = [(runs[source.run_id], runs.get(source.other_run_id)) for source in answer.sources]
    topics = {
        (one.agent_id, other and other.agent_id, run.task.repository.dataset_id)
        for one, other in pairs
        for run in (one, other or one)
    }
    return len(topics) == 1
