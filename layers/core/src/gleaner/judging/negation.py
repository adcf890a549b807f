"""Reject texts that the page negates: "Wi-Fi: not available" does not say "available"."""

import re

from gleaner.contracts.word_lists import listed
from gleaner.judging.flags import fills_a_part
from gleaner.schemas.leaves import Leaf
from gleaner.values.texts.text_index import Match

_DENIAL = re.compile(
    r"(?:(?<![^\W_])"
    r"(?P<word>not|never|nicht|kein|keine|no|non|não|nao|niet|geen|inte|ikke|ej|ei|nie|ne|nem|не|нет)[ \u00a0]"
    r"|(?:不|未|非|没有|沒有|غير |לא ))\Z",
    re.IGNORECASE,
)
_REACH = 8
_ABOUT_ABSENCE = listed(
    "no not non without free exclude excluded exclusion missing lack lacking absent unavailable forbidden prohibited "
    "never negative opposite ohne sans sin senza denied allergen allergens"
)
_STATES = listed(
    "available included allowed permitted accepted possible required applicable disponible disponibles incluido "
    "incluida permitido permitida apto apta válido válida reembolsable verificado verificada"
)
"""What "no" denies: elsewhere it stands before a noun, is short for a number, or is "in the" of Portuguese."""


def is_denied(leaf: Leaf, match: Match, text: str) -> bool:
    """Tell whether a text is what a cell, a line or the text behind a label denies, word for word.

    Items of lists are none ("No pets" lists pets), nor texts that begin with a capital, nor fields that name what is
    not there.
    """
    if not isinstance(leaf.value, str) or not leaf.field or leaf.field[-1] == "*" or text[match.start].isupper():
        return False
    found = _DENIAL.search(text, max(0, match.start - _REACH), match.start)
    if found is None or not fills_a_part(text, found.start(), match.end):
        return False
    if (found["word"] or "").casefold() == "no" and text[match.start : match.end].casefold() not in _STATES:
        return False
    return _ABOUT_ABSENCE.isdisjoint(re.findall(r"[a-z]+", leaf.field[-1].casefold()))
