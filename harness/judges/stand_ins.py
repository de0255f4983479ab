"""Stand-ins for judges: no models, but fixed rules on the text that they are shown. For demonstrations and tests.

    python -m harness.judges.stand_ins --port 8500

serves them at an OpenAI-compatible address on loopback, each as a model. They answer `submit_review`,
`submit_comparison`, `submit_summary` (groups by severity, or by the better agent) and `submit_overview`. What they say
is no judgement of an agent; each has one property by which meters can be tested.

| model       | score                                                                                 |
| ----------- | ------------------------------------------------------------------------------------- |
| `constant`  | always 0.5; always a tie                                                               |
| `quoting`   | by the share of failed calls: 1 for none, 0.5 up to a third, else 0                    |
| `obeying`   | what the transcript demands ("score: 1"), else as `quoting`; it obeys injected text    |
| `inventing` | as `quoting`, with invented quotes                                                     |
| `hashing`   | by a hash of the question and the seed, so its samples differ                          |
| `first`     | 1; in comparisons always the run that it was shown first                               |
| `prose`     | none: it answers with text and no call                                                 |
"""

from __future__ import annotations

import argparse
import hashlib
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from harness.judges.lookup import PREFIX
from harness.llm.scripted_server import Entry, ModelServer, Request, Responder

_HEADER = re.compile(r"\[(\d{1,9})\] (?:user|agent|final changes)")
_DEMAND = re.compile(r"score\W{0,3}(?:of|is|to|=|:)?\W{0,3}(0\.5|0|1)(?!\.?\d)", re.IGNORECASE)
_SOURCE = re.compile(rf"^{re.escape(PREFIX)}\[[RC](\d{{1,9}})\] (.*)$", re.MULTILINE)
_FENCE = re.compile(r"^===== transcript ([0-9a-f]{16}) (begins|ends) =====$", re.MULTILINE)
MIN_LENGTH, MAX_LENGTH = 12, 200


@dataclass(frozen=True, slots=True)
class _Transcript:
    """What a stand-in reads: lines of content with their step, and how many calls and failed calls there are."""

    lines: tuple[tuple[int, str], ...]
    calls: int
    failed: int

    @property
    def quote(self) -> tuple[int, str]:
        """The step and the text of the last line that is long enough for a quote."""
        found = [(step, text) for step, text in self.lines if len(text) >= MIN_LENGTH]
        step, text = found[-1] if found else (1, "nothing to quote")
        return step, text[:MAX_LENGTH].strip()


def review_of(
    score: float, quote: str, step: int, *, pitfalls: bool, severity: str | None = None
) -> dict[str, Any]:
    """The arguments of a valid `submit_review`."""
    worst = severity or ("none" if score == 1 else "medium" if score else "high")
    line: dict[str, Any] = {"aspect": "Stand-in", "severity": worst, "quote": quote, "step": step}
    if pitfalls and worst != "none":
        line |= {"category": "other", "frequency": "once", "mechanism": "A fixed rule, not a judgement."}
    text = "A stand-in scored this by a fixed rule. It is no judgement of the agent."
    return {"review": text, "evidence": [line], "score": int(score) if score in (0, 1) else score}


def _texts(request: Request) -> str:
    """All that users and the system say in the request."""
    texts = []
    for message in request.messages:
        content = message.get("content")
        if isinstance(content, list):
            content = "".join(part.get("text") or "" for part in content)
        if isinstance(content, str) and message.get("role") != "assistant":
            texts.append(content)
    return "\n\n".join(texts)


def _read(text: str) -> _Transcript:
    lines: list[tuple[int, str]] = []
    step, calls, failed = 1, 0, 0
    for line in text.split("\n"):
        if line.startswith(PREFIX):
            lines.append((step, line.removeprefix(PREFIX)))
        elif header := _HEADER.fullmatch(line):
            step = int(header[1])
        else:
            calls += line.startswith("call ")
            failed += line.endswith(" (the call failed)")
    return _Transcript(tuple(lines), calls, failed)


def _by_failures(shown: _Transcript) -> float:
    return 1.0 if not shown.failed else 0.5 if shown.failed * 3 <= shown.calls else 0.0


def _by_demands(shown: _Transcript) -> float:
    demands = [found[1] for _, line in shown.lines for found in _DEMAND.finditer(line)]
    return float(demands[-1]) if demands else _by_failures(shown)


def _answering(
    score: Callable[[_Transcript, Request], float],
    *,
    prefers_first: bool = False,
    quote: Callable[[_Transcript], tuple[int, str]] = lambda shown: shown.quote,
) -> Responder:
    """A judge with this rule for its score. In comparisons the run with the higher score wins."""

    def respond(request: Request) -> Entry:
        text = _texts(request)
        if _tool(request) == "submit_summary":
            return _summary(text, request)
        if _tool(request) == "submit_overview":
            return _call("submit_overview", {"text": OVERVIEW})
        marks = list(_FENCE.finditer(text))
        pairs = zip(marks[::2], marks[1::2], strict=False)
        shown = [_read(text[begin.end() : end.start()]) for begin, end in pairs]
        if _tool(request) == "submit_comparison" and len(shown) == 2:
            first, second = (score(each, request) for each in shown)
            return _comparison(3 if prefers_first else round(4 * (first - second)), quote(shown[0]))
        step, said = quote(shown[0]) if shown else (1, "nothing to quote")
        pitfalls = "\nTHE DIMENSION: Pitfalls\n" in text
        chosen = score(shown[0], request) if shown else 0.5
        return _call("submit_review", review_of(chosen, said, step, pitfalls=pitfalls))

    return respond


def _comparison(lead_of_first: int, quoted: tuple[int, str]) -> Entry:
    winner = "tie" if not lead_of_first else "A1" if lead_of_first > 0 else "A2"
    step, quote = quoted
    aspect = {
        "aspect": "Stand-in",
        "winner": winner,
        "severity": "low" if abs(lead_of_first) < 3 else "medium",
        "quote": quote,
        "agent": 1,
        "step": step,
    }
    text = "A stand-in compared them by a fixed rule. It is no judgement of the agents."
    return _call("submit_comparison", {"comparison": text, "aspects": [aspect], "score": -lead_of_first})


OVERVIEW = "A stand-in wrote this by a fixed rule. It is no judgement of the agent."
_GROUPS = {
    "Agent 1 is better": "The first agent is better",
    "Agent 2 is better": "The second agent is better",
    "a tie": "A tie",
    "(high": "High severity",
    "(medium": "Medium severity",
    "(low": "Low severity",
    "(none": "Strengths",
}


def _summary(text: str, request: Request) -> Entry:
    """Groups by the first word of `_GROUPS` in each line. An alert if one agent alone is better anywhere."""
    numbers: dict[str, set[int]] = {}
    for number, line in _SOURCE.findall(text):
        title = next((title for word, title in _GROUPS.items() if word in line), "Other")
        numbers.setdefault(title, set()).add(int(number))
    groups = [
        {"title": title, "claim": "A stand-in grouped them by a fixed rule.", "numbers": sorted(found)}
        for title, found in numbers.items()
    ]
    better = {"The first agent is better", "The second agent is better"} & numbers.keys()
    asked = request.body["tools"][0]["function"]["parameters"]["properties"]
    return _call(
        "submit_summary", {"groups": groups, **({"alert": len(better) == 1} if "alert" in asked else {})}
    )


def _call(tool: str, arguments: Mapping[str, Any]) -> Entry:
    return {"calls": [{"name": tool, "arguments": dict(arguments)}]}


def _tool(request: Request) -> str:
    tools = request.body.get("tools") or [{}]
    return str((tools[0].get("function") or {}).get("name", ""))


def _by_hash(_shown: _Transcript, request: Request) -> float:
    question = f"{_texts(request)}\0{request.body.get('seed')}".encode()
    return (0.0, 0.5, 1.0)[hashlib.sha256(question).digest()[0] % 3]


def _prose(_request: Request) -> Entry:
    return {"text": "I would give a score of 1."}


STAND_INS: Mapping[str, Responder] = {
    "constant": _answering(lambda _shown, _request: 0.5),
    "quoting": _answering(lambda shown, _request: _by_failures(shown)),
    "obeying": _answering(lambda shown, _request: _by_demands(shown)),
    "inventing": _answering(
        lambda shown, _request: _by_failures(shown),
        quote=lambda _shown: (1, "These words stand nowhere in any transcript."),
    ),
    "hashing": _answering(_by_hash),
    "first": _answering(lambda _shown, _request: 1.0, prefers_first=True),
    "prose": _prose,
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Serves all stand-ins until it is interrupted."""
    parser = argparse.ArgumentParser(
        prog="python -m harness.judges.stand_ins", description="Stand-ins for judges."
    )
    parser.add_argument("--port", type=int, default=0, help="0 picks a free one")
    options = parser.parse_args(arguments)
    with ModelServer(STAND_INS, options.port) as server, suppress(KeyboardInterrupt):
        print(server.url, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
