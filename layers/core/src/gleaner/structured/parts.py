"""Signs that what a page shows is a part of a longer list, or what it holds more than it shows."""

import re
from collections.abc import Iterator

from lxml.html import HtmlElement

from gleaner.html.dom import classes_of, visible_text
from gleaner.units.totals import stated_total

_OF = r"[ \t]{0,3}(?:of|out of|von|sur|de|di|из|van|av|/)[ \t]{0,3}"
_PART_OF = re.compile(rf"(?<![\d.,/-])(\d{{1,6}}){_OF}(\d{{1,6}})(?![\d.,/-])", re.IGNORECASE)
_GETS_MORE = re.compile(
    r"\W*(?:(?:load|show|view|see|display) (?:more|all)(?: (?:\d+|rows|results|items|entries|records)\b.*)?|"
    r"more results|(?:mehr|alle|weitere) (?:laden|anzeigen|zeigen)|(?:voir|afficher) (?:plus|tout)|"
    r"(?:ver|mostrar|cargar) (?:más|todo)s?|(?:mostra|vedi|carica) (?:altr[io]|tutt[io])|"
    r"показать (?:ещё|еще|все)|もっと見る|加载更多)\W*",
    re.IGNORECASE,
)
_BRACE = re.compile(r"([{}])")
_HIDES = re.compile(r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)", re.IGNORECASE)
_BY_CLASS = re.compile(r"[a-z]*([.#][\w-]+)")


def hides_rows(root: HtmlElement) -> bool:
    """Tell whether a style sheet of the page itself hides a row of a table, or what is in one: a script may show it."""
    rules = (rule for each in root.iter("style") for rule in _hiding_rules(each.text or ""))
    selectors = (part.strip() for rule in rules for part in rule.split(","))
    named = {match[1] for each in selectors if (match := _BY_CLASS.fullmatch(each))}
    return bool(named) and any(not named.isdisjoint(_called(each)) for row in root.iter("tr") for each in row.iter())


def _hiding_rules(sheet: str) -> Iterator[str]:
    """Give the selectors of rules that hide something, but for those inside "@media" and the like."""
    first, *rest = sheet.split("/*")
    parts = _BRACE.split("".join([first, *(each.partition("*/")[2] for each in rest)]))
    opened: list[str] = []
    for text, brace in zip(parts[::2], parts[1::2], strict=False):
        if brace == "{":
            opened.append(text)
        elif opened:
            selectors = opened.pop().rpartition(";")[2]
            if not opened and _HIDES.search(text):
                yield selectors


def _called(element: HtmlElement) -> Iterator[str]:
    yield f"#{element.get('id')}"
    yield from (f".{name}" for name in classes_of(element))


def hides_more(root: HtmlElement) -> bool:
    """Tell whether the page has a button or a link that gets the rest of a list."""
    return any(_GETS_MORE.fullmatch(visible_text(each)) for each in root.iter("button", "a"))


def states_more(returned: int, markdown: str) -> bool:
    """Tell whether the page states more records than came back, be they on another page or not.

    >>> states_more(10, "Showing the first 10 of 200 entries"), states_more(10, "10 results")
    (True, False)
    """
    stated = stated_total(markdown)
    if stated is not None and stated.strength != "loose" and stated.total > returned:
        return True
    return any(int(part) == returned < int(whole) for part, whole in _PART_OF.findall(markdown))
