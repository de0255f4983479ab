"""The profiles of the ide agent. Every value can be overridden.

"ide-bench" is how IDE-Bench calls its models (appendix F.3). "breakpoint" has the tools and the budget of Breakpoint
(appendix A and section 4: 16 tool uses, 4 submissions); "pull-request" those of the fourth paper (Table 1 and section
4: seven tools, 20 steps, 600 s). Calls of models are the same in all three.

Light to import, so that a page can show the settings of an agent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from harness.errors import ConfigurationError
from harness.llm.spec import FORMER_SETTINGS, CallSettings
from harness.tools import selection
from harness.tools.selection import ALL, BY_MODE, selected

PROFILE = "ide-bench"
BREAKPOINT, PULL_REQUEST = "breakpoint", "pull-request"
PROMPTS = ("default", "paper", BREAKPOINT, PULL_REQUEST)
MAX_PROMPT_LENGTH = 20_000  # characters


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

    `system_prompt`: one of PROMPTS, or a whole prompt. `tools`: a name in `selection.SETS`, BY_MODE, or names of tools.
    `pictures`: whether the model gets the pictures that tools take; None: if LiteLLM knows that it reads pictures.
    `tool_uses`, `submissions` and `wall_seconds` are limits of this agent, as `iterations`; None: those of the run.
    """

    calls: CallSettings = field(default_factory=CallSettings)
    context: ContextSettings = field(default_factory=ContextSettings)
    command_timeout: float = 120.0
    iterations: int | None = None
    system_prompt: str = "default"
    tools: str | Sequence[str] = ALL
    reject_syntax_errors: bool = False
    pictures: bool | None = None
    tool_uses: int | None = None
    submissions: int | None = None
    wall_seconds: float | None = None
    profile: str = PROFILE

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> IdeSettings:
        """Raises ConfigurationError for unknown or invalid settings. Former ones are ignored."""
        values = {name: value for name, value in stored.items() if name not in FORMER_SETTINGS}
        name = values.pop("profile", PROFILE)
        usual = PROFILES.get(name) if isinstance(name, str) else None
        if usual is None:
            raise ConfigurationError(f"profile: unknown {name!r:.100}; known are {', '.join(PROFILES)}")
        if unknown := sorted(set(values) - set(SETTINGS)):
            raise ConfigurationError(
                f"unknown {', '.join(unknown)}; known are profile, {', '.join(SETTINGS)}"
            )
        for each, value in values.items():
            check_setting(each, value)
        calls = {each: values.pop(each) for each in _OF_CALLS if each in values}
        context = {each: values.pop(each) for each in _OF_CONTEXT if each in values}
        return replace(
            usual, calls=replace(usual.calls, **calls), context=replace(usual.context, **context), **values
        )

    def in_effect(self) -> dict[str, Any]:
        """All values by name, without the name of the profile.

        Without the limits of BUDGET that neither this agent nor its profile has.
        """
        usual = PROFILES[self.profile]
        budget = [name for name in BUDGET if (getattr(self, name), getattr(usual, name)) != (None, None)]
        return {
            **asdict(self.calls),
            **asdict(self.context),
            **{name: getattr(self, name) for name in (*_OWN, *budget)},
        }


_OF_CALLS = tuple(each.name for each in fields(CallSettings))
_OF_CONTEXT = tuple(each.name for each in fields(ContextSettings))
_OWN = ("command_timeout", "iterations", "system_prompt", "tools", "reject_syntax_errors", "pictures")
BUDGET = ("tool_uses", "submissions", "wall_seconds")
SETTINGS = (*_OF_CALLS, *_OF_CONTEXT, *_OWN, *BUDGET)
PROFILES: Mapping[str, IdeSettings] = {
    PROFILE: IdeSettings(),
    BREAKPOINT: IdeSettings(
        system_prompt=BREAKPOINT, tools=BY_MODE, tool_uses=16, submissions=4, profile=BREAKPOINT
    ),
    PULL_REQUEST: IdeSettings(
        system_prompt=PULL_REQUEST,
        tools=selection.PULL_REQUEST,
        iterations=20,
        wall_seconds=600.0,
        profile=PULL_REQUEST,
    ),
}


@dataclass(frozen=True, slots=True)
class Setting:
    """One value in effect, and whether it differs from the profile's default."""

    name: str
    value: Any
    differs: bool


def settings_in_effect(stored: Mapping[str, Any]) -> tuple[Setting, ...]:
    """All settings in effect for an ide agent's stored settings. Raises ConfigurationError like `IdeSettings.read`."""
    found = IdeSettings.read(stored)
    return compared(found.profile, found.in_effect())


def compared(profile: str, values: Mapping[str, Any], **more: Any) -> tuple[Setting, ...]:
    """Values by name, each with whether it differs from the default of one of PROFILES; `more` adds to the defaults.

    A budget that the profile lacks differs; other settings without a default do not.
    """
    usual = {**dict.fromkeys(BUDGET), **PROFILES[profile].in_effect(), **more}
    return tuple(
        Setting(name, value, name in usual and value != usual[name]) for name, value in values.items()
    )


EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
_NULLABLE = ("temperature", "iterations", "reasoning_effort", "seed", "pictures", *BUDGET)
_FLAGS = ("prompt_caching", "reject_syntax_errors", "pictures")
_WHOLE = (
    *("max_output_tokens", "refusal_retries", "messages_kept_whole", "iterations", "seed"),
    *("tool_uses", "submissions"),
)
_MAY_BE_ZERO = ("temperature", "patience", "retry_delay", "refusal_retries", "messages_kept_whole", "seed")


def check_setting(name: str, value: object) -> None:
    """Raises ConfigurationError if `value` is invalid for the setting `name`."""
    if name in _NULLABLE and value is None:
        return
    if name in _FLAGS:
        if not isinstance(value, bool):
            raise ConfigurationError(f"{name}: expected true or false, not {value!r}")
    elif name in _SPECIAL:
        _SPECIAL[name](value)
    else:
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
    if len(value) > MAX_PROMPT_LENGTH:
        raise ConfigurationError(f"{expected}{len(value):,} characters: at most {MAX_PROMPT_LENGTH:,}")


# Settings that are neither numbers nor flags.
_SPECIAL: Mapping[str, Callable[[object], object]] = {
    "reasoning_effort": _check_effort,
    "system_prompt": _check_prompt,
    "tools": selected,
}
