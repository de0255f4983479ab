"""What a judging pass will cost: an upper estimate before it starts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from harness.judges.dimensions import dimensions
from harness.judges.panel import JudgeParameters
from harness.llm.token_estimate import BYTES_PER_TOKEN
from harness.records import PATCH, TRAJECTORY
from runs.judging.reviews.panel_specs import read_parameters
from runs.judging.reviews.pass_summaries import summary_topics
from runs.models import LanguageModel, Panel, PanelJudge, Run

ANSWER_TOKENS = 800  # of a review or of one order of a comparison, about
PROMPT_TOKENS = 1500  # of the common text, the schema and the dimension
LINE_TOKENS = (
    450  # of the lines of one review, or of one order of a comparison, in a summary's question, at most
)


@dataclass(frozen=True, slots=True)
class JudgeEstimate:
    """The estimate for one judge. Dollars are None if its model has no price.

    `without_cache`: if each request is paid in full. `with_cache`: if the provider's cache serves the trajectory to all
    requests about a run but the first.
    """

    judge: PanelJudge
    tokens: int
    without_cache: float | None
    with_cache: float | None


@dataclass(frozen=True, slots=True)
class PassEstimate:
    """The estimate for a pass: its numbers of reviews, comparisons (each asked in both orders) and summaries."""

    reviews: int
    comparisons: int
    summaries: int
    runs: int
    judges: tuple[JudgeEstimate, ...]

    @property
    def most(self) -> float | None:
        """Dollars without a cache; None if a price is unknown."""
        return _sum([judge.without_cache for judge in self.judges])

    @property
    def least(self) -> float | None:
        """Dollars with the provider's cache; None if a price is unknown."""
        return _sum([judge.with_cache for judge in self.judges])


def estimate_pass(panel: Panel, runs: Sequence[Run], pairs: Sequence[tuple[Run, Run]] = ()) -> PassEstimate:
    """The estimate, from the sizes of the trajectories on disk. `pairs`: of these runs, to be compared."""
    judges = list(panel.judges.select_related("model"))
    sizes = {run.pk: _characters(run) for run in runs}
    beside = [(sizes[one.pk], sizes[two.pk]) for one, two in pairs]
    requests = len(panel.dimensions) * panel.samples
    known = dimensions()
    asked = sum(name not in known or not known[name].lists_pitfalls for name in panel.dimensions)
    orders = 2 * asked * panel.samples
    topics = list(summary_topics(runs, pairs).values())
    answers = len(judges) * panel.samples * (2 if pairs else 1)
    return PassEstimate(
        reviews=len(runs) * len(judges) * requests,
        runs=len(runs),
        comparisons=len(pairs) * len(judges) * requests,
        summaries=len(topics) * (len(panel.dimensions) + 1),
        judges=tuple(
            _together(
                judge,
                _reviews(judge, list(sizes.values()), requests),
                _orders(judge, beside, orders),
                # The first judge writes them.
                _summaries(judge, topics if not place else (), len(panel.dimensions), answers),
            )
            for place, judge in enumerate(judges)
        ),
    )


class _Tokens(NamedTuple):
    """Tokens of prompts, those of them that a cache may serve, and of answers."""

    prompts: int
    repeated: int
    answers: int


def _together(judge: PanelJudge, *parts: _Tokens) -> JudgeEstimate:
    prompts, repeated, answers = (sum(values) for values in zip(*parts, strict=True))
    return JudgeEstimate(
        judge,
        prompts + answers,
        without_cache=_dollars(judge.model, prompts, 0, answers),
        with_cache=_dollars(judge.model, prompts - repeated, repeated, answers),
    )


def _reviews(judge: PanelJudge, sizes: Sequence[int], requests: int) -> _Tokens:
    parameters = read_parameters(judge.parameters)
    texts = [_tokens(size, judge.model, parameters) for size in sizes]
    first = sum(texts) + PROMPT_TOKENS * len(texts)
    more = first * (requests - 1)
    return _Tokens(first + more, more, ANSWER_TOKENS * requests * len(texts))


def _orders(judge: PanelJudge, pairs: Sequence[tuple[int, int]], orders: int) -> _Tokens:
    """Of the comparisons: both texts, both reviews. Each order begins with another run, so two are paid in full."""
    if not orders:
        return _Tokens(0, 0, 0)
    parameters = read_parameters(judge.parameters)
    texts = sum(_tokens(size, judge.model, parameters) for pair in pairs for size in pair)
    one = texts + (PROMPT_TOKENS + 2 * ANSWER_TOKENS) * len(pairs)
    return _Tokens(one * orders, one * (orders - 2), ANSWER_TOKENS * orders * len(pairs))


def _summaries(judge: PanelJudge, topics: Sequence[int], dimensions: int, answers: int) -> _Tokens:
    """Of the summaries: lines of all answers in each dimension, and the summaries themselves for that of the whole.

    `topics`: the number of runs or pairs of each. `answers`: about each of them, in one dimension.
    """
    parameters = read_parameters(judge.parameters)
    lines = sum(
        _tokens(int(count * answers * LINE_TOKENS * BYTES_PER_TOKEN), judge.model, parameters)
        for count in topics
    )
    prompts = dimensions * (lines + PROMPT_TOKENS * len(topics))
    whole = (PROMPT_TOKENS + dimensions * ANSWER_TOKENS) * len(topics)
    return _Tokens(prompts + whole, 0, (dimensions + 1) * ANSWER_TOKENS * len(topics))


def _tokens(characters: int, model: LanguageModel, parameters: JudgeParameters) -> int:
    most = min(characters, parameters.most_characters) / BYTES_PER_TOKEN
    window = model.context_window
    return int(min(most, window) if window else most)


def _dollars(model: LanguageModel, fresh: int, cached: int, answers: int) -> float | None:
    if model.input_price is None or model.output_price is None:
        return None
    cheap = model.cached_price if model.cached_price is not None else model.input_price
    return (fresh * model.input_price + cached * cheap + answers * model.output_price) / 1_000_000


def _characters(run: Run) -> int:
    """The size of a run's trajectory and patch. JSON takes a little more than the text that judges see."""
    total = 0
    for name in (TRAJECTORY, PATCH):
        path = run.path / name
        total += path.stat().st_size if path.is_file() else 0
    return total


def _sum(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None
