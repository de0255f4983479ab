"""The steps of Terminal-Bench's trials: of the episodes that its own agents log, or of what was typed."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from harness.records import Metrics, Step, ToolCall, ToolResult
from harness.redaction import Redactor
from runs.data.replay.terminal_recording import (
    RecordedEvent,
    RecordingRefused,
    plain,
    recorded_events,
    shown_lines,
)
from runs.intake.reported.report_document import (
    is_plain_directory,
    is_plain_file,
    json_in,
    pick,
    pick_first,
    pick_list,
    text_of,
)
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers.chat_messages import chat_usage
from runs.intake.reported.step_readers.json_part import JsonPart, opened
from runs.intake.reported.step_readers.step_builder import (
    SHOWN_WITH_LAST,
    UNKNOWN,
    StepBuilder,
    amount,
    call_of,
    moment,
)
from runs.intake.reported.trajectory import ReadStep, WriteFile

_TYPED, _COMPLETE = "bash_command", "mark_task_complete"  # as Harbor calls what the same agent does there
_PROMPT, _RESPONSES, _DEBUG = "prompt.txt", ("response.txt", "response.json"), "debug.json"
_EPISODE = re.compile(r"episode-([0-9]{1,6})")
_MAX_TEXT = 16 * 1024**2  # bytes of a prompt or a response
_MAX_SHOWN = 200_000  # characters that a terminal shows after one command
_MAX_LINE_LENGTH = 100_000
_MAX_TYPED = 2_000  # characters of a line of the harness
_RECORDER = "asciinema rec"
# What the harness itself types to install the agent and to start the tests.
_OF_HARNESS = re.compile(
    r"(?:source|\.|bash|sh)\s+(?:/installed-agent/[\w./-]+|/tests/run-tests\.sh)"
    r"(?:\s*(?:&&|\|\||;)\s*(?:echo\s+['\"]?[\w ]{1,80}['\"]?|tmux wait -S \w+))*"
)


class Episode(NamedTuple):
    """The directory of one response, its place for messages, and the names of its files; links are none."""

    home: Path
    place: str
    names: frozenset[str]

    @property
    def response(self) -> str:
        """The name of the file with the response; '' without one."""
        return next((name for name in _RESPONSES if name in self.names), "")

    def paths(self) -> dict[str, Path]:
        """The files from which steps are read, by their place."""
        names = [name for name in (_PROMPT, *_RESPONSES) if name in self.names]
        return {f"{self.place}/{name}": self.home / name for name in names}

    def text(self, name: str) -> str:
        """The text of a file; '' if it is not there. Raises ResultsRefused."""
        return _text(f"{self.home}/{name}", f"{self.place}/{name}") if name in self.names else ""


class TrialFiles(NamedTuple):
    """The directory of a trial, its place for messages, and what the task says."""

    home: Path
    place: str
    instruction: str

    @property
    def recording(self) -> Path:
        """What the agent's terminal showed."""
        return self.home / "sessions" / "agent.cast"

    @property
    def commands(self) -> Path:
        """What the harness and the agent typed."""
        return self.home / "commands.txt"

    @property
    def screen(self) -> Path:
        """What the agent's terminal showed at its end."""
        return self.home / "panes" / "post-agent.txt"

    def episodes(self) -> list[Episode]:
        """The responses, in their order; the only one for agents that have no episodes.

        Each directory is listed once, instead of asking for each of its files.
        """
        logs, place = self.home / "agent-logs", f"{self.place}/agent-logs"
        names = _names(logs, os.DirEntry.is_dir) if is_plain_directory(logs) else ()
        found = sorted((int(match[1]), name) for name in names if (match := _EPISODE.fullmatch(name)))
        homes = [(logs / name, f"{place}/{name}") for _, name in found] or [(logs, place)]
        episodes = [Episode(home, at, _names(home, os.DirEntry.is_file)) for home, at in homes]
        return [episode for episode in episodes if episode.response]

    def where(self, path: Path) -> str:
        """The place of a file of the trial."""
        return f"{self.place}/{path.relative_to(self.home)}"


def _names(directory: Path, is_wanted: Callable[..., bool]) -> frozenset[str]:
    """The names of what is in a directory and is no link; none if it is unreadable."""
    try:
        with os.scandir(directory) as entries:
            return frozenset(entry.name for entry in entries if is_wanted(entry, follow_symlinks=False))
    except OSError:
        return frozenset()


def trial_steps(trial: TrialFiles) -> Iterator[ReadStep]:
    """The steps of a trial, from the best source that it has. Raises ResultsRefused."""
    builder = StepBuilder(trial.place)
    if episodes := trial.episodes():
        yield from map(ReadStep, _of_episodes(builder, trial, episodes))
    else:
        yield from map(ReadStep, builder.says("user", trial.instruction))
        yield from map(ReadStep, _of_terminal(builder, trial))
    yield from map(ReadStep, builder.end())


def stored_recording(trial_recording: Path, place: str) -> WriteFile:
    """What writes a recording as it is stored, without what was typed and without secrets."""
    return partial(_write_recording, trial_recording, place)


def _write_recording(path: Path, place: str, target: Path, redactor: Redactor) -> None:
    try:
        with target.open("wb") as file:
            for line in shown_lines(path):
                file.write(redactor.text(line).encode("utf-8", "replace") + b"\n")
    except RecordingRefused as error:
        raise _refusal(place, error) from error


def _refusal(place: str, error: RecordingRefused) -> ResultsRefused:
    return ResultsRefused(f"{place}, {error.where}" if error.where else place, str(error))


# --- episodes ---


def _of_episodes(builder: StepBuilder, trial: TrialFiles, episodes: Sequence[Episode]) -> Iterator[Step]:
    for episode in episodes:
        prompt = episode.text(_PROMPT)
        if builder.waits:  # the screen after all commands: that of the last one
            yield from _shows(builder, prompt)
        else:
            yield from builder.says("user", prompt)
        yield from _responds(builder, episode)
    screen = trial.screen
    if builder.waits and is_plain_file(screen) and (shown := _text(screen, trial.where(screen))):
        yield from _shows(builder, shown)


def _shows(builder: StepBuilder, screen: str) -> Iterator[Step]:
    """The screen after all calls of the current step is the result of the last one."""
    *others, last = builder.open_calls
    for call_id in others:
        yield from builder.returns(ToolResult(call_id, SHOWN_WITH_LAST, None, None))
    yield from builder.returns(ToolResult(last, screen.rstrip("\n"), None, None))


def _responds(builder: StepBuilder, episode: Episode) -> Iterator[Step]:
    message, calls = typed_calls(episode.text(episode.response))
    log = _debug(episode)
    yield from builder.responds(message, reasoning=log.reasoning, calls=calls, metrics=log.metrics, at=log.at)


def typed_calls(text: str) -> tuple[str, list[ToolCall]]:
    """The message and the calls in a response of the agent Terminus, which writes both as JSON or XML."""
    said = _object_in(text) or _elements_in(text)
    message = "\n".join(
        f"{title}: {value}"
        for title, names in (("Analysis", ("analysis", "state_analysis")), ("Plan", ("plan", "explanation")))
        for value in [next((said[name] for name in names if isinstance(said.get(name), str)), "")]
        if value
    )
    return (message, list(_calls(said))) if said else (text, [])


def _calls(said: dict[str, Any]) -> Iterator[ToolCall]:
    for command in pick_list(said, "commands"):
        if isinstance(command, str):
            yield call_of("", _TYPED, {"keystrokes": command})
        elif isinstance(command, dict) and "keystrokes" in command:
            yield call_of("", _TYPED, command)
    if any(said.get(name) is True for name in ("task_complete", "is_task_complete")):
        yield call_of("", _COMPLETE, {})


def _object_in(text: str) -> dict[str, Any]:
    """The object in a response, which may have words around it; an empty one if there is none."""
    start, end = text.find("{"), text.rfind("}")
    value = json_in(text[start : end + 1]) if 0 <= start < end else None
    return value if isinstance(value, dict) else {}


def _elements_in(text: str) -> dict[str, Any]:
    """The parts of a response in XML."""
    if "<response>" not in text:
        return {}
    said: dict[str, Any] = {name: _between(text, f"<{name}>", f"</{name}>") for name in ("analysis", "plan")}
    commands = []
    for part in text.split("<keystrokes")[1:]:
        keys = _between(part, ">", "</keystrokes>")
        if keys is not None:
            commands.append({"keystrokes": keys})
    complete = (_between(text, "<task_complete>", "</task_complete>") or "").strip().lower() == "true"
    return {**said, "commands": commands, "task_complete": complete}


def _between(text: str, begin: str, end: str) -> str | None:
    _, begun, rest = text.partition(begin)
    inner, ended, _ = rest.partition(end)
    return inner if begun and ended else None


class _Debug(NamedTuple):
    """What the log of a request says."""

    metrics: Metrics = UNKNOWN
    reasoning: str = ""
    at: str = ""


def _debug(episode: Episode) -> _Debug:
    """Usage, reasoning and time from LiteLLM's log of a request, without its headers and keys."""
    if _DEBUG not in episode.names:
        return _Debug()
    path, place = episode.home / _DEBUG, f"{episode.place}/{_DEBUG}"
    part = JsonPart.of(place, path.stat().st_size, partial(opened, path, place))
    log = part.fields(("original_response", "llm_api_duration_ms"))
    answer = json_in(log.get("original_response"))
    choice = pick_first(answer, "choices")
    milliseconds = amount(log.get("llm_api_duration_ms"))
    seconds = None if milliseconds is None else milliseconds / 1000
    metrics = chat_usage(pick(answer, "usage"), seconds=seconds, finish=pick(choice, "finish_reason"))
    return _Debug(
        metrics, text_of(pick(choice, "message", "reasoning_content")), moment(pick(answer, "created"))
    )


def _text(path: Path | str, place: str) -> str:
    """The text of a file. Raises ResultsRefused if it is too long.

    A file object for each of these small files, with a `Path` before it, would take twice as long.
    """
    file = os.open(path, os.O_RDONLY)
    try:
        size = os.fstat(file).st_size
        if size > _MAX_TEXT:
            raise ResultsRefused(place, f"it has more than {_MAX_TEXT:,} bytes")
        return os.read(file, size).decode("utf-8", "replace")
    finally:
        os.close(file)


# --- what was typed ---


def _of_terminal(builder: StepBuilder, trial: TrialFiles) -> Iterator[Step]:
    """One step for each command that was typed, with what the terminal showed. Which model wrote it is unknown."""
    count = 0
    if is_plain_file(trial.recording):
        for typed, shown in _commands_in_recording(trial):
            count += 1
            call = call_of("", _TYPED, {"keystrokes": typed})
            yield from builder.responds("", calls=[call], metrics=UNKNOWN)
            yield from builder.returns(ToolResult("", shown, None, None))
    if not count and is_plain_file(trial.commands):
        for typed in _commands_in_list(trial):
            count += 1
            call = call_of("", _TYPED, {"keystrokes": typed})
            yield from builder.responds("", calls=[call], metrics=UNKNOWN)
    if not count:
        yield from builder.says("system", "[only a recording of the terminal is known: its steps are not]")


def _commands_in_recording(trial: TrialFiles) -> Iterator[tuple[str, str]]:
    """What was typed, line by line, and what the terminal showed then."""
    try:
        yield from _typed_and_shown(recorded_events(trial.recording))
    except RecordingRefused as error:
        raise _refusal(trial.where(trial.recording), error) from error


def _typed_and_shown(events: Iterator[RecordedEvent]) -> Iterator[tuple[str, str]]:
    typed = ""
    shown: list[str] = []
    size = 0
    ended = False  # the line that was typed
    for event in events:
        if event.code == "i":
            if ended:
                yield from _command(typed, shown)
                typed, shown, size, ended = "", [], 0, False
            typed = (typed + event.text)[:_MAX_LINE_LENGTH]
            ended = event.text.endswith(("\r", "\n"))
        elif event.code == "o" and typed and size < _MAX_SHOWN:
            shown.append(event.text[: _MAX_SHOWN - size])
            size += len(shown[-1])
    yield from _command(typed, shown)


def _command(typed: str, shown: Sequence[str]) -> Iterator[tuple[str, str]]:
    keys = typed.replace("\r", "\n")
    if not _is_of_harness(keys):
        yield keys, plain("".join(shown))


def _is_of_harness(keys: str) -> bool:
    """Whether the harness typed this, which also clears the screen and ends the recording."""
    typed = keys.strip(" \n\x04")
    return typed in ("", "clear") or _OF_HARNESS.fullmatch(typed[:_MAX_TYPED]) is not None


def _commands_in_list(trial: TrialFiles) -> Iterator[str]:
    """The commands between the start of the agent's recording and that of the tests' one."""
    recordings = 0
    with trial.commands.open("rb") as file:
        for number, line in enumerate(iter(partial(file.readline, _MAX_LINE_LENGTH + 1), b""), 1):
            keys = _keys(
                line.decode("utf-8", "replace").strip(), f"{trial.where(trial.commands)}, line {number}"
            )
            if _RECORDER in keys:
                recordings += 1
                if recordings > 1:
                    return
            elif not _is_of_harness(keys):
                yield keys


def _keys(line: str, where: str) -> str:
    """What a line of `commands.txt` typed: a text or a list of texts, as Python writes them."""
    if not line:
        return ""
    try:
        value = ast.literal_eval(line) if line[0] in "['\"" and len(line) <= _MAX_LINE_LENGTH else None
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        value = None
    keys = [value] if isinstance(value, str) else value
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        raise ResultsRefused(where, "it is neither a text nor a list of texts, as Python writes them")
    return "".join("\n" if key == "Enter" else key for key in keys)
