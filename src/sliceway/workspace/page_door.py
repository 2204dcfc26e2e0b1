"""The page for people, at `/`: files of our own, no build, nothing from elsewhere.

The page itself is no secret and holds none, so it is served to whoever may knock (OP5: the guard looks at `Host` and
`Origin` first). The control key reaches it in the address's fragment, `http://127.0.0.1:PORT/#key=…`: a browser sends
the fragment to nobody, neither to this server nor as a referrer, and a page of another site can read neither it nor the
tab's own storage, where the script puts it before it takes it off the address. Were the key handed out by an answer of
this server instead, every program on this machine could ask for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from aiohttp import web

from sliceway.errors import NotFound

FOLDER = Path(__file__).parent / "page"
FIRST = "index.html"
_KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


@dataclass(frozen=True, slots=True)
class PageFile:
    """One file as it is served."""

    body: bytes
    kind: str


def page_files(folder: Path = FOLDER) -> Mapping[str, PageFile]:
    """Return what can be asked for, by name; a request never names a path."""
    return {
        file.name: PageFile(file.read_bytes(), _KINDS[file.suffix])
        for file in sorted(folder.iterdir())
        if file.suffix in _KINDS
    }


class PageDoor:
    """Serves the page and its parts."""

    def __init__(self, files: Mapping[str, PageFile] | None = None) -> None:
        """Take the files; by default those of this package, read once."""
        self._files = page_files() if files is None else files

    async def first(self, _request: web.Request) -> web.Response:
        """Answer with the page."""
        return self._answer(FIRST)

    async def part(self, request: web.Request) -> web.Response:
        """Answer with a module or a style sheet.

        :raises NotFound: there is no such file.
        """
        return self._answer(request.match_info["name"])

    def _answer(self, name: str) -> web.Response:
        file = self._files.get(name)
        if file is None:
            raise NotFound("There is no such part of the page.")
        return web.Response(body=file.body, content_type=file.kind, charset="utf-8", headers=HEADERS)
