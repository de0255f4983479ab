"""Kinds of providers of language models, and what the set-up of a model needs with each."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from runs.models import LanguageModel

OWN, OTHER = "own", "other"


@dataclass(frozen=True, slots=True)
class ProviderKind:
    """`prefix`: how LiteLLM's id of its models begins. `key_variable`: where the key usually is; '' for none.

    `example`: a model, as the provider calls it. `needs`: what an operator has to do, in one sentence. `host`: of the
    provider's own interface; '' for none.
    """

    name: str
    title: str
    prefix: str
    key_variable: str
    example: str
    needs: str
    host: str = ""

    def owns(self, address: str) -> bool:
        """Whether this address is the provider's own, so that it may get the provider's key."""
        try:
            parts = urlsplit(address)
            usual_port = parts.port in (None, 443)
        except ValueError:
            return False
        return bool(self.host) and parts.scheme == "https" and parts.hostname == self.host and usual_port

    @property
    def has_address(self) -> bool:
        """Whether the set-up has an address: of servers of one's own, and of providers that are not listed."""
        return self.name in (OWN, OTHER)


def _hosted(name: str, title: str, key_variable: str, example: str, host: str) -> ProviderKind:
    needs = f"The key of your account, in the variable {key_variable} of the workers' environment."
    return ProviderKind(name, title, f"{name}/", key_variable, example, needs, host)


KINDS = (
    _hosted("openai", "OpenAI", "OPENAI_API_KEY", "gpt-5.2", "api.openai.com"),
    _hosted("anthropic", "Anthropic", "ANTHROPIC_API_KEY", "claude-sonnet-4-5", "api.anthropic.com"),
    _hosted(
        "gemini",
        "Google Gemini",
        "GEMINI_API_KEY",
        "gemini-3-pro-preview",
        "generativelanguage.googleapis.com",
    ),
    _hosted("openrouter", "OpenRouter", "OPENROUTER_API_KEY", "qwen/qwen3-coder", "openrouter.ai"),
    _hosted("mistral", "Mistral", "MISTRAL_API_KEY", "devstral-medium-latest", "api.mistral.ai"),
    _hosted("deepseek", "DeepSeek", "DEEPSEEK_API_KEY", "deepseek-chat", "api.deepseek.com"),
    _hosted("xai", "xAI", "XAI_API_KEY", "grok-code-fast-1", "api.x.ai"),
    ProviderKind(
        OWN,
        "A server of your own",
        "openai/",
        "",
        "smollm2-135m-instruct",
        "The address of a server with OpenAI's interface (vLLM, llama.cpp, Ollama, LM Studio), which usually ends in "
        "/v1. script/local-model starts one with a small model at http://127.0.0.1:8410/v1.",
    ),
    ProviderKind(
        OTHER,
        "Another provider",
        "",
        "",
        "groq/llama-3.3-70b-versatile",
        "The model's whole id in LiteLLM, which begins with the provider, and the variables that this provider needs.",
    ),
)


def kind_named(name: str) -> ProviderKind:
    """The kind of this name. KeyError if there is none."""
    return {kind.name: kind for kind in KINDS}[name]


def kind_of(model: LanguageModel) -> ProviderKind:
    """The kind of a model's provider, from its id and its address."""
    if model.api_base:
        return kind_named(OWN if model.litellm_id.startswith("openai/") else OTHER)
    known = (kind for kind in KINDS if kind.prefix and not kind.has_address)
    return next((kind for kind in known if model.litellm_id.startswith(kind.prefix)), kind_named(OTHER))


def name_at_provider(model: LanguageModel) -> str:
    """What the provider calls the model."""
    return model.litellm_id.removeprefix(kind_of(model).prefix)
