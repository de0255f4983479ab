"""What a judging pass will cost: an upper estimate before it starts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.judges.panel import JudgeParameters
from harness.llm.token_estimate import BYTES_PER_TOKEN
from harness.records import PATCH, TRAJECTORY
from runs.models import LanguageModel, Panel, PanelJudge, Run
from runs.reviews.panel_specs import read_parameters

ANSWER_TOKENS = 800  # of a review, about
PROMPT_TOKENS = 1500  # of the common text, the schema and the dimension


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
    """The estimate for a pass. `reviews`: its number of reviews."""

    reviews: int
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


def estimate_pass(panel: Panel, runs: Sequence[Run]) -> PassEstimate:
    """The estimate, from the sizes of the trajectories on disk."""
    judges = list(panel.judges.select_related("model"))
    sizes = [_characters(run) for run in runs]
    requests = len(panel.dimensions) * panel.samples
    return PassEstimate(
        reviews=len(runs) * len(judges) * requests,
        runs=len(runs),
        judges=tuple(_estimate(judge, sizes, requests) for judge in judges),
    )


def _estimate(judge: PanelJudge, sizes: Sequence[int], requests: int) -> JudgeEstimate:
    parameters = read_parameters(judge.parameters)
    texts = [_tokens(size, judge.model, parameters) for size in sizes]
    first = sum(texts) + PROMPT_TOKENS * len(texts)
    more = first * (requests - 1)
    answers = ANSWER_TOKENS * requests * len(texts)
    return JudgeEstimate(
        judge,
        first + more + answers,
        _dollars(judge.model, first + more, 0, answers),
        _dollars(judge.model, first, more, answers),
    )


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
