"""The profile "ide-bench": how IDE-Bench calls its models (appendix F.3). Every value can be overridden.

Light to import, so that a page can show the settings of an agent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from harness.errors import ConfigurationError
from harness.llm.spec import CallSettings
from harness.tools.selection import ALL, selected

PROFILE = "ide-bench"
PROMPTS = ("default", "paper")
LONGEST_PROMPT = 20_000  # characters


@dataclass(frozen=True, slots=True)
class ContextSettings:
    """When and how much to shorten long conversations: up to `messages_kept_whole` messages are sent whole.

    `share_of_window` is the share of the input window, between 0 and 1.
    """

    messages_kept_whole: int = 25
    share_of_window: float = 0.8


@dataclass(frozen=True, slots=True)
class IdeSettings:
    """The whole profile. `iterations` None: as many as the run's limits allow, which are IDE-Bench's 100 by default.

    `system_prompt`: one of PROMPTS, or a whole prompt. `tools`: a name in `selection.SETS`, or names of tools.
    `pictures`: whether the model gets the pictures that tools take; None: if LiteLLM knows that it reads pictures.
    """

    calls: CallSettings = field(default_factory=CallSettings)
    context: ContextSettings = field(default_factory=ContextSettings)
    command_timeout: float = 120.0
    iterations: int | None = None
    system_prompt: str = "default"
    tools: str | Sequence[str] = ALL
    reject_syntax_errors: bool = False
    pictures: bool | None = None

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> IdeSettings:
        """Raises ConfigurationError for unknown or invalid settings."""
        values = dict(stored)
        profile = values.pop("profile", PROFILE)
        if profile != PROFILE:
            raise ConfigurationError(f"profile: unknown {profile!r}; known is {PROFILE!r}")
        known = list(cls().in_effect())
        if unknown := sorted(set(values) - set(known)):
            raise ConfigurationError(f"unknown {', '.join(unknown)}; known are profile, {', '.join(known)}")
        for name, value in values.items():
            check_setting(name, value)
        calls = {each.name: values.pop(each.name) for each in fields(CallSettings) if each.name in values}
        context = {
            each.name: values.pop(each.name) for each in fields(ContextSettings) if each.name in values
        }
        return cls(CallSettings(**calls), ContextSettings(**context), **values)

    def in_effect(self) -> dict[str, Any]:
        """All values by name, without the name of the profile."""
        own = ("command_timeout", "iterations", "system_prompt", "tools", "reject_syntax_errors", "pictures")
        return {
            **asdict(self.calls),
            **asdict(self.context),
            **{name: getattr(self, name) for name in own},
        }


@dataclass(frozen=True, slots=True)
class Setting:
    """One value in effect, and whether it differs from the profile's default."""

    name: str
    value: Any
    differs: bool


def settings_in_effect(stored: Mapping[str, Any]) -> tuple[Setting, ...]:
    """All settings in effect for an ide agent's stored settings. Raises ConfigurationError like `IdeSettings.read`."""
    usual = IdeSettings().in_effect()
    values = IdeSettings.read(stored).in_effect()
    return tuple(Setting(name, value, value != usual[name]) for name, value in values.items())


EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
_NULLABLE = ("temperature", "iterations", "reasoning_effort", "seed", "pictures")
_FLAGS = ("prompt_caching", "reject_syntax_errors", "pictures")
_WHOLE = ("max_output_tokens", "retries", "messages_kept_whole", "iterations", "seed")
_MAY_BE_ZERO = ("temperature", "retries", "retry_delay", "messages_kept_whole", "seed")


def check_setting(name: str, value: object) -> None:
    """Raises ConfigurationError if `value` is invalid for the setting `name`."""
    if name in _NULLABLE and value is None:
        return
    if name in _FLAGS:
        _check_flag(name, value)
    elif name in _SPECIAL:
        _SPECIAL[name](value)
    else:
        _check_number(name, value)


def _check_number(name: str, value: object) -> None:
    whole = name in _WHOLE
    if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
        raise ConfigurationError(
            f"{name}: expected {'a whole number' if whole else 'a number'}, not {value!r}"
        )
    may_be_zero = name in _MAY_BE_ZERO
    if not value >= 0 or (value == 0 and not may_be_zero):
        raise ConfigurationError(
            f"{name}: expected {'zero or more' if may_be_zero else 'more than zero'}, not {value!r}"
        )
    if name == "share_of_window" and value > 1:
        raise ConfigurationError(f"{name}: expected at most 1, not {value!r}")


def _check_flag(name: str, value: object) -> None:
    if not isinstance(value, bool):
        raise ConfigurationError(f"{name}: expected true or false, not {value!r}")


def _check_effort(value: object) -> None:
    if value not in EFFORTS:
        raise ConfigurationError(f"reasoning_effort: expected one of {', '.join(EFFORTS)}, not {value!r}")


def _check_prompt(value: object) -> None:
    """A single word is a name: a misspelt one is no prompt."""
    if value in PROMPTS:
        return
    expected = f"system_prompt: expected {', '.join(PROMPTS)} or a whole prompt of several words, not "
    if not isinstance(value, str) or len(value.split(None, 1)) < 2:
        raise ConfigurationError(f"{expected}{value!r:.100}")
    if len(value) > LONGEST_PROMPT:
        raise ConfigurationError(f"{expected}{len(value):,} characters: at most {LONGEST_PROMPT:,}")


# Settings that are neither numbers nor flags.
_SPECIAL: Mapping[str, Callable[[object], object]] = {
    "reasoning_effort": _check_effort,
    "system_prompt": _check_prompt,
    "tools": selected,
}
