"""The settings as a model: every key, its default, and what it is for."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr
from pydantic_settings import BaseSettings, InitSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict

from sliceway.core.slices import agent_slice
from sliceway.errors import FieldError, SettingsError
from sliceway.settings.values import (
    AgentId,
    ApiUrl,
    AppToken,
    BotToken,
    BrainUrl,
    EmbedModel,
    GrantTime,
    HostNames,
    ListedId,
    ListedIds,
    PluginNames,
    Port,
    PostgresUrl,
    Secret,
    SomeTime,
    StoreUrl,
    TeamIds,
    UserToken,
    sqlite_file,
)

STORE_FILE = "brain.db"
"""The store's file in the data home."""


def data_home(env: Mapping[str, str] | None = None) -> Path:
    """Return the folder of what the product keeps: `$XDG_DATA_HOME/sliceway`, else `~/.local/share/sliceway`.

    A relative `XDG_DATA_HOME` is ignored, as its specification asks.
    """
    values = os.environ if env is None else env
    named = values.get("XDG_DATA_HOME", "")
    if named and Path(named).is_absolute():
        return Path(named) / "sliceway"
    try:
        home = Path(values["HOME"]) if values.get("HOME") else Path.home()
    except RuntimeError:
        what = "this user has no home folder to keep the store in; set HOME, XDG_DATA_HOME or SLICEWAY_STORE__URL"
        raise SettingsError([FieldError("HOME", "missing", what)]) from None
    return home / ".local" / "share" / "sliceway"


class _Section(BaseModel):
    """A table of settings. Unknown keys are refused, and a wrong value is not repeated in the error (CF2, CF3)."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class StoreSettings(_Section):
    """The brain's own store. `url` None: a file in the data home. It may hold a password, so it is never shown.

    `keep_deleted`: how long a deleted page can be brought back, and the text of a proposal that came to nothing stays,
    before the keeper erases it; `keep_leavers`: how long the corner of somebody who left waits for them (OO8).

    The rest is PostgreSQL's: `owner_url` is the owner of its tables, for what changes them; `maintenance_url` a login
    that verifies, rebuilds and moves the record in its place, and changes no table; `pool_size` the connections of one
    process, `statement_timeout` how long a statement or the wait for a slice may take.
    """

    url: StoreUrl | None = Field(default=None, repr=False)
    sync: Literal["full", "normal"] = "full"
    owner_url: PostgresUrl | None = Field(default=None, repr=False)
    maintenance_url: PostgresUrl | None = Field(default=None, repr=False)
    pool_size: int = Field(default=8, ge=2, le=200)
    statement_timeout: SomeTime = timedelta(seconds=30)
    keep_deleted: SomeTime = timedelta(days=30)
    keep_leavers: SomeTime = timedelta(days=30)


class StateSettings(_Section):
    """The gateway's desk. `url` None: a file beside the store, one for each agent. In a database of PostgreSQL's each
    agent has a schema of its own, and `pool_size` is the connections of one process to it."""

    url: StoreUrl | None = Field(default=None, repr=False)
    pool_size: int = Field(default=4, ge=2, le=50)


class BrainSettings(_Section):
    """A brain elsewhere and how long a call to it is tried (CL3); without `url` the brain is embedded."""

    url: BrainUrl | None = None
    token: Secret | None = None
    deadline: SomeTime = timedelta(seconds=10)
    connect_timeout: SomeTime = timedelta(seconds=3)
    pool_size: int = Field(default=20, ge=1, le=1000)
    retries: int = Field(default=5, ge=0, le=100)


class EmbedSettings(_Section):
    """The model that recall finds meaning with. `model` None: `minilm` where the extra `semantic` is installed, else
    none. `url` and `key` are those of a model behind an address."""

    model: EmbedModel | None = None
    url: BrainUrl | None = None
    key: Secret | None = None


class PolicySettings(_Section):
    """Who decides and which places are trusted; what is set is copied into the store's policy at boot."""

    managers: ListedIds = ()
    approvers: ListedIds | None = None
    teams: TeamIds = ()
    raised: ListedIds = ()
    trusted_channels: ListedIds = ()
    dm: Literal["personal", "off"] = "personal"
    self_approval: Literal["managers", "never", "always"] = "managers"


class ApprovalSettings(_Section):
    """How proposals are decided. All but `channel` belong to the store's policy."""

    expire_after: SomeTime = timedelta(hours=72)
    grant_for: GrantTime = timedelta(hours=8)
    channel: ListedId | None = None


class IdentitySettings(_Section):
    """How the agent's id is learned at boot."""

    boot_timeout: SomeTime = timedelta(minutes=2)


class OneOnOneSettings(_Section):
    """Private sessions."""

    idle_after: SomeTime = timedelta(hours=8)


class ServerSettings(_Section):
    """Where a server listens, under which other names it is reached, how many calls a second a token may make, how
    many connections there may be, and how long a stop waits for what runs."""

    host: str = "127.0.0.1"
    port: Port = 3000
    hosts: HostNames = ()
    drain: SomeTime = timedelta(seconds=10)
    rate_limit: Annotated[int, Field(ge=1, le=1_000_000)] = 200
    connections: Annotated[int, Field(ge=1, le=100_000)] = 500


class SlackSettings(_Section):
    """Slack's own names: `SLACK_BOT_TOKEN`, `SLACK_APP_TOKEN` and so on. `client_id` is only noted (T9)."""

    bot_token: BotToken | None = None
    app_token: AppToken | None = None
    signing_secret: Secret | None = None
    user_token: UserToken | None = None
    api_url: ApiUrl = "https://slack.com/api/"
    client_id: str | None = Field(default=None, repr=False)

    @property
    def posting_token(self) -> str | None:
        """The token that messages are posted with: a person's own where one is set, else the bot's."""
        chosen = self.user_token or self.bot_token
        return chosen.get_secret_value() if chosen is not None else None


class LogSettings(_Section):
    """What is logged on stderr."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["auto", "json", "text"] = "auto"


class PluginSettings(BaseModel):
    """Which plugins run, and beside `enabled` one table of values for each by its name, unread until checked (PL6)."""

    model_config = ConfigDict(extra="allow", frozen=True, hide_input_in_errors=True)
    __pydantic_extra__: dict[str, dict[str, Any]]

    enabled: PluginNames = ("notes",)

    def values_of(self, name: str) -> dict[str, Any]:
        """Return the table `plugins.<name>` as given, without the host's own key `optional`."""
        table = (self.__pydantic_extra__ or {}).get(name, {})
        return {key: value for key, value in table.items() if key != "optional"}

    def optional(self, name: str) -> Any:
        """Return `plugins.<name>.optional` as given; False where it is not set (PL7)."""
        return (self.__pydantic_extra__ or {}).get(name, {}).get("optional", False)

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        """Show names only: a plugin's values may be secrets (CF3)."""
        yield "enabled", self.enabled
        yield "configured", tuple(sorted(self.__pydantic_extra__ or {}))


POLICY_KEYS: Mapping[str, tuple[str, str]] = {
    **{name: ("policy", name) for name in PolicySettings.model_fields},
    "expire_after": ("approvals", "expire_after"),
    "grant_for": ("approvals", "grant_for"),
}
"""The settings that belong to the store's policy: the policy's field, and the section and key that set it (AP7)."""


class Settings(BaseSettings):
    """Everything that can be set, whole and checked. Made by `load_settings`."""

    model_config = SettingsConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    agent_id: AgentId | None = None
    store: StoreSettings = StoreSettings()
    state: StateSettings = StateSettings()
    brain: BrainSettings = BrainSettings()
    embed: EmbedSettings = EmbedSettings()
    policy: PolicySettings = PolicySettings()
    approvals: ApprovalSettings = ApprovalSettings()
    identity: IdentitySettings = IdentitySettings()
    plugins: PluginSettings = PluginSettings.model_validate({})
    one_on_one: OneOnOneSettings = OneOnOneSettings()
    server: ServerSettings = ServerSettings()
    slack: SlackSettings = SlackSettings()
    log: LogSettings = LogSettings()
    _home: Path = PrivateAttr(default_factory=data_home)

    def __init__(
        self, sources: Sequence[PydanticBaseSettingsSource] = (), home: Path | None = None, **values: Any
    ) -> None:
        """Take values from `sources`, the strongest first, or as keywords; nothing is read behind the caller's back.

        :param home: the folder of what has no address of its own; None means the data home.
        :raises ValidationError: with every value that is wrong.
        """
        chosen = tuple(sources) or (InitSettingsSource(type(self), values),)
        super().__init__(_build_sources=(chosen, {}))
        if home is not None:
            self._home = home

    @property
    def home(self) -> Path:
        """The folder of what has no address of its own."""
        return self._home

    @property
    def store_url(self) -> str:
        """The address of the brain's store, the default where none is set."""
        return self.store.url or f"sqlite:///{self.home / STORE_FILE}"

    @property
    def store_file(self) -> Path:
        """The file of the store, or what is kept beside it goes by where it is no file."""
        return sqlite_file(self.store_url) or self.home / STORE_FILE

    def desk_url(self, agent_id: str) -> str:
        """Return the address of an agent's desk: as set, else a file beside the store, each agent its own."""
        if self.state.url is not None:
            return self.state.url
        store = self.store_file
        return f"sqlite:///{store.parent / f'{store.stem}.desk-{agent_slice(agent_id)}.db'}"

    @property
    def policy_set(self) -> frozenset[str]:
        """The fields of the policy that the settings name, whatever their value: these are copied to the store."""
        return frozenset(
            field for field, (section, key) in POLICY_KEYS.items() if key in getattr(self, section).model_fields_set
        )

    def policy_values(self) -> dict[str, Any]:
        """Return the value of each field in `policy_set`, as `core.policy.Policy` holds it."""
        values: dict[str, Any] = {}
        for field in self.policy_set:
            section, key = POLICY_KEYS[field]
            value = getattr(getattr(self, section), key)
            values[field] = frozenset(value) if isinstance(value, tuple) else value
        return values
