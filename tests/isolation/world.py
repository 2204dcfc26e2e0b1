"""A brain with all there can be in it, behind a real server, and raw calls to it; the tests look at it from outside.

The server runs in a thread of its own, so that one of it serves all tests of a module.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar
from urllib.parse import urlsplit

from sliceway.brain.local import LocalBrain, LocalDoor
from sliceway.core.pages import Author, PageDraft
from sliceway.core.principals import Principal
from sliceway.core.proposals import ProposedPage
from sliceway.core.slices import SYSTEM, user_slice
from sliceway.core.tokens import token_parts
from sliceway.core.turns import Person
from sliceway.store import pages
from sliceway.store.ledger import slice_transaction
from sliceway.store.record import RowChange, record
from sliceway.store.tables import aliases
from tests.contract.over_http import Served, open_served
from tests.contract.people import ANN, BEN
from tests.fakes import stores
from tests.fakes.clock import HandClock, ids
from tests.fakes.trace import Trace, traced

Result = TypeVar("Result")

XEN = Person("T2", "U-XEN", name="Xen")
PLACES: Mapping[str, str] = {
    "own": "agent-ada", "older": "agent-olda", "corner": ANN.slice, "mind": "agent-bob", "ben": BEN.slice,
    "xen": XEN.slice, "shared": "shared", "public": "public", "kb": "kb-one", "kb-off": "kb-two",
    "prior": "agent-oldb", "legacy": "agent", "never": "agent-nob", "system": SYSTEM,
}  # fmt: skip
"""What a call may aim at: the slices of ada, of Ann, for whom it calls, and everybody else's. `older` is an alias of
ada's, `prior` and `legacy` are bob's; `kb` is mounted for ada, `kb-off` for bob alone. Nothing is in `never`."""

TWINS: Mapping[str, str] = {
    **dict.fromkeys(("own", "older", "mind", "prior", "never"), "agent-nil"),
    **dict.fromkeys(("corner", "ben", "xen"), user_slice("T1", "U-NIL")),
    **dict.fromkeys(("shared", "public", "kb", "kb-off", "legacy"), "kb-nil"),
    "system": "_systen",
}  # fmt: skip
"""For each, a name of the same kind and length in which nothing ever was. What has no such name of its own kind is held
against one that is judged alike."""

TOKENS: Mapping[str, Principal] = {
    "agent": Principal.agent("ada"),
    "gateway": Principal.gateway("ada", teams=["T1"], acts_for=True, decides=True),
    "no decisions": Principal.gateway("ada", teams=["T1"], acts_for=True),
    "no rights": Principal.gateway("ada", teams=["T1"]),
    "reads shared": Principal.reader(["shared"]),
    "reads kb": Principal.reader(["kb-two"]),
    "admin": Principal.admin(),
    "bob": Principal.agent("bob"),
    "bob's gateway": Principal.gateway("bob", teams=["T1", "T2"], acts_for=True, decides=False),
}
"""Whom a good token stands for."""
BAD = ("none", "no token at all", "unknown", "wrong secret", "rotated away", "expired", "revoked")
"""What stands for nobody."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    raw: bytes

    @property
    def body(self) -> Any:
        """The JSON in it."""
        return json.loads(self.raw)

    @property
    def code(self) -> str:
        """The code of a refusal."""
        return str(self.body["code"])


class World:
    """The brain, its server, and the callers."""

    def __init__(self, folder: Path, url: str | None = None) -> None:
        """Open all of it, the store in a folder or at `url`, where it is empty; call `close` at the end."""
        self.clock, self._new_id = HandClock(), ids()
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="world", daemon=True)
        self._thread.start()
        door = self.do(open_served(folder, self.clock, self._new_id, url))
        assert isinstance(door, Served)
        self._served = door
        self.local: LocalDoor = door.local
        self.operator: LocalBrain = self.local.enter(Principal.operator("op"))
        self.address = door.address
        self._wire = HTTPConnection(urlsplit(self.address).netloc, timeout=60)
        self.tokens: dict[str, str | None] = {}
        self.token_ids: dict[str, str] = {}
        self.events: dict[str, str] = {}
        self._fresh = 0
        self._fill()

    def do(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Return what a coroutine comes to in the server's loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(60)

    def close(self) -> None:
        """Stop everything."""
        self._wire.close()
        self.do(self._served.close())
        self.do(self._loop.shutdown_default_executor())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _fill(self) -> None:
        """Have every slice and every token."""
        mounted = {"ada": ["kb-one"], "bob": ["kb-two"]}
        self.do(self.operator.set_policy(teams=["T1", "T2"], managers=["U-MAN"], kb=mounted))
        for alias, agent in (("agent-olda", "ada"), ("agent-oldb", "bob"), ("agent", "bob")):
            with self.writing(SYSTEM) as tx:
                row = RowChange(aliases, {"alias": alias}, {"agent": agent, "at": tx.now})
                record(tx, "alias.bound", about={"agent": agent, "alias": alias}, author={}, rows=[row])
        for name in (name for place, name in PLACES.items() if place not in {"never", "system"}):
            for text in ("the first plan", "the rotation plan [[m]]"):
                for slug in ("n", "m"):
                    self.events[name] = self.put(name, slug, text)
            self.events[name] = self.put(name, "n", f"the rotation plan of {name} [[m]]")
        for who, principal in TOKENS.items():
            token = self._served.token_for(principal)
            self.tokens[who], self.token_ids[who] = token, token_parts(token)[0]
        self._bad_tokens()
        refused = self.send("DELETE", "/v1/pages/agent-zed/n", who="agent", body={})
        assert refused.status == 403, refused.raw  # so that ada has acts of her own in the brain's slice

    def _bad_tokens(self) -> None:
        """Have what was a token once, or never was one."""
        made = {
            name: self.do(self.operator.create_token(kind="agent", agent="ada", expires="1m"))
            for name in ("wrong secret", "rotated away", "expired", "revoked")
        }
        self.tokens |= {name: token.token for name, token in made.items()}
        self.tokens["none"] = None
        self.tokens["no token at all"] = "Xyz"
        self.tokens["unknown"] = str(self.tokens["expired"]).replace(made["expired"].entry.id, "0" * 26)
        self.tokens["wrong secret"] = str(self.tokens["wrong secret"])[:-1] + "!"
        self.do(self.operator.rotate_token(id=made["rotated away"].entry.id))
        self.do(self.operator.revoke_token(id=made["revoked"].entry.id))
        self.clock.advance("1h")

    @contextmanager
    def writing(self, slice_name: str) -> Iterator[Any]:
        """Give a transaction of a slice, past the brain."""
        with (
            stores.written(self.local.database, slice_name) as session,
            slice_transaction(session, slice_name, clock=self.clock, new_id=self._new_id) as tx,
        ):
            yield tx

    def put(self, slice_name: str, slug: str, text: str, *, agent: str = "ada") -> str:
        """Write a page that Ann caused, past the brain; return the id of its event."""
        with self.writing(slice_name) as tx:
            page = ProposedPage(slug, None, PageDraft(slug, text, title="Rotation"))
            by = pages.Signature(Author(agent, None, ANN, "slack", None))
            return pages.apply(tx, "write", page, by).event_id

    def fresh(self, slice_name: str) -> tuple[str, str]:
        """Return the slug and the event of a page that is not used for anything else."""
        self._fresh += 1
        slug = f"fresh-{self._fresh}"
        return slug, self.put(slice_name, slug, "something new")

    def send(
        self, method: str, target: str, *, who: str | None = None, body: Any = None,
        headers: Sequence[tuple[str, str]] = (),
    ) -> Answer:  # fmt: skip
        """Send one request just as it is given; `body` is bytes, or JSON's own."""
        sent = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        named = {name.lower() for name, _ in headers}
        self._wire.putrequest(method, target, skip_host="host" in named, skip_accept_encoding=True)
        token = self.tokens[who] if who is not None else None
        if token is not None:
            self._wire.putheader("Authorization", f"Bearer {token}")
        if sent is not None:
            if "content-type" not in named:
                self._wire.putheader("Content-Type", "application/json")
            self._wire.putheader("Content-Length", str(len(sent)))
        for name, value in headers:
            self._wire.putheader(name, value)
        self._wire.endheaders(sent)
        answer = self._wire.getresponse()
        raw = answer.read()
        return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, raw)

    def watched(self) -> Any:
        """Watch the store's work."""
        return traced(self.local.database)

    def measured(self, method: str, target: str, **more: Any) -> tuple[Answer, Trace]:
        """Send one request and return its answer and the work it took."""
        with self.watched() as trace:
            answer = self.send(method, target, **more)
        return answer, trace
