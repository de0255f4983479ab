"""Runs the same tests, script and patch in a container without any defence."""

from __future__ import annotations

import io
import subprocess
import tarfile
import time
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from uuid import uuid4

from harness.dataset import Repository, Task
from harness.grading.reports import read_results
from harness.grading.results import ReportError
from harness.grading.verdict import judge
from harness.patches import FileState, apply_patch
from harness.records import TestResult
from harness.sandbox.engine.archive import pack

RESULTS = "/benchbench/results"
TIMEOUT = 300


def forges_without_defence(repository: Repository, task: Task, image: str, patch: bytes) -> tuple[bool, str]:
    """Whether the verdict is resolved, and why; if it is not, with the end of the output."""
    name = f"forging-control-{uuid4().hex[:12]}"
    script = str(repository.layout.script_at)
    command = [
        *("docker", "create", "--init", "--name", name, "--network", "none"),
        *("--cap-add", "SYS_ADMIN", "--cap-add", "SYS_PTRACE"),
        *("--security-opt", "seccomp=unconfined", "--security-opt", "apparmor=unconfined"),
        *("--workdir", str(repository.workdir), "--entrypoint", "bash"),
        *("--env", f"RESULTS_DIR={RESULTS}", "--env", "HOME=/root", "--env", "LANG=C.UTF-8"),
        *(image, script, task.directory.name),
    ]
    _docker(command)
    try:
        _docker(["docker", "cp", "-", f"{name}:/"], _archive(repository, task, patch))
        code, output = _run(name)
        files = _results(name)
    finally:
        _docker(["docker", "rm", "--force", name])
    return _verdict(task, files, output, code)


def _verdict(task: Task, files: Mapping[str, bytes], output: str, code: int | None) -> tuple[bool, str]:
    assert task.proof is not None
    results: tuple[TestResult, ...] = ()
    trouble = ""
    try:
        results = read_results(task.report, files, output)
    except ReportError as error:
        trouble = str(error)
    verdict = judge(task.proof.tests, results, exit_code=code, trouble=trouble)
    return verdict.resolved, verdict.reason if verdict.resolved else f"{verdict.reason}\n{output[-3000:]}"


def _archive(repository: Repository, task: Task, patch: bytes) -> bytes:
    """Everything that the container needs: the agent's files, the hidden tests over them, the script."""
    workdir = str(repository.workdir).lstrip("/")
    changed = apply_patch(patch, repository.source.read)
    files = [*_placed(workdir, changed), *_placed(workdir, task.tests.files())]
    script = FileState(str(repository.layout.script_at).lstrip("/"), repository.run_tests.read_bytes(), 0o755)
    parents = {
        str(parent) for file in files for parent in PurePosixPath(file.path).parents if str(parent) != "."
    }
    return pack([*files, script], [*sorted(parents), "benchbench", RESULTS[1:]], modified=time.time())


def _placed(workdir: str, files: Iterable[FileState]) -> list[FileState]:
    return [FileState(f"{workdir}/{file.path}", file.content, file.mode, file.link) for file in files]


def _run(name: str) -> tuple[int | None, str]:
    """The exit code, None after the time-out, and the output."""
    process = subprocess.Popen(
        ["docker", "start", "--attach", name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        output, _ = process.communicate(timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        _docker(["docker", "kill", name])
        output, _ = process.communicate()
        return None, output.decode(errors="replace")
    code = _docker(["docker", "inspect", "--format", "{{.State.ExitCode}}", name])
    return int(code), output.decode(errors="replace")


def _results(name: str) -> Mapping[str, bytes]:
    archive = _docker(["docker", "cp", f"{name}:{RESULTS}", "-"])
    found = {}
    with tarfile.open(fileobj=io.BytesIO(archive)) as members:
        for member in members:
            if (file := members.extractfile(member)) is not None:
                found[member.name.partition("/")[2]] = file.read()
    return found


def _docker(command: list[str], data: bytes = b"") -> bytes:
    return subprocess.run(command, input=data, check=True, capture_output=True).stdout
