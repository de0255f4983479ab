"""HTML that Python writes: options, rates, rows of the leaderboard and of runs, attempts. All values are escaped."""

from __future__ import annotations

import json
import re
from html import escape
from typing import Any

import pytest

from runs.analysis.estimate import Estimate, Interval
from runs.analysis.outcomes.standings import Rate
from runs.models import Run
from runs.templatetags.markup import (
    agent_name,
    attempt_tiles,
    figure_rate,
    json_script,
    known_columns,
    option_list,
    outcome,
    rate,
    run_rows,
    step_strip,
)
from runs.views.result_pages.test_matrix import Stripe, Stripes
from tests.runs.cast import Cast

EVIL = "</td><script>alert(1)</script>{0} {name} \"'&"
HALF = Rate(0.5, Interval(0.25, 0.75))


def plain(html: str) -> str:
    """With plain spaces before units."""
    return html.replace("\u00a0", " ")


class TestOptions:
    def test_the_chosen_one_is_marked(self) -> None:
        assert option_list([("a", "A"), ("b", "B")], "b") == (
            '<option value="a">A</option>\n<option value="b" selected>B</option>'
        )

    def test_values_and_texts_are_escaped(self) -> None:
        (start, end) = option_list([('"', EVIL)], "").split(">", 1)
        assert start == '<option value="&quot;"'
        assert end == f"{escape(EVIL)}</option>"

    def test_a_text_is_one_line(self) -> None:
        assert option_list([("a", "one\ntwo")], "") == '<option value="a">one two</option>'


class TestNames:
    def test_a_name_is_one_line_and_escaped(self) -> None:
        assert agent_name("a <b>\nc") == "a &lt;b&gt; c"

    @pytest.mark.parametrize(
        ("name", "word", "sign"),
        [
            ("Oracle (reported)", "Reported by others", "‡"),
            ("Oracle (recorded 2)", "Recorded elsewhere", "§2"),
            ("Oracle (graded here 12)", "Graded here", "†12"),
            ("Oracle (imported)", "Reported by others", "‡"),  # in a permanent link of an older version
        ],
    )
    def test_one_from_elsewhere_has_a_sign_and_the_word_for_assistive_technology(
        self, name: str, word: str, sign: str
    ) -> None:
        mark = name.removeprefix("Oracle")
        assert agent_name(name) == (
            f'Oracle<span class="sr">{mark}</span><span class="elsewhere" aria-hidden="true" '
            f'title="{word}: this site did not execute its runs">{sign}</span>'
        )


class TestRates:
    def test_a_rate_is_drawn_and_written_with_its_interval(self) -> None:
        # The line is from 6 % to 94 % of its place, however wide that is: a quarter is at 28 %, half at 50 %.
        assert plain(rate(HALF, "good")) == (
            '<div class="rate"><svg class="ci" aria-hidden="true">'
            '<line class="track" x1="6%" x2="94%" y1="9" y2="9"/>'
            '<line class="whisker" x1="28.0%" x2="72.0%" y1="9" y2="9"/>'
            '<circle class="dot good" cx="50.0%" cy="9" r="4"/></svg><span><b>50.0 %</b>'
            '<small><span class="sr">95 % interval </span>25 % to 75 %</small></span></div>'
        )

    def test_the_others_are_a_tick(self) -> None:
        assert '<line class="others" x1="94.0%" x2="94.0%" y1="1" y2="17"/>' in rate(HALF, others=1.0)
        assert "others" not in rate(HALF)

    def test_without_a_value_the_reason_is_shown(self) -> None:
        assert rate(None) == '<span class="faint">n too small</span>'
        assert rate(None, reason="<none>") == '<span class="faint">&lt;none&gt;</span>'

    def test_an_estimate_is_a_rate_if_it_has_an_interval(self) -> None:
        assert figure_rate(Estimate(0.5, 4, interval=HALF.interval), "good") == rate(HALF, "good")
        assert figure_rate(Estimate(0.5, 1)) == '<span class="faint">n too small</span>'
        assert figure_rate(Estimate.unknown("no task")) == '<span class="faint">no task</span>'


@pytest.mark.parametrize(
    ("fields", "tone", "label"),
    [
        ({"state": "finished", "outcome": "resolved"}, " good", "✓ resolved"),
        ({"state": "finished", "outcome": "infrastructure_failed"}, " infra", "not counted: infrastructure"),
        # At least 80 % of the tests came close.
        ({"outcome": "unresolved", "tests_total": 5, "tests_passed": 4}, " near", "4 of 5 tests"),
        ({"outcome": "unresolved", "tests_total": 5, "tests_passed": 3}, " bad", "3 of 5 tests"),
        ({"outcome": "unresolved"}, " bad", "unresolved"),
        ({"state": "queued"}, "", "queued"),
        ({"state": "cancelled"}, " infra", "cancelled"),
        ({"state": "running"}, " live", "● running"),
    ],
)
def test_the_outcome_of_a_run_is_a_chip(fields: dict[str, Any], tone: str, label: str) -> None:
    assert outcome(Run(**fields)) == f'<span class="chip{tone}">{label}</span>'


def test_json_ends_no_script_and_reads_back() -> None:
    data = {"name": EVIL, "values": [1, None, "-->"]}
    page = json_script(data)
    begin, end = '<script type="application/json">', "</script>"
    inner = page.removeprefix(begin).removesuffix(end)
    assert page == f"{begin}{inner}{end}"
    assert not set("<>&") & set(inner)
    assert json.loads(inner) == data


@pytest.mark.django_db
class TestRunRows:
    def test_a_row_leads_to_replay_agent_and_task(self) -> None:
        cast = Cast()
        run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], 2, passed=3, steps=9)
        assert plain(run_rows([run])) == (
            f'<tr><td class="c-run"><a href="/runs/{run.pk}/" aria-label="Replay run {run.pk}">#{run.pk}</a></td>'
            '<th scope="row"><a class="plain" href="/agents/alice/">Alice</a></th>'
            '<td class="wide c-task"><a class="plain" href="/tasks/harbour/tide-1/">Tide 1</a>'
            ' <span class="faint">Harbour master</span></td><td class="num c-attempt">2</td>'
            '<td class="c-outcome"><span class="chip bad">3 of 5 tests</span></td>'
            '<td class="muted c-ending">completed</td><td class="num c-steps">9</td>'
            '<td class="num c-tokens">1,000</td><td class="num c-time">1:00</td>'
            '<td class="num c-cost">$0.25</td></tr>\n'
        )

    def test_the_kinds_of_steps_are_a_strip_below_their_number(self) -> None:
        cast = Cast()
        run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], steps=4)
        run.step_kinds = "rrex<"  # type: ignore[attr-defined]  # lists of runs annotate it
        page = run_rows([run])
        said = "Steps in order: 2 reading, 1 editing, 1 running commands"
        assert (
            '<td class="num c-steps">4<svg class="kinds" viewBox="0 0 16 1" preserveAspectRatio="none" role="img" '
            f'aria-label="{said}"><title>{said}</title><path class="read" d="M0 0h2v1h-2z"/>'
            '<path class="edit" d="M2 0h1v1h-1z"/><path class="run" d="M3 0h1v1h-1z"/></svg></td>'
        ) in page
        assert step_strip("") == ""

    def test_only_a_run_with_a_trajectory_says_that_it_can_be_replayed(self) -> None:
        cast = Cast()
        run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], directory="")
        assert f'aria-label="Run {run.pk}">#{run.pk}</a>' in run_rows([run])

    def test_what_is_not_known_yet_is_a_dash_not_zero(self) -> None:
        cast = Cast()
        (task,) = cast.add_tasks(1)
        queued: dict[str, Any] = {"state": Run.State.QUEUED, "outcome": "", "ending": "", "steps": 0}
        nothing = '<span class="muted">–</span>'
        waiting = cast.add_run(cast.alice(), task, **queued)
        done = cast.add_run(cast.oracle(), task, steps=None)

        first, second = run_rows([waiting, done]).splitlines()

        assert f'<td class="muted c-ending">{nothing}</td><td class="num c-steps">0</td>' in first
        assert f'<td class="num c-time">{nothing}</td>' in first
        # An agent without a model has no tokens and no cost, also at the end.
        assert ' <span class="chip">calibration</span></th>' in second
        assert f'<td class="num c-steps">{nothing}</td><td class="num c-tokens">{nothing}</td>' in second
        assert '<td class="num c-time">1:00</td>' in second

    def test_a_column_without_a_value_is_left_out(self) -> None:
        cast = Cast()
        (task,) = cast.add_tasks(1)
        run = cast.add_run(cast.oracle(), task, steps=None)

        assert known_columns([run]) == ["ending", "time"]
        again = cast.add_run(run.agent, task, 2, steps=None, tries=2)
        assert known_columns([run, again]) == ["attempt", "ending", "time", "tries"]
        assert known_columns([]) == []
        assert [name in run_rows([run]) for name in ("c-time", "c-steps", "c-cost")] == [True, False, False]

    def test_attempts_are_shown_where_one_is_not_the_first(self) -> None:
        cast = Cast()
        first, second = cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [4, 0])

        assert "c-attempt" not in run_rows([first])
        rows = run_rows([first, second])
        assert re.findall(r'<td class="num c-attempt">(\d)</td>', rows) == ["1", "2"]

    def test_all_tests_are_stripes_where_there_is_a_report(self) -> None:
        cast = Cast()
        first, second = cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [4, 0])
        stripes = (Stripe(True, "0.00", "80.00"), Stripe(False, "80.00", "20.00"))
        page = run_rows([first, second], {first.pk: Stripes(stripes, "4 of 5 tests passed")})
        assert page.count("<tr>") == 2
        assert page.count("<svg") == 1
        assert (
            'aria-label="4 of 5 tests passed"><rect class="passed" x="0.00" y="0" width="80.00" height="14"/>'
            '<rect class="failed" x="80.00" y="9" width="20.00" height="5"/></svg></td>'
        ) in page
        assert "<svg" not in run_rows([first, second])

    def test_names_stay_text(self) -> None:
        cast = Cast()
        alice, (task,) = cast.alice(), cast.add_tasks(1)
        alice.name = task.title = task.repository.title = EVIL
        page = run_rows([cast.add_run(alice, task)])
        assert page.count(escape(EVIL)) == 3
        assert "<script" not in page

    def test_no_run_gives_no_row(self) -> None:
        assert run_rows([]) == ""


@pytest.mark.django_db
def test_attempts_are_tiles_coloured_by_their_tests() -> None:
    cast = Cast()
    runs = cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [4, 0])
    lost = cast.add_run(runs[0].agent, runs[0].task, 3, passed=0, tests_total=0)
    page = attempt_tiles([*runs, lost], runs[0].pk)
    assert page == (
        f'<li><a class="h4 best" href="/runs/{runs[0].pk}/" title="Attempt 1: 4 of 5 tests, the best">'
        '<span class="sr">Attempt 1, the best: </span>80</a></li>'
        f'<li><a class="h0" href="/runs/{runs[1].pk}/" title="Attempt 2: 0 of 5 tests">'
        '<span class="sr">Attempt 2: </span>0</a></li>'
        f'<li><a class="h-none" href="/runs/{lost.pk}/" title="Attempt 3: 0 of 0 tests">'
        '<span class="sr">Attempt 3: </span>–</a></li>'
    )
