"""The tool calls in a response: parsed, and repaired where only one reading is possible.

Every repair is reported for its call, so that the records separate what the model wrote from what was changed.
"""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from harness.llm.replies import field_of, well_formed
from harness.records import ToolCall

WRAPPERS = ("arguments", "input", "parameters")
SIGNATURE = "__thought__"  # LiteLLM hides Gemini's signatures behind it in the ids of calls
RAW_CHARACTERS = 4000
NAME_CHARACTERS, MAX_REPAIRS = 60, 5
MAX_LITERAL = 1_000_000  # characters
_FENCE = re.compile(r"\s*```(?:json)?\s*\n(.*)\n\s*```\s*", re.DOTALL)
# Servers name tools functions.read_file, default_api.read_file or functions.read_file:0.
_NUMBERED = re.compile(r":\d{1,4}$")


@dataclass(frozen=True, slots=True)
class RawCall:
    """One call as it arrived. `arguments` is what the provider sent, mostly JSON; `signed` goes back as it came."""

    identity: str
    name: str
    arguments: object
    signed: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class ReadCalls:
    """The calls of one response.

    `malformed` maps the ids of calls whose arguments could not be read to a message for the model that quotes them;
    such calls have empty arguments. `signed` holds for each call what its provider signed, or None.
    """

    calls: tuple[ToolCall, ...] = ()
    malformed: Mapping[str, str] = field(default_factory=dict)
    repairs: tuple[str, ...] = ()
    signed: tuple[Mapping[str, Any] | None, ...] = ()


def read_calls(
    raw_calls: Sequence[RawCall],
    tools: Mapping[str, Collection[str]],
    *,
    note: str = "",
    cut: str = "",
    repairing: bool = True,
) -> ReadCalls:
    """Reads calls. `tools`: the offered tools with the names of their arguments.

    `repairing`: calls that were put into one are made several, and names are made those of tools. `note` is an earlier
    repair. `cut` is added to the message for an unreadable call whose response was cut off.
    """
    calls: list[ToolCall] = []
    malformed: dict[str, str] = {}
    repairs = [note] if note else []
    single = [one for call in raw_calls for one in _split(call, repairs)] if repairing else raw_calls
    for number, call in enumerate(single, start=1):
        identity = call.identity or f"call_{number}"
        if any(identity == earlier.id for earlier in calls):
            repairs.append(f"two calls had the id {identity}: the later one is {identity}_{number}")
            identity = f"{identity}_{number}"
        name = offered_name(call.name, tools) if repairing else call.name
        if name != call.name:
            repairs.append(f"{identity}: the tool was named {call.name[:NAME_CHARACTERS]!r}")
        try:
            arguments, done = read_arguments(call.arguments, tool=name, known=tools.get(name, ()))
            repairs += [f"{identity}: {what}" for what in done]
        except ValueError as error:
            sent = str(call.arguments)[:RAW_CHARACTERS]
            malformed[identity] = well_formed(f"No tool was run: {error}{cut} You sent: {sent}")
            arguments = {}
        calls.append(ToolCall(identity, name, arguments))
    signed = tuple(call.signed for call in single)
    return ReadCalls(tuple(calls), malformed, tuple(map(well_formed, repairs)), signed)


def offered_name(name: str, tools: Collection[str]) -> str:
    """The name of the offered tool that is meant; `name` itself if none is."""
    if name in tools:
        return name
    plain = _NUMBERED.sub("", name.strip())
    found = (plain, plain.rpartition(".")[2], plain.rpartition("/")[2], plain.rpartition("::")[2])
    return next((each for each in found if each in tools), name)


def _split(call: RawCall, repairs: list[str]) -> list[RawCall]:
    """The calls of one: servers that stream put the arguments of several calls into one, `{...}{...}`."""
    objects = _objects_in(call.arguments) if isinstance(call.arguments, str) else []
    if len(objects) < 2:
        return [call]
    different = [one for number, one in enumerate(objects) if one not in objects[:number]]
    repairs.append(f"one call had the arguments of {len(objects)}")
    first, *others = different
    return [replace(call, arguments=first), *(RawCall("", call.name, one) for one in others)]


def _objects_in(text: str) -> list[dict[str, Any]]:
    """JSON objects that follow one another; [] if there is anything else."""
    decoder, found, at = json.JSONDecoder(), [], 0
    text = text.strip()
    while at < len(text):
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return []
        if not isinstance(value, dict):
            return []
        found.append(value)
        at += len(text[at:]) - len(text[at:].lstrip())
    return found


def plain_id(identity: str) -> str:
    """A call's id without the signature that LiteLLM may have hidden in it."""
    return identity.partition(SIGNATURE)[0]


def raw_calls_in(message: Any) -> tuple[RawCall, ...]:
    """The calls in a message of LiteLLM's, as they are."""
    return tuple(
        RawCall(
            plain_id(str(field_of(call, "id") or "")),
            # Only functions are offered, but a provider may send other kinds.
            str(field_of(field_of(call, "function"), "name") or ""),
            field_of(field_of(call, "function"), "arguments"),
            field_of(call, "provider_specific_fields"),
        )
        for call in field_of(message, "tool_calls") or ()
    )


def old_call(message: Any) -> tuple[RawCall, ...]:
    """The call in the field that OpenAI had before `tool_calls`; some servers still use it."""
    function = field_of(message, "function_call")
    name = field_of(function, "name")
    return (RawCall("", str(name), field_of(function, "arguments")),) if name else ()


def read_arguments(
    raw: object, *, tool: str = "", known: Collection[str] = ()
) -> tuple[dict[str, Any], list[str]]:
    """A call's arguments, and what was repaired in them. Nothing at all means none.

    An object that was encoded twice is decoded twice. Of a name that an object has twice, the last value counts. Some
    models wrap the arguments once too often: in `arguments`, `input`, `parameters` or the tool's own name. A wrapper is
    taken off where it is all there is, holds an object (or one as JSON), and is none of the tool's `known` arguments.

    Raises ValueError with a sentence for the model when there is no JSON object in it.
    """
    value, repairs = _decoded(raw)
    if value is None:
        return {}, repairs
    if not isinstance(value, dict):
        raise ValueError("the arguments must be a JSON object.")
    if len(value) == 1:
        ((name, inner),) = value.items()
        if name in {*WRAPPERS, tool} - set(known) and isinstance(inner, dict | str):
            with suppress(ValueError):
                unwrapped, _ = _decoded(inner)
                if isinstance(unwrapped, dict):
                    return unwrapped, [*repairs, f"the arguments were wrapped in {name!r}"]
    return value, repairs


def _decoded(raw: object) -> tuple[object, list[str]]:
    """What JSON says, and what is unusual: JSON within JSON, or a name twice in one object."""
    value, decoded, repairs = raw, 0, []
    repeated: dict[str, None] = {}

    def read(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            counts = Counter(name for name, _ in pairs)
            repeated.update({name: None for name, count in counts.items() if count > 1})
        return found

    for _ in range(2):
        if isinstance(value, str):
            try:
                value = json.loads(value or "{}", parse_constant=_refuse_constant, object_pairs_hook=read)
                decoded += 1
            except RecursionError:
                raise ValueError("the arguments are nested too deeply.") from None
            except ValueError as error:
                value, repair = _leniently(str(value), error)
                repairs.append(repair)
    if decoded > 1:
        repairs.append("the arguments were encoded twice")
    repairs += [f"{name[:NAME_CHARACTERS]!r} is there twice: the last value counts" for name in repeated]
    return value, repairs[:MAX_REPAIRS]


def _leniently(text: str, strict: ValueError) -> tuple[object, str]:
    """What is meant by text that is no JSON for one of the usual reasons, and which. Raises ValueError for others.

    Text that was cut off is none of them: nothing is completed.
    """
    fenced = _FENCE.fullmatch(text)
    inner = fenced[1] if fenced else text
    with suppress(ValueError, RecursionError):
        value = json.loads(inner, parse_constant=_refuse_constant, strict=False)
        return value, "the arguments had a fence" if fenced else "the arguments had raw control characters"
    with suppress(ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        if len(inner) > MAX_LITERAL:
            raise ValueError
        value = ast.literal_eval(inner.strip())
        json.dumps(value)
        return value, "the arguments were written as Python's"
    raise ValueError(f"the arguments are not valid JSON ({strict}).") from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
