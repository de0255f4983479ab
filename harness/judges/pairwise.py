"""The comparison of two runs of one task on one dimension. A model is asked in both orders; Pitfalls is computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from harness.judges.asking import Asker
from harness.judges.burden import burden_score
from harness.judges.comparison_answer import SUBMIT_COMPARISON, AspectLine, read_comparison_answer
from harness.judges.dimensions import Dimension
from harness.judges.evidence import place_of
from harness.judges.panel import JudgeSpec, digest_of
from harness.judges.questions import prompt, question_digest, quoted
from harness.judges.rendering import RENDERING_VERSION
from harness.judges.review import JudgedRun
from harness.judges.review_file import (
    ComparedRun,
    Comparison,
    ComparisonAspect,
    JudgeIdentity,
    OrderedAnswer,
    Review,
    ReviewState,
    Winner,
    read_stored,
    write_stored,
)
from harness.limits import Spending
from harness.llm.client import Client
from harness.llm.replies import Message
from harness.records import now

_OTHER: Mapping[str, Winner] = {"A1": "A2", "A2": "A1", "tie": "tie"}


@dataclass(frozen=True, slots=True)
class Side:
    """A run of a comparison and its review on the dimension."""

    run: JudgedRun
    review: Review


def compare(
    client: Client,
    first: Side,
    second: Side,
    dimension: Dimension,
    *,
    judge: JudgeSpec,
    spending: Callable[[], Spending],
    sample: int = 1,
    checkpoint: Callable[[], None] | None = None,
    answered: Sequence[OrderedAnswer] = (),
) -> Comparison:
    """Compares two runs of one task. Never raises for a failure of the model or the budget.

    Both reviews must be done: without one, nothing is asked and the state is failed. Pitfalls follows from the two
    burdens, without a model. Else the judge is asked in both orders. If they disagree about who is better, the score is
    0 and the comparison is marked as flipped; else it is their mean, rounded towards 0. One order without an
    answer: no score. `spending`: called for each order, must return a new one; a ledger in it may be shared.
    `answered`: answers to the same question that are paid for; those that are done are used again.
    """
    sides = (first, second)
    stored = partial(_stored, sides, dimension, judge, sample)
    for number, side in enumerate(sides, start=1):
        if side.review.state is not ReviewState.DONE:
            reason = f"the review of run {number} is {side.review.state}: {side.review.reason}"
            return stored(state=ReviewState.FAILED, reason=reason)
    if dimension.lists_pitfalls:
        score = burden_score(first.review.burden or 0, second.review.burden or 0)
        return stored(score=score, computed=True)
    orders: list[OrderedAnswer] = []
    for shown_first in (1, 2):
        known = [each for each in answered if each.first == shown_first and each.state is ReviewState.DONE]
        if known:
            orders.append(known[0])
            continue
        asker = Asker(
            client,
            spending=spending(),
            forced=judge.parameters.force_call,
            sample=sample,
            checkpoint=checkpoint,
        )
        orders.append(_ask(asker, sides, dimension, shown_first))
        if orders[-1].state is not ReviewState.DONE:
            failed = orders[-1]
            return stored(state=failed.state, reason=failed.reason, orders=tuple(orders))
    scores = [order.score or 0 for order in orders]
    flipped = scores[0] * scores[1] < 0
    score = 0 if flipped else int(sum(scores) / 2)
    return stored(score=score, flipped=flipped, orders=tuple(orders))


def compare_directories(
    directory: Path,
    first: Side,
    second: Side,
    dimension: Dimension,
    *,
    judge: JudgeSpec,
    client: Client,
    spending: Callable[[], Spending],
    sample: int = 1,
    checkpoint: Callable[[], None] | None = None,
) -> Comparison:
    """The comparison that is stored in the first run's directory and done, else a new one, which is stored.

    Of one that is not done, an order that was answered is not requested again.
    """
    stored = read_stored(directory, comparison_key((first, second), dimension, judge, sample), Comparison)
    if stored is not None and stored.state is ReviewState.DONE:
        return stored
    made = compare(
        client,
        first,
        second,
        dimension,
        judge=judge,
        spending=spending,
        sample=sample,
        checkpoint=checkpoint,
        answered=stored.orders if stored else (),
    )
    write_stored(directory, made)
    return made


def comparison_digest(dimension: Dimension) -> str:
    """SHA-256 of all that judges are asked with for a comparison except the runs; 64 hexadecimal digits."""
    return question_digest("comparison", _last_part(dimension), SUBMIT_COMPARISON)


def comparison_key(sides: tuple[Side, Side], dimension: Dimension, judge: JudgeSpec, sample: int) -> str:
    """32 hexadecimal digits over all that decides a comparison: as a review's key, with both runs and their reviews."""
    return digest_of(
        {
            **judge.key_values(),
            "dimension": comparison_digest(dimension),
            "rendering": RENDERING_VERSION,
            "runs": [[side.run.run_id, side.run.rendered.digest, side.review.key] for side in sides],
            "sample": sample,
        }
    )[:32]


def comparison_messages(first: Side, second: Side, dimension: Dimension) -> list[Message]:
    """The question, with `first` as Agent 1."""
    parts = [
        f"AGENT {number}\n\n{side.run.rendered.text}" for number, side in enumerate((first, second), start=1)
    ]
    parts += [
        f"THE REVIEW OF AGENT {number}\n\n{_quoted_review(side.review)}"
        for number, side in enumerate((first, second), start=1)
    ]
    return [
        {"role": "system", "content": prompt("comparison")},
        {"role": "user", "content": "\n\n".join([*parts, _last_part(dimension)])},
    ]


def _last_part(dimension: Dimension) -> str:
    return (
        f"THE DIMENSION: {dimension.title}\n\n{dimension.guide}\n\n"
        "Compare the two agents on this dimension only, and answer with one call of submit_comparison."
    )


def _quoted_review(review: Review) -> str:
    lines = [f"score {review.score:g}: {review.text}"]
    lines += [
        f"{line.aspect} ({line.severity}{', repeated' if line.frequency == 'repeated' else ''}), step {line.step}:"
        f" {line.quote}"
        for line in review.evidence
        if line.status != "unverified"
    ]
    return quoted("\n".join(lines))


def _ask(asker: Asker, sides: tuple[Side, Side], dimension: Dimension, shown_first: int) -> OrderedAnswer:
    """Asks with the first or the second run as Agent 1. What is returned is about the runs in their own order."""
    swapped = shown_first == 2
    shown = (sides[1], sides[0]) if swapped else sides
    asked = asker.ask(comparison_messages(*shown, dimension), SUBMIT_COMPARISON, read_comparison_answer)
    answer = asked.answer
    return OrderedAnswer(
        first=2 if swapped else 1,
        state=asked.state,
        reason=asked.reason,
        score=None if answer is None else -answer.score if swapped else answer.score,
        text=answer.comparison if answer else "",
        aspects=tuple(_aspect(line, shown, swapped=swapped) for line in (answer.aspects if answer else ())),
        **asked.costs(asker.spending),
    )


def _aspect(line: AspectLine, shown: tuple[Side, Side], *, swapped: bool) -> ComparisonAspect:
    place = place_of(shown[line.agent - 1].run.rendered, line.quote, line.step)
    run: Literal[1, 2] = 1 if (line.agent == 1) != swapped else 2
    return ComparisonAspect(
        aspect=line.aspect,
        winner=_OTHER[line.winner] if swapped else line.winner,
        severity=line.severity,
        quote=line.quote,
        run=run,
        step=line.step,
        **asdict(place),
    )


def _stored(
    sides: tuple[Side, Side],
    dimension: Dimension,
    judge: JudgeSpec,
    sample: int,
    *,
    state: ReviewState = ReviewState.DONE,
    reason: str = "",
    score: int | None = None,
    flipped: bool = False,
    computed: bool = False,
    orders: tuple[OrderedAnswer, ...] = (),
) -> Comparison:
    first, second = (
        ComparedRun(side.run.run_id, side.run.try_number, side.run.rendered.digest, side.review.key)
        for side in sides
    )
    return Comparison(
        key=comparison_key(sides, dimension, judge, sample),
        runs=(first, second),
        judge=JudgeIdentity.of(judge),
        dimension=dimension.name,
        dimension_digest=comparison_digest(dimension),
        sample=sample,
        state=state,
        reason=reason,
        score=score,
        flipped=flipped,
        computed=computed,
        orders=orders,
        shown_shares=(sides[0].run.rendered.shown_share, sides[1].run.rendered.shown_share),
        rendering_version=RENDERING_VERSION,
        created_at=now(),
    )
