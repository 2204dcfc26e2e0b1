"""Quiet hours: at night nobody is asked to approve anything.

A whole policy plugin, to copy. Between `from` and `until` a write that would put a card before a person (ASK) is
refused (DENY), so that nobody's phone rings; what an agent or a person saves for themselves (ALLOW) goes on. Enable it
with `SLICEWAY_PLUGINS__ENABLED=notes,quiet_hours`, and set `SLICEWAY_PLUGINS__QUIET_HOURS__FROM=22:00` and the like.
"""

from datetime import datetime, time
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field

from sliceway import Verdict, hookimpl


class QuietHours(BaseModel):
    """When it is quiet, by the clock of `timezone`; the hours may reach over midnight."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    begins: time = Field(default=time(22, 0), alias="from")
    until: time = time(7, 0)
    timezone: ZoneInfo = Field(default_factory=lambda: ZoneInfo("UTC"))

    def hold(self, now: datetime) -> bool:
        """Say whether it is quiet at `now`; `until` itself is not."""
        clock = now.astimezone(self.timezone).time()
        if self.begins <= self.until:
            return self.begins <= clock < self.until
        return clock >= self.begins or clock < self.until


@hookimpl
def settings_model() -> type[QuietHours]:
    """Return the model of `plugins.quiet_hours`."""
    return QuietHours


@hookimpl
def tighten(verdict: Verdict, now: datetime, settings: QuietHours) -> Verdict:
    """Refuse in quiet hours what would ask a person."""
    return Verdict.DENY if verdict is Verdict.ASK and settings.hold(now) else verdict
