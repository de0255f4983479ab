"""Tokens, cost and context over the steps of a run, as a drawing that the server makes and as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from runs.analysis.cost.spending import ModelCall, Spending, Stretch, spending
from runs.formatting.numbers import count, dollars

WIDTH = 1000
# Top and height of each panel, in the units of the drawing; step.css gives their labels the same.
CONTEXT, ANSWERS, COST = (0, 96), (108, 48), (168, 64)
# A limit far above every prompt would press the curve flat: it is written then, not drawn.
FAR = 4


class TimelineBar(NamedTuple):
    """One stretch of calls: where it stands in the drawing, and where the reader gets to it."""

    step: int
    title: str
    x: str


@dataclass(frozen=True, slots=True)
class Timeline:
    """What the template draws: paths of prompts, of what was cached of them, and of answers; a bar is `width` wide.

    `cost_line` and `limit_y` are '' where there is none to draw. `grouped`: how many calls the largest stretch has.
    """

    spending: Spending
    bars: tuple[TimelineBar, ...]
    width: str
    prompts: str
    cached: str
    answers: str
    cost_line: str
    limit: int | None
    limit_y: str
    limit_is: str
    grouped: int


def timeline(calls: Sequence[ModelCall], limit: int | None, limit_is: str = "") -> Timeline | None:
    """The drawing; None where no model was asked. `limit`: tokens that the model's window takes, None unknown."""
    found = spending(calls)
    if found.fullest is None or found.longest is None:
        return None
    drawn = limit is not None and 0 < limit <= FAR * max(1, found.fullest.prompt_tokens)
    top = max(found.fullest.prompt_tokens, limit if drawn and limit else 0, 1)
    longest = max(found.longest.completion_tokens, 1)
    width = WIDTH / len(found.stretches)
    fullest = [one.fullest for one in found.stretches]
    return Timeline(
        spending=found,
        bars=tuple(
            TimelineBar(one.fullest.step, _title(one), _written(place * width))
            for place, one in enumerate(found.stretches)
        ),
        width=_written(width),
        prompts=_columns(CONTEXT, [one.prompt_tokens / top for one in fullest]),
        cached=_columns(CONTEXT, [min(one.cached_tokens, one.prompt_tokens) / top for one in fullest]),
        answers=_columns(ANSWERS, [one.longest.completion_tokens / longest for one in found.stretches]),
        cost_line=_cost_line(found),
        limit=limit,
        limit_y=_written(CONTEXT[0] + CONTEXT[1] * (1 - limit / top)) if drawn and limit else "",
        limit_is=limit_is,
        grouped=max(stretch.calls for stretch in found.stretches),
    )


def _title(stretch: Stretch) -> str:
    first, last, fullest, longest = stretch.first, stretch.last, stretch.fullest, stretch.longest
    if first == last:
        tokens = f"{count(fullest.prompt_tokens)} in, {count(fullest.cached_tokens)} of them cached, "
        return f"step {first}: {tokens}{count(fullest.completion_tokens)} out; {dollars(stretch.spent_usd)} so far"
    return (
        f"steps {first} to {last}: at most {count(fullest.prompt_tokens)} in (step {fullest.step}) and "
        f"{count(longest.completion_tokens)} out (step {longest.step}); {dollars(stretch.spent_usd)} so far"
    )


def _columns(panel: tuple[int, int], shares: Sequence[float]) -> str:
    """Columns of these heights, beside each other on the ground of a panel, as one path."""
    top, height = panel
    width = WIDTH / len(shares)
    inner = _written(width - min(1.0, width / 5))
    return "".join(
        f"M{_written(place * width)} {top + height}v-{_written(height * share)}h{inner}v{_written(height * share)}z"
        for place, share in enumerate(shares)
        if height * share >= 0.05
    )


def _cost_line(found: Spending) -> str:
    """Corners of a staircase, as the points of a polyline."""
    total = found.cost.value
    if not total:
        return ""
    top, height = COST
    width = WIDTH / len(found.stretches)
    corners = [(0.0, 0.0)]
    for place, stretch in enumerate(found.stretches):
        share = (stretch.spent_usd or 0.0) / total
        corners += [(place * width, share), ((place + 1) * width, share)]
    return " ".join(f"{_written(x)},{_written(top + height * (1 - share))}" for x, share in corners)


def _written(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
