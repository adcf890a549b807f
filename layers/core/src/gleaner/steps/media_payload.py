"""Bytes as a data URI, within the inline limit (ME-2, BR-2)."""

import base64


def data_uri(body: bytes, mime: str, limit: int) -> str | None:
    """Give ``data:{mime};base64,…``, or None when the bytes are over the limit.

    >>> data_uri(b"hi", "text/plain", 10)
    'data:text/plain;base64,aGk='
    """
    return f"data:{mime};base64,{base64.b64encode(body).decode()}" if len(body) <= limit else None
