"""Keywords of a text, with identifiers split into words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from runs.analysis.trajectories.trace import Trace

MIN_LENGTH = 3
_WORD = re.compile(r"[^\W\d_]+")
_HUMPS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^A-Z]+")
# English stop words, and words that occur in every task.
_STOP_WORDS = """
about above across after again against all almost alone along already also although always among and another any
anything are aren around because been before behind being below between both but can cannot could did does doesn
doing don done down during each either else enough etc even ever every everything few first for from further get
gets give given gives goes going got had has have having here how however into isn its itself just keep keeps last
least less let like made make makes many may maybe might more most much must need needs neither never next nor not
nothing now off often once one ones only onto other others our out over own per rather really same say says see
seen shall should since some something still such than that the their them then there therefore these they thing
things this those though three through thus too toward two under unless until upon use used uses using usually very
want was way well were what when where whether which while who whole whom whose why will with within without won
would yes yet you your
"""
_STOP = frozenset(_STOP_WORDS.split())


def keywords(text: str) -> frozenset[str]:
    """The different words of a text in lower case, without stop words, numbers and those of one or two letters.

    Identifiers are split: `parseFlowTable` and `parse_flow_table` both give parse, flow, table. Words are not
    stemmed. Scripts without blanks between words are not split.
    """
    words = {hump.lower() for word in set(_WORD.findall(text)) for hump in _HUMPS.findall(word)}
    return frozenset(word for word in words if len(word) >= MIN_LENGTH and word not in _STOP)


def agents_words(trace: Trace) -> frozenset[str]:
    """The keywords of all texts of the agent: messages, reasoning, and texts in the arguments of its calls.

    This includes paths, commands, queries and code, but not the results of tools.
    """
    return keywords("\n".join(_written(trace)))


def _written(trace: Trace) -> Iterator[str]:
    for iteration in trace.iterations:
        yield iteration.message
        yield iteration.reasoning
        for call in iteration.calls:
            yield from _texts(call.arguments)


def _texts(value: Any) -> Iterator[str]:
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            yield part
        elif isinstance(part, Mapping):
            pending += part.values()
        elif isinstance(part, list):
            pending += part
