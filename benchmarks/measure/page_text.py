"""What a text states: the words, numbers, days and addresses in it, read without any of the product's own code.

The yardstick asks it whether a value stands on a page, in a part of it that a prompt shows, or in a piece of that part.
It is deliberately simple: texts as a run of whole words, numbers digit for digit once their marks are unified, days in
their usual spellings, addresses by their path.
"""

import re
import unicodedata
from collections.abc import Iterator
from datetime import date
from html import unescape
from typing import Any
from urllib.parse import unquote, urlsplit

from lxml import etree
from lxml import html as lxml_html

_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"[+-]?\d[\d.,' \u00a0\u202f]*\d|\d")
_TARGET = re.compile(r"\]\((?:<[^>]*>|(?:[^()\s]|\([^()\s]*\))*)(?: \"[^\"]*\")?\)")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?=$|T| )")
_ADDRESS = re.compile(r"https?://|/(?=\S*[/.])")
_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december")  # fmt: skip
_UNSEEN = ("script", "style", "noscript", "template", "head", "svg", "iframe", "object")
_ICON = re.compile(r"(?:^|\s)material-(?:icons|symbols)")
"""What an icon font draws is no text: "check" is a tick there."""
_INLINE = frozenset(
    ("a", "abbr", "b", "bdi", "bdo", "cite", "code", "em", "font", "i", "kbd", "mark", "q", "s", "samp", "small",
    "span", "strike", "strong", "sub", "sup", "u")
)  # fmt: skip


def words_of(text: str) -> str:
    """Give the words of a text in one line, with a blank around each: without case, marks and targets of links.

    >>> words_of("**Café**\\\\_Noir, [see](https://a.example/b)")
    ' café noir see '
    """
    plain = unicodedata.normalize("NFKC", _TARGET.sub("] ", text).replace("\\", ""))
    return f" {' '.join(_WORD.findall(plain.casefold()))} "


def numbers_in(text: str) -> Iterator[str]:
    """Give what each written number of a text may mean, as plain decimals.

    >>> sorted(set(numbers_in("1.299,50 of 7")))
    ['1299.5', '7']
    """
    for found in _NUMBER.findall(unicodedata.normalize("NFKC", text)):
        for part in (found, *found.split(" ")) if " " in found else (found,):
            yield from _forms(part)


def _forms(number: str) -> Iterator[str]:
    plain = re.sub(r"[' ]", "", number)
    for decimal, thousands in ((".", ","), (",", ".")):
        candidate = plain.replace(thousands, "").replace(decimal, ".")
        if re.fullmatch(r"[+-]?\d+(\.\d+)?", candidate):
            yield f"{float(candidate):.10g}"


def spellings_of_day(value: str) -> list[str]:
    """Give a day's usual spellings as runs of words; none for what is no day.

    >>> spellings_of_day("2025-05-03")[:3]
    ['2025 05 03', '2025 5 3', 'may 3 2025']
    """
    found = _DAY.match(value)
    if found is None:
        return []
    year, month, day = (int(part) for part in found.groups())
    try:
        date(year, month, day)
    except ValueError:
        return []
    forms = [f"{year} {month:02} {day:02}", f"{year} {month} {day}"]
    for name in dict.fromkeys((_MONTHS[month - 1], _MONTHS[month - 1][:3], "sept" if month == 9 else "")):
        if name:
            forms += [
                f"{name} {day} {year}",
                f"{day} {name} {year}",
                f"{name} {day:02} {year}",
                f"{day:02} {name} {year}",
            ]
    for short in (f"{year}", f"{year % 100:02}"):
        forms += [
            f"{a} {b} {short}"
            for m, d in ((f"{month}", f"{day}"), (f"{month:02}", f"{day:02}"))
            for a, b in ((m, d), (d, m))
        ]
    return list(dict.fromkeys(forms))


class Text:
    """A text made ready for many questions. ``markup`` is where addresses are looked for, by default the text."""

    def __init__(self, text: str, markup: str | None = None) -> None:
        self.words = words_of(text)
        self._unspaced = self.words.replace(" ", "") if _UNSPACED.search(text) else ""
        self._numbers = frozenset(numbers_in(text))
        self._addresses = unquote(unquote(unescape(text if markup is None else markup))).replace("\\", "")

    def count(self, words: str) -> int:
        """Count how often a run of words, as ``words_of`` gives it, stands in the text."""
        if _UNSPACED.search(words):
            return self._unspaced.count(words.replace(" ", ""))
        return len(re.findall(f"(?={re.escape(words)})", self.words)) if words.strip() else 0

    def states(self, value: Any) -> bool:
        """Tell whether a value stands in the text; flags and empty values never do, a list does with all its items."""
        if isinstance(value, list):
            return bool(value) and all(map(self.states, value))
        if isinstance(value, bool | dict) or value is None:
            return False
        if isinstance(value, int | float):
            return f"{value:.10g}" in self._numbers or f"{abs(value):.10g}" in self._numbers
        if _ADDRESS.match(value) and self._holds_address(value):
            return True
        if _NUMBER.fullmatch(value.strip()):
            return any(form in self._numbers for form in _forms(value.strip()))
        return any(f" {day} " in self.words for day in spellings_of_day(value)) or self._holds_words(value)

    def _holds_words(self, value: str) -> bool:
        words = words_of(value)
        if _UNSPACED.search(words):
            return words.replace(" ", "") in self._unspaced
        return bool(words.strip()) and words in self.words

    def _holds_address(self, value: str) -> bool:
        parts = urlsplit(unquote(unquote(value)).rstrip("/"))
        path = f"{parts.path}?{parts.query}" if parts.query else parts.path
        return len(path) > 1 and (path in self._addresses or path.rpartition("/")[2] in self._addresses)


def visible_text(page: str, *, with_shut: bool = False) -> str:
    """Give the text of a page that its tags do not hide, each block on a line of its own; "" for a page without any.

    ``with_shut`` takes in what the attribute ``hidden`` shuts: tabs, and parts that a script moves into their place.
    """
    if not page.strip():
        return ""
    root = lxml_html.document_fromstring(
        page.encode("utf-8", "replace"), parser=lxml_html.HTMLParser(encoding="utf-8", huge_tree=True)
    )
    parts: list[str] = []
    for event, node in etree.iterwalk(root, events=("start", "end")):
        is_element = isinstance(node.tag, str)
        if event == "start":
            if not is_element or node.tag in _UNSEEN or _is_hidden(node, with_shut):
                if is_element:
                    node.clear(keep_tail=True)  # what it holds is not walked
                continue
            parts += ["" if node.tag in _INLINE else "\n", node.text or ""]
        else:
            parts += ["" if not is_element or node.tag in _INLINE else "\n", node.tail or ""]
    lines = (" ".join(line.split()) for line in "".join(parts).splitlines())
    return "\n".join(line for line in lines if line)


def _is_hidden(node: etree._Element, with_shut: bool) -> bool:
    if _ICON.search(node.get("class") or ""):
        return True
    style = (node.get("style") or "").replace(" ", "").casefold()
    is_shut = node.get("hidden") is not None and not with_shut
    return is_shut or "display:none" in style or "visibility:hidden" in style


_GOES_ON = re.compile(
    r"(?:next|older|newer|more|weiter|suivant|siguiente|próximo|次|下一)(?: (?:page|posts|entries|results|items))?|"
    r"(?:load|show|see|view) (?:more|all)(?: \w+)?|[»›>→]+",
    re.IGNORECASE,
)
_PAGER = re.compile(r"\b(?:pagin|pager|page-?(?:link|num|item|nav))", re.IGNORECASE)


def has_pager(page: str) -> bool:
    """Tell whether anything on a page may lead to more of its list: a link called so, page numbers, a class of a pager.

    Deliberately generous: where it says no, a person sees no pager either.
    """
    root = lxml_html.document_fromstring(page.encode("utf-8", "replace"), parser=lxml_html.HTMLParser(encoding="utf-8"))
    if root.xpath("//*[contains(@rel, 'next')]"):
        return True
    if any(_PAGER.search(str(name)) for name in root.xpath("//@class | //@id | //@aria-label")):
        return True
    called = [" ".join(str(node.text_content()).split()) for node in root.iter("a", "button")]
    return any(_GOES_ON.fullmatch(one) for one in called) or sum(one.isdigit() and len(one) < 4 for one in called) > 1


def tokens(text: str) -> int:
    """Give about how many tokens a text has: a quarter of its characters, as the product reckons."""
    return len(text) // 4
