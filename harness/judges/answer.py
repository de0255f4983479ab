"""The answer of a judge: one call of `submit_review`, checked strictly. What does not fit has no score.

The check does not rely on the provider: a provider may ignore the schema or drop the forced call without a word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from harness.judges.sentences import sentences
from harness.llm.replies import Reply, well_formed
from harness.tools.schema import function_tool, object_schema

LENGTH = "length"  # the finish reason of a response that was cut off
MIN_SENTENCES, MAX_SENTENCES = 2, 5
MIN_LINES, MAX_LINES = 1, 6
MAX_REVIEW_LENGTH, MAX_ASPECT_LENGTH, MAX_QUOTE_LENGTH, MAX_MECHANISM_LENGTH = 3000, 120, 400, 300
SCORES = (0, 0.5, 1)
SHOWN_CHARACTERS = 200

Severity = Literal["none", "low", "medium", "high"]
Frequency = Literal["once", "repeated"]
Category = Literal["logic_code", "tool_harness", "process_interaction", "other"]
Checked = TypeVar("Checked", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Malformed:
    """An answer that does not fit. `reason` is a sentence for the model, and for the review's file."""

    reason: str


def exact_score(value: object) -> float:
    """The score 0, 0.5 or 1. Raises ValueError for any other value."""
    # No bool and no text: True equals 1 in Python, and "1" would be converted.
    if isinstance(value, bool) or not isinstance(value, int | float) or value not in SCORES:
        raise ValueError("must be exactly 0, 0.5 or 1, as a number")
    return float(value)


def _filled(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    return well_formed(text.strip())


def text_of_sentences(text: str) -> str:
    """A text of 2 to 5 sentences. Raises ValueError for another number."""
    count = len(sentences(text))
    if not MIN_SENTENCES <= count <= MAX_SENTENCES:
        raise ValueError(f"must have {MIN_SENTENCES} to {MAX_SENTENCES} sentences, not {count}")
    return text


Text = Annotated[str, AfterValidator(_filled)]


class EvidenceLine(BaseModel):
    """One line of evidence. `severity` none: the line speaks for the agent. `step` is the number in the step's header.

    The last three fields are for pitfalls only. `mechanism`: how the pitfall came about.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    aspect: Annotated[Text, Field(max_length=MAX_ASPECT_LENGTH)]
    severity: Severity
    quote: Annotated[Text, Field(max_length=MAX_QUOTE_LENGTH)]
    step: Annotated[int, Field(ge=1)]
    category: Category | None = None
    frequency: Frequency | None = None
    mechanism: Annotated[Text, Field(max_length=MAX_MECHANISM_LENGTH)] | None = None


class Answer(BaseModel):
    """The arguments of `submit_review`."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    score: Annotated[float, BeforeValidator(exact_score)]
    review: Annotated[Text, Field(max_length=MAX_REVIEW_LENGTH), AfterValidator(text_of_sentences)]
    evidence: Annotated[list[EvidenceLine], Field(min_length=MIN_LINES, max_length=MAX_LINES)]


def text_schema(description: str, longest: int) -> dict[str, Any]:
    """The JSON schema of a text.

    Its length is in the description only. Servers that force the schema with a grammar, such as llama.cpp, write out a
    `maxLength` of thousands as so many nested rules, and then take minutes for each character.
    """
    return {"type": "string", "description": f"{description} At most {longest:,} characters."}


def choice_schema(description: str, *values: str) -> dict[str, Any]:
    """The JSON schema of a choice."""
    return {"type": "string", "enum": list(values), "description": description}


def lines_schema(line: Mapping[str, Any], required: Sequence[str] | None = None) -> dict[str, Any]:
    """The JSON schema of the list of lines with these properties; see `object_schema` for `required`."""
    items = object_schema(line, required)
    return {"type": "array", "minItems": MIN_LINES, "maxItems": MAX_LINES, "items": items}


_LINE: Mapping[str, Any] = {
    "aspect": text_schema(
        "What the line is about, in a few words that would fit other runs too.", MAX_ASPECT_LENGTH
    ),
    "severity": choice_schema(
        "How bad it was for the user; none if it speaks for the agent.", "none", "low", "medium", "high"
    ),
    "quote": text_schema("Copied exactly from one step, at least 8 characters.", MAX_QUOTE_LENGTH),
    "step": {"type": "integer", "minimum": 1, "description": "The number of the step that is quoted."},
    "category": choice_schema(
        "Only for Pitfalls: where it belongs.", "logic_code", "tool_harness", "process_interaction", "other"
    ),
    "frequency": choice_schema(
        "Only for Pitfalls: whether it happened once or more often.", "once", "repeated"
    ),
    "mechanism": text_schema("Only for Pitfalls: how it came about, in one sentence.", MAX_MECHANISM_LENGTH),
}
# One schema for all dimensions: it precedes the conversation, so another one would make every provider's cache useless.
SUBMIT_REVIEW: Mapping[str, Any] = function_tool(
    "submit_review",
    "Submits the review. Call it exactly once.",
    object_schema(
        {
            "review": text_schema("2 to 5 sentences about this dimension.", MAX_REVIEW_LENGTH),
            "evidence": lines_schema(_LINE, ("aspect", "severity", "quote", "step")),
            # No enum: Gemini allows one for texts only.
            "score": {"type": "number", "minimum": 0, "maximum": 1, "description": "Exactly 0, 0.5 or 1."},
        }
    ),
)


def read_answer(reply: Reply, *, lists_pitfalls: bool) -> Answer | Malformed:
    """The answer in a response, or what is wrong with it. `lists_pitfalls`: whether the dimension is Pitfalls."""
    answer = read_call(reply, "submit_review", Answer)
    if isinstance(answer, Malformed):
        return answer
    for number, line in enumerate(answer.evidence, start=1):
        if reason := _misfit(line, lists_pitfalls=lists_pitfalls):
            return Malformed(f"evidence line {number}: {reason}")
    return answer


def read_call(reply: Reply, tool: str, kind: type[Checked]) -> Checked | Malformed:
    """The arguments of the one call of `tool` as a `kind`, or what is wrong with them; see `called_with`."""
    arguments = called_with(reply, tool)
    if isinstance(arguments, Malformed):
        return arguments
    try:
        return kind.model_validate(arguments)
    except ValidationError as error:
        return Malformed(problems(error))


def called_with(reply: Reply, tool: str) -> Mapping[str, Any] | Malformed:
    """The arguments of the one call of `tool` that a response must consist of. Text beside it is ignored.

    A call that the client had to repair is none: JSON in the text, arguments encoded twice, wrapped, or with one name
    twice. The text of a judge may quote the trajectory, where an agent can write what looks like a call.
    """
    reason = _not_one_call(reply, tool)
    return Malformed(reason) if reason else reply.calls[0].arguments


def problems(error: ValidationError) -> str:
    """The first three problems, each with the place of the value."""
    found = [
        f"{'.'.join(map(str, each['loc'])) or 'arguments'}: {each['msg'].removeprefix('Value error, ')}"
        for each in error.errors(include_url=False, include_input=False)[:3]
    ]
    return well_formed("; ".join(found)[: 3 * SHOWN_CHARACTERS])


def _not_one_call(reply: Reply, tool: str) -> str:
    """Why a response is not one well-formed call of `tool`; '' if it is."""
    if reply.metrics.finish_reason == LENGTH:
        return "the answer was cut off at the limit of tokens; answer more briefly"
    if not reply.calls:
        said = " ".join(reply.message.split())[:SHOWN_CHARACTERS]
        return f"the answer is not a call of {tool}" + (f", but text: {said}" if said else "")
    if len(reply.calls) > 1:
        return f"the answer has {len(reply.calls)} calls; call {tool} exactly once"
    if reply.calls[0].name != tool:
        called = reply.calls[0].name[:SHOWN_CHARACTERS]
        return f"the answer calls {called!r}, which is not offered; call {tool}"
    faults = [*reply.malformed.values(), *reply.metrics.repairs]
    return f"the call is not as it must be: {faults[0][:SHOWN_CHARACTERS]}" if faults else ""


def _misfit(line: EvidenceLine, *, lists_pitfalls: bool) -> str:
    """What is wrong with the fields that only pitfalls have; '' if nothing is."""
    fields = {"category": line.category, "frequency": line.frequency, "mechanism": line.mechanism}
    if lists_pitfalls and line.severity != "none":
        missing = [name for name, value in fields.items() if value is None]
        return f"a pitfall needs {', '.join(missing)}" if missing else ""
    given = [name for name, value in fields.items() if value is not None]
    return f"leave out {', '.join(given)}: this line is not a pitfall" if given else ""
