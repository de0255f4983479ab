"""What each command prints and with which code it ends, in a process of its own."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from harness.commands import INFRASTRUCTURE, complain, proved_once
from harness.dataset import load_dataset
from harness.records import Outcome, RunRecord
from tests.harness.arena import Arena
from tests.harness.published import write_published
from tests.harness.test_cli import harness, said
from tests.harness.worlds import add_workflow, tiny_dataset, write_repair_dataset, write_tiny_dataset


class TestValidate:
    def test_a_sound_dataset_is_counted(self, tmp_path: Path) -> None:
        done = harness("validate", tiny_dataset(tmp_path).directory)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == (
            "tiny 1.0.0: 1 repositories, 1 tasks, no problem\n"
            "without a proof of admission for the current files: calc/add-negatives\n"
        )

    def test_idebenchs_layout_is_read_and_what_is_not_read_is_said(self, tmp_path: Path) -> None:
        directory = write_published(tmp_path)
        done = harness("validate", directory)
        assert (done.returncode, done.stderr) == (0, "")
        first, *others = done.stdout.splitlines()
        assert re.fullmatch(r"till-service 0\+[0-9a-f]{12}: 1 repositories, 2 tasks, no problem", first)
        assert others == [
            f"{directory}/docker-compose.yaml: ignored, a run is one container made from the Dockerfile",
            "without a proof of admission for the current files: till-service/task-1, till-service/task-2",
        ]

    def test_every_problem_is_printed(self, tmp_path: Path) -> None:
        directory = tiny_dataset(tmp_path).directory
        (directory / "calc/Dockerfile").unlink()
        (directory / "dataset.toml").write_text("title = ")
        code, message = said(harness("validate", directory))
        assert code == 1
        assert "calc/Dockerfile: is missing" in message
        assert "dataset.toml: is not TOML" in message

    def test_a_directory_that_is_not_there_is_a_problem(self, tmp_path: Path) -> None:
        assert said(harness("validate", tmp_path / "nowhere"))[0] == 1


class TestRefusals:
    def test_without_an_engine_the_remedy_is_shown(self) -> None:
        code, message = said(harness("engine", DOCKER_HOST="unix:///nowhere/docker.sock"))
        assert code == 3
        assert "/nowhere/docker.sock" in message

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("--images",), "--images needs --needed-by DATASET or --older-than DAYS"),
            (("--dry-run",), "--needed-by, --older-than and --dry-run go with --images"),
        ],
    )
    def test_a_sweep_of_images_has_to_say_what_it_spares(
        self, arguments: Sequence[str], message: str
    ) -> None:
        assert said(harness("sweep", *arguments)) == (1, f"python -m harness: {message}\n")

    def test_an_unknown_task_is_named_with_those_there_are(self, tmp_path: Path) -> None:
        directory = tiny_dataset(tmp_path).directory
        done = harness("run", directory, "calc", "nope", "--agent", "null", "--output", tmp_path / "run")
        assert said(done) == (1, "python -m harness: no 'nope'; there are: add-negatives\n")

    def test_an_output_that_exists_is_not_overwritten(self, tmp_path: Path) -> None:
        directory = Arena.make(tmp_path).task.directory.parents[2]
        done = harness("run", directory, "calc", "add-negatives", "--agent", "null", "--output", tmp_path)
        code, message = said(done)
        assert code == 1
        assert str(tmp_path) in message


class TestFaults:
    def test_an_unknown_case_is_refused_with_the_page_that_lists_them(self, tmp_path: Path) -> None:
        code, message = said(harness("faults", "play", tmp_path, "--case", "nothing"))
        assert (code, message) == (
            1,
            "python -m harness: there is no planted fault nothing; see docs/fault-catalogue.md\n",
        )

    def test_an_archive_of_some_cases_is_refused(self, tmp_path: Path) -> None:
        arguments = ("--case", "never-verified", "--archive", tmp_path / "a.tar.xz")
        code, message = said(harness("faults", "play", tmp_path / "out", *arguments))
        assert (code, message) == (1, "python -m harness: an archive has all cases: leave out --case\n")

    def test_the_page_is_printed(self) -> None:
        assert harness("faults", "page").stdout.startswith("# The fault catalogue\n")


class TestEvaluate:
    def test_a_dataset_is_evaluated_with_one_table_in_the_end(self, tmp_path: Path) -> None:
        directory = Arena.make(tmp_path).task.directory.parents[2]
        whole = ("evaluate", directory, "--agent", "oracle", "--attempts", "2", "--jobs", "2")
        done = harness(*whole, "--output", tmp_path / "out", BENCHBENCH_ENGINE="local")
        assert done.returncode == 0, done.stderr
        first, second, nothing, head, one, everything, solved = done.stdout.splitlines()
        assert first.startswith("resolved: 8 of 8 tests, ended by completed, ")
        assert second.startswith("resolved: 8 of 8 tests, ended by completed, ")
        assert (nothing, head.split()[:2], one.split()[:4]) == (
            "",
            ["task", "resolved"],
            ["calc/add-negatives", "2", "of", "2"],
        )
        assert everything.split()[:4] == ["all", "2", "of", "2"]
        assert solved == "1 of 1 tasks were resolved at least once"

        again = harness(*whole, "--output", tmp_path / "out", BENCHBENCH_ENGINE="local")
        assert (again.returncode, again.stdout.splitlines()) == (0, [nothing, head, one, everything, solved])

    def test_limits_have_names_and_options_change_them(self, tmp_path: Path) -> None:
        directory = Arena.make(tmp_path).task.directory.parents[2]
        output = tmp_path / "run"
        chosen = ("run", directory, "calc", "add-negatives", "--agent", "null", "--output", output)
        harness(*chosen, "--limits", "paper", "--iterations", "7", BENCHBENCH_ENGINE="local")
        summary = RunRecord(output).summary()
        assert summary is not None
        assert summary.environment["limits"] == {
            "iterations": 7,
            "tokens": None,
            "cost_usd": None,
            "wall_seconds": 21_600.0,
            "grade_repeats": 1,
        }

    def test_another_agent_does_not_go_on_with_it(self, tmp_path: Path) -> None:
        directory = Arena.make(tmp_path).task.directory.parents[2]
        whole = ("evaluate", directory, "--output", tmp_path / "out", "--agent")
        assert harness(*whole, "null", BENCHBENCH_ENGINE="local").returncode == 0
        code, message = said(harness(*whole, "oracle", BENCHBENCH_ENGINE="local"))
        assert code == 1
        assert "was begun with another agent; choose another directory" in message


@pytest.mark.engine
class TestInContainers:
    def test_images_that_are_younger_stay(self) -> None:
        done = harness("sweep", "--images", "--older-than", "36500")
        assert (done.returncode, done.stdout) == (0, "0 images removed, about 0.0 MB freed\n"), done.stderr

    def test_admit_then_run(self, tmp_path: Path) -> None:
        directory = tiny_dataset(tmp_path).directory
        chosen = ("--repository", "calc", "--task", "add-negatives", "--repeats", "1")
        admitted = harness("admit", directory, *chosen, "--report", tmp_path / "report.md")
        assert admitted.returncode == 0, admitted.stderr
        assert "calc/add-negatives: admitted, 5 tests to make pass, 3 to keep passing" in admitted.stdout
        found = [
            "null: 3 passed, 1 failed, 4 errors; oracle: 8 passed",
            "traps: 15",
            "none of 8 tests are vacuous",
            "none of 8 tests are static",
            "test framework: none is declared, so results are read as junit; run_tests.sh suggests unittest",
        ]
        assert "".join(f"\n  {line}" for line in found) in admitted.stdout
        (_, task), *_ = load_dataset(directory).tasks()
        assert (tmp_path / "report.md").read_text() == (
            "# Admission\n\n1 of 1 tasks are admitted.\n\n## calc/add-negatives\n\n"
            f"- admitted, digest {task.digest[:16]}, 1 repeats\n" + "".join(f"- {line}\n" for line in found)
        )

        run = ("run", directory, "calc", "add-negatives", "--agent")
        oracle = harness(*run, "oracle", "--output", tmp_path / "oracle")
        assert oracle.returncode == 0, oracle.stderr
        assert oracle.stdout.startswith("resolved: 8 of 8 tests, ended by completed, 5 steps, ")
        null = harness(*run, "null", "--output", tmp_path / "null")
        assert null.returncode == 1
        summary = RunRecord(tmp_path / "null").summary()
        assert summary is not None
        assert summary.outcome is Outcome.UNRESOLVED

    def test_a_patch_is_graded_again_from_its_file_or_its_run(self, tmp_path: Path) -> None:
        arena = Arena.make(tmp_path)
        _, record = arena.run("oracle")
        dataset = arena.task.directory.parents[2]
        again = ("grade", dataset, "calc", "add-negatives")
        done = harness(*again, record.directory, "--repeat", "2")
        assert (done.returncode, done.stderr) == (0, "")
        assert re.fullmatch(
            r"resolved: 8 of 8 tests, \d\.\d s; all 8 expected tests passed in all 2 repeats\n", done.stdout
        )
        (tmp_path / "empty.diff").touch()
        done = harness(*again, tmp_path / "empty.diff")
        assert done.returncode == 1
        assert done.stdout.startswith("unresolved: 3 of 8 tests, ")

    def test_a_patch_that_does_not_apply_is_refused(self, tmp_path: Path) -> None:
        dataset = Arena.make(tmp_path).task.directory.parents[2]
        patch = tmp_path / "other.diff"
        patch.write_text("--- a/calc/sums.py\n+++ b/calc/sums.py\n@@ -1 +1 @@\n-no such line\n+another\n")
        code, message = said(harness("grade", dataset, "calc", "add-negatives", patch))
        assert code == 1
        assert "calc/sums.py, hunk 1, line 1: does not apply" in message

    def test_a_patch_applies_to_the_tree_that_its_task_starts_from(self, tmp_path: Path) -> None:
        dataset = write_repair_dataset(tmp_path)
        ((repository, task), *_) = load_dataset(dataset).tasks()
        assert task.start is not None
        code, message = said(harness("grade", dataset, repository.slug, task.slug, task.reference_diff))
        assert (code, "has no proof of admission" in message) == (1, True)

    def test_a_refused_task_is_in_the_report_with_what_was_seen(self, tmp_path: Path) -> None:
        directory = tiny_dataset(tmp_path).directory
        tests = directory / "calc/tasks/add-negatives/tests/hidden/test_negatives.py"
        tests.write_text(tests.read_text().replace('"-105"', '"-106"'))
        report = tmp_path / "report.json"
        done = harness("admit", directory, "--repeats", "1", "--no-strength", "--report", report)
        assert done.returncode == 1
        (entry,) = json.loads(report.read_text())["tasks"]
        assert (entry["task"], entry["admitted"], entry["null"]) == ("calc/add-negatives", False, None)
        assert entry["oracle"] == {"passed": 7, "failed": 1, "errors": 0, "skipped": 0}
        assert "1 of 8 tests do not pass" in entry["reason"]


def test_an_error_is_printed_without_secrets(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SCRIPTED_API_KEY", "a-value-that-looks-like-nothing")
    error = ValueError("refused a-value-that-looks-like-nothing")
    assert complain(error, INFRASTRUCTURE) == 3
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("python -m harness: refused ")
    assert "a-value" not in printed.err


class TestWorkflows:
    def test_a_persona_is_run_and_graded_again_with_its_conversation(self, tmp_path: Path) -> None:
        arena = Arena.of_workflow(tmp_path)
        dataset, run = arena.task.directory.parents[2], tmp_path / "run"
        chosen = (dataset, "calc", "talk-negatives.default")
        done = harness("run", *chosen, "--agent", "oracle", "--output", run, BENCHBENCH_ENGINE="local")
        assert done.returncode == 0, done.stderr
        assert (
            "; user: 3 messages, ended by user_finished, $0.0000; all 2 expected tests passed" in done.stdout
        )
        refused = harness("grade", *chosen, run / "patch.diff")
        assert said(refused) == (
            1,
            "python -m harness: a workflow task is graded with its conversation: give a run directory\n",
        )

    def test_validation_lists_each_persona_and_admission_proves_a_scenario_once(self, tmp_path: Path) -> None:
        dataset = write_tiny_dataset(tmp_path)
        add_workflow(dataset)
        assert "calc/talk-negatives.default, calc/talk-negatives.toxic" in harness("validate", dataset).stdout
        tasks = list(load_dataset(dataset).tasks())
        assert [task.slug for _, task in proved_once(tasks)] == ["add-negatives", "talk-negatives.toxic"]

    def test_an_evaluation_with_another_user_is_another_evaluation(self, tmp_path: Path) -> None:
        dataset = Arena.of_workflow(tmp_path).task.directory.parents[2]
        command = ("evaluate", dataset, "--repository", "calc", "--task", "talk-negatives.toxic")
        own = (*command, "--agent", "oracle", "--output", tmp_path / "out")
        assert harness(*own, BENCHBENCH_ENGINE="local").returncode == 0
        other = harness(*own, "--user-model", "openai/player", BENCHBENCH_ENGINE="local")
        assert "was begun with another user; choose another directory" in said(other)[1]
