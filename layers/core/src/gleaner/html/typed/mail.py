"""Read mails, and pages saved as one file (MIME, RFC 2045; MHTML, RFC 2557), as the page that they show."""

import binascii
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.parser import BytesHeaderParser
from html import escape, unescape
from typing import TypeAlias
from urllib.parse import unquote

from gleaner.html.decoding.decode import decode_html
from gleaner.html.typed.typed_data import data_as_html

_HEAD = ("From", "To", "Cc", "Date", "Subject")
_LONGEST_HEADER = 2_000
_DEEPEST = 10
"""Levels of parts within parts, and of mails within mails, that are read: real mails have three or four."""
_MOST_PARTS = 5_000
"""Parts that are read; each picture of a saved page is one."""
_MOST_NAMED = 10
_IMAGE = re.compile(
    r"""<img\b(?![^<>]{0,2000}\balt\s*=\s*["']?\w)(?=[^<>]{0,2000}?\bsrc\s*=\s*["']?cid:([^"'\s<>]++))""", re.IGNORECASE
)
_FRAME = re.compile(r"""<i?frame\b[^<>]{0,2000}?\bsrc\s*=\s*["']?([^"'\s<>]{1,2000}+)[^<>]{0,2000}+>""", re.IGNORECASE)
_HEAD_TAG = re.compile(r"<head(?:\s[^<>]*)?>", re.IGNORECASE)
_FIRST_LINE = re.compile(r"\s*--([^\r\n]+)")
_Part: TypeAlias = "Message[str, str]"


@dataclass(slots=True)
class Mail:
    """A mail or a saved page: its HTML, "" where nothing of it can be read, and the names of what was not.

    ``address`` is the one that a saved page had, "" for a mail.
    """

    html: str = ""
    address: str = ""
    unread: list[str] = field(default_factory=list[str])
    is_cut_off: bool = False
    parts: int = 0

    @property
    def warnings(self) -> list[str]:
        """What was not read, in a sentence."""
        named = ", ".join(self.unread[:_MOST_NAMED]) + (", …" if len(self.unread) > _MOST_NAMED else "")
        return [f"parts of the mail that were not read: {named}"] if self.unread else []

    def leave_out(self, part: _Part) -> None:
        """Note a part that is not read, such as an attachment."""
        if part.get_payload():
            self.unread.append(f"{_file_name(part) or 'a part without a name'} ({part.get_content_type()})")


def read_mail(body: bytes) -> Mail:
    r"""Give a mail as a page with its head as pairs; or the page that a file is of, at the address that it had.

    Of alternatives the one in HTML is read. Attachments are named. Each part is read once, whatever refers to it.

    >>> page = read_mail(b"Subject: Tea\nContent-Type: text/html; charset=latin-1\n\n<p>Gr\xfcn").html
    >>> page[page.index("<body>"):]
    '<body><dl><dt>Subject</dt><dd>Tea</dd></dl><p>Grün</body></html>'
    """
    message = _parsed(body)
    mail = Mail(address=_header(message, "Snapshot-Content-Location"))
    shown = "".join(_shown(message, mail, 0))
    pairs = _pairs(message)
    if shown.strip() and mail.address:
        base = "" if "<base" in shown.lower() else f'<base href="{escape(mail.address)}">'
        head = _HEAD_TAG.search(shown)
        at = head.end() if head else 0
        mail.html = f"{shown[:at]}{base}{shown[at:]}"
    elif shown.strip() or (pairs and not mail.unread and not mail.is_cut_off):
        title = escape(_header(message, "Subject"), quote=False)
        mail.html = f"<!doctype html><html><head><title>{title}</title></head><body>{pairs}{shown}</body></html>"
    return mail


def _parsed(raw: bytes) -> _Part:
    message = BytesHeaderParser().parsebytes(raw)
    for name in ("Content-Type", "Content-Disposition"):
        if len(value := _raw(message, name)) >= _LONGEST_HEADER:  # its parameters are taken apart in square time
            message.replace_header(name, value)
    return message


def _parts(message: _Part, mail: Mail) -> list[_Part]:
    """Give the parts of a message; where their border is not the one that its head names, its first line is."""
    text = str(message.get_payload())
    first = _FIRST_LINE.match(text)
    for border in filter(None, (message.get_boundary(), first and first[1])):
        pieces = re.split(rf"(?:\A|\r?\n)--{re.escape(border.rstrip())}(--)?[ \t]*(?:\r?\n|\Z)", text)
        if len(pieces) > 1:
            end = next((at for at in range(1, len(pieces), 2) if pieces[at]), None)
            inside = [piece for piece in pieces[2:end:2] if piece.strip()][: _MOST_PARTS - mail.parts]
            mail.parts += len(inside)
            mail.is_cut_off |= (end is None and bool(pieces[-1].strip())) or mail.parts == _MOST_PARTS
            return [_parsed(piece.encode("utf-8", "surrogateescape")) for piece in inside]
    mail.is_cut_off = True
    return []


def _shown(message: _Part, mail: Mail, depth: int) -> Iterator[str]:
    """Give the HTML of what a person is shown of a message."""
    kind = message.get_content_type()
    if depth > _DEEPEST:
        mail.leave_out(message)
    elif kind == "multipart/related":
        yield _with_files(_parts(message, mail), mail, depth)
    elif message.get_content_maintype() == "multipart":
        parts = _parts(message, mail)
        for part in _best(parts) if kind == "multipart/alternative" else parts:
            yield from _shown(part, mail, depth + 1)
    elif kind == "message/rfc822":
        inner = _parsed(_bytes_of(message))
        yield f"<article>{_pairs(inner)}{''.join(_shown(inner, mail, depth + 1))}</article>"
    elif message.get_content_maintype() != "text" or message.get_content_disposition() == "attachment":
        mail.leave_out(message)
    else:
        yield _text_as_html(message)


def _text_as_html(message: _Part) -> str:
    text, kind = decode_html(_bytes_of(message), _raw(message, "Content-Type")), message.get_content_type()
    if kind == "text/html" or not text.strip():
        return text
    return data_as_html(text, kind, "") or f"<pre>{escape(text, quote=False)}</pre>"


def _best(parts: Sequence[_Part]) -> list[_Part]:
    """Give which of several forms of a text is read: the last one in HTML, or of all; and a date that it invites to."""
    kinds = {part: part.get_content_type() for part in parts}
    dates = [part for part in parts if kinds[part] == "text/calendar"]
    rich = [part for part in parts if kinds[part] == "text/html" or kinds[part].startswith("multipart/")]
    return [*(rich or [part for part in parts if part not in dates])[-1:], *dates]


def _with_files(parts: Sequence[_Part], mail: Mail, depth: int) -> str:
    """Give the first part with the frames among the others in their places, and the names of images without a text.

    Attachments, and texts that are in no frame, are not read.
    """
    files: dict[str, _Part] = {}
    for part in parts[1:]:
        files[f"cid:{_raw(part, 'Content-ID').strip('<> ')}"] = files[_header(part, "Content-Location")] = part
    framed: list[_Part] = []

    def frame(found: re.Match[str]) -> str:
        address = unescape(found[1])
        part = files.get(unquote(address)) or files.get(address)
        if part is None or part.get_content_type() != "text/html":
            return found[0]
        files.update(dict.fromkeys((unquote(address), address), Message()))
        framed.append(part)
        return f"<div data-gleaner-frame>{_FRAME.sub(frame, _text_as_html(part))}</div>"

    def image(found: re.Match[str]) -> str:
        part = files.get(f"cid:{unquote(found[1])}")
        return f'<img alt="{escape(_file_name(part))}"' if part else found[0]

    if depth == 0 and parts and "://" in (address := _header(parts[0], "Content-Location")):
        mail.address = mail.address or address
    shown = "".join(one for part in parts[:1] for one in _shown(part, mail, depth + 1))
    with suppress(RecursionError):
        shown = _FRAME.sub(frame, shown)
    for part in parts[1:]:
        is_text = part.get_content_type() in ("text/html", "text/plain", "text/calendar") and part not in framed
        if is_text or part.get_content_disposition() == "attachment":
            mail.leave_out(part)
    return _IMAGE.sub(image, shown)


def _pairs(message: _Part) -> str:
    said = [(name, _header(message, name)) for name in _HEAD]
    entries = "".join(f"<dt>{name}</dt><dd>{escape(text, quote=False)}</dd>" for name, text in said if text)
    return f"<dl>{entries}</dl>" if entries else ""


def _bytes_of(message: _Part) -> bytes:
    raw = message.get_payload(decode=True)
    return raw if isinstance(raw, bytes) else b""


def _raw(message: _Part, name: str) -> str:
    values = (str(value) for key, value in message.raw_items() if key.lower() == name.lower())
    return next(values, "")[:_LONGEST_HEADER]


def _header(message: _Part, name: str) -> str:
    """Give a header as text: encoded words are read, and bytes of no stated charset as those of a page."""
    return _said(decode_html(_raw(message, name).encode("utf-8", "surrogateescape")))


def _said(raw: str) -> str:
    with suppress(LookupError, ValueError, MessageError, binascii.Error):
        raw = str(make_header(decode_header(raw)))
    return " ".join(raw.split())


def _file_name(message: _Part) -> str:
    with suppress(LookupError, ValueError, MessageError, TypeError):
        if name := message.get_filename():
            return _said(name)
    return unquote(_header(message, "Content-Location")).rpartition("/")[2]
