"""Graphics as text: stars, marks and icons, by what their markup says.

A person sees four stars; the markup says ``aria-label="4 of 5 stars"``, ``data-rating="4"`` or ``class="stars four"``.
Written as text, Markdown, proof and recipes read it like any other.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

from lxml.html import HtmlElement

from gleaner.html.dom import Words, find_attributes, raw_text
from gleaner.html.layout import collapse

_NAMED = [find_attributes(name) for name in ("aria-label", "title")]
_RATED = [find_attributes(name) for name in ("data-rating", "data-score", "data-stars", "rating")]
_CLASSES = find_attributes("class")
_CODED = find_attributes("data-cfemail")
_GAUGED = find_attributes("aria-valuenow")
_GRAPHICS = frozenset(("span", "i", "em", "b", "div", "p", "abbr", "svg", "figure", "meter", "progress"))
_SPEAKING = frozenset(("img", "input", "select", "button", "textarea", "iframe", "video", "audio", "object", "embed"))
_GAUGES = ("progress", "meter")
_EMPHASIS = frozenset(("i", "em", "b"))
_CELLS = frozenset(("td", "th", "dd"))
_CODE = re.compile(r"(?:[0-9a-fA-F]{2}){4,160}")
_LONGEST = 80
_DRAWN_STARS = "★☆⭐✩✪✫✭✮✯✰⯪⯨½ \t\r\n\xa0"
_MAY_RATE = re.compile("star|rating", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,3}(?:[.,]\d{1,2})?")
_STARS = re.compile(r"(?:^|[-_])(?:stars?|rating|rated)[-_]?([0-5])(?:[-_.]?(5))?$")
_FEWEST_STARS = 3
_WORDS = {word: number for number, word in enumerate(("zero", "one", "two", "three", "four", "five"))}


def replace_graphics_with_text(root: HtmlElement, words: Words, classes: Collection[str]) -> None:
    """Write into each graphic without text what its markup says of it.

    ``words`` are the page's (`words_of`): what they do not name is not looked for, which is a walk each. ``classes``
    are what its class attributes say (`class_values`).

    Names count where they hold a number, stand for an image, or are all that a table's cell shows; not those of
    controls, which say what a click does. Numbers of stars count where they are no steps of a scale.
    """
    rare = [*root.iter("rt", *_GAUGES)]  # one walk in place of one for each
    _set_readings_apart([one for one in rare if one.tag == "rt"])
    _read_gauges(root, words, [one for one in rare if one.tag in _GAUGES])
    speaking: set[HtmlElement] = set()
    for find in _NAMED:
        for element, name in find(root, words):
            _name(element, collapse(name), speaking)
    rated = {element: stars for find in _RATED for element, stars in find(root, words)}
    if _MAY_RATE.search("\n".join(classes)) and any(map(_stars_of, classes)):
        rated |= {element: stars for element, stars in _starred(root) if element not in rated}
    steps = Counter(element.getparent() for element in rated)
    for element, stars in rated.items():
        is_drawn = bool(raw_text(element).strip())  # its class may count halves: "rated-4" of ★★
        row = _row_of_stars(element) if is_drawn else element
        if steps[element.getparent()] == 1 and _NUMBER.fullmatch(stars) and row is not None and _is_silent(row):
            _voice(row, f"Rating: {stars}")


def _row_of_stars(element: HtmlElement) -> HtmlElement | None:
    """Give what holds nothing but stars in an element that says something beside them: a title with its rating."""
    for star in element.iterdescendants("i", "span", "svg"):
        row = star.getparent()
        if row is None or row is element or raw_text(row).strip() or len(row) < _FEWEST_STARS:
            continue
        if all("star" in one.get("class", "") and not len(one) for one in row):
            return row
    return None


def show_hidden_mail(root: HtmlElement, words: Words) -> None:
    """Write the mail addresses that a page's script would write."""
    for element, code in _CODED(root, words):
        if address := decoded_mail(code):
            element.text = address


def decoded_mail(code: str) -> str:
    """Give the mail address of a code whose first byte is the key to the others; "" for what is no such code.

    >>> decoded_mail("5a3b34341a227434362e"), decoded_mail("5a3b")
    ('ann@x.nlt', '')
    """
    if not _CODE.fullmatch(code):
        return ""
    key, *rest = bytes.fromhex(code)
    address = bytes(byte ^ key for byte in rest).decode("utf-8", "replace")
    return address if "@" in address and address.isprintable() else ""


def _read_gauges(root: HtmlElement, words: Words, gauges: Iterable[HtmlElement]) -> None:
    """Write how full a bar is that has no words of its own."""
    for bar in gauges:
        _read_gauge(bar, bar.get("value", ""), bar.get("min", "0"), bar.get("max", "1"))
    for bar, value in _GAUGED(root, words):
        if bar.get("role") in ("progressbar", "meter"):
            _read_gauge(bar, value, bar.get("aria-valuemin", "0"), bar.get("aria-valuemax", "100"))


def _read_gauge(bar: HtmlElement, *figures: str) -> None:
    try:
        value, least, most = map(float, figures)
    except ValueError:
        return
    if least <= value <= most and least < most < float("inf") and _is_silent(bar):
        _voice(bar, f"{round((value - least) / (most - least) * 100, 1):g}%")


def _set_readings_apart(readings: Iterable[HtmlElement]) -> None:
    """Put brackets around how a word is read, which stands above it in small letters, where the page brings none."""
    for reading in readings:
        word = reading.getparent()
        if word is not None and word.find("rp") is None and (said := raw_text(reading).strip()):
            for child in list(reading):
                reading.remove(child)
            reading.text = f"({said})"


def _name(element: HtmlElement, name: str, speaking: set[HtmlElement]) -> None:
    """Voice a graphic by its name, if that tells; ``speaking`` are the cells that are known to show text."""
    role = element.get("role")
    if not name or len(name) > _LONGEST or role not in (None, "img", "meter") or element.get("aria-hidden") == "true":
        return
    if not _is_silent(element) or next(element.iterancestors("button"), None) is not None:
        return
    if role == "img" or any(character.isdigit() for character in name) or _fills_a_cell(element, speaking):
        _voice(element, name)


def _voice(element: HtmlElement, text: str) -> None:
    element.text = f" {text} "  # a picture stands apart from the words beside it
    if element.tag in _EMPHASIS:
        element.tag = "span"  # an icon, not an emphasis


def _is_silent(element: HtmlElement) -> bool:
    """Tell whether an element is a graphic that shows no text, image or field of its own; drawn stars are no text."""
    if not (element.tag in _GRAPHICS or "-" in str(element.tag)) or raw_text(element).strip(_DRAWN_STARS):
        return False
    return not any(node.tag in _SPEAKING for node in element.iterdescendants())


def _fills_a_cell(element: HtmlElement, speaking: set[HtmlElement]) -> bool:
    """Tell whether an element is to be all that its cell shows; each cell is looked through once."""
    cell = next(element.iterancestors(*_CELLS), None)
    if cell is None or cell in speaking:
        return False
    speaking.add(cell)  # by its own text, or by the name that the element is given now
    return not raw_text(cell).strip()


def _starred(root: HtmlElement) -> Iterator[tuple[HtmlElement, str]]:
    """Give the elements whose classes tell a number of stars: "star-rating Three", "stars-4"."""
    for element, classes in _CLASSES(root):
        if stars := _stars_of(classes):
            yield element, stars


@lru_cache(maxsize=1024)
def _stars_of(classes: str) -> str:
    names = classes.lower().split() if "star" in classes.lower() or "rating" in classes.lower() else []
    found = {_WORDS[name] for name in names if name in _WORDS}
    found |= {float(f"{match[1]}.{match[2] or 0}") for name in names if (match := _STARS.search(name))}
    return f"{found.pop():g}" if len(found) == 1 else ""
