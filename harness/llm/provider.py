"""The only module that uses LiteLLM: its data about models, and one request at a time.

LiteLLM takes seconds and some 190 MB to import, so nothing here imports it before `load()`; a process that will call
models calls `load()` once, before it forks.
"""

from __future__ import annotations

import copy
import logging
import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import httpx

from harness.errors import ModelError
from harness.llm.replies import token_counts
from harness.llm.spec import ModelSpec
from harness.llm.wire import HttpResponse, Wire

DEFAULT_WINDOW = 128_000
PLACEHOLDER_KEY = "no-key"
KNOWN = "known to LiteLLM"

log = logging.getLogger(__name__)
_wire = Wire()


@dataclass(frozen=True, slots=True)
class Window:
    """How many tokens a model reads at most, and the source of that number."""

    tokens: int
    source: str


def load() -> ModuleType:
    """LiteLLM, imported once and set up so that it neither fetches prices, nor reads `.env` files, nor prints.

    All its requests go through `_wire`, which records the responses.
    """
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ.setdefault("LITELLM_MODE", "PRODUCTION")
    import litellm  # noqa: PLC0415

    module: ModuleType = litellm
    module.suppress_debug_info = True  # type: ignore[attr-defined]
    module.telemetry = False  # type: ignore[attr-defined]
    if getattr(module, "sync_transport", None) is not _wire:
        module.sync_transport = _wire  # type: ignore[attr-defined]
        module.client_session = httpx.Client(transport=_wire, follow_redirects=True)  # type: ignore[attr-defined]
    logging.getLogger("LiteLLM").setLevel(logging.ERROR)
    # Responses with an object in place of a string; the warnings would fill the workers' log.
    warnings.filterwarnings("ignore", message="Pydantic serializer warnings")
    return module


def send(
    model: ModelSpec,
    body: Mapping[str, Any],
    *,
    key: str | None,
    timeout: float,
    responses: list[HttpResponse],
) -> Any:
    """LiteLLM's response to one request, sent once. Every HTTP response is appended to `responses`, readable or not."""
    with _wire.recorded_in(responses):
        return load().completion(
            **body,
            model=model.litellm_id,
            api_base=model.api_base or None,
            api_key=key,
            timeout=timeout,
            num_retries=0,
            max_retries=0,
            drop_params=True,
        )


def has_provider(model: ModelSpec) -> bool:
    """Whether LiteLLM knows which provider serves this model."""
    litellm = load()
    try:
        litellm.get_llm_provider(model.litellm_id, api_base=model.api_base or None)
    except litellm.exceptions.BadRequestError:
        return False
    return True


def dropped(model: ModelSpec, sent: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of those parameters of a request that LiteLLM does not send to this provider.

    LiteLLM translates the request with and without each of them: what changes nothing is dropped.
    """
    litellm = load()
    name, provider, _, _ = litellm.get_llm_provider(model.litellm_id, api_base=model.api_base or None)

    def translated(parameters: Mapping[str, Any]) -> Any:
        return litellm.utils.get_optional_params(
            model=name, custom_llm_provider=provider, drop_params=True, **copy.deepcopy(dict(parameters))
        )

    try:
        whole = translated(sent)
        return tuple(
            each
            for each in sent
            if translated({other: value for other, value in sent.items() if other != each}) == whole
        )
    except Exception:  # a parameter alone can be invalid for LiteLLM; the request itself shows what is wrong
        log.debug("what LiteLLM drops for %s is unknown", model.litellm_id, exc_info=True)
        return ()


def missing_variables(model: ModelSpec) -> tuple[str, ...]:
    """The provider's own environment variables that are not set here, as LiteLLM knows them; () with a stated key."""
    if model.api_key_variable or model.api_base:
        return ()
    return tuple(load().validate_environment(model.litellm_id)["missing_keys"])


def price(model: ModelSpec, usage: Mapping[str, Any]) -> float | None:
    """Dollars for `usage` (LiteLLM's fields); None when the price is unknown, never 0 for that.

    Stated prices come first; then the cost that OpenRouter reports, which depends on the provider it used; then
    LiteLLM's price map. Tokens read from a cache or written to it have the normal price unless they have a price of
    their own.
    """
    tokens = token_counts(usage)
    if not tokens.prompt + tokens.completion:
        return None
    if model.input_price is not None and model.output_price is not None:
        dollars = (
            (tokens.prompt - tokens.cached - tokens.written) * model.input_price
            + tokens.cached * _first(model.cached_price, model.input_price)
            + tokens.written * _first(model.cache_write_price, model.input_price)
            + tokens.completion * model.output_price
        )
        return dollars / 1e6
    charged = usage.get("cost")
    if model.litellm_id.startswith("openrouter/") and isinstance(charged, int | float):
        return max(0.0, float(charged))
    known = _known(model.litellm_id)
    if not known.get("input_cost_per_token") and not known.get("output_cost_per_token"):
        return None  # absent, or an unset zero
    litellm = load()
    parts: tuple[float, float] = litellm.cost_per_token(
        model=model.litellm_id,
        usage_object=litellm.Usage(**{**usage, "completion_tokens": tokens.completion}),
    )
    return max(0.0, sum(parts))


def input_window(model: ModelSpec, max_output_tokens: int) -> Window:
    """The model's input window for a response of at most `max_output_tokens`.

    A stated window is for input and output together, as is the assumed one; `max_output_tokens` is subtracted.
    LiteLLM's value is for input alone.
    """
    if model.context_window:
        return Window(max(0, model.context_window - max_output_tokens), "stated")
    known = _known(model.litellm_id).get("max_input_tokens")
    if known:
        return Window(int(known), KNOWN)
    return Window(max(0, DEFAULT_WINDOW - max_output_tokens), "assumed")


def reads_pictures(model: ModelSpec) -> bool:
    """Whether the model reads pictures, as LiteLLM knows; False for a model that it does not know."""
    return bool(_known(model.litellm_id).get("supports_vision"))


def api_key(model: ModelSpec) -> str | None:
    """The key; None to use the default variable of the provider.

    A custom server never gets a provider's key by accident: without a variable it gets a placeholder.
    """
    if model.api_key_variable:
        key = os.environ.get(model.api_key_variable)
        if not key:
            raise ModelError(
                f"{model.name}: the environment variable {model.api_key_variable} is not set where this run works;"
                " set it for the workers and start them again"
            )
        return key
    return PLACEHOLDER_KEY if model.api_base else None


def _first(price: float | None, otherwise: float) -> float:
    return otherwise if price is None else price


def _known(litellm_id: str) -> Mapping[str, Any]:
    """The entry of a model in LiteLLM's price map; {} without one.

    Read from the map itself, because LiteLLM's own lookup sends requests to local servers.
    """
    models: Mapping[str, Mapping[str, Any]] = load().model_cost
    if litellm_id in models:
        return models[litellm_id]
    provider, _, name = litellm_id.partition("/")
    entry = models.get(name, {})
    # The map knows Vertex AI as "vertex_ai-language-models", Bedrock as "bedrock_converse".
    return entry if str(entry.get("litellm_provider")).startswith(provider) else {}
