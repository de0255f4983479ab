"""Texts of runs for measurements: code, logs and messages whose words are as frequent as in recorded trajectories.

The words of a language follow Zipf's law. A repository uses some thousands of them, a file about a hundred: so a word
that a step has is there several times, and most words are in few runs. Of the runs that ship with the project, a word
has 7.9 characters with the signs around it; here it is nearly the same.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

STEPS = 24
RARE = "ECONNREFUSED"  # in one run of RARE_OF
RARE_PHRASE = "connection refused by harbour"
RARE_OF = 500
COMMON, COMMON_PHRASE = "return", "return self"
_WORDS, _OF_REPOSITORY, _OF_FILE = 80_000, 2_500, 110
_REPOSITORIES = 60
_WORDS_OF_LINE, _LINE = 5, 51  # characters of a line
_SYLLABLES = (
    *("get", "set", "par", "ser", "con", "fig", "val", "ue", "tok", "en", "err", "or", "in", "dex", "re"),
    *("turn", "node", "path", "list", "test", "data", "base", "que", "ry", "str", "buf", "fer", "li", "ne"),
)
_FREQUENT = (
    "self",
    "return",
    "the",
    "if",
    "import",
    "def",
    "none",
    "error",
    "value",
    "of",
    "to",
    "in",
    "not",
    "is",
)
_SIGNS = (" ", " ", " ", ".", "(", "=", "/", ", ", " == ", "): ", ": ", '["', "_", " -> ")


class MadeTexts:
    """Makes runs. The same number and seed give the same texts."""

    def __init__(self, seed: int = 1) -> None:
        chance = random.Random(seed)
        self._words = [*_FREQUENT, *(_word(chance, place) for place in range(_WORDS - len(_FREQUENT)))]
        shares = 1 / np.arange(1, _WORDS + 1) ** 1.05
        self._reached = np.cumsum(shares / shares.sum())
        # Frequent words are in every repository.
        generator = np.random.default_rng(seed)
        self._repositories = [
            self._some(generator, _OF_REPOSITORY, len(_FREQUENT)) for _ in range(_REPOSITORIES)
        ]

    def steps(self, run: int, size: int) -> Iterator[Mapping[str, Any]]:
        """The steps of a run with about so many characters, as a trajectory has them."""
        generator = np.random.default_rng(run)
        repository = self._repositories[run % _REPOSITORIES]
        of_step = size // STEPS
        for number in range(1, STEPS + 1):
            # Of few different words, the first ones are the most frequent.
            words = repository[np.unique((generator.random(_OF_FILE) ** 2 * _OF_REPOSITORY).astype(int))]
            message = "".join(self._joined(generator, words, of_step // 80))
            path = f"src/{self._words[words[5]]}/{self._words[words[7]]}.py"
            command = f"cat -n {path} && pytest -q -k {self._words[words[9]]}"
            output = self._lines(generator, words, of_step * 3 // 4)
            if number == 4 and run % RARE_OF == 7:
                output += f"\nnpm ERR! {RARE} 127.0.0.1:5432 {RARE_PHRASE}\n"
            written = self._lines(generator, words, of_step // 8)
            yield {
                "step_id": number,
                "source": "agent",
                "message": message,
                "tool_calls": [
                    {
                        "tool_call_id": "1",
                        "function_name": "run_terminal_cmd",
                        "arguments": {"command": command, "content": written},
                    }
                ],
                "observation": {"results": [{"source_call_id": "1", "content": output}]},
            }

    def write(self, directory: Path, run: int, size: int) -> None:
        """The trajectory of a run."""
        directory.mkdir(parents=True)
        with (directory / "trajectory.jsonl").open("w", encoding="utf-8") as file:
            file.write('{"schema_version": "ATIF-v1.4", "agent": {"name": "made"}}\n')
            file.writelines(json.dumps(step) + "\n" for step in self.steps(run, size))

    def _some(self, generator: np.random.Generator, count: int, first: int) -> Any:
        drawn = np.searchsorted(self._reached, generator.random(6 * count))
        return np.unique(np.concatenate([np.arange(first), drawn]))[:count]

    def _lines(self, generator: np.random.Generator, words: Any, size: int) -> str:
        """Numbered lines of code."""
        count = max(1, size // _LINE)
        code = self._joined(generator, words, _WORDS_OF_LINE * count)
        indents = generator.integers(0, 4, count).tolist()
        return "\n".join(
            f"{number:6}\t{' ' * (4 * indent)}{''.join(code[_WORDS_OF_LINE * (number - 1) : _WORDS_OF_LINE * number])}"
            for number, indent in enumerate(indents, 1)
        )

    def _joined(self, generator: np.random.Generator, words: Any, count: int) -> list[str]:
        """So many words, each with a sign behind it."""
        places = words[(generator.random(count) ** 2 * len(words)).astype(int)].tolist()
        signs = generator.integers(0, len(_SIGNS), count).tolist()
        return [self._words[place] + _SIGNS[sign] for place, sign in zip(places, signs, strict=True)]


def _word(chance: random.Random, place: int) -> str:
    """The rarer, the longer; many are names of several parts."""
    parts = 1 + (place > 60) + (place > 3_000) + (place > 20_000)
    word = "".join(chance.choice(_SYLLABLES) for _ in range(parts))
    if place > 300 and chance.random() < 0.4:
        word += f"_{chance.choice(_SYLLABLES)}"
    return f"{word}{place % 97}" if place > 20_000 else word
