"""Find an image's real source: lazy-loading attributes, ``srcset``, ``<picture>``, ``<noscript>``.

No list of attributes: one that holds the address of an image, or a ``srcset``, is where a lazy image is, while its
``src`` is missing, written into the page, or a placeholder. A placeholder is never given.
"""

import json
import re
from collections.abc import Iterable, Iterator

from lxml.html import HtmlElement

from gleaner.contracts.word_lists import listed
from gleaner.html.dom import Words, raw_text

_VIEWPORT = 1280
"""The width in pixels for which an image is chosen from a ``srcset``, on a screen of one pixel a dot."""

_IMAGE_ADDRESS = re.compile(
    r"(?<![^\s\"'<>{}])(?:https?:)?[^\s\"'<>{}]*\.(?:jpe?g|jfif|png|gif|webp|avif|svg|bmp|tiff?|heic)(?:[?#!:&][^\s\"'<>]*)?",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"(?:https?:)?//[^\s{}]+|\.{0,2}/[^\s{}]+")
_LAZY_NAME = re.compile(r"(?:data-)?(?:[a-z]+-)*(?:lazy|original|src|image|img)(?:-?(?:src|url|image|img|original))?")
_SURELY_LAZY = re.compile(r"data-src|(?:data-)?(?:[a-z]+-)*(?:lazy|original)(?:-?(?:src|url))?|lazy-?src")
_SET_NAME = re.compile(r"(?:[a-z]+-)*srcset")
_OTHER = listed(
    "alt title class id style width height sizes loading decoding longdesc usemap data-alt data-caption data-title"
)
_PLACEHOLDER = re.compile(
    r"(?:img|image|lazy|product|grey|gray|white)?[-_.]?(?:place-?holder|spacer|blank|pixel|transparent|transp|trans|"
    r"loading|loader|lazy-?load|dummy|empty|clear|1x1|1px|preload(?:er)?|no-?image)"
    r"(?:[-_.]?(?:image|img|gif|bg|small|large|\d+(?:x\d+)?|ring))*",
    re.IGNORECASE,
)
_BLANKS = " \t\n\f\r"
_DESCRIPTOR = re.compile(r"(?<!\d)(\d+(?:\.\d+)?)([wxh])")
_LONGEST = 4_000


def image_source(element: HtmlElement) -> str:
    """Give the address of an image as the page writes it; "" when it shows a placeholder, or none at all.

    >>> from lxml.html import fromstring
    >>> [image_source(fromstring(f"<img src=spacer.gif {more}>")) for more in ("data-full=/a.jpg", "")]
    ['/a.jpg', '']
    """
    return _source(element, frozenset())


def resolve_images(root: HtmlElement, words: Words) -> None:
    """Write into the ``src`` of each lazy image where it really is; before ``<noscript>`` is taken out.

    ``words`` are the page's (`words_of`).
    """
    images = list(root.iter("img"))
    has_fallbacks = "noscript" in words.names
    by_source = dict[str, list[HtmlElement]]()
    for image in images:
        by_source.setdefault(image.get("src") or "", []).append(image)
    repeated = frozenset(src for src, some in by_source.items() if src and len(some) > 1 and _differ(some))
    for image in images:
        source = _source(image, repeated)
        if not source and has_fallbacks:
            source = _fallback_of(image)
        if source and source != image.get("src"):
            image.set("src", source)
        elif not source and image.get("src") in repeated:
            del image.attrib["src"]


def _differ(images: Iterable[HtmlElement]) -> bool:
    """Tell whether images of one ``src`` are different ones by their other attributes."""
    return len({found for image in images if (found := next(_in_attributes(image), ""))}) > 1


def _source(element: HtmlElement, placeholders: frozenset[str]) -> str:
    src = (element.get("src") or "").strip(_BLANKS)
    lazy = next((value for name, value in _values(element) if _SURELY_LAZY.fullmatch(name) and _is_address(value)), "")
    if lazy and not is_placeholder(lazy):
        return lazy
    if src and src not in placeholders and not is_placeholder(src):
        return src
    candidates = (*_in_attributes(element), *_in_picture(element))
    return next((one for one in candidates if one != src and not is_placeholder(one)), "")


def is_placeholder(address: str) -> bool:
    """Tell whether an address is that of no picture: written into the page, or of a file that is named for being empty.

    >>> [is_placeholder(one) for one in ("data:image/gif;base64,R0", "/img/spacer.gif", "/pixel-phone.jpg", "")]
    [True, True, False, True]
    """
    if not address or address[:5].lower() in ("data:", "about", "blob:"):
        return True
    name = address.partition("?")[0].partition("#")[0].rpartition("/")[2]
    return _PLACEHOLDER.fullmatch(name.rpartition(".")[0] or name) is not None


def _values(element: HtmlElement) -> Iterator[tuple[str, str]]:
    for name, value in element.attrib.items():
        if name != "src" and name not in _OTHER and value:
            yield str(name).lower(), value.strip(_BLANKS)


def _in_attributes(element: HtmlElement) -> Iterator[str]:
    """Give the addresses that attributes other than ``src`` hold, the surest ones first."""
    found: list[tuple[int, str]] = []
    for name, value in _values(element):
        if len(value) > _LONGEST:
            continue
        if _SURELY_LAZY.fullmatch(name) and _is_address(value):
            found.append((0, value))
        elif value[:1] in ("{", "["):
            found += [(3, chosen)] if (chosen := _in_json(value)) else []
        elif _SET_NAME.fullmatch(name) or (", " in value and _IMAGE_ADDRESS.search(value)):
            found += [(1, chosen)] if (chosen := choose(parse_srcset(value))) else []
        elif _IMAGE_ADDRESS.fullmatch(value) or (_LAZY_NAME.fullmatch(name) and _ADDRESS.fullmatch(value)):
            found.append((2, value))
    yield from (value for _, value in sorted(found, key=lambda pair: pair[0]))


def _is_address(value: str) -> bool:
    return any(sign in value for sign in "/.") and not any(sign in value for sign in " \t\n{}<>")


def _in_json(value: str) -> str:
    try:
        data = json.loads(value)
    except (ValueError, RecursionError):
        return ""
    pending = [data]
    while pending:
        one = pending.pop(0)
        if isinstance(one, str) and _IMAGE_ADDRESS.fullmatch(one):
            return one
        if isinstance(one, dict):
            pending.extend((*one.keys(), *one.values()))  # pyright: ignore[reportUnknownArgumentType]
        elif isinstance(one, list):
            pending.extend(one)  # pyright: ignore[reportUnknownArgumentType]
    return ""


def _in_picture(element: HtmlElement) -> Iterator[str]:
    """Give what the sources of a ``<picture>`` around an image would show."""
    parent = element.getparent()
    if parent is None or parent.tag != "picture":
        return
    for source in parent.iter("source"):
        yield from _in_attributes(source)


def _fallback_of(image: HtmlElement) -> str:
    """Give the image that a ``<noscript>`` beside a lazy one shows; pages write it in for browsers without scripts."""
    node = image
    for _ in range(2):
        for near in (node.getnext(), node.getprevious()):
            if near is not None and near.tag == "noscript":
                found = [source for one in near.iter("img") if (source := image_source(one))]
                found = found or re.findall(r"<img\b[^>]*?\ssrc\s*=\s*[\"']?([^\"'\s>]+)", raw_text(near))
                if len(found) == 1:
                    return found[0]
        parent = node.getparent()
        if parent is None or parent.tag not in ("picture", "a", "span", "div", "figure"):
            break
        node = parent
    return ""


def parse_srcset(text: str) -> list[tuple[str, str]]:
    """Give the addresses of a ``srcset`` with their descriptors, as the HTML standard parses it.

    A comma ends an address only at its end, so one may hold commas; descriptors end at a comma outside of brackets.

    >>> parse_srcset("/w_3,h_2/a.jpg 300w, /b.jpg 600w,/c.jpg")
    [('/w_3,h_2/a.jpg', '300w'), ('/b.jpg', '600w'), ('/c.jpg', '')]
    """
    candidates: list[tuple[str, str]] = []
    position, end = 0, len(text)
    while position < end:
        while position < end and text[position] in _BLANKS + ",":
            position += 1
        start = position
        while position < end and text[position] not in _BLANKS:
            position += 1
        address = text[start:position]
        if not address:
            break
        if address.endswith(","):
            candidates.append((address.rstrip(","), ""))
            continue
        start, depth = position, 0
        while position < end and (text[position] != "," or depth):
            depth += {"(": 1, ")": -1}.get(text[position], 0)
            position += 1
        candidates.append((address, text[start:position].strip(_BLANKS)))
    return candidates


def choose(candidates: list[tuple[str, str]]) -> str:
    """Give the address that a browser shows on a screen of usual width: the smallest that fills it, else the largest.

    >>> choose([("/s.jpg", "320w"), ("/l.jpg", "1600w"), ("/xl.jpg", "3200w")])
    '/l.jpg'
    """
    sized = [(_density(descriptor), address) for address, descriptor in candidates if not is_placeholder(address)]
    large = [pair for pair in sized if pair[0] >= 1]
    if large:
        return min(large, key=lambda pair: pair[0])[1]
    return max(sized, key=lambda pair: pair[0])[1] if sized else ""


def _density(descriptor: str) -> float:
    found = _DESCRIPTOR.search(descriptor)
    if found is None or found[2] == "h":
        return 1.0
    return float(found[1]) / (_VIEWPORT if found[2] == "w" else 1)
