"""The part of the brain's port about tokens: what callers over HTTP are known by (BR2)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from sliceway.core.pages import Listing
from sliceway.core.tokens import NewToken, TokenEntry


class TokenKeeping(ABC):
    """Making, listing, rotating and revoking tokens: an admin's or the operator's (GT9); from others each of these is
    `NotPermitted`, and recorded. What is changed here holds from the next request on, in every process."""

    @abstractmethod
    async def create_token(
        self,
        *,
        kind: str,
        agent: str | None = None,
        teams: Sequence[str] = (),
        acts_for: bool = False,
        decides: bool = False,
        slices: Sequence[str] = (),
        expires: str | None = None,
    ) -> NewToken:
        """Make a token. Its secret is in the answer and nowhere else.

        :param kind: `admin` takes nothing more; `gateway` an agent, teams and the two rights; `agent` an agent;
            `reader` slices among `shared`, `public` and `kb-…`. Anything else given is refused with its field.
        :param expires: how long it is good, like `30d`, from 1s to 3650d; None: until it is revoked.
        :raises InvalidAgentId: the agent's id is not one, or names nobody.
        """  # fmt: skip

    @abstractmethod
    async def tokens(self, *, limit: int = 50, cursor: str | None = None) -> Listing[TokenEntry]:
        """Return all tokens, those that ended too, by id, with what the record tells of what each did."""

    @abstractmethod
    async def rotate_token(self, *, id: str) -> NewToken:
        """Give a token a new secret, with the same id and rights; the one before is refused at once.

        :raises InvalidRequest: it was revoked, or its time is over. :raises NotFound: there is no such token.
        """

    @abstractmethod
    async def revoke_token(self, *, id: str) -> TokenEntry:
        """End a token at once and for good; again: the same answer.

        :raises NotFound: there is no such token.
        """
