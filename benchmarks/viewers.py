"""Whether the tools whose forms we write accept and show our runs: Inspect and Harbor, with their own viewers.

    python -m benchmarks.viewers [--venvs DIRECTORY] [--pictures DIRECTORY]

Six runs of an agent are written as a log of Inspect and as ATIF: one that resolves its task, one that does not, one
that a limit ended, one of a dialogue with a simulated user, one of which much is unknown, and a failure of the
infrastructure. Harbor's validator must accept each document, and `read_eval_log` the log, with the messages, tokens
and scores of the database. Then Inspect View and Harbor's viewer are opened in Chromium, and must show messages, tool
calls and scores without an error in the console. Pictures of what they show are stored.

Both tools are installed from PyPI in fixed versions, each into an environment of its own below `--venvs`, which is used
again. Needs Python 3.12 or newer for them (`python3.12` or `python3.13`, also of pyenv), and Chromium. A tool that is
not installable here is left out, with the reason. Exits with 1 when a tool does not accept or show something.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.error import URLError
from urllib.request import urlopen

from benchmarks.command_line import benchmark_parser, conclude, mark
from benchmarks.database import prepare
from tests.browser.conftest import QUIET, chromium_path

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page

    from runs.models import Run

PACKAGES = {"inspect": "inspect-ai==0.3.285", "harbor": "harbor==0.26.0"}
PYTHONS = ("python3.13", "python3.12")
START_SECONDS = 90
_VALIDATE = """
import sys
from harbor.utils.trajectory_validator import TrajectoryValidator
for path in sys.argv[1:]:
    validator = TrajectoryValidator()
    if not validator.validate(path):
        print(path, *validator.errors[:3], sep=": ")
"""
_READ = """
import json, sys
from inspect_ai.log import read_eval_log
print(json.dumps([
    {
        "key": sample.uuid,
        "messages": len(sample.messages),
        "models": sum(event.event == "model" for event in sample.events),
        "tools": sum(event.event == "tool" for event in sample.events),
        "tokens": sum(usage.total_tokens for usage in sample.model_usage.values()),
        "score": "".join(str(score.value) for score in (sample.scores or {}).values()),
        "error": sample.error is not None,
        "limit": sample.limit.type if sample.limit else None,
    }
    for sample in read_eval_log(sys.argv[1]).samples
]))
"""


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written below a directory: the log, and Harbor's job with a trial for each run."""

    log: Path
    jobs: Path
    trials: tuple[tuple[str, Path], ...]


def main() -> int:
    """Prints a row for each check; 1 when a tool does not accept or show something."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--venvs", type=Path, help="where the tools are installed, or are already")
    parser.add_argument("--pictures", type=Path, help="where the pictures are stored")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="benchbench-") as name:
        root = Path(name)
        (root / "data").mkdir()
        prepare(root / "data")
        pictures = options.pictures or Path(tempfile.mkdtemp(prefix="benchbench-viewers-"))
        pictures.mkdir(parents=True, exist_ok=True)
        runs = _make_runs()
        exported = _write(runs, root)
        venvs = options.venvs or root / "venvs"
        found = [
            _row(name, _installed(tool, venvs), check)
            for name, tool, check in (
                ("harbor validates", "harbor", lambda home: _validated(home, exported)),
                ("inspect reads", "inspect", lambda home: _read(home, exported, runs)),
                ("inspect view", "inspect", lambda home: _inspect_view(home, exported, pictures)),
                ("harbor view", "harbor", lambda home: _harbor_view(home, exported, pictures)),
            )
        ]
    checked = [row for row in found if row is not None]
    if not checked:
        parser.error("neither tool is installable here")
    print(f"pictures in {pictures}")
    return conclude(all(checked))


def _row(name: str, home: Path | None, check: Callable[[Path], list[str]]) -> bool | None:
    """Prints the problems that a check finds, and returns whether there is none; None without the tool."""
    if home is None:
        print(f"{name:<20}left out: the tool is not installable here", flush=True)
        return None
    problems = check(home)
    print(f"{name:<20}{'; '.join(problems) or 'accepted'}{mark(not problems)}", flush=True)
    return not problems


def _installed(tool: str, venvs: Path) -> Path | None:
    """The directory of a tool's programs; it is installed if it is not there. None: that is not possible here."""
    home = venvs / tool / "bin"
    if (home / tool).is_file():
        return home
    python = next((found for name in PYTHONS if (found := _python(name))), None)
    if python is None:
        print(f"{tool}: no {' and no '.join(PYTHONS)} here", file=sys.stderr)
        return None
    for command in (
        [python, "-m", "venv", str(venvs / tool)],
        [str(home / "pip"), "install", "--quiet", PACKAGES[tool]],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"{tool}: {' '.join(command)}: {done.stderr[-500:]}", file=sys.stderr)
            return None
    return home


def _python(name: str) -> str | None:
    """The path of a Python of this name, on the path or of pyenv."""
    ours = Path.home() / ".pyenv" / "versions"
    found = sorted(ours.glob(f"{name.removeprefix('python')}.*/bin/{name}"))
    return str(found[-1]) if found else shutil.which(name)


def _make_runs() -> list[Run]:
    """The runs, with their records."""
    from tests.runs.cast import Cast, record  # noqa: PLC0415 - needs Django
    from tests.runs.transfer.interchange import recorded_runs  # noqa: PLC0415

    cast = Cast()
    alice, tasks = cast.alice(), cast.add_tasks(4)
    cast.evaluation.limits = {"wall_seconds": 600.0}
    cast.evaluation.save()
    lost: dict[str, Any] = {
        "outcome": "infrastructure_failed",
        "ending": "infrastructure",
        "detail": "the engine does not answer",
    }
    made = (
        (record, cast.add_run(alice, tasks[0], 1)),
        (record, cast.add_run(alice, tasks[0], 2, passed=3)),
        (recorded_runs.of_ide, cast.add_run(alice, tasks[1], 1, passed=2, ending="time_limit")),
        (recorded_runs.of_workflow, cast.add_run(alice, tasks[2], 1)),
        (recorded_runs.of_other_tool, cast.add_run(alice, tasks[3], 1, prompt_tokens=None, cost_usd=None)),
        (record, cast.add_run(alice, tasks[3], 2, **lost)),
    )
    for write, run in made:
        write(run)
    return [run for _, run in made]


def _write(runs: Sequence[Run], root: Path) -> Exported:
    """All runs as one log, and each as a trial of Harbor."""
    from runs.models import Run  # noqa: PLC0415 - needs Django
    from runs.transfer.interchange import atif  # noqa: PLC0415
    from runs.transfer.interchange.inspect_archive import log_of  # noqa: PLC0415

    logs, job = root / "logs", root / "jobs" / "ours"
    logs.mkdir()
    (logs / "alice.eval").write_bytes(b"".join(log_of(Run.objects.all()).chunks()))
    trials = []
    for run in runs:
        trial = job / f"{run.task.slug}__{run.attempt}"
        (trial / "agent").mkdir(parents=True)
        (trial / "result.json").write_text(json.dumps(_trial(run, trial.name)))
        for name in ("config.json", "lock.json"):  # the viewer asks for them
            (trial / name).write_text(json.dumps({"task": {"path": f"/{run.task.slug}"}}))
        (trial / "agent" / "trajectory.json").write_bytes(b"".join(atif.document(run)))
        trials.append((trial.name, trial / "agent" / "trajectory.json"))
    (job / "config.json").write_text("{}")
    return Exported(logs / "alice.eval", root / "jobs", tuple(trials))


def _trial(run: Run, name: str) -> dict[str, Any]:
    """The least that Harbor's viewer needs to show a trial."""
    place = {"path": f"/{run.task.slug}"}
    return {
        **{"task_name": f"harbour/{run.task.slug}", "trial_name": name, "trial_uri": f"file:///{name}"},
        **{"task_id": place, "task_checksum": "0", "config": {"task": place}},
        "agent_info": {"name": "alice", "version": "1"},
        **{"started_at": "2026-01-01T00:00:00Z", "finished_at": "2026-01-01T00:01:00Z"},
        "verifier_result": {"rewards": {"reward": float(run.outcome == "resolved")}},
    }


def _output(home: Path, script: str, *arguments: str) -> str:
    """What a script prints that the Python of a tool executes."""
    done = subprocess.run(
        [str(home / "python"), "-c", script, *arguments], capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or done.stderr.strip()[-500:] * bool(done.returncode)


def _validated(home: Path, exported: Exported) -> list[str]:
    return _output(home, _VALIDATE, *(str(path) for _, path in exported.trials)).splitlines()


def _read(home: Path, exported: Exported, runs: Sequence[Run]) -> list[str]:
    """Where the log that Inspect reads differs from the database."""
    output = _output(home, _READ, str(exported.log))
    try:
        samples = {sample["key"]: sample for sample in json.loads(output)}
    except ValueError:
        return [output]
    return [
        f"{run.key}: {name} is {samples[run.key][name]!r}, not {value!r}"
        for run in runs
        for name, value in _expected(run).items()
        if samples[run.key][name] != value
    ]


def _expected(run: Run) -> dict[str, Any]:
    from harness.records import RunRecord  # noqa: PLC0415 - as its neighbours

    steps = list(RunRecord(run.path).steps())
    scores = {"resolved": "C", "unresolved": "I"}
    return {
        "messages": sum(1 + len(step.results) for step in steps),
        "models": sum(step.metrics is not None for step in steps),
        "tools": sum(len(step.results) for step in steps),
        "tokens": run.tokens or 0,
        "score": scores.get(run.outcome, ""),
        "error": run.outcome == "infrastructure_failed",
        "limit": "time" if run.ending == "time_limit" else None,
    }


@contextlib.contextmanager
def _serving(command: Sequence[str], port: int) -> Iterator[str]:
    """The address of a viewer while it runs."""
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            _wait_for(address, process)
            yield address
        finally:
            process.terminate()
            process.wait(timeout=20)


def _wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        with contextlib.suppress(URLError, ConnectionError, TimeoutError), urlopen(address, timeout=5):  # noqa: S310
            return
        time.sleep(0.3)
    raise RuntimeError(f"{process.args!r} does not answer at {address}")


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@contextlib.contextmanager
def _page() -> Iterator[tuple[Page, list[str]]]:
    """A page in Chromium, and the errors of its console."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only the viewers need it

    with sync_playwright() as playwright:
        browser: Browser = playwright.chromium.launch(executable_path=chromium_path(), args=QUIET)
        page = browser.new_page(viewport={"width": 1440, "height": 1000})
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)[:300]))
        page.on("console", lambda said: errors.append(_said(said)) if said.type == "error" else None)
        yield page, errors
        browser.close()


def _said(message: ConsoleMessage) -> str:
    return f"{message.text[:300]} {message.location.get('url', '')}"


def _missing(page: Page, texts: Sequence[str]) -> list[str]:
    """Those of the texts that do not appear on the page within some seconds."""
    missing = []
    for text in texts:
        try:
            page.get_by_text(re.compile(re.escape(text))).first.wait_for(timeout=15_000)
        except Exception:  # playwright's errors differ by cause; each means that the text is not shown
            missing.append(f"{text!r} is not shown")
    return missing


def _inspect_view(home: Path, exported: Exported, pictures: Path) -> list[str]:
    port = _free_port()
    command = [
        str(home / "inspect"),
        "view",
        "start",
        "--log-dir",
        str(exported.log.parent),
        "--port",
        str(port),
    ]
    with _serving([*command, "--host", "127.0.0.1"], port) as address, _page() as (page, errors):
        log = f"{address}/#/logs/{exported.log.name}"
        page.goto(log)
        problems = _missing(page, ["harbour/tide-1", "harbour/tide-4", "alice", "ada/Analytical"])
        page.screenshot(path=pictures / "inspect-samples.png")
        for tab, texts in (
            ("messages", ["Mend the tide.", "edit_file", "return hour % 12", "The tide turns again."]),
            ("transcript", ["edit_file", "tide.py"]),
            ("scoring", ["resolved", "5 of 5 hidden tests passed"]),
            ("metadata", ["benchbench"]),
        ):
            page.goto(f"{log}/samples/sample/harbour%2Ftide-1/1/{tab}")
            problems += _missing(page, texts)
            page.screenshot(path=pictures / f"inspect-{tab}.png")
        return [*problems, *errors]


def _harbor_view(home: Path, exported: Exported, pictures: Path) -> list[str]:
    port = _free_port()
    command = [str(home / "harbor"), "view", str(exported.jobs), "--jobs", "--port", str(port)]
    environment = {"HARBOR_TELEMETRY": "0", "DO_NOT_TRACK": "1"}
    os.environ.update(environment)
    with _serving([*command, "--host", "127.0.0.1"], port) as address, _page() as (page, errors):
        page.goto(f"{address}/jobs/ours")
        problems = _missing(page, ["tide-1"])
        page.screenshot(path=pictures / "harbor-job.png")
        name, _ = exported.trials[0]
        page.goto(f"{address}/jobs/ours/trials/{name}")
        problems += _missing(page, ["Mend the tide.", "edit_file", "The tide turns again."])
        page.screenshot(path=pictures / "harbor-trial.png", full_page=True)
        return [*problems, *errors]


if __name__ == "__main__":
    raise SystemExit(main())
