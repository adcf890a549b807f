"""Names made from texts by hashing: the same text gets the same name everywhere."""

import hashlib


def digest_of(text: str) -> str:
    """Give the SHA-256 of a text in UTF-8, as 64 hex digits; half surrogate pairs are taken, too.

    >>> digest_of("a")[:8], len(digest_of("\\ud800"))
    ('ca978112', 64)
    """
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
