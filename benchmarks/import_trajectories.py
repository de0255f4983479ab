"""How fast trajectories of other tools are read, stored and counted, beside parsing their files alone.

    python -m benchmarks.import_trajectories [--files 1000] [--big] [--megabytes 1024]

A directory of files of about 100 KB in each form is imported into an empty SQLite database, with its counts for
analysis. The baseline parses the same files as JSON and does nothing with them. Promised: LEAST_FILES a second, in
seconds of the clock with all processes that the import may use. Exits with 1 when a promise is broken.

With `--big`, one trajectory of 1 GB is imported instead, and its replay is opened in Chromium: the import, with the
index of the replay, needs at most MOST_MEMORY MB of memory, and the replay keeps its promises (`benchmarks.replay`).
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.command_line import benchmark_parser, conclude, mark
from benchmarks.database import prepare

LEAST_FILES = 50.0  # a second
MOST_MEMORY = 300.0  # MB
FILES, MEGABYTES = 1_000, 1_024
STEPS, LINES = 40, 50  # of a file of about 100 KB
BIG_STEP = 100_000  # bytes of each step of the big trajectory
_WORDS = (
    "return",
    "value",
    "of",
    "the",
    "parser",
    "index",
    "def",
    "test",
    "self",
    "item",
    "result",
    "import",
    "0",
    "x =",
)


def main() -> int:
    """Prints a row for each form, or for the big trajectory; 1 when a promise is broken."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--files", type=int, default=FILES)
    parser.add_argument("--big", action="store_true", help="one trajectory of 1 GB instead")
    parser.add_argument("--megabytes", type=int, default=MEGABYTES, help="of the big trajectory")
    parser.add_argument("--one", choices=FORMS, help=argparse.SUPPRESS)
    parser.add_argument("--path", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.path:
        return _import_big(options.path)
    if options.big:
        return _measure_big(options.megabytes)
    if options.one:
        return 0 if _measured(options.one, options.files) else 1
    print(f"{options.files:,} files of each form")
    print(f"{'':<16}{'KB each':>9}{'parsed alone':>16}{'imported':>14}{'times':>8}", flush=True)
    command = [sys.executable, "-m", "benchmarks.import_trajectories", "--files", str(options.files), "--one"]
    codes = [subprocess.run([*command, form], check=False).returncode for form in FORMS]
    return conclude(not any(codes))


def _measured(form: str, count: int) -> bool:
    """Imports files of one form, in a process of its own with an empty database."""
    suffix, make = FORMS[form]
    with tempfile.TemporaryDirectory(prefix="benchbench-") as name:
        home = Path(name)
        prepare(home)
        files = [home / "in" / f"lab__one-{number}{suffix}" for number in range(count)]
        files[0].parent.mkdir()
        for number, path in enumerate(files):
            path.write_text(make(random.Random(number)))
        began = time.perf_counter()
        for path in files:
            for text in path.read_text().splitlines() if suffix == ".jsonl" else [path.read_text()]:
                json.loads(text)
        alone = time.perf_counter() - began
        took = _imported(home / "in", count)
        met = count / took >= LEAST_FILES
        size = sum(path.stat().st_size for path in files) / count / 1e3
        print(
            f"{form:<16}{size:>9.0f}{count / alone:>14,.0f}/s{count / took:>12,.1f}/s{took / alone:>8.1f}{mark(met)}",
            flush=True,
        )
        return met


def _imported(directory: Path, count: int) -> float:
    from runs.models import Counts  # noqa: PLC0415 - needs Django
    from runs.reported.reading import read_trajectories  # noqa: PLC0415
    from runs.reported.storing import store  # noqa: PLC0415

    began = time.perf_counter()
    stored = store(read_trajectories(directory, {}))
    took = time.perf_counter() - began
    assert stored.new == Counts.objects.exclude(behaviour="").count() == count
    return took


def _measure_big(megabytes: int) -> int:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only here

    from benchmarks import replay  # noqa: PLC0415
    from tests.browser.conftest import QUIET, chromium_path  # noqa: PLC0415
    from tests.site.serving import Served  # noqa: PLC0415

    with tempfile.TemporaryDirectory(prefix="benchbench-") as name, sync_playwright() as playwright:
        home = Path(name)
        steps = megabytes * 1024 * 1024 // BIG_STEP
        path = home / "big.json"
        with path.open("w", encoding="utf-8") as file:
            file.writelines(_big(steps))
        with Served(home / "data", made=False) as served:
            command = [sys.executable, "-m", "benchmarks.import_trajectories", "--path", str(path)]
            finished = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
            if finished.returncode:
                return conclude(False, "the import failed")
            number, memory, seconds = map(float, finished.stdout.split())
            fits = memory <= MOST_MEMORY
            print(
                f"{megabytes:,} MB, {steps:,} steps: imported in {seconds:.0f} s with {memory:.0f} MB{mark(fits)}",
                flush=True,
            )
            browser = playwright.chromium.launch(executable_path=chromium_path(), args=QUIET)
            kept = replay.report(
                "replay", *replay.measure_run(browser, f"{served.url}/runs/{number:.0f}/", steps, 9)
            )
            browser.close()
    return conclude(fits and kept)


def _import_big(path: Path) -> int:
    """In a process of its own: prints the run's number, the peak of its memory in MB, and the seconds that it took."""
    prepare(path.parent / "data")
    from runs.models import Run  # noqa: PLC0415
    from runs.replay.open_index import update_index  # noqa: PLC0415

    took = _imported(path, 1)
    began = time.perf_counter()
    run = Run.objects.get()
    update_index(run.path)
    took += time.perf_counter() - began
    print(run.pk, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, took)
    return 0


def _text(chance: random.Random, lines: int) -> str:
    return "\n".join(" ".join(chance.choices(_WORDS, k=8)) for _ in range(lines))


def _command(chance: random.Random, number: int) -> str:
    return chance.choice(
        (
            f"cat src/module_{number % 7}.py",
            f"grep -rn 'foo_{number}' src",
            f"sed -i 's/a/b/' src/m_{number % 5}.py",
        )
    )


def _atif(chance: random.Random) -> str:
    steps = [{"step_id": 1, "source": "user", "message": "Fix the parser."}]
    return json.dumps(
        {**_ATIF, "steps": [*steps, *(_atif_step(chance, n, LINES) for n in range(2, STEPS + 2))]}
    )


_ATIF = {
    "schema_version": "ATIF-v1.7",
    "agent": {"name": "a", "version": "1", "model_name": "lab/m"},
    "extra": {"workdir": "/app"},
}


def _atif_step(chance: random.Random, number: int, lines: int) -> dict[str, Any]:
    call = {
        "tool_call_id": f"c{number}",
        "function_name": "bash",
        "arguments": {"command": _command(chance, number)},
    }
    return {
        "step_id": number,
        "timestamp": f"2026-01-31T12:{number // 60 % 60:02d}:{number % 60:02d}Z",
        "source": "agent",
        "message": _text(chance, 2),
        "tool_calls": [call],
        "observation": {"results": [{"source_call_id": f"c{number}", "content": _text(chance, lines)}]},
        "metrics": {
            "prompt_tokens": 1000 + number,
            "completion_tokens": 50,
            "cached_tokens": 900,
            "cost_usd": 0.01,
        },
    }


def _big(steps: int) -> Iterator[str]:
    """The text of an ATIF document with so many steps of BIG_STEP bytes."""
    chance = random.Random(1)
    yield json.dumps({**_ATIF, "steps": []})[:-2]
    for number in range(1, steps + 1):
        yield ("," if number > 1 else "") + json.dumps(_atif_step(chance, number, BIG_STEP // 42))
    yield "]}"


def _mini(chance: random.Random) -> str:
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "s"},
        {"role": "user", "content": "Fix the parser."},
    ]
    for number in range(STEPS):
        command = json.dumps({"command": _command(chance, number)})
        usage = {"prompt_tokens": 1000, "completion_tokens": 50}
        messages.append(
            {
                "role": "assistant",
                "content": _text(chance, 2),
                "tool_calls": [{"id": f"c{number}", "function": {"name": "bash", "arguments": command}}],
                "extra": {"response": {"usage": usage}, "cost": 0.01, "timestamp": 1769860800 + number},
            }
        )
        shown = {"raw_output": "", "returncode": 0, "exception_info": ""}
        content = f"<returncode>0</returncode>\n{_text(chance, LINES)}"
        messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": content, "extra": shown})
    info = {"exit_status": "Submitted", "model_stats": {"instance_cost": 0.4, "api_calls": STEPS}}
    return json.dumps({"info": info, "messages": messages, "trajectory_format": "mini-swe-agent-1.1"})


def _swe_agent(chance: random.Random) -> str:
    turns = [
        {
            "action": _command(chance, number),
            "observation": _text(chance, LINES),
            "thought": _text(chance, 2),
            "execution_time": 0.5,
            "state": {"working_dir": "/testbed"},
        }
        for number in range(STEPS)
    ]
    return json.dumps(
        {"trajectory": turns, "history": [{"role": "user", "content": "Fix the parser."}], "info": {}}
    )


def _claude_code(chance: random.Random) -> str:
    session = f"{chance.getrandbits(64):016x}"
    same = {"sessionId": session, "cwd": "/app", "version": "2.1.0", "timestamp": "2026-01-31T12:00:00Z"}
    lines: list[dict[str, Any]] = [
        {**same, "type": "user", "uuid": "u0", "message": {"role": "user", "content": "Fix the parser."}}
    ]
    for number in range(STEPS):
        call = {
            "type": "tool_use",
            "id": f"t{number}",
            "name": "Bash",
            "input": {"command": _command(chance, number)},
        }
        content = [{"type": "text", "text": _text(chance, 2)}, call]
        usage = {"input_tokens": 100, "cache_read_input_tokens": 900, "output_tokens": 50}
        message = {"id": f"m{number}", "role": "assistant", "model": "m", "content": content, "usage": usage}
        lines.append({**same, "type": "assistant", "uuid": f"a{number}", "message": message})
        result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": _text(chance, LINES)}
        lines.append(
            {**same, "type": "user", "uuid": f"r{number}", "message": {"role": "user", "content": [result]}}
        )
    return "\n".join(map(json.dumps, lines)) + "\n"


def _codex(chance: random.Random) -> str:
    session = f"{chance.getrandbits(64):016x}"
    about = {"id": session, "cwd": "/app", "cli_version": "0.58.0", "timestamp": "2026-01-31T12:00:00Z"}
    user = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Fix the parser."}]}
    items: list[tuple[str, dict[str, Any]]] = [("session_meta", about), ("response_item", user)]
    for number in range(STEPS):
        command = json.dumps({"command": ["bash", "-lc", _command(chance, number)]})
        call = {"type": "function_call", "call_id": f"c{number}", "name": "shell", "arguments": command}
        shown = json.dumps(
            {"output": _text(chance, LINES), "metadata": {"exit_code": 0, "duration_seconds": 0.1}}
        )
        output = {"type": "function_call_output", "call_id": f"c{number}", "output": shown}
        usage = {"input_tokens": 1000, "cached_input_tokens": 900, "output_tokens": 50, "total_tokens": 1050}
        total = {name: value * (number + 1) for name, value in usage.items()}
        count = {"type": "token_count", "info": {"last_token_usage": usage, "total_token_usage": total}}
        items += [("response_item", call), ("event_msg", count), ("response_item", output)]
    stamp = "2026-01-31T12:00:00Z"
    return "".join(
        f"{json.dumps({'timestamp': stamp, 'type': kind, 'payload': one})}\n" for kind, one in items
    )


def _openhands(chance: random.Random) -> str:
    events: list[dict[str, Any]] = [
        {
            "id": 0,
            "timestamp": "2026-01-31T12:00:00",
            "source": "user",
            "action": "message",
            "args": {"content": "Fix the parser."},
        }
    ]
    for number in range(1, STEPS + 1):
        args = {"command": _command(chance, number), "thought": _text(chance, 2)}
        events.append(
            {
                "id": 2 * number,
                "timestamp": "2026-01-31T12:00:00",
                "source": "agent",
                "action": "run",
                "args": args,
            }
        )
        shown = {"observation": "run", "content": _text(chance, LINES), "extras": {"exit_code": 0}}
        events.append(
            {
                "id": 2 * number + 1,
                "timestamp": "2026-01-31T12:00:01",
                "source": "agent",
                "cause": 2 * number,
                **shown,
            }
        )
    return json.dumps(events)


# Each with the end of the names of its files.
FORMS: dict[str, tuple[str, Callable[[random.Random], str]]] = {
    "atif": (".json", _atif),
    "mini-swe-agent": (".traj.json", _mini),
    "swe-agent": (".traj", _swe_agent),
    "claude-code": (".jsonl", _claude_code),
    "codex": (".jsonl", _codex),
    "openhands": (".json", _openhands),
}


if __name__ == "__main__":
    sys.exit(main())
