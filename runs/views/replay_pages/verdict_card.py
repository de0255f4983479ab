"""The first thing that the page of a run says: how it ended, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from harness.limits import Ending
from runs.data.queries.closest_run import ClosestRun
from runs.models import Run, Try
from runs.models.agent import REPORTED
from runs.presentation.formatting.numbers import counted
from runs.presentation.formatting.text import beginning_and_end, one_line, stopped, words
from runs.views.replay_pages.run_end import End, EndedTest
from runs.views.replay_pages.trouble_signs import Sign, SignsView

MAX_MESSAGE_LENGTH = 240
WITHHELD = "What the test said is for operators, because it may quote the hidden tests."
NOT_RECORDED = "The record names this test, but not what it said."
NO_NAMES = "Which tests failed is not known: the record names none."

# How an agent stopped. A run that was completed, cancelled or lost has no line here: its outcome says it.
_STOPPED = {
    Ending.ITERATION_LIMIT: "It stopped at its limit of iterations",
    Ending.TOOL_LIMIT: "It stopped at its limit of tool calls",
    Ending.SUBMISSION_LIMIT: "It stopped at its limit of submissions",
    Ending.TOKEN_LIMIT: "It stopped at its limit of tokens",
    Ending.COST_LIMIT: "It stopped at its limit of cost",
    Ending.TIME_LIMIT: "It stopped at its limit of time",
    Ending.CONTEXT_LIMIT: "It stopped because its context was full",
    Ending.OUTPUT_LIMIT: "It stopped because its answers were cut off before they said anything",
    Ending.FILE_LIMIT: "It stopped because it wrote too many files",
    Ending.AGENT_ERROR: "The agent ended with an error",
}
_STATES = {
    Run.State.CANCELLED.value: ("Cancelled, so it has no verdict.", "infra"),
    Run.State.QUEUED.value: ("Waiting for a worker.", "live"),
    Run.State.FINISHED.value: ("Outcome unknown: its source does not say it.", ""),
}


@dataclass(frozen=True, slots=True)
class VerdictCard:
    """What is said first.

    `headline`: the outcome in one sentence; `tone`: the class of its colour, or ''. `details`: how the agent stopped,
    what the infrastructure did, and why passed tests are not enough. `test`: the failed test to read first, with the
    number of the `others`; None if none is known. `unsaid`: what the record does not say of failed tests, or ''.
    `sign`: the sign of trouble that most steps show. `closest`: the resolved run to compare with. `is_alone`: the run
    failed, and there is no such run.
    """

    headline: str
    tone: str
    details: tuple[str, ...] = ()
    test: EndedTest | None = None
    others: int = 0
    unsaid: str = ""
    sign: Sign | None = None
    closest: ClosestRun | None = None
    is_alone: bool = False

    @property
    def test_path(self) -> str:
        """What stands before the name of the test: its file or class; ''."""
        return "" if self.test is None else self.test.id[: len(self.test.id) - len(self.test_name)]

    @property
    def test_name(self) -> str:
        """The name of the test itself."""
        return "" if self.test is None else self.test.id.rpartition("::")[2]

    @property
    def message(self) -> str:
        """The first line of what the test said that has text; '' if it is not shown."""
        lines = self.test.message.shown.splitlines() if self.test else []
        return one_line(next((line for line in lines if line.strip()), ""), MAX_MESSAGE_LENGTH)


def verdict_card(
    run: Run, end: End | None, signs: SignsView | None, closest: ClosestRun | None, tries: Sequence[Try] = ()
) -> VerdictCard:
    """The card of a run in any state. `tries`: with the reasons that the reader may see."""
    headline, tone = _headline(run)
    failed = run.outcome == Run.Outcome.UNRESOLVED
    test = _first_to_read(end) if failed and end else None
    return VerdictCard(
        headline,
        tone,
        details=tuple(_details(run, tries)),
        test=test,
        others=end.failed_count - 1 if test and end else 0,
        unsaid=_unsaid(run, end, test) if failed else "",
        sign=max(signs.found, key=lambda sign: sign.count) if failed and signs and signs.found else None,
        closest=closest,
        is_alone=closest is None and failed and not run.evaluation.is_fault_catalogue,
    )


def _headline(run: Run) -> tuple[str, str]:
    """The outcome in one sentence, and the class of its colour."""
    if run.outcome in Run.VERDICTS:
        return _verdict(run)
    if run.outcome == Run.Outcome.INFRASTRUCTURE_FAILED:
        return "Not counted: infrastructure.", "infra"
    return _STATES.get(run.state, (f"In progress: {run.state}.", "live"))


def _verdict(run: Run) -> tuple[str, str]:
    tests = "verifiers" if run.task.mode == "workflow" else "tests"
    total, passed = (run.tests_total, run.tests_passed) if run.test_rate is not None else (None, None)
    everything = f"all {total:,} {tests} passed" if total is not None and total == passed else ""
    if run.outcome == Run.Outcome.RESOLVED:
        return (f"Resolved: {everything}." if everything else "Resolved."), "good"
    tone = "near" if run.came_close else "bad"
    if total is None or passed is None:
        return f"Unresolved. How many {tests} failed is not known.", tone
    if everything:
        return f"Unresolved, although {everything}.", tone
    return f"Unresolved: {total - passed:,} of {total:,} {tests} did not pass.", tone


def _details(run: Run, tries: Sequence[Try]) -> list[str]:
    found = []
    said = beginning_and_end(run.detail) if run.detail else ""
    if run.agent.kind == REPORTED:
        how = _STOPPED.get(run.ending)  # type: ignore[call-overload]
        found += [f"{how}."] if how else []
        found += [f"Its source says: {stopped(words(said))}"] if said else []
    elif run.outcome == Run.Outcome.INFRASTRUCTURE_FAILED:
        found.append(_what_failed(run, tries))
    elif said and run.state == Run.State.CANCELLED:
        found.append(stopped(said))
    elif run.state == Run.State.FINISHED and run.ending != Ending.COMPLETED:
        how = _STOPPED.get(run.ending)  # type: ignore[call-overload]
        sentence = ": ".join(part for part in (how, said) if part)
        found += [stopped(sentence)] if sentence else []
    names_no_count = run.test_rate is None or run.tests_total == run.tests_passed
    if run.outcome == Run.Outcome.UNRESOLVED and names_no_count and run.grading_reason:
        found.append(stopped(_capital(beginning_and_end(run.grading_reason))))
    return found


def _what_failed(run: Run, tries: Sequence[Try]) -> str:
    """What the infrastructure did in the last try, and how many tries there were."""
    reasons = [one.reason for one in tries if one.reason]
    reason = beginning_and_end(reasons[-1] if reasons else run.detail)
    part = f" ({one_line(run.failure)})" if run.failure else ""
    made = f"{counted(len(tries), 'try', 'tries')} failed{part}" if tries else f"It failed{part}"
    last = f": {reason}" if same_reason(tries) else f"; the last one: {reason}"
    return stopped(f"{made}{last}" if reason else made)


def same_reason(tries: Sequence[Try]) -> bool:
    """Whether all of these tries ended for one reason, or there is at most one."""
    return len({one.reason for one in tries}) <= 1


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _first_to_read(end: End) -> EndedTest | None:
    """A test whose message compares two values says most; else one with a message, else the first."""
    comparing = (test for test in end.failed if test.compared is not None)
    speaking = (test for test in end.failed if test.message)
    return next(chain(comparing, speaking, end.failed), None)


def _unsaid(run: Run, end: End | None, test: EndedTest | None) -> str:
    if test is None:
        return "" if run.tests_total and run.tests_total == run.tests_passed else NO_NAMES
    if test.message:
        return ""
    return NOT_RECORDED if end is None or end.messages or not end.withholds else WITHHELD
