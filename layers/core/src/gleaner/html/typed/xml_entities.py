"""Resolve XML entities safely: HTML's names, and texts that the document declares."""

import re
from html import escape
from html.entities import html5

_REFERENCE = re.compile(r"<!\[CDATA\[.*?(?:\]\]>|\Z)|&([A-Za-z][\w.-]{0,63});", re.DOTALL)
_DECLARED = re.compile(
    r"<!ENTITY\s+([A-Za-z][\w.-]{0,63})\s+([\"'])"
    r"((?:(?!\2)[^<&%]|&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9A-Fa-f]{1,6});)*+)\2\s*>"
)
_OF_XML = frozenset({"amp", "lt", "gt", "quot", "apos"})


def resolve_entities(text: str) -> str:
    """Give an XML text with what names stand for: texts that it declares itself, and the characters of HTML.

    Names that are declared by other names, or elsewhere, stay as they are; nothing is fetched, and the text grows to
    twice its length at the most.

    >>> resolve_entities("<a>caf&eacute; &amp; <![CDATA[&eacute;]]> &none;</a>")
    '<a>café &amp; <![CDATA[&eacute;]]> &none;</a>'
    >>> resolve_entities("<!DOCTYPE a [<!ENTITY co 'Lund &amp; Sons'>]><a>&co;</a>")
    "<!DOCTYPE a [<!ENTITY co 'Lund &amp; Sons'>]><a>Lund &amp; Sons</a>"
    """
    if "&" not in text:
        return text
    declared: dict[str, str] = {}
    for entity in _DECLARED.finditer(text) if "<!ENTITY" in text else ():
        declared.setdefault(entity[1], entity[3])
    left = len(text)

    def meant(reference: re.Match[str]) -> str:
        nonlocal left
        name = reference[1]
        if name is None or name in _OF_XML:
            return reference[0]
        said = declared.get(name)
        if said is None:
            said = escape(html5.get(f"{name};", ""))
        left -= len(said)
        return said if said and left >= 0 else reference[0]

    return _REFERENCE.sub(meant, text)
