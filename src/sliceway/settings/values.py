"""The kinds of value that settings have, each refused in words that say the cure and never repeat a secret."""

from __future__ import annotations

import ipaddress
import re
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import SplitResult, urlsplit

from pydantic import AfterValidator, BeforeValidator, SecretStr

from sliceway.core.clock import parse_duration
from sliceway.core.ids import check_agent_id
from sliceway.core.policy import MAX_GRANT
from sliceway.errors import InvalidRequest

_LISTED = re.compile(r"(?:[A-Z][A-Z0-9_-]*:)?[A-Z][A-Z0-9_-]*", re.ASCII)
_PLUGIN = re.compile(r"[a-z][a-z0-9_]{0,63}", re.ASCII)
_SQLITE = "sqlite:///"
_POSTGRES = ("postgresql://", "postgres://")
ENDPOINT = "openai:"
"""How the name of an embedding model begins that is asked for at an address."""
_TOKENS = {"xoxb-": "SLACK_BOT_TOKEN", "xapp-": "SLACK_APP_TOKEN", "xoxp-": "SLACK_USER_TOKEN"}


def _commas(value: Any) -> Any:
    """Read `A, B` as two entries; blank is an empty list. Each is kept once, in order."""
    if isinstance(value, str):
        value = value.split(",")
    if not isinstance(value, (list, tuple)) or not all(isinstance(entry, str) for entry in value):
        raise ValueError("give a list of words, or one text with commas")
    return tuple(dict.fromkeys(entry.strip() for entry in value if entry.strip()))


def _host_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return host names in lower case; refuse addresses with a scheme, a port or a path."""
    for name in names:
        if not re.fullmatch(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?", name):
            raise ValueError("has to be host names, without https:// and port, like sliceway.example.com")
    return tuple(name.lower() for name in names)


def _ids(value: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse what cannot be an id of a person or channel: it would silently never match anyone."""
    if wrong := [entry for entry in value if not _LISTED.fullmatch(entry)]:
        raise ValueError(f"'{wrong[0][:40]}' is not an id; use ids such as U012AB3CD or T012AB3CD:U012AB3CD, not names")
    return value


def listed_ids(value: str) -> tuple[str, ...]:
    """Return the ids of a comma list, each once, in order.

    :raises ValueError: an entry is neither `ID` nor `TEAM:ID`.
    """
    return _ids(_commas(value))


def _plain_ids(value: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse `TEAM:ID` where a team alone is meant."""
    if wrong := [entry for entry in value if ":" in entry]:
        raise ValueError(f"'{wrong[0][:40]}' names more than a team; use ids such as T012AB3CD")
    return value


def _one_id(value: str) -> str:
    return _ids((value.strip(),))[0]


def _plugins(value: tuple[str, ...]) -> tuple[str, ...]:
    if wrong := [entry for entry in value if not _PLUGIN.fullmatch(entry) or entry == "enabled"]:
        raise ValueError(f"'{wrong[0][:40]}' is not a plugin's name; `sliceway plugins list` shows them")
    return value


def _duration(value: Any) -> Any:
    """Read `15m`; a bare number has no unit and is refused."""
    if isinstance(value, timedelta):
        return value
    if not isinstance(value, str):
        raise ValueError("write a duration with its unit: 4s, 15m, 72h or 7d")
    try:
        return parse_duration(value)
    except InvalidRequest as error:
        raise ValueError(error.detail) from None


def _some_time(value: timedelta) -> timedelta:
    if not value:
        raise ValueError("has to be longer than 0")
    return value


def _grant_time(value: timedelta) -> timedelta:
    if value > MAX_GRANT:
        raise ValueError("no grant lasts longer than 7d; 0 switches grants off")
    return value


def _agent_id(value: str) -> str:
    try:
        return check_agent_id(value.strip())
    except InvalidRequest as error:
        raise ValueError(error.detail) from None


def is_loopback(host: str | None) -> bool:
    """Say whether `host` is this machine."""
    if host is None:
        return False
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _split(value: str) -> SplitResult:
    """Split a web address; a port that is no number is refused here and not at the first call."""
    try:
        parts = urlsplit(value)
        _ = parts.port
    except ValueError:
        raise ValueError("is not a web address") from None
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("has to be a web address that begins with https:// or http://")
    if parts.username is not None or parts.password is not None:
        raise ValueError("must not carry a name or password; give the token by its own key")
    return parts


def _guarded(value: str) -> SplitResult:
    """Split an address that tokens travel to: https unless it is this machine."""
    parts = _split(value)
    if parts.scheme != "https" and not is_loopback(parts.hostname):
        raise ValueError("has to be https, for tokens travel to it; http is accepted on this machine only")
    return parts


def brain_address(value: str) -> str:
    """Return the address of a brain's server, which tokens and people's words travel to.

    :raises ValueError: it is no web address, not https where it is another machine, or says more than where it is.
    """
    parts = _guarded(value.strip())
    if parts.query or parts.fragment:
        raise ValueError("has to end where its server begins, without '?' and '#'")
    return value.strip()


def _embed_model(value: str) -> str:
    name = value.strip()
    if name in {"none", "minilm", "e5"} or (name.startswith(ENDPOINT) and name.removeprefix(ENDPOINT).strip()):
        return name
    raise ValueError("is none, minilm, e5, or openai:MODEL for a model behind an address")


def _api_url(value: str) -> str:
    """Return an address that ends in a slash."""
    _guarded(value.strip())
    return value.strip().rstrip("/") + "/"


def sqlite_file(url: str) -> Path | None:
    """Return the file that a `sqlite:///` address names; None for another kind of store."""
    if not url.startswith(_SQLITE):
        return None
    file = Path(url.removeprefix(_SQLITE))
    try:
        return file.expanduser()
    except RuntimeError:  # nobody's home: the store says so when it is opened
        return file


def _store_url(value: str) -> str:
    url = value.strip()
    if url.startswith(_POSTGRES):
        return url
    name = url.removeprefix(_SQLITE)
    if not url.startswith(_SQLITE) or not name or name.endswith("/"):
        raise ValueError("has to be sqlite:///FILE (four slashes for a path from the root) or postgresql://…")
    if name == ":memory:":
        raise ValueError("a store in memory cannot be shared between threads; name a file")
    if "?" in name or "\0" in name:
        raise ValueError("a file of SQLite takes no options; give the path alone, without '?'")
    return url


def _postgres_url(value: str) -> str:
    url = value.strip()
    if not url.startswith(_POSTGRES):
        raise ValueError("has to be postgresql://…: a file of SQLite has no owner of its own")
    return url


def masked(url: str) -> str:
    """Return an address fit for a log: without the password in it."""
    return re.sub(r"(?<=://)([^/@:]*):[^/@]*@", r"\1:…@", url)


def _token(kind: str) -> Any:
    """Return a check for a token of `kind`; one pasted under the wrong name is told the right one."""

    def check(value: SecretStr) -> SecretStr:
        text = value.get_secret_value().strip()
        bare = text.removeprefix("xoxe.")
        if not bare.startswith(kind):
            other = next((name for prefix, name in _TOKENS.items() if bare.startswith(prefix)), None)
            hint = f"; this one looks like {other}" if other else ""
            raise ValueError(f"a token of this kind begins with {kind}{hint}")
        if len(bare) <= len(kind) or not text.isascii() or any(char.isspace() for char in text):
            raise ValueError("is not a whole token; copy it again from the app's settings")
        return SecretStr(text)

    return AfterValidator(check)


def _secret(value: SecretStr) -> SecretStr:
    text = value.get_secret_value().strip()
    if not text.isascii() or any(char.isspace() for char in text):
        raise ValueError("has white space or odd characters in it; copy it again")
    return SecretStr(text)


def _port(value: int) -> int:
    if not 0 <= value <= 65535:
        raise ValueError("a port is 0 to 65535; 0 takes any free one")
    return value


AgentId = Annotated[str, AfterValidator(_agent_id)]
ApiUrl = Annotated[str, AfterValidator(_api_url)]
AppToken = Annotated[SecretStr, _token("xapp-")]
BrainUrl = Annotated[str, AfterValidator(brain_address)]
EmbedModel = Annotated[str, AfterValidator(_embed_model)]
BotToken = Annotated[SecretStr, _token("xoxb-")]
GrantTime = Annotated[timedelta, BeforeValidator(_duration), AfterValidator(_grant_time)]
ListedId = Annotated[str, AfterValidator(_one_id)]
HostNames = Annotated[tuple[str, ...], BeforeValidator(_commas), AfterValidator(_host_names)]
ListedIds = Annotated[tuple[str, ...], BeforeValidator(_commas), AfterValidator(_ids)]
PluginNames = Annotated[tuple[str, ...], BeforeValidator(_commas), AfterValidator(_plugins)]
Port = Annotated[int, AfterValidator(_port)]
Secret = Annotated[SecretStr, AfterValidator(_secret)]
SomeTime = Annotated[timedelta, BeforeValidator(_duration), AfterValidator(_some_time)]
StoreUrl = Annotated[str, AfterValidator(_store_url)]
PostgresUrl = Annotated[str, AfterValidator(_postgres_url)]
TeamIds = Annotated[tuple[str, ...], BeforeValidator(_commas), AfterValidator(_ids), AfterValidator(_plain_ids)]
UserToken = Annotated[SecretStr, _token("xoxp-")]
