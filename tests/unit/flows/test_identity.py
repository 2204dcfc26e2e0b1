"""Who the agent is: learned once, at boot, never guessed."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta

import pytest

from sliceway.errors import ChatError, IdentityError, InvalidAgentId
from sliceway.flows.identity import Identity, IdentityResolver
from sliceway.ports import Me
from tests.fakes.clock import HandClock


class Platform:
    """Says who the account is, after failing as often as planned."""

    def __init__(self, *failures: ChatError, user: str = "UBOT") -> None:
        """Plan the failures that come first."""
        self.failures, self.user, self.calls = list(failures), user, 0

    async def me(self) -> Me:
        """Answer one call."""
        self.calls += 1
        await asyncio.sleep(0)
        if self.failures:
            raise self.failures.pop(0)
        return Me("T1", self.user)


def unreachable() -> ChatError:
    """Return what an unreachable platform comes to."""
    return ChatError("No route.", reason="connection", ambiguous=True)


def resolver(
    platform: Platform | None,
    *,
    configured: str | None = None,
    registered: tuple[str, ...] = (),
    teams: int = 1,
    clock: HandClock | None = None,
) -> IdentityResolver:
    """Return a resolver whose sleep moves the clock."""
    hand = clock if clock is not None else HandClock()

    async def sleep(seconds: float) -> None:
        hand.forward(seconds=seconds)

    async def known() -> tuple[str, ...]:
        return registered

    return IdentityResolver(
        configured=configured,
        ask=platform.me if platform is not None else None,
        registered=known,
        teams=teams,
        boot_timeout=timedelta(seconds=60),
        clock=hand,
        sleep=sleep,
    )


async def test_id1_the_environment_wins_and_the_platform_is_not_asked() -> None:
    """ID1: a configured id, trimmed, is the id; auth.test is not asked for it."""
    platform = Platform()
    assert await resolver(platform, configured="  ada ").resolve() == Identity("ada", "env")
    assert platform.calls == 0


@pytest.mark.parametrize("blank", [None, "", "  "])
async def test_id2_without_it_the_account_is_the_id(blank: str | None) -> None:
    """ID1, ID2: a blank id counts as unset, and then the posting account's user id is the id."""
    assert await resolver(Platform(user="U0BOT"), configured=blank).resolve() == Identity("U0BOT", "auth.test")


async def test_id2_several_teams_need_the_environment() -> None:
    """ID2: with several teams no account id will do, and the words name the setting."""
    with pytest.raises(IdentityError, match="SLICEWAY_AGENT_ID"):
        await resolver(Platform(), teams=2).resolve()


@pytest.mark.parametrize(
    ("registered", "expected"), [((), Identity("default", "default")), (("ada",), Identity("ada", "store"))]
)
async def test_id3_without_a_token_the_store_says(registered: tuple[str, ...], expected: Identity) -> None:
    """ID3: `default` only in an empty store; the only registered agent otherwise."""
    assert await resolver(None, registered=registered).resolve() == expected


async def test_id3_several_registered_agents_are_not_guessed_among() -> None:
    """ID3: several registered agents are refused, and named."""
    with pytest.raises(IdentityError, match="ada, bob"):
        await resolver(None, registered=("bob", "ada")).resolve()


async def test_id4_an_unreachable_platform_is_asked_again() -> None:
    """ID4: the platform is asked again with growing pauses until it answers."""
    platform, clock = Platform(unreachable(), unreachable(), unreachable()), HandClock()
    began = clock()
    assert (await resolver(platform, clock=clock).resolve()).agent == "UBOT"
    assert platform.calls == 4
    assert clock() > began


async def test_id4_after_the_boot_timeout_it_gives_up_and_is_never_default() -> None:
    """ID4: past the boot timeout the boot ends with words; the id never falls to `default`."""
    platform = Platform(*(unreachable() for _ in range(500)))
    asked = resolver(platform)
    with pytest.raises(IdentityError, match="did not say who the agent is"):
        await asked.resolve()
    assert asked.known is None
    assert platform.calls > 3


@pytest.mark.parametrize("reason", ["invalid_auth", "account_inactive", "token_revoked"])
async def test_id5_a_bad_token_is_fatal_at_once_with_the_cure(reason: str) -> None:
    """ID5: what no retry cures ends the boot at the first answer and says what to do."""
    platform = Platform(ChatError("No.", reason=reason))
    with pytest.raises(IdentityError, match=rf"{reason}.*(install|copy)"):
        await resolver(platform).resolve()
    assert platform.calls == 1


async def test_id6_concurrent_resolves_make_one_call(caplog: pytest.LogCaptureFixture) -> None:
    """ID6: all who ask at once, and later, get one answer from one call; the source is kept, and logged once."""
    platform = Platform()
    asked = resolver(platform)
    with caplog.at_level(logging.INFO, logger="sliceway.flows.identity"):
        answers = await asyncio.gather(*(asked.resolve() for _ in range(20)))
    assert [record.getMessage() for record in caplog.records] == ["agent is UBOT (from auth.test)"]
    assert set(answers) == {Identity("UBOT", "auth.test")}
    await asked.resolve()
    assert platform.calls == 1
    assert asked.known == Identity("UBOT", "auth.test")


async def test_id7_a_cancelled_caller_takes_nobody_elses_answer() -> None:
    """ID7: whoever waits for the id gets it, even when another that waits is cancelled."""
    asked = resolver(Platform(unreachable()))
    first, second = asyncio.create_task(asked.resolve()), asyncio.create_task(asked.resolve())
    await asyncio.sleep(0)
    first.cancel()
    assert (await second).agent == "UBOT"


@pytest.mark.parametrize("bad", ["has space", "a" * 65, "../up", "ä", "a/b"])
async def test_id8_a_bad_id_is_refused_never_mangled(bad: str) -> None:
    """ID8: an id with other characters or too long is refused with the reason."""
    with pytest.raises(InvalidAgentId):
        await resolver(Platform(), configured=bad).resolve()


@pytest.mark.parametrize("nobody", ["unknown", "None", "DEFAULT", "mcp_client", "null"])
async def test_id9_a_name_of_nobody_is_refused(nobody: str) -> None:
    """ID9: names that name nobody are refused as an agent's id."""
    with pytest.raises(InvalidAgentId):
        await resolver(Platform(), configured=nobody).resolve()
