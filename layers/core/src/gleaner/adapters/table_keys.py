"""Check item keys by DynamoDB's rules in both stores, so that local and cloud accept the same."""

from gleaner.contracts.errors import InvalidRequest

LARGEST_PK = 2_048
LARGEST_SK = 1_024
"""Bytes of UTF-8 (DynamoDB, "Constraints")."""


def is_key(pk: str, sk: str) -> bool:
    """Tell whether an item can have this key; one that can't is under it nowhere."""
    try:
        return 0 < len(pk.encode()) <= LARGEST_PK and 0 < len(sk.encode()) <= LARGEST_SK
    except UnicodeEncodeError:
        return False


def check_key(pk: str, sk: str) -> None:
    """Raise InvalidRequest for a key that no item can have."""
    if not is_key(pk, sk):
        shown = f"{pk[:100]} / {sk[:100]}"
        raise InvalidRequest(f"{shown!r} can't be stored under: a key is 1 to {LARGEST_SK:,} bytes of UTF-8")
