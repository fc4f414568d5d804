"""Winnowing: from every window of neighbouring k-grams the one with the smallest hash is kept as a fingerprint.

So two sources that share `GRAM + WINDOW - 1` symbols in a row share a fingerprint, wherever that row stands, and nothing
shorter than `GRAM` symbols is ever one. From "Winnowing: Local Algorithms for Document Fingerprinting" by S. Schleimer,
D. Wilkerson and A. Aiken (2003). A fingerprint is the k-gram itself, so that two never meet by accident.
"""

import zlib

GRAM = 14
"""Symbols of a fingerprint: some two lines. Measured on files of Python that have nothing to do with each other, they share
1.9 % with 12, 0.7 % with 14, and 0.4 % with 16, where less is found of a copy into which idle lines were strewn."""
WINDOW = 6
"""Neighbouring k-grams of which one is kept."""

Gram = bytes


def fingerprints(codes: bytes, gram: int = GRAM, window: int = WINDOW) -> dict[int, Gram]:
    """Where the fingerprints of a row of symbols, one byte each, begin."""
    hashes = [zlib.crc32(codes[at : at + gram]) for at in range(len(codes) - gram + 1)]
    window = min(window, len(hashes))
    found: dict[int, Gram] = {}
    smallest = -1
    for end in range(max(window, 1), len(hashes) + 1):
        first = end - window
        if smallest < first:
            smallest = min(range(end - 1, first - 1, -1), key=hashes.__getitem__)  # of equals the last
        elif hashes[end - 1] <= hashes[smallest]:
            smallest = end - 1
        found[smallest] = codes[smallest : smallest + gram]
    return found
