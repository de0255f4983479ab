"""Tool calls that a server left in the text of a response, in the formats in which models are trained to write them.

Taken are calls of offered tools alone, when nothing follows them: a text that only mentions a call goes on after it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from harness.llm.tool_calls import RawCall, offered_name

Tools = Mapping[str, Mapping[str, Any]]
"""The offered tools with the JSON schemas of their arguments, by name."""

_MARKS = (
    "<tool_call>",  # Hermes, Qwen, GLM
    "<function=",  # Qwen's coders, Llama
    "[TOOL_CALLS]",  # Mistral
    "<|python_tag|>",  # Llama
    "<|tool_calls_section_begin|>",  # Kimi
    "<\uff5ctool\u2581calls\u2581begin\uff5c>",  # DeepSeek
)
_AT_THE_START_OF_A_LINE = re.compile(
    rf"^\s*(?:{'|'.join(map(re.escape, _MARKS))})".replace("<function=", r"<function=\w"), re.MULTILINE
)
_PARAMETER = re.compile(r"<parameter=([^>\n]{1,100})>(.*?)</parameter>", re.DOTALL)
_PAIR = re.compile(r"<arg_key>(.*?)</arg_key>\s*<arg_value>(.*?)</arg_value>", re.DOTALL)
_NAMED = re.compile(r"\s*([\w.:/-]{1,100})\s*")
_KIMI = ("<|tool_call_begin|>", "<|tool_call_end|>", "<|tool_call_argument_begin|>")
_DEEPSEEK = ("<\uff5ctool\u2581call\u2581begin\uff5c>", "<\uff5ctool\u2581call\u2581end\uff5c>")
_DEEPSEEK_SEPARATOR = "<\uff5ctool\u2581sep\uff5c>"
_ENDS = re.compile(r"(?:<\|eom_id\|>|<\|eot_id\|>|<\uff5cend\u2581of\u2581sentence\uff5c>|</s>)?\s*$")


class _NoCallError(Exception):
    """The text is not in a format, or names no offered tool."""


def looks_like_a_call(text: str) -> bool:
    """Whether a line of the text begins with the mark of a tool call."""
    return bool(_AT_THE_START_OF_A_LINE.search(text))


def calls_in_text(text: str, tools: Tools) -> tuple[str, tuple[RawCall, ...]]:
    """The calls that a server left in the text, and the text before them; no calls where that might be a mistake."""
    starts = [(at, mark) for mark in _MARKS if (at := text.find(mark)) >= 0]
    if not starts:
        return text, ()
    at, mark = min(starts)
    try:
        calls = tuple(_READERS[mark](_ENDS.sub("", text[at:]), tools))
    except (_NoCallError, ValueError, RecursionError):
        return text, ()
    if not calls or any(offered_name(call.name, tools) not in tools for call in calls):
        return text, ()
    return text[:at].rstrip(), calls


def _between(text: str, opened: str, closed: str) -> Iterator[str]:
    """What is between marks that follow one another, with blanks alone between the pairs."""
    before, *pieces = text.split(opened)
    if before.strip():
        raise _NoCallError
    for piece in pieces:
        inner, mark, after = piece.partition(closed)
        if not mark or after.strip():
            raise _NoCallError
        yield inner


def _marked(text: str, tools: Tools) -> Iterator[RawCall]:
    for inner in _between(text, "<tool_call>", "</tool_call>"):
        if inner.lstrip().startswith("{"):
            yield _object(json.loads(inner))
        elif inner.lstrip().startswith("<function="):
            yield from _functions(inner.strip(), tools)
        else:
            yield _pairs(inner, tools)


def _object(call: object) -> RawCall:
    if not isinstance(call, dict) or not isinstance(call.get("name"), str):
        raise _NoCallError
    return RawCall("", call["name"], call.get("arguments", call.get("parameters")))


def _functions(text: str, tools: Tools) -> Iterator[RawCall]:
    for inner in _between(text.replace("</tool_call>", ""), "<function=", "</function>"):
        name, _, body = inner.partition(">")
        if body.lstrip().startswith("{"):
            yield RawCall("", name.strip(), body.strip())
            continue
        if _PARAMETER.sub("", body).strip():
            raise _NoCallError
        yield RawCall("", name.strip(), _typed(name.strip(), _PARAMETER.findall(body), tools))


def _pairs(inner: str, tools: Tools) -> RawCall:
    named = _NAMED.match(inner)
    if named is None or _PAIR.sub("", inner[named.end() :]).strip():
        raise _NoCallError
    return RawCall("", named[1], _typed(named[1], _PAIR.findall(inner), tools))


def _typed(name: str, written: list[tuple[str, str]], tools: Tools) -> dict[str, Any]:
    """Arguments that were written as texts, each in the type of its schema if it can be read so."""
    schemas = tools.get(offered_name(name, tools), {})
    arguments: dict[str, Any] = {}
    for key, value in written:
        text = value.removeprefix("\n").removesuffix("\n")
        schema = schemas.get(key.strip())
        arguments[key.strip()] = text
        if isinstance(schema, Mapping) and schema.get("type", "string") != "string":
            with suppress(ValueError, RecursionError):
                read = {"True": "true", "False": "false", "None": "null"}.get(text.strip(), text)
                arguments[key.strip()] = json.loads(read)
    return arguments


def _mistral(text: str, _tools: Tools) -> Iterator[RawCall]:
    for piece in text.split("[TOOL_CALLS]")[1:]:
        if piece.lstrip().startswith("["):
            yield from map(_object, json.loads(piece))
            continue
        name, mark, arguments = piece.partition("[ARGS]")
        if not mark:
            raise _NoCallError
        yield RawCall("", name.partition("[CALL_ID]")[0].strip(), arguments.strip())


def _python_tag(text: str, _tools: Tools) -> Iterator[RawCall]:
    for piece in text.split("<|python_tag|>")[1:]:
        yield _object(json.loads(piece))


def _kimi(text: str, _tools: Tools) -> Iterator[RawCall]:
    for section in _between(text, "<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"):
        for inner in _between(section, _KIMI[0], _KIMI[1]):
            name, _, arguments = inner.partition(_KIMI[2])
            yield RawCall("", name.strip(), arguments.strip())


def _deepseek(text: str, _tools: Tools) -> Iterator[RawCall]:
    for section in _between(
        text, "<\uff5ctool\u2581calls\u2581begin\uff5c>", "<\uff5ctool\u2581calls\u2581end\uff5c>"
    ):
        for inner in _between(section, *_DEEPSEEK):
            written = inner.removeprefix("function").removeprefix(_DEEPSEEK_SEPARATOR)
            name, mark, arguments = written.partition(_DEEPSEEK_SEPARATOR)
            if not mark:
                name, _, arguments = written.partition("\n")
            yield RawCall("", name.strip(), arguments.strip())


_READERS: Mapping[str, Callable[[str, Tools], Iterator[RawCall]]] = {
    "<tool_call>": _marked,
    "<function=": _functions,
    "[TOOL_CALLS]": _mistral,
    "<|python_tag|>": _python_tag,
    "<|tool_calls_section_begin|>": _kimi,
    "<\uff5ctool\u2581calls\u2581begin\uff5c>": _deepseek,
}
