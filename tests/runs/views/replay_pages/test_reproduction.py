"""How a run can be executed again."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from typing import Any

import pytest

from harness.cli import _parser
from runs.data.queries.visibility import ANONYMOUS
from runs.models import ResultReport, Run
from runs.views.replay_pages.reproduction import Reproduction, reproduction_of
from tests.runs.cast import Cast, identity_of, recorder_of
from tests.runs.tiny import summary_of

pytestmark = pytest.mark.django_db

LIMITS = {"iterations": 40, "tokens": None, "cost_usd": 2.5, "wall_seconds": None, "grade_repeats": 1}


@pytest.fixture
def run(cast: Cast) -> Run:
    return cast.add_run(cast.alice(), cast.add_tasks(1)[0], 3, passed=4)


def summarise(run: Run, *, environment: Any = None, **identity: Any) -> None:
    recorder_of(run).close()
    who = replace(identity_of(run), **identity)
    stored = summary_of(run, identity=who, environment=environment or {"limits": LIMITS}).to_json()
    (run.path / "run_summary.json").write_text(json.dumps(stored))


def parsed(found: Reproduction) -> Any:
    """The options that the harness reads from the command, as a shell gives them."""
    words = shlex.split(found.command.replace("\\\n", ""))
    assert words[:3] == ["python", "-m", "harness"]
    return _parser().parse_args(words[3:])


def test_the_command_has_agent_task_model_limits_and_settings_of_the_record(run: Run) -> None:
    summarise(run, model="ada/engine", settings={"seed": 7, "note": "it's $HOME"})
    found = reproduction_of(run, ANONYMOUS)
    options = parsed(found)

    assert (options.repository, options.task, options.attempt) == ("harbour", "tide-1", 3)
    assert (options.agent, options.model) == ("ide", "ada/engine")
    assert options.settings == {"seed": 7, "note": "it's $HOME"}
    assert (options.iterations, options.budget, options.wall_seconds) == (40, 2.5, None)
    assert (options.price_in, options.price_out) == (3.0, 15.0)
    assert "/nowhere" not in found.command
    assert "It had no limit of time; the command has the usual one (100 iterations, an hour)." in found.notes
    assert "A model may answer differently each time." in found.notes


@pytest.mark.parametrize(
    "evil", ["$(rm -rf ~)", "x; reboot", "a\nb", "`id`", "'", "--output /etc", "\x1b[2J"]
)
def test_a_record_cannot_put_commands_into_the_shell_of_a_reader(run: Run, evil: str) -> None:
    summarise(run, model=evil, settings={evil: evil}, repository=evil)
    words = shlex.split(reproduction_of(run, ANONYMOUS).command.replace("\\\n", ""))

    assert words[:4] == ["python", "-m", "harness", "run"]
    assert words[4] == "path/to/ports"
    assert words[words.index("--model") + 1] == evil.replace("\x1b[2J", "")
    assert words[-2:] == ["--output", "reproduced"]


def test_a_changed_task_and_unknown_limits_are_said(run: Run) -> None:
    summarise(run, task_digest="e" * 64, environment={"limits": "none"})
    assert {
        "The files of the task have changed since.",
        "Its limits are not in its record: the command has the usual ones.",
    } <= set(reproduction_of(run, ANONYMOUS).notes)


@pytest.mark.parametrize("content", ["", "[]", "{", '{"schema_version": 1}'])
def test_a_run_without_a_whole_record_has_no_command(run: Run, content: str) -> None:
    summarise(run)
    (run.path / "run_summary.json").write_text(content)
    assert reproduction_of(run, ANONYMOUS) == Reproduction()


def test_a_reported_run_has_the_address_and_version_of_its_source_if_known(cast: Cast) -> None:
    run = cast.add_run(cast.add_agent("Far", "reported"), cast.add_tasks(1)[0], directory="")
    assert reproduction_of(run, ANONYMOUS) == Reproduction()

    ResultReport.objects.create(
        evaluation=run.evaluation,
        dataset=cast.dataset,
        version="3015ac6",
        url="https://example.org/r",
        digest="d",
    )
    assert reproduction_of(run, ANONYMOUS) == Reproduction(
        source_url="https://example.org/r", source_version="3015ac6"
    )
