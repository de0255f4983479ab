"""Finds the most common mistakes in Mermaid diagrams.

This is not Mermaid's parser: it is meant to pass every diagram that Mermaid 11 accepts, and it passes others, too.

Checked: the text is not empty and has no ``` fence; front matter that begins with --- also ends; the diagram begins
with a kind that Mermaid has. In the kinds of `RULES` also: labels, quotes and blocks are closed, and no statement has
one of the mistakes listed there (wrong arrow, missing label, unknown command).

Not checked: the fields of front matter, directives, names and references, and the statements of all other kinds.
"""

from __future__ import annotations

import re
from typing import Dict, NamedTuple, NoReturn

# How a diagram begins.
KINDS = (
    "flowchart", "graph", "sequenceDiagram", "classDiagram", "stateDiagram", "erDiagram", "gantt", "journey",
    "mindmap", "timeline", "kanban", "quadrantChart", "requirement", "xychart", "pie", "gitGraph", "C4Context",
    "C4Container", "C4Component", "C4Dynamic", "C4Deployment", "architecture", "block", "cynefin-beta",
    "eventmodeling", "info", "ishikawa", "packet", "radar-beta", "railroad-beta", "railroad-abnf-beta",
    "railroad-ebnf-beta", "railroad-peg-beta", "sankey", "swimlane-beta", "treeView-beta", "treemap", "venn-beta",
    "wardley-beta", "zenuml",
)  # fmt: skip
_NAMED = 16  # the number of kinds that an error names

_FRONT_MATTER = re.compile(r"\A\s*^([^\S\n]*)---\s*\n.*?\n\1---\s*\n", re.DOTALL | re.MULTILINE)
_DIRECTIVE = re.compile(r"%%\{(?:(?!%%).)*\}%%", re.DOTALL)
_COMMENT = re.compile(r"^[^\S\n]*%%(?!\{)[^\n]*", re.MULTILINE)
_ACCESSIBILITY = re.compile(r"\bacc(?:Title|Descr)\s*:[^\n]*|\baccDescr\s*\{[^}]*\}?", re.IGNORECASE)
_STRING = r'"[^"]*"'
_START = r"(?:^|;)[^\S\n]*"  # of a statement
_BLOCK = r"(?:^|;|(?<=\bend))[^\S\n]*"  # of a statement, perhaps behind the end of a block
_END = r"[^\S\n]*(?:$|;)"
_DIRECTION = r"(?:^|;)[^;\n]*direction[^\S\n]+(?:TB|TD|BT|LR|RL)[^\n]*"
_STYLE = rf"{_START}(?:style|classDef|linkStyle)\b[^\n;]*"
_LABEL = r'(?:[^][(){}|"\0]*|\0\n*)'  # without brackets and quotes, or a string (see the masks)
_FLAG = _LABEL.replace("*", "{0,500}", 1)  # begins with >, which labels may hold: bounded, to stay fast
_ARROW = (
    r"[xo<]?(?:--+[-xo>]|==+[=xo>]|-?\.+-[xo>]?|--(?:[^-]|-(?!-))+--+[-xo>]|==(?:[^=]|=(?!=))+==+[=xo>]"
    r"|-\.(?:[^.]|\.(?!-))+\.+-[xo>]?)|~~~+"
)
_CLASS_BODY = rf"(?:^|[;{{])[^\S\n]*class\b(?:{_STRING}|`[^`]*`|[^\"`{{}}\n])*\{{[^{{}}]*\}}"
_NO_TARGET = "expected a name after the arrow"


class _Rules(NamedTuple):
    """How the statements of one kind are checked. Patterns are regular expressions, `^` and `$` those of a line.

    `masks`: each match is replaced by the text, in this order; the match may hold anything.
    `mistakes`: a match in what is left is refused with the reason.
    `opens`, `closes`: have to be balanced, except that there may be too many of `closes` where `lenient`.
    """

    masks: Dict[str, str]
    mistakes: Dict[str, str]
    opens: str = ""
    closes: str = ""
    lenient: bool = False
    ignore_case: bool = True


_FLOWCHART = _Rules(
    masks={
        _DIRECTION: "",
        rf"(?<!\w){_STRING}|{_STYLE}": "\0",
        rf"{_START}click\b[^\n]*|@\{{[^{{}}]*\}}": "",
        _ARROW: "→",
        r"\[[/\\][^][(){}]*[/\\]\]|\(-[^][(){}]*-\)|\[\|\w+:\w+\||\[\|\w+:\w+\|[^][(){}|]*\]": "",
        rf"→\s*\|{_LABEL}\|": "→",
        rf"\(\(\({_LABEL}\)\)\)|\(\({_LABEL}\)\)|\(\[{_LABEL}\]\)|\[\[{_LABEL}\]\]|\[\({_LABEL}\)\]": "",
        rf"\{{\{{{_LABEL}\}}\}}|\({_LABEL}\)|\[{_LABEL}\]|\{{{_LABEL}\}}|>{_FLAG}\]": "",
    },
    mistakes={
        r"\A[^\S\n]*(?!(?:LR|RL|TB|BT|TD|BR|v)\b|[<>^\n])\S": "expected a direction: TB, TD, BT, LR or RL",
        r"[-=]>": "expected one of the arrows -->, ---, -.-> and ==>",
        r"→\s*end\b": "`end` closes a subgraph; as a name, write it End",
        r"→\s*(?:\Z|;)": _NO_TARGET,
        r'[][(){}|"]': 'a label is not closed, or has brackets or quotes in it: put it in quotes, as in A["f(x)"]',
    },
    opens=rf"{_START}subgraph\b",
    closes=rf"{_START}end\b",
    ignore_case=False,
)
_MESSAGE = r"(?=[^:;\n]*:)[^-:;\n]*-"
_SEQUENCE_WORDS = (
    "participant|actor|create|destroy|box|end|autonumber|activate|deactivate|title|loop|rect|opt|alt|else|par|par_over"
    "|and|critical|option|break|note|links?|properties|details"
)
_TASK_WORDS = (
    "title|section|dateFormat|axisFormat|tickInterval|includes|excludes|todayMarker|weekday|weekend|inclusiveEndDates"
    "|topAxis|click|accDescription"
)
_TASKS = _Rules(
    masks={},
    mistakes={
        rf"^[^\S\n]*(?!\s|\Z|[^\n]*[:;%#]|(?:{_TASK_WORDS})\b)": "expected a task such as `Task : 2024-01-01, 3d`"
    },
)
RULES = {
    "flowchart": _FLOWCHART,
    "graph": _FLOWCHART,
    "sequenceDiagram": _Rules(
        masks={r"#\w+;|@\{[^{}]*\}": "\0", r":[^;\n#]*(?:#[^\n]*)?": ":", r"^[^\S\n]*[#%][^\n]*": ""},
        mistakes={
            rf"{_START}note\b(?!\s+(?:left of|right of|over)\b[^:;\n]*:)": "expected `Note over A: text`",
            rf"{_START}(?:participant|actor|activate|deactivate|destroy){_END}": "expected a name",
            rf"{_START}(?![\s;%/\\<>+]|\Z|{_MESSAGE}|(?:{_SEQUENCE_WORDS})\b)": "expected a message like `A->>B: text`",
        },
        opens=rf"{_BLOCK}(?:loop|rect|opt|alt|par|par_over|critical|break|box)\b",
        closes=rf"{_BLOCK}end\b",
    ),
    "classDiagram": _Rules(
        masks={
            _DIRECTION: "",
            rf"{_CLASS_BODY}|{_STRING}|`[^`]*(?:`|\Z)|:[^:;\n]+": "\0",
        },
        mistakes={
            r"=>|(?<![-.])->(?![^\n]*(?:--|\.\.))": "expected an arrow such as -->, ..>, <|-- or --*",
            r"(?:--|\.\.)(?:\|>|[>*]|\(\))?[^\S\n]*$": _NO_TARGET,
            rf"{_START}class{_END}": "expected the name of the class",
        },
        opens=r"\{",
        closes=r"\}",
        ignore_case=False,
    ),
    "stateDiagram": _Rules(
        masks={
            _DIRECTION: "",
            r"\bnote\s+(?:left|right) of\b[^:\n]*\n(?:.*\n)*?\s*end note\b": "",
            rf"{_START}state\s(?:[^\n]*(?:<<|\[\[)(?:fork|join|choice)|[^\n{{]*)|{_STYLE}|{_STRING}|:[^:;\n]+": "\0",
        },
        mistakes={
            r"^[^\S\n]*note\s+(?:left|right) of\b[^\0\n]*$(?!\s*\0)": "expected `: text`, or `end note` later",
            r"(?<!-)->": "expected the arrow -->",
            r"-->[^\S\n]*$": _NO_TARGET,
        },
        opens=r"\{",
        closes=r"\}",
        lenient=True,
    ),
    "erDiagram": _Rules(
        masks={
            _DIRECTION: "",
            rf"{_STYLE}|{_STRING}": "\0",
            r"(?:\|\||\|o|\}o|\}\|)[^\S\n]*(?:--|\.\.|-\.|\.-)[^\S\n]*(?:\|\||o\||o\{|\|\{)": "→",
            r"\{[^{}]*\}": "",
        },
        mistakes={
            r"[-=]>": "expected a relationship such as ||--o{",
            r"→[^:\n]*$": 'expected `: label` after the relationship; it may be ""',
        },
        opens=r"\{",
        closes=r"\}",
    ),
    "gantt": _TASKS,
    "journey": _TASKS,
    "pie": _Rules(
        masks={r"^[^\S\n]*(?:\"[^\"]*\"|'[^']*')\s*:\s*[\d.]+[^\S\n]*(?:%%[^\n]*)?$": ""},
        mistakes={r"^[^\S\n]*(?!\s|\Z|%%|(?:title|showData)\b)": 'expected a slice such as `"label" : 12`'},
    ),
    "gitGraph": _Rules(
        masks={r"^[^\S\n]*title\b[^\n]*": "", r"\"[^\"]*\"|'[^']*'": "\0"},
        mistakes={
            r"\n[^\S\n]*(?!\s|\Z|(?:commit|branch|merge|checkout|switch|cherry-pick)\b|%%)": (
                "expected commit, branch, merge, checkout, switch or cherry-pick"
            )
        },
    ),
}


class DiagramError(Exception):
    """What is wrong with a diagram, and in which line (counted from 1)."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line


def check(text: str) -> str:
    """The kind of a diagram. Raises DiagramError for a mistake that is checked here."""
    text = re.sub(r"\r\n?", "\n", text)
    for pattern in (_FRONT_MATTER, _DIRECTIVE, _COMMENT, _ACCESSIBILITY):
        text = _masked(text, pattern, "")
    start = len(text) - len(text.lstrip())
    kind = next((kind for kind in KINDS if text.startswith(kind, start)), None)
    if kind is None:
        raise DiagramError(text.count("\n", 0, start) + 1, _beginning(text[start:].split("\n", 1)[0].strip()))
    header = re.compile(rf"{kind}(?:-[a-z0-9]+)*").match(text, start)
    if header and kind in RULES:
        _check_statements(RULES[kind], text[header.end() :], text.count("\n", 0, start))
    return kind


def _beginning(first: str) -> str:
    """Why a diagram cannot begin with the line `first`."""
    if first.startswith("```"):
        return "expected the diagram without the ``` fence around it"
    if first.startswith("---"):
        return "front matter begins with --- and has to end with --- in a line of its own"
    found = f"found {first[:60]!r}" if first else "the text is empty"
    return f"expected the kind of diagram ({', '.join(KINDS[:_NAMED])}), {found}"


def _check_statements(rules: _Rules, text: str, lines_before: int) -> None:
    flags = re.MULTILINE | (re.IGNORECASE if rules.ignore_case else 0)

    def refuse(match: re.Match[str], reason: str) -> NoReturn:
        position = match.end() - len(match.group().lstrip(" \t\n;"))
        raise DiagramError(lines_before + text.count("\n", 0, position) + 1, reason)

    for pattern, substitute in rules.masks.items():
        text = _masked(text, re.compile(pattern, flags), substitute)
    for pattern, reason in rules.mistakes.items():
        found = re.compile(pattern, flags).search(text)
        if found:
            refuse(found, reason)
    opened = []
    blocks = re.compile(f"(?P<opens>{rules.opens})|{rules.closes}", flags)
    for found in blocks.finditer(text) if rules.opens else ():
        if found.group("opens"):
            opened.append(found)
        elif opened:
            opened.pop()
        elif not rules.lenient:
            refuse(found, "this closes a block that is not open")
    if opened:
        refuse(opened[-1], "this block is not closed")


def _masked(text: str, pattern: re.Pattern[str], substitute: str) -> str:
    """The text with each match replaced. Its line breaks stay, so that lines can be counted."""
    return pattern.sub(lambda match: substitute + "\n" * match.group().count("\n"), text)
