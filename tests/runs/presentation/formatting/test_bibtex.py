"""Entries of BibTeX can be read back, whatever stands in their fields."""

from __future__ import annotations

import re

import pytest

from runs.presentation.formatting.bibtex import entry, key_of


def fields_of(text: str) -> tuple[str, str, dict[str, str]]:
    """Reads one entry as BibTeX does: values end where the braces are balanced. AssertionError if it is not valid."""
    head = re.match(r"@(\w+)\{([^\s,{}#%'\"()=~\\]+),\n", text)
    assert head
    place, found = head.end(), dict[str, str]()
    while name := re.compile(r"\s*(\w+)\s*=\s*\{").match(text, place):
        depth, start = 1, name.end()
        place = start
        while depth:
            depth += {"{": 1, "}": -1}.get(text[place], 0)
            place += 1
        assert name[1] not in found
        found[name[1]] = text[start : place - 1]
        place += text[place] == ","
    assert text[place:].strip() == "}"
    return head[1], head[2], found


def test_an_entry_has_its_fields_in_order_without_empty_ones() -> None:
    text = entry(
        "misc",
        "Ports 2026",
        {"title": "Ports", "author": "", "year": "2026", "url": "https://a.example/?b=1&c"},
    )

    assert fields_of(text) == (
        "misc",
        "ports-2026",
        {"title": "{Ports}", "year": "2026", "url": "https://a.example/?b=1&c"},
    )
    assert text.endswith("\n}\n")


@pytest.mark.parametrize(
    "hostile",
    [
        "}, author = {Eve",
        "{{{{",
        "}}}}",
        "\\}\\{",
        r"\input{/etc/passwd}",
        "100 % & $5 #1 a_b ^ ~",
        "@misc{x,",
        "\n\n@book{y}",
        "\u202e\x00",
        "x" * 10_000,
    ],
)
def test_hostile_texts_end_no_field_and_are_no_commands(hostile: str) -> None:
    _, _, fields = fields_of(entry("misc", hostile, {"title": hostile, "url": hostile, "note": "kept"}))

    assert list(fields) == ["title", "url", "note"]
    assert fields["note"] == "{kept}"
    assert set(re.findall(r"\\([a-z]+)", fields["title"])) <= {
        *("textbackslash", "textbraceleft", "textbraceright", "textasciicircum", "textasciitilde")
    }
    assert re.search(r"(?<!\\)[%#&$_]", fields["title"]) is None
    assert re.fullmatch(r"[!-~]*", fields["url"])
    assert not set("{}\\") & set(fields["url"])


def test_a_name_without_letters_still_has_a_key() -> None:
    assert key_of("漢字") == "benchbench"
    assert key_of("SWE-bench: Verified!") == "swe-bench-verified"
