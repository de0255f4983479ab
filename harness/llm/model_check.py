"""Tests with a few small requests whether a model can be used, and what of its set-up is wrong."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from harness.errors import ConfigurationError, HarnessError, ModelError
from harness.limits import Limits, Spending
from harness.llm import model_probes
from harness.llm.client import Client
from harness.llm.model_probes import Question
from harness.llm.price_map import entry_by_id, near_names
from harness.llm.provider import KNOWN, api_key, dropped, has_provider, missing_variables
from harness.llm.refusals import Refusal, of_setting, of_window, refusal, served_window, short
from harness.llm.replies import Reply
from harness.llm.spec import CallSettings, ModelSpec

BUDGET_USD = 0.10
MAX_SETTINGS = 4
MOST_NAMED = 3  # agents in a sentence
MIN_INPUT_TOKENS = 8000  # the ide agent's prompt, a task of the starter dataset and a few turns
ANSWER_TOKENS = 500  # what a probe's response usually has at most
TIMEOUT_SECONDS = 60.0
ALL_SECONDS = 240.0  # for all probes together
MAX_TEXT = 400
OK, FAILED, SKIPPED = "ok", "failed", "skipped"
# What a refused request can be sent without, to find out what was refused.
SUSPECTS = ("tools", "temperature", "reasoning_effort", "seed", "max_output_tokens")
FEW_TOKENS = 512
RETRY_DELAY = 1.0
PATIENCE_LATER = 4.0  # seconds, once the first probe was served


@dataclass(frozen=True, slots=True)
class AgentCalls:
    """The call settings of some agents of a model. `agents`: their names. `pictures` as those agents state it."""

    settings: CallSettings = field(default_factory=CallSettings)
    agents: tuple[str, ...] = ()
    pictures: bool | None = None

    @property
    def whose(self) -> str:
        """Whose settings they are, as "of A and B"; "of its agents" without any."""
        named = self.agents[:MOST_NAMED]
        more = len(self.agents) - len(named)
        return f"of {' and '.join(named)}{f' and {more} more' if more else ''}" if named else "of its agents"


def distinct(calls: Iterable[AgentCalls]) -> tuple[AgentCalls, ...]:
    """One for each temperature, longest response and effort, with the names of all agents that have them."""
    found: dict[object, AgentCalls] = {}
    for each in calls:
        settings = each.settings
        key = (settings.temperature, settings.max_output_tokens, settings.reasoning_effort)
        same = found.get(key)
        if same is None:
            found[key] = each
        else:
            found[key] = replace(
                same, agents=same.agents + each.agents, pictures=same.pictures or each.pictures
            )
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class Probe:
    """One request of the test. `state`: OK, FAILED or SKIPPED. `cost_usd` is None if it is unknown."""

    name: str
    state: str
    text: str
    seconds: float | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True)
class ModelCheck:
    """What the test showed. `what` and `remedy` are sentences; `remedy` is empty if nothing is to be done.

    `blamed`: the field of ModelSpec or CallSettings that is wrong, `pictures` or `tools`; '' where none is. `notes`:
    what works, but limits evaluations. `ignored`: what agents set and the provider does not get or does not follow.
    Sums are those of all probes; `cost_usd` is None if it is unknown.
    """

    works: bool
    what: str
    remedy: str = ""
    blamed: str = ""
    notes: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    probes: tuple[Probe, ...] = ()
    seconds: float | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None
    answer: str = ""


def check_model(
    model: ModelSpec,
    calls: Sequence[AgentCalls] = (),
    *,
    timeout: float = TIMEOUT_SECONDS,
    report: Callable[[Probe], None] = lambda _probe: None,
) -> ModelCheck:
    """Sends the probes one after another; none after a first one that fails. Never raises for what a provider does.

    `calls`: the distinct call settings of the model's agents, of which the first MAX_SETTINGS are tested; without any,
    those that a new agent has. `timeout` in seconds for each request. `report` gets each probe when it has ended. A
    server of one's own that refuses the first probe is asked for the names of its models, too.
    """
    wrong = _wrong_before_sending(model)
    return wrong or _Test(model, tuple(calls[:MAX_SETTINGS]) or (AgentCalls(),), timeout, report).result()


class _Test:
    """The probes of one model, and what they have shown so far."""

    def __init__(
        self, model: ModelSpec, calls: tuple[AgentCalls, ...], timeout: float, report: Callable[[Probe], None]
    ) -> None:
        self.model = model
        self.calls = calls
        self.timeout = timeout
        self.report = report
        self.probes: list[Probe] = []
        self.notes: list[str] = []
        self.refusal: Refusal | None = None
        self.spending = Spending(Limits(iterations=None, wall_seconds=ALL_SECONDS))

    def result(self) -> ModelCheck:
        """Sends all probes, in this order. A probe of streaming belongs at the end of them."""
        try:
            client = self._client(self.calls[0])
        except ConfigurationError as error:
            remedy = (
                f"A run needs a window of several thousand tokens. State the one of {self.model.litellm_id}."
            )
            return ModelCheck(
                False, f"The context window is too small: {short(error)}.", remedy, "context_window"
            )
        first = self._ask("Answer and call a tool", client, self.calls[0], model_probes.one_call())
        if first is None:
            return self._summary(None)
        client = self._client(self.calls[0], patience=PATIENCE_LATER)
        self._after_the_call(client, first)
        for each in self.calls[1:]:
            self._settings_of(each)
        self._ask("Several calls in one response", client, self.calls[0], model_probes.parallel_calls())
        self._long_input(client)
        self._picture(client)
        self.notes += _notes(client)
        return self._summary(first)

    def _after_the_call(self, client: Client, first: Reply) -> None:
        name = "Go on after the result of a call"
        if first.calls:
            self._ask(name, client, self.calls[0], model_probes.second_turn(first))
        else:
            self._add(Probe(name, SKIPPED, "It made no call whose result could be returned."))

    def _settings_of(self, calls: AgentCalls) -> None:
        name = f"Settings {calls.whose}"
        try:
            client = self._client(calls)
        except ConfigurationError as error:
            remedy = (
                f'Set a smaller "max_output_tokens" in the settings {calls.whose}, or state a larger window.'
            )
            self._add(Probe(name, FAILED, f"{short(error)}."))
            self._refuse(Refusal(f"{short(error)}.", remedy, "max_output_tokens"))
            return
        self._ask(name, client, calls, model_probes.one_call())

    def _long_input(self, client: Client) -> None:
        name, stated, served = "Read a long input", self.model.context_window, served_window(self.model)
        if stated and served and served < stated:
            found = of_window(self.model, f"the server lists it with {served:,}", served)
            self._add(Probe(name, FAILED, found.what))
            self._refuse(found)
            self.report(self.probes[-1])
            return
        most = model_probes.LONG_INPUT_TOKENS
        cost = client.max_cost(most, ANSWER_TOKENS)
        if cost:
            most = int(most * min(1.0, max(0.0, self._budget_left) / cost))
        tokens = model_probes.length_that_fits(client, most)
        if tokens >= model_probes.SHORTEST_LONG_INPUT:
            self._ask(name, client, self.calls[0], model_probes.long_input(tokens))
        elif most < model_probes.SHORTEST_LONG_INPUT:
            self._add(Probe(name, SKIPPED, f"It would exceed the ${BUDGET_USD:.2f} of the test."))
        else:
            self._add(Probe(name, SKIPPED, f"The window leaves only {tokens:,} tokens for it."))

    def _picture(self, client: Client) -> None:
        name = "See a picture"
        stated = [each.pictures for each in self.calls if each.pictures is not None]
        if any(stated) or (client.reads_pictures and not stated):
            self._ask(name, client, self.calls[0], model_probes.picture(), ("pictures", *SUSPECTS))
            return
        why = "Its agents get no pictures." if stated else "LiteLLM does not know that it reads pictures."
        self._add(Probe(name, SKIPPED, why))

    @property
    def _budget_left(self) -> float:
        return BUDGET_USD - (self.spending.cost_usd or 0.0)

    def _ask(
        self,
        name: str,
        client: Client,
        calls: AgentCalls,
        question: Question,
        suspects: tuple[str, ...] = SUSPECTS,
    ) -> Reply | None:
        """Sends one probe and notes what it showed. None where it was not sent or refused."""
        cost = client.max_cost(question.tokens, ANSWER_TOKENS)
        if self.probes and cost is not None and cost > self._budget_left:
            text = f"It would cost about ${cost:.2f}, more than is left of the test's ${BUDGET_USD:.2f}."
            self._add(Probe(name, SKIPPED, text))
            return None
        spent = Spending(Limits(iterations=None, wall_seconds=max(1.0, self.spending.seconds_left or 1.0)))
        began = time.monotonic()
        try:
            reply = client.complete(question.messages, question.tools, spending=spent)
        except HarnessError as error:
            seconds = time.monotonic() - began
            self._add(_probe(name, FAILED, "", seconds, spent), spent)
            found = self._explained(calls, question, error, suspects)
            self._fail(found)
            return None
        found_here = question.judge(reply)
        probe = _probe(name, OK, found_here.text, time.monotonic() - began, spent)
        if found_here.fault:
            self._add(probe, spent)
            self._fail(of_window(self.model, found_here.text, found_here.read))
            return reply
        if found_here.note and found_here.note not in self.notes:
            self.notes.append(found_here.note)
        self._add(probe, spent, last=True)
        return reply

    def _explained(
        self, calls: AgentCalls, question: Question, error: HarnessError, suspects: tuple[str, ...]
    ) -> Refusal:
        """Why a probe was refused. Unknown wording: it is sent again, each time without one thing, until it is served.

        A request that is refused costs nothing, and one that is served has the answer that a probe would have had.
        """
        found = refusal(self.model, calls.settings, error, whose=calls.whose)
        if isinstance(error, ModelError) and "pictures" in suspects and not found.passing:
            return of_setting("pictures", calls.settings, short(error), calls.whose)
        if not found.guessed:
            return found
        said = short(error).removeprefix(f"{self.model.name}: ")
        if question.tokens > model_probes.SHORTEST_LONG_INPUT:
            return of_window(self.model, said)  # shorter requests with the same settings were served
        for suspect in suspects:
            if self._served_without(suspect, calls, question):
                return of_setting(suspect, calls.settings, said, calls.whose)
        return found

    def _served_without(self, suspect: str, calls: AgentCalls, question: Question) -> bool:
        settings, tools = calls.settings, question.tools
        if suspect == "tools":
            tools = ()
        elif suspect == "max_output_tokens":
            settings = replace(settings, max_output_tokens=min(settings.max_output_tokens, FEW_TOKENS))
        else:
            settings = CallSettings(**{**asdict(settings), suspect: None})
        if (settings, tuple(tools)) == (calls.settings, tuple(question.tools)):
            return False
        try:
            client = self._client(replace(calls, settings=settings))
            client.complete(question.messages, tools, spending=self.spending)
        except HarnessError:
            return False
        return True

    def _fail(self, found: Refusal) -> None:
        """The last probe failed for this reason."""
        self.probes[-1] = replace(self.probes[-1], state=FAILED, text=found.what)
        self.report(self.probes[-1])
        if found.passing and len(self.probes) > 1:
            self.notes.append(f"“{self.probes[-1].name}” could not be tested: {found.what}")
        else:
            self._refuse(found)

    def _refuse(self, found: Refusal) -> None:
        self.refusal = self.refusal or found

    def _add(self, probe: Probe, spent: Spending | None = None, *, last: bool = True) -> None:
        """Notes a probe and what it cost."""
        self.probes.append(probe)
        if spent is not None:
            self._charge(spent)
        if last and probe.state != FAILED:
            self.report(probe)

    def _charge(self, spent: Spending) -> None:
        whole = self.spending
        whole.prompt_tokens += spent.prompt_tokens
        whole.completion_tokens += spent.completion_tokens
        known = whole.cost_usd is not None and spent.cost_usd is not None
        whole.cost_usd = (whole.cost_usd or 0.0) + (spent.cost_usd or 0.0) if known else None

    def _client(self, calls: AgentCalls, *, patience: float = 0.0) -> Client:
        """As agents call the model. The first probe has one try: a wait would hide what is wrong."""
        return Client(
            self.model,
            replace(
                calls.settings,
                call_timeout=self.timeout,
                patience=patience,
                retry_delay=RETRY_DELAY,
                refusal_retries=0,
            ),
        )

    def _summary(self, first: Reply | None) -> ModelCheck:
        wrong = self.refusal
        does = "answers and calls tools" if first and first.calls else "answers"
        spending = self.spending
        seconds = [probe.seconds for probe in self.probes if probe.seconds is not None]
        return ModelCheck(
            works=wrong is None,
            what=wrong.what if wrong else f"It {does}.",
            remedy=wrong.remedy if wrong else "",
            blamed=wrong.blamed if wrong else "",
            notes=tuple(self.notes),
            ignored=self._ignored(first) if first else (),
            probes=tuple(self.probes),
            seconds=sum(seconds) if seconds else None,
            prompt_tokens=spending.prompt_tokens,
            completion_tokens=spending.completion_tokens,
            cost_usd=spending.cost_usd,
            answer=first.message[:MAX_TEXT] if first else "",
        )

    def _ignored(self, first: Reply) -> tuple[str, ...]:
        """What agents set and the provider does not get, or does not follow."""
        found: list[str] = []
        for each in self.calls:
            names = dropped(self.model, _parameters(each.settings))
            for name in names:
                value = "" if name == "tool_choice" else f" {_parameters(each.settings)[name]}"
                found.append(
                    f"{name}{value} {each.whose} is not sent: LiteLLM knows that the provider takes none."
                )
        effort = self.calls[0].settings.reasoning_effort
        asked_for_effort = effort not in (None, "none") and not any(
            "reasoning_effort" in each for each in found
        )
        if asked_for_effort and not first.reasoning and not first.metrics.reasoning_tokens:
            found.append(f"reasoning_effort {effort} is sent, but the first response reports no reasoning.")
        asked = self.model.litellm_id.rpartition("/")[2]
        if first.model and not _same_model(asked, first.model):
            found.append(f"The provider answers as {first.model}, not as {asked}.")
        return tuple(dict.fromkeys(found))


def _same_model(asked: str, named: str) -> bool:
    """Whether a provider's name is the one that was asked for, perhaps with its version or its owner."""
    asked, named = asked.casefold(), named.casefold().rpartition("/")[2]
    return named.startswith(asked) or asked.startswith(named) or asked.removesuffix("-latest") in named


def _parameters(settings: CallSettings) -> dict[str, Any]:
    """The parameters of a request with these settings and a tool, without those that are left to the provider."""
    values = {
        "temperature": settings.temperature,
        "max_tokens": settings.max_output_tokens,
        "reasoning_effort": settings.reasoning_effort,
        "seed": settings.seed,
        "tools": [model_probes.REPORT_READY],
        "tool_choice": "auto",
    }
    return {name: value for name, value in values.items() if value is not None}


def _probe(name: str, state: str, text: str, seconds: float, spent: Spending) -> Probe:
    return Probe(name, state, text, seconds, spent.prompt_tokens, spent.completion_tokens, spent.cost_usd)


def _wrong_before_sending(model: ModelSpec) -> ModelCheck | None:
    """What is wrong without a request: no id, no provider, no key."""
    if not model.litellm_id:
        remedy = "Enter the name by which its provider calls it."
        return ModelCheck(False, "It has no name that a provider knows.", remedy, "litellm_id")
    if not has_provider(model):
        what = f"No provider is known for {model.litellm_id}."
        near = near_names(model.litellm_id)
        like = f" Names like it: {', '.join(near)}." if near else ""
        remedy = (
            "The id begins with the provider, as in openai/NAME, anthropic/NAME or openrouter/OWNER/NAME."
            f"{like}"
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


def _notes(client: Client) -> list[str]:
    """What limits evaluations with a model that answers: an unknown price, a window that is assumed or too small."""
    notes = []
    if client.max_cost(1000, 1000) is None:
        notes.append(
            "Its price is unknown: costs stay unknown, and no budget can be enforced. Enter the prices for input and"
            " output."
        )
    window = client.window
    longest = client.settings.max_output_tokens
    if window.tokens < MIN_INPUT_TOKENS:
        notes.append(
            f"Its window leaves {window.tokens:,} tokens for input beside responses of {longest:,}: a task needs about "
            f"{MIN_INPUT_TOKENS:,}. State a larger window, or give its agents a smaller max_output_tokens."
        )
    stated, known = client.model.context_window, entry_by_id(client.model.litellm_id)
    if stated and known and known.window and known.window < stated and not client.model.api_base:
        notes.append(
            f"Its stated window of {stated:,} tokens is larger than the {known.window:,} that LiteLLM knows."
        )
    if window.source not in (KNOWN, "stated"):
        notes.append(f"Its context window is unknown: {window.tokens:,} tokens of input are assumed.")
    return notes
