"""Who may knock at a server (OP5): the right `Host`, no other site's `Origin`, and the random key where one is wanted.

Loopback alone protects nothing from a browser: any page may send requests to 127.0.0.1, and a name that
an outsider controls may be made to resolve to it (DNS rebinding). So both headers are checked there too.
"""

from __future__ import annotations

import hmac
from collections.abc import Collection

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from yarl import URL

from sliceway.errors import NotPermitted

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def guard(hosts: Collection[str] = LOOPBACK) -> Middleware:
    """Return the middleware that lets only requests to `hosts` pass, and none that a page of another site sent.

    :param hosts: host names without port, lower case; a port may be forwarded, so it is not compared.
    """
    names = frozenset(hosts)

    @web.middleware
    async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
        check_host(request.headers.getall("Host", []), names)
        check_origin(request.headers.getall("Origin", []), request.headers.get("Host", ""))
        return await handler(request)

    return guarded


def check_host(headers: Collection[str], names: Collection[str]) -> None:
    """Refuse a request unless it names exactly one host, and one of `names`.

    :raises NotPermitted: none, several, or another one.
    """
    if len(headers) != 1 or host_name(next(iter(headers))) not in names:
        raise NotPermitted(f"This server answers to {', '.join(sorted(names))} only; use one of these in the address.")


def check_origin(headers: Collection[str], host: str) -> None:
    """Refuse a request that a page of another origin sent; requests of programs carry no `Origin` and pass.

    :raises NotPermitted: an origin that is not `http(s)://<host>`, `null` included.
    """
    for origin in headers:
        scheme, _, authority = origin.partition("://")
        if scheme.lower() not in ("http", "https") or authority.lower() != host.lower():
            raise NotPermitted("Pages of other sites may not call this server.")


def check_key(offered: str | None, expected: str) -> None:
    """Refuse a request without the right key, in a time that tells nothing about it.

    :raises NotPermitted: missing, wrong, or not ASCII.
    """
    if not hmac.compare_digest((offered or "").encode(errors="surrogateescape"), expected.encode()):
        raise NotPermitted("The key is missing or wrong; it was printed when this server started.")


def host_name(host: str) -> str:
    """Return the host name of a `Host` header, lower case and without port; empty if it is none."""
    try:
        return (URL(f"http://{host}").host or "").lower().rstrip(".")
    except ValueError:
        return ""
