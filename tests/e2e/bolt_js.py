"""Slack's Bolt for JavaScript, where Node is there: found in a folder, or installed once into pytest's cache."""

from __future__ import annotations

import fcntl
import os
import subprocess
from pathlib import Path
from shutil import which

import pytest

VERSION = "5.1.0"
FOLDER = "BOLT_JS_FOLDER"
"""Names a folder whose `node_modules` holds `@slack/bolt`, so that nothing is installed."""
_OLDEST_NODE = 20


def bolt_js(cache: Path) -> Path:
    """Return the `node_modules` that hold `@slack/bolt`; skip where Node or npm is missing, or npm cannot install it.

    Node is no part of the project, so that it is missing is no failure in CI; what npm cannot do there is.
    """
    if which("node") is None:
        pytest.skip("missing here: program:node")
    said = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    if int(said.removeprefix("v").split(".")[0]) < _OLDEST_NODE:
        pytest.skip(f"@slack/bolt {VERSION} wants Node {_OLDEST_NODE} or newer; this is {said.strip()}")
    if named := os.environ.get(FOLDER):
        modules = Path(named).absolute() / "node_modules"
        assert (modules / "@slack" / "bolt").is_dir(), f"{FOLDER} holds no node_modules/@slack/bolt"
        return modules
    if which("npm") is None:
        pytest.skip("missing here: program:npm")
    return _installed(cache)


def _installed(cache: Path) -> Path:
    """Install it, unless it is there; one test at a time, for several run at once."""
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = cache / "installed"
        if not done.exists():
            quiet = ("--no-audit", "--no-fund", "--no-package-lock", "--no-save", "--ignore-scripts")
            ran = subprocess.run(
                ["npm", "install", *quiet, "--prefix", str(cache), f"@slack/bolt@{VERSION}"],
                cwd=cache, capture_output=True, text=True, check=False,
            )  # fmt: skip
            if ran.returncode != 0:
                why = f"npm could not install @slack/bolt {VERSION}: {ran.stderr.strip()[-500:]}"
                if os.environ.get("CI"):
                    pytest.fail(why, pytrace=False)
                pytest.skip(why)
            done.touch()
    return cache / "node_modules"
