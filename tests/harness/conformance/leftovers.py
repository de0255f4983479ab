"""What is left when a run is over, however it ended: nothing."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from uuid import uuid4

import pytest

from harness.dataset import Repository
from harness.errors import HarnessError
from harness.sandbox.base import ContainerUse, Engine, Owner, Workspace
from tests.harness.conformance.processes import OURS, host_processes
from tests.harness.conformance.rig import LIMITS, Promises, shell

ROOT = Path(__file__).parents[3]


# A process that acts in a workspace until it is killed.
HOLD = """
import sys, time
from pathlib import Path
from harness.dataset import load_dataset
from harness.sandbox import open_engine
from harness.sandbox.base import ContainerUse, Owner

repository = load_dataset(Path(sys.argv[1])).repository("calc")
with open_engine().workspace(repository, ContainerUse(Owner(sys.argv[2], "run-1"))) as workspace:
    call = {"command": f"setsid sleep {sys.argv[3]} >/dev/null 2>&1 &", "explanation": "x"}
    workspace.call("run_terminal_cmd", call, timeout=30)
    print("ready", flush=True)
    time.sleep(600)
"""


class Leftovers(Promises):
    """Contexts clean up, and a sweep removes what nobody could."""

    def test_nothing_is_left_when_the_context_ends(
        self, engine: Engine, repository: Repository, owner: Owner
    ) -> None:
        with engine.workspace(repository, ContainerUse(owner, LIMITS)):
            assert len(self.containers(owner.instance)) == 1
        assert self.containers(owner.instance) == []

    @pytest.mark.parametrize("exception", [KeyboardInterrupt, SystemExit, RuntimeError])
    def test_nothing_is_left_when_the_run_is_torn_down(
        self, engine: Engine, repository: Repository, owner: Owner, exception: type[BaseException]
    ) -> None:
        with pytest.raises(exception), engine.workspace(repository, ContainerUse(owner, LIMITS)):
            raise exception
        assert self.containers(owner.instance) == []

    def test_a_sweep_removes_unused_containers_and_nothing_else(
        self, engine: Engine, repository: Repository
    ) -> None:
        mine, other = f"sweep-{uuid4().hex[:8]}", f"other-{uuid4().hex[:8]}"

        def workspace(instance: str, try_number: int) -> AbstractContextManager[Workspace]:
            return engine.workspace(repository, ContainerUse(Owner(instance, "run-1", try_number), LIMITS))

        with workspace(mine, 1):
            [lost] = self.containers(mine)
            with workspace(mine, 2) as kept, workspace(other, 1) as foreign:
                assert engine.sweep(mine, in_use=[("run-1", 2)]) == [lost]
                assert engine.sweep(mine, run_id="run-2") == []
                assert shell(kept, "echo here") == shell(foreign, "echo here") == "here"
                assert engine.sweep(mine, run_id="run-1") == self.containers(mine) or not self.containers(
                    mine
                )
        assert self.containers(mine) == self.containers(other) == []

    def test_what_a_killed_process_left_behind_is_swept(
        self, engine: Engine, repository: Repository, tmp_path: Path
    ) -> None:
        instance = f"killed-{uuid4().hex[:8]}"
        environment = {**os.environ, "BENCHBENCH_ENGINE": self.name}
        command = [sys.executable, "-c", HOLD, str(tmp_path / "tiny"), instance, f"{OURS}0"]
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, cwd=ROOT) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            process.kill()
        try:
            [name] = self.containers(instance)
        finally:
            removed = engine.sweep(instance)
        assert removed == [name]
        assert self.containers(instance) == []
        assert host_processes("sleep", f"{OURS}0") == []

    def test_an_engine_that_was_dropped_leaves_its_containers_to_the_sweep(
        self, engine: Engine, repository: Repository
    ) -> None:
        instance = f"dropped-{uuid4().hex[:8]}"
        opened = type(engine)().workspace(repository, ContainerUse(Owner(instance, "run-1"), LIMITS))
        opened.__enter__()
        [name] = self.containers(instance)
        assert engine.sweep(instance) == [name]
        assert engine.sweep(instance) == self.containers(instance) == []
        with contextlib.suppress(HarnessError):
            opened.__exit__(None, None, None)
