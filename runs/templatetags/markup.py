"""HTML that is written in Python because pages have hundreds of such pieces. All other HTML is in templates.

`python -m benchmarks.markup` compares it with templates, in milliseconds: the cells of the leaderboard 1.6 and 8.8,
50 rows of runs 3.0 and 6.5, the attempts on a page of near misses 1.7 and 6.3, the options of eight
filters 0.2 and 0.9.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from typing import Any

from django import template
from django.urls import get_script_prefix, get_urlconf, reverse
from django.utils.safestring import SafeString, mark_safe

from runs.analysis.estimate import Estimate, Interval
from runs.analysis.outcomes.standings import Rate, rate_of
from runs.models import Run
from runs.models.agent import plain_name, sign_of
from runs.presentation.charts.axis import Axis, share_axis
from runs.presentation.formatting.html import Markup, filled, joined
from runs.presentation.formatting.numbers import (
    DASH,
    count,
    dollars,
    duration,
    heat,
    percent,
    whole_percent,
)
from runs.presentation.formatting.text import tidy, words
from runs.views.result_pages.test_matrix import Stripes

register = template.Library()

PERSON_CHIP = ' <span class="chip">person</span>'

# A rate with its interval, as a drawing and in numbers.

_RATE = (
    '<div class="rate"><svg class="ci" aria-hidden="true">'
    '<line class="track" x1="6%" x2="94%" y1="9" y2="9"/><line class="whisker" x1="{}" x2="{}" y1="9" y2="9"/>'
    '<circle class="dot {}" cx="{}" cy="9" r="4"/>'
)
_OTHERS = '<line class="others" x1="{}" x2="{}" y1="1" y2="17"/>'
_WHOLE = share_axis("")
_RATE_END = '</svg><span><b>{}</b><small><span class="sr">95 % interval </span>{}</small></span></div>'


def rate_line(  # noqa: PLR0917 - a drawing and its texts
    value: float,
    interval: Interval,
    text: str,
    small: str,
    tone: str = "",
    others: float | None = None,
    axis: Axis = _WHOLE,
) -> Markup:
    """A share on an axis, as wide as its place. `tone`: a class of the dot; `others`: where a tick stands."""
    dot = (_x(axis, interval.low), _x(axis, interval.high), tone, _x(axis, value))
    if others is None:
        return Markup(_RATE + _RATE_END, (*dot, text, small))
    tick = _x(axis, others)
    return Markup(_RATE + _OTHERS + _RATE_END, (*dot, tick, tick, text, small))


def _x(axis: Axis, share: float) -> str:
    return f"{6 + 88 * axis.at(share):.1f}%"


@register.simple_tag
def rate(
    value: Rate | None,
    tone: str = "",
    reason: str = "",
    others: float | None = None,
    axis: Axis = _WHOLE,
) -> SafeString:
    """A rate with its interval; without a value, the reason. `tone`: a class of the dot; `others`: where a tick is."""
    if value is None:
        return filled('<span class="faint">{}</span>', (reason or "n too small",))
    ends = f"{percent(value.interval.low, 0)} to {percent(value.interval.high, 0)}"
    return filled(*rate_line(value.value, value.interval, percent(value.value), ends, tone, others, axis))


@register.simple_tag
def figure_rate(figure: Estimate, tone: str = "", others: float | None = None) -> SafeString:
    """The same of an estimate."""
    return rate(rate_of(figure), tone, figure.reason, others)


# The name of an agent in a list.

_WORDS = {"†": "Graded here", "§": "Recorded elsewhere", "‡": "Reported by others"}
_MARKED = (
    '{}<span class="sr">{}</span><span class="elsewhere" aria-hidden="true" '
    'title="{}: this site did not execute its runs">{}</span>'
)


@register.filter
def agent_name(name: str) -> SafeString:
    """An agent's name; if its runs are from elsewhere, with a sign, which assistive technology reads as its mark."""
    return filled(*agent_markup(tidy(name)))


def agent_markup(name: str) -> Markup:
    """The name with its sign."""
    shown = plain_name(name)
    if shown == name:
        return Markup("{}", (name,))
    mark = name[len(shown) :]
    sign = sign_of(mark)
    word = _WORDS[sign]
    return Markup(_MARKED, (shown, mark, word, sign + "".join(filter(str.isdigit, mark))))


# The options of a list in a form.

_OPTION = '<option value="{}">{}</option>'
_CHOSEN = '<option value="{}" selected>{}</option>'


@register.simple_tag
def option_list(options: Iterable[tuple[str, str]], chosen: str) -> SafeString:
    """Options, each a value and its text."""
    return _option_list(tuple(options), chosen)


@lru_cache(maxsize=64)
def _option_list(options: tuple[tuple[str, str], ...], chosen: str) -> SafeString:
    """The list of runs has an option for each of 2,300 tasks: they take 5 of its 45 ms."""
    return joined(
        (Markup(_CHOSEN if value == chosen else _OPTION, (value, tidy(text))) for value, text in options),
        "\n",
    )


# Lists of runs.

_GRADED = ' <span class="chip good" title="Executed elsewhere, graded by this site">graded here</span>'
_CLAIMED = ' <span class="chip near" title="Claimed: {}">claimed otherwise</span>'
_TRIAL = ' <span class="chip near" title="It is in no public number">trial</span>'
_HOME = ' <span class="faint">{}</span>'
_NOTHING = f'<span class="muted">{DASH}</span>'
# On narrow screens a row is a card, whose parts the style sheet puts in another order.
_RUN = (
    '<tr><td class="c-run"><a href="{}" aria-label="{} {}">#{}</a></td>'
    '<th scope="row"><a class="plain" href="{}">%s</a>%s</th>'
    '<td class="wide c-task"><a class="plain" href="{}">{}</a>%s</td>'
    '%s<td class="c-outcome">'
)
_ATTEMPT_CELL = '<td class="num c-attempt">{}</td>'
# The last cells of a row. A list shows those columns in which one of its runs has a value.
_SPENT = {
    "ending": '<td class="muted c-ending">%s</td>',
    "steps": '<td class="num c-steps">%s</td>',
    "tokens": '<td class="num c-tokens">%s</td>',
    "time": '<td class="num c-time">%s</td>',
    "cost": '<td class="num c-cost">%s</td>',
    "tries": '<td class="num c-tries">%s</td>',
}
_MIN_LETTERS = 16  # a shorter run does not fill its strip
# Letters of `Counts.kinds`: the class of their colour, and what they count.
_KINDS = {
    "r": ("read", "reading"),
    "s": ("search", "searching"),
    "e": ("edit", "editing"),
    "x": ("run", "running commands"),
    "o": ("other", "other"),
    "f": ("failed", "failed"),
}
_STRIPES = (
    '<svg class="stripes" viewBox="0 0 100 14" preserveAspectRatio="none" role="img" aria-label="{}">%s</svg>'
)
_PASSED = '<rect class="passed" x="{}" y="0" width="{}" height="14"/>'
_FAILED = '<rect class="failed" x="{}" y="9" width="{}" height="5"/>'


@register.simple_tag
def outcome(run: Run) -> SafeString:
    """How a run ended, or its state, as a chip."""
    return filled(*_outcome(run))


@register.simple_tag
def run_rows(
    runs: Iterable[Run], strips: Mapping[int, Stripes] | str = "", *, one_repository: bool = False
) -> SafeString:
    """The rows of a list of runs; with `strips`, by run, one more column shows all tests of each.

    `one_repository`: whether all are of the one that was chosen, which they do not repeat.
    """
    runs = list(runs)
    spent = [_spent(run) for run in runs]
    columns = _columns(spent)
    home, attempt = "" if one_repository else _HOME, _ATTEMPT_CELL if _repeated(runs) else ""
    return joined(
        part
        for run, known in zip(runs, spent, strict=True)
        for part in _run(run, strips, {name: known[name] for name in columns}, home=home, attempt=attempt)
    )


@register.simple_tag
def known_columns(runs: Iterable[Run]) -> list[str]:
    """The columns of a list of runs in which at least one of them has a value: "ending", "steps" and so on.

    Tries are a column where a run took more than one, or none yet; attempts where one is not the first.
    """
    runs = list(runs)
    return [*(["attempt"] if _repeated(runs) else []), *_columns(map(_spent, runs))]


def _repeated(runs: Iterable[Run]) -> bool:
    return any(run.attempt != 1 for run in runs)


def _columns(spent: Iterable[Mapping[str, str | None]]) -> list[str]:
    usual = {"tries": "1"}
    known = {name for each in spent for name, value in each.items() if value not in {None, usual.get(name)}}
    return [name for name in _SPENT if name in known]


def _run(
    run: Run, strips: Mapping[int, Stripes] | str, spent: Mapping[str, str | None], *, home: str, attempt: str
) -> Iterator[Markup]:
    agent, task, number = run.agent, run.task, str(run.pk)
    name = agent_markup(agent.name)
    chips = _chips(run)
    label = "Replay run" if run.can_replay else "Run"
    of_agent = (address_of("agent", agent.slug), *name.values, *chips.values)
    of_task = (address_of("task", task.repository.slug, task.slug), task.title)
    of_home = (task.repository.title,) if home else ()
    of_attempt = (str(run.attempt),) if attempt else ()
    yield Markup(
        _RUN % (name.pattern, chips.pattern, home, attempt),
        (address_of("run", number), label, number, number, *of_agent, *of_task, *of_home, *of_attempt),
    )
    yield _outcome(run)
    yield Markup("</td>")
    if isinstance(strips, Mapping) and strips:
        yield _stripes(strips.get(run.pk))
    yield _last_cells(run, spent)


def _chips(run: Run) -> Markup:
    calibration = ' <span class="chip">calibration</span>' if run.agent.is_calibration else ""
    person = PERSON_CHIP if run.agent.is_person else ""
    trial = "" if run.evaluation.listed else _TRIAL
    # As far as it was read with the run: no query for each row.
    grading = run._state.fields_cache.get("grading")
    if grading is None:
        return Markup(calibration + person + trial, ())
    claimed, values = (_CLAIMED, (grading.claim,)) if grading.differs else ("", ())
    return Markup(calibration + person + _GRADED + claimed + trial, values)


def _spent(run: Run) -> dict[str, str | None]:
    """Its ending and steps, and its tokens, time and cost, which are unknown before its end; None: not known."""
    over = run.state == Run.State.FINISHED
    return {
        "ending": words(run.ending) or None,
        "steps": None if run.steps is None else str(run.steps),
        "tokens": count(run.tokens) if run.agent.model_id and run.tokens is not None else None,
        "time": duration(run.act_seconds) if over and run.act_seconds is not None else None,
        "cost": dollars(run.cost_usd) if over and run.agent.model_id and run.cost_usd is not None else None,
        "tries": str(run.tries) if run.tries or not over else None,
    }


def _last_cells(run: Run, spent: Mapping[str, str | None]) -> Markup:
    cells = {name: _NOTHING if value is None else "{}" for name, value in spent.items()}
    if "steps" in cells:
        cells["steps"] += step_strip(getattr(run, "step_kinds", "") or "")
    pattern = "".join(_SPENT[name] % cell for name, cell in cells.items())
    return Markup(f"{pattern}</tr>\n", tuple(value for value in spent.values() if value is not None))


def address_of(view: str, *arguments: str) -> str:
    """The address of a view, which is found once."""
    return _known_address(view, arguments, get_script_prefix(), get_urlconf())


@lru_cache(maxsize=4096)
def _known_address(view: str, arguments: tuple[str, ...], _prefix: str, _addresses: str | None) -> str:
    return reverse(view, args=arguments)


@register.simple_tag
@lru_cache(maxsize=1024)
def step_strip(kinds: str) -> SafeString:
    """What the iterations of a run did, in order, as a strip of coloured bars. `kinds`: `Counts.kinds`; "": nothing."""
    paths: dict[str, str] = {}
    place = 0
    for letter, same in groupby(kinds):
        many = len(list(same))
        paths[letter] = paths.get(letter, "") + f"M{place} 0h{many}v1h-{many}z"
        place += many
    drawn = "".join(
        f'<path class="{kind}" d="{paths[letter]}"/>'
        for letter, (kind, _) in _KINDS.items()
        if letter in paths
    )
    if not drawn:
        return mark_safe("")
    said = ", ".join(
        f"{many} {_KINDS[letter][1]}" for letter, many in Counter(kinds).most_common() if letter in _KINDS
    )
    return mark_safe(  # noqa: S308 - letters, numbers and names from here
        f'<svg class="kinds" viewBox="0 0 {max(len(kinds), _MIN_LETTERS)} 1" preserveAspectRatio="none" role="img" '
        f'aria-label="Steps in order: {said}"><title>Steps in order: {said}</title>{drawn}</svg>'
    )


def _stripes(found: Stripes | None) -> Markup:
    if found is None:
        return Markup(f'<td class="c-tests">{_NOTHING}</td>')
    bars = "".join(_PASSED if stripe.passed else _FAILED for stripe in found.stripes)
    places = [place for stripe in found.stripes for place in (stripe.x, stripe.width)]
    return Markup(f'<td class="c-tests">{_STRIPES % bars}</td>', (found.label, *places))


# Of runs without an outcome.
_STATES = {
    Run.State.QUEUED.value: ("", "queued"),
    Run.State.CANCELLED.value: ("infra", "cancelled"),
    Run.State.FINISHED.value: ("", "outcome unknown"),
}


def _outcome(run: Run) -> Markup:
    match run.outcome, run.state:
        case Run.Outcome.RESOLVED, _:
            return _chip("good", "✓ resolved")
        case Run.Outcome.INFRASTRUCTURE_FAILED, _:
            return _chip("infra", "not counted: infrastructure")
        case Run.Outcome.UNRESOLVED, _:
            label = f"{run.tests_passed} of {run.tests_total} tests" if run.tests_total else "unresolved"
            return _chip("near" if run.tests_total and run.came_close else "bad", label)
    return _chip(*_STATES.get(run.state, ("live", f"● {run.state}")))


def _chip(tone: str, label: str) -> Markup:
    return Markup('<span class="{}">{}</span>', (f"chip {tone}".strip(), label))


# The attempts of a near miss.

_ATTEMPT = '<li><a class="{}" href="{}" title="{}"><span class="sr">{}</span>{}</a></li>'


@register.simple_tag
def attempt_tiles(attempts: Iterable[Run], best: int | None) -> SafeString:
    """Each attempt as a tile with its share of tests, which leads to the replay. `best`: the id of the best one."""
    tiles = []
    for run in attempts:
        rate, is_best = run.test_rate, run.pk == best
        name = f"Attempt {run.attempt}{', the best' if is_best else ''}"
        title = f"Attempt {run.attempt}: {run.tests_passed} of {run.tests_total} tests{', the best' if is_best else ''}"
        shown = DASH if rate is None else whole_percent(rate)
        tone = f"{heat(rate)} best" if is_best else heat(rate)
        tiles.append(Markup(_ATTEMPT, (tone, run.get_absolute_url(), title, f"{name}: ", shown)))
    return joined(tiles)


# Charts.


def json_script(data: Mapping[str, Any]) -> SafeString:
    """As Django's `json_script`, which takes four times as long, with a script element without an id."""
    written = json.dumps(data, separators=(",", ":"))
    for sign in "<>&":
        written = written.replace(sign, f"\\u{ord(sign):04X}")
    return mark_safe(f'<script type="application/json">{written}</script>')  # noqa: S308 - nothing ends it
