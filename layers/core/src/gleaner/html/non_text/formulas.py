r"""Formulas as TeX, from annotations, scripts, attributes or MathML.

A formula stands in the Markdown as ``$\sqrt{2}$``, so that none of its numbers can be taken for the value of it all;
one that is a mere number or word stands there as such.
"""

import re
from collections.abc import Iterator
from typing import cast

from lxml import etree
from lxml.html import HtmlElement

from gleaner.contracts.word_lists import listed
from gleaner.html.dom import Words, clean_text, find_attributes, mark_dropped, raw_text, remove_dropped
from gleaner.html.layout import collapse

_SPOKEN = re.compile(r"data-(?:[a-z-]*-)?(?:math|latex|tex|formula|equation|katex|asciimath|expression)(?:-[a-z]+)?")
_SIGNS = (b"math", b"latex", b"formula", b"equation", b"-tex", b"-expression", b"\\frac", b"displaystyle")
"""Without one of these a page has no picture of a formula."""

_TEX_SCRIPT = re.compile(r"math/(?:tex|latex|asciimath)\b|(?:application|text)/x-tex", re.IGNORECASE)
_MATHML_SCRIPT = re.compile(r"math/mml\b", re.IGNORECASE)
_COMMAND = re.compile(r"\\[A-Za-z]+|[\^_]\{")
_FORMULA = re.compile(r"[\\^_{}=+*/<>()|−×·-]|^[A-Za-z]$|^\d[\d.,]*$")
_STYLE = re.compile(r"\{?\\(?:display|text|script)style\s*(?![A-Za-z])(.*?)\}?", re.DOTALL)
_NUMBER_AND_PART = re.compile(r"(\d{0,3})\s?\\frac\{(\d{1,2})\}\{(\d{1,2})\}")
_PLAIN = re.compile(r"[^\\^_{}$]*")
_MATH_IMAGE = re.compile(r"(?:^|[^a-z])(?:latex|math|tex|equation|formula)(?![a-z])", re.IGNORECASE)
_WRAPPERS = listed("span mjx-container mjx-assistive-mml nobr")
_MOST_STEPS = 3
_MOST_BESIDE = 6
_DEEPEST = 60
_LONGEST = 2_000
_TEX_COMMAND = re.compile(r"\\(?:begin|end|operatorname\*?|mathrm|mathbb|label|ref)\s*\{[^{}]*\}|\\[a-zA-Z]+|\\.")
_TEX_WORD = re.compile(r"[^\W\d_]{3,}")
_SCRIPTED = {"msup": "^", "msub": "_", "mover": "^", "munder": "_"}
_BOTH = ("msubsup", "munderover")
_UNSEEN = listed("annotation annotation-xml mphantom malignmark maligngroup none mprescripts")
_INVISIBLE = dict.fromkeys(map(ord, "\u2061\u2062\u2063\u2064\u200b"))
_ENDS_OPEN = re.compile(r"(?:[\^_]\w|\d|\\[A-Za-z]+)\Z")
_ACCENTS = {"¯": "overline", "‾": "overline", "^": "hat", "→": "vec", "~": "tilde", "˙": "dot"}


def write_formulas_as_tex(root: HtmlElement, words: Words) -> None:
    """Put each formula's TeX in its place, and drop what draws it a second time.

    ``words`` are the page's (`words_of`). Before scripts are taken out, and hidden text: some pages hide the MathML.
    """
    for script in list(root.iter("script")):
        _read_script(script)
    if "math" in words.names:
        for formula in list(root.iter("math")):
            _write(formula, tex_of(formula))
    for name in sorted(filter(_SPOKEN.fullmatch, words.names)):
        for element, value in find_attributes(name)(root, words):
            _read_attribute(element, value)
    for image in list(root.iter("img")):
        _read_image(image, words)
    remove_dropped(root)


def tex_of(formula: HtmlElement) -> str:
    """Give the TeX of a ``<math>``: its annotation's or its attribute's, else what its elements mean."""
    for note in formula.iter("annotation"):
        is_tex = "tex" in (note.get("encoding") or "").lower()
        if is_tex and (tex := collapse(raw_text(note))) and _says_what_is_drawn(tex, formula):
            return tex
    said = collapse(formula.get("alttext") or "")
    return said if _COMMAND.search(said) or (said and not len(formula)) else collapse(_row(formula, 0))


def _says_what_is_drawn(tex: str, formula: HtmlElement) -> bool:
    """Tell whether TeX writes what a formula shows: annotations are seen by nobody, and may say anything.

    Its words, commands left out, stand in the formula's own text.
    """
    notes = {part for note in formula.iter("annotation", "annotation-xml") for part in note.iter()}
    shown = "".join("".join((one.text or "") for one in formula.iter() if one not in notes).split()).casefold()
    words = _TEX_WORD.findall(_TEX_COMMAND.sub(" ", tex).casefold())
    return not shown or all(word in shown for word in words)


def as_text(tex: str) -> str:
    r"""Give TeX as it stands in Markdown: between dollar signs, but for a mere number or word.

    >>> as_text(r"{\displaystyle x^{2}}"), as_text("5.5")
    ('$x^{2}$', '5.5')
    """
    plain = tex.strip().strip("$").strip()
    styled = _STYLE.fullmatch(plain)
    plain = styled[1].strip() if styled and styled[1].count("{") == styled[1].count("}") else plain
    for start, end in (("\\(", "\\)"), ("\\[", "\\]")):
        if plain.startswith(start) and plain.endswith(end):
            plain = plain[2:-2].strip()
    if part := _NUMBER_AND_PART.fullmatch(plain):
        return f"{part[1]} {part[2]}\u2044{part[3]}".strip()
    return clean_text(plain if _PLAIN.fullmatch(plain) else f"${plain}$")


def _write(element: HtmlElement, tex: str) -> None:
    """Make an element the text of its formula, seen where its drawing was seen, and drop the drawing."""
    if not tex:
        return
    drawn = list(_drawn(element))
    tail = element.tail
    for name in element.attrib if drawn else ():
        del element.attrib[name]
    element[:] = []
    element.tag, element.text, element.tail = "span", as_text(tex), tail
    for one in drawn:
        mark_dropped(one)


def _drawn(element: HtmlElement) -> Iterator[HtmlElement]:
    """Give what stands beside a formula for the eye alone: the same a second time, in spans or as a picture.

    Where there is such a thing, the wrappers of the formula itself are no longer hidden.
    """
    node = element
    for _ in range(_MOST_STEPS):
        parent = node.getparent()
        if parent is None or parent.tag not in _WRAPPERS or len(parent) > _MOST_BESIDE:
            return
        beside = [one for one in parent if one is not node and _is_drawing(one)]
        if beside:
            inner = element
            while inner is not parent:
                inner = inner.getparent()
                for name in ("style", "hidden", "data-gleaner-hidden") if inner is not parent else ():
                    inner.attrib.pop(name, None)
            yield from beside
        node = parent


def _is_drawing(element: HtmlElement) -> bool:
    if element.tag == "img":
        return True
    return element.get("aria-hidden") == "true" and bool(raw_text(element).strip())


def _read_script(script: HtmlElement) -> None:
    """Make a script of TeX or MathML a formula; what MathJax drew of it stands before it."""
    kind, source = script.get("type") or "", (script.text or "").strip()
    if not source or not (_TEX_SCRIPT.search(kind) or _MATHML_SCRIPT.match(kind)):
        return
    if _MATHML_SCRIPT.match(kind):
        parsed = etree.fromstring(source.encode(), etree.HTMLParser(encoding="utf-8"))
        formula = parsed.find(".//math") if parsed is not None else None
        source = tex_of(cast(HtmlElement, formula)) if formula is not None else ""
    before = script.getprevious()
    while before is not None and not (before.tail or "").strip() and "mathjax" in (before.get("class") or "").lower():
        mark_dropped(before)
        before = before.getprevious()
    script.attrib.clear()
    script.tag, script.text = "span", as_text(collapse(source))


def _read_attribute(element: HtmlElement, value: str) -> None:
    """Make an element the formula that its attribute says."""
    value = collapse(value)
    is_formula = 0 < len(value) <= _LONGEST and _FORMULA.search(value)
    if not is_formula or next(element.iter("p", "table", "ul", "h1", "h2", "h3", "form", "article"), None) is not None:
        return
    if value.startswith("<"):
        parsed = etree.fromstring(value.encode(), etree.HTMLParser(encoding="utf-8"))
        formula = parsed.find(".//math") if parsed is not None else None
        value = tex_of(cast(HtmlElement, formula)) if formula is not None else ""
    if value and not value.startswith(("http:", "https:", "/")):
        _write(element, value)


def _read_image(image: HtmlElement, words: Words) -> None:
    """Make the picture of a formula the TeX that its alternative text gives."""
    said = collapse(image.get("alt") or "")
    if not said or len(said) > _LONGEST or not _FORMULA.search(said):
        return
    names = " ".join((image.get("class") or "", image.get("src") or ""))
    if not any(sign in words for sign in _SIGNS):
        return
    if (_COMMAND.search(said) and "\\" in said) or (_MATH_IMAGE.search(names) and " " not in said[:40].strip()):
        image.attrib.clear()
        image.tag, image.text = "span", as_text(said)


# MathML to TeX -------------------------------------------------------------------------------------------------------


def _row(element: HtmlElement, depth: int) -> str:
    """Give the TeX of all that stands in an element, one after the other."""
    own = (element.text or "").strip() if not len(element) else ""
    pieces = [own, *(piece for child in element for piece in (_piece(child, depth + 1), (child.tail or "").strip()))]
    return _joined(pieces).translate(_INVISIBLE)


def _joined(pieces: list[str]) -> str:
    text = ""
    for piece in pieces:
        needs_space = (
            _ENDS_OPEN.search(text[-40:]) and piece[:1].isalnum() and not (text[-1:].isalpha() and piece[:1].isdigit())
        )
        text += f" {piece}" if needs_space else piece
    return text


def _piece(element: HtmlElement, depth: int) -> str:
    tag = str(element.tag)
    if tag in _UNSEEN:
        return ""
    if depth > _DEEPEST or not len(element):
        return _token(element, tag)
    parts = [child for child in element if child.tag not in ("annotation", "annotation-xml")]
    if tag == "mfrac" and len(parts) == 2:
        return f"\\frac{{{_row_of(parts[0], depth)}}}{{{_row_of(parts[1], depth)}}}"
    if tag in ("msqrt", "mroot"):
        inside = _row_of(parts[0], depth) if tag == "mroot" else _row(element, depth)
        index = f"[{_row_of(parts[1], depth)}]" if tag == "mroot" and len(parts) == 2 else ""
        return f"\\sqrt{index}{{{inside}}}"
    if tag in _SCRIPTED and len(parts) == 2:
        return _scripted(tag, _row_of(parts[0], depth), _row_of(parts[1], depth))
    if tag in _BOTH and len(parts) == 3:
        base, low, high = (_row_of(part, depth) for part in parts)
        return f"{_based(base)}_{_braced(low)}^{_braced(high)}"
    if tag == "mmultiscripts" and parts:
        return _multiscripts(parts, depth)
    if tag == "mtable":
        return " ".join(("\\begin{matrix}", " \\\\ ".join(_piece(row, depth + 1) for row in parts), "\\end{matrix}"))
    if tag == "mtr":
        return " & ".join(_row(cell, depth) for cell in parts)
    if tag == "mfenced":
        marks = element.get("open", "("), element.get("close", ")")
        return f"{marks[0]}{', '.join(_row_of(part, depth) for part in parts)}{marks[1]}"
    if tag == "menclose" and "radical" in (element.get("notation") or ""):
        return f"\\sqrt{{{_row(element, depth)}}}"
    return _row(element, depth)


def _row_of(element: HtmlElement, depth: int) -> str:
    return _piece(element, depth + 1)


def _token(element: HtmlElement, tag: str) -> str:
    text = collapse(raw_text(element))
    if tag == "mtext" and text:
        return f"\\text{{{text}}}" if not text.isascii() or not text.isdigit() else text
    if tag == "mspace":
        return " "
    if tag == "mo" and text in (",", ";"):
        return f"{text} "
    if tag == "mo":
        return {"{": "\\{", "}": "\\}"}.get(text, text)
    if tag == "mi" and len(text) > 1 and text.isascii() and text.isalpha():
        return f"\\mathrm{{{text}}}"
    return text


def _scripted(tag: str, base: str, script: str) -> str:
    if tag == "mover" and script in _ACCENTS:
        return f"\\{_ACCENTS[script]}{{{base}}}"
    return f"{_based(base)}{_SCRIPTED[tag]}{_braced(script)}"


def _based(base: str) -> str:
    is_single = len(base) <= 1 or re.fullmatch(r"\d+|\\[A-Za-z]+(?:\{[^{}]*\})?|\([^()]*\)", base)
    return base if is_single else f"{{{base}}}"


def _braced(script: str) -> str:
    return script if len(script) == 1 else f"{{{script}}}"


def _multiscripts(parts: list[HtmlElement], depth: int) -> str:
    at = next((at for at, part in enumerate(parts) if part.tag == "mprescripts"), len(parts))
    before, after = ("".join(_script_pairs(some, depth)) for some in (parts[at + 1 :], parts[1:at]))
    return f"{'{}' if before else ''}{before}{_based(_row_of(parts[0], depth))}{after}"


def _script_pairs(scripts: list[HtmlElement], depth: int) -> Iterator[str]:
    for at, script in enumerate(scripts):
        if said := _row_of(script, depth):
            yield f"{'^' if at % 2 else '_'}{_braced(said)}"
