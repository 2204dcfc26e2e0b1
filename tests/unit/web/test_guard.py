"""OP5: who may knock at a server."""

from __future__ import annotations

import pytest

from sliceway.errors import NotPermitted
from sliceway.web.guard import LOOPBACK, check_host, check_key, check_origin


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost", "LOCALHOST:1", "[::1]:80", "localhost."])
def test_op5_a_request_to_a_loopback_name_passes(host: str) -> None:
    """OP5: every way to write this machine's own name is answered, whatever the port."""
    check_host([host], LOOPBACK)


@pytest.mark.parametrize(
    "hosts",
    [
        [],
        [""],
        ["evil.example"],
        ["127.0.0.1.evil.example"],
        ["localhost@evil.example"],
        ["localhost", "evil.example"],
        ["0.0.0.0"],
        ["[::1"],
    ],
)
def test_op5_a_request_to_another_name_is_refused(hosts: list[str]) -> None:
    """OP5: a name made to resolve to this machine, no name, or two of them are refused."""
    with pytest.raises(NotPermitted):
        check_host(hosts, LOOPBACK)


@pytest.mark.parametrize("origins", [[], ["http://127.0.0.1:80"], ["HTTP://127.0.0.1:80"]])
def test_op5_own_pages_and_programs_pass(origins: list[str]) -> None:
    """OP5: a page of this very server may call it, and so may a program, which sends no Origin."""
    check_origin(origins, "127.0.0.1:80")


@pytest.mark.parametrize(
    "origin", ["null", "", "http://127.0.0.1:81", "http://127.0.0.1", "https://evil.example", "file://127.0.0.1:80"]
)
def test_op5_pages_of_other_sites_are_refused(origin: str) -> None:
    """OP5: another port, another site and no site at all are another origin, on loopback too."""
    with pytest.raises(NotPermitted):
        check_origin([origin], "127.0.0.1:80")


@pytest.mark.parametrize("offered", [None, "", "almost", "right ", "ключ", "\udcff"])
def test_op5_only_the_right_key_opens(offered: str | None) -> None:
    """OP5: a missing or wrong key is refused, odd characters included, and the right one is not."""
    with pytest.raises(NotPermitted):
        check_key(offered, "right")
    check_key("right", "right")
