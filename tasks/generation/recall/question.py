"""What a model is asked about one function: to write it without the repository."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.dataset import Target
from harness.llm.replies import Message
from harness.tools.schema import function_tool, object_schema

RULES = Path(__file__).parent / "recall.md"
WRITE_FUNCTION = "write_function"
MAX_CHARACTERS = 20_000  # of signature and docstring
TOOL: Mapping[str, Any] = function_tool(
    WRITE_FUNCTION,
    "Hands in the function. Call it exactly once.",
    object_schema({"source": {"type": "string", "description": "The whole definition of the function."}}),
)


@dataclass(frozen=True, slots=True)
class Question:
    """A function to write. `package`: its name, as models may know it. `stub`: signature and docstring."""

    package: str
    target: Target
    stub: str

    def messages(self) -> list[Message]:
        """The conversation that asks for it."""
        text = (
            f"Package: {self.package}\nFile: {self.target.path}\nFunction: {self.target.name}\n\n"
            f"BEGIN SIGNATURE AND DOCSTRING\n{self.stub.rstrip()[:MAX_CHARACTERS]}\nEND"
        )
        return [
            {"role": "system", "content": RULES.read_text(encoding="utf-8")},
            {"role": "user", "content": text},
        ]


def prompt_version() -> str:
    """Identifies rules, form and tool of questions. Answers to different versions are not compared."""
    example = Question("", Target("", ""), "").messages()
    return hashlib.sha256(json.dumps([example, TOOL], sort_keys=True).encode()).hexdigest()[:12]
