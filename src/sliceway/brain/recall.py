"""Recall: one ranked list over the union of the slices that the caller may read (FR1-FR11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from sliceway.brain.base import BoundBrain
from sliceway.core.analysis import Word, page_terms, phrase_key, phrases_of, query_terms, query_words, unfinished
from sliceway.core.beginnings import becomes, begun
from sliceway.core.clock import parse_time, to_text
from sliceway.core.fusion import LEAST, Meant
from sliceway.core.neighbours import Standing, befores, lend, lenders_of, order, together
from sliceway.core.pages import Hit, Link, RecallResult
from sliceway.core.passages import passages
from sliceway.core.ranking import Candidate, Ranked, Weighed, in_order, parts, posted, weigh
from sliceway.core.snippets import passage
from sliceway.ports.brain import OriginLike
from sliceway.ports.embedder import Vector
from sliceway.store import search, vectors
from sliceway.store.filters import Filters, agent_meant, agent_named, passes
from sliceway.store.reads import approver_in, author_in, tags_in, versions_at
from sliceway.store.related import related
from sliceway.store.session import Session
from sliceway.store.vocabulary import beginning
from sliceway.wire.checks import MAX_LIST, checked
from sliceway.wire.models import RecallCall

DEGRADED = ("vectors",)
"""There is no model, or it does not answer, or it has not embedded all that is read: the result says so (FR3, FR7)."""

_NOTHING = Weighed()

Row = Mapping[str, Any]
Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Question:
    """A query taken apart: its terms, the whole as titles are compared, what stands in quotation marks, and its last
    word where that may be unfinished."""

    words: tuple[Word, ...]
    whole: str
    phrases: tuple[str, ...]
    stub: str | None = None

    @classmethod
    def of(cls, query: str, *, foreign_pages: bool = False, prefix: bool = False) -> _Question:
        phrases = phrases_of(query)
        whole = phrases[0] if len(phrases) == 1 and phrase_key(query)[1:-1] == phrases[0] else phrase_key(query)
        words = {
            word.term: word for text in (query, *phrases) for word in query_words(text, foreign_pages=foreign_pages)
        }
        return cls(tuple(words.values()), whole, phrases, unfinished(query) if prefix else None)

    def begun(self, terms: Sequence[str]) -> _Question:
        """Return the question whose unfinished word is found by these terms too."""
        return replace(self, words=begun(self.words, self.stub or "", terms))

    @property
    def terms(self) -> tuple[str, ...]:
        """Every term that one of its words is found by."""
        return tuple(term for word in self.words for term in word.terms)

    @property
    def phrase_terms(self) -> tuple[str, ...]:
        """Terms that a page with every phrase has."""
        return tuple(dict.fromkeys(term for phrase in self.phrases for term in query_terms(phrase)))

    @property
    def missed(self) -> str:
        """Why nothing was found, in words."""
        if not self.terms:
            return "the query has no words to look for; write some letters or digits"
        return "no page has these words"

    def phrased(self, row: Row) -> bool:
        """Say whether a page holds every quoted phrase."""
        texts = (row["title"], row["slug"], row["summary"] or "", row["content"], *tags_in(row))
        folded = [phrase_key(text) for text in texts]
        return bool(self.phrases) and all(any(phrase in text for text in folded) for phrase in self.phrases)


class Recall(BoundBrain):
    """The part of the brain that finds pages."""

    async def recall(
        self,
        *,
        query: str,
        slices: Sequence[str] | None = None,
        saved_by: str | None = None,
        tags: Sequence[str] = (),
        kind: str | None = None,
        since: str | None = None,
        until: str | None = None,
        as_of: str | None = None,
        prefix: bool = False,
        limit: int = 10,
        origin: OriginLike = None,
    ) -> RecallResult:
        """See `Brain.recall`."""
        named = list(slices) if isinstance(slices, tuple | set | frozenset) else slices
        call = checked(
            RecallCall, query=query, slices=named, saved_by=saved_by, tags=tags, kind=kind, since=since, until=until,
            as_of=as_of, prefix=prefix, limit=limit,
        )  # fmt: skip
        said = await self._origin_for("read", origin)
        moment = to_text(parse_time(call.as_of, end_of_day=True)) if call.as_of is not None else None

        # What was is ranked by its words: vectors are of what is.
        looks = self._meaning is not None and moment is None
        vector = await self._meaning.vector_of(call.query) if self._meaning is not None and looks else None

        def work(session: Session) -> RecallResult:
            bound = self._enter_reading(session, said, call.slices)
            within = search.counted(session, bound)
            scope = within.slices
            question = _Question.of(call.query, foreign_pages=within.foreign_pages, prefix=call.prefix)
            meant, degraded = self._meant(session, scope, vector)

            def nothing(reason: str) -> RecallResult:
                return RecallResult((), scope, degraded, reason, moment)

            if not scope:
                return nothing("none of these slices holds anything yet")
            then = versions_at(session, scope, moment) if moment is not None else None
            if question.stub is not None and then is None:
                question = question.begun(beginning(session, scope, question.stub))
            agent = None
            if call.saved_by is not None:
                agent = _agent(session, scope, call.saved_by, then)
                if agent is None:
                    return nothing("nothing in these slices was saved by that agent")
            filters = Filters(
                agent=agent, tags=tuple(call.tags), kind=call.kind, since=_moment(call.since), until=_moment(call.until)
            )
            if then is not None:
                hits = _hits_then(question, then, filters, call.limit)
            else:
                hits = _hits_now(session, question, within, filters, call.limit, meant)
            if not hits:
                return nothing(_missed(session, question, within, then, filters, meant))
            return RecallResult(hits, scope, degraded, as_of_resolved=moment)

        return await self._store.searching(work)

    def _meant(
        self, session: Session, scope: Sequence[str], vector: Vector | None
    ) -> tuple[Mapping[str, Meant] | None, tuple[str, ...]]:
        """Return what the pages of the slices mean to the question, None where nothing is known of that, and what the
        answer lacks: of these slices alone, whatever waits in others (FR11)."""
        if self._meaning is None or vector is None:
            return None, DEGRADED
        model = self._meaning.embedder
        stands = vectors.standing(session, scope)
        found = self._meaning.matrices.of(session, stands)
        whole = not any(one.waits or (one.docs and name not in found) for name, one in stands.items())
        meant = {name: matrix.meant(vector, model.baseline) for name, matrix in found.items()}
        return meant, () if whole else DEGRADED


def _moment(text: str | None) -> str | None:
    return to_text(parse_time(text)) if text is not None else None


def _agent(
    session: Session, scope: Sequence[str], saved_by: str, then: Sequence[Row] | None
) -> str | None:  # fmt: skip
    """Return the author that `saved_by` names, among the pages as they are or as they were."""
    if then is None:
        return agent_named(session, scope, saved_by)
    return agent_meant(saved_by, {row["agent"] for row in then if row["agent"] is not None})


def _missed(
    session: Session,
    question: _Question,
    within: search.Counted,
    then: Sequence[Row] | None,
    filters: Filters,
    meant: Mapping[str, Meant] | None,
) -> str:
    """Say why nothing was found."""
    asks = bool(question.terms) or meant is not None
    if filters.any and asks and _answers(session, question, within, then, meant):
        return f"pages have these words{' or mean that' if meant is not None else ''}, but none passes the filters"
    return question.missed if meant is None else "no page has these words or means nearly that"


def _answers(
    session: Session,
    question: _Question,
    within: search.Counted,
    then: Sequence[Row] | None,
    meant: Mapping[str, Meant] | None,
) -> bool:
    """Say whether there would be an answer without filters: why it is empty is said of what may be read alone."""
    if then is not None:
        return bool(_hits_then(question, then, Filters(), 1))
    return bool(_hits_now(session, question, within, Filters(), 1, meant))


def _hits_now(
    session: Session,
    question: _Question,
    within: search.Counted,
    filters: Filters,
    limit: int,
    meant: Mapping[str, Meant] | None,
) -> tuple[Hit, ...]:
    """Return the best pages as they are, from the postings."""
    # Whatever the limit, the same pages are verified for phrases, so that a longer answer begins with the shorter.
    quota = MAX_LIST if question.phrases else limit
    found = search.find(
        session, within, question.words, question.whole, filters=filters, quota=quota,
        phrase_terms=question.phrase_terms, meant=meant,
    )  # fmt: skip
    rows = dict(found.rows)
    rows |= search.rows_of(session, [key for key in found.phrased if key not in rows])
    candidates = [
        _phrased(one, question.phrased(rows[one.slice, one.doc])) if (one.slice, one.doc) in found.phrased else one
        for one in found.candidates
    ]
    best = in_order(candidates, found.most, found.fused)[:limit]
    missing = [(each.candidate.slice, each.candidate.doc) for each in best]
    rows |= search.rows_of(session, [key for key in missing if key not in rows])
    shown = [(each, rows[each.candidate.slice, each.candidate.doc]) for each in best]
    keys = [(row["slice"], row["slug"], row["content"]) for _, row in shown]
    beside = related(session, within.slices, keys, back=within.linked)
    return tuple(_hit(each, row, question, meant or {}, ends) for (each, row), ends in zip(shown, beside, strict=True))


def _hits_then(
    question: _Question, then: Sequence[Row], filters: Filters, limit: int
) -> tuple[Hit, ...]:  # fmt: skip
    """Return the best pages as they were, ranked directly: the postings know only what is."""
    by_key: dict[Key, Row] = {
        (row["slice"], row["slug"]): row for row in sorted(then, key=lambda row: (row["slice"], row["doc"]))
    }
    counts = {
        key: page_terms(
            slug=row["slug"], title=row["title"], content=row["content"], summary=row["summary"], tags=tags_in(row),
            author=author_in(row), at=row["at"],
        )
        for key, row in by_key.items()
    }  # fmt: skip
    if question.stub is not None:
        question = question.begun(becomes(question.stub, chain.from_iterable(counts.values())))
    passing = {key for key, row in by_key.items() if passes(row, filters)}
    scores, own = _scores_then(question, by_key, counts, passing)
    candidates = []
    for at, (key, row) in enumerate(by_key.items()):
        exact = search.exact_of(question.whole, row["slug"], row["title_key"])
        score, word = scores.get((key[0], at), 0.0), own.get(key[0], _NOTHING)
        if key not in passing or not (score or exact):
            continue
        alone = word.scores.get(at, 0.0)
        candidates.append(
            Candidate(
                *key, 0, round(score, 9), round(word.coverage.get(at, 0.0), 9), exact, question.phrased(row),
                worded=alone > 0, lent=score > alone,
            )
        )  # fmt: skip
    most = max((one.coverage for one in candidates), default=0.0)
    best = in_order(candidates, most)[:limit]
    return tuple(_hit(each, by_key[each.candidate.slice, each.candidate.slug], question, {}) for each in best)


def _scores_then(
    question: _Question, then: Mapping[Key, Row], counts: Mapping[Key, Counter[str]], passing: Collection[Key]
) -> tuple[dict[tuple[str, int], float], dict[str, Weighed]]:
    """Return the scores of pages as they were, each numbered by its place: with what their neighbours lent them, and
    alone."""
    postings = posted(question.words, counts, passing)
    average = sum(counter.total() for counter in counts.values()) / len(counts) if counts else 1.0
    added = parts(postings, len(counts), average)
    own = weigh(added)
    standing: dict[str, list[Standing]] = {name: [] for name in own}
    for at, (key, row) in enumerate(then.items()):
        if key[0] in standing:
            standing[key[0]].append(Standing(at, row["slug"], row["after"]))
    follows, lenders = {}, {}
    for name, listed in standing.items():
        before = {doc: one for doc, one in befores(listed).items() if one is not None}
        follows[name] = order(list(before), list(before.values()), len(then))
        lenders[name] = lenders_of((one.doc for one in listed), own[name].scores, follows[name])
    lent = lend(added, lenders)
    scores = {name: {**one.scores, **lent.get(name, {})} for name, one in own.items()}
    stands = together(scores, {name: one.scores for name, one in own.items()}, follows)
    return {
        (name, doc): score for name, each in scores.items() for doc, score in (each | stands.get(name, {})).items()
    }, own


def _phrased(one: Candidate, phrased: bool) -> Candidate:
    return replace(one, phrased=phrased)


def _shown(one: Candidate, row: Row, meant: Mapping[str, Meant]) -> str:
    """Return the text that shows why a page was found: where no word of it did, its passage that means most."""
    content: str = row["content"]
    if one.worded or one.meaning < LEAST or one.slice not in meant:
        return content
    parts = passages("", content)
    at = meant[one.slice].passage(one.doc)
    return parts[at] if at < len(parts) else content


def _hit(
    ranked: Ranked, row: Row, question: _Question, meant: Mapping[str, Meant], beside: tuple[Link, ...] = ()
) -> Hit:
    one = ranked.candidate
    why = {
        "phrase": one.phrased, "keyword": one.worded and one.score > 0, "neighbour": one.lent,
        "meaning": one.meaning >= LEAST,
    }  # fmt: skip
    matched = (*one.exact, *(name for name, holds in why.items() if holds))
    shown = passage(_shown(one, row, meant), question.terms)
    return Hit(
        slice=one.slice, slug=one.slug, title=row["title"], snippet=shown.text, marks=shown.marks,
        score=ranked.score, matched=matched, author=author_in(row), approver=approver_in(row),
        version=row["version"], updated_at=row["updated_at"], tags=tags_in(row), kind=row["kind"],
        related=beside,
    )  # fmt: skip
