"""Short names of agents for the board: without dates, and in charts without what most of them have in common."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from runs.data.queries.competitors import Competitor
from runs.models.agent import Agent, plain_name
from runs.presentation.formatting.text import one_line

# 2025-08-07, 20250807, and a year with a month, 2512: in brackets, or the first two at the end of a model's name.
_DATE = re.compile(
    r" ?\((?:20\d\d-\d\d-\d\d|20\d{6}|2\d(?:0[1-9]|1[0-2]))\)|[-@ ](?:20\d\d-\d\d-\d\d|20\d{6})$"
)
_EFFORT = re.compile(r"[ -]\(?(minimal|low|medium|high|xhigh|max)(?: reasoning)?\)?$", re.IGNORECASE)
_WITH = " with "
_BETWEEN = " · "
MAX_LENGTH = 400
USUAL_SHARE = 0.5  # of the agents of a board that have the usual harness


def short_names(agents: Sequence[Competitor | Agent]) -> dict[str, str]:
    """The short name of each agent, by slug, without its mark; the whole name where two would have the same one."""
    short = {agent.slug: _short(agent.name, agent.model.name if agent.model else "") for agent in agents}
    often = Counter(short.values())
    whole = {agent.slug: one_line(plain_name(agent.name), MAX_LENGTH) for agent in agents}
    return {slug: name if often[name] == 1 else whole[slug] for slug, name in short.items()}


@lru_cache(maxsize=4096)
def _short(name: str, model: str) -> str:
    """A name without dates. An effort that the name of the model does not say stands in brackets."""
    whole = one_line(plain_name(name), MAX_LENGTH)
    short = _DATE.sub("", whole)
    effort = _EFFORT.search(short)
    if effort and not model.casefold().endswith(effort[1].casefold()):
        short = f"{short[: effort.start()]} ({effort[1].lower()})"
    return short or whole


@lru_cache(maxsize=4096)
def without_dates(parts: str) -> str:
    """What an agent is, `Anthropic · claude-opus-4-5-20251101`, without the date at the end of a model's name."""
    return _BETWEEN.join(_DATE.sub("", part) for part in parts.split(_BETWEEN))


@dataclass(frozen=True, slots=True)
class ChartNames:
    """Names for the marks of a chart. `labels`: by slug. `usual`: the harness that labels leave out; '' for none."""

    labels: Mapping[str, str]
    usual: str


def chart_names(agents: Sequence[Competitor | Agent], names: Mapping[str, str]) -> ChartNames:
    """The model first, then the harness in brackets, unless at least half of the agents have the same one.

    So labels of one chart do not begin alike. Names that do not say a harness and a model stay as they are.
    """
    parts = {agent.slug: _parts(names[agent.slug], agent) for agent in agents}
    often = Counter(harness for harness, _ in parts.values() if harness).most_common(1)
    usual = often[0][0] if often and often[0][1] >= USUAL_SHARE * len(agents) and len(agents) > 1 else ""
    labels = {
        slug: model if harness in {"", usual} else f"{model} ({harness})"
        for slug, (harness, model) in parts.items()
    }
    if len(set(labels.values())) < len(labels):
        return ChartNames(dict(names), "")
    return ChartNames(labels, usual)


def _parts(name: str, agent: Competitor | Agent) -> tuple[str, str]:
    """The harness and the model in a name such as `OpenHands with GPT-5.5`; ('', name) in all others."""
    harness, joint, model = name.partition(_WITH)
    known = agent.model.name.casefold() if agent.model else ""
    if joint and known and model.casefold().startswith(known[: len(model)]):
        return harness, model
    return "", name
