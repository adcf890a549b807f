"""The forgiving JSON reader beneath ``answers``: one pass, no way back, so its time is linear whatever it reads."""

import re
from dataclasses import dataclass, field

from gleaner.contracts.ports import JsonObject, JsonValue

MOST_DEPTH = 100
"""Containers inside one another; no record is nested deeper, and deeper values break what reads them later."""

_BLANKS = re.compile(r"(?:\s+|//[^\n]*|/\*.*?(?:\*/|\Z)|#[^\n]*|\.\.\.+|…)+", re.DOTALL)
_OPENER = re.compile(r"[\[{]")
_NUMBER = re.compile(r"[-+]?(?:\d[\d_]*\.?[\d_]*|\.\d+)(?:[eE][-+]?\d+)?")
_GROUPED = re.compile(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w.])")
_WORD = re.compile(r"[^\s,\[\]{}\"“”:][^,\[\]{}\"“”\n]*")
_COMMENT = re.compile(r"/\*|(?<!:)//|\s#")
_KEY = re.compile(r"[\w$@][\w$@.-]*")
_QUOTES = {'"': '"', "'": "'", "“": "”", "”": "”", "`": "`"}
_IN_STRING = {quote: re.compile(rf"[^\\{re.escape(quote)}]+") for quote in _QUOTES.values()}
_SPACE = re.compile(r"\s*")
_NEXT_NAME = re.compile(r"""[\s,]*(?:$|[}\]/#.…]|["'“`][^"'“”`\n]{0,200}(?:$|["'”`]\s*(?:$|[:=])))""")
_NEXT_BARE_NAME = re.compile(r"[\s,]*[\w$@][\w$@.-]{0,200}\s*[:=]")
_VALUE = re.compile(r"""\s*(?:["'“`{\[]|[-+.]?\d|(?:true|false|null|none|nan)\b)""", re.IGNORECASE)
_NEXT_ITEM = re.compile(r"""\s*,\s*(?:$|["'“`{\[\]}/#.…]|[-+.]?\d|(?:true|false|null|none|nan)\b)""", re.IGNORECASE)
"""What follows the comma behind a string: else its quote was one of the text, and not escaped."""
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\", '"': '"', "'": "'", "`": "`"}
_HEX = re.compile(r"u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})")
_LITERALS: dict[str, JsonValue] = {
    "true": True, "false": False, "null": None, "none": None, "undefined": None, "nan": None, "infinity": None,
    "-infinity": None, "inf": None, "-inf": None, "n/a": None,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ScannedValue:
    """An object or a list found in a text: ``text[start:end]``."""

    value: JsonValue
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Scan:
    """All objects and lists at the top level of a text; ``cut`` when the last one is not closed.

    ``lossy`` when a part of one could not be understood, and was left out.
    """

    values: list[ScannedValue]
    cut: bool
    lossy: bool = False


@dataclass(slots=True)
class _Frame:
    """A container that is being read; ``key`` waits for its value.

    ``is_bare`` when its last name stood without quotes, ``is_full`` while no comma has followed its last value.
    """

    value: JsonObject | list[JsonValue]
    key: str | None = None
    is_bare: bool = False
    is_full: bool = False


@dataclass(slots=True)
class _Reader:
    text: str
    position: int = 0
    frames: list[_Frame] = field(default_factory=list[_Frame])
    solid: bool = False
    cut: bool = False
    lossy: bool = False


def scan(text: str) -> Scan:
    """Find the objects and lists of a text, reading each as leniently as can be. Linear time, never an error."""
    reader, values = _Reader(text), list[ScannedValue]()
    while opener := _OPENER.search(text, reader.position):
        value = _read_container(reader, opener.start())
        if value is not None and reader.solid:
            values.append(ScannedValue(value, opener.start(), reader.position))
    return Scan(values, reader.cut, reader.lossy)


def _read_container(reader: _Reader, start: int) -> JsonValue:
    """Read from the opener at ``start`` to its end; None when it is nested too deep."""
    reader.position, reader.frames, reader.solid = start, [], False
    _open(reader)
    root = reader.frames[0].value
    too_deep = False
    while reader.frames:
        blanks = _BLANKS.match(reader.text, reader.position)
        if blanks:
            reader.position = blanks.end()
        if reader.position >= len(reader.text):
            reader.cut = True
            _salvage(reader)
            break
        _step(reader)
        too_deep = too_deep or len(reader.frames) > MOST_DEPTH
        if too_deep:
            reader.frames = reader.frames[:MOST_DEPTH]
    return None if too_deep else root


def _open(reader: _Reader) -> None:
    reader.frames.append(_Frame({} if reader.text[reader.position] == "{" else []))
    reader.position += 1


def _step(reader: _Reader) -> None:
    """Consume at least one character."""
    frame, sign = reader.frames[-1], reader.text[reader.position]
    if sign in "}]":
        reader.position += 1
        _close(reader, sign)
    elif sign == ",":
        reader.position += 1
        if frame.key is not None:
            _give(reader, None)
        frame.is_full = False
    elif isinstance(frame.value, dict) and frame.key is None:
        _read_key(reader, frame)
    elif sign in "{[":
        reader.solid = True
        _open(reader)
    elif sign == ":":
        reader.position += 1
    else:
        _read_scalar(reader, frame)


def _close(reader: _Reader, sign: str) -> None:
    """Close the innermost container of the sign's sort, and those inside it that were left open."""
    sort = dict if sign == "}" else list
    if not any(isinstance(frame.value, sort) for frame in reader.frames):
        return
    while reader.frames:
        frame = reader.frames.pop()
        if frame.key is not None and isinstance(frame.value, dict):
            frame.value[frame.key] = None
        if not frame.value:
            reader.solid = True
        if reader.frames:
            _give(reader, frame.value)
        if isinstance(frame.value, sort):
            return


def _give(reader: _Reader, value: JsonValue) -> None:
    frame = reader.frames[-1]
    if isinstance(frame.value, list):
        frame.value.append(value)
    elif frame.key is not None:
        reader.lossy = reader.lossy or frame.value.get(frame.key, value) != value
        frame.value[frame.key] = value
        frame.key = None
    else:
        reader.lossy = True
    frame.is_full = True


def _read_key(reader: _Reader, frame: _Frame) -> None:
    sign = reader.text[reader.position]
    frame.is_bare = sign not in _QUOTES
    if not frame.is_bare:
        key = _read_string(reader, ":", None)
    else:
        match = _KEY.match(reader.text, reader.position)
        key = match.group() if match else None
        reader.position = match.end() if match else reader.position + 1
    colon = _BLANKS.match(reader.text, reader.position)
    after = colon.end() if colon else reader.position
    if key is not None and reader.text[after : after + 1] in (":", "="):
        reader.position = after + (2 if reader.text[after : after + 2] == "=>" else 1)
        frame.key, frame.is_full, reader.solid = key, False, True
    elif key is None or key.strip():  # a sign or a word that leads to nothing
        reader.lossy = reader.lossy or (reader.solid and reader.position < len(reader.text))


def _read_scalar(reader: _Reader, frame: _Frame) -> None:
    sign = reader.text[reader.position]
    if sign in _QUOTES:
        string = _read_string(reader, ",}]", frame)
        if string is not None:
            reader.solid = True
            _give(reader, string)
        return
    word, end = _read_word(reader, frame)
    if end >= len(reader.text) and word.lower() not in _LITERALS:
        reader.position = end
        return
    reader.position = end
    value = _word_value(word)
    reader.lossy = reader.lossy or (frame.is_full and bool(word))
    reader.solid = reader.solid or not isinstance(value, str)
    if word:
        _give(reader, value)


def _read_word(reader: _Reader, frame: _Frame) -> tuple[str, int]:
    """Give the run without quotes at the position, and where it ends: always past the position."""
    if isinstance(frame.value, dict):
        grouped = _GROUPED.match(reader.text, reader.position)
        if grouped:
            return grouped.group().replace(",", ""), grouped.end()
    match = _WORD.match(reader.text, reader.position)
    if match is None:
        return "", reader.position + 1
    word = match.group()
    comment = _COMMENT.search(word)
    if comment is None:
        return word.rstrip(), match.end()
    return word[: comment.start()].rstrip(), reader.position + max(comment.start(), 1)


def _word_value(word: str) -> JsonValue:
    if word.lower() in _LITERALS:
        return _LITERALS[word.lower()]
    if len(word) <= 300 and _NUMBER.fullmatch(word):
        return _number(word.replace("_", ""))
    return word


def _number(text: str) -> JsonValue:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        return None
    return number if any(sign in text for sign in ".eE") else int(text)


def _read_string(reader: _Reader, closers: str, frame: _Frame | None) -> str | None:
    """Read the string that opens at the position, as a value of ``frame``; None when the text ends before it does.

    A quote closes it only before what may follow a string there, so that `6" pipe` is read as it is meant, and so is
    `"so-called", it says`: what follows the comma is neither a name nor a further item.
    """
    text = reader.text
    quote, position = _QUOTES[text[reader.position]], reader.position + 1
    parts: list[str] = []
    while position < len(text):
        run = _IN_STRING[quote].match(text, position)
        if run:
            parts.append(run.group())
            position = run.end()
        elif text[position] == "\\":
            part, position = _read_escape(text, position + 1)
            parts.append(part)
        else:
            position += 1
            if _closes(text, position, closers) and _leads_on(text, position, frame):
                reader.position = position
                return _paired("".join(parts))
            parts.append(quote)
    reader.position = len(text)
    return None


def _closes(text: str, position: int, closers: str) -> bool:
    after = _SPACE.match(text, position)
    end = after.end() if after else position
    following = text[end : end + 1]
    if following == "" or following in closers or following in "/#":
        return True
    return end > position and (following in _QUOTES or "\n" in text[position:end])


def _leads_on(text: str, position: int, frame: _Frame | None) -> bool:
    """Tell whether what follows a closing quote is what follows a value in its container."""
    following = _SPACE.match(text, position)
    at = following.end() if following else position
    if frame is None or text[at : at + 1] not in (",", *_QUOTES):
        return True
    if isinstance(frame.value, list):
        return text[at] != "," or _NEXT_ITEM.match(text, position) is not None
    name = _NEXT_BARE_NAME.match(text, at)
    is_bare_name = name is not None and (frame.is_bare or _VALUE.match(text, name.end()) is not None)
    return is_bare_name or _NEXT_NAME.match(text, at) is not None


def _read_escape(text: str, position: int) -> tuple[str, int]:
    sign = text[position : position + 1]
    code = _HEX.match(text, position)
    if code:
        return chr(int(code.group(1) or code.group(2), 16)), code.end()
    if sign in _ESCAPES:
        return _ESCAPES[sign], position + 1
    return "\\" + sign, position + 1


def _paired(text: str) -> str:
    """Join surrogate pairs that came as two escapes; what stays alone becomes U+FFFD."""
    if not any("\ud800" <= sign <= "\udfff" for sign in text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _salvage(reader: _Reader) -> None:
    """Join what is complete when the text ends inside: no half record of a list, no half value."""
    chain = [frame.value for frame in reader.frames]
    keys = [frame.key for frame in reader.frames]
    for outer, key, inner in zip(chain, keys, chain[1:], strict=False):
        if isinstance(outer, list):
            break
        if key is not None:
            outer[key] = inner
    reader.frames = []
