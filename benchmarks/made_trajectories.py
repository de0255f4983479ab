"""Trajectories of other tools for measurements: a directory with files in the form of each, of about 100 KB a run."""

from __future__ import annotations

import json
import random
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

STEPS, LINES = 40, 50  # of a run of about 100 KB: its responses, and the lines of each result
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
    "import",
    "0",
    "x =",
)
_TASK = "Fix the parser."
_SAMPLES = 100  # of each log of Inspect

Make = Callable[[random.Random, int, int], Iterator[str]]
"""The pieces of a file with so many steps, each result of so many lines."""
Write = Callable[[Path, int], None]
"""Writes so many runs below a directory."""


def write_runs(form: str, directory: Path, count: int) -> None:
    """Writes so many runs of a form of FORMS below a directory. Their contents differ, and are equal in each call."""
    FORMS[form](directory, count)


def write_big(form: str, directory: Path, steps: int, lines: int) -> Path:
    """Writes one file of a form of SINGLE_FILES with so many steps, each result of so many lines. Returns it."""
    suffix, make = SINGLE_FILES[form]
    path = directory / f"lab__big-1{suffix}"
    with path.open("w", encoding="utf-8") as file:
        file.writelines(make(random.Random(1), steps, lines))
    return path


def json_texts(directory: Path) -> Iterator[str]:
    """All JSON values in the files below a directory, for parsers."""
    for path in sorted(directory.rglob("*.*")):
        if path.suffix == ".eval":
            with zipfile.ZipFile(path) as packed:
                yield from (packed.read(name).decode() for name in packed.namelist())
        elif path.suffix in {".jsonl", ".cast"}:
            yield from path.read_text().splitlines()
        elif path.suffix in {".json", ".traj"}:
            yield path.read_text()


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


def _list(before: str, entries: Iterator[Any], after: str) -> Iterator[str]:
    """The pieces of a JSON list between two texts."""
    yield before
    for number, entry in enumerate(entries):
        yield f"{',' if number else ''}{json.dumps(entry)}"
    yield after


def _lines(entries: Iterator[Any]) -> Iterator[str]:
    return (f"{json.dumps(entry)}\n" for entry in entries)


def _stamp(number: int) -> str:
    return f"2026-01-31T12:{number // 60 % 60:02d}:{number % 60:02d}Z"


# --- one file for each run ---


def _atif(chance: random.Random, steps: int, lines: int) -> Iterator[str]:
    about = {
        "schema_version": "ATIF-v1.7",
        "agent": {"name": "a", "version": "1", "model_name": "lab/m"},
        "extra": {"workdir": "/app"},
        "steps": [],
    }
    return _list(json.dumps(about)[:-2], _atif_steps(chance, steps, lines), "]}")


def _atif_steps(chance: random.Random, steps: int, lines: int) -> Iterator[dict[str, Any]]:
    yield {"step_id": 1, "source": "user", "message": _TASK}
    for number in range(2, steps + 2):
        call = {
            "tool_call_id": f"c{number}",
            "function_name": "bash",
            "arguments": {"command": _command(chance, number)},
        }
        yield {
            "step_id": number,
            "timestamp": _stamp(number),
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


def _mini(chance: random.Random, steps: int, lines: int) -> Iterator[str]:
    info = {"exit_status": "Submitted", "model_stats": {"instance_cost": 0.4, "api_calls": steps}}
    about = {"info": info, "trajectory_format": "mini-swe-agent-1.1", "messages": []}
    return _list(json.dumps(about)[:-2], _mini_messages(chance, steps, lines), "]}")


def _mini_messages(chance: random.Random, steps: int, lines: int) -> Iterator[dict[str, Any]]:
    yield from ({"role": "system", "content": "s"}, {"role": "user", "content": _TASK})
    for number in range(steps):
        command = json.dumps({"command": _command(chance, number)})
        usage = {"prompt_tokens": 1000, "completion_tokens": 50}
        yield {
            "role": "assistant",
            "content": _text(chance, 2),
            "tool_calls": [{"id": f"c{number}", "function": {"name": "bash", "arguments": command}}],
            "extra": {"response": {"usage": usage}, "cost": 0.01, "timestamp": 1769860800 + number},
        }
        shown = {"raw_output": "", "returncode": 0, "exception_info": ""}
        content = f"<returncode>0</returncode>\n{_text(chance, lines)}"
        yield {"role": "tool", "tool_call_id": f"c{number}", "content": content, "extra": shown}


def _chat_log(chance: random.Random, steps: int, lines: int) -> Iterator[str]:
    return _list("[", _mini_messages(chance, steps, lines), "]")


def _swe_agent(chance: random.Random, steps: int, lines: int) -> Iterator[str]:
    turns = (
        {
            "action": _command(chance, number),
            "observation": _text(chance, lines),
            "thought": _text(chance, 2),
            "execution_time": 0.5,
            "state": {"working_dir": "/testbed"},
        }
        for number in range(steps)
    )
    history = json.dumps([{"role": "user", "content": _TASK}])
    return _list('{"trajectory": [', turns, f'], "history": {history}, "info": {{}}}}')


def _claude_code(chance: random.Random, steps: int, lines: int) -> Iterator[str]:
    return _lines(_claude_code_lines(chance, steps, lines))


def _claude_code_lines(chance: random.Random, steps: int, lines: int) -> Iterator[dict[str, Any]]:
    session = f"{chance.getrandbits(64):016x}"
    same = {"sessionId": session, "cwd": "/app", "version": "2.1.0", "timestamp": _stamp(0)}
    yield {**same, "type": "user", "uuid": "u0", "message": {"role": "user", "content": _TASK}}
    for number in range(steps):
        command = {"command": _command(chance, number)}
        call = {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": command}
        content = [{"type": "text", "text": _text(chance, 2)}, call]
        usage = {"input_tokens": 100, "cache_read_input_tokens": 900, "output_tokens": 50}
        message = {"id": f"m{number}", "role": "assistant", "model": "m", "content": content, "usage": usage}
        yield {**same, "type": "assistant", "uuid": f"a{number}", "message": message}
        result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": _text(chance, lines)}
        message = {"role": "user", "content": [result]}
        yield {**same, "type": "user", "uuid": f"r{number}", "message": message}


def _codex(chance: random.Random, steps: int, lines: int) -> Iterator[str]:
    entries = _codex_items(chance, steps, lines)
    return _lines({"timestamp": _stamp(0), "type": kind, "payload": one} for kind, one in entries)


def _codex_items(chance: random.Random, steps: int, lines: int) -> Iterator[tuple[str, dict[str, Any]]]:
    session = f"{chance.getrandbits(64):016x}"
    yield "session_meta", {"id": session, "cwd": "/app", "cli_version": "0.58.0", "timestamp": _stamp(0)}
    content = [{"type": "input_text", "text": _TASK}]
    yield "response_item", {"type": "message", "role": "user", "content": content}
    for number in range(steps):
        command = json.dumps({"command": ["bash", "-lc", _command(chance, number)]})
        call = {"type": "function_call", "call_id": f"c{number}", "name": "shell", "arguments": command}
        yield "response_item", call
        usage = {"input_tokens": 1000, "cached_input_tokens": 900, "output_tokens": 50, "total_tokens": 1050}
        total = {name: value * (number + 1) for name, value in usage.items()}
        counted = {"last_token_usage": usage, "total_token_usage": total}
        yield "event_msg", {"type": "token_count", "info": counted}
        shown = {"output": _text(chance, lines), "metadata": {"exit_code": 0, "duration_seconds": 0.1}}
        output = {"type": "function_call_output", "call_id": f"c{number}", "output": json.dumps(shown)}
        yield "response_item", output


def _openhands(chance: random.Random, steps: int, lines: int) -> Iterator[str]:
    return _list("[", _openhands_events(chance, steps, lines), "]")


def _openhands_events(chance: random.Random, steps: int, lines: int) -> Iterator[dict[str, Any]]:
    same = {"timestamp": "2026-01-31T12:00:00", "source": "agent"}
    yield {**same, "id": 0, "source": "user", "action": "message", "args": {"content": _TASK}}
    for number in range(1, steps + 1):
        args = {"command": _command(chance, number), "thought": _text(chance, 2)}
        yield {**same, "id": 2 * number, "action": "run", "args": args}
        shown = {"observation": "run", "content": _text(chance, lines), "extras": {"exit_code": 0}}
        yield {**same, "id": 2 * number + 1, "cause": 2 * number, **shown}


# Each with the end of the names of its files.
SINGLE_FILES: dict[str, tuple[str, Make]] = {
    "atif": (".json", _atif),
    "mini-swe-agent": (".traj.json", _mini),
    "swe-agent": (".traj", _swe_agent),
    "claude-code": (".jsonl", _claude_code),
    "codex": (".jsonl", _codex),
    "openhands": (".json", _openhands),
    "chat-log": (".json", _chat_log),
}


def _single_files(form: str) -> Write:
    suffix, make = SINGLE_FILES[form]

    def write(directory: Path, count: int) -> None:
        for number in range(count):
            text = "".join(make(random.Random(number), STEPS, LINES))
            (directory / f"lab__one-{number}{suffix}").write_text(text)

    return write


# --- several files for each run, or several runs in each file ---


def _inspect(directory: Path, count: int) -> None:
    about = {"run_id": "r", "created": _stamp(0), "task": "lab/made", "model": "lab/m"}
    for first in range(0, count, _SAMPLES):
        said = {**about, "solver": f"agent-{first}"}
        samples = [
            _sample(random.Random(number), number) for number in range(first, min(first + _SAMPLES, count))
        ]
        with zipfile.ZipFile(directory / f"{first}.eval", "w", zipfile.ZIP_DEFLATED) as packed:
            for sample in samples:
                packed.writestr(f"samples/{sample['id']}_epoch_1.json", json.dumps(sample))
            short = [
                {name: one[name] for name in ("id", "epoch", "scores", "model_usage")} for one in samples
            ]
            packed.writestr("summaries.json", json.dumps(short))
            packed.writestr("header.json", json.dumps({"version": 2, "status": "success", "eval": said}))


def _sample(chance: random.Random, sample: int) -> dict[str, Any]:
    """A sample as Inspect writes it: each request has all messages, and says which of the pool they are."""
    pool: list[dict[str, Any]] = [{"role": "user", "id": "u", "content": _TASK}]
    events: list[dict[str, Any]] = []
    times = {"timestamp": "2026-01-02T03:04:05+00:00", "completed": "2026-01-02T03:04:07+00:00"}
    usage = {"input_tokens": 1000, "output_tokens": 50, "total_tokens": 1050}
    for number in range(STEPS):
        command = {"command": _command(chance, number)}
        call = {"id": f"c{number}", "function": "bash", "type": "function", "arguments": command}
        said = {"role": "assistant", "id": f"m{number}", "content": _text(chance, 2), "tool_calls": [call]}
        output = {"model": "m", "choices": [{"message": said, "stop_reason": "tool_calls"}], "usage": usage}
        refs = [[0, len(pool)]]
        events.append(
            {"event": "model", "model": "m", "input": [], "input_refs": refs, "output": output, **times}
        )
        shown = _text(chance, LINES)
        events.append({**call, "event": "tool", "result": shown, "working_time": 0.5, **times})
        pool += [said, {"role": "tool", "id": f"t{number}", "tool_call_id": call["id"], "content": "shown"}]
    return {
        "id": f"made-{sample}",
        "epoch": 1,
        "input": _TASK,
        "target": "",
        "scores": {"tests": {"value": "C"}},
        "model_usage": {"lab/m": {name: STEPS * value for name, value in usage.items()}},
        "messages": [],
        "events": events,
        "events_data": {"messages": pool, "calls": []},
        "attachments": {},
    }


def _harbor(directory: Path, count: int) -> None:
    for number in range(count):
        home = directory / "job" / f"made-{number}__A"
        (home / "agent").mkdir(parents=True)
        (home / "agent" / "trajectory.json").write_text("".join(_atif(random.Random(number), STEPS, LINES)))
        result = {
            "task_name": f"made-{number}",
            "trial_name": home.name,
            "source": "made",
            "agent_info": {"name": "a", "version": "1", "model_info": {"name": "m", "provider": "lab"}},
            "agent_result": {
                "n_input_tokens": 1000,
                "n_cache_tokens": 900,
                "n_output_tokens": 50,
                "cost_usd": 0.4,
            },
            "verifier_result": {"rewards": {"reward": 1.0}},
            "started_at": _stamp(0),
            "finished_at": _stamp(STEPS),
        }
        (home / "result.json").write_text(json.dumps(result))


def _terminal_bench(directory: Path, count: int) -> None:
    trials = [_trial(directory, random.Random(number), number) for number in range(count)]
    (directory / "results.json").write_text(json.dumps({"results": trials}))
    about = {
        "run_id": "r",
        "dataset_name": "made",
        "dataset_version": "1",
        "agent_name": "a",
        "model_name": "m",
    }
    (directory / "run_metadata.json").write_text(json.dumps(about))


def _trial(directory: Path, chance: random.Random, number: int) -> dict[str, Any]:
    task, name = f"made-{number}", f"made-{number}.1-of-1.r"
    logs = directory / task / name / "agent-logs"
    prompt = _TASK
    for episode in range(STEPS):
        home = logs / f"episode-{episode}"
        home.mkdir(parents=True)
        (home / "prompt.txt").write_text(prompt)
        commands = [{"keystrokes": f"{_command(chance, episode)}\n", "duration": 0.5}]
        said = {
            "analysis": _text(chance, 1),
            "plan": _text(chance, 1),
            "commands": commands,
            "task_complete": False,
        }
        (home / "response.txt").write_text(json.dumps(said))
        usage = {"prompt_tokens": 1000, "completion_tokens": 50}
        log = {
            "original_response": json.dumps({"created": 1_767_323_045, "usage": usage}),
            "llm_api_duration_ms": 1500,
        }
        (home / "debug.json").write_text(json.dumps(log))
        prompt = _text(chance, LINES)
    return {
        "trial_name": name,
        "task_id": task,
        "instruction": _TASK,
        "is_resolved": True,
        "failure_mode": "unset",
        "parser_results": {"test_a": "passed"},
        "total_input_tokens": 1000 * STEPS,
        "total_output_tokens": 50 * STEPS,
    }


FORMS: dict[str, Write] = {
    **{form: _single_files(form) for form in SINGLE_FILES},
    "inspect": _inspect,
    "harbor": _harbor,
    "terminal-bench": _terminal_bench,
}
