"""Decode the bytes of a page, whatever charset the server claims (MD-6).

The order is that of browsers: byte order mark, Content-Type, markup; then validity as UTF-8, and a guess last. One
thing is done better: a declared charset that the bytes contradict is not believed.
"""

import codecs
import re

from gleaner.html.decoding.charset_guess import LATIN, guess_codec
from gleaner.html.decoding.charsets import MULTI_BYTE, codec_of

BYTE_ORDER_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
PRESCAN_SIZE = 16_384
"""Bytes of markup that are searched for a charset. The standard asks for 1024; real pages put it later."""

MAX_DAMAGE = 0.02
"""Share of a page's non-ASCII characters that may be damaged before its declared charset is doubted."""

SURE_SCORE = 0.5
SURE_WORDS = 5
"""What it takes to overrule a declared windows-1252: the score of a guess, and words that it stands on."""

_HIGH = re.compile(rb"[\x80-\xff]{2,}")
_HEADER_CHARSET = re.compile(r"charset\s*=\s*(?:[\"']\s*)?([^\s\"';,]+)", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_META = re.compile(rb"<meta[\s/]([^>]*)>?", re.IGNORECASE)
_META_CHARSET = re.compile(rb"charset\s*=\s*[\"']?\s*([^\s\"'/>;]+)", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"\s*<\?xml[^>]*?encoding\s*=\s*[\"']([^\"'>]+)[\"']", re.IGNORECASE)
_THREE_BYTES = re.compile(rb"[\xe0-\xf4][\x80-\xbf]{2}")
_TWO_BYTES = re.compile(rb"[\xc2-\xdf][\x80-\xbf]")

# WHATWG windows-1252 has the C1 controls where Python's cp1252 has holes, so that no byte is ever lost.
_WINDOWS_1252 = {
    byte: bytes([byte]).decode("cp1252") for byte in range(0x80, 0xA0) if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
}


def decode_html(raw: bytes, content_type: str = "") -> str:
    r"""Give the text of a page or another text file; never raises, and NUL characters are left out.

    ``content_type`` is the value of the Content-Type header. Works in linear time.

    >>> decode_html(b'<meta charset=shift_jis>\x93\xfa\x96{')
    '<meta charset=shift_jis>日本'
    """
    for mark, codec in BYTE_ORDER_MARKS:
        if raw.startswith(mark):
            return _decode(raw[len(mark) :], codec)
    declared = [codec for codec in (header_codec(content_type), markup_codec(raw)) if codec]
    return _decode(raw, _choose_codec(raw, declared))


def header_codec(content_type: str) -> str | None:
    """Give the codec that a Content-Type header names."""
    match = _HEADER_CHARSET.search(content_type)
    return codec_of(match[1]) if match else None


def markup_codec(raw: bytes) -> str | None:
    """Give the codec that a page's meta elements or XML declaration name.

    UTF-16 there means UTF-8: markup that can be read byte by byte is not UTF-16 (WHATWG HTML, prescan).
    """
    head = _COMMENT.sub(b"", raw[:PRESCAN_SIZE])
    labels = [found[1] for meta in _META.finditer(head) if (found := _META_CHARSET.search(meta[1]))]
    if xml := _XML_ENCODING.match(head):
        labels.append(xml[1])
    known = (codec_of(label.decode("latin-1")) for label in labels)
    codec = next((codec for codec in known if codec), None)
    return "utf-8" if codec and codec.startswith("utf-16") else codec


def _choose_codec(raw: bytes, declared: list[str]) -> str:
    is_utf8 = _is_utf8(raw)
    first = declared[0] if declared else None
    if is_utf8 and (first is None or _is_plainly_utf8(raw, first)):
        # Valid UTF-8 is hardly ever anything else, so a legacy label on it is a mistake.
        return guess_codec(raw) if raw.isascii() and (b"\x1b$" in raw or b"\x00" in raw) else "utf-8"
    for codec in declared:
        if _is_believable(raw, codec):
            return _doubt_default(raw) if codec == "cp1252" else codec
    if _damage(raw, "utf-8") <= MAX_DAMAGE:
        return "utf-8"
    return guess_codec(raw)


def _doubt_default(raw: bytes) -> str:
    # Servers say iso-8859-1 of everything. Where words upon words read as another script, they are.
    guessed = guess_codec(raw, SURE_SCORE)
    return guessed if guessed not in LATIN and len(_HIGH.findall(raw, 0, PRESCAN_SIZE * 4)) >= SURE_WORDS else "cp1252"


def _is_plainly_utf8(raw: bytes, declared: str) -> bool:
    if declared.startswith("utf-16"):
        return b"\x00" not in raw
    if declared not in MULTI_BYTE:
        return True
    # A few pairs of a legacy East Asian charset can be valid UTF-8 by chance; several triples can't.
    return declared != "iso2022_jp" and (
        len(_THREE_BYTES.findall(raw, 0, 200_000)) > 1 or len(_TWO_BYTES.findall(raw, 0, 200_000)) > 5
    )


def _is_believable(raw: bytes, codec: str) -> bool:
    if codec.startswith("utf-16"):
        return len(raw) % 2 == 0 and _damage(raw, codec) <= MAX_DAMAGE and b"\x00" in raw
    return _damage(raw, codec) <= MAX_DAMAGE


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def _damage(raw: bytes, codec: str) -> float:
    if codec == "cp1252":
        return 0.0
    text = raw.decode(codec, "replace")
    damaged = text.count("\ufffd")
    if not damaged:
        return 0.0
    wide = len(text) - len(text.encode("ascii", "ignore"))
    is_cut = text.endswith("\ufffd") and wide > 20  # a page that ends in the middle of a character is not damaged
    return (damaged - is_cut) / wide


def _decode(raw: bytes, codec: str) -> str:
    text = raw.decode(codec, "replace")
    if codec == "cp1252" and "\ufffd" in text:
        text = raw.decode("latin-1").translate(_WINDOWS_1252)
    return text.replace("\x00", "")
