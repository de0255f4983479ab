"""A model with its call settings: its window, its prices, and which parts of a response it needs back."""

from __future__ import annotations

from harness.errors import ConfigurationError
from harness.llm.provider import Window, input_window, price, reads_pictures
from harness.llm.spec import CallSettings, ModelSpec
from harness.llm.token_estimate import BYTES_PER_TOKEN

# Models that need their unsigned reasoning back beside a call; others refuse an unknown field.
WANT_REASONING_BACK = ("deepseek", "kimi", "moonshot", "minimax", "glm-")
# Prefixes of self-hosted servers that reject an assistant message without a text, even an empty one.
WANT_TEXT = ("openai/", "openai_like/", "custom_openai/", "hosted_vllm/", "lm_studio/", "deepseek/", "azure/")


class Endpoint:
    """A model with its call settings. `bytes_per_token` is estimated from the last billed call."""

    def __init__(self, model: ModelSpec, settings: CallSettings | None = None) -> None:
        """Raises ConfigurationError for a context window that the longest response alone would fill."""
        self.model = model
        self.settings = settings or CallSettings()
        if model.context_window and model.context_window <= self.settings.max_output_tokens:
            raise ConfigurationError(
                f"{model.name}: a context window of {model.context_window} tokens leaves no room for input beside a "
                f"response of max_output_tokens {self.settings.max_output_tokens}"
            )
        self.bytes_per_token = BYTES_PER_TOKEN

    @property
    def window(self) -> Window:
        """The model's window for input."""
        return input_window(self.model, self.settings.max_output_tokens)

    @property
    def reads_pictures(self) -> bool:
        """Whether the model reads pictures, as LiteLLM knows."""
        return reads_pictures(self.model)

    @property
    def needs_cache_marks(self) -> bool:
        """Whether requests get cache marks: only Claude needs them, and the settings may refuse them."""
        return self.settings.prompt_caching and "claude" in self.model.litellm_id.lower()

    @property
    def wants_reasoning(self) -> bool:
        """Whether this model wants its unsigned reasoning back beside a call."""
        return any(name in self.model.litellm_id.lower() for name in WANT_REASONING_BACK)

    @property
    def wants_text(self) -> bool:
        """Whether a message that is only a call is sent back with an empty text instead of none."""
        return self.model.litellm_id.startswith(WANT_TEXT)

    def max_cost(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        """The highest possible cost of a call, in dollars: no token is read from a cache, or all are written to one."""
        usage = {"prompt_tokens": prompt_tokens, "completion_tokens": completion_tokens}
        written = {**usage, "cache_creation_input_tokens": prompt_tokens}
        prices = [price(self.model, usage), price(self.model, written)]
        return None if None in prices else max(each for each in prices if each is not None)
