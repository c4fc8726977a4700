from __future__ import annotations

from poolproof_verification.proofs import trusted


def test_what_is_trusted_is_said_in_words() -> None:
    words = " ".join(trusted())
    for thing in ("z3", "induction", "recursive definition", "finitely many names", "refusals"):
        assert thing in words
