"""One review: one judge, one dimension, one run. Asked, checked, its quotes looked up, and stored as a file."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from harness.judges.answer import SUBMIT_REVIEW, read_answer
from harness.judges.asking import Asker
from harness.judges.burden import burden
from harness.judges.dimensions import Dimension
from harness.judges.evidence import check_quote
from harness.judges.panel import JudgeSpec
from harness.judges.questions import dimension_digest, messages
from harness.judges.rendering import RENDERING_VERSION, Rendered, render
from harness.judges.review_file import (
    JudgeIdentity,
    Review,
    ReviewState,
    read_stored,
    review_key,
    write_stored,
)
from harness.limits import Spending
from harness.llm.client import Client
from harness.llm.token_estimate import BYTES_PER_TOKEN, size
from harness.records import RunRecord, now

CHARACTERS_PER_TOKEN = 2.5  # code and results of tools have two to four
MIN_ROOM = 4_000
TOKENS_OF_THE_QUESTION = 3000  # common text, dimension and tool, generously


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """A run as reviews name it, and its text."""

    run_id: str
    try_number: int
    rendered: Rendered

    @classmethod
    def read(cls, directory: Path, *, most_characters: int) -> JudgedRun:
        """The run in a directory. Raises ValueError if there is no trajectory, or the limit is too small for it."""
        record = RunRecord(directory)
        header: Any = record.header()
        if not isinstance(header, dict) or not isinstance(header.get("session_id"), str):
            raise ValueError(f"{directory}: no trajectory")
        extra = header.get("extra")
        number = extra.get("try_number") if isinstance(extra, dict) else None
        rendered = render(record, most_characters=most_characters)
        return cls(header["session_id"], number if isinstance(number, int) else 1, rendered)


def client_of(judge: JudgeSpec) -> Client:
    """The client of a judge's model."""
    return Client(judge.model, judge.parameters.call_settings())


def room(client: Client, judge: JudgeSpec, *, transcripts: int = 1) -> int:
    """How many characters of a run fit: the judge's limit, or its part of the model's window, if that is less.

    `transcripts`: how many runs are in one question. At least 4,000: if the window is too small even for that, the
    provider says so, and the review is too_long.
    """
    characters = int((client.window.tokens - TOKENS_OF_THE_QUESTION) * CHARACTERS_PER_TOKEN / transcripts)
    return max(MIN_ROOM, min(judge.parameters.most_characters, characters))


def estimated_tokens(run: JudgedRun, dimension: Dimension) -> int:
    """About how many prompt tokens the question has, from its bytes; for estimates of cost."""
    question = messages(run.rendered.text, dimension, marked=False)
    return math.ceil((size(question) + size([SUBMIT_REVIEW])) / BYTES_PER_TOKEN)


def review(asker: Asker, judge: JudgeSpec, run: JudgedRun, dimension: Dimension) -> Review:
    """Asks the judge. Never raises for a failure of the model or the budget: the review's state says what became of it.

    The spending of `asker` must be this review's own; a ledger and a rate limit in it may be shared.
    """
    question = messages(run.rendered.text, dimension, marked=asker.client.needs_cache_marks)
    read = partial(read_answer, lists_pitfalls=dimension.lists_pitfalls)
    asked = asker.ask(question, SUBMIT_REVIEW, read)
    answer = asked.answer
    evidence = tuple(check_quote(run.rendered, line) for line in (answer.evidence if answer else ()))
    return Review(
        key=key_of(run, dimension, judge, asker.sample),
        run_id=run.run_id,
        try_number=run.try_number,
        trajectory_digest=run.rendered.digest,
        judge=JudgeIdentity.of(judge),
        dimension=dimension.name,
        dimension_digest=dimension_digest(dimension),
        sample=asker.sample,
        state=asked.state,
        reason=asked.reason,
        score=answer.score if answer else None,
        text=answer.review if answer else "",
        evidence=evidence,
        burden=burden(evidence) if answer and dimension.lists_pitfalls else None,
        **asked.costs(asker.spending),
        shown_share=run.rendered.shown_share,
        rendering_version=RENDERING_VERSION,
        created_at=now(),
    )


def review_directory(
    directory: Path,
    dimension: Dimension,
    *,
    judge: JudgeSpec,
    spending: Spending,
    client: Client | None = None,
    run: JudgedRun | None = None,
    sample: int = 1,
    checkpoint: Callable[[], None] | None = None,
    waits: Callable[[str], None] | None = None,
) -> Review:
    """The review of the run in a directory: the one that is stored and done, else a new one, which is stored.

    A stored review with another state is requested again and replaced. `run`: the run as `JudgedRun.read` returned it
    for this judge, to render it once for several dimensions. Raises ValueError as `JudgedRun.read`, DiskFull, and
    ReviewFileError if the stored file is not valid.
    """
    client = client or client_of(judge)
    run = run or JudgedRun.read(directory, most_characters=room(client, judge))
    stored = read_stored(directory, key_of(run, dimension, judge, sample), Review)
    if stored is not None and stored.state is ReviewState.DONE:
        return stored
    asker = Asker(
        client,
        spending=spending,
        forced=judge.parameters.force_call,
        sample=sample,
        checkpoint=checkpoint,
        waits=waits,
    )
    made = review(asker, judge, run, dimension)
    write_stored(directory, made)
    return made


def key_of(run: JudgedRun, dimension: Dimension, judge: JudgeSpec, sample: int) -> str:
    """The key of the review, known before the judge is asked."""
    return review_key(judge, dimension_digest(dimension), RENDERING_VERSION, run.rendered.digest, sample)
