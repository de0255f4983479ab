"""What many reviews or comparisons have in common: groups by a model, with counts that code makes from its lists."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.judges.answer import MAX_LINES, Malformed
from harness.judges.asking import Asked, Asker
from harness.judges.dimensions import Dimension
from harness.judges.panel import JudgeSpec, digest_of
from harness.judges.questions import prompt, question_digest, quoted
from harness.judges.review_file import (
    Comparison,
    JudgeIdentity,
    Review,
    ReviewState,
    read_stored,
    write_stored,
)
from harness.judges.summary_answer import (
    SUBMIT_DIFFERENCES,
    SUBMIT_OVERVIEW,
    SUBMIT_SUMMARY,
    DifferencesAnswer,
    OverviewAnswer,
    SummaryAnswer,
    read_groups,
    read_overview,
)
from harness.judges.summary_file import Summary, SummaryGroup, SummarySource
from harness.limits import Spending
from harness.llm.client import Client
from harness.llm.replies import Message, Reply
from harness.records import now

MIN_RUNS = 3  # with fewer, the reviews themselves are as short as a summary
MAX_LINE_CHARACTERS = 300
_WINNERS = {"A1": "Agent 1 is better", "A2": "Agent 2 is better", "tie": "a tie"}
_Answer = SummaryAnswer | DifferencesAnswer | OverviewAnswer


class TooFew(Exception):
    """There are too few reviews or comparisons for a summary. The message is a sentence."""


@dataclass(frozen=True, slots=True)
class ReviewedRun:
    """A run and its reviews of one dimension that have a score, by all judges and samples."""

    run_id: str
    try_number: int
    reviews: tuple[Review, ...]


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """Two runs and their comparisons on one dimension that have a score.

    `reviews`: of the first and the second run; they are shown where no judge was asked, as for Pitfalls.
    """

    runs: tuple[ReviewedRun, ReviewedRun]
    comparisons: tuple[Comparison, ...]


@dataclass(frozen=True, slots=True)
class SummaryQuestion:
    """What a model is asked for a summary. `dimension` '': the whole. `fits`: whether it fits into the limit."""

    dimension: str
    messages: tuple[Message, ...]
    tool: Mapping[str, Any]
    read: Callable[[Reply], _Answer | Malformed]
    sources: tuple[SummarySource, ...]
    prompt_digest: str
    parts: tuple[str, ...] = ()
    fits: bool = True


def question_of_reviews(
    dimension: Dimension, runs: Sequence[ReviewedRun], *, most_characters: int
) -> SummaryQuestion:
    """Asks what the reviews of a dimension have in common. The first run has the number 1.

    Each run's number stands before the lines of all its reviews, so "k of n" counts runs, however many judges there
    are. Where the lines are too long together, the last ones of each review are left out. Raises TooFew.
    """
    sources = tuple(
        SummarySource(
            number,
            run.run_id,
            run.try_number,
            tuple(each.key for each in run.reviews),
            step=_first_step(run.reviews),
        )
        for number, run in enumerate(runs, 1)
    )
    numbers = _numbers(sources, "runs have a review with a score")

    def lines(most: int) -> list[str]:
        return [
            line
            for number, run in enumerate(runs, 1)
            for review in run.reviews
            for line in _lines(f"[R{number}]", review, most)
        ]

    return _question(
        dimension,
        lines,
        most_characters,
        name="summary",
        tool=SUBMIT_SUMMARY,
        read=lambda reply: read_groups(reply, SummaryAnswer, numbers),
        sources=sources,
    )


def question_of_comparisons(
    dimension: Dimension, pairs: Sequence[ComparedPair], *, most_characters: int
) -> SummaryQuestion:
    """Asks what differs between two agents on a dimension, and whether that is alarming. Raises TooFew."""
    sources = tuple(_pair_source(number, pair) for number, pair in enumerate(pairs, 1))
    numbers = _numbers(sources, "pairs of runs have a comparison with a score")

    def lines(most: int) -> list[str]:
        return [
            line for number, pair in enumerate(pairs, 1) for line in _pair_lines(f"[C{number}]", pair, most)
        ]

    return _question(
        dimension,
        lines,
        most_characters,
        name="differences",
        tool=SUBMIT_DIFFERENCES,
        read=lambda reply: read_groups(reply, DifferencesAnswer, numbers),
        sources=sources,
    )


def question_of_summaries(titles: Mapping[str, str], summaries: Sequence[Summary]) -> SummaryQuestion:
    """Asks for a few sentences about the whole, from the summaries that are done. Raises TooFew.

    `titles`: of dimensions by name.
    """
    done = [each for each in summaries if each.state is ReviewState.DONE]
    if not done:
        raise TooFew("No dimension has a summary.")
    lines = [
        f"{titles.get(each.dimension, each.dimension)}: {group.title}"
        f" ({len(group.numbers)} of {len(each.shown)}): {group.claim}"
        for each in done
        for group in each.groups
    ]
    text = "\n".join(quoted(" ".join(line.split())) for line in lines)
    return SummaryQuestion(
        "",
        _messages("overview", text, "Answer with one call of submit_overview."),
        SUBMIT_OVERVIEW,
        read_overview,
        done[0].sources,
        question_digest("overview", "", SUBMIT_OVERVIEW),
        parts=tuple(each.key for each in done),
    )


def summarise(asker: Asker, judge: JudgeSpec, question: SummaryQuestion) -> Summary:
    """Asks the model. Never raises for a failure of the model or the budget: the state says what became of it."""
    if question.fits:
        asked = asker.ask(question.messages, question.tool, question.read)
    else:
        reason = "one line of each review is more than the model may be shown"
        asked = Asked(ReviewState.TOO_LONG, reason, None, 0, "", 0.0)
    answer = asked.answer
    groups = answer.groups if isinstance(answer, SummaryAnswer) else ()
    return Summary(
        key=summary_key(judge, question),
        judge=JudgeIdentity.of(judge),
        dimension=question.dimension,
        prompt_digest=question.prompt_digest,
        sources=question.sources,
        parts=question.parts,
        state=asked.state,
        reason=asked.reason,
        groups=tuple(SummaryGroup(each.title, each.claim, tuple(sorted(each.numbers))) for each in groups),
        text=answer.text if isinstance(answer, OverviewAnswer) else "",
        alert=answer.alert if isinstance(answer, DifferencesAnswer) else None,
        **asked.costs(asker.spending),
        created_at=now(),
    )


def summarise_directory(
    directory: Path,
    question: SummaryQuestion,
    *,
    judge: JudgeSpec,
    client: Client,
    spending: Spending,
    checkpoint: Callable[[], None] | None = None,
) -> Summary:
    """The summary that is stored in the first run's directory and done, else a new one, which is stored."""
    stored = read_stored(directory, summary_key(judge, question), Summary)
    if stored is not None and stored.state is ReviewState.DONE:
        return stored
    asker = Asker(client, spending=spending, forced=judge.parameters.force_call, checkpoint=checkpoint)
    made = summarise(asker, judge, question)
    write_stored(directory, made)
    return made


def summary_key(judge: JudgeSpec, question: SummaryQuestion) -> str:
    """32 hexadecimal digits over all that decides a summary: the model as for reviews, the question and its sources."""
    return digest_of(
        {
            **judge.key_values(),
            "prompt": question.prompt_digest,
            "question": json.dumps(question.messages, ensure_ascii=False, sort_keys=True),
            "sources": [
                [each.run_id, each.try_number, each.other_run_id, each.other_try, *each.answers]
                for each in question.sources
            ],
        }
    )[:32]


def _numbers(sources: Sequence[SummarySource], what: str) -> frozenset[int]:
    numbers = frozenset(each.number for each in sources if each.answers)
    if len(numbers) < MIN_RUNS:
        raise TooFew(f"{len(numbers)} of {len(sources)} {what}; a summary needs {MIN_RUNS}.")
    return numbers


def _question(
    dimension: Dimension,
    lines: Callable[[int], list[str]],
    most_characters: int,
    *,
    name: str,
    tool: Mapping[str, Any],
    read: Callable[[Reply], _Answer | Malformed],
    sources: tuple[SummarySource, ...],
) -> SummaryQuestion:
    """The question with as many lines of each review as fit. `lines`: all lines, with at most so many of each."""
    text = ""
    for most in range(MAX_LINES, 0, -1):
        text = "\n".join(quoted(line) for line in lines(most))
        if len(text) <= most_characters:
            break
    request = (
        f"THE DIMENSION: {dimension.title}\n\n{dimension.summary}\n\nAnswer with one call of submit_summary."
    )
    return SummaryQuestion(
        dimension.name,
        _messages(name, text, request),
        tool,
        read,
        sources,
        question_digest(name, request, tool),
        fits=len(text) <= most_characters,
    )


def _messages(name: str, text: str, request: str) -> tuple[Message, ...]:
    return (
        {"role": "system", "content": prompt(name)},
        {"role": "user", "content": f"{text}\n\n{request}"},
    )


def _first_step(reviews: Sequence[Review]) -> int | None:
    """The step of the first quote that was found; a judge gives the weightiest line first."""
    return next(
        (line.found_step for review in reviews for line in review.evidence if line.found_step is not None),
        None,
    )


def _pair_source(number: int, pair: ComparedPair) -> SummarySource:
    one, two = pair.runs
    scores = [each.score for each in pair.comparisons if each.score is not None]
    return SummarySource(
        number,
        one.run_id,
        one.try_number,
        tuple(each.key for each in pair.comparisons),
        other_run_id=two.run_id,
        other_try=two.try_number,
        score=sum(scores) / len(scores) if scores else None,
    )


def _pair_lines(mark: str, pair: ComparedPair, most: int) -> list[str]:
    """The aspects of both orders; of a comparison that is computed, the lines of both reviews."""
    lines = [
        _line(f"{mark} {_WINNERS[line.winner]}: {line.aspect} ({line.severity})", line.quote, line.status)
        for comparison in pair.comparisons
        for order in comparison.orders
        for line in order.aspects[:most]
    ]
    if any(each.computed for each in pair.comparisons):
        for number, run in enumerate(pair.runs, 1):
            for review in run.reviews:
                lines += _lines(f"{mark} Agent {number}:", review, most)
    return lines


def _lines(mark: str, review: Review, most: int) -> list[str]:
    """The first lines of a review."""
    return [
        _line(
            f"{mark} {line.aspect} ({line.severity}{', repeated' if line.frequency == 'repeated' else ''})",
            line.quote,
            line.status,
        )
        for line in review.evidence[:most]
    ]


def _line(text: str, quote: str, status: str) -> str:
    """One line, cut if it is long. A quote that was not found is left out."""
    whole = text if status == "unverified" else f"{text}: {quote}"
    return " ".join(whole.split())[:MAX_LINE_CHARACTERS]
