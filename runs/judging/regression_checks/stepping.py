"""Takes the next step of a check. Its state in the database alone says which one.

Each step can be taken twice, by two processes at once, and again after a process died in the middle of it: all that it
starts and stores is stored in one transaction with the new state, under a lock of the check.
"""

from __future__ import annotations

import logging

from django.db import InterfaceError, OperationalError, transaction

from runs.data.queries.visibility import ANONYMOUS
from runs.judging.regression_checks.anchors import NO_EARLIER, anchor_for
from runs.judging.regression_checks.check_findings import findings_of, result_of
from runs.judging.regression_checks.comparing_sets import compare_sets, lost_reason
from runs.judging.regression_checks.finishing import close
from runs.judging.regression_checks.paper_dimensions import paper_dimensions
from runs.judging.regression_checks.rejudging import drifts_of, start_pair_pass, start_passes
from runs.judging.regression_checks.stored_members import members_of_evaluation
from runs.judging.reviews.judging_passes import PassRefused
from runs.models import Evaluation, RegressionCheck, RegressionFinding, Run
from runs.work.progress.lost_runs import lost_cause

log = logging.getLogger(__name__)
State, Verdict = RegressionCheck.State, RegressionCheck.Verdict


def open_checks() -> list[RegressionCheck]:
    """The checks with a next step, the oldest first."""
    found = RegressionCheck.objects.exclude(state=State.FINISHED).order_by("due_at", "pk")
    related = ("schedule__agent", "schedule__panel", "candidate", "anchor")
    return list(found.select_related(*related, "candidate_pass__panel", "anchor_pass__panel", "pair_pass"))


def take_step(check: RegressionCheck) -> bool:
    """Takes the next step, if it can be taken now. Returns whether something changed.

    Raises OperationalError, InterfaceError and OSError.
    """
    try:
        if check.state == State.EVALUATING:
            return _evaluated(check)
        if check.state == State.JUDGING:
            return _judged(check)
        if check.state == State.COMPARING:
            return _compared(check)
    except (OperationalError, InterfaceError, OSError):
        raise  # of the moment: the next pass of the sweeper tries again
    except Exception as error:
        # Of the records, or a value that the database refuses: the next try would fail as well, and other checks would
        # wait for it.
        log.exception("%s cannot be compared", check)
        return close(check, Verdict.INFRASTRUCTURE, f"The runs cannot be compared: {error}")
    return False


def _evaluated(check: RegressionCheck) -> bool:
    """After the evaluation: chooses the anchor, then starts the judging passes, or compares without judges."""
    evaluation = check.candidate
    assert evaluation is not None, "a refused evaluation ends its check"
    if evaluation.state == Evaluation.State.RUNNING or evaluation.runs.filter(state__in=Run.OPEN).exists():
        return False
    if evaluation.state == Evaluation.State.CANCELLED:
        return close(check, Verdict.INFRASTRUCTURE, "The evaluation was cancelled before its end.")
    candidate = members_of_evaluation(evaluation, check.schedule.agent)
    if lost := lost_reason(candidate):
        return close(check, Verdict.INFRASTRUCTURE, f"{_lost(evaluation)}{lost}{_cancelled(evaluation)}")
    check.anchor = anchor_for(check, candidate)
    if check.schedule.panel is None:
        return _compare(check)
    try:
        return _start_judging(check)
    except PassRefused as refused:
        return _compare(check, f" Without judges: {refused}")


def _lost(evaluation: Evaluation) -> str:
    """The most frequent reason of the lost runs of an evaluation that failed; '' for others."""
    cause = lost_cause(evaluation, ANONYMOUS)
    return f"All {cause.runs} runs were lost: {cause.reason.rstrip('.')}. " if cause else ""


def _cancelled(evaluation: Evaluation) -> str:
    """Why runs of an evaluation were cancelled, such as a budget that was used up; '' if none was."""
    details = evaluation.runs.filter(state=Run.State.CANCELLED).exclude(detail="").order_by("pk")
    found = details.values_list("detail", flat=True).first()
    return f" {found}" if found else ""


def _start_judging(check: RegressionCheck) -> bool:
    """Stores both passes and the new state together, so that none is started twice. Raises PassRefused."""
    with transaction.atomic():
        current = RegressionCheck.objects.select_for_update().get(pk=check.pk)
        if current.state != State.EVALUATING:
            return False
        check.candidate_pass, check.anchor_pass = start_passes(check)
        check.state = State.JUDGING
        check.save(update_fields=["anchor", "candidate_pass", "anchor_pass", "state"])
    return True


def _judged(check: RegressionCheck) -> bool:
    """After both passes: starts the comparison of pairs, or compares the sets."""
    passes = (check.candidate_pass, check.anchor_pass)
    if any(one is not None and one.state == one.State.RUNNING for one in passes):
        return False
    if check.anchor is None or not check.schedule.compares_pairs:
        return _compare(check)
    try:
        return _start_comparing(check)
    except PassRefused as refused:
        return _compare(check, f" Without comparisons of pairs: {refused}")


def _start_comparing(check: RegressionCheck) -> bool:
    """Stores the pass and the new state together. Raises PassRefused."""
    with transaction.atomic():
        current = RegressionCheck.objects.select_for_update().get(pk=check.pk)
        if current.state != State.JUDGING:
            return False
        check.pair_pass = start_pair_pass(check)
        check.state = State.COMPARING
        check.save(update_fields=["pair_pass", "state"])
    return True


def _compared(check: RegressionCheck) -> bool:
    """After the comparison of pairs: compares the sets."""
    if check.pair_pass is not None and check.pair_pass.state == check.pair_pass.State.RUNNING:
        return False
    return _compare(check)


def _compare(check: RegressionCheck, note: str = "") -> bool:
    agent = check.schedule.agent
    assert check.candidate is not None
    if check.anchor is None:
        return close(check, Verdict.NOT_COMPARABLE, NO_EARLIER + note)
    anchor = members_of_evaluation(check.anchor, agent, check.anchor_pass)
    candidate = members_of_evaluation(check.candidate, agent, check.candidate_pass)
    drifts = drifts_of(anchor, check.anchor_pass) if check.anchor_pass else {}
    found = compare_sets(anchor, candidate, drifts)
    findings: list[RegressionFinding] = findings_of(found)
    dimensions = paper_dimensions(check.pair_pass) if check.pair_pass else []
    return close(check, found.verdict, found.reason + note, findings, result_of(found, drifts, dimensions))
