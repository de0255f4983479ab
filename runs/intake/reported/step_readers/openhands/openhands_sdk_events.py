"""The steps of OpenHands' newer events, as its SDK writes them: each names its kind, and its response."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from harness.records import FileEdit, Metrics, Source, Step, ToolCall, ToolResult
from runs.intake.reported.report_document import pick, pick_list, pick_text, text_of
from runs.intake.reported.step_readers.chat_messages import content_text
from runs.intake.reported.step_readers.openhands.openhands_events import changed_file, with_exit_code
from runs.intake.reported.step_readers.step_builder import UNKNOWN, call_of, id_of, moment
from runs.intake.reported.step_readers.threaded_steps import ThreadedSteps


class OpenHandsSdkEvents:
    """Adds events to steps. `known`: measurements by response. `stated` gets the changes of files, by ids of calls."""

    def __init__(
        self,
        steps: ThreadedSteps,
        workdir: str,
        known: Mapping[str, Metrics],
        stated: dict[str, list[FileEdit]],
    ) -> None:
        self._steps, self._workdir, self._known, self._stated = steps, workdir, known, stated

    def add(self, event: Mapping[str, Any], thread: str = "") -> Iterator[Step]:
        """The steps that an event completes. Kinds without a message or a call are left out.

        `thread`: the sub-agent that it is of; '' for the conversation's own agent.
        """
        at, kind = moment(event.get("timestamp")), pick_text(event, "kind")
        if kind == "ActionEvent":
            yield from self._responds(event, content_text(event.get("thought")), (_call(event),), thread)
        elif kind == "MessageEvent":
            yield from self._message(event, at, thread)
        elif kind in {"ObservationEvent", "AgentErrorEvent", "UserRejectObservation"}:
            yield from self._result(event, at)
        else:
            yield from self._says("system", _said(event), at, thread)

    def _message(self, event: Mapping[str, Any], at: str, thread: str) -> Iterator[Step]:
        message = event.get("llm_message")
        said = content_text(pick(message, "content"))
        if pick(message, "role") == "assistant":
            yield from self._responds(event, said, (), thread)
        else:
            yield from self._says("user" if event.get("source") == "user" else "system", said, at, thread)

    def _says(self, source: Source, said: str, at: str, thread: str) -> Iterator[Step]:
        """A message. What a sub-agent is given comes from the agent: no person said it."""
        if thread and said.strip():
            source, said = "system", f"{self._steps.mark(thread)} {said}"
        yield from self._steps.says(source, said, at)

    def _responds(
        self, event: Mapping[str, Any], said: str, calls: tuple[ToolCall, ...], thread: str
    ) -> Iterator[Step]:
        name = text_of(event.get("llm_response_id"))
        blocks = pick_list(event.get("thinking_blocks") or pick(event, "llm_message", "thinking_blocks"))
        reasoning = text_of(event.get("reasoning_content") or pick(event, "llm_message", "reasoning_content"))
        yield from self._steps.responds(
            name or f"event {text_of(event.get('id'))}",
            said,
            reasoning=reasoning
            or "\n\n".join(filter(None, (text_of(pick(block, "thinking")) for block in blocks))),
            calls=calls,
            metrics=self._known.get(name, UNKNOWN),
            at=moment(event.get("timestamp")),
            thread=thread,
        )

    def _result(self, event: Mapping[str, Any], at: str) -> Iterator[Step]:
        call_id = id_of(event.get("tool_call_id"))
        observation = event.get("observation")
        if event.get("kind") != "ObservationEvent":
            content = text_of(event.get("error") or event.get("rejection_reason"))
            yield from self._steps.returns(ToolResult(call_id, content, False, None), at)
            return
        output = pick(observation, "content")
        content = content_text(pick(observation, "output") if output is None else output)
        failed = pick(observation, "is_error")
        content, exit_code = with_exit_code(content, observation)
        ok = not failed if isinstance(failed, bool) else True if exit_code is not None else None
        if failed is not True and pick(observation, "command") != "view" and self._steps.waits_for(call_id):
            edits = list(changed_file(observation, self._workdir))
            if edits:
                self._stated[call_id] = edits
        yield from self._steps.returns(ToolResult(call_id, content, ok, None), at)


def _call(event: Mapping[str, Any]) -> ToolCall:
    call = event.get("tool_call")
    name = pick(call, "name") or event.get("tool_name")
    arguments = pick(call, "arguments")
    if arguments is None:
        arguments = event.get("action")
    return call_of(event.get("tool_call_id") or pick(call, "id"), name, arguments)


def _said(event: Mapping[str, Any]) -> str:
    """What an event of another kind says; '' if it is nothing that the model saw, or no end."""
    kind = event.get("kind")
    if kind == "SystemPromptEvent":
        return content_text([event.get("system_prompt")])
    if kind == "Condensation":
        return f"[the history was condensed]\n{text_of(event.get('summary'))}"
    if kind == "ConversationErrorEvent":
        return f"[{text_of(event.get('code'))}: {text_of(event.get('detail'))}]"
    return ""
