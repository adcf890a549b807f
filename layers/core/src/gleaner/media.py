"""Public names: whether a URL is media or a page (ME-1). The rules are in ``gleaner.contracts.media``."""

from gleaner.contracts.media import MediaProbe, MediaVerdict, Prober, classify

__all__ = ["MediaProbe", "MediaVerdict", "Prober", "classify", "probe"]


def probe(url: str, *, prober: Prober | None = None) -> MediaProbe:
    """Ask the server whether the URL is media or a page, with a few KB at most and every redirect checked (ME-1).

    ``prober`` defaults to the HTTP fetcher with the settings in force. BlockedAddress or PageError otherwise.
    """
    if prober is None:
        from gleaner.adapters.http.fetch import HttpFetcher  # the one edge to an adapter, for callers by name (LB-3)

        prober = HttpFetcher()
    return prober.probe(url)
