"""Graders of a small repository, or of any other, that run a script in a container of its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from harness.dataset import Repository, Tree
from harness.patches import FileState
from harness.sandbox.base import CommandResult, ContainerUse, Owner
from harness.sandbox.docker import DockerEngine
from tests.harness.conformance.rig import LIMITS
from tests.harness.worlds import write_tree

# Before the name of a command in a script: runs it as the user of programs under test.
CODE = "python3 -I /opt/benchbench/supervisor/benchbench_code.py"


class Clean:
    """Graders of one repository; each run is a script over files of an agent."""

    def __init__(self, engine: DockerEngine, owner: Owner, root: Path, repository: Repository) -> None:
        self.repository = repository
        self._engine = engine
        self._owner = owner
        self._root = root
        (root / "hidden").mkdir(exist_ok=True)

    def run(
        self, script: str, *files: FileState, tests: Mapping[str, str] | None = None, timeout: float = 60
    ) -> tuple[CommandResult, Mapping[str, bytes]]:
        """What `Grader.run` returns; `timeout` is in seconds."""
        write_tree(self._root, {"script.sh": f"{script}\n"})
        write_tree(self._root / "hidden", tests or {})
        with self._engine.grader(self.repository, ContainerUse(self._owner, LIMITS)) as clean:
            hidden, path = list(Tree(self._root / "hidden").files()), self._root / "script.sh"
            return clean.run(files=files, tests=hidden, script=path, task="a task", timeout=timeout)
