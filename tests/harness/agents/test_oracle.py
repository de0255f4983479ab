"""The oracle: its plan, and its run in a container."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.agents.base import AgentSpec
from harness.agents.oracle import OracleAgent, plan
from harness.agents.reference import reference_changes
from harness.dataset import load_dataset
from harness.limits import Ending
from harness.patches import FileState, make_patch
from harness.records import UserEnding
from tests.harness.agents.command.test_transcript import Table
from tests.harness.arena import Arena
from tests.harness.talks import ASKED, SECOND, THIRD, Talk
from tests.harness.worlds import tiny_dataset, write_tiny_dataset


def test_every_change_is_a_step_that_must_succeed(tmp_path: Path) -> None:
    steps = list(plan(*next(tiny_dataset(tmp_path).tasks())))
    assert [(step.message, len(step.calls), step.must_succeed) for step in steps] == [
        ("Oracle: change 1 of 3 of the reference patch, in calc/digits.py.", 1, True),
        ("Oracle: change 2 of 3 of the reference patch, in calc/digits.py.", 1, True),
        ("Oracle: change 3 of 3 of the reference patch, in calc/sums.py.", 1, True),
        ("Oracle: the reference patch is applied.", 0, False),
    ]


def test_it_reads_the_task_and_takes_the_steps_of_its_plan(tmp_path: Path) -> None:
    table = Table(tmp_path)
    assert OracleAgent(AgentSpec("oracle", "oracle")).run(table.session) is Ending.COMPLETED
    planned = list(plan(table.session.repository, table.session.task))
    assert table.messages == [
        ("user", table.session.task.description),
        *(("agent", step.message) for step in planned),
    ]
    assert [step.calls for step in table.steps[1:]] == [step.calls for step in planned]
    assert table.spending.iterations == 4


@pytest.mark.engine
def test_the_oracle_makes_every_kind_of_change_exactly(tmp_path: Path) -> None:
    dataset = write_tiny_dataset(tmp_path)
    source = dataset / "calc" / "source"
    before = [
        FileState("README.md", (source / "README.md").read_bytes()),
        FileState("calc/__main__.py", (source / "calc/__main__.py").read_bytes()),
        FileState("tests/test_sums.py", (source / "tests/test_sums.py").read_bytes()),
    ]
    after = [
        FileState("README.md", b"no newline at the end", 0o755),
        FileState("calc/__main__.py", b"x = 1\r\n"),
        FileState("new/deep er/it's.txt", "é\n".encode()),
        FileState("empty", b""),
        FileState("logo.bin", bytes(range(256)) * 500),
        FileState("script.sh", b"#!/bin/sh\n", 0o755),
        FileState("link", b"calc/sums.py", link=True),
    ]
    task_directory = dataset / "calc/tasks/add-negatives"
    reference = task_directory / "reference.diff"
    reference.write_bytes(reference.read_bytes() + make_patch(before, after))
    repository, task = next(load_dataset(dataset).tasks())
    assert len(reference_changes(repository, task)) == 3 + len(after) + 1
    arena = Arena.make_from(tmp_path, dataset)
    summary, record = arena.run("oracle")
    assert (summary.ending, summary.detail) == (Ending.COMPLETED, "")
    for part in make_patch(before, after).split(b"diff --git ")[1:]:
        assert part in record.patch()


def test_in_a_workflow_it_plays_the_reference_conversation(tmp_path: Path) -> None:
    talk = Talk(tmp_path)
    assert OracleAgent(AgentSpec("oracle", "oracle")).run(talk.session) is Ending.COMPLETED
    assert talk.messages == [
        ("user", ASKED),
        ("agent", "Sums work now."),
        ("user", SECOND),
        ("agent", "The largest number works, too."),
        ("user", THIRD),
        ("agent", "It is finished."),
    ]
    assert talk.calls == ["list_dir", "edit_file", "edit_file", "edit_file"]
    assert talk.dialogue.summary().ending is UserEnding.USER_FINISHED
