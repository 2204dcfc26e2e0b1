"""The vectors of slices in memory: a matrix for each, the latest used kept, held against the rows at every look."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, bindparam, select

from sliceway.core.access import OutsideAccess
from sliceway.ports.embedder import Vector
from sliceway.store.session import Session
from sliceway.store.tables import neighbours, vectors
from sliceway.store.vectors import Standing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float32]
    Docs = NDArray[np.int64]

MOST_BYTES = 160 * 1024 * 1024
"""Of all matrices together; those used longest ago go first. A slice with more than this is read anew each time."""
_EQUAL = 1e-6
_BEFORE = 0.3
"""What the page before counts in a page's meaning; a page that follows none counts by itself."""
_AT_ONCE = 500
"""Pages whose vectors are read in one statement."""

_STANDS = and_(neighbours.c.slice == vectors.c.slice, neighbours.c.doc == vectors.c.doc)
_KEYS = (
    select(vectors.c.doc, vectors.c.event_id, neighbours.c.before)
    .outerjoin_from(vectors, neighbours, _STANDS)
    .where(vectors.c.slice == bindparam("slice"), vectors.c.passage == 0)
)
_ROWS = (
    select(vectors.c.doc, vectors.c.event_id, vectors.c.vector, neighbours.c.before)
    .outerjoin_from(vectors, neighbours, _STANDS)
    .where(vectors.c.slice == bindparam("slice"), vectors.c.doc.in_(bindparam("docs", expanding=True)))
    .order_by(vectors.c.doc, vectors.c.passage)
)
_ALL = (
    select(vectors.c.doc, vectors.c.event_id, vectors.c.vector, neighbours.c.before, vectors.c.passage)
    .outerjoin_from(vectors, neighbours, _STANDS)
    .where(vectors.c.slice == bindparam("slice"))
)


@dataclass(frozen=True, slots=True)
class Matrix:
    """The vectors of one slice: one row a passage, those of a page together.

    :ivar versions: the version of each page, by number. :ivar docs: the numbers of its pages, in
        order of their rows.
    :ivar starts: where the rows of each page begin. :ivar order: the places in `docs`, by number.
    :ivar before: the number of the page that each follows, as of the state; -1 for none.
    :ivar place: the place of that page in `docs`; its own where it is not there.
    """

    state: str
    versions: Mapping[int, str]
    docs: Docs
    starts: Docs
    order: Docs
    before: Docs
    place: Docs
    numbers: Numbers

    def meant(self, query: Vector, baseline: float) -> MeantPages:
        """Return what its pages mean to a question: a note often answers what the one before it asked.

        :param baseline: the cosine of texts that have nothing in common: it means nothing.
        """
        import numpy as np

        every, cosines = self.cosines(query)
        told = np.float32(1 - _BEFORE) * cosines + np.float32(_BEFORE) * cosines[self.place]
        values = np.maximum((told - np.float32(baseline)) / np.float32(1 - baseline), np.float32(0))
        return MeantPages(self.docs, self.order, values, self.starts, every)

    def cosines(self, query: Vector) -> tuple[Numbers, Numbers]:
        """Return the cosine of each passage, and of each page, in the order of `docs`: that of its best passage."""
        import numpy as np  # of the extra `semantic`

        asked: Numbers = np.frombuffer(query, "<f4")
        if not len(self.docs) or self.numbers.shape[1] != len(asked):
            return np.full(len(self.numbers), -1, np.float32), np.full(len(self.docs), -1, np.float32)
        every = self.numbers @ asked
        if len(self.docs) == len(every):
            return every, every
        best: Numbers = np.maximum.reduceat(every, self.starts)
        return every, best


@dataclass(frozen=True, slots=True)
class MeantPages:
    """What the pages of one slice mean to one question (`core.fusion.Meant`)."""

    docs: Docs
    order: Docs
    values: Numbers
    starts: Docs
    every: Numbers

    def passage(self, doc: int) -> int:
        """See `Meant.passage`."""
        import numpy as np

        at = np.flatnonzero(self.docs == doc)
        if not len(at):
            return 0
        start = int(self.starts[at[0]])
        end = int(self.starts[at[0] + 1]) if at[0] + 1 < len(self.starts) else len(self.every)
        return int(np.argmax(self.every[start:end]))

    def of(self, docs: Sequence[int]) -> Sequence[float]:
        """See `Meant.of`."""
        import numpy as np

        if not len(self.docs) or not docs:
            return [0.0] * len(docs)
        wanted = np.array(docs, np.int64)
        places = np.minimum(np.searchsorted(self.docs, wanted, sorter=self.order), len(self.docs) - 1)
        found = self.order[places]
        values: list[float] = (
            np.where(self.docs[found] == wanted, self.values[found], 0.0).astype(np.float64).round(6).tolist()
        )
        return values

    def nearest(self, count: int, among: Collection[int] | None) -> Sequence[tuple[int, float]]:
        """See `Meant.nearest`."""
        import numpy as np

        docs, values = self.docs, self.values
        if among is not None:
            passing = np.isin(docs, np.array(list(among), np.int64))
            docs, values = docs[passing], values[passing]
        if count < len(docs):
            least = np.partition(values, len(values) - count)[len(values) - count]
            near = np.flatnonzero(values >= least - _EQUAL)  # those that tie with the last, too
            docs, values = docs[near], values[near]
        return list(zip(docs.tolist(), values.astype(np.float64).round(6).tolist(), strict=True))


class Matrices:
    """Matrices of one store and one model. Which slices are looked at is the session's access alone: nothing is found
    here but what the session may read, at the state that the session sees."""

    def __init__(self, model: str, most_bytes: int = MOST_BYTES) -> None:
        """Hold nothing yet, and at most so many bytes of numbers."""
        self._model = model
        self._most = most_bytes
        self._kept: OrderedDict[str, Matrix] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, session: Session, standings: Mapping[str, Standing]) -> dict[str, Matrix]:
        """Return the matrices of slices that have vectors of this model.

        :param standings: how they stand, as this very session read it.
        :raises OutsideAccess: one of them may not be read by the session.
        """
        found = {}
        for name, stands in standings.items():
            if not session.access.covers((name,)):
                raise OutsideAccess("Vectors of a slice outside the access of the session.")
            if stands.state is not None and stands.embedder == self._model:
                found[name] = self._matrix(session, name, stands.state)
        return found

    def _matrix(self, session: Session, name: str, state: str) -> Matrix:
        with self._lock:
            known = self._kept.get(name)
            if known is not None and known.state == state:
                self._kept.move_to_end(name)
                return known
        made = _read(session, name, state, known)
        with self._lock:
            self._kept[name] = made
            self._kept.move_to_end(name)
            held = sum(one.numbers.nbytes for one in self._kept.values())
            while held > self._most:
                _, gone = self._kept.popitem(last=False)
                held -= gone.numbers.nbytes
        return made


def _read(session: Session, name: str, state: str, known: Matrix | None) -> Matrix:
    """Read a slice's vectors; where some are known, only those of other versions."""
    import numpy as np

    if known is None or not len(known.docs):
        rows: Sequence[Any] = session.execute(_ALL, {"slice": name}, of=name).all()
        return _made(state, sorted(rows, key=lambda row: (row[0], row[4])))
    keys = session.execute(_KEYS, {"slice": name}, of=name).all()
    stands = {row[0]: row[1] for row in keys}
    follows = {row[0]: row[2] if row[2] is not None else -1 for row in keys}
    wanted = [doc for doc, version in stands.items() if known.versions.get(doc) != version]
    new: list[Any] = []
    for start in range(0, len(wanted), _AT_ONCE):
        docs = wanted[start : start + _AT_ONCE]
        new.extend(session.execute(_ROWS, {"slice": name, "docs": docs}, of=name))
    added = _made(state, new)
    stays = np.array([known.versions[int(doc)] == stands.get(int(doc)) for doc in known.docs], bool)
    counts = _counts(known)
    parts = [(known.docs[stays], counts[stays], known.numbers[np.repeat(stays, counts)])]
    if len(added.docs):
        parts.append((added.docs, _counts(added), added.numbers))
    docs_now, counts_now, numbers = (np.concatenate(each) for each in zip(*parts, strict=True))
    before = np.array([follows.get(int(doc), -1) for doc in docs_now], np.int64)
    return _matrix(state, stands, docs_now, before, counts_now, numbers)


def _counts(matrix: Matrix) -> Docs:
    """Return how many passages each page has."""
    import numpy as np

    return np.diff(np.append(matrix.starts, len(matrix.numbers)))


def _made(state: str, rows: Sequence[Any]) -> Matrix:
    """Return the matrix of rows in which those of a page stand together. What is no whole vector is left out."""
    import numpy as np

    size = max((len(row[2]) for row in rows), default=0)
    whole = [row for row in rows if len(row[2]) == size]
    numbers = np.frombuffer(b"".join(row[2] for row in whole), "<f4").reshape(len(whole), size // 4)
    of = np.array([row[0] for row in whole], np.int64)
    followed = np.array([row[3] if row[3] is not None else -1 for row in whole], np.int64)
    starts = np.flatnonzero(np.diff(of, prepend=-1))
    counts = np.diff(np.append(starts, len(whole)))
    return _matrix(state, {row[0]: row[1] for row in whole}, of[starts], followed[starts], counts, numbers)


def _matrix(
    state: str, versions: Mapping[int, str], docs: Docs, before: Docs, counts: Docs, numbers: Numbers
) -> Matrix:
    """Return a matrix of its parts, with what is looked up in it."""
    import numpy as np

    starts = np.zeros(len(docs), np.int64)
    starts[1:] = np.cumsum(counts)[:-1]
    order = np.argsort(docs)
    place = np.arange(len(docs))
    if len(docs):
        near = order[np.minimum(np.searchsorted(docs, before, sorter=order), len(docs) - 1)]
        place = np.where(docs[near] == before, near, place)
    return Matrix(state, versions, docs, starts, order, before, place, numbers)
