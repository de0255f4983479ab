"""Finds out with one small request whether a model can be used, and what of its set-up is wrong."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import httpx

from harness.errors import ConfigurationError, ContentRefused, ContextLimitReached, ModelError
from harness.limits import LimitReached, Limits, Spending
from harness.llm.client import Client
from harness.llm.provider import KNOWN, api_key, has_provider, missing_variables
from harness.llm.spec import CallSettings, ModelSpec

MAX_OUTPUT_TOKENS = 512
MIN_INPUT_TOKENS = 8000  # the ide agent's prompt, a task of the starter dataset and a few turns
TIMEOUT_SECONDS = 60.0
LISTING_SECONDS = 5.0
MAX_LISTING_BYTES = 200_000
MAX_LISTED = 8
MAX_TEXT = 400
TOOL: Mapping[str, Any] = {
    "type": "function",
    "function": {
        "name": "report_ready",
        "description": "Reports that you can call tools.",
        "parameters": {
            "type": "object",
            "properties": {"ready": {"type": "boolean", "description": "Whether you are ready."}},
            "required": ["ready"],
        },
    },
}
QUESTION = "Call the tool report_ready with ready set to true."


@dataclass(frozen=True, slots=True)
class ModelCheck:
    """What one request showed. `what` and `remedy` are sentences; `remedy` is empty if nothing is to be done.

    `blamed`: the field of ModelSpec that is wrong; '' where none is. `notes`: what works, but limits evaluations.
    `cost_usd` is None if it is unknown; `seconds` is the time until the response.
    """

    works: bool
    what: str
    remedy: str = ""
    blamed: str = ""
    notes: tuple[str, ...] = ()
    seconds: float | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None
    answer: str = ""


def check_model(model: ModelSpec, *, timeout: float = TIMEOUT_SECONDS) -> ModelCheck:
    """Sends one request with one tool, without retries. Never raises for what a provider does.

    `timeout` in seconds. A server of one's own that refuses the request is asked for the names of its models, too.
    """
    wrong = _wrong_before_sending(model)
    if wrong is not None:
        return wrong
    settings = CallSettings(
        temperature=None,
        max_output_tokens=MAX_OUTPUT_TOKENS,
        call_timeout=timeout,
        patience=0.0,
        retry_delay=0.0,
        refusal_retries=0,
    )
    spending = Spending(Limits(iterations=None, wall_seconds=None))
    began = time.monotonic()
    try:
        client = Client(model, settings)
        reply = client.complete([{"role": "user", "content": QUESTION}], [TOOL], spending=spending)
    except ModelError as error:
        return _refused(model, error)
    except (ConfigurationError, ContextLimitReached) as error:
        remedy = f"A run needs a window of several thousand tokens. State the one of {model.litellm_id}."
        return ModelCheck(
            False, f"The context window is too small: {_short(error)}.", remedy, "context_window"
        )
    except (ContentRefused, LimitReached) as error:
        return ModelCheck(
            False, f"The provider refuses a harmless request: {_short(error)}.", "Ask the provider why."
        )
    seconds = time.monotonic() - began
    calls = bool(reply.calls)
    notes = _notes(client, calls=calls)
    return ModelCheck(
        works=True,
        what=f"It answers{' and calls tools' if calls else ''}.",
        notes=notes,
        seconds=seconds,
        prompt_tokens=spending.prompt_tokens,
        completion_tokens=spending.completion_tokens,
        cost_usd=spending.cost_usd,
        answer=reply.message[:MAX_TEXT],
    )


def _wrong_before_sending(model: ModelSpec) -> ModelCheck | None:
    """What is wrong without a request: no id, no provider, no key."""
    if not model.litellm_id:
        remedy = "Enter the name by which its provider calls it."
        return ModelCheck(False, "It has no name that a provider knows.", remedy, "litellm_id")
    if not has_provider(model):
        what = f"No provider is known for {model.litellm_id}."
        remedy = (
            "The id begins with the provider, as in openai/NAME, anthropic/NAME or openrouter/OWNER/NAME."
        )
        return ModelCheck(False, what, remedy, "litellm_id")
    try:
        key = api_key(model)
    except ModelError:
        what = f"The variable {model.api_key_variable} is not set where workers run."
        remedy = f"Set {model.api_key_variable} in the environment of the workers, start them again, and test again."
        return ModelCheck(False, what, remedy, "api_key_variable")
    missing = missing_variables(model)
    if key is None and missing:
        what = f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} not set where workers run."
        remedy = "Set what the provider needs in the environment of the workers, or name another variable for the key."
        return ModelCheck(False, what, remedy, "api_key_variable")
    return None


def _begins(said: str, error: ModelError, status: str) -> bool:
    """Whether this is a status of HTTP that begins so. Without a status of its own, the error's text begins with it."""
    code = str(error.status) if error.status else said.partition(" ")[0].rstrip(":")
    return len(code) == 3 and code.isdigit() and code.startswith(status)


def _refused(model: ModelSpec, error: ModelError) -> ModelCheck:
    """What a failed request says about the set-up."""
    said = _short(error).removeprefix(f"{model.name}: ").removeprefix("gave up after 1 try: ")
    where = model.api_base or "the provider"
    name = model.litellm_id.partition("/")[2] or model.litellm_id
    key = model.api_key_variable or "the provider's key"
    if error.status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        remedy = f"Check the value of {key} in the workers' environment, and that its account may use {name}."
        return ModelCheck(False, f"The key is refused: {said}.", remedy, "api_key_variable")
    if error.status == HTTPStatus.NOT_FOUND:
        listed = _listed(model)
        remedy = f"The server has: {', '.join(listed)}." if listed else f"Check the spelling of {name}."
        if model.api_base and not listed:
            remedy += " Most servers want an address that ends in /v1."
        return ModelCheck(False, f"The model or the address is unknown: {said}.", remedy, "litellm_id")
    if error.status == HTTPStatus.PAYMENT_REQUIRED or _begins(said, error, "429"):
        return ModelCheck(
            False, f"The provider accepts no more requests: {said}.", f"Check quota and balance of {key}."
        )
    if said.startswith("no response"):
        remedy = "Check that the provider is reachable from the workers."
        if model.api_base:
            remedy = (
                f"Check that the server at {model.api_base} is started, and that workers can reach it: in a container, "
                "127.0.0.1 is the container itself."
            )
        return ModelCheck(False, f"Nothing answers at {where}: {said}.", remedy, "api_base")
    if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR or _begins(said, error, "5"):
        return ModelCheck(
            False, f"{where} fails: {said}.", "Test again later, or look at the log of the server."
        )
    listed = _listed(model)
    remedy = (
        f"The server has: {', '.join(listed)}."
        if listed
        else f"Check the name {name}, and what the provider wants."
    )
    return ModelCheck(False, f"The request is refused: {said}.", remedy, "litellm_id")


def _notes(client: Client, *, calls: bool) -> tuple[str, ...]:
    """What limits evaluations with a model that answers."""
    notes = []
    if not calls:
        notes.append(
            "It answered without calling the tool that it was asked to call."
            " Agents of the kind ide work with tools only."
        )
    if client.max_cost(1000, 1000) is None:
        notes.append(
            "Its price is unknown: costs stay unknown, and no budget can be enforced. Enter the prices for input and"
            " output."
        )
    notes += _notes_on_window(client)
    return tuple(notes)


def _notes_on_window(client: Client) -> list[str]:
    """Whether its window is assumed, and whether it has room for a task beside the usual longest response."""
    notes = []
    window = client.window
    usual = CallSettings().max_output_tokens
    left = window.tokens - (usual - MAX_OUTPUT_TOKENS if window.source == "stated" else 0)
    if left < MIN_INPUT_TOKENS:
        notes.append(
            f"Its window leaves {max(0, left):,} tokens for input beside responses of {usual:,}: a task needs about "
            f"{MIN_INPUT_TOKENS:,}. State a larger window, or give its agents a smaller max_output_tokens."
        )
    if window.source not in (KNOWN, "stated"):
        notes.append(f"Its context window is unknown: {window.tokens:,} tokens of input are assumed.")
    return notes


def _listed(model: ModelSpec) -> tuple[str, ...]:
    """The names of models that a server of one's own lists, at most MAX_LISTED; () if it lists none."""
    if not model.api_base:
        return ()
    with suppress(httpx.HTTPError, ModelError, ValueError, KeyError, TypeError, AttributeError):
        headers = {"Authorization": f"Bearer {api_key(model)}"}
        address = f"{model.api_base.rstrip('/')}/models"
        with httpx.stream("GET", address, headers=headers, timeout=LISTING_SECONDS) as response:
            text = b""
            for part in response.iter_bytes():
                text += part
                if len(text) > MAX_LISTING_BYTES:
                    return ()
        return tuple(str(one["id"])[:100] for one in json.loads(text)["data"][:MAX_LISTED])
    return ()


def _short(error: Exception) -> str:
    """The first words of an error, without its full stop."""
    return str(error)[:MAX_TEXT].rstrip(". ")
