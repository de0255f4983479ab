"""Whether quotes are what the trajectory says: 500 planted ones, and the rules for single ones."""

from __future__ import annotations

import random
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

import pytest

from harness.judges.answer import EvidenceLine
from harness.judges.evidence import check_quote, place_of
from harness.judges.rendering import Rendered, call_text, render_steps
from harness.judges.review_file import Evidence
from harness.records import Step, ToolCall, ToolResult

UNIQUE, TOKEN = re.compile(r"u\d+x\d"), re.compile(r"\S+")
WORDS = (  # noqa: SIM905
    "assert return value café naïve Zürich résumé überall test_parse src/app.py x=1; foo(bar) “done” it’s "
    "日本語 テスト 한국어 Ελληνικά emoji👍🏽 a→b 100 % 42 {key} <tag> | pipe \\n `code`"
).split()
CASES = 500


def made(chance: random.Random, count: int = 60) -> list[Step]:
    """Steps whose texts are unique, with odd white space and line ends."""

    def text(number: int) -> str:
        parts = []
        for line in range(6):
            words = chance.choices(WORDS, k=8)
            words.insert(3, f"u{number}x{line}")
            parts.append(chance.choice([" ", "  ", "\t", "\u00a0"]).join(words))
        return unicodedata.normalize(chance.choice(["NFC", "NFD"]), chance.choice(["\n", "\r\n"]).join(parts))

    steps = [Step(1, "", "user", text(1))]
    for number in range(2, count + 1):
        call = ToolCall("c", "write", {"content": text(number * 10 + 1)})
        result = ToolResult("c", text(number * 10 + 2), True, 0.1)
        steps.append(
            Step(number, "", "agent", text(number * 10 + 3), text(number * 10 + 4), (call,), (result,))
        )
    return steps


def parts_of(step: Step) -> dict[str, str]:
    found = {"message": step.message, "reasoning": step.reasoning}
    found |= {f"call:{number}": call_text(call) for number, call in enumerate(step.calls, start=1)}
    found |= {f"result:{number}": result.content for number, result in enumerate(step.results, start=1)}
    return {name: text for name, text in found.items() if text}


def copied(chance: random.Random, quote: str) -> str:
    """`quote` as a careless but honest copy of it: other white space, line ends, form or characters without width."""
    ways = (
        lambda text: text,
        lambda text: " ".join(text.split()),
        lambda text: text.replace("\r\n", "\n"),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace(" ", "\u00a0"),
        lambda text: unicodedata.normalize("NFC", text),
        lambda text: unicodedata.normalize("NFD", text),
        lambda text: "\u200b".join(text.partition(" ")),
        lambda text: text.replace("\n", "\n| "),
        lambda text: f"  {text}\n",
    )
    return chance.choice(ways)(quote)


def altered(chance: random.Random, quote: str) -> str:
    """`quote` with another word, letter, case, order or number."""
    words = quote.split()
    place = chance.randrange(len(words) - 1)
    ways = (
        lambda: [*words[:place], "wholly", *words[place:]],
        lambda: [*words[:place], words[place] + "q", *words[place + 1 :]],
        lambda: [*words[:-1], words[-1][:-1] + "§"],
        lambda: ["not", *words],
        lambda: [*words[:place], "…", *words[place + 1 :]],
        lambda: [" ".join(words).swapcase()],
    )
    return " ".join(chance.choice(ways)())


def line(quote: str, step: int) -> EvidenceLine:
    return EvidenceLine(aspect="a", severity="low", quote=quote, step=step)


def check(rendered: Rendered, quote: str, step: int) -> Evidence:
    return check_quote(rendered, line(quote, step))


def plain_text(text: str) -> str:
    return unicodedata.normalize("NFC", " ".join(text.replace("\u200b", "").split()))


def test_of_500_planted_quotes_the_true_are_verified_the_moved_relocated_and_the_invented_unverified() -> (
    None
):
    chance = random.Random(19)
    steps = made(chance)
    rendered = render_steps(steps, b"", most_characters=10**7)
    assert rendered.shown_share == 1
    results: Counter[tuple[str, str]] = Counter()
    for number in range(CASES):
        kind = ("true", "moved", "altered", "invented", "true")[number % 5]
        step = chance.choice(steps)
        part, text = chance.choice(list(parts_of(step).items()))
        # From a word that stands in this part alone to the end of another word: whole letters with their marks.
        begin = chance.choice([found.start() for found in UNIQUE.finditer(text)][:-1])
        ends = [found.end() for found in TOKEN.finditer(text, begin)]
        quote = text[begin : ends[chance.randrange(2, 14)]]
        original, claimed = quote, step.step_id
        if kind == "invented":
            quote = f"never{number} " + " ".join(chance.choices(WORDS, k=6))
        elif kind == "altered":
            quote = altered(chance, quote)
        else:
            quote = copied(chance, quote)
        if kind == "moved":
            claimed = chance.choice([each.step_id for each in steps if each is not step] + [10_000])
        found = check(rendered, quote, claimed)
        results[kind, found.status] += 1
        if kind in ("true", "moved"):
            assert (found.found_step, found.part) == (step.step_id, part), quote
            assert found.start is not None
            assert plain_text(text[found.start : found.end]) == plain_text(original), quote
    assert results == {
        ("true", "verified"): 200,
        ("moved", "relocated"): 100,
        ("altered", "unverified"): 100,
        ("invented", "unverified"): 100,
    }


STEPS = [
    Step(1, "", "user", "Please fix the parser."),
    Step(2, "", "agent", "I fixed the parser.", calls=(ToolCall("c", "run", {"command": "pytest -q"}),)),
    Step(3, "", "agent", "| a table | of cells |\n---------------------"),
]
PATCH = b"diff --git a/a.py b/a.py\n+x = compute(1)\n"


def rendered(steps: Sequence[Step] = STEPS, most: int = 100_000) -> Rendered:
    return render_steps(steps, PATCH, most_characters=most)


def test_evidence_keeps_what_the_judge_said() -> None:
    said = EvidenceLine(
        aspect="Claim",
        severity="high",
        quote="I fixed the parser.",
        step=2,
        category="other",
        frequency="once",
        mechanism="It hurried.",
    )
    assert check_quote(rendered(), said) == Evidence(
        "Claim",
        "high",
        "I fixed the parser.",
        2,
        "verified",
        2,
        "message",
        0,
        19,
        "once",
        "other",
        "It hurried.",
    )


@pytest.mark.parametrize(
    ("quote", "step", "expected"),
    [
        ("tool: run\ncommand: pytest -q", 2, ("verified", 2, "call:1")),
        ("| tool: run\n| command: pytest -q", 2, ("verified", 2, "call:1")),
        ("| a table | of cells |", 3, ("verified", 3, "message")),
        ("+x = compute(1)", 4, ("verified", None, "patch")),
        ("+x = compute(1)", 2, ("relocated", None, "patch")),
        ("I fixed the parser.", 4, ("relocated", 2, "message")),
        ("fixed", 2, ("unverified", None, "")),  # too short
        ("---------------------", 3, ("unverified", None, "")),  # says nothing
        ("Please fix the parser. I fixed the parser.", 1, ("unverified", None, "")),
        ("I fixed ... parser.", 2, ("unverified", None, "")),
        ("I FIXED THE PARSER.", 2, ("unverified", None, "")),
        ("[2] agent", 2, ("unverified", None, "")),  # a header is no content
        ("===== transcript", 2, ("unverified", None, "")),
    ],
)
def test_where_a_quote_is_found(quote: str, step: int, expected: tuple[str, int | None, str]) -> None:
    place = place_of(rendered(), quote, step)
    assert (place.status, place.found_step, place.part) == expected


def test_a_quote_of_a_part_that_was_cut_away_is_unverified_also_across_the_cut() -> None:
    words = [f"word{number}" for number in range(20_000)]
    steps = [*STEPS, Step(4, "", "agent", "ok", results=(ToolResult("c", " ".join(words), True, 0.1),))]
    found = rendered(steps, most=20_000)
    shown = [fragment for fragment in found.fragments if fragment.part == "result:1"]
    assert len(shown) == 2
    assert place_of(found, " ".join(words[:5]), 4).status == "verified"
    last = place_of(found, " ".join(words[-5:]), 4)
    assert (last.status, last.end) == ("verified", len(" ".join(words)))
    assert place_of(found, " ".join(words[9_000:9_005]), 4).status == "unverified"
    head, tail = shown[0].text.split()[-3:-1], shown[1].text.split()[1:3]
    assert place_of(found, " ".join([*head, *tail]), 4).status == "unverified"


def test_a_quote_of_a_step_that_was_left_out_is_unverified() -> None:
    steps = [Step(number, "", "agent", f"message number {number} " + "x" * 1_000) for number in range(1, 201)]
    found = rendered(steps, most=20_000)
    assert "are left out" in found.text
    assert place_of(found, "message number 1 x", 1).status == "verified"
    assert place_of(found, "message number 100 x", 100).status == "unverified"


def test_the_agents_configuration_is_not_shown_and_cannot_be_quoted() -> None:
    steps = [Step(1, "", "system", "You are the agent Sesame."), Step(2, "", "agent", "Hello there.")]
    assert place_of(rendered(steps), "You are the agent Sesame.", 1).status == "unverified"
