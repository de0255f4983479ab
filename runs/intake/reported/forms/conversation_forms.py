"""Conversations of tools whose files are read part by part: one attempt for each file in which a model responded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from runs.intake.reported.forms.attempt_rows import AttemptRows, agent_with, repository_of, slug_of
from runs.intake.reported.report_document import ReportDocument
from runs.intake.reported.reported_result import ReportedSet
from runs.intake.reported.result_table import UNKNOWN_OUTCOME
from runs.intake.reported.step_readers.conversations.aider_parts import aider_sections, is_aider
from runs.intake.reported.step_readers.conversations.cline_parts import beside_cline, cline_parts, is_cline
from runs.intake.reported.step_readers.conversations.conversation_parts import (
    ConversationFacts,
    ConversationSection,
    PartReader,
    conversation_facts,
    conversation_steps,
    place_beside,
)
from runs.intake.reported.step_readers.conversations.copilot_parts import copilot_parts, is_copilot
from runs.intake.reported.step_readers.conversations.cursor_parts import cursor_parts, is_cursor
from runs.intake.reported.step_readers.conversations.droid_parts import beside_droid, droid_parts, is_droid
from runs.intake.reported.step_readers.conversations.gemini_cli_parts import gemini_cli_parts, is_gemini_cli
from runs.intake.reported.step_readers.conversations.kimi_parts import beside_kimi, is_kimi, kimi_parts
from runs.intake.reported.step_readers.conversations.pi_parts import is_pi, pi_parts
from runs.intake.reported.step_readers.conversations.qwen_code_parts import is_qwen_code, qwen_code_parts
from runs.intake.reported.step_readers.conversations.terminal_cast_parts import (
    is_terminal_cast,
    terminal_cast_parts,
    terminal_recording,
)
from runs.intake.reported.step_readers.traces.langfuse_parts import is_langfuse, langfuse_sections
from runs.intake.reported.step_readers.traces.otel_parts import is_otel, otel_sections
from runs.intake.reported.trajectory import ReadStep, Trajectory, WriteFile, files_digest

_MAX_TITLE_LENGTH = 200
_MEASURED = ("prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd", "seconds")


@dataclass(eq=False, slots=True)
class ConversationForm:
    """The form of a tool (`reading.ReportForm`). `name`: of the tool, and of its agent where a file names none.

    `sections`: the conversations of a file, for tools that write several into one. `beside`: the further files of a
    conversation, by their places from the directory of its own file; alone, they are read as well.
    `extras`: what writes further files of the run.
    """

    name: str
    slug: str
    NAMES: tuple[str, ...]
    matches: Callable[[Any], bool]
    parts: PartReader | None = None
    sections: Callable[[Path, str], Iterable[ConversationSection]] | None = None
    beside: Callable[[Path], Mapping[str, Path]] = field(default=lambda _: {})
    extras: Callable[[Path, str], Mapping[str, WriteFile]] | None = None

    def read(self, documents: Iterator[ReportDocument], given: Mapping[str, str]) -> ReportedSet:
        """The conversations of all documents; whether they resolved their task is unknown.

        Those without a response are left out. Raises ResultsRefused.
        """
        rows = AttemptRows(self.name)
        homes: dict[str, str] = {}  # by task: its repository, in which all attempts are
        for facts, section in self._conversations(documents):
            if not facts.has_response:
                rows.left_out += 1
                continue
            trajectory = self._trajectory(facts, section)
            if rows.has(trajectory):
                continue
            task = facts.text("session") or facts.path.stem
            repository = facts.text("repository") or repository_of(facts.text("workdir"))
            rows.add_day(facts.last_at)
            rows.add(
                facts.place,
                agent_with(given.get("agent") or facts.text("program") or self.name, facts.text("model")),
                trajectory,
                task=task,
                repository=homes.setdefault(task, slug_of(repository)),
                outcome=UNKNOWN_OUTCOME,
                ending=facts.text("ending"),
                detail=facts.text("detail"),
                **{each: facts.about[each] for each in _MEASURED if each in facts.about},
            )
        found = {"slug": self.slug, "title": f"Conversations of {self.name}"}
        return rows.finish(found, given, "agent")

    def _conversations(
        self, documents: Iterable[ReportDocument]
    ) -> Iterator[tuple[ConversationFacts, ConversationSection]]:
        found = {document.path: document.place for document in documents}
        further = {other for path in found for other in self.beside(path).values()}
        for path, place in found.items():
            if path not in further:
                for section in self._sections(path, place):
                    yield conversation_facts(path, place, section.read()), section

    def _sections(self, path: Path, place: str) -> Iterable[ConversationSection]:
        if self.sections is not None:
            return self.sections(path, place)
        assert self.parts is not None
        return [ConversationSection("", partial(self.parts, path, place), "")]

    def _trajectory(self, facts: ConversationFacts, section: ConversationSection) -> Trajectory:
        files = {facts.place: facts.path}
        for name, path in self.beside(facts.path).items():
            files[place_beside(facts.place, name)] = path
        return Trajectory(
            self.name,
            _one_line(section.part),
            section.digest or files_digest(files),
            facts.place,
            files,
            partial(_steps, facts, section),
            workdir=facts.text("workdir"),
            version=facts.text("version"),
            title=facts.text("title")[:_MAX_TITLE_LENGTH],
            session=facts.text("session"),
            extras=self.extras(facts.path, facts.place) if self.extras else {},
            calls_unknown=facts.about.get("calls_unknown") is True,
        )


def _one_line(part: str) -> str:
    """The name of a part, with escapes in place of what can be neither printed nor stored."""
    return part if part.isprintable() else ascii(part)[1:-1]


def _steps(facts: ConversationFacts, section: ConversationSection) -> Iterator[ReadStep]:
    return conversation_steps(section.read(), facts.place, facts.text("workdir"))


_JSON = ("*.json", "*.jsonl")
CONVERSATIONS: tuple[ConversationForm, ...] = (
    ConversationForm("Gemini CLI", "gemini-cli", _JSON, is_gemini_cli, gemini_cli_parts),
    ConversationForm("Qwen Code", "qwen-code", ("*.jsonl",), is_qwen_code, qwen_code_parts),
    ConversationForm("Cline", "cline", ("*.json",), is_cline, cline_parts, beside=beside_cline),
    ConversationForm("Aider", "aider", ("*.md",), is_aider, sections=aider_sections),
    ConversationForm(
        "asciinema",
        "asciinema",
        ("*.cast",),
        is_terminal_cast,
        terminal_cast_parts,
        extras=terminal_recording,
    ),
    ConversationForm("OpenTelemetry", "opentelemetry", _JSON, is_otel, sections=otel_sections),
    ConversationForm("Langfuse", "langfuse", ("*.json",), is_langfuse, sections=langfuse_sections),
    ConversationForm("GitHub Copilot", "copilot", _JSON, is_copilot, copilot_parts),
    ConversationForm("Pi", "pi", ("*.jsonl",), is_pi, pi_parts),
    ConversationForm("Droid", "droid", ("*.jsonl", "*.ndjson"), is_droid, droid_parts, beside=beside_droid),
    ConversationForm("Kimi CLI", "kimi-cli", ("*.jsonl",), is_kimi, kimi_parts, beside=beside_kimi),
    ConversationForm("Cursor", "cursor", ("*.md", "*.jsonl", "*.ndjson"), is_cursor, cursor_parts),
)
"""They stand before the sessions of Claude Code, whose lines have the same names as those of Qwen Code and Cursor."""
