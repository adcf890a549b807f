"""Rows that add up those above them: totals and subtotals, in whatever language their labels are."""

import re
from collections.abc import Sequence

from lxml.html import HtmlElement

from gleaner.coercion.words import NOTHING, folded
from gleaner.html.dom import classes_of, visible_text
from gleaner.structured.labels import Words, words_of

_NUMBER = re.compile(r"\d[\d.,'’ \u00a0\u202f]*")
_CENTS = re.compile(r"[.,](\d{1,2})$")
_MOST_DIGITS = 15
_MOST_LETTERS = 3
_SENTENCE = re.compile(r"\W*[^\W\d_]+\s[a-zß-öø-ÿа-я]{2}")
_WORDS = re.compile(r"[^\d]*[^\W\d_]{2}\W+[^\W\d_][^\d]*")
_FEWEST_SUMMANDS = 2
_FEW_ROWS = 3
_ROUNDED = 5
_WHOLE = 100
_TELLING_SHARE = 1_000
"""A mean of large numbers may be rounded to a whole: it is no other by chance."""
_PLAIN_WORD = 4
"""Shorter ones stand in names, too: "van", "of"."""
_FAR_MORE = 100
_TELLING_SUM = 10_000
"""In hundredths: of three small numbers the last is often the sum of the others by chance."""


_SUMMARY = re.compile(
    r"\b(?:(?:sub|grand )?totals?|average|avg|mean|median|sum|overall|altogether|combined|in all|all|both|everything|"
    r"gesamt|insgesamt|summe|durchschnitt|schnitt|mittelwert|alle|totaux|moyenne|ensemble|media|promedio|totale|tutt[ie]|"
    r"gemiddelde?|totaal|todos|total(?:es)?|итого|всего|среднее)\b",
    re.IGNORECASE,
)
_REMARK = re.compile(
    r"\W*(?:(?:last )?updated?|as (?:of|at)|source|notes?|legend|key|scale|units?|abbreviations?|stand|quelle|"
    r"hinweis|legende|mise à jour|légende|"
    r"fuente|nota|fonte|bron|källa|источник)\b",
    re.IGNORECASE,
)
_BESIDES = re.compile(
    r"\W*(?:(?:plus |incl(?:uding|\.)? |less )?(?:vat|sales tax|tax(?:es)?|mwst|ust|tva|iva|btw|moms|pvn|dph|ндс|gst)|"
    r"difference|change|variance|record|discount|tip|gratuity|voucher|coupon|credit|refund|rounding|levy|"
    r"(?:(?:gift|fuel|cover|import|customs|excise|card|admin(?:istration)?|booking|transaction|environmental) )?"
    r"(?:shipping|delivery|postage|p&p|carriage|freight|haulage|handling|packing|packaging|wrap(?:ping)?|insurance|"
    r"surcharge|duty|fees?|charges?)(?: (?:and|&) (?:handling|packing|packaging|insurance))?"
    r"(?: (?:costs?|charges?|fees?))?|"
    r"service(?: charge)?|deposit|(?:opening |closing )?balance|amount due|(?:brought|carried) forward|cash in hand|"
    r"majority|turnout|electorate|abstentions?|(?:spoil(?:t|ed)|invalid|rejected|blank) (?:votes?|papers?|ballots?)|"
    r"(?:(?:last|previous|next|this) (?:week|month|year|day|season|time)|yesterday)|"
    r"(?:(?:club|course|track|school|season|world|national|all-time|personal) )(?:record|best)|"
    r"(?:frais|spese|gastos|kosten|opłat[ay]|koszty?)(?: [^\W\d_]+){1,3}|(?:bearbeitungs)?gebühr(?:en)?|porto|"
    r"vacan(?:cy|cies|t)|"
    r"absent|undecided|no (?:answer|reply|response|data)|don't know|not (?:stated|known|given|classified)|unclassified|"
    r"withdrawn|year|annual|year to date|ytd|quarter|jahr|année|año|anno|rok|contingency|margin|winning margin|"
    r"out of|max(?:imum|\.)?(?: (?:score|marks?|points?))?|possible|"
    r"target|goal|budget|benchmark|world|global|invalid(?: votes)?|spoiled|blank|(?:the )?rest|"
    r"(?:all )?other(?:s| \w+)?|(?:miscellaneous|unspecified|various)(?: \w+)?|"
    r"remaining|unknown|sonstige|andere|ungültige?|welt|autres?|monde|otros|altri|overige?|övriga|inne|прочие|"
    r"versand(?:kosten)?|rabatt|differenz|livraison|frais de port|remise|envío|descuento|spedizione|sconto|"
    r"verzending|korting|frakt|доставка|скидка)\W*(?:\d{1,2}(?:[.,]\d+)?\s?%)?\W*",
    re.IGNORECASE,
)
"""What a bill adds to its items, and what compares the rows above."""
_LONGEST_SUMMARY = 40


_AT_THE_ENDS = re.compile(r"first|last|odd|even|alt|\d")
"""In classes that rows have by their place."""


def may_sum_up(rows: Sequence[Sequence[str]], elements: Sequence[HtmlElement], heads: Sequence[Words]) -> bool:
    """Tell whether the last row of a table, or the first, may speak of the others instead of being one of them.

    ``rows`` are the texts of its records, ``elements`` their rows, ``heads`` the words over its columns.
    """
    return bool(rows) and (
        names_a_summary(rows[-1])
        or begins_with_a_balance(rows[0])
        or _begins_with_all_of_them(rows)
        or sums_up(rows)
        or ends_unlike_the_rest(rows)
        or ends_below_names(rows)
        or _names_a_measure(rows, heads)
        or _stands_out(elements)
    )


def _names_a_measure(rows: Sequence[Sequence[str]], heads: Sequence[Words]) -> bool:
    """Tell whether the last row alone is called by what another column measures: "Flood level" under "Level (m)"."""
    measured = {word for words in heads[1:] for word in words}
    *others, last = [measured.intersection(words_of(row[0])) for row in rows]
    return len(others) >= _FEWEST_SUMMANDS and bool(last) and not any(others)


def _stands_out(rows: Sequence[HtmlElement]) -> bool:
    """Tell whether the first row or the last looks unlike all others, which are alike: bold, or of another class."""
    looks = [_look(row) for row in rows]
    return any(
        len(rest) >= _FEWEST_SUMMANDS and len(set(rest)) == 1 and look != rest[0]
        for look, rest in ((looks[0], looks[1:]), (looks[-1], looks[:-1]))
    )


def _look(row: HtmlElement) -> tuple[frozenset[str], bool]:
    classes = frozenset(each for each in classes_of(row) if not _AT_THE_ENDS.search(each))
    filled = (cell for cell in row if cell.tag in ("td", "th") and visible_text(cell))
    return classes, all(_is_bold(cell) for cell in filled)


def _is_bold(cell: HtmlElement) -> bool:
    return len(cell) == 1 and cell[0].tag in ("b", "strong") and not ((cell.text or "") + (cell[0].tail or "")).strip()


def names_a_summary(row: Sequence[str]) -> bool:
    """Tell whether the first text of a last row may speak of all the rows above it, or of the table.

    >>> names_a_summary(["Class average", "71.7"]), names_a_summary(["Cem", "80"])
    (True, False)
    """
    label = next((text for text in row if text), "")
    if len(label) >= _LONGEST_SUMMARY:
        return False
    return any((_SUMMARY.search(label), _REMARK.match(label), _BESIDES.fullmatch(label)))


def begins_with_a_balance(row: Sequence[str]) -> bool:
    """Tell whether a first row carries over what stood before, or sums up the others.

    >>> begins_with_a_balance(["Carried forward", "100"]), begins_with_a_balance(["Total Recall", "9"])
    (True, False)
    """
    label = next((text for text in row if text), "")
    return _BESIDES.fullmatch(label) is not None or _SUMMARY.fullmatch(label) is not None


def _begins_with_all_of_them(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether a first row with a word for all, as in "All regions", adds up the others in one of its columns."""
    label = next((text for text in rows[0] if text), "")
    columns = (_amounts([row[at] for row in rows]) for at in range(len(rows[0])))
    return _SUMMARY.search(label) is not None and any(
        len(column) > _FEWEST_SUMMANDS and column[0] == sum(column[1:]) for column in columns
    )


def ends_below_names(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether all rows but the last begin with words in capitals, and the last with plain words and a figure.

    >>> ends_below_names([["Ann Lo", "4"], ["Bo Ek", "3"], ["Longest throw", "9"]])
    True
    """
    *others, last = [next((text for text in row if text), "").split() for row in rows]
    return (
        len(others) >= _FEWEST_SUMMANDS
        and all(words and all(word[0].isupper() for word in words) for words in others)
        and any(map(is_figure, rows[-1]))
        and any(word[0].islower() and len(word) >= _PLAIN_WORD for word in last[1:])
    )


def ends_unlike_the_rest(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether the last row has words where all rows above it have figures alone: it may be a note.

    >>> ends_unlike_the_rest([["Hale", "04:10"], ["Kirk", "04:55"], ["All times are GMT", "See note"]])
    True
    """
    *others, last = rows
    said = [text for text in last if folded(text) not in NOTHING]
    if len(said) < _FEWEST_SUMMANDS <= len(last) and any(_SENTENCE.match(text) for text in said):
        return True
    return len(others) >= _FEWEST_SUMMANDS and any(
        _WORDS.fullmatch(text) is not None and all(is_figure(row[at]) for row in others)
        for at, text in enumerate(last)
        if folded(text) not in NOTHING
    )


def is_figure(text: str) -> bool:
    """Tell whether a text is a number, an amount or a date: with a digit, and hardly a letter."""
    return any(map(str.isdigit, text)) and sum(map(str.isalpha, text)) <= _MOST_LETTERS


def sums_up(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether the last or the first row adds up all others and maybe more, or is their mean; or some add up a few.

    It must be so in at least half of the columns of numbers: in one of six it may be by chance.

    >>> sums_up([["Oak", "300"], ["Elm", "150"], ["Both", "450"]]), sums_up([["a", "1"], ["b", "2"], ["c", "3"]])
    (True, False)
    """
    if len(rows) <= _FEWEST_SUMMANDS:
        return False
    columns = [column for at in range(len(rows[0])) if (column := _amounts([row[at] for row in rows]))]
    kinds = (_ends_in_sum, _begins_with_sum, _is_all_sums, _ends_in_far_more, _begins_with_far_more)
    return any(2 * sum(map(adds, columns)) >= max(len(columns), 1) for adds in kinds) or (
        len(rows) > _FEW_ROWS and bool(columns) and all(map(_ends_in_mean, columns))
    )


def _amounts(texts: Sequence[str]) -> list[int]:
    """Give the numbers of a column in hundredths; nothing when a cell holds none."""
    found = [_amount(text) for text in texts]
    amounts = [amount for amount in found if amount is not None]
    return amounts if len(amounts) == len(texts) else []


def _amount(text: str) -> int | None:
    match = _NUMBER.search(text)
    number = match[0].rstrip(".,'’ \u00a0\u202f") if match else ""
    if not number or len(number) > _MOST_DIGITS:
        return None
    cents = _CENTS.search(number)
    whole = number[: cents.start()] if cents else number
    return int("".join(filter(str.isdecimal, whole)) or "0") * 100 + (int(cents[1].ljust(2, "0")) if cents else 0)


def _ends_in_sum(amounts: Sequence[int]) -> bool:
    *summands, last = amounts
    return last == sum(summands) > (_TELLING_SUM if len(amounts) <= _FEW_ROWS else 0)


def _begins_with_sum(amounts: Sequence[int]) -> bool:
    return _ends_in_sum(amounts[::-1])


def _ends_in_far_more(amounts: Sequence[int]) -> bool:
    """Tell whether the last amount is that of a whole, the others a small part of it: a country below its towns."""
    *others, last = amounts
    return last > _FAR_MORE * sum(map(abs, others)) > 0


def _begins_with_far_more(amounts: Sequence[int]) -> bool:
    return _ends_in_far_more(amounts[::-1])


def _ends_in_mean(amounts: Sequence[int]) -> bool:
    *others, last = amounts
    rounded = max(_ROUNDED, min(_WHOLE, last // _TELLING_SHARE))
    return len(set(others)) > 1 and abs(last - sum(others) / len(others)) <= rounded


def _is_all_sums(amounts: Sequence[int]) -> bool:
    """Tell whether the column falls into runs that each end in their sum; one for all of them may come last."""
    run, count, sums = 0, 0, list[int]()
    for amount in amounts:
        if count >= _FEWEST_SUMMANDS and amount == run > 0:
            sums.append(amount)
            run, count = 0, 0
        else:
            run, count = run + amount, count + 1
    return len(sums) > 1 and (count == 0 or (count == 1 and run == sum(sums)))
