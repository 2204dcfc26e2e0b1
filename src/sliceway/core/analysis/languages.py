"""Which language a text is in, by cheap signs: its function words and letters; stop words and stemmers of each (FR6).

Only languages in Latin letters have to be told apart; what is written in another script says so itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

import snowballstemmer

ENGLISH = "english"

_WORDS = {
    ENGLISH: """a about am an and any are as at be been but by can could did do does for from had has have he her him
his how i if in into is it its me my no not of on or our she so some than that the their them then there these they
this those to up us was we were what when where which who whom why will with would you your""",
    "german": """aber als am an auch auf aus bei bin bis da das dass dem den der des die dies diese dieser doch du ein
eine einem einen einer er es für haben hat hatte ich ihr im in ist ja kann können mit muss nach nicht noch nur oder
ohne schon sein sich sie sind so über um und uns unser vom von vor wann war waren warum was weil welche welcher wenn
wer werden wie wieder wir wird wo wurde wurden zu zum zur""",
    "french": """à au aux avec ce ces cette comme dans de des du elle elles en est et était être ils il je la le les
leur lui mais mes mon ne nos notre nous on ou où par pas plus pour qu quand que quel quelle quelles qui quoi sa sans
se ses son sont sur ta te tu un une vos votre vous""",
    "spanish": """a al como cómo con cuál cuándo de del desde donde dónde e el ella ellos en entre era es esta está este
esto fue ha hay la las le lo los más me mi muy no nos o para pero por porque que qué quién se sin sobre son su sus
también te tiene un una unos y ya yo""",
    "italian": """a ad ai al alla alle anche che chi ci come con da dal dalla dei del della delle di dove e è era gli ha
hanno ho i il in io la le lo ma mi nel nella non o per perché più qual quale quali quando questa questo se sei si
sono su sul sulla tra un una uno""",
    "portuguese": """a ao aos as à às com como da das de do dos e é ela ele em entre era essa esse esta está este eu foi
há isso já mais mas me meu muito na não nas no nos o onde os ou para pela pelo por qual quais quando que quem se sem
seu são sua também tem um uma você""",
    "dutch": """aan al als bij dan dat de den der deze die dit door een en er geen had heb heeft het hij hoe hun ik in
is je kan maar me met mijn na naar niet nog of om ons ook op over te tot u uit van veel voor waar waarom wanneer wat
we welke werd wie wij wordt zal ze zich zij zijn""",
    "swedish": """alla att av de den det där efter eller en er ett för från får ha han har hon hur i inte jag kan man
med men mig min mot ni nu när och om oss på sig sin ska som så till under upp ut var vad vem vi vid vilka vilken är""",
    "polish": """ale bo być był była było by co czy dla do gdy gdzie go i ich ja jak jako jest już kiedy kto która które
który ma mi na nam nas nie o od on ona oni oraz po pod przed przez przy są się ta tak te to tylko tym w we z za ze
że""",
    "turkish": """ama bana ben bir biz bu bunu çok da daha de değil en gibi hangi hem her için ile ise kadar ki kim mi
mı mu mü nasıl ne neden nerede o olan olarak olduğu onu sen siz şu üzere var ve veya ya yok""",
    "russian": """а без бы был была было были в вам вас во вот все вы где да для до его ее если есть еще же за и из или
им их к как какая какие какой ко когда кто ли мне мы на над не него нет но о об он она они от по под при с со так
также то только тот у уже чем что чтобы это этот я""",
}  # fmt: skip
"""Function words of each language. They leave queries, never pages; in a page they tell its language."""

STOP_WORDS = {language: frozenset(words.split()) for language, words in _WORDS.items()}
"""By language."""
LATIN = tuple(language for language in STOP_WORDS if language not in {ENGLISH, "russian"})
"""Languages in Latin letters that are told from English."""

_LETTERS = {
    "german": "äöüß", "french": "çéèêàâùûîïëôœ", "spanish": "ñáéíóú¿¡", "italian": "àèéìòù", "portuguese": "ãõçáâéêíóú",
    "dutch": "ëï", "swedish": "åäö", "polish": "ąćęłńóśźż", "turkish": "ğışçöü",
}  # fmt: skip
_TELLING = {letter: tuple(of for of in LATIN if letter in _LETTERS[of]) for letter in set("".join(_LETTERS.values()))}
_VOTES: dict[str, tuple[str, ...]] = {}
for _language in (ENGLISH, *LATIN):
    for _word in STOP_WORDS[_language]:
        _VOTES[_word] = (*_VOTES.get(_word, ()), _language)
_WORD = re.compile(r"[^\W\d_]+")
_ASKED = 400
"""Words of a text that are asked for its language."""

_SCRIPTS = (
    (re.compile("[\u0400-\u04ff]"), "russian"), (re.compile("[\u0370-\u03ff\u1f00-\u1fff]"), "greek"),
    (re.compile("[\u0600-\u06ff]"), "arabic"), (re.compile("[\u0900-\u097f]"), "hindi"),
    (re.compile("[\u0b80-\u0bff]"), "tamil"), (re.compile("[\u0530-\u058f]"), "armenian"),
)  # fmt: skip
"""Scripts whose words have one stemmer each."""
_ASCII = re.compile("[a-z]+")


@lru_cache(maxsize=1 << 14)
def _said(word: str) -> tuple[tuple[str, float], ...]:
    """Return what one word in small letters says for which languages: a function word a whole vote, shared letters
    less."""
    told = dict.fromkeys(_VOTES.get(word, ()), 1.0)
    if not word.isascii():
        for letter in set(word):
            for language in _TELLING.get(letter, ()):
                told[language] = max(told.get(language, 0.0), 1.0 / len(_TELLING[letter]) ** 0.5)
    return tuple(told.items())


def languages_of(words: Iterable[str]) -> tuple[str, ...]:
    """Return the languages that words in small letters speak for best, in order; none where nothing tells."""
    votes: Counter[str] = Counter()
    for word in words:
        for language, weight in _said(word):
            votes[language] += weight  # type: ignore[assignment]
    most = max(votes.values(), default=0.0)
    return tuple(sorted(language for language, vote in votes.items() if vote >= most - 1e-9)) if most else ()


def language_of(*texts: str) -> str | None:
    """Return the language of a page in Latin letters, None for English and where nothing tells."""
    words: list[str] = []
    for text in texts:
        words.extend(_WORD.findall(text[: _ASKED * 12].lower())[: _ASKED - len(words)])
    found = languages_of(words)
    return found[0] if len(found) == 1 and found[0] != ENGLISH else None


def stem(word: str, language: str) -> str:
    """Return the stem of a word in small letters; a stemmer is made for each, because it holds what it works on."""
    if language == "portuguese" and word.endswith(("ões", "ães")):
        word = word[:-3] + "ão"  # the stemmer leaves this plural as it is
    stemmed: str = snowballstemmer.stemmer(language).stemWord(word)
    return stemmed


@lru_cache(maxsize=1 << 15)
def stem_by_script(word: str) -> str:
    """Return the stem that a folded word has in every text: by English where it is plain Latin, else by its script."""
    if _ASCII.fullmatch(word):
        return stem(word, ENGLISH)
    for letters, language in _SCRIPTS:
        if letters.search(word):
            return stem(word, language)
    return word
