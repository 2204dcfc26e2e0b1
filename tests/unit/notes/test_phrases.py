"""The table of phrasings: how people really say it, and exactly what is kept of it."""

from __future__ import annotations

import time

import pytest

from sliceway_notes.phrases import Want, read

FACT = "build 2301 is the rollback target"

REMEMBER = [
    "remember that {}", "Remember that {}", "REMEMBER THAT {}", "remember: {}", "remember {}", "Remember, {}",
    "remember - {}", "remember – {}", "remember this: {}", "remember that: {}", "remember the following: {}",
    "please remember that {}", "Please, remember: {}", "pls remember {}", "can you remember that {}",
    "could you please remember that {}", "Hey, can you remember that {}", "ok so remember that {}",
    "I want you to remember that {}", "we'd like you to remember that {}", "I’d love you to remember that {}",
    "you should remember that {}", "memorize that {}", "memorise: {}", "memoize {}", "note that {}", "note: {}",
    "Note down: {}", "please note that {}", "make a note that {}", "make a note: {}", "take a note: {}",
    "take note that {}", "save this: {}", "save that {}", "save: {}", "store this: {}", "store that {}",
    "record that {}", "log: {}", "write down that {}", "write this: {}", "jot down: {}", "keep in mind that {}",
    "bear in mind: {}", "don't forget that {}", "don’t forget: {}", "dont forget {}", "do not forget that {}",
    "for the record: {}", "for the record, {}", "remember for later: {}", ", remember that {}", ": remember that {}",
    "remember\n{}", "remember that\n{}", "  remember   that   {}  ",
]  # fmt: skip
SHARE = [
    "share with the team: {}", "Share with the team: {}", "share with the team that {}", "share with the team, {}",
    "please share with the team: {}", "can you share with the team that {}", "share with team: {}",
    "share with everyone: {}", "share with everybody - {}", "share with the whole team: {}", "share with our team: {}",
    "share with all of us: {}", "share this: {}", "share that {}", "share: {}", "share {} with the team",
    "Share {} with everyone.", "please share {} with the team!", "tell the team: {}", "tell the team that {}",
    "tell the team {}", "tell everyone: {}", "tell everybody that {}", "let the team know that {}",
    "let everyone know: {}", "inform the team that {}", "post to the team: {}", "propose to the team: {}",
    "propose: {}", "propose that {}", "remember for the team: {}", "remember for everyone that {}",
    "save this for the team: {}", "save to shared: {}", "add to the knowledge base: {}",
    "add to the team's knowledge: {}",
    "add this to the shared knowledge base: {}", "note for the team: {}", "share with the team:\n{}",
]  # fmt: skip
CORNER = [
    "note to self: {}", "note to myself, {}", "remember for me: {}", "remember for me that {}",
    "remember just for me: {}", "remember privately that {}", "remember only for me: {}", "save for myself: {}",
    "keep for me: {}", "remember in private: {}",
]  # fmt: skip
OPEN = ["publish: {}", "publish that {}", "make public: {}", "share publicly: {}", "share with the world: {}",
        "propose for public: {}"]  # fmt: skip
RECALL = [
    "what do we know about {}?", "What do we know about {}", "what do you know about {}??",
    "what do you remember about {}?",
    "what did we say about {}?", "what have we noted about {}?", "what can you tell me about {}?", "recall {}",
    "Recall: {}", "please recall {}", "tell me about {}", "tell me what you know about {}",
    "Tell us everything you know about {}",
    "remind me about {}", "can you tell me about {}?", "do you remember {}?", "do you know anything about {}?",
    "do we know {}?", "did we say anything about {}?", "does anyone know about {}?", "look up {}", "search for {}",
    "search: {}", "find {}", "anything about {}?", "any notes on {}?", "hey, what do we know about {}?",
    "so what do you know about {}", "what else do we know about {}?", "has anyone said about {}?",
]  # fmt: skip
FORGET = [
    "forget {}", "forget about {}", "Forget that {}", "please forget {}", "forget: {}", "delete {}", "remove {}",
    "erase {}", "delete the note about {}", "forget your notes on {}", "remove the page about {}",
    "forget what I said about {}", "forget everything about {}", "forget everything you know about {}",
    "don't remember {}", "stop remembering {}", "can you forget {}", "could you please delete the note on {}.",
]  # fmt: skip
WHO = [
    "who said {}?", "who said that {}?", "Who told you {}?", "who told you about {}?", "who wrote {}", "who saved {}?",
    "who shared {}?", "who noted that {}?", "who mentioned {}?", "who has said {}?", "where did you hear {}?",
    "where did you learn about {}?", "where did we get {} from?",
]  # fmt: skip
ALONE = [
    (Want.UNDO, ["undo", "Undo!", "undo that", "undo it", "undo the last one", "undo last", "undo my last change",
                 "take that back", "take it back.", "revert that", "roll that back", "scratch that", "please undo",
                 "oh, undo that", "forget that", "forget it", "delete this", "forget about it", "can you undo that?"]),
    (Want.WHO, ["who said that?", "who said so?", "says who?", "who said this", "who wrote it?", "who told you that?",
                "where did you hear that?", "where did you get that from?"]),
    (Want.HELP, ["help", "?", "Help!", "help me", "what can you do?", "what can I say", "how does this work?", "hi",
                 "Hello!", "who are you?", "good morning"]),
    (Want.THANKS, ["thanks", "thank you!", "thanks a lot", "Thank you so much", "thx", "great!", "ok", "perfect."]),
    (Want.LIST, ["what do you know?", "what do we know so far?", "list notes", "list your notes", "show me the notes",
                 "show all pages", "what have you saved?"]),
    (Want.WAITING, ["what is pending?", "what's waiting?", "what’s still waiting for approval?", "my proposals",
                    "show my proposals", "pending"]),
    (Want.UNKNOWN, ["", "blah blah", "the weather is nice", "store hours are nine to five", "/1on1", "<>", "🙂"]),
]  # fmt: skip


def said(templates: list[str]) -> list[str]:
    """Return the templates about one fact."""
    return [template.format(FACT) for template in templates]


@pytest.mark.parametrize("text", said(REMEMBER))
def test_remember(text: str) -> None:
    """Every natural way to say remember keeps exactly the text after the keyword, in the agent's own reach."""
    assert read(text) == read(f"remember that {FACT}")
    wish = read(text)
    assert (wish.want, wish.text, wish.target, wish.this) == (Want.REMEMBER, FACT, "mine", False)


@pytest.mark.parametrize(
    ("text", "target"),
    [*((text, "shared") for text in said(SHARE)), *((text, "user") for text in said(CORNER)),
     *((text, "public") for text in said(OPEN))],
)  # fmt: skip
def test_elsewhere(text: str, target: str) -> None:
    """Who asks to share, to publish or to keep for themselves says the destination; the text is kept exactly."""
    wish = read(text)
    assert (wish.want, wish.text, wish.target) == (Want.REMEMBER, FACT, target)


@pytest.mark.parametrize(
    ("text", "want"),
    [*((text, Want.RECALL) for text in said(RECALL)), *((text, Want.FORGET) for text in said(FORGET)),
     *((text, Want.WHO) for text in said(WHO))],
)  # fmt: skip
def test_look_for(text: str, want: Want) -> None:
    """Asking, forgetting and asking who said it leave what is looked for, without the question's marks."""
    wish = read(text)
    assert wish.want is want
    assert wish.text.endswith(FACT)
    assert not wish.this


@pytest.mark.parametrize(("want", "text"), [(want, text) for want, texts in ALONE for text in texts])
def test_alone(want: Want, text: str) -> None:
    """What needs no words is understood alone; what is not understood is never taken for something to save."""
    assert read(text).want is want


@pytest.mark.parametrize(
    "text",
    ["is 2301 the target?", "what's the wifi password?", "who is on call?", "when did we deploy?", "so where is it?",
     "do you remember what the target is?", "can you remember which build it was?", "How do we roll back?"],
)  # fmt: skip
def test_questions(text: str) -> None:
    """Any other question is looked for."""
    assert read(text).want is Want.RECALL


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("remember that: a:b", "a:b"),
        ("remember that's it", "that's it"),
        ("remember -5 degrees", "-5 degrees"),
        ("remember to buy milk, please!", "to buy milk, please!"),
        ('remember "that" is quoted', '"that" is quoted'),
        ("remember that remember that is fun", "remember that is fun"),
        ("remember that a\n\n  b  c\n", "a\n\n  b  c"),
        ("remember that *bold* and `code` & <tags>", "*bold* and `code` & <tags>"),
        ("remember that 東京 is 2 hours away?", "東京 is 2 hours away?"),
        ("can you remember that the gate is open?", "the gate is open?"),
        ("share with the team: share with the team", "share with the team"),
    ],
)
def test_exactly(text: str, kept: str) -> None:
    """The text after the keyword is kept to the character: marks, lines, quotes and scripts included."""
    wish = read(text)
    assert (wish.want, wish.text) == (Want.REMEMBER, kept)


@pytest.mark.parametrize(
    ("text", "target"),
    [("remember this", "mine"), ("Remember that!", "mine"), ("remember", "mine"), ("please remember it", "mine"),
     ("save this", "mine"), ("note this one", "mine"), ("keep that", "mine"), ("remember this message, please", "mine"),
     ("share this with the team", "shared"), ("share that", "shared"), ("share with the team", "shared"),
     ("remember this for the team", "shared"), ("remember this for me", "user"), ("publish this", "public")],
)  # fmt: skip
def test_this(text: str, target: str) -> None:
    """`this` alone means a message that was passed on, not the word."""
    wish = read(text)
    assert (wish.want, wish.text, wish.target, wish.this) == (Want.REMEMBER, "", target, True)


@pytest.mark.parametrize(
    "text",
    ["share a" + " " * 40_000 + "b", "so " * 14_000, "remember" + " " * 40_000, "what do we know" + " about" * 7_000,
     "share " + "x with the team " * 2_500 + "!", "who said" + " that" * 8_000, "can you " * 5_000],
)  # fmt: skip
def test_long(text: str) -> None:
    """The longest message that chat lets through is read at once, however it is made."""
    before = time.process_time()
    read(text)
    assert time.process_time() - before < 2
