"""Draw the secret seed of a competition and derive all others from it.

The seed of a competition is a secret: it decides what the opponents play. Seeds for opponents are derived from it with a
keyed hash. What a student's process is given depends only on what students may know, so it reveals nothing about the secret,
however short that is.
"""

import hashlib
import json
import secrets

SECRET_BITS = 128
LARGEST_SEED = (1 << SECRET_BITS) - 1
SHORT_BITS = 32
"""numpy accepts no longer seeds, so students' players and a course's own opponents get no longer ones."""


def draw_seed() -> int:
    """A new secret seed that cannot be guessed."""
    return secrets.randbits(SECRET_BITS)


def derived_seed(secret: int, *parts: object) -> int:
    """A seed for these parts, which only those who know the secret can compute."""
    key, size = secret.to_bytes(SECRET_BITS // 8, "big"), SECRET_BITS // 8
    return int.from_bytes(hashlib.blake2b(json.dumps(parts).encode(), key=key, digest_size=size).digest(), "big")


def short_seed(seed: int) -> int:
    """A seed of `SHORT_BITS` bits, from a longer one."""
    return seed % (1 << SHORT_BITS)


def public_seed(*parts: object) -> int:
    """A short seed for a student's player. It depends only on these parts, which must not be secret."""
    digest = hashlib.blake2b(json.dumps(parts).encode(), digest_size=SHORT_BITS // 8).digest()
    return int.from_bytes(digest, "big")
