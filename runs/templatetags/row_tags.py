"""Rows that many pages have many of, as markup: the nodes of a template take three times as long."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString

from runs.formatting.html import Markup, filled, joined
from runs.formatting.numbers import DASH, count, dollars, duration, words
from runs.models import Run
from runs.views.result_pages.test_stripes import Stripes

register = template.Library()

_NOTHING = f'<span class="muted">{DASH}</span>'
_CALIBRATION = ' <span class="chip">calibration</span>'
_BEGIN = (
    '<tr><td><a href="{}" aria-label="Replay run {}">#{}</a></td>'
    '<th scope="row"><a class="plain" href="{}">{}</a>%s</th>'
    '<td class="wide"><a class="plain" href="{}">{}</a> <span class="faint">{}</span></td><td class="num">{}</td><td>'
)
_END = (
    '<td class="muted">{}</td><td class="num">{}</td><td class="num">%s</td><td class="num">%s</td>'
    '<td class="num">%s</td><td class="num">{}</td></tr>\n'
)
_STRIPES = (
    '<svg class="stripes" viewBox="0 0 100 14" preserveAspectRatio="none" role="img" aria-label="{}">%s</svg>'
)
_PASSED = '<rect class="passed" x="{}" y="0" width="{}" height="14"/>'
_FAILED = '<rect class="failed" x="{}" y="9" width="{}" height="5"/>'


@register.simple_tag
def outcome(run: Run) -> SafeString:
    """How a run ended, or what it is doing, as a chip."""
    return filled(*_outcome(run))


@register.simple_tag
def run_rows(runs: Iterable[Run], strips: Mapping[int, Stripes] | str = "") -> SafeString:
    """The rows of a list of runs; with `strips`, by run, a column more shows all tests of each."""
    return joined(part for run in runs for part in _run(run, strips))


def _run(run: Run, strips: Mapping[int, Stripes] | str) -> Iterator[Markup]:
    agent, task, number = run.agent, run.task, str(run.pk)
    of_agent = (reverse("agent", args=[agent.slug]), agent.name)
    of_task = (reverse("task", args=[task.repository.slug, task.slug]), task.title, task.repository.title)
    yield Markup(
        _BEGIN % (_CALIBRATION if agent.is_calibration else ""),
        (reverse("run", args=[number]), number, number, *of_agent, *of_task, str(run.attempt)),
    )
    yield _outcome(run)
    yield Markup("</td>")
    if isinstance(strips, Mapping) and strips:
        yield _stripes(strips.get(run.pk))
    yield _spent(run)


def _spent(run: Run) -> Markup:
    """How it ended and what it took; a run under way has taken nothing that can be told yet."""
    over = run.state == Run.State.FINISHED
    spent = (
        count(run.tokens) if run.agent.model_id else None,
        duration(run.act_seconds) if over else None,
        (dollars(run.cost_usd) if over else DASH) if run.agent.model_id else None,
    )
    pattern = _END % tuple(_NOTHING if value is None else "{}" for value in spent)
    ending = words(run.get_ending_display()) or DASH
    values = (ending, str(run.steps), *(value for value in spent if value is not None), str(run.tries))
    return Markup(pattern, values)


def _stripes(found: Stripes | None) -> Markup:
    if found is None:
        return Markup(f"<td>{_NOTHING}</td>")
    bars = "".join(_PASSED if stripe.passed else _FAILED for stripe in found.stripes)
    places = [place for stripe in found.stripes for place in (stripe.x, stripe.width)]
    return Markup(f"<td>{_STRIPES % bars}</td>", (found.said, *places))


def _outcome(run: Run) -> Markup:
    match run.outcome, run.state:
        case Run.Outcome.RESOLVED, _:
            return _chip("good", "✓ resolved")
        case Run.Outcome.INFRASTRUCTURE_FAILED, _:
            return _chip("infra", "infrastructure failed")
        case Run.Outcome.UNRESOLVED, _:
            said = f"{run.tests_passed} of {run.tests_total} tests" if run.tests_total else "unresolved"
            return _chip("near" if run.tests_total and run.came_close else "bad", said)
        case _, Run.State.QUEUED:
            return _chip("", "queued")
        case _, Run.State.CANCELLED:
            return _chip("infra", "cancelled")
    return _chip("live", f"● {run.state}")


def _chip(tone: str, said: str) -> Markup:
    return Markup('<span class="{}">{}</span>', (f"chip {tone}".strip(), said))
