"""Files of newer forms that are broken, odd or made to do harm: each is read as far as it says anything, or refused."""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.test import Client

from runs.intake.reported.checking_files import check_files
from runs.intake.reported.importing_files import REMEDY, import_files
from runs.intake.reported.reading import UNKNOWN, read_results
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.storing import store
from runs.models import Agent, Cell, Evaluation, LanguageModel, ResultReport, Run, TrajectorySource
from tasks.models import Dataset, Repository, Task
from tests.runs.intake.reported.made_results import reported, result
from tests.runs.intake.reported.made_trajectories import mini_trajectory
from tests.runs.intake.reported.step_readers.conversations.conversation_files import (
    CAST,
    CLINE_HISTORY,
    CLINE_SHOWN,
    CLINE_TASK,
    CLINE_USAGE,
    COPILOT,
    COPILOT_EDIT,
    GEMINI_HEAD,
    LANGFUSE,
    OTEL_SAID,
    PI_LINES,
    QWEN_LINES,
    cast,
    cline_said,
    cline_shown,
    copilot_request,
    gemini_call,
    langfuse_observation,
    otel_span,
    otel_trace,
    pi_message,
    qwen_line,
)
from tests.runs.intake.reported.step_readers.conversations.droid_files import STORED_LINES
from tests.runs.intake.reported.step_readers.conversations.kimi_files import CODE_LINES, HEAD, change, looped

pytestmark = pytest.mark.django_db

SCRIPT = "<script>alert(1)</script>"
ODD = f"\x1b[2J\x1b]0;a\x07{SCRIPT}\x00\u202e\ufeff"  # markup, escapes of terminals, NUL, text from right to left
HALF = "\ud83d"  # of a character
ROUTE = "../../../etc/passwd"
MANY = 2**60
SHOWN, HISTORY, CHATS = "ui_messages.json", "api_conversation_history.json", ".aider.chat.history.md"

# What refusals share.
NOBODY = "IN: no model responded in any of its files"
NO_TIME = "a.cast, line 2: its time is not a number of seconds of at least 0"
ALLOWED = " is invalid; allowed: a name of at most 150 characters that can be printed"

Content = Any
"""Of a file: bytes, a text, JSON lines as a tuple, other JSON as it is, or what makes something at a path."""


class Ran(NamedTuple):
    """What is stored of a run. None: it is unknown."""

    steps: int
    calls: int | None = 0
    sent: int | None = None
    received: int | None = None
    dollars: float | None = None


class Kind(NamedTuple):
    """Files by place, and what an import makes of them: the whole message that refuses them, or the runs."""

    files: Mapping[str, Content]
    outcome: str | list[Any]


def one(name: str, content: Content, outcome: Any) -> Kind:
    """A single file."""
    return Kind({name: content}, outcome if isinstance(outcome, str) else [outcome])


# --- what is in the files ---


def gemini(*messages: Any, **head: Any) -> dict[str, Any]:
    """A session of Gemini CLI."""
    return {**GEMINI_HEAD, **head, "messages": list(messages)}


def gemini_said(**values: Any) -> dict[str, Any]:
    return {"id": "1", "type": "gemini", "content": "a", **values}


def checkpoint(response: Any) -> list[Any]:
    """A checkpoint of Gemini CLI with a call and its result."""
    call, result = ({"name": "ls", "args": {}}, {"name": "ls", "response": response})
    return [
        {"role": "model", "parts": [{"functionCall": call}]},
        {"role": "user", "parts": [{"functionResponse": result}]},
    ]


def generation(**values: Any) -> dict[str, Any]:
    """A trace of Langfuse with one response."""
    return {**LANGFUSE, "observations": [langfuse_observation(1, "GENERATION", output="a", **values)]}


def inference_span(**attributes: str) -> dict[str, Any]:
    """A span of OpenInference with a request."""
    named = {"openinference.span.kind": "LLM", **attributes}
    listed = [{"key": name, "value": {"stringValue": value}} for name, value in named.items()]
    return {**otel_span(1), "attributes": listed}


def chat_span(second: int = 1, /, trace: str = "t-1", **attributes: Any) -> dict[str, Any]:
    """A span of OpenTelemetry with a response that has a call."""
    more = {"operation__name": "chat", "output__messages": OTEL_SAID, **attributes}
    return {**otel_span(second, **more), "traceId": trace}


def cline(*responses: Any) -> list[Any]:
    """A task of Cline."""
    return [cline_said("user", 100, CLINE_TASK), *responses]


def cline_calling(*ids: str, returned: tuple[str, ...] = (), given: Any = None) -> list[Any]:
    """A task of Cline with calls, and results with these ids."""
    calls = [{"type": "tool_use", "id": each, "name": "read_file", "input": given or {}} for each in ids]
    results = [{"type": "tool_result", "tool_use_id": each, "content": "x"} for each in returned]
    return cline({"role": "assistant", "content": calls}, {"role": "user", "content": results})


def aider(text: str) -> str:
    """A chat of Aider with a response."""
    return f"\n# aider chat started at 2026-01-31 12:00:00\n\n#### Fix add.  \n\n{text}"


def deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = {"a": value}
    return value


def link(target: str, path: Path) -> None:
    path.symlink_to(target)


def encoded(content: Any, encoding: str) -> bytes:
    """JSON lines in another encoding."""
    return "".join(f"{json.dumps(line)}\n" for line in content).encode(encoding)


# --- the table ---

TRAJECTORIES: Mapping[str, Kind] = {
    # Gemini CLI
    "results that are numbers": one("a.json", checkpoint(7), Ran(1, 1)),
    "results that are texts which name an error": one("a.json", checkpoint("error"), Ran(1, 1)),
    "results in two hundred levels": one("a.json", checkpoint(deep(200)), Ran(1, 1)),
    "negative, endless and true tokens": one(
        "a.json",
        b'{"sessionId": "s", "projectHash": "h", "messages": [{"type": "gemini", "content": "a", "tokens": '
        b'{"input": -1, "output": 1e400, "cached": true, "thoughts": NaN, "total": -Infinity}}]}',
        Ran(1),
    ),
    "a session that is taken back to where it is": one(
        "a.jsonl", (GEMINI_HEAD, gemini_said(), {"$rewindTo": "1"}, {"$rewindTo": "1"}), Ran(3)
    ),
    "a message that is written a thousand times": one(
        "a.jsonl", (GEMINI_HEAD, *[gemini_said(tokens={"input": 5, "output": 2})] * 1_000), Ran(1, 0, 5, 2)
    ),
    "times beyond the calendar and in nanoseconds": one(
        "a.json",
        gemini(*(gemini_said(timestamp=at) for at in ("+99999-01-01", "1769860800000000000", 10**18, [1]))),
        Ran(4),
    ),
    "a digest of its workspace that no directory has": one(
        "a.json",
        gemini(gemini_said(toolCalls=[gemini_call("ls", {"path": "/a" * 2_000})]), projectHash="0" * 64),
        Ran(1, 1),
    ),
    # Qwen Code
    "lines that are their own parents": one(
        "a.jsonl",
        (
            qwen_line("user", [{"text": "x"}], uuid="1", parentUuid="2"),
            qwen_line("assistant", [{"text": "a"}], uuid="2", parentUuid="1"),
        ),
        Ran(2),
    ),
    "a result before its call, and twice after it": one(
        "a.jsonl",
        (QWEN_LINES[2], QWEN_LINES[1], QWEN_LINES[2], QWEN_LINES[2]),
        Ran(3, 2, 100, 20),
    ),
    "a sub-agent whose name does harm": one(
        "a.jsonl",
        (
            qwen_line("assistant", [{"text": ODD}], isSidechain=True, agentId=ODD),
            qwen_line("assistant", [{"text": HALF}]),
        ),
        Ran(2),
    ),
    "lines that end in both ways, after a mark of the order of bytes": one(
        "a.jsonl", encoded(QWEN_LINES, "utf-8-sig").replace(b"\n", b"\r\n"), Ran(3, 2)
    ),
    "lines in UTF-16": one(
        "a.jsonl",
        encoded(QWEN_LINES, "utf-16"),
        "a.jsonl: it is not JSON: Extra data: line 2 column 1 (char 221)",
    ),
    # Pi
    "branches that grow from each other": one(
        "a.jsonl",
        (
            PI_LINES[0],
            {**pi_message("assistant", {"type": "text", "text": "a"}), "id": "1", "parentId": "2"},
            {**pi_message("assistant", {"type": "text", "text": "b"}), "id": "2", "parentId": "1"},
        ),
        Ran(2),
    ),
    "a last line that is cut within a character": one(
        "a.jsonl", encoded(PI_LINES[:3], "utf-8") + '{"type": "é'.encode()[:-1], Ran(2, 2, 30, 5, 0.25)
    ),
    "a line that is cut within a character": one(
        "a.jsonl",
        encoded(PI_LINES[:1], "utf-8") + '{"type": "é'.encode()[:-1] + b'"}\n' * 2,
        "a.jsonl, line 2: it is not JSON: 'utf-8' codec can't decode byte 0xc3 in position 10: "
        "invalid continuation byte",
    ),
    "a session in which nobody responded": one("a.jsonl", PI_LINES[:2], NOBODY),
    "a session that names itself twice": one("a.jsonl", (PI_LINES[0], *PI_LINES), Ran(3, 2, 90, 11)),
    "tokens that are true, in lists and beyond all": one(
        "a.jsonl",
        (
            PI_LINES[0],
            pi_message("assistant", {"type": "text", "text": "a"}, usage={"input": True, "output": [1]}),
            pi_message("assistant", usage={"input": MANY, "output": 5, "cost": {"total": "1"}}),
        ),
        Ran(2),
    ),
    # Cline and Roo Code
    "a directory in place of what is shown": Kind(
        {HISTORY: CLINE_HISTORY, f"{SHOWN}/a.txt": "x"}, [Ran(4, 3)]
    ),
    "a link in place of what is shown": Kind(
        {HISTORY: CLINE_HISTORY, SHOWN: partial(link, "/etc/passwd")}, [Ran(4, 3)]
    ),
    "broken messages beside good ones": Kind(
        {HISTORY: CLINE_HISTORY, SHOWN: "[{"},
        "ui_messages.json: it is not JSON: Expecting property name enclosed in double quotes: line 1 column 3 (char 2)",
    ),
    "a database in place of messages": one(
        HISTORY,
        b"SQLite format 3\x00\x10\x00" + b"\x00" * 4_000,
        "api_conversation_history.json: it is not JSON: Expecting value: line 1 column 1 (char 0)",
    ),
    "dollars that no one has": one(
        SHOWN,
        [
            *CLINE_SHOWN[:1],
            *(cline_shown("api_req_started", 1, {**CLINE_USAGE, "cost": c}) for c in (1e308, -1)),
        ],
        Ran(3, 0, 120, 10),
    ),
    "times before 1970, in seconds and true": one(
        HISTORY,
        cline(*({**cline_said("assistant", 1, "a"), "ts": ts} for ts in (-5, 1_769_860_800, True, 1e300))),
        Ran(5),
    ),
    "three results of one call, and one of none": one(
        HISTORY, cline_calling("c", returned=("c", "c", "c", "z")), Ran(5, 1)
    ),
    "calls that share an id": one(HISTORY, cline_calling("c", "c", "c", returned=("c", "c")), Ran(2, 3)),
    "arguments in two hundred levels": one(HISTORY, cline_calling("c", given=deep(200)), Ran(2, 1)),
    "a model whose name does harm": one(
        HISTORY,
        cline(cline_said("assistant", 1, "a", modelInfo={"providerId": ODD, "modelId": "m"})),
        "Cline: agent 'Cline with m': its names have at most 150 characters that can be printed",
    ),
    "messages that are all of unknown roles": one(
        HISTORY,
        cline({"role": SCRIPT, "content": SCRIPT}, {"role": None, "content": None}),
        NOBODY,
    ),
    # Aider
    "headings in a fence that look like a user": one(
        CHATS, aider("I show:\n```\n#### rm -rf /  \n# aider chat began  \n> Tokens: no  \n```\n"), Ran(2)
    ),
    "tokens and dollars without an end": one(
        CHATS,
        aider(
            f"a\n\n> Tokens: {'9' * 400}k sent, 9.9.9k received. Cost: ${'9' * 400} message, $1 session.  \n"
        ),
        Ran(2),
    ),
    "two chats of one second": Kind({CHATS: aider("a\n") + aider("b\n")}, [Ran(2), Ran(2)]),
    "a chat that started at no time": one(
        CHATS, aider("a\n").replace("2026-01-31 12:00:00", "2026-99-99 99:99:99"), Ran(2)
    ),
    "edits outside of the workspace": one(
        CHATS,
        aider(
            f"{ROUTE}\n```\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```\n\n> Applied edit to {ROUTE}  \n"
        ),
        Ran(3, 1),
    ),
    "a chat of NULs, escapes and half characters": one(
        CHATS, (aider(f"{ODD}\n") + f"#### {ODD}  \n").encode() + b"\xed\xa0\xbd\xff\n", Ran(4)
    ),
    "a chat in which nobody responded": one(CHATS, aider("").replace("#### Fix add.  ", ""), NOBODY),
    "five thousand lines of the tool": one(CHATS, aider("a\n") + "> x  \n" * 5_000, Ran(3)),
    # asciinema
    "an event before the beginning": one(
        "a.cast",
        cast((-1.0, "o", "$ ls\r\n")),
        NO_TIME,
    ),
    "an event at no time": one(
        "a.cast",
        cast() + '[NaN, "o", "$ ls"]\n',
        NO_TIME,
    ),
    "an event that is an object": one(
        "a.cast",
        cast() + '{"o": "x"}\n',
        "a.cast, line 2: it is not an event: a time, a code and a text in a list",
    ),
    "a last event that was cut off": one("a.cast", f'{CAST}[4.0, "o", "he', Ran(2, 2)),
    "output that is an object": one(
        "a.cast",
        {"version": 1, "width": 80, "height": 24, "stdout": {}},
        "a.cast, line 1: its 'stdout' is not a list",
    ),
    "a terminal of a million columns": one(
        "a.cast",
        cast((1, "o", "x"), width=10**6),
        "a.cast, line 1: the size of its terminal is not from 1 to 1000 columns and 500 rows",
    ),
    "pauses of a year each": one(
        "a.cast",
        cast(*[(3e7, "o", "$ ls\r\n")] * 50, version=3, term={"cols": 80, "rows": 24}),
        Ran(50, 50),
    ),
    "output that comes letter by letter": one("a.cast", cast(*[(0.1, "o", "x")] * 2_000), Ran(1, None)),
    "a typed line of five thousand erasures": one(
        "a.cast",
        cast((1, "i", "ab\x7f" * 2_000 + "\x7f" * 3_000 + "ls\r"), (1, "o", "ls\r\n")),
        Ran(1, 1),
    ),
    "output that does harm": one("a.cast", cast((1, "o", f"$ echo {ODD}\r\n{ODD}")), Ran(1, 1)),
    "a pipe beside a recording": Kind({"a.cast": CAST, "b.cast": os.mkfifo}, [Ran(2, 2)]),
    # OpenTelemetry
    "spans that are their own parents": one(
        "a.json",
        otel_trace(
            {**chat_span(1), "spanId": "1", "parentSpanId": "2"},
            {**chat_span(2), "spanId": "2", "parentSpanId": "1"},
            {**chat_span(3), "parentSpanId": "gone"},
        ),
        Ran(3, 3),
    ),
    "the name of a trace that no database stores": Kind(
        {
            "a.json": otel_trace(
                *(chat_span(1, trace=trace, conversation__id="c") for trace in (f"a\0{HALF}", "b" * 1_000))
            )
        },
        [Ran(1, 1), Ran(1, 1)],
    ),
    "a thousand and one traces": one(
        "a.json",
        otel_trace(*(chat_span(1, trace=str(number)) for number in range(1_001))),
        "a.json: it has more than 1,000 traces: export fewer of them at once",
    ),
    "times of forty digits, and an end before the beginning": one(
        "a.json",
        otel_trace(
            {**chat_span(1), "startTimeUnixNano": "9" * 40, "endTimeUnixNano": -1},
            {**chat_span(2), "endTimeUnixNano": "1"},
        ),
        Ran(2, 2),
    ),
    "tokens in foreign digits and in words": one(
        "a.json", otel_trace(chat_span(1, usage__input_tokens="٣٤", usage__output_tokens="1e3")), Ran(1, 1)
    ),
    "attributes in three hundred levels": one(
        "a.json",
        otel_trace(
            {
                **chat_span(1),
                "attributes": [
                    *chat_span(1)["attributes"],
                    {"key": "gen_ai.system", "value": {"kvlistValue": deep(300)}},
                ],
            }
        ),
        Ran(1, 1),
    ),
    "spans that are no objects": one(
        "a.json",
        otel_trace(7, [chat_span()], None, chat_span()),  # type: ignore[arg-type]
        Ran(1, 1),
    ),
    "a call without a response": one(
        "a.json", otel_trace(otel_span(1, operation__name="execute_tool", tool__name=SCRIPT)), Ran(1, 1)
    ),
    "messages of OpenInference with odd numbers": one(
        "a.json",
        otel_trace(
            inference_span(
                **{
                    "llm.input_messages.99999.message.role": "user",
                    "llm.input_messages.99999.message.content": ODD,
                    "llm.input_messages.٣.message.content": "x",
                    f"llm.input_messages.{'9' * 400}.message.content": "x",
                    "llm.output_messages.0.message.tool_calls.7.tool_call.function.arguments": json.dumps(
                        deep(300)
                    ),
                    "llm.token_count.prompt": "9" * 400,
                    "llm.token_count.completion": "-1",
                }
            )
        ),
        Ran(3, 1),
    ),
    "a thousand requests around one": one(
        "a.json",
        otel_trace(
            *({**chat_span(1), "spanId": f"{at}", "parentSpanId": f"{at - 1}"} for at in range(1_000))
        ),
        Ran(1, 1),
    ),
    # Langfuse
    "generations that are around each other": one(
        "a.json",
        {
            **LANGFUSE,
            "observations": [
                {
                    **langfuse_observation(at, "GENERATION", output="a"),
                    "id": f"{at}",
                    "parentObservationId": f"{3 - at}",
                }
                for at in (1, 2)
            ],
        },
        Ran(2),
    ),
    "events of a call without their beginning": one(
        "a.json",
        {
            **LANGFUSE,
            "observations": [
                langfuse_observation(1, "GENERATION", output="a"),
                {**langfuse_observation(2, "TOOL", output=deep(300)), "name": f"{ODD}.success-{'9' * 9}"},
                {**langfuse_observation(3, "TOOL"), "name": "ls.finish-1"},
            ],
        },
        Ran(1, 1),
    ),
    # Kimi
    "a session of Kimi Code that was cut in a line": one(
        "a.jsonl", "".join(f"{json.dumps(line)}\n" for line in CODE_LINES)[:-100], Ran(5, 2, 100, 20)
    ),
    "a sub-agent that is a link to a file elsewhere": Kind(
        {
            "agents/main/wire.jsonl": CODE_LINES,
            "agents/agent-0/wire.jsonl": partial(link, "/etc/passwd"),
            "agents/agent-1": partial(link, "/etc"),
        },
        [Ran(5, 2, 200, 26)],
    ),
    "a state of a session that is a list": Kind(
        {"s/agents/main/wire.jsonl": CODE_LINES, "s/state.json": [1]},
        "s/state.json: it is not an object",
    ),
    "a session of Kimi of odd values": one(
        "a.jsonl",
        (
            HEAD,
            change(
                1, "context.append_message", message={"role": "user", "content": deep(300), "origin": [1]}
            ),
            change(1, "context.append_message", message={"role": "user", "content": f"{ODD}\0{HALF}"}),
            change(10**15, "llm.request", model=[1]),
            looped(2, "tool.call", toolCallId={"a": 1}, name=SCRIPT, args=deep(300)),
            looped(3, "tool.result", toolCallId={"a": 1}, result=[ODD], uuid=7),
            looped(4, "step.end", usage={"inputOther": MANY, "output": -1, "inputCacheRead": "9"}),
            change(5, "usage.record", usage=[1]),
        ),
        Ran(3, 1),
    ),
    # Droid
    "settings that are a directory": Kind({"a.jsonl": STORED_LINES, "a.settings.json/b": "x"}, [Ran(6, 2)]),
    "settings of odd values": Kind(
        {
            "a.jsonl": STORED_LINES,
            "a.settings.json": {
                "model": [1],
                "assistantActiveTimeMs": "x",
                "tokenUsage": {"inputTokens": MANY},
            },
        },
        [Ran(6, 2)],
    ),
    "a session of Droid of odd values": one(
        "a.jsonl",
        (
            STORED_LINES[0],
            {
                "type": "message",
                "message": {"role": "user", "content": [7, None, deep(300), f"{ODD}\0{HALF}"]},
            },
            {
                "type": "message",
                "message": {"role": "assistant", "content": [[1], {"type": "tool_use", "id": [1]}]},
            },
            {"type": "message", "message": {"role": "assistant", "content": "<system-reminder>" * 5_000}},
            {
                "type": "message",
                "message": {"role": "user", "content": [{"type": "tool_result", "content": 7}]},
            },
        ),
        Ran(4, 1),
    ),
    "trillions of tokens": one(
        "a.json",
        {
            **LANGFUSE,
            "observations": [
                langfuse_observation(
                    number, "GENERATION", output="a", usage={"input": 2**52, "output": 2**52}
                )
                for number in range(9)
            ],
        },
        Ran(9),
    ),
    "more tokens than there are": one("a.json", generation(usage={"input": MANY, "output": -MANY}), Ran(1)),
    "a price of texts, and one without an end": one(
        "a.json", generation(costDetails={"total": "$1"}, calculatedTotalCost=10**400), Ran(1)
    ),
    "an end before the beginning": one("a.json", generation(endTime="1999-01-01T00:00:00Z"), Ran(1)),
    "the same trace twice": one("a.json", [LANGFUSE, LANGFUSE], Ran(4, 1)),
    "traces between other things": one(
        "a.json", [7, [LANGFUSE], {"id": 1}, LANGFUSE], "a.json, element 1: it is not an object"
    ),
    "a model of Langfuse whose name does harm": one(
        "a.json",
        generation(model=ODD),
        f"Langfuse: a.json, column 'agent': {f'Langfuse with {ODD.rpartition(chr(47))[2]}'!r}{ALLOWED}",
    ),
    # GitHub Copilot
    "a result that is a tree of twelve thousand leaves": one(
        "a.json",
        {
            **COPILOT,
            "requests": [
                copilot_request(
                    "x",
                    toolCallRounds=[{"response": "a", "toolCalls": [COPILOT_EDIT] * 3}],
                    toolCallResults={"c1": {"content": [{"value": {"children": [{"text": "x"}] * 12_000}}]}},
                )
            ],
        },
        Ran(2, 3),
    ),
    "a chat whose program does harm": one(
        "a.json",
        {**COPILOT, "responderUsername": ODD},
        f"GitHub Copilot: a.json, column 'agent': {f'{ODD} with claude-sonnet-4'!r}{ALLOWED}",
    ),
    "requests at times of the far future": one(
        "a.json",
        {**COPILOT, "requests": [{**copilot_request(ODD, {"value": "a"}), "timestamp": 10**300}]},
        Ran(2),
    ),
    "a request that is a number": one(
        "a.json", {**COPILOT, "requests": [*COPILOT["requests"], 7]}, "a.json, request 3: it is not an object"
    ),
    # directories
    "names that differ by case and by the form of their letters": Kind(
        {
            name: CAST.replace("Correct", name)
            for name in ("é.cast", unicodedata.normalize("NFD", "é.cast"), "É.cast")
        },
        [Ran(2, 2)] * 3,
    ),
    "a name of two hundred and fifty bytes": one("a" * 250 + ".cast", CAST, Ran(2, 2)),
    "a directory that has the name of a file": Kind({"a.json/b.cast": CAST}, [Ran(2, 2)]),
    "two hundred files of no form": Kind(
        {"a.cast": CAST, **{f"{number}.json": "{}" for number in range(200)}}, [Ran(2, 2)]
    ),
}

ONE, TWO, THREE = "django__django-1", "django__django-2", "astropy__astropy-3"
SUBMITTED = {"resolved": [ONE], "no_generation": [TWO], "no_logs": []}
REPORTED = {"submitted_ids": [ONE, TWO], "resolved": [ONE], "unresolved_ids": [TWO]}

# Outcomes without trajectories, for `import_results`. Read: how many are resolved, and how many are not.
RESULTS: Mapping[str, Kind] = {
    "a task that is resolved and was never generated": one(
        "results.json",
        {**SUBMITTED, "no_generation": [ONE]},
        "results.json: task 'django__django-1' is in 'resolved' and in 'no_generation'",
    ),
    "a task that is named three times": one("results.json", {**SUBMITTED, "resolved": [ONE] * 3}, (1, 1)),
    "tasks that differ only by case": one(
        "results.json",
        {**SUBMITTED, "resolved": ["a", "A"]},
        (2, 1),
    ),
    "a task whose name does harm": one(
        "results.json",
        {**SUBMITTED, "resolved": [ODD]},
        f"SWE-bench experiments: results.json, task {ODD!r}, column 'task': {ODD!r}{ALLOWED}",
    ),
    "a task whose name has half a character": one(
        "results.json",
        {**SUBMITTED, "resolved": [HALF]},
        f"SWE-bench experiments: results.json, task {HALF!r}, column 'task': {HALF!r}{ALLOWED}",
    ),
    "a task whose name leads elsewhere": one("results.json", {**SUBMITTED, "resolved": [ROUTE]}, (1, 1)),
    "a task that is an object": one(
        "results.json", {**SUBMITTED, "no_logs": [{"a": 1}]}, "results.json: 'no_logs' is not a list of texts"
    ),
    "logs that are a link to a directory elsewhere": Kind(
        {"a/results/results.json": SUBMITTED, "a/logs": partial(link, "/etc")}, [(1, 1)]
    ),
    "a list of submissions that was cut": one(
        "results.json",
        json.dumps(SUBMITTED)[:-9],
        "results.json: it is not JSON: Unterminated string starting at: line 1 column 75 (char 74)",
    ),
    "outcomes in words": one(
        "eval_results.json",
        {ONE: "yes", TWO: False},
        f"IN: {UNKNOWN}",
    ),
    "outcomes in numbers": one(
        "eval_results.json",
        {ONE: 1, TWO: 0},
        f"IN: {UNKNOWN}",
    ),
    "the same task twice, with other outcomes": one(
        "eval_results.json", f'{{"{ONE}": true, "{ONE}": false, "{TWO}": true}}', (1, 1)
    ),
    "a task that is resolved and unresolved": one(
        "final_report.json",
        {**REPORTED, "unresolved_ids": [ONE]},
        "final_report.json, unresolved_ids, task 'django__django-1': it is in two lists",
    ),
    "tasks that were submitted twice": one(
        "final_report.json", {**REPORTED, "submitted_ids": [ONE, ONE, TWO, THREE, THREE]}, (1, 2)
    ),
    "tasks that are a text": one(
        "final_report.json",
        {**REPORTED, "unresolved_ids": ONE},
        "final_report.json: 'unresolved_ids' is not a list of texts",
    ),
    "a report of nothing": one(
        "final_report.json",
        {"submitted_ids": [], "resolved": []},
        "Multi-SWE-bench: it has no row of results",
    ),
    "a packed report": one(
        "results.json",
        b"\x1f\x8b\x08\x00" + b"\x00" * 40,
        "results.json: it is not JSON: 'utf-8' codec can't decode byte 0x8b in position 1: invalid start byte",
    ),
}

# Outcomes beside trajectories, for a board. Read: how many trajectories are attached.
OUTCOMES: Mapping[str, Kind] = {
    "marks, empty lines and ends of both kinds": one(
        "outcomes.csv", "\ufeffinstance_id,resolved\r\n\r\nlab__one-1,true\n", 1
    ),
    "two columns of one meaning": one(
        "outcomes.csv",
        "task,instance_id,outcome\na,a,1\n",
        "outcomes.csv: column 'task': it is there 2 times",
    ),
    "two outcomes of one task": one(
        "outcomes.csv",
        "task,outcome\nlab__one-1,1\nlab/one-1,0\n",
        "lab__one-1: two outcomes of attempt 1: 'lab__one-1' of 'outcomes' and 'lab/one-1' of 'outcomes'",
    ),
    "an outcome that no one knows": one(
        "outcomes.csv",
        "task,outcome\nlab__one-1,perhaps\n",
        "outcomes.csv: row 2, column 'outcome': 'perhaps' is invalid; allowed: 1 or resolved, 0 or unresolved, "
        "infrastructure_failed, or unknown",
    ),
    "a table with a NUL": one(
        "outcomes.csv",
        "task,outcome\nlab__one-1,1\n\0\n",
        "outcomes.csv: row 3 has a NUL character: is it a text file?",
    ),
    "a table of a quote that never ends": one(
        "outcomes.csv",
        'task,outcome\n"lab__one-1,1\n',
        "outcomes.csv: row 2 is not one line of CSV: unexpected end of data",
    ),
    "a directory in place of the table": one(
        "outcomes.csv/a.txt", "x", "IN/outcomes.csv: there is no such file"
    ),
    "a pipe in place of the table": one("outcomes.csv", os.mkfifo, "IN/outcomes.csv: there is no such file"),
    "no table": one(
        "outcomes.json",
        "[]",
        f"IN/outcomes.json: {UNKNOWN}",
    ),
    "outcomes of other tasks": one("outcomes.csv", "task,outcome\nlab__two-1,1\n", 1),
}


def write(home: Path, kind: Kind) -> Path:
    """The directory with the files."""
    for place, content in kind.files.items():
        path = home / place
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif isinstance(content, str):
            path.write_bytes(content.encode())
        elif isinstance(content, tuple):
            path.write_bytes(encoded(content, "utf-8"))
        elif callable(content):
            content(path)
        else:
            path.write_text(json.dumps(content))
    return home


def stored() -> list[Ran]:
    """What the database says of each run with a trajectory."""
    names = ("steps", "tool_calls", "prompt_tokens", "completion_tokens", "cost_usd")
    return [Ran(*row) for row in Run.objects.exclude(directory="").order_by("pk").values_list(*names)]


def refusal(home: Path, read: Callable[[], object]) -> str:
    """Why it is refused; '' if it is read. A refusal is one sentence without the path of the test."""
    try:
        read()
    except ResultsRefused as refused:
        message = str(refused).replace("\n", " ")
        assert message.isprintable()
        return message.replace(str(home), "IN")
    return ""


def assert_nothing_is_stored(root: Path) -> None:
    for model in (Agent, Cell, Dataset, Evaluation, LanguageModel, Repository, ResultReport, Run, Task):
        assert not model._default_manager.exists(), model
    assert not TrajectorySource.objects.exists()
    assert [path for path in root.rglob("*") if path.is_file()] == []


def data_of(settings: Any) -> Path:
    """The directory of the site, for runs and everything that is in the making."""
    root = Path(settings.RUNS_ROOT).parent
    root.mkdir(parents=True, exist_ok=True)
    return root


@pytest.mark.parametrize("kind", TRAJECTORIES)
def test_trajectories_are_read_as_far_as_they_say_anything_or_refused(
    client: Client, tmp_path: Path, settings: Any, kind: str
) -> None:
    home = write(tmp_path / "in", TRAJECTORIES[kind])
    outcome = TRAJECTORIES[kind].outcome
    if isinstance(outcome, str):
        assert refusal(home, lambda: import_files(home, {})).removesuffix(f" {REMEDY}") == outcome
        left = "; nothing is left without broken files"
        assert refusal(home, lambda: check_files(home, {})).removesuffix(left) == outcome
        assert_nothing_is_stored(data_of(settings))
        return
    checked = check_files(home, {}).runs
    assert_nothing_is_stored(data_of(settings))
    import_files(home, {})
    assert stored() == outcome
    assert [(one.steps, one.calls) for one in checked] == [one[:2] for one in outcome]
    run = Run.objects.latest("pk")
    for number in (1, run.steps):
        page = client.get(f"/runs/{run.pk}/?step={number}").content.decode()
        assert "<script>alert" not in page
        assert {"\x1b", "\x00", "\u202e"}.isdisjoint(page)


@pytest.mark.parametrize("kind", RESULTS)
def test_outcomes_of_submissions_are_read_or_refused(tmp_path: Path, settings: Any, kind: str) -> None:
    home = write(tmp_path / "in", RESULTS[kind])
    given = {"reported_by": "Ada", "version": "1"}
    outcome = RESULTS[kind].outcome
    message = refusal(home, lambda: store(read_results(home, given)))
    if isinstance(outcome, str):
        assert message == outcome
        assert_nothing_is_stored(data_of(settings))
    else:
        assert message == ""
        runs = Run.objects.values_list("outcome", flat=True)
        assert [(sum(one == "resolved" for one in runs), sum(one == "unresolved" for one in runs))] == outcome


@pytest.mark.parametrize("kind", OUTCOMES)
def test_outcomes_beside_trajectories_are_compared_or_refuse_them(
    tmp_path: Path, settings: Any, kind: str
) -> None:
    store(reported([result("Ada", "lab__one-1")]))
    write(tmp_path / "in", Kind({"a.traj.json": mini_trajectory("lab__one-1")}, ""))
    home = write(tmp_path / "beside", OUTCOMES[kind])
    outcome = OUTCOMES[kind].outcome
    table = home / next(iter(OUTCOMES[kind].files)).partition("/")[0]
    given = {"board": "lab-bench", "agent": "Ada"}
    message = refusal(home, lambda: import_files(tmp_path / "in", given, outcomes=table))
    assert message == (outcome if isinstance(outcome, str) else "")
    assert len(stored()) == (0 if isinstance(outcome, str) else 1)
    if message:
        assert [path for path in data_of(settings).rglob("*") if path.is_file()] == []


def test_a_file_that_vanishes_during_an_import_leaves_nothing(tmp_path: Path, settings: Any) -> None:
    home = write(tmp_path / "in", Kind({f"{name}.cast": CAST + f"# {name}\n" for name in "ab"}, ""))
    with pytest.raises(ResultsRefused, match=r"^b\.cast: unreadable: No such file or directory$"):
        import_files(home, {}, lambda *_: (home / "b.cast").unlink())
    assert_nothing_is_stored(data_of(settings))


def test_a_file_that_fails_while_it_is_read_is_refused(tmp_path: Path) -> None:
    """Every process can open the memory that it has, and read none of the first page."""
    path = tmp_path / "a.cast"
    path.symlink_to("/proc/self/mem")
    assert refusal(tmp_path, lambda: import_files(path, {})) == "mem: unreadable: Input/output error"
