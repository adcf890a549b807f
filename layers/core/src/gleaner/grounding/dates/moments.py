"""Values that are dates in words, as a page would write them."""

from gleaner.grounding.dates.dates import Moment, scan_named_dates, scan_numeric_dates, scan_times
from gleaner.grounding.text.folding import fold
from gleaner.grounding.text.phrases import place_words, tokenize


def read_spoken_moment(value: str) -> Moment | None:
    """Read a date in words or numbers that fills a whole value ("March 12, 2026"); None for anything else."""
    text = fold(value).text
    words = tokenize(text)
    named = [
        (words.starts[first], words.ends[past - 1], days)
        for first, past, days in scan_named_dates(words, place_words(words))
    ]
    for start, end, days in [*named, *scan_numeric_dates(text)]:
        rest = text[:start] + text[end:]
        if not any(character.isalnum() for character in rest):
            return Moment(tuple(days))
        times = list(scan_times(rest, 0, len(rest)))
        if times and not any(character.isdecimal() for character in rest[: times[0][0]] + rest[times[0][1] :]):
            return Moment(tuple(days), times[0][2])
    return None
