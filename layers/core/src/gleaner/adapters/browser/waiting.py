"""Decide when a page's text has stopped changing (BR-3; settings of seed 004, section 4.2).

The browser gives one ``Sample`` a round, made by ``page_scripts/probe.js`` and the page's traffic; ``advance``
adds it to the ``Watch`` and decides. A page that can't change any more ends at the first look, a quiet one after
``stability_threshold`` rounds, and one that never rests at ``stability_max_wait_ms``, or as soon as what still changes
is within ``stability_length_change_threshold``.
"""

from dataclasses import dataclass, replace
from typing import Literal

from gleaner.contracts.settings import ScrapeSettings

REQUEST_PATIENCE_MS = 5_000
"""A request in flight for longer than this is a long poll or a stream: nobody waits for its end."""

SHORT_TIMER_MS = 3_000
"""Timers up to this delay may bring content; later ones are refreshes."""

CHATTER_AFTER_MS = 4_000
"""From then on timers and feeds count only while they still bring new text, and small growth counts as rest."""

FEED_GAP_MS = 1_500
"""How long an open web socket may be silent before it is taken to have said what it had."""

RECENT_CHANGE_MS = 1_500

Verdict = Literal["waiting", "inert", "still", "timeout"]


@dataclass(frozen=True, slots=True)
class Sample:
    """One look at the page. Times in milliseconds, lengths in characters.

    ``changes`` counts mutations that brought text which was not there before; ``quiet_ms`` is the time since the last
    one. ``requests`` are those in flight that may bring text and are not over REQUEST_PATIENCE_MS; ``timers`` the short
    timers pending that have not shown to be mere ticking. ``feed_silence_ms`` is None without an open web socket or
    event stream. ``inert``: no script, frame or feed is there that could change the text. ``veiled``: text is there,
    but the whole page is still hidden. ``listens``: a script has asked to be told of scrolls, or looks by itself every
    ``polls_ms`` how far the page is scrolled.
    """

    elapsed_ms: float
    length: int
    changes: int = 0
    quiet_ms: float = 0.0
    loading: bool = False
    requests: int = 0
    timers: int = 0
    feed_silence_ms: float | None = None
    inert: bool = False
    veiled: bool = False
    listens: bool = False
    polls_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class Watch:
    """What was seen so far: the last sample, and how many rounds in a row were still."""

    last: Sample | None = None
    still_rounds: int = 0
    verdict: Verdict = "waiting"


def advance(watch: Watch, sample: Sample, settings: ScrapeSettings) -> Watch:
    """Add a sample; the new watch's ``verdict`` says whether to go on.

    >>> advance(Watch(), Sample(elapsed_ms=5, length=100, inert=True), ScrapeSettings()).verdict
    'inert'
    >>> advance(Watch(), Sample(elapsed_ms=5, length=100, timers=1), ScrapeSettings()).verdict
    'waiting'
    """
    rounds = count_still_rounds(watch, sample, settings)
    watch = replace(watch, last=sample, still_rounds=rounds)
    if sample.elapsed_ms >= settings.stability_max_wait_ms:
        return replace(watch, verdict="timeout")
    if is_busy(sample):
        return watch
    if sample.inert:
        return replace(watch, verdict="inert")
    return replace(watch, verdict="still" if rounds >= settings.stability_threshold else "waiting")


def count_still_rounds(watch: Watch, sample: Sample, settings: ScrapeSettings) -> int:
    """Give how many rounds in a row the text is still and nothing is under way, this one included."""
    if is_busy(sample):  # what ends now may bring its text a moment later
        return 0
    if watch.last is None:  # the time before the first look counts, but for the last round, which is to be seen
        return min(int(sample.quiet_ms // settings.stability_check_interval_ms), settings.stability_threshold - 1)
    return watch.still_rounds + 1 if is_still(watch.last, sample, settings) else 0


def is_still(before: Sample, after: Sample, settings: ScrapeSettings) -> bool:
    """Tell whether the text is the same, or late in the wait, changed no more than the threshold."""
    ratio = abs(after.length - before.length) / max(before.length, after.length, 1)
    if ratio > settings.stability_length_change_threshold:
        return False
    return after.changes == before.changes or after.elapsed_ms > CHATTER_AFTER_MS


def is_busy(sample: Sample) -> bool:
    """Tell whether something is under way that may bring text."""
    if sample.loading or sample.requests or sample.veiled:
        return True
    chatter_counts = sample.elapsed_ms <= CHATTER_AFTER_MS or (
        sample.quiet_ms <= RECENT_CHANGE_MS and bool(sample.timers)
    )
    feed_talks = sample.feed_silence_ms is not None and sample.feed_silence_ms <= FEED_GAP_MS
    return (bool(sample.timers) and chatter_counts) or (feed_talks and sample.elapsed_ms <= CHATTER_AFTER_MS)
