"""Which model is used, and how it is called."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A language model. Prices are US dollars for a million tokens; None: unknown, unless LiteLLM knows.

    `api_key_variable` names an environment variable of the worker; the key itself is never stored.
    """

    name: str
    litellm_id: str
    api_base: str = ""
    api_key_variable: str = ""
    context_window: int | None = None
    input_price: float | None = None
    output_price: float | None = None
    cached_price: float | None = None
    cache_write_price: float | None = None

    @property
    def account(self) -> str:
        """The account that its requests count towards: its provider or server, and the variable of the key."""
        provider = self.litellm_id.partition("/")[0]
        return " ".join((provider, self.api_base, self.api_key_variable))


# Settings of earlier versions, which stored agents and records may have; they have no effect.
FORMER_SETTINGS = ("retries",)


@dataclass(frozen=True, slots=True)
class CallSettings:
    """How a model is called. Seconds throughout; the defaults are IDE-Bench's (appendix F.3).

    `temperature` None uses the provider's default. `patience` is how long a run waits for its provider in all:
    after failures that pass, a request is repeated until the run has waited so long. `retry_delay` doubles with every
    retry of one request, up to a minute. `refusal_retries`: how often a refused request is asked again.
    `prompt_caching`: whether conversations get cache marks for models that need them (Claude); others cache by
    themselves. It changes prices, not responses. `reasoning_effort` None uses the provider's default. `seed`: attempt n
    uses `seed` + n - 1, so that runs can be repeated and attempts still differ; None: no seed. Settings that a provider
    does not support are not sent.
    """

    temperature: float | None = 0.1
    max_output_tokens: int = 4000
    call_timeout: float = 600.0
    patience: float = 1800.0
    retry_delay: float = 10.0
    refusal_retries: int = 1
    prompt_caching: bool = True
    reasoning_effort: str | None = None
    seed: int | None = None
