"""Files of reported results in every form: what is read, and what is refused."""

from __future__ import annotations

import copy
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from runs.intake.reported.forms import harbor_jobs
from runs.intake.reported.reading import UNKNOWN_TRAJECTORY, read_results, read_trajectories
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers.derived_edits import derived_edits
from runs.intake.reported.trajectory import Trajectory
from runs.models import Agent, Claim, Evaluation, ResultReport, Run
from tasks.models import Dataset, Task
from tests.runs.intake.reported.hostile_tables import GOOD, WRONG
from tests.runs.intake.reported.step_readers.openhands.event_files import row, sdk, state, version_0
from tests.runs.intake.reported.step_readers.session_logs.session_files import (
    claude_code_session,
    codex_counts_first,
    codex_counts_last,
    codex_exec,
    lines_file,
    stream_json,
)
from tests.runs.intake.reported.step_readers.tool_files import mini_swe_agent_2, written

DATA = Path(__file__).parents[3] / "data/reported"
GIVEN = {"slug": "sums", "title": "Sums", "reported_by": "Ada", "version": "1"}


@pytest.mark.parametrize("what", WRONG)
def test_a_hostile_table_is_refused_with_the_place(what: str, tmp_path: Path) -> None:
    table = WRONG[what]
    path = tmp_path / table.name
    table.write(path)
    with pytest.raises(ResultsRefused) as refused:
        read_results(path, GIVEN)
    message = str(refused.value)
    assert table.message in message
    assert path.name in message
    assert len(message) < 1_000
    assert message.replace("\n", "").isprintable()


@pytest.mark.parametrize(
    "what",
    ["a bomb in xz", "a file of xz that needs much memory", "a Parquet file that points at large values"],
)
def test_memory_does_not_grow_with_a_bomb(what: str, tmp_path: Path) -> None:
    """A process that may use 2 GB reads files that unpack to more, and itself needs at most 200 MB."""
    path = tmp_path / WRONG[what].name
    WRONG[what].write(path)
    code = (
        "import resource, sys; from pathlib import Path\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))\n"
        "from runs.intake.reported.reading import read_results\n"
        "from runs.intake.reported.reported_result import ResultsRefused\n"
        "try: read_results(Path(sys.argv[1]), {})\n"
        "except ResultsRefused: print(Path('/proc/self/status').read_text())"
    )
    # The limit is set inside: this process may have more memory than that, and a copy of it could not even start.
    command = [sys.executable, "-c", code, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    peak = int(done.stdout.partition("VmHWM:")[2].split()[0])
    assert peak < 200_000  # KB


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The place of each value in a JSON value."""
    yield at
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield from places(part, (*at, key))


def replaced(value: Any, at: tuple[Any, ...], new: Any) -> Any:
    if not at:
        return new
    value = copy.copy(value)
    value[at[0]] = replaced(value[at[0]], at[1:], new)
    return value


BOARD = {
    "leaderboards": [
        {
            "name": "a",
            "results": [
                {
                    "name": "Ada",
                    "date": "2026-01-31",
                    "resolved": 50.0,
                    "tags": ["Model: m-1"],
                    "instance_cost": 0.5,
                    "per_instance_details": {"sum": {"resolved": True, "cost": 0.5, "api_calls": 3}},
                }
            ],
        }
    ]
}
HAL = {
    "config": {
        "agent_name": "Ada",
        "benchmark_name": "sums",
        "date": "2026-01-31",
        "agent_args": {"model_name": "m"},
    },
    "results": {
        "accuracy": 0.5,
        "successful_tasks": ["sum"],
        "failed_tasks": ["max"],
        "latencies": {"sum": {"total_time": 1.5, "first_call_timestamp": "2026-01-31"}},
    },
}


WRONG_VALUES: tuple[Any, ...] = (None, -1.5, "a\u202e\ud800", [[]], {"a": {}})


def refusal_of(path: Path, given: dict[str, str]) -> str:
    """Why a file is refused; '' if it is read."""
    try:
        read_results(path, given)
    except ResultsRefused as refused:
        return str(refused)
    return ""


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("board.json", BOARD),
        ("hal.json", HAL),
        *((path, None) for path in ("inspect/sums.json", "swe-bench/org__model-1.5.nightly.json")),
        ("swe-bench/nightly/org__model-1.5/astropy__astropy-2/report.json", None),
        ("terminal-bench/2025-07-11__10-00-00/results.json", None),
        ("terminal-bench/2025-07-11__10-00-00/run_metadata.json", None),
        ("harbor/2026-01-31__10-00-00/two-steps__EEEE555/result.json", None),
    ],
)
def test_no_value_at_any_place_of_a_report_is_an_error_of_the_program(
    name: str, content: Any, tmp_path: Path
) -> None:
    """Each value is replaced by others in turn: the file is read, or refused in one line."""
    path = tmp_path / Path(name).name
    if content is None:
        shutil.copytree((DATA / name).parent, tmp_path, dirs_exist_ok=True)
        content = json.loads(path.read_text())
    subject = path.with_name("results.json") if path.name == "run_metadata.json" else path
    for at in places(content):
        for new in WRONG_VALUES:
            path.write_text(json.dumps(replaced(content, at, new)))
            message = refusal_of(subject, {**GIVEN, **({"board": "a"} if name == "board.json" else {})})
            assert len(message) < 1_000
            assert message.isprintable()


def test_a_file_of_no_form_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"a": 1}')
    (tmp_path / "a.txt").write_text("a")
    for path in (tmp_path, tmp_path / "a.json"):
        with pytest.raises(
            ResultsRefused, match=r"its form is unknown: a directory with source\.toml, a table, or"
        ):
            read_results(path, GIVEN)
    with pytest.raises(ResultsRefused, match=r"a\.txt: it is not JSON"):
        read_results(tmp_path / "a.txt", GIVEN)


@pytest.mark.django_db
def test_the_command_imports_files_of_other_tools(capsys: pytest.CaptureFixture[str]) -> None:
    paths = [DATA / name for name in ("inspect/sums.eval", "terminal-bench", "harbor", "swe-bench/nightly")]
    call_command("import_results", *paths, "--reported-by=Ada")
    assert [line.partition(": ")[2].split(" of ")[0] for line in capsys.readouterr().out.splitlines()] == [
        "6 new results",
        "6 new results",
        "5 new results",
        "2 new results",
    ]
    assert Run.objects.filter(outcome="infrastructure_failed").count() == 3
    assert Run.objects.filter(cost_usd=None).count() == 11
    assert Claim.objects.count() == 4


@pytest.mark.django_db
def test_nothing_of_a_file_with_one_invalid_row_is_stored(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    rows = "".join(f"ada,task-{number},1\n" for number in range(6_000))
    path.write_text(GOOD + rows + "ada,last,maybe\n")
    options = [f"--{name.replace('_', '-')}={value}" for name, value in GIVEN.items() if name != "version"]
    with pytest.raises(
        CommandError, match=r"nothing of .*results\.csv was imported: .*row 6003, column 'outcome'"
    ):
        call_command("import_results", path, *options, "--source-version=1")
    stored = (Agent, Claim, Dataset, Evaluation, ResultReport, Run, Task)
    assert {model.__name__: model._default_manager.count() for model in stored} == {
        model.__name__: 0 for model in stored
    }


def test_a_table_alone_needs_its_source_from_options(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text(GOOD)
    found = read_results(path, GIVEN)
    assert [result.name for result in found.results] == [("ada", "sum", 1)]
    assert (found.source.slug, found.source.title) == ("sums", "Sums")
    for name, option in (
        ("slug", "--slug"),
        ("reported_by", "--reported-by"),
        ("version", "--source-version"),
    ):
        given = {key: value for key, value in GIVEN.items() if key != name}
        with pytest.raises(ResultsRefused, match=f"{name} is missing: give {option}"):
            read_results(path, given)


def test_a_refusal_of_trajectories_names_the_page_about_them(tmp_path: Path) -> None:
    lines_file(tmp_path / "a.jsonl", [{"type": "session", "id": "1"}, {"type": "message"}])
    (tmp_path / "b.json").write_text('{"a": 1}')
    for path in (tmp_path, tmp_path / "a.jsonl", tmp_path / "b.json"):
        with pytest.raises(ResultsRefused) as refused:
            read_trajectories(path, {})
        assert str(refused.value) == f"{path}: {UNKNOWN_TRAJECTORY}"
    with pytest.raises(ResultsRefused, match=r"its form is unknown: .* docs/reported-results\.md$"):
        read_results(tmp_path / "a.jsonl", {})
    (tmp_path / "c.csv").write_text(GOOD)
    with pytest.raises(ResultsRefused, match=r"c\.csv: it has results but no trajectory"):
        read_trajectories(tmp_path / "c.csv", {})


def test_options_replace_what_a_description_says(tmp_path: Path) -> None:
    (tmp_path / "source.toml").write_text('slug = "a"\ntitle = "A"\nreported_by = "B"\nversion = "1"\n')
    (tmp_path / "results.csv").write_text(GOOD)
    assert read_results(tmp_path, {}).source.title == "A"
    assert read_results(tmp_path, {"title": "Sums"}).source.title == "Sums"


def test_a_directory_with_files_of_several_tools_is_one_import(tmp_path: Path) -> None:
    lines_file(tmp_path / "claude/a.jsonl", claude_code_session())
    lines_file(tmp_path / "claude/copy.jsonl", claude_code_session())
    lines_file(tmp_path / "codex/rollout.jsonl", codex_counts_last())
    lines_file(tmp_path / "codex/empty.jsonl", codex_counts_last()[:1])
    written(tmp_path / "mini/lab__calc-1.traj.json", mini_swe_agent_2())
    (tmp_path / "notes.json").write_text("{}")
    found = read_trajectories(tmp_path, {})
    assert (found.source.slug, found.source.title, found.left_out) == ("trajectories", "Trajectories", 1)
    assert [one.agent for one in found.results] == [
        "Claude Code with claude-sonnet-4-5",
        "Codex with gpt-5-codex",
        found.results[2].agent,
    ]
    assert found.results[2].agent.startswith("mini-swe-agent")
    assert {one.name for one in found.agents} == {one.agent for one in found.results}
    named = read_trajectories(tmp_path, {"slug": "mine", "title": "Mine", "reported_by": "Ada"})
    assert (named.source.slug, named.source.title, named.source.reported_by) == ("mine", "Mine", "Ada")
    # Results that are no trajectories are of one form: the first one.
    assert [one.agent[:6] for one in read_results(tmp_path, GIVEN).results] == ["Claude"]


def test_attempts_of_several_forms_are_numbered_together(tmp_path: Path) -> None:
    lines_file(tmp_path / "output.jsonl", [row()])
    written(tmp_path / "lab__calc-1.json", version_0())
    lines_file(tmp_path / "again.jsonl", [row(), row(error="x")])
    found = read_trajectories(tmp_path, {})
    assert [(one.task, one.attempt) for one in found.results] == [("lab__calc-1", n) for n in (1, 2, 3)]


def test_what_a_trial_itself_reads_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A form may own its directory: files of other tools there are about the same attempts."""
    shutil.copytree(DATA / "harbor/2026-01-31__10-00-00", tmp_path / "job")
    trial = next((tmp_path / "job").glob("*/result.json")).parent
    lines_file(trial / "agent/sessions/a.jsonl", claude_code_session())
    lines_file(tmp_path / "other/b.jsonl", codex_counts_last())
    assert [one.agent[:6] for one in read_trajectories(tmp_path, {}).results] == ["Claude", "Codex "]

    plain = harbor_jobs.read

    def with_trajectory(documents: Any, given: Any) -> Any:
        found = plain(documents, given)
        made = Trajectory("Harbor", "", "d", "job/x", {}, lambda: iter(()))
        return replace(found, results=[found.results[0]._replace(trajectory=made), *found.results[1:]])

    monkeypatch.setattr(harbor_jobs, "read", with_trajectory)
    forms = [one.trajectory.form for one in read_trajectories(tmp_path, {}).results if one.trajectory]
    assert sorted(forms) == ["Codex", "Harbor"]


ODD: tuple[Any, ...] = ([[]], None, {"a": {}}, -1.5, "a\u202e\ud800", True, [{"type": "text"}], 10**400)
FILES = {
    "claude.jsonl": claude_code_session,
    "printed.jsonl": stream_json,
    "first.jsonl": codex_counts_first,
    "last.jsonl": codex_counts_last,
    "exec.jsonl": codex_exec,
    "output.jsonl": lambda: [row(history=version_0()[2:9])],
    "old.json": version_0,
    "sdk.json": sdk,
    "base_state.json": state,
}


def read_all(path: Path) -> str:
    """Why a file is refused; '' if everything in it is read and can be written."""
    try:
        for result in read_trajectories(path, {}).results:
            assert result.trajectory is not None
            for step, edits in result.trajectory.steps():
                found = derived_edits(step, result.trajectory.workdir) if edits is None else edits
                json.dumps([step.to_atif(), [asdict(edit) for edit in found]])
    except ResultsRefused as refused:
        return str(refused)
    return ""


@pytest.mark.parametrize("name", FILES)
def test_no_value_at_any_place_is_an_error_of_the_program(name: str, tmp_path: Path) -> None:
    content = FILES[name]()
    path = tmp_path / name
    if name == "base_state.json":
        (tmp_path / "events").mkdir()
        for number, event in enumerate(sdk()[:4]):
            (tmp_path / f"events/event-{number:05}-a.json").write_text(json.dumps(event))
    for at, new in zip(places(content), cycle(ODD), strict=False):
        odd = replaced(content, at, new)
        if name.endswith(".jsonl"):
            lines = odd if isinstance(odd, list) else [odd]
            path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        else:
            path.write_text(json.dumps(odd))
        message = read_all(tmp_path if name == "base_state.json" else path)
        assert len(message) < 1_000, at
        assert message.isprintable(), at
