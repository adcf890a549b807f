"""Icons as text: ticks, crosses, stars, currency signs and arrows, by the names in their markup.

A table of plans says yes with ``<i class="fa fa-check"></i>``, a rating is four of ``fa-star`` and one of
``fa-star-o``, a task is done by a checked box that nobody can tick. Written as text, Markdown, proof and recipes read
them as any other.
"""

import re
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, groupby, islice

from lxml.html import HtmlElement

from gleaner.contracts.word_lists import listed
from gleaner.html.dom import Words, find_attributes, raw_text
from gleaner.html.elements import text_behind

_TICK, _CROSS, _DONE, _OPEN = "✓", "✗", "☑", "☐"
_TICKS = listed("check checked checkmark tick ticked ok yes true included available")
_CROSSES = listed("times cross crossed xmark x close cancel no false unchecked excluded unavailable")
_MONEY = {
    **{"₹": "inr rupee", "€": "eur euro", "$": "usd dollar", "£": "gbp sterling", "¥": "jpy yen", "₺": "try lira"},
    **{"₽": "rub rouble ruble", "₩": "krw won", "₪": "ils shekel"},
}
_WAYS = {"up": "▲", "down": "▼"}
_MEANINGS = {
    **dict.fromkeys((*_TICKS, "checkbox marked", "checkbox checked"), _TICK),
    **dict.fromkeys((*_CROSSES, "checkbox blank", "not included"), _CROSS),
    **{name: sign for sign, names in _MONEY.items() for name in names.split()},
    **{f"{shape} {way}": sign for way, sign in _WAYS.items() for shape in ("arrow", "caret", "triangle", "trending")},
}
_STYLES = listed("""
circle square fill filled outline outlined o alt lg sm md xs xl 2x bold solid regular thin light duotone line box round
rounded sharp mark big small thick heavy simple icon icons ico svg img fa fas far fal fab bi ti ri la las glyphicon
glyphicons mdi dashicons ion octicon lucide feather heroicon ph tabler material symbols currency sign indian long trend
drop green red grey gray black white
""")
"""Words of an icon's name that say how it is drawn, or of which set it is."""

_FULL = listed("fill filled full on active gold golden yellow orange checked selected solid fas colored coloured")
_EMPTY = listed(
    "o empty outline outlined border off inactive unfilled muted gray grey blank hollow far regular unchecked"
)
_ICONS = frozenset(("i", "span", "em", "b", "svg", "img", "div", "li"))
_DRAWN = frozenset(("svg", "use", "path", "g", "circle", "rect", "polygon", "polyline", "line", "title"))
_CELLS = ("td", "th", "dd")
_CONTROLS = frozenset(("button", "label", "select", "fieldset"))
_LIGATURES = ("material-icons", "material-symbols")
_DATA_NAMES = [find_attributes(name) for name in ("data-icon", "data-lucide")]
_NAMES = [find_attributes(name) for name in ("icon", "name")]
_DISABLED, _CHECKED = find_attributes("disabled"), find_attributes("checked")
_DRAWN_CHECKED = find_attributes("aria-checked")
_BOXES = frozenset(("checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio", "option", "treeitem"))
"""Roles of what scripts draw in place of a box."""
_RATED = ("aria-label", "title", "data-rating", "data-score", "data-stars", "rating")
_RATING = re.compile(
    r"(?<![\d.,$€£¥])(?<![$€£¥]\s)[0-5][.,]\d{1,2}(?![\d.,]|\s?(?:[$€£¥]|[A-Z]{3}\b|kr|zł))"
    r"|\d\s*(?:/|out of|of|von|sur|de|su)\s*(?:5|10)\b"
)
_FIGURE = re.compile(r"\s*\d")
_CHANGE = re.compile(r"\s*[-+−]?\s?[$€£¥₹]?\s?\d[^%\n]{0,20}%")
_FIGURE_AT_END = re.compile(r"\d[.,]?[-–]?\s*\Z")
_WORD = re.compile(r"[^\W_]+")
_ENDINGS = (3, 4)
"""How many letters the ending of a file's name may have."""
_TELLING = frozenset(word for name in (*_MEANINGS, "star") for word in name.split())
_MOST_STARS = 10
_NEAR = 2
_LONGEST = 80

Icons = dict[HtmlElement, list[str]]
"""Elements without any text, with the names that their markup gives them."""


def replace_icons_with_text(root: HtmlElement, words: Words, classes: Collection[str]) -> None:
    """Write a sign for each tick and cross that is all its cell shows, and for money and arrows that stand at a figure.

    And the rating for each row of stars. Before graphics are settled, for a sprite's name goes with them. ``words`` are
    the page's (`words_of`), ``classes`` what its class attributes say (`class_values`).

    Crosses count where there are ticks, too: others remove what they stand in. Before the words of a list's items both
    must be there: ticks alone are bullets. Stars count where the page shows full ones and others, or rows of different
    lengths. What lies in a control, or has a name that tells a number, is left alone.
    """
    _voice_boxes(root, words)
    icons = {icon: names for icon, names in _icons_in(root, words, classes).items() if not _is_in_control(icon)}
    if not icons:
        return
    signs = {icon: sign for icon, names in icons.items() if (sign := _sign_of(names))}
    _voice_cells({icon: sign for icon, sign in signs.items() if sign in (_TICK, _CROSS)})
    _voice_at_figures({icon: sign for icon, sign in signs.items() if sign not in (_TICK, _CROSS)})
    _voice_stars({icon: found for icon, names in icons.items() if "star" in (found := _words_of(names))})


def _is_beside_another(box: HtmlElement) -> bool:
    """Tell whether another box stands right before or behind one, with nothing between them."""
    before, behind = box.getprevious(), box.getnext()
    follows = before is not None and not (before.tail or "").strip() and _is_box(before)
    return follows or (behind is not None and not (box.tail or "").strip() and _is_box(behind))


def _voice_boxes(root: HtmlElement, words: Words) -> None:
    """Write which boxes are checked: of those that nobody can tick, as in a list of tasks, and where one is chosen.

    Boxes of which none is checked are left alone: what nobody has chosen yet.
    """
    fixed = [box for box, _ in _DISABLED(root, words) if _is_box(box)]
    groups = {_group_of(box) for box, _ in _CHECKED(root, words) if _is_box(box)}
    chosen = [box for box in root.iter("input") if _is_box(box) and _group_of(box) in groups] if groups else []
    for box in dict.fromkeys((*fixed, *chosen)):
        if _is_beside_another(box):  # what is chosen stands elsewhere, as the labels of tabs do
            continue
        _write(box, _OPEN if box.get("checked") is None else _DONE)
    drawn = [box for box, _ in _DRAWN_CHECKED(root, words) if box.tag != "input" and box.get("role") in _BOXES]
    told = {box.get("role") for box in drawn if box.get("aria-checked") == "true"}
    for box in drawn:
        if box.get("role") in told:
            box.text = f" {_DONE if box.get('aria-checked') == 'true' else _OPEN} {box.text or ''}"


def _is_box(element: HtmlElement) -> bool:
    return element.tag == "input" and element.get("type", "").lower() in ("checkbox", "radio")


def _group_of(box: HtmlElement) -> tuple[str, str | None]:
    """Give what boxes share of which one or some are chosen: kind and name."""
    return box.get("type", "").lower(), box.get("name")


def _icons_in(root: HtmlElement, words: Words, classes: Collection[str]) -> Icons:
    """Give what may be an icon for what this module voices; text that a font draws as one is taken out."""
    found: Icons = {}
    finders = (*_DATA_NAMES, *(_NAMES if b"icon" in words else ()))
    named = (pair for find in finders for pair in find(root, words) if "-" in str(pair[0].tag) or pair[0].tag in _ICONS)
    drawn = [*root.iter("use", "title", "img")]
    used = ((use.getparent(), href) for use in drawn if use.tag == "use" and (href := _target_of(use)))
    titled = ((one.getparent(), _taken(one)) for one in drawn if one.tag == "title" and _tells(one.text or ""))
    files = [(image, _file_of(image)) for image in drawn if image.tag == "img" and not image.get("alt")]
    pictures = files if _may_tell(" ".join([name for _, name in files])) else ()
    for element, name in chain(named, used, titled, pictures):
        if element is not None and _tells(name):
            found.setdefault(element, []).append(name)
    has_ligatures = any(sign in one for one in classes for sign in _LIGATURES)
    telling = {one for one in classes if _is_telling(one) or (has_ligatures and _is_ligature(one))}
    for element in root.iter() if telling else ():
        if (named := element.get("class")) in telling:
            names = [_taken(element)] if _is_ligature(named) else []
            found.setdefault(element, []).extend([*names, *named.split()])
    return {element: names for element, names in found.items() if _is_silent(element)}


def _taken(element: HtmlElement) -> str:
    """Take out the text of an element, which is none that a person reads."""
    text, element.text = element.text, None
    return text or ""


def _target_of(use: HtmlElement) -> str:
    return (use.get("href") or use.get("xlink:href") or "").rpartition("#")[2]


def _file_of(image: HtmlElement) -> str:
    """Give the name of a picture's file without its ending, in small letters."""
    path = (image.get("src") or "")[-_LONGEST:].lower().partition("?")[0].partition("#")[0]
    name = path.rpartition("/")[2]
    stem, dot, ending = name.rpartition(".")
    return stem if dot and len(ending) in _ENDINGS and ending.isascii() and ending.isalpha() else name


@lru_cache(maxsize=4096)
def _is_ligature(classes: str) -> bool:
    return any(name.startswith(_LIGATURES) for name in classes.split())


@lru_cache(maxsize=4096)
def _is_telling(classes: str) -> bool:
    return _may_tell(classes.lower()) and any(map(_tells, classes.split()))


@lru_cache(maxsize=4096)
def _tells(name: str) -> bool:
    """Tell whether a name may be that of a tick, a cross or a star."""
    return bool(_meaning_of(name)) or "star" in _WORD.findall(name.lower())


def _may_tell(names: str) -> bool:
    """Tell at little cost whether one of several names may be that of a tick, a cross or a star, or of a sign."""
    return not _TELLING.isdisjoint(_WORD.findall(names))


@lru_cache(maxsize=4096)
def _meaning_of(name: str) -> str:
    """Give the sign that a name stands for, without the words of how it is drawn.

    >>> _meaning_of("fa-check-circle-o"), _meaning_of("bi-x-lg"), _meaning_of("checkout")
    ('✓', '✗', '')
    """
    bare = [word for word in _WORD.findall(name.lower()) if word not in _STYLES]
    return _MEANINGS.get(" ".join(bare), "")


def _sign_of(names: Iterable[str]) -> str:
    signs = {sign for name in names if (sign := _meaning_of(name))}
    return signs.pop() if len(signs) == 1 else ""


def _words_of(names: Iterable[str]) -> frozenset[str]:
    return frozenset(word for name in names for word in _WORD.findall(name.lower()))


def _is_silent(element: HtmlElement) -> bool:
    """Tell whether an element is a graphic that shows no text, and is not inside of another one."""
    if not (element.tag in _ICONS or "-" in str(element.tag)):
        return False
    if (element.text or "").strip() or any(node.tag not in _DRAWN for node in element.iterdescendants()):
        return False
    return element.tag == "svg" or not raw_text(element).strip()


def _is_in_control(element: HtmlElement) -> bool:
    return any(node.tag in _CONTROLS or node.get("role") == "button" for node in element.iterancestors())


# Ticks and crosses ---------------------------------------------------------------------------------------------------


def _voice_cells(signs: dict[HtmlElement, str]) -> None:
    if _TICK not in signs.values():
        return
    cells: dict[HtmlElement, HtmlElement] = {}
    for icon in signs:
        if (cell := next((node for node in icon.iterancestors() if _is_cell(node)), None)) is not None:
            cells.setdefault(cell, icon)
    cells = {cell: icon for cell, icon in cells.items() if not raw_text(cell).strip() and not _is_linked(icon, cell)}
    if _TICK in {signs[icon] for icon in cells.values()}:
        for icon in cells.values():
            _write(icon, signs[icon])
    heads = [icon for icon in signs if _begins_item(icon)]
    if len({signs[icon] for icon in heads}) > 1:
        for icon in heads:
            _write(icon, signs[icon])


def _is_cell(node: HtmlElement) -> bool:
    return node.tag in _CELLS or node.get("role") in ("cell", "gridcell")


def _is_linked(icon: HtmlElement, cell: HtmlElement) -> bool:
    """Tell whether a link leads on from an icon: it does something."""
    link = next(icon.iterancestors("a"), None)
    return link is not None and cell in link.iterancestors()


def _begins_item(icon: HtmlElement) -> bool:
    """Tell whether an icon stands before the words of an item of a list."""
    node = icon
    while node.tag != "li":
        parent = node.getparent()
        if parent is None or node.getprevious() is not None or (parent.text or "").strip() or parent.tag == "a":
            return False
        node = parent
    return bool(raw_text(node).strip())


# Money and arrows ----------------------------------------------------------------------------------------------------


def _voice_at_figures(signs: dict[HtmlElement, str]) -> None:
    """Write a sign of money that stands right at a figure, and an arrow before a change in percent."""
    for icon, sign in signs.items():
        node, parent = _lifted(icon), _lifted(icon).getparent()
        previous, behind = node.getprevious(), text_behind(node)
        before = (previous.tail if previous is not None else parent.text if parent is not None else "") or ""
        if sign in _WAYS.values():
            is_told = _CHANGE.match(behind)
        else:
            is_told = _FIGURE.match(behind) or (_FIGURE_AT_END.search(before) and not _WORD.match(behind.strip()))
        if is_told:
            _write(icon, sign)


# Stars ---------------------------------------------------------------------------------------------------------------


def _voice_stars(stars: dict[HtmlElement, frozenset[str]]) -> None:
    runs = [run for run in _runs_of(stars) if 1 < len(run) <= _MOST_STARS]
    named = [stars[star] for run in runs for star in run]
    common = frozenset[str]().union(*named).intersection(*named)
    kinds = _kinds_of({names - common for names in named})
    if not kinds or (len(kinds) == 1 and len({len(run) for run in runs}) == 1):
        return
    told = {run[0]: [kinds[stars[star] - common] for star in run] for run in runs}
    unsure = _rated_around(told) | _layers({first: sum(values) for first, values in told.items()})
    for first, values in told.items():
        if any(values) and values == sorted(values, reverse=True) and first not in unsure:
            _write(first, f"Rating: {sum(values):g}")


def _rated_around(firsts: Iterable[HtmlElement]) -> set[HtmlElement]:
    """Give the rows of stars beside which the rating is said, or that something around them names."""
    places = {first: list(islice(first.iterancestors(), _NEAR)) for first in firsts}
    rated = {node for node in {*chain.from_iterable(places.values())} if _tells_a_rating(node)}
    return {first for first, nodes in places.items() if not rated.isdisjoint(nodes)}


def _tells_a_rating(node: HtmlElement) -> bool:
    if any(character.isdigit() for key in _RATED for character in node.get(key, "")):
        return True
    said = ""
    for text in node.itertext():
        said += text
        if len(said) > _LONGEST:
            return False
    return _RATING.search(said) is not None


def _layers(ratings: dict[HtmlElement, float]) -> set[HtmlElement]:
    """Give the rows of full stars over empty ones: how wide they are drawn tells the rating, not how many they are."""
    rows = {first: _lifted(first).getparent() for first in ratings}
    bare = {row for row in {*rows.values()} if row is not None and not any(map(str.strip, row.itertext()))}
    unlit = {rows[first] for first, rating in ratings.items() if not rating}
    return {
        first for first, row in rows.items() if row is None or _is_cut(row) or (row in bare and _is_over(row, unlit))
    }


def _is_cut(row: HtmlElement) -> bool:
    return "width" in row.get("style", "")


def _is_over(row: HtmlElement, unlit: Container[HtmlElement | None]) -> bool:
    return any(node is not None and node in unlit for node in (row.getnext(), row.getprevious()))


def _kinds_of(namings: set[frozenset[str]]) -> dict[frozenset[str], float]:
    """Give what each way to name a star counts for: 1, 0.5 or 0; nothing where that is not clear."""
    full = {names for names in namings if not names.isdisjoint(_FULL)}
    empty = {names for names in namings if not names.isdisjoint(_EMPTY)}
    half = {names for names in namings if "half" in names}
    plain = namings - full - empty - half
    if full & empty or len(plain) > 1 or (plain and full - half and empty - half):
        return {}
    counts = dict.fromkeys(full, 1.0) | dict.fromkeys(empty, 0.0)
    return counts | dict.fromkeys(plain, 0.0 if full - half else 1.0) | dict.fromkeys(half, 0.5)


def _runs_of(stars: Iterable[HtmlElement]) -> Iterator[Sequence[HtmlElement]]:
    """Give the stars that stand one after the other, each alone in as many wrappers as it likes."""
    lifted = {_lifted(star): star for star in stars}
    for parent in dict.fromkeys(node.getparent() for node in lifted):
        if parent is not None:
            for is_star, nodes in groupby(parent, lifted.__contains__):
                run = list(nodes)
                if is_star and not any((node.tail or "").strip() for node in run[:-1]):
                    yield [lifted[node] for node in run]


def _lifted(star: HtmlElement) -> HtmlElement:
    node, parent = star, star.getparent()
    while parent is not None and _is_alone(node) and not (parent.text or "").strip() and not (node.tail or "").strip():
        node, parent = parent, parent.getparent()
    return node


def _is_alone(node: HtmlElement) -> bool:
    return node.getprevious() is None and node.getnext() is None


def _write(icon: HtmlElement, text: str) -> None:
    for child in list(icon):
        icon.remove(child)
    icon.tag, icon.text = "span", f" {text} "
