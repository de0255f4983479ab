"""Says why a provider refused a request, and what to do: one sentence each, and the setting that is wrong.

The wording of errors is the providers' own, and each kind is pinned by bodies in the tests. Wording that is not known
here is judged by its status.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import httpx

from harness.errors import ContentRefused, ContextLimitReached, HarnessError, ModelError
from harness.llm.price_map import near_names
from harness.llm.provider import api_key
from harness.llm.spec import CallSettings, ModelSpec

LISTING_SECONDS = 5.0
MAX_LISTING_BYTES = 200_000
MAX_LISTED = 8
MAX_TEXT = 400
UNKNOWN_WORDING = (HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY)

_TRIES = re.compile(r"^gave up after \d+ (?:try|tries): ")
_KEY = re.compile(
    r"api[ _-]?key.{0,30}(?:not valid|invalid|incorrect|expired|missing|not found|required|wrong|revoked)"
    r"|(?:invalid|incorrect|expired|missing|wrong|no|bad|revoked) (?:x-)?(?:api[ _-]?key|auth|credentials)"
    r"|API_KEY_INVALID|unauthorized|authentication",
    re.IGNORECASE,
)
_PLACE = re.compile(r"country|region|territory|location is not supported", re.IGNORECASE)
_MONEY = re.compile(
    r"credit|insufficient[_ ](?:quota|balance|funds)|billing|payment|quota|prepaid", re.IGNORECASE
)
_WEB_PAGE = re.compile(r"a page in place of JSON|<!doctype|<html|<head|<title|</", re.IGNORECASE)
_NAMES_THE_MODEL = re.compile(
    r"\bmodels?\b.{0,200}?(?:not exist|n't exist|not found|not a valid|not available|not loaded|not served|is not known"
    r"|no longer|decommissioned|has been deprecated|retired|unknown)"
    r"|(?:invalid|unknown|no such|unsupported|unrecogni[sz]ed|not a valid|could not find|cannot find) (?:the )?model"
    r"|model_not_found|no endpoints found for|models?/\S+ is not (?:found|supported)|^\d+[^:]*: model: \S+$"
    r"|no (?:allowed )?providers|provider not provided",
    re.IGNORECASE,
)
_NO_PROVIDER = re.compile(r"provider not provided", re.IGNORECASE)
_WINDOW = re.compile(
    r"context.{0,3}(?:length|window|size|limit)|context_length|prompt is too long|input (?:is )?too long|n_ctx"
    r"|input token count|too many (?:input )?tokens|max(?:imum)?[ _]model[ _]len|prompt (?:length|tokens?).{0,40}exceed"
    r"|(?:prompt|input|request).{0,60}exceeds? .{0,40}(?:context|tokens|maximum)|maximum number of tokens allowed",
    re.IGNORECASE,
)
_LONGEST = re.compile(
    r"max[ _](?:completion[ _]|output[ _]|new[ _])?tokens|maxOutputTokens|max_new_tokens|num_predict"
    r"|(?:output|completion) tokens",
    re.IGNORECASE,
)
_TOO_LARGE = re.compile(
    r"too (?:large|high|big|many)|at most|maximum|supported range|valid range|less than|exceed|greater than|between"
    r"|limit|must be|higher than|above|up to|invalid|>|<|≤",
    re.IGNORECASE,
)
_NUMBERS = re.compile(r"(?<![\w.-])(\d{1,3}(?:,\d{3})+|\d{2,9})(?![\w-]|\.\d)")
_EFFORT = re.compile(
    r"reasoning[_. ]?effort|reasoning\.effort|thinking|\beffort\b|reasoning is not", re.IGNORECASE
)
_SEED = re.compile(r"\bseed\b", re.IGNORECASE)
_PICTURE = re.compile(r"image|picture|vision|multi-?modal|mmproj", re.IGNORECASE)
_TOOLS = re.compile(
    r"\btools?\b.{0,80}(?:support|requires?|not|unknown|flag|disabled|enable)"
    r"|support.{0,20}\b(?:tools?|functions?)\b|function.calling|tool[_ -]choice|tool_call|--jinja",
    re.IGNORECASE,
)


Listing = Callable[[ModelSpec, str], tuple[str, ...]]  # the names of models at an address; '': the model's


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request failed. `what` and `remedy` are sentences.

    `blamed`: the field of ModelSpec or CallSettings that is wrong, `pictures` or `tools`; '' where none is. `passing`:
    a later try may succeed as it is. `guessed`: nothing in the wording says what is wrong.
    """

    what: str
    remedy: str
    blamed: str = ""
    passing: bool = False
    guessed: bool = False


def refusal(
    model: ModelSpec,
    settings: CallSettings,
    error: HarnessError,
    *,
    whose: str = "",
    listing: Listing | None = None,
) -> Refusal:
    """What a failed request says about the set-up. `whose`: the agents that have these settings, as "of A and B".

    `listing` asks a server of one's own for the names of its models; by default `listed_models`.
    """
    said = _TRIES.sub("", short(error).removeprefix(f"{model.name}: "))
    if isinstance(error, ContentRefused):
        return Refusal(f"The provider refuses a harmless request: {said}.", "Ask the provider why.")
    if isinstance(error, ContextLimitReached):
        return _of_length(model, settings, said, whose or "of its agents")
    status = (error.status if isinstance(error, ModelError) else 0) or _status_in(said)
    return (
        _of_the_key(model, status, said)
        or _of_a_setting(settings, model, status, said, whose or "of its agents")
        or _of_the_address(model, status, said, listing or listed_models)
        or _of_the_model(model, status, said, listing or listed_models)
        or _of_the_server(model, status, said)
        or Refusal(
            f"The request is refused: {said}.",
            f"Check the name {_name(model)}, and what the provider wants.",
            "litellm_id",
            guessed=status in UNKNOWN_WORDING,
        )
    )


def known_remedy(model: ModelSpec, settings: CallSettings, error: HarnessError, *, whose: str = "") -> str:
    """What helps against the failure of a run, where its text says that; else ''. Asks no server."""
    said = _TRIES.sub("", short(error).removeprefix(f"{model.name}: "))
    if not _status_in(said) and not said.startswith("no response"):
        return ""
    found = refusal(model, settings, error, whose=whose, listing=_no_listing)
    return "" if found.guessed else found.remedy


def of_setting(name: str, settings: CallSettings, said: str, whose: str = "") -> Refusal:
    """The refusal of one call setting, or of `tools` or `pictures`."""
    whose = whose or "of its agents"
    if name == "temperature":
        what = f"The model refuses temperature {settings.temperature:g}: {said}."
        remedy = f'Set "temperature" in the settings {whose} to null, which is the provider\'s default.'
    elif name == "reasoning_effort":
        what = f"The model refuses reasoning_effort {settings.reasoning_effort}: {said}."
        remedy = f'Set "reasoning_effort" in the settings {whose} to one that the model takes, or to null.'
    elif name == "seed":
        what = f"The model refuses a seed: {said}."
        remedy = f'Set "seed" in the settings {whose} to null.'
    elif name == "max_output_tokens":
        limit = _limit_in(said, settings.max_output_tokens)
        what = f"The model refuses responses of {settings.max_output_tokens:,} tokens: {said}."
        most = f"at most {limit:,}" if limit else "a smaller number"
        remedy = f'Set "max_output_tokens" in the settings {whose} to {most}.'
    elif name == "pictures":
        what = f"The model refuses a picture: {said}."
        remedy = f'Set "pictures" in the settings {whose} to false.'
    else:
        what = f"The model or its server refuses tools: {said}."
        remedy = (
            "Use a model that calls tools, or start its server with them: vLLM needs --enable-auto-tool-choice and"
            " --tool-call-parser, llama.cpp needs --jinja."
        )
    return Refusal(what, remedy, name)


def of_window(model: ModelSpec, said: str, read: int | None = None) -> Refusal:
    """The window is smaller than the model's page says. `read`: the tokens that fit, where known."""
    stated = f"The window is smaller than the {model.context_window:,} tokens stated"
    what = stated if model.context_window else "The window is smaller than assumed"
    remedy = "State the window that the server really has, or start the server with a larger one."
    if read:
        remedy = f"State a context window of {read:,} tokens, or start the server with a larger one."
    return Refusal(f"{what}: {said}.", remedy, "context_window")


def short(error: Exception | str) -> str:
    """The first words of an error, without its full stop."""
    return " ".join(str(error)[:MAX_TEXT].split()).rstrip(". ")


def listed_models(model: ModelSpec, address: str = "") -> tuple[str, ...]:
    """The names of models that a server of one's own lists; () if it lists none. `address`: instead of the model's."""
    return tuple(str(one["id"])[:100] for one in _listed(model, address))


def served_window(model: ModelSpec) -> int | None:
    """The window that a server of one's own names for a model in its list, as vLLM and others do; None without one."""
    found = next((one for one in _listed(model) if one["id"] == _name(model)), {})
    meta = found.get("meta")
    sizes = [
        found.get(name)
        for name in ("max_model_len", "context_length", "context_window", "max_context_length")
    ]
    sizes.append(meta.get("n_ctx") if isinstance(meta, Mapping) else None)
    return next((size for size in sizes if isinstance(size, int) and size > 0), None)


def _listed(model: ModelSpec, address: str = "") -> Sequence[Mapping[str, Any]]:
    """The entries of a server's list of models; () if it has none that can be read."""
    if not model.api_base:
        return ()
    with suppress(httpx.HTTPError, httpx.InvalidURL, ModelError, ValueError, KeyError, TypeError):
        headers = {"Authorization": f"Bearer {api_key(model)}"}
        place = f"{(address or model.api_base).rstrip('/')}/models"
        with httpx.stream("GET", place, headers=headers, timeout=LISTING_SECONDS) as response:
            text = b""
            for part in response.iter_bytes():
                text += part
                if len(text) > MAX_LISTING_BYTES:
                    return ()
        return [one for one in json.loads(text)["data"] if isinstance(one, Mapping) and "id" in one]
    return ()


def _no_listing(_model: ModelSpec, _address: str) -> tuple[str, ...]:
    return ()


def _of_the_key(model: ModelSpec, status: int, said: str) -> Refusal | None:
    key = model.api_key_variable or "the provider's key"
    denied = status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)
    if status == HTTPStatus.PAYMENT_REQUIRED or (
        status in (HTTPStatus.BAD_REQUEST, HTTPStatus.FORBIDDEN) and _MONEY.search(said)
    ):
        return Refusal(
            f"The provider accepts no more requests: {said}.", f"Check quota and balance of {key}."
        )
    if denied and _PLACE.search(said):
        return Refusal(
            f"The provider does not serve this place: {said}.",
            "Run the workers where the provider serves, or use another provider.",
        )
    if not denied and not (status == HTTPStatus.BAD_REQUEST and _KEY.search(said)):
        return None
    if model.api_base and not model.api_key_variable:
        remedy = "Enter the variable that has the key of this server, and set it in the workers' environment."
    else:
        remedy = f"Check the value of {key} in the workers' environment, and that its account may use {_name(model)}."
    return Refusal(f"The key is refused: {said}.", remedy, "api_key_variable")


def _of_the_address(model: ModelSpec, status: int, said: str, listing: Listing) -> Refusal | None:
    """Nothing answers, something other than a model's server answers, or its path is wrong."""
    where = model.api_base or "the provider"
    if said.startswith("no response"):
        remedy = "Check that the provider is reachable from the workers."
        if model.api_base:
            remedy = (
                f"Check that the server at {model.api_base} is started, and that workers can reach it: in a container, "
                "127.0.0.1 is the container itself."
            )
        return Refusal(f"Nothing answers at {where}: {said}.", remedy, "api_base", passing=True)
    page = bool(_WEB_PAGE.search(said))
    unreadable = said.startswith("unreadable response")
    wrong_path = status in (HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED) and not _names(said)
    if not model.api_base or not (unreadable or wrong_path or (page and 300 <= status < 500)):
        return None
    own = listing(model, "")
    if own and not unreadable and not page:
        return None  # the path is right
    shown = "a web page" if page else said
    what = f"No server of models answers at {model.api_base}, but {shown}."
    if page and status:
        what = f"No server of models answers at {model.api_base}, but a web page with status {status}."
    if not page:
        what = f"The address {model.api_base} is no interface for models: {said}."
    base = model.api_base.rstrip("/")
    if not base.endswith("/v1") and listing(model, f"{base}/v1"):
        return Refusal(what, f"Enter the address {base}/v1: a server of models answers there.", "api_base")
    missing = "" if base.endswith("/v1") else f", such as {base}/v1"
    return Refusal(
        what,
        f"Enter the address of the server's OpenAI interface, which usually ends in /v1{missing}.",
        "api_base",
    )


def _of_a_setting(
    settings: CallSettings, model: ModelSpec, status: int, said: str, whose: str
) -> Refusal | None:
    """One of the settings that were sent is named."""
    if status < HTTPStatus.BAD_REQUEST or status == HTTPStatus.TOO_MANY_REQUESTS or _WEB_PAGE.search(said):
        return None
    if settings.temperature is not None and "temperature" in said.lower():
        return of_setting("temperature", settings, said, whose)
    if (_LONGEST.search(said) and _TOO_LARGE.search(said)) or _WINDOW.search(said):
        return _of_length(model, settings, said, whose)
    named = (
        ("reasoning_effort", settings.reasoning_effort is not None and _EFFORT.search(said)),
        ("seed", settings.seed is not None and _SEED.search(said)),
        ("tools", _TOOLS.search(said)),
    )
    return next((of_setting(name, settings, said, whose) for name, found in named if found), None)


def _of_length(model: ModelSpec, settings: CallSettings, said: str, whose: str) -> Refusal:
    """The longest response, or the window: whichever does not fit what the provider names."""
    sent, limit = settings.max_output_tokens, _window_in(said)
    names_window, names_longest = _WINDOW.search(said), _LONGEST.search(said)
    if names_longest and limit is None and _limit_in(said, sent):
        names_window = None  # it names the window only in passing
    if names_window and (limit is None or limit > sent):
        return of_window(model, said, limit)
    if names_longest or limit is not None:
        return of_setting("max_output_tokens", settings, said, whose)
    return of_window(model, said, limit)


def _of_the_model(model: ModelSpec, status: int, said: str, listing: Listing) -> Refusal | None:
    """The provider does not know the name."""
    refused = HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR
    if status != HTTPStatus.NOT_FOUND and not (refused and _names(said)):
        return None
    listed = listing(model, "")
    what = f"The model {_name(model)} is unknown: {said}."
    if listed:
        near = difflib.get_close_matches(_name(model), listed, n=1)
        remedy = f"The server has: {', '.join(listed[:MAX_LISTED])}."
        return Refusal(
            what, f"Enter {near[0]}. {remedy}" if near and len(listed) > 1 else remedy, "litellm_id"
        )
    if _NO_PROVIDER.search(said):
        return Refusal(
            what, "Enter the id with its provider, as in openai/NAME or openrouter/OWNER/NAME.", "litellm_id"
        )
    near_ones = () if model.api_base else near_names(model.litellm_id)
    like = f" Names like it: {', '.join(near_ones)}." if near_ones else ""
    return Refusal(what, f"Check the spelling of {_name(model)} at the provider.{like}", "litellm_id")


def _of_the_server(model: ModelSpec, status: int, said: str) -> Refusal | None:
    """It is busy or broken."""
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        key = model.api_key_variable or "the provider's key"
        return Refusal(
            f"The provider accepts no more requests: {said}.",
            f"Check quota and balance of {key}.",
            passing=True,
        )
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR or said.startswith(("unreadable", "a response without")):
        where = model.api_base or "The provider"
        return Refusal(f"{where} fails: {said}.", "Test again later, or look at the log of the server.")
    return None


def _names(said: str) -> bool:
    """Whether an error says that this model is not there."""
    return not _WEB_PAGE.search(said) and bool(_NAMES_THE_MODEL.search(said))


def _name(model: ModelSpec) -> str:
    return model.litellm_id.partition("/")[2] or model.litellm_id


def _status_in(said: str) -> int:
    """The status of HTTP with which a text begins, else 0: temporary failures have it in their text alone."""
    code = said.partition(" ")[0].rstrip(":")
    return int(code) if len(code) == 3 and code.isdigit() else 0


def _numbers(text: str) -> Sequence[int]:
    text = text.partition(": ")[2] if _status_in(text) else text
    return [int(found.replace(",", "")) for found in _NUMBERS.findall(text)]


def _limit_in(said: str, sent: int) -> int | None:
    """The longest response that an error allows: the largest number in it that is smaller than what was sent."""
    smaller = [number for number in _numbers(said) if 1 < number < sent]
    if not smaller:
        return None
    most = max(smaller)
    return most - 1 if "exclusive" in said else most


def _window_in(said: str) -> int | None:
    """The window that an error names: the number beside such a word; None without one."""
    for pattern in (
        r"(?:context|model)[ _](?:length|window|size|limit|len)\D{0,40}?([\d,]{3,12})",
        r"> ([\d,]{3,12})(?: tokens)? maximum",
        r"maximum number of tokens allowed\D{0,10}([\d,]{3,12})",
        r"n_ctx\D{0,5}([\d,]{3,12})",
        r"(?:maximum|limit|at most|up to)\D{0,25}?([\d,]{3,12})",
        r"([\d,]{3,12})[ -]token(?:s)? (?:context|window|limit)",
    ):
        if found := re.search(pattern, said, re.IGNORECASE):
            digits = found[1].replace(",", "")
            if digits:
                return int(digits)
    return None
