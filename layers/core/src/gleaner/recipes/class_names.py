"""What class names tell: what an element is, how it looks, or which build of a site it belongs to."""

import re
from functools import lru_cache

from lxml.html import HtmlElement

from gleaner.html.dom import classes_of

_HASHED = re.compile(r"(?=[^\d]*\d)(?=[^a-z]*[a-z])[a-z0-9]{4,}$|[0-9a-f]{5,}$|^(?:css|sc|jsx|styled)-", re.I)
_STEM = re.compile(r"([A-Za-z][\w-]*[A-Za-z]{3}(?:__|--|_|-))([A-Za-z0-9]{4,10})")
_LOOKS = re.compile(
    r"(?:-?(?:[mp][trblxy]?|w|h|min-[wh]|max-[wh]|text|bg|font|border|rounded|gap|items|justify|flex|grid|col|row|shadow|"
    r"leading|tracking|space-[xy]|z|top|left|right|bottom|inset|opacity|order|size|basis|divide|ring|(?:sm|md|lg|xl):.*)"
    r"(?:-[\w./%\[\]]+)+|border|rounded|flex|grid|col|row|shadow|size|top|left|right|bottom|ring|(?:sm|md|lg|xl):.*)$"
)
"""Classes for looks, most of which have a size or a side behind them: a bare "p" or "text" is a site's own name."""

_TERM = re.compile(r"(?:[a-z]+_)*(?:category|cat|tag|author|brand|genre|topic|term)-(?=\w)|(?:[a-z]+_)+type-(?=\w)")
_ADVERTISING = re.compile(
    r"(?:^|[-_])(?:ads?|advert\w*|sponsor\w*|promo\w*|paid|partner\w*|werbung|anzeigen?)(?:$|[-_])"
)


@lru_cache(maxsize=4096)
def is_hashed(token: str) -> bool:
    """Tell whether a class name looks made by a build tool: another one tomorrow.

    >>> is_hashed("css-3fa91c"), is_hashed("product-price")
    (True, False)
    """
    return any(_HASHED.search(part) for part in re.split(r"[-_]+", token)) or bool(_HASHED.match(token))


@lru_cache(maxsize=4096)
def stem_of(token: str) -> str:
    """Give what stays of a class name that a build tool made of a telling one; "" when nothing does.

    >>> stem_of("ProductCard_price__3fa91"), stem_of("css-3fa91c"), stem_of("price")
    ('ProductCard_price__', '', '')
    """
    parts = _STEM.fullmatch(token)
    if parts is None or not is_hashed(parts[2]):
        return ""
    return parts[1] if is_telling_class(parts[1]) and is_telling_class(parts[1].rstrip("_-")) else ""


def is_telling_class(token: str) -> bool:
    """Tell whether a class name may say what an element is: neither made by a build tool, nor for looks, nor a term.

    >>> is_telling_class("product-price"), is_telling_class("css-3fa91c"), is_telling_class("text-sm")
    (True, False, False)
    """
    return not is_hashed(token) and not _LOOKS.match(token) and not names_a_term(token)


def names_a_term(token: str) -> bool:
    """Tell whether a class says under which term of a taxonomy a record is filed: data, as content systems write it.

    WordPress gives each post its categories and tags, of any taxonomy; a new one is no new kind of record, unless it
    says that the record is an advertisement.

    >>> names_a_term("category-politics"), names_a_term("product_cat-jugs"), names_a_term("tag-sponsored")
    (True, True, False)
    """
    return _TERM.match(token) is not None and not names_an_ad(token)


def names_an_ad(token: str) -> bool:
    """Tell whether a class says that an element is an advertisement.

    >>> names_an_ad("card--sponsored"), names_an_ad("adsl")
    (True, False)
    """
    return _ADVERTISING.search(token) is not None


def telling_classes(element: HtmlElement) -> list[str]:
    """Give the classes of an element that may say what it is, and what is telling of those that a build tool made."""
    tokens = dict.fromkeys(classes_of(element))
    return [token for token in tokens if is_telling_class(token)] + [stem for one in tokens if (stem := stem_of(one))]


def steady_classes(element: HtmlElement) -> tuple[str, ...]:
    """Give an element's classes that no build tool made, in order."""
    return _steady(element.get("class") or "")


@lru_cache(maxsize=4096)
def _steady(classes: str) -> tuple[str, ...]:
    return tuple(sorted(token for token in classes.split() if not is_hashed(token)))


def sign_of(element: HtmlElement) -> str:
    """Give an element's tag and its steady classes: "li.card.new"."""
    return ".".join([str(element.tag), *steady_classes(element)])
