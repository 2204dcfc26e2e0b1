"""Text as the index and the query see it (FR6)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sliceway.core.analysis import (
    language_of,
    page_terms,
    phrase_key,
    phrases_of,
    query_terms,
    query_words,
    terms_of,
)
from sliceway.core.pages import Author
from sliceway.core.snippets import WIDTH, passage
from sliceway.core.turns import Person


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Deployments deployed", ["deploy", "deploy"]),
        ("build_2301", ["build", "2301", "build2301", "build_2301"]),
        ("ERR-42", ["err", "42", "err42", "err-42"]),
        ("feature/ABC-123", ["featur", "abc", "123", "abc123", "abc-123", "feature/abc-123"]),
        ("jo@corp.com", ["jo", "corp", "com", "corp.com", "jo@corp.com"]),
        ("v1.2.3", ["v1", "2", "3", "1.2.3", "v1.2.3"]),
        ("parseHttpHeader", ["pars", "http", "header", "parsehttphead"]),
        ("__init__", ["init", "__init__"]),
        ("São Tomé", ["sao", "tome"]),
        ("Straße", ["strass"]),
        ("東京都", ["東", "京", "都", "東京", "京都"]),
        ("don't", ["don"]),
        ("l'équipe", ["l", "equip", "l'equipe"]),
        ("ﬁle №5", ["file", "no5"]),
        ("й и", ["й", "и"]),
        ("_so_ *bold*", ["so", "bold"]),
        ("<@U1|ann> &lt;x&gt; <#C1|ops> <!here>", ["ann", "u1", "x", "op", "c1", "here"]),
        ("<https://a.io|docs>", ["doc", "https", "a", "io", "a.io", "https://a.io"]),
        ("🚀", ["🚀", "rocket"]),
        ("4 May", ["4", "may", "--05-04"]),
        ("… !? —", []),
    ],
)
def test_fr6_terms_of_a_text(text: str, terms: list[str]) -> None:
    """FR6: words by stem, without marks on Latin letters; identifiers in parts, whole and as one word; CJK alone and in
    pairs; markup and emoji as what they say; dates."""
    assert list(terms_of(text)) == terms


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("what is the rollback target?", ("rollback", "target")),
        ("the who", ("the", "who")),
        ("target target", ("target",)),
        ("the on-call rotation", ("call", "oncal", "on-call", "rotat")),
        ("is_it", ("isit", "is_it")),
        ("to-do", ("todo", "to-do")),
        ("wer hat die Rufbereitschaft", ("rufbereitschaft",)),
        ("où est le déploiement", ("deploiement",)),
        ("кто сейчас дежурит", ("сейчас", "дежур")),
        ("東京", ("東京",)),
        ("東", ("東",)),
        ("???", ()),
    ],
)
def test_fr6_stop_words_leave_the_query_alone_only_where_others_stay(query: str, terms: tuple[str, ...]) -> None:
    """FR6: stop words leave the query, never the page; a query of nothing else keeps them."""
    assert query_terms(query) == terms


@pytest.mark.parametrize(
    ("language", "page", "queries"),
    [
        (None, "The deployments were rolled back by the operators", ["deployment", "operator", "roll"]),
        ("german", "Die Häuser und die Verträge wurden geprüft", ["Haus", "Vertrag", "häuser", "Hauser", "Vertraege"]),
        ("french", "Les réunions sont notées dans le journal", ["réunion", "noter", "reunion", "journaux"]),
        ("spanish", "Las rotaciones y los errores de la semana", ["rotación", "error", "semanas"]),
        ("italian", "Le riunioni sono spostate alla settimana prossima", ["riunione", "spostato", "settimane"]),
        ("portuguese", "As reuniões não são mais às segundas", ["reunião", "segunda"]),
        ("dutch", "De huizen en de afspraken zijn niet bekend", ["huis", "afspraak", "bekende"]),
        ("swedish", "Servrarna är inte omstartade och bilarna står där", ["bilar", "omstartad"]),
        ("polish", "Serwery nie są jeszcze uruchomione w tym tygodniu", ["serwerów", "uruchomiona"]),
        ("turkish", "Sunucular bu hafta için yeniden başlatıldı ve çok iyi", ["sunucu", "hafta"]),
        (None, "Серверы были перезапущены вчера", ["сервер", "перезапущен"]),
        (None, "Οι διακομιστές επανεκκινήθηκαν", ["διακομιστης"]),
        (None, "أعيد تشغيل الخوادم", ["خوادم"]),
        (None, "サーバーは昨日再起動されました", ["サーバー", "再起動"]),
        (None, "服务器昨天重新启动了", ["服务器", "启动"]),
        (None, "회의는 월요일에 있습니다", ["회의", "월요일"]),
    ],
)
def test_fr6_word_forms_meet_in_many_languages(language: str | None, page: str, queries: list[str]) -> None:
    """FR6: a page's language is told by its function words and letters; each word asked for meets its other forms,
    though the query tells no language."""
    assert language_of(page) == language
    terms = set(terms_of(page, language))
    for query in queries:
        assert all(terms.intersection(word.terms) for word in query_words(query, foreign_pages=True)), query


@pytest.mark.parametrize(
    "spelt",
    [
        "2026-05-04", "2026/5/4", "04.05.2026", "May 4, 2026", "4 May 2026", "4th of May, 2026", "4. Mai 2026",
        "4 mai 2026", "4 de mayo de 2026", "4 maggio 2026", "4 de maio de 2026", "4 mei 2026", "4 мая 2026",
        "2026年5月4日", "2026년 5월 4일",
    ],
)  # fmt: skip
def test_fr6_a_day_is_one_term_however_it_is_spelt(spelt: str) -> None:
    """FR6: dates in several spellings give one term of the day, of the month, and of the day in any year."""
    assert {"2026-05-04", "2026-05", "--05-04"} <= set(terms_of(f"moved on {spelt}."))


def test_fr6_stems_of_other_languages_meet_no_english_word() -> None:
    """FR6: a Spanish stem is a term of its own: "notas" is no "not", and English pages cost no postings more."""
    assert query_words("notas", foreign_pages=True)[0].term == "nota"
    assert not {"not"} & set(query_words("las notas", foreign_pages=True)[0].terms)
    assert all(not term.startswith("~") for term in terms_of("notes on the rotation", language_of("notes on the")))


@given(st.text(max_size=80))
def test_fr6_what_is_asked_in_the_very_words_is_found(text: str) -> None:
    """FR6: every term of a query that repeats a page's text is a term of the page."""
    assert set(query_terms(text)) <= set(terms_of(text))


def test_fr5_phrases_are_what_stands_in_quotation_marks() -> None:
    """FR5: straight and typographic marks; compared folded, as titles are."""
    assert phrases_of('say "São  Paulo" and “the Target” but not "') == ("sao paulo", "the target")
    assert phrase_key("  Rollback\tTARGET ") == "rollback target"


def test_fr6_who_said_it_and_when_are_indexed() -> None:
    """FR6: the speaker's and the agent's name and the day are among a page's terms; its slug once."""
    author = Author("ada", None, Person("T1", "U1", name="Ann Lee"), "slack")
    counts = page_terms(
        slug="d/1", title="d/1", content="x", summary=None, tags=("ops",), author=author,
        at="2026-05-04T09:30:00.000000Z",
    )  # fmt: skip
    assert {"ada", "ann", "lee", "2026-05-04", "--05-04", "2026-05", "2026", "op", "d/1", "x"} <= set(counts)
    assert counts["d/1"] == 1


def test_fr1_a_snippet_is_the_page_s_own_words() -> None:
    """FR1: the stretch with most of the words asked for, on one line, its cuts shown; marks say where they stand."""
    text = "nothing here at all. " * 40 + "The rollback\ntarget is build 2301. " + "more of nothing. " * 40
    shown, marks = passage(text, query_terms("rollback target"))
    assert "The rollback target is build 2301." in shown
    assert shown.startswith("… ")
    assert shown.endswith(" …")
    assert len(shown) <= WIDTH + 4
    assert [shown[at:upto] for at, upto in marks] == ["rollback", "target"]
    assert passage("short\ntext", ("text",)) == ("short text", ((6, 10),))


@pytest.mark.parametrize(
    ("text", "query", "marked"),
    [
        ("Die Häuser sind verkauft", "das Haus", ["Häuser"]),
        ("(ERR-42), again", "err-42", ["ERR-42"]),
        ("東京都に引っ越し", "東京都", ["東京都"]),
        ("no such word", "rollback", []),
    ],
)
def test_fr6_marks_are_the_forms_that_were_found(text: str, query: str, marked: list[str]) -> None:
    """FR6 FR1: a word is marked in whatever form it stands there."""
    shown = passage(text, [term for word in query_words(query, foreign_pages=True) for term in word.terms])
    assert [shown.text[at:upto] for at, upto in shown.marks] == marked
