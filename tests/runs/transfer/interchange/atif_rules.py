"""The rules of ATIF v1.8, as far as documents that we write can break them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

_Shape = Mapping[str, tuple[type, ...]]
_TEXT, _WHOLE, _NUMBER, _OBJECT, _LIST = (str,), (int,), (int, float), (dict,), (list,)
_ROOT: _Shape = {
    **{"schema_version": _TEXT, "session_id": _TEXT, "agent": _OBJECT, "steps": _LIST},
    **{"notes": _TEXT, "final_metrics": _OBJECT, "extra": _OBJECT},
}
_AGENT: _Shape = {"name": _TEXT, "version": _TEXT, "model_name": _TEXT, "extra": _OBJECT}
_STEP: _Shape = {
    **{"step_id": _WHOLE, "timestamp": _TEXT, "source": _TEXT, "message": _TEXT},
    **{"reasoning_content": _TEXT, "tool_calls": _LIST, "observation": _OBJECT, "metrics": _OBJECT},
    **{"llm_call_count": _WHOLE, "extra": _OBJECT},
}
_CALL: _Shape = {"tool_call_id": _TEXT, "function_name": _TEXT, "arguments": _OBJECT}
_RESULT: _Shape = {"source_call_id": _TEXT, "content": _TEXT, "extra": _OBJECT}
_METRICS: _Shape = {
    **{"prompt_tokens": _WHOLE, "completion_tokens": _WHOLE, "cached_tokens": _WHOLE},
    **{"cost_usd": _NUMBER, "extra": _OBJECT},
}
_FINAL: _Shape = {
    **{"total_prompt_tokens": _WHOLE, "total_completion_tokens": _WHOLE, "total_cached_tokens": _WHOLE},
    **{"total_cost_usd": _NUMBER, "total_steps": _WHOLE, "extra": _OBJECT},
}


def problems(document: Mapping[str, Any]) -> list[str]:
    """What is invalid in a document; every form of value that is not listed above counts as unknown."""
    return list(_problems(document))


def _problems(document: Mapping[str, Any]) -> Iterator[str]:
    yield from _shape("root", document, _ROOT, "schema_version", "agent", "steps")
    yield from _shape("agent", document["agent"], _AGENT, "name", "version")
    yield from _shape("final_metrics", document["final_metrics"], _FINAL)
    if document["schema_version"] != "ATIF-v1.8":
        yield "schema_version"
    if not document["steps"]:
        yield "no step"
    for number, step in enumerate(document["steps"], 1):
        yield from (f"step {number}: {problem}" for problem in _step(number, step))


def _step(number: int, step: Mapping[str, Any]) -> Iterator[str]:
    yield from _shape("step", step, _STEP, "step_id", "source", "message")
    if step["step_id"] != number or step["source"] not in {"system", "user", "agent"}:
        yield "number or source"
    if "timestamp" in step:
        datetime.fromisoformat(step["timestamp"])
    of_agents = {"reasoning_content", "tool_calls", "metrics"} & step.keys()
    if step["source"] != "agent" and of_agents:
        yield f"only agents have {sorted(of_agents)}"
    if step.get("llm_call_count") == 0 and {"metrics", "reasoning_content"} & step.keys():
        yield "it has metrics without a call of a model"
    yield from _shape("metrics", step.get("metrics", {}), _METRICS)
    calls = step.get("tool_calls", [])
    for call in calls:
        yield from _shape("call", call, _CALL, *_CALL)
    for result in step.get("observation", {"results": []})["results"]:
        yield from _shape("result", result, _RESULT)
        if "source_call_id" in result and result["source_call_id"] not in [
            call["tool_call_id"] for call in calls
        ]:
            yield f"no call {result['source_call_id']!r}"


def _shape(name: str, value: Mapping[str, Any], shape: _Shape, *required: str) -> Iterator[str]:
    yield from (f"{name} lacks {each}" for each in required if each not in value)
    for each, found in value.items():
        if each not in shape:
            yield f"{name} has {each}"
        elif not isinstance(found, shape[each]) or isinstance(found, bool):
            yield f"{name}.{each} is {type(found).__name__}"
