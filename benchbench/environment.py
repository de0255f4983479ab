"""Reads the environment once, and reports all problems together."""

from __future__ import annotations

import ipaddress
import os
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from benchbench.private_files import tighten

_Value = TypeVar("_Value")
IPNetwork = ipaddress.IPv4Network | ipaddress.IPv6Network

YES = frozenset({"1", "true", "yes", "on"})
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(\.[\w-]+)+", re.ASCII)
NO = frozenset({"0", "false", "no", "off", ""})


class Environment:
    """Typed access to environment variables. `names`: the variables that were read; `check` raises for invalid ones."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self.names: set[str] = set()
        self._variables = variables
        self._problems: list[str] = []

    def text(self, name: str, default: str = "") -> str:
        """The variable's text without surrounding blanks; `default` when it is absent or empty."""
        self.names.add(name)
        return self._variables.get(name, "").strip() or default

    def flag(self, name: str, default: bool = False) -> bool:
        """Whether the variable is set to a word for yes."""
        given = self.text(name, "1" if default else "0").lower()
        if given not in YES | NO:
            self._problems.append(f"{name} must be 1 or 0, not {given!r}")
        return given in YES

    def number(self, name: str, default: int, *, least: int, most: int) -> int:
        """A whole number between `least` and `most`, both included."""

        def convert(given: str) -> int:
            value = int(given)
            if not least <= value <= most:
                raise ValueError
            return value

        return self._converted(name, str(default), convert, f"a whole number from {least} to {most}", default)

    def choice(self, name: str, choices: Sequence[str]) -> str:
        """One of `choices`, of which the first is the default."""

        def convert(given: str) -> str:
            if given not in choices:
                raise ValueError
            return given

        return self._converted(name, choices[0], convert, f"one of {', '.join(choices)}", choices[0])

    def words(self, name: str, default: str = "") -> list[str]:
        """A comma-separated list; blanks and empty items are left out."""
        return [word.strip() for word in self.text(name, default).split(",") if word.strip()]

    def networks(self, name: str, default: str) -> list[IPNetwork]:
        """A comma-separated list of IP addresses and networks."""

        def convert(given: str) -> list[IPNetwork]:
            return [ipaddress.ip_network(word.strip()) for word in given.split(",") if word.strip()]

        what = "a list of IP addresses or networks like 10.0.0.0/8"
        return self._converted(name, default, convert, what, [])

    def rates(self, name: str) -> dict[str, tuple[int | None, int | None]]:
        """Requests and tokens a minute by provider or model: "anthropic=50/40000, gemini=/1000000". None: no limit."""

        def convert(given: str) -> dict[str, tuple[int | None, int | None]]:
            found = {}
            for word in filter(None, map(str.strip, given.split(","))):
                who, equals, rate = word.partition("=")
                requests, slash, tokens = rate.partition("/")
                if not (who.strip() and equals and slash and (requests.strip() or tokens.strip())):
                    raise ValueError
                found[who.strip()] = (_positive(requests), _positive(tokens))
            return found

        what = "a list like provider=requests/tokens, each a whole number a minute or empty"
        return self._converted(name, "", convert, what, {})

    def mail_addresses(self, name: str) -> list[str]:
        """Addresses of mail, separated by commas; none if it is not set."""

        def convert(given: str) -> list[str]:
            addresses = [word.strip() for word in given.split(",") if word.strip()]
            if not all(map(_MAIL.fullmatch, addresses)):
                raise ValueError
            return addresses

        what = "addresses of mail, separated by commas"
        return self._converted(name, "", convert, what, [])

    def web_address(self, name: str, *, mail: bool = False) -> str:
        """An http or https address without a slash at its end, or with `mail` one of mail; '' if it is not set."""

        def convert(given: str) -> str:
            if mail and _MAIL.fullmatch(given):
                return f"mailto:{given}"
            address = urlsplit(given)
            if not given.isascii() or not given.isprintable() or " " in given:
                raise ValueError
            if address.scheme not in ("http", "https") or not address.hostname:
                raise ValueError
            return given.rstrip("/")

        what = f"an address such as https://bench.example{' or team@bench.example' if mail else ''}"
        return self._converted(name, "", convert, what, "") if self.text(name) else ""

    def path(self, name: str, default: Path) -> Path:
        """An absolute path; a relative one counts from the working directory."""
        return Path(self.text(name, str(default))).expanduser().absolute()

    def check(self) -> None:
        """Raises ImproperlyConfigured with every problem found so far."""
        if self._problems:
            raise ImproperlyConfigured(
                "The environment is wrong (docs/operations.md has the table): " + "; ".join(self._problems)
            )

    def _converted(
        self, name: str, default: str, convert: Callable[[str], _Value], what: str, fallback: _Value
    ) -> _Value:
        given = self.text(name, default)
        try:
            return convert(given)
        except ValueError:
            self._problems.append(f"{name} must be {what}, not {given!r}")
            return fallback


def _positive(given: str) -> int | None:
    if not given.strip():
        return None
    value = int(given)
    if value <= 0:
        raise ValueError
    return value


def stored_secret(path: Path, make: Callable[[], str] = lambda: secrets.token_urlsafe(48)) -> str:
    """The secret in `path`, which is created on first use and readable by its owner only.

    Two processes may call this at the same time: the first one to link its file wins, and both return the same secret.
    """
    try:
        tighten(path)
        return path.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        pass
    except OSError as error:
        raise ImproperlyConfigured(f"{path} cannot be read: {error}. Let its owner read it.") from error
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(make() + "\n")
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    except OSError as error:
        raise ImproperlyConfigured(
            f"{path} cannot be written: {error}. Set BENCHBENCH_DATA to a directory of your own."
        ) from error
    return path.read_text(encoding="utf-8").strip()
