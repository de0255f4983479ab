"""Compares how pages write HTML with a plainer way for the same rows, in one process.

    python -m benchmarks.markup [--times 30]

HTML that Python writes is compared with a template: 15 agents on the leaderboard, 50 runs in a list, 20 near misses
with five attempts each, eight filters with ten options each. Cached rows of the leaderboard, of which one has changed,
are compared with rows that are all written again, those of a list of agents with rows that are all rendered again, and
the 25 fixed addresses of a page with Django's tag. Prints the
shortest time of each and the ratio. Exits with 1 when one takes more than half the time of the plainer way: then that
should be used instead.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from django.template import Context

from benchmarks.analysis import measured
from benchmarks.command_line import benchmark_parser, conclude, mark
from benchmarks.database import AGENTS, ATTEMPTS, TASKS, prepare
from benchmarks.simulation import simulate
from tests.conftest import RedisServer

if TYPE_CHECKING:
    from runs.rankings.leaderboard.board import Board

LISTED, TILES, FILTERS, OPTIONS, ADDRESSES = 50, 100, 8, 10, 25
MAX_RATIO = 0.5

RATE = """<div class="rate"><svg class="ci" viewBox="0 0 110 18" aria-hidden="true">
<line class="track" x1="7" x2="103" y1="9" y2="9"/>
<line class="whisker" x1="{{ cell.interval.low }}" x2="{{ cell.interval.high }}" y1="9" y2="9"/>
<circle class="dot {% if column.with_retries %}k{% endif %}" cx="{{ cell.value }}" cy="9" r="5"/></svg>
<span><b>{{ cell.text }}</b><small><span class="sr">95 % interval </span>{{ cell.small }}</small></span></div>"""
BOARD = """{% load number_tags %}{% for row, cells in rows %}{% for column, cell in cells %}
{% if column.kind == "strip" %}<td><ul class="strip">{% for one in row.standing.repositories %}<li>
<a class="{{ one.value|heat }}" href="{% url 'repository' one.repository %}" title="{{ one.repository }}">
<span class="sr">{{ one.repository }}: </span>
{% if one.value is None %}–{% else %}{{ one.value|whole_percent }}{% endif %}</a></li>{% endfor %}</ul></td>
{% elif column.kind == "agent" %}<th scope="row" class="agent">
<b><a class="plain" href="{{ row.agent.get_absolute_url }}">{{ cell.text|agent_name }}</a></b>
<span class="under">{{ cell.small }}{% if row.agent.is_calibration %} <span class="chip">calibration</span>{% endif %}
</span></th>
{% elif column.kind == "place" %}<td class="rank num">{{ cell.text }}</td>
{% elif column.kind == "rate" %}<td>{% if cell.interval %}RATE{% else %}<span class="faint">{{ cell.text }}</span>
<small>{{ cell.small }}</small>{% endif %}</td>
{% else %}<td class="num{% if cell.muted %} muted{% endif %}"{% if cell.title %} title="{{ cell.title }}"{% endif %}>
{{ cell.text }}{% if cell.small %}<small>{% if cell.runs %}<a href="{{ runs }}?{{ cell.runs }}">{{ cell.small }}</a>
{% else %}{{ cell.small }}{% endif %}</small>{% endif %}</td>{% endif %}
{% endfor %}{% endfor %}""".replace("RATE", RATE)
RUNS = """{% load markup number_tags %}{% for run in runs %}<tr><td>
<a href="{% url 'run' run.pk %}" aria-label="Replay run {{ run.pk }}">#{{ run.pk }}</a></td>
<th scope="row"><a class="plain" href="{{ run.agent.get_absolute_url }}">{{ run.agent.name|agent_name }}</a>
{% if run.agent.is_calibration %} <span class="chip">calibration</span>{% endif %}</th>
<td class="wide"><a class="plain" href="{{ run.task.get_absolute_url }}">{{ run.task.title }}</a>
<span class="faint">{{ run.task.repository.title }}</span></td><td class="num">{{ run.attempt }}</td>
<td>{% outcome run %}</td><td class="muted">{{ run.get_ending_display|words|default:"–" }}</td>
<td class="num">{{ run.steps }}</td>
<td class="num">{% if run.agent.model_id %}{{ run.tokens|count }}{% else %}–{% endif %}</td>
<td class="num">{% if run.state == "finished" %}{{ run.act_seconds|duration }}{% else %}–{% endif %}</td>
<td class="num">{% if run.agent.model_id %}{{ run.cost_usd|dollars }}{% else %}–{% endif %}</td>
<td class="num">{{ run.tries }}</td></tr>{% endfor %}"""
TILE = """{% load number_tags %}{% for run in attempts %}{% with rate=run.test_rate %}<li>
<a class="{{ rate|heat }}{% if run.pk == best %} best{% endif %}" href="{{ run.get_absolute_url }}"
title="Attempt {{ run.attempt }}: {{ run.tests_passed }} of {{ run.tests_total }} tests">
<span class="sr">Attempt {{ run.attempt }}{% if run.pk == best %}, the best{% endif %}: </span>
{% if rate is None %}–{% else %}{{ rate|whole_percent }}{% endif %}</a></li>{% endwith %}{% endfor %}"""

LIST = '{% load row_tags %}{% cached_rows "runs/agents/_row.html" rows %}'
OPTION = """{% load number_tags %}{% for value, text in options %}
<option value="{{ value }}"{% if value == chosen %} selected{% endif %}>{{ text|tidy }}</option>{% endfor %}"""


def main() -> int:
    """Prints the table; 1 when a piece of HTML should be a template."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--times", type=int, default=30)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="benchbench-") as directory:
        prepare(Path(directory))
        redis = RedisServer(Path(directory) / "redis")  # where the settings expect it
        redis.start()
        try:
            pairs = [board(), board_rows(), list_rows(), run_list(), near_misses(), filters(), addresses()]
        finally:
            redis.stop()
    print(f"{'':<34}{'here, ms':>12}{'plainer, ms':>14}{'ratio':>8}")
    met = True
    for name, ours, plainer in pairs:
        fast, slow = (1000 * measured(work, options.times)[0] for work in (ours, plainer))
        good = fast <= MAX_RATIO * slow
        met = met and good
        print(f"{name:<34}{fast:>12.2f}{slow:>14.2f}{fast / slow:>8.2f}{mark(good)}")
    return conclude(met)


Pair = tuple[str, Callable[[], object], Callable[[], object]]


def board() -> Pair:
    """The cells of the leaderboard."""
    from django.template import engines  # noqa: PLC0415 - needs Django, as all below

    from benchmarks.stored import store  # noqa: PLC0415

    store(simulate(AGENTS, TASKS, ATTEMPTS, steps=5), "Simulated")
    found = _board()
    template = engines["django"].from_string(BOARD)

    def by_template() -> str:
        rows = [
            (row, [(column, column.cell(row) if column.sortable else None) for column in found.columns])
            for row in found.rows
        ]
        return template.render({"rows": rows, "runs": "/runs/"})

    return (
        f"leaderboard, {len(found.rows)} × {len(found.columns)} cells",
        lambda: _rows_again(found),
        by_template,
    )


def board_rows() -> Pair:
    """The rows of the leaderboard after a run has settled, which changes that of one agent."""
    from runs.templatetags import board_tags  # noqa: PLC0415

    found = _board()

    def one_changed() -> str:
        board_tags._cached_rows.pop(next(iter(board_tags._cached_rows)), None)
        return board_tags.board_rows(found)

    _rows_again(found)
    return f"{len(found.rows)} cached rows, one changed", one_changed, lambda: _rows_again(found)


def list_rows() -> Pair:
    """The rows of a list of agents after a run has settled."""
    from django.template import engines  # noqa: PLC0415

    from runs.data.cells.boards import all_boards  # noqa: PLC0415
    from runs.data.lists.agent_list import agent_lines  # noqa: PLC0415
    from runs.data.queries.visibility import ANONYMOUS  # noqa: PLC0415
    from runs.templatetags import row_tags  # noqa: PLC0415

    rows = agent_lines(ANONYMOUS, all_boards())
    template = engines["django"].from_string(LIST)
    changes = count()

    def one_changed() -> str:
        return template.render({"rows": [rows[0]._replace(name=f"Agent {next(changes)}"), *rows[1:]]})

    def all_again() -> str:
        row_tags._row.cache_clear()
        return template.render({"rows": rows})

    return f"{len(rows)} cached rows of a list, one changed", one_changed, all_again


def _board() -> Board:
    from runs.rankings.leaderboard.board import board as board_of  # noqa: PLC0415
    from runs.rankings.leaderboard.board_source import BoardSource  # noqa: PLC0415

    return board_of({}, BoardSource())


def _rows_again(found: Board) -> str:
    from runs.templatetags import board_tags  # noqa: PLC0415

    board_tags._cached_rows.clear()
    return board_tags.board_rows(found)


def run_list() -> Pair:
    """The rows of a page of runs."""
    from django.template import engines  # noqa: PLC0415

    from runs.models import Run  # noqa: PLC0415
    from runs.templatetags.markup import run_rows  # noqa: PLC0415

    runs = list(Run.objects.select_related("agent", "task__repository")[:LISTED])
    template = engines["django"].from_string(RUNS)
    return f"{len(runs)} runs in a list", lambda: run_rows(runs), lambda: template.render({"runs": runs})


def near_misses() -> Pair:
    """The attempts of all near misses of a page."""
    from django.template import engines  # noqa: PLC0415

    from runs.models import Run  # noqa: PLC0415
    from runs.templatetags.markup import attempt_tiles  # noqa: PLC0415

    attempts = list(Run.objects.all()[:TILES])
    template = engines["django"].from_string(TILE)
    return (
        f"{len(attempts)} attempts of near misses",
        lambda: attempt_tiles(attempts, None),
        lambda: template.render({"attempts": attempts}),
    )


def filters() -> Pair:
    """The options of all filters of a page."""
    from django.template import engines  # noqa: PLC0415

    from runs.templatetags.markup import option_list  # noqa: PLC0415

    options = [(f"repository-{number}", f"Repository {number}") for number in range(OPTIONS)]
    template = engines["django"].from_string(OPTION)
    return (
        f"{FILTERS} filters of {OPTIONS} options",
        lambda: [option_list(options, "repository-1") for _ in range(FILTERS)],
        lambda: [template.render({"options": options, "chosen": "repository-1"}) for _ in range(FILTERS)],
    )


def addresses() -> Pair:
    """The fixed addresses in the head and the foot of a page."""
    from django.template import Engine, engines  # noqa: PLC0415

    source = "{% url 'tasks' %}" * ADDRESSES
    ours, plainer = engines["django"].from_string(source), Engine().from_string(source)
    return f"{ADDRESSES} fixed addresses", lambda: ours.render({}), lambda: plainer.render(Context())


if __name__ == "__main__":
    sys.exit(main())
