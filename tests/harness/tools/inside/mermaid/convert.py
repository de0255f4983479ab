"""Makes the files in harness/tools/inside/mermaid/grammars/ of what extract.mjs prints; README.md has the commands."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

GRAMMARS = Path(__file__).resolve().parents[3] / "harness" / "tools" / "inside" / "mermaid" / "grammars"
# What \s means in JavaScript; Python is told to think in ASCII, so that \w and \b mean the same to both.
SPACE = r"\s\xa0\ufeff\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
NAMED_ELSEWHERE = {"state", "choice", "note", "composite", "anchor", "icon"}


def in_python(source: str) -> str:
    """A regular expression of JavaScript, of those that Jison writes, for Python's `match`."""
    source = source.removeprefix("^").replace(r"(?!\n||)*", "")
    made: list[str] = []
    inside = False
    position = 0
    while position < len(source):
        character, following = source[position], source[position + 1 : position + 2]
        if character == "\\" and following == "s":
            made.append(SPACE if inside else f"[{SPACE}]")
        elif character == "\\":
            made.append(following if following in "/\"%<>`=:;,#@!'" else f"\\{following}")
        elif inside:
            made.append("\\[" if character == "[" else character)
            inside = character != "]"
        elif character == "[":
            made.append("[^" if following == "^" else "[")
            position += following == "^"
            inside = True
            position += 1
            continue
        else:
            made.append(r"\Z" if character == "$" else character)
        position += 2 if character == "\\" else 1
    return "".join(made)


def rule(found: Mapping[str, Any], names: Mapping[int, str]) -> list[Any]:
    """[expression, word or null, orders]; see `_Lexer` for what orders there are."""
    plain, comment = found["plain"], found["comment"]
    orders = ["+" + order[1] if order[0] == "push" else order[0] for order in plain["orders"]]
    if orders[:1] == ["first"]:
        orders = ["once" + orders[1]]
    word = plain.get("word")
    if "failure" in plain:
        orders = ["error"]
    elif word == "Q":  # the first character of its text
        word = "*"
    elif isinstance(word, int):
        word = names[word]
    if word is not None and comment.get("word") is None and "failure" not in comment:
        orders.insert(0, "cut")
    return [in_python(found["source"]), word, orders]


def action(value: Any) -> Any:
    """A number above 0: go to that state; below: reduce by that production."""
    if isinstance(value, int):
        return value
    kind, *target = value
    if kind == 3:
        return "accept"
    return target[0] if kind == 1 else -target[0]


def grammar(kind: Mapping[str, Any]) -> str:
    """One file: an object with a rule of the lexer or a state of the parser in each line."""
    names = {number: name for name, number in kind["symbols"].items()}
    rules = [rule(found, names) for found in kind["rules"]]
    for pattern, _, _ in rules:
        re.compile(pattern, re.ASCII)
    table = [{names[int(symbol)]: action(value) for symbol, value in row.items()} for row in kind["table"]]
    fields = {
        "ignore_case": "i" in kind["rules"][0]["flags"],
        "states": {name: state["rules"] for name, state in kind["conditions"].items()},
        "productions": [["$accept", 0], *([names[left], length] for left, length in kind["productions"][1:])],
        "defaults": {state: production for state, (_, production) in kind["defaults"].items()},
    }
    lines = [f' "{name}": {json.dumps(value)}' for name, value in fields.items()]
    lines += [
        f' "{name}": [\n' + ",\n".join(f"  {json.dumps(row, separators=(',', ':'))}" for row in rows) + "\n ]"
        for name, rows in (("rules", rules), ("table", table))
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> None:
    """Writes every file."""
    extracted = json.load(sys.stdin)
    for name, kind in extracted["kinds"].items():
        (GRAMMARS / f"{name}.json").write_text(grammar(kind), encoding="utf-8")
    shapes = {name for name in extracted["shapes"] if name == name.lower() and "_" not in name}
    listed = json.dumps(sorted(shapes | NAMED_ELSEWHERE), indent=1)
    (GRAMMARS / "shapes.json").write_text(listed + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
