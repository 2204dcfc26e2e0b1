"""`doctor`: what is wrong, in words, each with its cure. It looks, and changes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from sliceway.cli.call import FAILED, Call, operator, verb
from sliceway.core.checks import Check
from sliceway.doctor import examine
from sliceway.errors import SettingsError
from sliceway.settings import find_settings


@verb()
def doctor(call: Call) -> None:
    """Say what is wrong, in words, each with its cure; exit 1 where anything is.

    It looks at the settings, the plugins, the store and the desk, Slack, and the gateway where one runs. It posts
    nothing and changes nothing. Where a setting is wrong or a part is down, it says so and looks at the others.
    """
    checks = asyncio.run(_all(call))
    well = all(check.ok for check in checks)
    call.emit({"ok": well, "checks": checks}, _words(checks))
    if not well:
        raise SystemExit(FAILED)


def _words(checks: Iterable[Check]) -> list[str]:
    """Return the checks for a person, what is wrong first."""
    lines = []
    for check in sorted(checks, key=lambda one: one.ok):
        lines.append(f"{'ok   ' if check.ok else 'WRONG'}  {check.name}: {check.says}")
        if check.cure:
            lines.append(f"       {check.cure}")
    return lines


async def _all(call: Call) -> tuple[Check, ...]:
    """Look at everything that the settings which are right lead to."""
    try:
        found = find_settings(call.config, call.overrides)
    except SettingsError as error:
        return tuple(Check("settings", False, f"{each.field}: {each.detail}", "Set one.") for each in error.problems)
    return tuple([check async for check in examine(found, operator())])
