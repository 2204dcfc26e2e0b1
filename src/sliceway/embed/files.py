"""The files of models that come inside other packages: found without running those, and checked by their hash."""

from __future__ import annotations

import hashlib
from importlib.util import find_spec
from pathlib import Path

from sliceway.errors import Unavailable

CURE = "install the extra `semantic` anew: pip install --force-reinstall 'sliceway[semantic]'"


def installed(*packages: str) -> bool:
    """Say whether all of these packages are there. None of them is run."""
    return all(find_spec(name) is not None for name in packages)


def file_of(package: str, name: str, sha256: str) -> Path:
    """Return a file inside an installed package, whose content is the very one that is known.

    :raises Unavailable: it is missing, or it is another.
    """
    spec = find_spec(package)
    folders = list(spec.submodule_search_locations or ()) if spec is not None else []
    if not folders:
        raise Unavailable(f"The package {package} of the embedding model is not installed; {CURE}")
    file = Path(folders[0]) / name
    try:
        with file.open("rb") as opened:
            found = hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        raise Unavailable(f"The file {name} of {package} cannot be read ({error.strerror}); {CURE}") from error
    if found != sha256:
        raise Unavailable(
            f"The file {name} of {package} is not the one that this program knows, and is not run; {CURE}"
        )
    return file
