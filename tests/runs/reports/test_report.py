"""`manage.py report`: what it tells of a small world, what it refuses, and that it never loses a file."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from runs.analysis.everything import Options
from runs.analysis.everything import difficulty as by_difficulty
from runs.models import Evaluation, Run
from runs.reports.gather import gather
from runs.reports.pen import Pen
from runs.reports.sections.difficulty_section import difficulty
from runs.reports.writing import files_of
from tasks.models import Dataset
from tests.runs.cast import Cast
from tests.runs.reports.world import DAY, add, section, tides

pytestmark = pytest.mark.django_db

SITE = "http://site"
EVIL = "<script>alert(1)</script>|`x`\n# [a](javascript:alert(1)) $\\frac{"


def report(out: Path, *names: str, **options: object) -> str:
    """Its Markdown."""
    call_command("report", *names, out=out, site=SITE, stdout=StringIO(), **options)
    return (out / "report.md").read_text()


def test_it_says_what_was_evaluated(tmp_path: Path) -> None:
    cast = tides()
    written = report(tmp_path / "r", "spring-tide")
    assert (
        section(written, "## What was evaluated")
        == f"""\
4 agents at 2 tasks: 15 finished runs over 8 pairs of agent and task.

- Evaluation [Spring tide](http://site/evaluations/{cast.evaluation.pk}/) (`spring-tide`), finished: \
2 attempts planned at each task, 16 runs in all; no budget; limits of a run: Iterations 30, Wall time (s) none; \
started 2026-01-02 03:04 UTC.
- Dataset Ports (`ports`), loaded now in version 1.0.
- Dataset in the runs' own records: not recorded (15 runs). Harness: not recorded (15 runs).
- Limits in the runs' own records: not recorded (15 runs).
- First run started 2026-01-02 03:04 UTC, last one finished 2026-01-02 03:04 UTC.
- Analysis `X`, data `X`, seed 0, k = 2.

| agent | name | kind | model | price | settings |
| --- | --- | --- | --- | --- | --- |
| alice | Alice | ide | ada/Analytical | known | ide-bench |
| bob | Bob | ide | ada/Babbage | unknown | ide-bench |
| idler † | Idler | null | none | — | none |
| oracle † | Oracle | oracle | none | — | none |

† calibration agents: they know the reference patch, or do nothing on purpose. They show what the benchmark can tell \
apart; nobody may take them for models."""
    )


def test_it_says_what_is_bad_before_any_number(tmp_path: Path) -> None:
    tides()
    written = report(tmp_path / "r", "spring-tide")
    assert written.index("## What is known to be bad") < written.index("## Leaderboard")
    told = section(written, "## What is known to be bad")
    lost = Run.objects.get(outcome="infrastructure_failed").pk
    cancelled = Run.objects.get(state="cancelled").pk
    for line in (
        f"- 1 run cancelled: [{cancelled}](http://site/runs/{cancelled}/).",
        "- The infrastructure failed 1 run of 15. They count for and against nobody. By what failed: image build: "
        f"[{lost}](http://site/runs/{lost}/).",
        "- 1 pair of agent and task with fewer graded attempts than planned, or than others made: "
        "bob at [harbour/tide-2](http://site/tasks/harbour/tide-2/) (0 of 2).",
        "- bob: what 2 of its 2 runs cost is unknown, so its dollars are left out, and are not 0.",
        "- 15 runs without a record of the harness that made them: their directories are not here.",
        "- 2 of 4 agents calibrate: idler †, oracle †. Their rates are set by construction.",
    ):
        assert line in told
    assert f"| the infrastructure failed | 1 | [{lost}](http://site/runs/{lost}/) |" in told


def test_the_leaderboard_has_intervals_n_and_ties(tmp_path: Path) -> None:
    tides()
    told = section(report(tmp_path / "r", "spring-tide"), "## Leaderboard")
    # Alice: (1/2 + 0/2) ÷ 2 tasks = 25 %; her tests ((20 + 11) ÷ 40 + 38 ÷ 40) ÷ 2 = 86.25 %.
    alice = next(line for line in told.splitlines() if "| alice |" in line).split(" | ")
    assert alice[:3] == ["| 1–4", "1–4", "alice"]
    assert re.fullmatch(r"25\.0 % \(\d+\.\d to \d+\.\d; n 2\)", alice[3])
    assert re.fullmatch(r"86\.2 % \(\d+\.\d to \d+\.\d; n 2\)", alice[5])
    assert [alice[4], *alice[6:]] == ["the same", "2", "1 ÷ 4 |"]
    bob = next(line for line in told.splitlines() if "| bob |" in line).split(" | ")
    assert bob[6:] == ["1", "0 ÷ 2 |"]
    assert "0 of 6 pairs" in told


def test_a_near_miss_names_the_test_that_stands_between(tmp_path: Path) -> None:
    tides()
    told = section(report(tmp_path / "r", "spring-tide"), "### Near misses")
    assert told.endswith(
        "1 of 7 pairs of agent and task.\n\n"
        "| agent | task | tests passed, mean | best | tests between (failed in) |\n| --- | --- | --- | --- | --- |\n"
        "| alice | [harbour/tide-2](http://site/tasks/harbour/tide-2/) | 95.0 % (n 2) | 95.0 % | test\\_7 (2 of 2) |"
    )


def test_a_near_miss_whose_directory_is_elsewhere_says_so(tmp_path: Path) -> None:
    tides()
    Run.objects.update(directory="elsewhere")
    assert "2 of 2 attempts not known" in section(report(tmp_path / "r", "spring-tide"), "### Near misses")


def test_the_same_data_give_the_same_bytes(tmp_path: Path) -> None:
    evaluation = tides().evaluation
    first, second = (files_of(gather([evaluation]), site=SITE) for _ in range(2))
    assert first == second
    assert {"report.md", "report.json", "plots/leaderboard.svg", "plots/heatmap.svg"} <= set(first)


def test_the_json_holds_the_whole_and_says_what_it_is(tmp_path: Path) -> None:
    tides()
    report(tmp_path / "r", "spring-tide", k=1, seed=5)
    found = json.loads((tmp_path / "r" / "report.json").read_text())
    assert (found["format"], found["schema"]) == ("benchbench report", 1)
    assert found["options"] == {"k": 1, "seed": 5, "floor": "idler", "ceiling": "oracle"}
    assert found["results"]["outcomes"]["outcomes"]["k"] == 1
    assert found["head"]["evaluations"][0]["created_at"] == DAY.isoformat()
    assert found["left_out"][0]["results"]
    documented = (Path(__file__).parents[3] / "docs" / "operations.md").read_text()
    assert [key for key in found if f"`{key}`" not in documented] == []


def test_every_plot_is_a_picture_without_scripts_and_links(tmp_path: Path) -> None:
    tides()
    report(tmp_path / "r", "spring-tide")
    for path in (tmp_path / "r" / "plots").iterdir():
        root = ElementTree.fromstring(path.read_text())
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert not [each for each in root.iter() if each.tag.endswith("}script")]
        links = [value for each in root.iter() for name, value in each.items() if name.endswith("href")]
        assert [link for link in links if not link.startswith(("#", "data:image/png;base64,"))] == []


def test_short_names_in_code_are_not_escaped(tmp_path: Path) -> None:
    tides()
    Dataset.objects.update(slug="my_ports")
    assert "- Dataset Ports (`my_ports`), loaded now" in report(tmp_path / "r", "spring-tide")


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    cast = tides()
    alice = Run.objects.filter(agent__slug="alice")[0].agent
    type(alice).objects.filter(pk=alice.pk).update(name=EVIL)
    Evaluation.objects.update(title=EVIL)
    run = add(cast, cast.add_agent("<b>|$x$", "ide"), cast.add_tasks(1, start=9)[0], 1, 3)
    assert run.agent.slug == "<b>|$x$"
    written = report(tmp_path / "r", "spring-tide")
    assert "<script" not in written
    assert "<b>" not in written
    assert not re.search(r"(?<!\\)\]\(javascript", written)
    assert all("<script" not in path.read_text() for path in (tmp_path / "r" / "plots").iterdir())
    for table in re.findall(r"(?:^\|.*\n)+", written, re.MULTILINE):
        columns = {len(re.split(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert len(columns) == 1, table


def test_plots_can_stand_in_the_report_itself(tmp_path: Path) -> None:
    tides()
    written = report(tmp_path / "r", "spring-tide", embed=True)
    assert "](data:image/svg+xml;base64," in written
    assert {path.name for path in (tmp_path / "r").iterdir()} == {"report.md", "report.json"}


def test_several_evaluations_make_one_report(tmp_path: Path) -> None:
    cast = tides()
    neap = cast.add_evaluation("neap-tide", "Neap tide")
    hidden = cast.add_evaluation("hidden", "Hidden", listed=False)
    task = cast.add_tasks(1, start=7)[0]
    for evaluation in (neap, hidden):
        cast.add_run(Run.objects.filter(agent__slug="alice")[0].agent, task, evaluation=evaluation)
    assert "15 finished runs" in report(tmp_path / "one", str(cast.evaluation.pk))
    both = report(tmp_path / "both", "spring-tide", str(neap.pk))
    assert "# Spring tide, Neap tide" in both
    assert "16 finished runs" in both
    assert section(report(tmp_path / "listed", all_listed=True), "## Leaderboard") == section(
        both, "## Leaderboard"
    )


def test_an_evaluation_without_a_finished_run_is_told_without_numbers(tmp_path: Path) -> None:
    Cast()
    written = report(tmp_path / "r", "spring-tide")
    assert section(written, "## Leaderboard").endswith("No agent made a run.")
    assert not (tmp_path / "r" / "plots").exists()


def test_infrastructure_failures_alone_are_no_failure_of_anybody(tmp_path: Path) -> None:
    cast = Cast()
    task = cast.add_tasks(1)[0]
    cast.add_run(
        cast.alice(), task, passed=0, outcome="infrastructure_failed", failure="engine", tests_total=0
    )
    written = report(tmp_path / "r", "spring-tide", prediction=True)
    assert "The infrastructure failed 1 run of 1." in written
    row = next(line for line in section(written, "## Leaderboard").splitlines() if "| alice |" in line)
    assert row == "| — | — | alice | — (a) | — (a) | — (b) | 0 | 0 ÷ 0 |"
    assert "cannot be told" in section(written, "## Prediction")


def test_an_unknown_evaluation_names_those_that_exist(tmp_path: Path) -> None:
    Cast()
    with pytest.raises(CommandError, match="there is no evaluation 'none'; there are: spring-tide"):
        report(tmp_path / "r", "none")
    with pytest.raises(CommandError, match="which evaluation"):
        report(tmp_path / "r")
    with pytest.raises(CommandError, match="--k 0: at least one attempt"):
        report(tmp_path / "r", "spring-tide", k=0)


def test_what_no_report_wrote_is_never_overwritten(tmp_path: Path) -> None:
    Cast()
    out = tmp_path / "thesis"
    out.mkdir()
    (out / "report.md").write_text("mine")
    with pytest.raises(CommandError, match=r"which no report wrote"):
        report(out, "spring-tide")
    assert (out / "report.md").read_text() == "mine"
    file = tmp_path / "file"
    file.write_text("mine")
    with pytest.raises(CommandError, match="is no directory"):
        report(file, "spring-tide")
    report(tmp_path / "r", "spring-tide")
    (tmp_path / "r" / "notes.txt").write_text("mine")
    with pytest.raises(CommandError, match=r"holds notes\.txt"):
        report(tmp_path / "r", "spring-tide")


def test_an_older_report_is_replaced_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    cast = tides()
    report(tmp_path / "r", "spring-tide", embed=True)
    Evaluation.objects.filter(pk=cast.evaluation.pk).update(title="Renamed")
    assert "# Renamed" in report(tmp_path / "r", "spring-tide")
    assert [path.name for path in tmp_path.iterdir()] == ["r"]
    assert (tmp_path / "r" / "plots").is_dir()


def test_where_nothing_can_be_written_the_reason_is_told(tmp_path: Path) -> None:
    Cast()
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match="cannot be written"):
        report(tmp_path / "file" / "r", "spring-tide")


def test_pairs_that_are_told_apart_say_by_how_much_and_on_how_many_tasks(tmp_path: Path) -> None:
    cast = Cast(attempts=1)
    alice, bob, oracle = cast.alice(), cast.bob(), cast.oracle()
    for place, task in enumerate(cast.add_tasks(14)):
        for agent, ours in ((alice, place > 0), (bob, place < 2), (oracle, True)):
            add(cast, agent, task, 1, 20 if ours else 5)
    cast.settle()
    told = section(report(tmp_path / "r", "spring-tide"), "### Pairs told apart")

    # Alice 13, Bob 2 and the oracle 14 of 14. Alice is ahead at twelve, Bob at one: of 2¹³ patterns 2 (1 + 13) are as
    # far, p = 0.0034; the oracle is ahead at twelve and nobody elsewhere: 2 ÷ 2¹² = 0.0005. Times 2 and 3 by Holm.
    assert told.startswith("2 of 3 pairs, by a sign-flip test")
    close, far = told.splitlines()[-2:]
    assert re.fullmatch(
        r"\| alice \| bob \| 78\.6 % \([\d.]+ to [\d.]+; n 14\) \| 12, 1, 1 \| 0\.0034 .* 0\.0068 .*", close
    )
    assert re.fullmatch(
        r"\| oracle † \| bob \| 85\.7 % \([\d.]+ to [\d.]+; n 14\) \| 12, 0, 2 \| 0\.0005 .* 0\.0015 .*",
        far,
    )


def test_a_table_by_stack_has_agents_down_and_stacks_across(tmp_path: Path) -> None:
    cast = tides()
    other = cast.add_repository("quay", "Quay")
    type(other).objects.filter(pk=other.pk).update(stack="C | make")
    add(cast, Run.objects.filter(agent__slug="bob")[0].agent, cast.add_tasks(1, other)[0], 1, 20)
    told = section(report(tmp_path / "r", "spring-tide"), "### By stack").splitlines()
    assert told[2] == "| agent | C \\| make, 1 task | Python 3.11, 2 tasks |"
    rows = {line.split(" | ")[0]: line.split(" | ")[1:] for line in told[4:]}
    # One task: 1 ÷ (1 + 1.96²) = 0.207, and 1.96² ÷ (1 + 1.96²) = 0.793
    assert rows["| bob"] == ["100.0 % (20.7 to 100.0; n 1)", "0.0 % (0.0 to 79.3; n 1) |"]
    assert rows["| alice"][0] == "not tried"
    assert rows["| alice"][1].startswith("25.0 % (")


def test_portfolios_end_where_more_agents_cover_no_more(tmp_path: Path) -> None:
    tides()
    told = section(report(tmp_path / "r", "spring-tide"), "### Portfolios").splitlines()
    # The oracle solves both tasks.
    assert [line.split(" | ")[1] for line in told if line.startswith(("| 1", "| 2"))] == ["oracle †"]
    assert told[-1] == "More agents cover no more tasks."


def test_where_reference_patches_can_be_read_success_is_held_against_their_size(tmp_path: Path) -> None:
    cast = tides()
    assert "## Difficulty" not in report(tmp_path / "r", "spring-tide")  # this dataset is not on disk
    material = gather([cast.evaluation])
    first, second = sorted({run.task for run in material.facts})
    sizes = {first: {"lines changed": 3.0}, second: {"lines changed": 12.0}}
    results: dict[str, Any] = dict(by_difficulty(material.facts, Options(measures=sizes)))
    pen = Pen(replace(material, found=replace(material.found, **results)), SITE, {})

    written = pen.section(difficulty(pen))

    # tide-1: Alice resolved one of two, the oracle both, Bob and the idler none: 3 of 8, log odds ln 0.6 = −0.511.
    # tide-2: the oracle's two of 6: ln 0.5 = −0.693. The tasks lie two deviations apart: exp(−0.182 ÷ 2) = 0.91.
    assert "| lines changed | 7.5 ± 4.5 | 0.91 (n 14) | — (a) | 0.001 (n 14) | — (b) |" in written
    assert section(written, "### Success by lines changed") == (
        "| lines changed | runs | resolved |\n"
        "| --- | --- | --- |\n"
        "| 3 | 8 | 37.5 % (3.2 to 91.7; n 1) |\n"
        "| 12 | 6 | 33.3 % (2.5 to 90.6; n 1) |"
    )
