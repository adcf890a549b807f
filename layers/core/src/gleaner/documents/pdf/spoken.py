"""Load the text of a page as its glyphs say it, not as an /ActualText beside them does (ISO 32000-2, 14.9.4)."""

import codecs
import ctypes
import re
import unicodedata
from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

from gleaner.documents.pdf.bindings import objects_of, pdfium, wide_text

_KEY = b"ActualText"
_UNREADABLE = re.compile("[\x00\ufffd\ue000-\uf8ff]")
_CONTROL = re.compile("[\x01-\x08\x0e-\x1f]")
"""Of texts whose encoding is not what they say."""


class _Spoken(NamedTuple):
    """A text object with the mark that says something in its place."""

    drawn: Any
    mark: Any
    said: str


def load_text(document: Any, page: Any) -> tuple[Any, int]:
    """Give the text of a page, and how many words are said in place of other glyphs.

    Where the font does not say what the glyphs mean, or says small letters of capitals that are drawn smaller, what is
    said in their place is taken.
    """
    spoken = [
        found for drawn, kind, _ in objects_of(page) if kind == pdfium.FPDF_PAGEOBJ_TEXT for found in _said(drawn)
    ]
    for one in spoken:
        pdfium.FPDFPageObjMark_RemoveParam(one.drawn, one.mark, _KEY)
    text_page = pdfium.FPDFText_LoadPage(page)
    written = [_glyphs(one.drawn, text_page) for one in spoken]
    taken = [one for one, glyphs in zip(spoken, written, strict=True) if _is_meant(one.said, glyphs)]
    if taken:
        pdfium.FPDFText_ClosePage(text_page)
        for one in taken:
            raw = codecs.BOM_UTF16_BE + one.said.encode("utf-16-be", "replace")
            content = (ctypes.c_ubyte * len(raw)).from_buffer_copy(raw)
            pdfium.FPDFPageObjMark_SetBlobParam(document, one.drawn, one.mark, _KEY, content, len(raw))
        text_page = pdfium.FPDFText_LoadPage(page)
    return text_page, _differing(spoken, written)


def _is_meant(said: str, glyphs: str) -> bool:
    """Tell whether what is said is taken: one word's capitals are; else it may say of letters what nobody sees."""
    if not glyphs or _UNREADABLE.search(glyphs):
        return True
    return said != glyphs and said.casefold() == glyphs.casefold() and len(said.split()) == 1


def _said(drawn: Any) -> list[_Spoken]:
    found: list[_Spoken] = []
    size = ctypes.c_ulong()
    for index in range(pdfium.FPDFPageObj_CountMarks(drawn)):
        mark = pdfium.FPDFPageObj_GetMark(drawn, index)
        if pdfium.FPDFPageObjMark_GetParamBlobValue(mark, _KEY, None, 0, size):
            buffer = (ctypes.c_ubyte * (size.value or 1))()
            pdfium.FPDFPageObjMark_GetParamBlobValue(mark, _KEY, buffer, size.value, size)
            found.append(_Spoken(drawn, mark, _text_string(bytes(buffer)[: size.value])))
    return found


def _text_string(raw: bytes) -> str:
    """Give a text string, which its first bytes say the encoding of (ISO 32000-2, 7.9.2.2)."""
    for mark, codec in (
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF8, "utf-8"),
    ):
        if raw.startswith(mark):
            return raw[len(mark) :].decode(codec, "replace")
    return raw.decode("cp1252", "replace")


def _glyphs(drawn: Any, text_page: Any) -> str:
    return wide_text(lambda buffer, size: pdfium.FPDFTextObj_GetText(drawn, text_page, buffer, size))


def _differing(spoken: Sequence[_Spoken], written: Sequence[str]) -> int:
    """Count the words that are said in place of glyphs that say something else."""
    count = 0
    pairs = zip(spoken, written, strict=True)
    for said, run in groupby(pairs, key=lambda pair: pair[0].said):
        glyphs = "".join(text for _, text in run)
        one, other = _letters(said), _letters(glyphs)
        is_text = other and not _UNREADABLE.search(glyphs) and not _CONTROL.search(said)
        count += len(said.split()) if is_text and one not in other and other not in one else 0
    return count


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))
