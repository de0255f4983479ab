"""Rows of the longest tables of an agent's page, as markup: the nodes of a template take three times as long."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.utils.safestring import SafeString

from runs.analysis.outcomes.standings import Standing
from runs.analysis.outcomes.strengths import LabelStrength
from runs.formatting.html import Markup, joined
from runs.formatting.interval_svg import against
from runs.formatting.numbers import DASH, duration, percent
from runs.queries.competitors import Competitor

_ROW = (
    '<tr><th scope="row">%s</th><td>%s</td><td class="num">%s</td><td class="num">{}</td><td class="num">'
    '<span title="{} of {} attempts resolved">{} <span class="faint">/ {}</span></span></td></tr>'
)
_LINK = '<a class="plain" href="{}">{}</a>'
_NO_OTHERS = f'<span class="muted" title="{{}}">{DASH}</span>'
_MARK = '<tr%s><th scope="row">%s</th><td class="num">{}</td><td class="num">{}</td></tr>'


def part_rows(parts: Iterable[LabelStrength], links: Mapping[str, str]) -> SafeString:
    """An agent's results by one property of tasks. `links`: label → page, where labels have pages."""
    return joined(_part(part, links.get(part.label, "")) for part in parts)


def mark_rows(agents: Iterable[tuple[Competitor, Standing, bool]]) -> SafeString:
    """Time and pass rate of every agent; one of them is the agent of the page."""
    return joined(_mark(*row) for row in agents)


def _part(part: LabelStrength, link: str) -> Markup:
    drawn = against(part.pass_1, part.others)
    others = part.others.value
    counts = (part.resolved, part.attempts, part.pass_1.n, part.attempts)
    values = (
        *((link, part.label) if link else (part.label,)),
        *drawn.values,
        part.others.reason if others is None else percent(others),
        percent(part.tests.value),
        *map(str, counts),
    )
    return Markup(
        _ROW % (_LINK if link else "{}", drawn.pattern, _NO_OTHERS if others is None else "{}"), values
    )


def _mark(agent: Competitor, standing: Standing, here: bool) -> Markup:
    numbers = (duration(standing.seconds_per_attempt), percent(standing.pass_1.value))
    if here:
        return Markup(_MARK % (' aria-current="true"', "<b>{}</b>"), (agent.name, *numbers))
    return Markup(_MARK % ("", _LINK), (agent.get_absolute_url(), agent.name, *numbers))
