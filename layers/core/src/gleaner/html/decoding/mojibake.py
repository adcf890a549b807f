"""UTF-8 that a browser read as windows-1252, as it does where nobody labelled a page (MD-6).

Plain HTTP gets such pages right, since bytes that are valid UTF-8 are hardly ever anything else; here only characters
are left, each of which stands for one byte.
"""

import re


def _character(byte: int) -> str:
    """Give what the web's windows-1252 has for a byte: where the code page has nothing, the control of that number."""
    try:
        return bytes([byte]).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)


_BYTES = {_character(byte): byte for byte in range(0x80, 0x100)}
_CHARACTERS = {byte: character for character, byte in _BYTES.items()}
_NEXT = f"(?:[{''.join(re.escape(_CHARACTERS[byte]) for byte in range(0x80, 0xC0))}]|&nbsp;)"
_SEQUENCE = re.compile(f"[\u00c2-\u00df]{_NEXT}|[\u00e0-\u00ef]{_NEXT}{{2}}|[\u00f0-\u00f4]{_NEXT}{{3}}")


def repair_mojibake(text: str) -> str:
    """Give the text with characters that are the bytes of UTF-8 sequences read as UTF-8.

    >>> repair_mojibake("Â£9 â€“ cafÃ©, naïve")
    '£9 – café, naïve'
    """
    return _SEQUENCE.sub(_repaired, text)


def _repaired(match: re.Match[str]) -> str:
    found = match[0].replace("&nbsp;", "\u00a0")
    try:
        return bytes(_BYTES[character] for character in found).decode("utf-8")
    except UnicodeDecodeError:
        return match[0]
