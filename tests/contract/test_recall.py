"""Recall over the union of what a caller may read: found, ordered, filtered, isolated."""

from __future__ import annotations

from typing import Any

import pytest

from sliceway.core.principals import Principal
from sliceway.errors import InvalidRequest, InvalidTime
from sliceway.ports import Brain, BrainDoor
from tests.contract.people import ANN, MANAGER, in_channel, in_private, put_shared
from tests.fakes.clock import HandClock


async def _put(brain: Brain, *pages: tuple[str, str], **fields: Any) -> None:
    """Write pages to the agent's own slice, twenty at a time."""
    drafts = [{"slug": slug, "content": content, **fields} for slug, content in pages]
    for at in range(0, len(drafts), 20):
        await brain.write_pages(slice="mine", pages=drafts[at : at + 20])


async def _slugs(brain: Brain, query: str, **more: Any) -> list[str]:
    return [hit.slug for hit in (await brain.recall(query=query, **more)).hits]


async def test_fr1_one_call_reads_the_union_and_says_why_and_who(
    gateway: Brain, ada: Brain, clock: HandClock
) -> None:  # fmt: skip
    """FR1 FR3 BR8: one list over the slices, each hit with its slice, slug, title, snippet, score, reason, who said it,
    for whom and where, who approved it, its version and its time; vectors named as missing."""
    await put_shared(gateway, "rotation", "The rotation moved to Mondays")
    await _put(ada, ("rotation", "The rotation of keys is weekly"))
    found = await ada.recall(query="rotation")
    assert {(hit.slice, hit.slug) for hit in found.hits} == {("shared", "rotation"), ("agent-ada", "rotation")}
    assert found.slices_read == ("agent-ada", "shared")
    assert found.degraded == ("vectors",)
    shared = next(hit for hit in found.hits if hit.slice == "shared")
    assert (shared.author.agent, shared.author.on_behalf_of, shared.matched[-1]) == ("ada", ANN, "keyword")
    assert (shared.author.surface, shared.author.place and shared.author.place.channel) == ("slack", "C-DEPLOYS")
    assert shared.approver is not None
    assert (shared.approver.user, shared.title, shared.version) == (MANAGER.user, "rotation", 1)
    assert (shared.updated_at, shared.score > 0) == (clock.text, True)
    assert shared.snippet == "The rotation moved to Mondays"


@pytest.mark.parametrize(
    ("content", "query"),
    [
        ("The rotations are moving", "rotation moved"),
        ("Die Straße nach São Paulo", "strasse sao paulo"),
        ("東京都に引っ越しました", "東京"),
        ("회의는 월요일에 있습니다", "월요일"),
        ("rollback to build_2301 now", "build_2301"),
        ("rollback to build_2301 now", "2301"),
        ("it fails with ERR-42 at night", "err-42"),
        ("call parseHttpHeaders first", "http header"),
        ("call parseHttpHeaders first", "parsehttpheaders"),
        ("Сервисы перезапущены", "сервис"),
        ("the team's runbook", "team runbook"),
        ("release v1.2.3 is out", "v1.2.3"),
    ],
)
async def test_fr6_words_are_found_in_their_forms(ada: Brain, content: str, query: str) -> None:
    """FR6: word forms, diacritics, CJK and identifiers, whole and in parts, are found."""
    await _put(ada, ("wanted", content), ("other", "nothing of that"))
    assert await _slugs(ada, query) == ["wanted"]


async def test_fr6_title_slug_tags_and_speaker_are_indexed(gateway: Brain) -> None:
    """FR6: a page is found by its title, slug, tags, summary, and by who said it."""
    page = {"slug": "ops/pager", "title": "Escalation", "content": "call", "summary": "numbers", "tags": ["night"]}
    await gateway.write_pages(slice="agent-ada", pages=[page], origin=in_channel(ANN))
    for query in ("pager", "escalation", "numbers", "night", "Ann"):
        found = await gateway.recall(query=query, slices=["agent-ada"], origin=in_channel(ANN))
        assert [hit.slug for hit in found.hits] == ["ops/pager"], query


async def test_fr5_exact_title_slug_and_phrases_come_first(ada: Brain) -> None:
    """FR5: the page of that very title, the one of that very slug and quoted phrases come before any score."""
    await _put(
        ada,
        ("a", "rollback target rollback target rollback target"),
        ("rollback-target", "an old note on something else"),
        ("b", "when we roll back, the target of the rollback is far down in a long text, said nobody"),
    )
    await ada.write_pages(slice="mine", pages=[{"slug": "c", "title": "Rollback  TARGET", "content": "see elsewhere"}])
    assert (await _slugs(ada, "rollback target"))[0] == "c"
    assert (await _slugs(ada, "rollback-target"))[0] == "rollback-target"
    phrase = await ada.recall(query='"the target of the rollback"')
    assert (phrase.hits[0].slug, "phrase" in phrase.hits[0].matched) == ("b", True)


async def test_fr4_filters_are_hard_and_apply_before_the_limit(ada: Brain, gateway: Brain, clock: HandClock) -> None:
    """FR4: tags (all of them), kind and times combine with AND and find what would have ranked far down."""
    await _put(ada, *((f"n/{at}", "deploy deploy deploy") for at in range(30)))
    clock.advance("1h")
    wanted = {"slug": "w", "content": "a very long text in which deploy stands once " * 3, "tags": ["Ops", 'q"x']}
    await ada.write_pages(slice="mine", pages=[{**wanted, "kind": "note"}])
    now = clock.text
    for filters in (
        {"tags": ["Ops"]}, {"tags": ["Ops", 'q"x']}, {"kind": "note"}, {"since": now}, {"since": now, "kind": "note"},
    ):  # fmt: skip
        assert await _slugs(ada, "deploy", limit=1, **filters) == ["w"], filters
    for filters in ({"tags": ["ops"]}, {"tags": ["Ops", "z"]}, {"tags": ["x"]}, {"kind": "Note"}):
        found = await ada.recall(query="deploy", **filters)
        assert (found.hits, found.reason) == ((), "pages have these words, but none passes the filters"), filters
    assert "w" not in await _slugs(ada, "deploy", limit=200, until=now)


async def test_fr4_saved_by_is_exact_then_case_folded(gateway: Brain, door: BrainDoor, ada: Brain) -> None:
    """FR4: `saved_by` finds an author wherever they would have ranked; case folds only where no exact author is."""
    await put_shared(gateway, "rotation", "rotation by ada")
    assert await _slugs(ada, "rotation", saved_by=" ada ") == ["rotation"]
    assert await _slugs(ada, "rotation", saved_by="ADA") == ["rotation"]
    nobody = await ada.recall(query="rotation", saved_by="bob")
    assert (nobody.hits, nobody.reason) == ((), "nothing in these slices was saved by that agent")


async def test_fr4_two_authors_of_one_folded_name_are_refused(door: BrainDoor) -> None:
    """FR4: a name that, case folded, is that of two authors is `invalid_request`, naming them."""
    for agent, slug in (("Bot", "a"), ("bot", "b")):
        gateway = door.enter(Principal.gateway(agent, teams=["T1"], acts_for=True, decides=True))
        await put_shared(gateway, slug, "rotation")
    reader = door.enter(Principal.reader(["shared"]))
    assert len(await _slugs(reader, "rotation", saved_by="Bot")) == 1
    with pytest.raises(InvalidRequest) as refused:
        await reader.recall(query="rotation", saved_by="BOT")
    assert "Bot or bot" in refused.value.errors[0].detail


async def test_fr4_as_of_ranks_the_text_as_it_was(ada: Brain, clock: HandClock) -> None:
    """FR4: `as_of` matches the versions of that moment; pages born later do not exist, deleted ones do."""
    await _put(ada, ("n", "the rotation is on Fridays"), ("gone", "the rotation of keys"))
    then = clock.text
    clock.advance("1h")
    await _put(ada, ("n", "the rotation is on Mondays"), ("late", "a rotation born later"))
    await ada.delete(slice="mine", slug="gone")
    past = await ada.recall(query="rotation fridays", as_of=then)
    assert [hit.slug for hit in past.hits] == ["n", "gone"]
    assert (past.hits[0].version, "Fridays" in past.hits[0].snippet) == (1, True)
    assert past.as_of_resolved == then
    assert await _slugs(ada, "fridays") == []
    assert (await ada.recall(query="rotation", as_of="2026-05-04")).as_of_resolved == "2026-05-04T23:59:59.999999Z"
    now = await ada.recall(query="rotation", as_of=clock.text)
    assert [(hit.slug, hit.score) for hit in now.hits] == [
        (hit.slug, hit.score) for hit in (await ada.recall(query="rotation")).hits
    ]


async def test_fr2_a_bulk_slice_never_crowds_out_a_curated_one(door: BrainDoor, ada: Brain) -> None:
    """FR2: of thousands of near-empty pages and one long curated page, the curated one is among the first two; and
    FR4: `saved_by` finds it behind all of them."""
    await put_shared(
        door.enter(Principal.gateway("carl", teams=["T1"], acts_for=True, decides=True)), "handbook/rotation",
        "The on-call rotation is planned each quarter. " + "It is described here at length with all exceptions. " * 40,
    )  # fmt: skip
    await _put(ada, *((f"bulk/{at}", "on-call rotation") for at in range(3000)))
    found = await ada.recall(query="on-call rotation")
    assert "shared" in [hit.slice for hit in found.hits[:2]]
    assert [hit.score for hit in found.hits] == sorted((hit.score for hit in found.hits), reverse=True)
    by_carl = await ada.recall(query="rotation", saved_by="carl", limit=1)
    assert [hit.slug for hit in by_carl.hits] == ["handbook/rotation"]


async def test_fr2_what_answers_less_of_the_query_is_not_pushed_up(gateway: Brain, ada: Brain) -> None:
    """FR2: a slice's best hit goes first only where it answers the query as well as the rest."""
    await put_shared(gateway, "weak", "rotation of crops")
    await _put(ada, *((f"n/{at}", "the on-call rotation of the payments team") for at in range(5)))
    found = await ada.recall(query="payments on-call rotation")
    assert [hit.slug for hit in found.hits][-1] == "weak"


async def test_br13_a_longer_answer_begins_with_the_shorter(gateway: Brain, ada: Brain) -> None:
    """BR13 FR2: whatever the limit, the order is the same; ties go by slice, then slug."""
    for at in range(4):
        await put_shared(gateway, f"s/{at}", "deploy rotation " + "words around it " * at)
    await _put(ada, *((f"n/{at:02}", "deploy " * (at % 5 + 1) + "rotation " * (at % 3)) for at in range(40)))
    for query in ("deploy rotation", '"deploy rotation"', "deploy"):
        longest = [(hit.slice, hit.slug) for hit in (await ada.recall(query=query, limit=200)).hits]
        for limit in (1, 2, 3, 7, 20):
            short = [(hit.slice, hit.slug) for hit in (await ada.recall(query=query, limit=limit)).hits]
            assert short == longest[:limit], (query, limit)


async def test_fr11_nothing_unreadable_moves_order_or_scores(ada: Brain, bob: Brain, gateway: Brain) -> None:
    """FR11: a foreign slice flooded with the same words leaves order and scores exactly as they were."""
    await put_shared(gateway, "s", "deploy the rotation on Mondays")
    await _put(ada, ("a", "deploy with care"), ("b", "the rotation of deploys, deploy by deploy"))
    before = await ada.recall(query="deploy rotation")
    await _put(bob, *((f"n/{at}", "deploy rotation Mondays") for at in range(100)))
    await gateway.write_pages(
        slice="user", pages=[{"slug": "p", "content": "deploy rotation"}], origin=in_private(ANN)
    )  # fmt: skip
    assert await ada.recall(query="deploy rotation") == before


async def test_br4_a_foreign_slice_answers_as_one_never_written(ada: Brain, bob: Brain) -> None:
    """BR4 GT1: naming another's slice gives no hits, and it is absent from `slices_read`, as if it never was."""
    await _put(bob, ("n", "rotation"))
    await _put(ada, ("n", "rotation"))
    answers = [
        await ada.recall(query="rotation", slices=["mine", name]) for name in ("agent-bob", "agent-nobody", "mine")
    ]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0].slices_read == ("agent-ada",)
    assert (await ada.recall(query="rotation", slices=["agent-bob"])).hits == ()


async def test_br5_an_empty_list_of_slices_means_none(ada: Brain, gateway: Brain) -> None:
    """BR5 BR9: an empty list reads nothing; a gateway must say what its turn may read, of every read of pages."""
    await _put(ada, ("n", "rotation"))
    assert (await ada.recall(query="rotation", slices=[])).hits == ()
    origin = in_channel(ANN)
    for read in (
        gateway.recall(query="rotation", origin=origin), gateway.list_pages(slice="agent-ada", origin=origin),
        gateway.read_page(slice="agent-ada", slug="n", origin=origin),
        gateway.versions(slice="agent-ada", slug="n", origin=origin),
    ):  # fmt: skip
        with pytest.raises(InvalidRequest) as refused:
            await read
        assert [error.field for error in refused.value.errors] == ["slices"]


async def test_sc9_a_corner_is_read_in_its_person_s_private_turns_alone(gateway: Brain) -> None:
    """SC9 BR2: a person's page is found in their own private sessions, not in a channel, not by anyone else."""
    await gateway.write_pages(
        slice="user", pages=[{"slug": "p", "content": "my salary talk"}], origin=in_private(ANN)
    )  # fmt: skip
    mine = await gateway.recall(query="salary", slices=[ANN.slice, "agent-ada"], origin=in_private(ANN))
    assert [hit.slug for hit in mine.hits] == ["p"]
    channel = await gateway.recall(query="salary", slices=[ANN.slice, "agent-ada"], origin=in_channel(ANN))
    assert (channel.hits, channel.slices_read) == ((), ())


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"query": " "}, InvalidRequest),
        ({"query": "a\x00"}, InvalidRequest),
        ({"query": "x" * 4001}, InvalidRequest),
        ({"query": "x", "limit": 0}, InvalidRequest),
        ({"query": "x", "limit": 201}, InvalidRequest),
        ({"query": "x", "limit": True}, InvalidRequest),
        ({"query": "x", "slices": "shared"}, InvalidRequest),
        ({"query": "x", "slices": ["_system"]}, InvalidRequest),
        ({"query": "x", "slices": [""]}, InvalidRequest),
        ({"query": "x", "tags": "ops"}, InvalidRequest),
        ({"query": "x", "since": "yesterday"}, InvalidTime),
        ({"query": "x", "as_of": "2026-05-04T09:30:00"}, InvalidTime),
        ({"query": "x", "saved_by": ""}, InvalidRequest),
        ({"query": "x", "prefix": "yes"}, InvalidRequest),
    ],
)
async def test_br5_a_wrong_question_is_refused(ada: Brain, fields: dict[str, Any], error: type[Exception]) -> None:
    """BR5: a field that is wrong is named, never guessed at."""
    with pytest.raises(error):
        await ada.recall(**fields)


async def test_fr7_nothing_found_says_why(ada: Brain) -> None:
    """FR7 SC12: an empty store, and words that nobody wrote, are empty answers with a reason, and make no slice."""
    assert (await ada.recall(query="rotation")).reason == "none of these slices holds anything yet"
    await _put(ada, ("n", "something"))
    assert (await ada.recall(query="rotation")).reason == "no page has these words"
    assert (await ada.recall(query="rotation", kind="note")).reason == "no page has these words"
    assert (await ada.recall(query="something", kind="note")).reason == (
        "pages have these words, but none passes the filters"
    )
    assert (await ada.recall(query="???")).reason == "the query has no words to look for; write some letters or digits"


async def test_fr6_the_last_word_may_be_unfinished(ada: Brain, bob: Brain, clock: HandClock) -> None:
    """FR6 FR11: with `prefix` the last word stands for what begins with it, or for the stem that it was typed beyond,
    as one word, now and as of then; without it for itself; of what is read alone, whatever others have."""
    await bob.write_pages(
        slice="mine", pages=[{"slug": f"b{at}", "content": f"rota{chr(97 + at)}{chr(97 + at)}"} for at in range(20)]
    )
    await _put(ada, ("a", "Rotterdam calls"), ("b", "the rotation of keys"), ("c", "build_2301 failed"), ("d", "apart"))
    then = clock.text
    assert await _slugs(ada, "rot") == []
    assert sorted(await _slugs(ada, "rot", prefix=True)) == ["a", "b"]
    for query, found in {
        "keys rott": ["a", "b"], "rotatio": ["b"], "what failed in BUILD_23": ["c"], "rot ": [], "rot?": [], "r": [],
        "rot calls": ["a"], "the": ["b"], "rotterdam rot": ["a", "b"],
    }.items():  # fmt: skip
        now = (await ada.recall(query=query, prefix=True)).hits
        assert sorted(hit.slug for hit in now) == found, query
        past = (await ada.recall(query=query, prefix=True, as_of=then)).hits
        assert [(hit.slug, hit.score) for hit in past] == [(hit.slug, hit.score) for hit in now], query
    hit = (await ada.recall(query="keys rotte", prefix=True)).hits[0]
    assert [hit.snippet[start:end] for start, end in hit.marks] in (["Rotterdam"], ["keys"])
    one = (await ada.recall(query="rotte", prefix=True, tags=["none"])).reason
    assert one == "pages have these words, but none passes the filters"


async def test_br9_a_hit_names_what_it_points_at_and_what_points_at_it(
    ada: Brain, bob: Brain, gateway: Brain, clock: HandClock
) -> None:
    """BR9: related pages are those of the slices that are read, where the text points first; itself, what is gone, what
    nobody wrote and what others wrote are none, and nothing foreign changes them."""
    await put_shared(gateway, "runbook", "Undo a deploy: see [[rota]].")
    await _put(ada, ("plan", "The rollback plan. [[Runbook]], [[nobody]], [[plan]], [[old]] and [[rota]]"))
    await _put(
        ada, ("rota", "Ann on Mondays"), ("later", "after the [[plan]]"), ("old", "was"), ("gone", "to [[plan]]")
    )
    for slug in ("old", "gone"):
        await ada.delete(slice="mine", slug=slug)

    async def beside(query: str, **more: Any) -> list[tuple[str | None, str]]:
        hit = (await ada.recall(query=query, **more)).hits[0]
        assert [link.title for link in hit.related] == [link.slug for link in hit.related]
        return [(link.slice, link.slug) for link in hit.related]

    mine = "agent-ada"
    expected = [("shared", "runbook"), (mine, "rota"), (mine, "later")]
    assert await beside("rollback plan") == expected
    assert await beside("rollback plan", slices=["mine"]) == expected[1:]
    assert await beside("Mondays") == [(mine, "plan"), ("shared", "runbook")]
    assert await beside("rollback plan", as_of=clock.text) == []
    await bob.write_pages(
        slice="mine", pages=[{"slug": "spy", "content": "[[plan]]"}, {"slug": "nobody", "content": "x"}]
    )
    await bob.write_pages(slice="mine", pages=[{"slug": "runbook", "content": "y"}])
    assert await beside("rollback plan") == expected


async def test_br9_a_page_that_all_point_at_names_few(ada: Brain) -> None:
    """BR9: five related pages at most, the first by slug of those that point there; a page without links names none."""
    await _put(ada, ("hub", "the centre"), *((f"p/{at:02}", "spoke to [[hub]]") for at in range(19)))
    (hit,) = (await ada.recall(query="centre")).hits
    assert [link.slug for link in hit.related] == [f"p/{at:02}" for at in range(5)]
    await _put(ada, ("alone", "lonesome"))
    (hit,) = (await ada.recall(query="lonesome")).hits
    assert hit.related == ()
