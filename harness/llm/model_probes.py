"""The probes of the test of a model: what each one sends, and what its response shows.

A probe is harmless text that this code makes. An agent needs what it tests: calls of tools, the next turn after their
results, a long input, and pictures if it gets any.
"""

from __future__ import annotations

import random
import struct
import zlib
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.llm.client import Client
from harness.llm.replies import Message, Reply
from harness.llm.token_estimate import IMAGE_PART

LONG_INPUT_TOKENS = 20_000
SHORTEST_LONG_INPUT = 1_000
SHARE_OF_WINDOW = 0.75  # the estimate of tokens must not exceed a small window
CHARACTERS_PER_TOKEN = 4.5  # of plain English words; most tokenizers need a few more characters
READ_SHARE = 0.6  # of the estimated tokens: a bill for fewer shows that the server cut the input
LEAST_WINDOW = 500  # tokens: no server has a smaller one, so such a bill is wrong
FIRST_WORD, LAST_WORD = "lighthouse", "marmalade"
COLOUR = "red"

_WORDS = (
    *(
        "boat",
        "harbour",
        "morning",
        "water",
        "stone",
        "garden",
        "window",
        "quiet",
        "paper",
        "green",
        "letter",
    ),
    *(
        "road",
        "winter",
        "market",
        "bread",
        "river",
        "small",
        "teacher",
        "music",
        "evening",
        "forest",
        "table",
    ),
    *(
        "simple",
        "yellow",
        "summer",
        "village",
        "bridge",
        "open",
        "early",
        "friend",
        "silver",
        "corner",
        "field",
    ),
)


def tool(name: str, description: str, argument: str, kind: str) -> Mapping[str, Any]:
    """A tool with one argument, as OpenAI describes tools."""
    return {
        "type": "function",
        "function": {
            "name": name,
            "description": description,
            "parameters": {
                "type": "object",
                "properties": {argument: {"type": kind, "description": f"The {argument}."}},
                "required": [argument],
            },
        },
    }


REPORT_READY = tool("report_ready", "Reports that you can call tools.", "ready", "boolean")
WEIGH = tool("weigh_fruit", "Weighs one fruit.", "fruit", "string")
QUESTION: Message = {"role": "user", "content": "Call the tool report_ready with ready set to true."}
FRUITS: Message = {
    "role": "user",
    "content": "Weigh an apple and a pear. Call weigh_fruit for both in this response, without waiting for the first.",
}


@dataclass(frozen=True, slots=True)
class Found:
    """What a response shows. `fault`: the field that is wrong, if the response shows that; `note` limits agents."""

    text: str
    note: str = ""
    fault: str = ""
    read: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """One request of the test. `tokens` is about what it sends; `judge` says what the response shows."""

    messages: Sequence[Message] = field(repr=False)
    tools: Sequence[Mapping[str, Any]]
    judge: Callable[[Reply], Found] = field(repr=False)
    tokens: int = 300


def one_call() -> Question:
    """A plain request with one tool."""

    def judge(reply: Reply) -> Found:
        if reply.calls:
            return Found("It answers and calls the tool.")
        return Found(
            "It answers without calling the tool.",
            "It answered without calling the tool that it was asked to call. Agents of the kind ide work with tools "
            "only.",
        )

    return Question([QUESTION], [REPORT_READY], judge)


def parallel_calls() -> Question:
    """A request for two calls in one response."""

    def judge(reply: Reply) -> Found:
        if len(reply.calls) > 1:
            return Found(f"It makes {len(reply.calls)} calls in one response.")
        if reply.calls:
            return Found("It makes one call at a time: agents need more requests.")
        return Found("It answers without a call.")

    return Question([FRUITS], [WEIGH], judge)


def second_turn(reply: Reply) -> Question:
    """The results of the calls of a response go back to the model."""
    results: list[Message] = [
        {"role": "tool", "tool_call_id": call.id, "content": "Noted. Now respond with the word OK."}
        for call in reply.calls
    ]

    def judge(following: Reply) -> Found:
        if following.message.strip() or following.calls:
            return Found("It goes on after the result of its call.")
        return Found(
            "Its response to the result of its call is empty.",
            "Its response to the result of its call was empty: its agents may end too early.",
        )

    return Question([QUESTION, reply.history, *results], [REPORT_READY], judge, 400)


def long_input(tokens: int) -> Question:
    """A text of about so many tokens, with a word at its start and one at its end that the answer must name."""
    text = harmless_text(int(tokens * CHARACTERS_PER_TOKEN))
    content = (
        f"The first word to remember is {FIRST_WORD}.\n\n{text}\n\nThe last word to remember is {LAST_WORD}. Which two"
        " words did this text ask you to remember? Respond with these two words only."
    )

    def judge(reply: Reply) -> Found:
        said = reply.message.lower()
        first, last = FIRST_WORD in said, LAST_WORD in said
        read = reply.prompt_tokens
        if first and last:
            return Found(f"It reads {read or tokens:,} tokens from start to end.")
        if 0 < read < LEAST_WINDOW:
            return Found(
                f"It answers, but only {read:,} of about {tokens:,} tokens are counted.",
                "Its server counts too few tokens: costs and limits of tokens cannot be trusted.",
            )
        if last and not read:
            return Found(f"of about {tokens:,} tokens, the first ones were not read", fault="context_window")
        if 0 < read < tokens * READ_SHARE or (last and read < tokens):
            return Found(
                f"about {tokens:,} tokens were sent, and {read:,} were read",
                fault="context_window",
                read=read,
            )
        return Found(
            f"{read or tokens:,} tokens were accepted, but the answer does not name both words of the text.",
            "It does not find what stands in a long input.",
        )

    return Question([{"role": "user", "content": content}], (), judge, tokens)


def picture() -> Question:
    """A small picture of one colour."""
    address = f"data:image/png;base64,{b64encode(plain_png((220, 20, 20))).decode()}"
    content = [
        {"type": IMAGE_PART, "image_url": {"url": address}},
        {"type": "text", "text": "Which colour is this picture? Respond with one word."},
    ]

    def judge(reply: Reply) -> Found:
        if COLOUR in reply.message.lower():
            return Found("It sees the colour of a picture.")
        said = reply.message[:40].strip() or "nothing"
        return Found(
            f"It accepts a picture, but calls {COLOUR} “{said}”.",
            "It accepts pictures, but does not see what they show.",
        )

    return Question([{"role": "user", "content": content}], (), judge, 500)


def length_that_fits(client: Client, most: int = LONG_INPUT_TOKENS) -> int:
    """How many tokens the long input has: at most `most`, and less than the window."""
    return min(most, int(client.window.tokens * SHARE_OF_WINDOW))


def harmless_text(characters: int) -> str:
    """Sentences of plain words, always the same, about so long."""
    chooser = random.Random(7)
    sentences, length = [], 0
    while length < characters:
        sentence = " ".join(chooser.choices(_WORDS, k=9)).capitalize() + "."
        sentences.append(sentence)
        length += len(sentence) + 1
    return " ".join(sentences)


def plain_png(colour: tuple[int, int, int], side: int = 64) -> bytes:
    """A square PNG file of one colour."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        )

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    rows = (b"\x00" + bytes(colour) * side) * side
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )
