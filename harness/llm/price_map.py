"""List prices and context windows of models, from the data file that LiteLLM ships.

Without network, and without importing LiteLLM, which takes seconds and some 190 MB. The file is part of the installed
package, under the MIT licence as LiteLLM is. Nothing of it is copied into this project.
"""

from __future__ import annotations

import difflib
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

log = logging.getLogger(__name__)

_FILE = "model_prices_and_context_window_backup.json"
_MILLION = 1e6
MAX_NEAR = 3
NEAR = 0.7  # how alike names are, from 0 to 1, by difflib
# Who makes a model, in lower case → the provider in the map that is the maker's own service. Prices of others differ.
_OWN_SERVICES: Mapping[str, str] = {
    "alibaba": "dashscope",
    "anthropic": "anthropic",
    "deepseek": "deepseek",
    "google": "gemini",
    "google deepmind": "gemini",
    "minimax": "minimax",
    "mistral": "mistral",
    "mistral ai": "mistral",
    "moonshot ai": "moonshot",
    "openai": "openai",
    "qwen": "dashscope",
    "xai": "xai",
    "z.ai": "zai",
}


@dataclass(frozen=True, slots=True)
class MapEntry:
    """One model of the map. Prices are US dollars for a million tokens; None: the map does not say it.

    `name`: its name in the map. `window`: how many tokens it reads at most.
    """

    name: str
    provider: str
    input_price: float | None
    output_price: float | None
    cached_price: float | None
    window: int | None


@cache
def map_version() -> str:
    """The version of LiteLLM whose map this is; '' if it is not installed."""
    try:
        return version("litellm")
    except PackageNotFoundError:
        return ""


def entry_by_id(litellm_id: str) -> MapEntry | None:
    """The entry of a model as LiteLLM spells it, such as `openai/gpt-5.2`; None without one."""
    entries = _entries()
    if found := entries.get(litellm_id.casefold()):
        return found
    provider, _, name = litellm_id.partition("/")
    found = entries.get(name.casefold())
    # The map knows Vertex AI as "vertex_ai-language-models", Bedrock as "bedrock_converse".
    return found if found and found.provider.startswith(provider) else None


def entry_by_name(name: str, maker: str) -> MapEntry | None:
    """The entry of this name, but for case, at the maker's own service; None without one, or a known service."""
    service = _OWN_SERVICES.get(maker.casefold())
    if not service:
        return None
    entries = _entries()
    for candidate in (f"{service}/{name}".casefold(), name.casefold()):
        found = entries.get(candidate)
        if found and found.provider == service:
            return found
    return None


def doubt_about(litellm_id: str, *, own_server: bool) -> str:
    """A sentence on an id that LiteLLM does not list, with names like it; '' for one that it lists.

    A server of one's own has names of its own, and without a list no name can be doubted.
    """
    if not litellm_id or own_server or not _entries() or entry_by_id(litellm_id):
        return ""
    near = near_names(litellm_id)
    like = f" Names like it: {', '.join(near)}." if near else ""
    return f"LiteLLM does not list {litellm_id}: it may be new, or misspelt.{like}"


def near_names(litellm_id: str) -> tuple[str, ...]:
    """At most MAX_NEAR ids that are spelled like this one: those of its provider, where the map has any."""
    wanted = litellm_id.casefold()
    provider, slash, _ = wanted.partition("/")
    own = [name for name in _whole_ids() if slash and name.casefold().startswith(f"{provider}/")]
    among = {name.casefold(): name for name in own or _whole_ids()}
    return tuple(among[near] for near in difflib.get_close_matches(wanted, among, n=MAX_NEAR, cutoff=NEAR))


@cache
def _whole_ids() -> tuple[str, ...]:
    """The ids of the map with their providers: it leaves out those of OpenAI, Anthropic and others."""
    return tuple(
        entry.name if entry.name.startswith(f"{entry.provider}/") else f"{entry.provider}/{entry.name}"
        for entry in _entries().values()
    )


@cache
def _entries() -> Mapping[str, MapEntry]:
    """The map by names in lower case; empty where there is no file of the known form."""
    try:
        found = find_spec("litellm")
        if found is None or found.origin is None:
            return {}
        content = json.loads((Path(found.origin).parent / _FILE).read_text(encoding="utf-8"))
        return {
            name.casefold(): _entry(name, values)
            for name, values in content.items()
            if isinstance(values, dict)
        }
    except (OSError, ValueError, AttributeError) as error:
        log.warning("The price map of LiteLLM is unreadable: %s", error)
        return {}


def _entry(name: str, values: Mapping[str, Any]) -> MapEntry:
    window = values.get("max_input_tokens")
    return MapEntry(
        name,
        str(values.get("litellm_provider", "")),
        _price(values.get("input_cost_per_token")),
        _price(values.get("output_cost_per_token")),
        _price(values.get("cache_read_input_token_cost")),
        window if isinstance(window, int) and window > 0 else None,
    )


def _price(value: Any) -> float | None:
    """Dollars for a million tokens. A zero of the map is one that nobody has set."""
    known = isinstance(value, int | float) and not isinstance(value, bool) and value > 0
    return round(value * _MILLION, 6) if known else None
