"""Public names: the fetcher and its decoder (LB-3)."""

from gleaner.adapters.http.fetch import (
    FetchedPage,
    HttpFetcher,
    decode_html,
)

__all__ = [
    "FetchedPage",
    "HttpFetcher",
    "decode_html",
]
