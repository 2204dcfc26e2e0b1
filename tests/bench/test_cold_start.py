"""How soon a brain's server of a large store answers, and how much it holds. Prints, and judges no time."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pytest

from sliceway.brain.local import open_local
from sliceway.core.principals import Principal
from sliceway.wiring.fresh import new_id, now
from tests.bench import contest_data, figures
from tests.bench.contestants import contestant
from tests.bench.test_brain_speed import READ
from tests.bench.test_processes import resident_mb
from tests.e2e.brain_server import environment

PAGES = 100_000
ROUNDS = 7
RECALLS = 1000


@dataclass(frozen=True, slots=True)
class Start:
    """One start: seconds from the start of the process until it did each, and its processor time until the first."""

    healthz: float
    recall: float
    vectors: float
    cpu: float


class Asking:
    """One kept connection to a server."""

    def __init__(self, port: int, token: str) -> None:
        """Wait until somebody listens there."""
        self._token = token
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        while True:
            try:
                self._connection.connect()
            except ConnectionRefusedError:
                time.sleep(0.001)
            else:
                return

    def healthz(self) -> None:
        """Ask whether it lives."""
        self._connection.request("GET", "/healthz")
        answer = self._connection.getresponse()
        answer.read()
        assert answer.status == 200

    def recall(self, query: str) -> dict[str, Any]:
        """Return what a recall answers."""
        head = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        self._connection.request("POST", "/v1/recall", json.dumps({"query": query}), head)
        answer = self._connection.getresponse()
        said: dict[str, Any] = json.loads(answer.read())
        assert answer.status == 200, said
        return said

    def close(self) -> None:
        """Hang up."""
        self._connection.close()


@contextmanager
def _served(folder: Path, token: str) -> Iterator[tuple[int, Asking, float]]:
    """Start the server of a folder's store; give its pid, a connection, and when it was started."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    env = environment(folder, SLICEWAY_EMBED__MODEL="minilm", SLICEWAY_SERVER__RATE_LIMIT="100000")
    command = [sys.executable, "-m", "sliceway", "brain", "serve", "--port", str(port), "--json", "--with-parent"]
    began = time.perf_counter()
    with subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        asking = Asking(port, token)
        try:
            yield process.pid, asking, began
        finally:
            asking.close()
            process.terminate()


def _started(folder: Path, token: str, queries: list[str]) -> Start:
    with _served(folder, token) as (pid, asking, began):
        asking.healthz()
        healthz, cpu = time.perf_counter() - began, _cpu(pid)
        asking.recall(queries[0])
        recall = time.perf_counter() - began
        while asking.recall(queries[1])["degraded"]:
            time.sleep(0.005)
        return Start(healthz, recall, time.perf_counter() - began, cpu)


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def _token(store: Path) -> str:
    async with await open_local(f"sqlite:///{store}", clock=now, new_id=new_id) as door:
        made = await door.enter(Principal.operator("bench")).create_token(kind="agent", agent="ada")
        return made.token


@pytest.mark.bench
@pytest.mark.timeout(900)
def test_a_server_of_100k_pages(tmp_path: Path) -> None:
    """Target: an answer of `/healthz` and of a recall within 1 s from the start, less than 500 MB with the model loaded
    and after 1,000 recalls."""
    data, store = tmp_path / "data", tmp_path / "store"
    contest_data.notes(data, PAGES)
    with contestant("ours", data, store) as one:
        one.do("take", start=0, stop=PAGES)
    token = asyncio.run(_token(store / "brain.db"))
    lines = (data / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    queries = [json.loads(line)[2] for line in lines]
    starts = [asdict(_started(store, token, queries)) for _ in range(ROUNDS)]
    took = {name: statistics.median(start[name] for start in starts) for name in starts[0]}
    with _served(store, token) as (pid, asking, _):
        while asking.recall(queries[0])["degraded"]:
            time.sleep(0.01)
        for at in range(RECALLS):
            assert asking.recall(f"{queries[at % len(queries)]} {at}")["slices_read"] == sorted(READ)
        held = {name: resident_mb(pid, name) for name in ("VmRSS", "VmHWM", "RssAnon")}
    row = {
        "pages": PAGES, "/healthz after, s": round(took["healthz"], 2), "a recall after, s": round(took["recall"], 2),
        "with vectors after, s": round(took["vectors"], 2), "processor time, s": round(took["cpu"], 2),
        "resident, MB": round(held["VmRSS"]), "at most, MB": round(held["VmHWM"]),
        "its own, MB": round(held["RssAnon"]),
    }  # fmt: skip
    print(f"\n{row}; {figures.machine()}; load {figures.busy()}")
    notes = [
        f"Medians of {ROUNDS} starts, from the start of the process; processor time until `/healthz` answers.",
        f"Memory with the model loaded, after {RECALLS:,} recalls over HTTP of four slices of 500 pages.",
    ]
    figures.keep("cold_start", "Cold start and memory of a brain's server", [row], notes=notes)
