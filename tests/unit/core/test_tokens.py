"""The form of a token, the hash of its secret, and what is said of one: pure."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sliceway.core.principals import Principal, PrincipalKind
from sliceway.core.tokens import NewToken, TokenEntry, is_secret, secret_hash, token_parts, token_text
from sliceway.errors import Unauthorized

ID = "01K8Q7SJJRST5B7T66WN06NNF8"
SECRET = "29abmzW-XXc0UpKe_L3-BLWAa-lTNChhShPNwlnujtQ"
GOOD = f"slw_{ID}_{SECRET}"

_ids = st.text("0123456789ABCDEFGHJKMNPQRSTVWXYZ", min_size=26, max_size=26)
_secrets = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", min_size=43, max_size=43)


@given(id=_ids, secret=_secrets)
def test_br2_a_token_is_taken_apart_as_it_was_put_together(id: str, secret: str) -> None:
    """BR2: an id and a secret come back unchanged, whatever underscores the secret has."""
    assert token_parts(token_text(id, secret)) == (id, secret)


@pytest.mark.parametrize(
    "text",
    [
        "", "slw", "slw__", f"slw_{ID}", f"slw_{ID}_", f"SLW_{ID}_{SECRET}", GOOD + "\n", " " + GOOD, GOOD + "a",
        GOOD[:-1], f"slw_{ID[:-1]}_{SECRET}", f"slw_{ID}_{SECRET[:-1]}é", f"slw_{ID}_{SECRET[:-1]}\ud800",
        f"slw_{ID[:-1]}١_{SECRET}", f"slw_{ID[:-1]}'_{SECRET}", f"slw_{ID}_{SECRET[:-1]}\0", f"xoxb_{ID}_{SECRET}",
    ],
)  # fmt: skip
def test_br2_another_form_is_refused_in_the_words_of_an_unknown_token(text: str) -> None:
    """BR2: what has not the form is no token, and the refusal does not say what is wrong with it."""
    with pytest.raises(Unauthorized) as refused:
        token_parts(text)
    assert (refused.value.detail, refused.value.facts) == (Unauthorized().detail, {})


@given(secret=_secrets, other=_secrets)
def test_br2_a_secret_is_known_by_its_hash_alone(secret: str, other: str) -> None:
    """BR2: the hash is SHA-256, holds nothing of the secret, and fits that secret and no other."""
    kept = secret_hash(secret)
    assert kept == hashlib.sha256(secret.encode()).hexdigest()
    assert is_secret(secret, kept)
    assert is_secret(other, kept) == (other == secret)


def test_cf3_a_new_token_does_not_show_its_secret_by_accident() -> None:
    """CF3: printing one, in a log or a trace, shows its entry alone."""
    made = NewToken(GOOD, TokenEntry(ID, PrincipalKind.ADMIN, None, (), False, False, (), "t"))
    assert SECRET not in repr(made) + str(made)
    assert made.token == GOOD


ENTRIES = [
    (
        TokenEntry("K", PrincipalKind.GATEWAY, "ada", ("T1", "T2"), True, False, (), "t"),
        Principal.gateway("ada", teams=["T1", "T2"], acts_for=True, token_id="K"),
    ),
    (TokenEntry("K", PrincipalKind.AGENT, "ada", (), False, False, (), "t"), Principal.agent("ada", token_id="K")),
    (TokenEntry("K", PrincipalKind.ADMIN, None, (), False, False, (), "t"), Principal.admin(token_id="K")),
    (
        TokenEntry("K", PrincipalKind.READER, None, (), False, False, ("kb-x", "shared"), "t"),
        Principal.reader(["shared", "kb-x"], token_id="K"),
    ),
]


@pytest.mark.parametrize(("entry", "principal"), ENTRIES, ids=lambda one: str(getattr(one, "kind", "")))
def test_br2_an_entry_stands_for_the_caller_one_would_make_by_hand(entry: TokenEntry, principal: Principal) -> None:
    """BR2: a token's caller is the principal of its kind with its rights, known by the token's id."""
    assert entry.principal() == principal
