"""Lay text out on Markdown lines: whitespace, blank lines, list and quote prefixes, marks of nodes.

A frame is text under construction. Breaks and spaces are only noted; they are written when the next text comes, so a
frame never begins or ends with whitespace and never holds two blank lines in a row.
"""

import re
from collections.abc import Iterator

from gleaner.html.invisible_characters import drop_invisible

SPACES = " \t\n\r\f\v\xa0"
"""What collapses to one space, as in a browser; the no-break space goes with them, for it is layout, not data."""

_BEGIN, _END = "\ue9a0", "\ue9a1"
_MARKED_DIGITS = "\ue9a2\ue9a3\ue9a4\ue9a5\ue9a6\ue9a7\ue9a8\ue9a9\ue9aa\ue9ab"
_DIGITS = str.maketrans("0123456789", _MARKED_DIGITS)
_NUMERALS = str.maketrans(_MARKED_DIGITS, "0123456789")
_LAST_DIGITS = [f"{number:03}".translate(_DIGITS) for number in range(1000)]
_MARK = re.compile("([\ue9a0\ue9a1])([\ue9a2-\ue9ab]+)")
_OF_MARKS = f"{_BEGIN}{_END}{_MARKED_DIGITS}"
_MARKS_AT_START = re.compile("[\ue9a0-\ue9ab]+")
NEXT_ITEM = "\ufdd0"
"""Stands before an item of a list in a cell until ``part_items``: no character, so that no page has it."""

_FIRST_ITEM = re.compile(rf"^([\s\ue9a0-\ue9ab]*){NEXT_ITEM} *")
_NEXT_ITEMS = re.compile(rf"(?:(?<! ) +|(?<![ \ue9a0-\ue9ab]))([\ue9a0-\ue9ab]*){NEXT_ITEM} *")
_INVISIBLE = re.compile("[\x00-\x08\x0e-\x1f\x7f\xad\u200b\u2060\ufeff\ue9a0-\ue9ab\ufffe\uffff\ud800-\udfff]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f]")
_ODD = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f\x85\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f"
    "\u205f-\u206f\u3000\u3164\ud800-\udfff\ue9a0-\ue9ab\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\U00010000-\U0010ffff]"
)
"""Characters that are dropped, or may be, and white space that Python takes for such and a browser keeps."""
_RUN = re.compile("[\t\n\r\f\v\xa0][ \t\n\r\f\v\xa0]*| [ \t\n\r\f\v\xa0]+")
"""White space but for single spaces, which stay as they are."""
_STRUCTURE = re.compile(r"#{1,6} |```|~~~|(?:-{4,}|={4,})\s*$")
_TAG_LIKE = re.compile(r"<(?=[a-zA-Z/!?])|(?<=\])\((?=\S)")
_SIGNS = frozenset("#`~-=")
GROUP_AT_END = re.compile(r"(?<![\d.,'’])\d{1,3}$")
GROUPS_AT_START = re.compile(r"\d{3}(?!\d)|\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)")
"""The first group of digits of a number, at the end of a text, and its next ones at the start of another."""

_LONGEST_LEAD = 40


def collapse(text: str) -> str:
    """Give the text on one line: whitespace runs as one space, none at the ends, no invisible characters.

    >>> collapse(" a\\n\\t b ")
    'a b'
    """
    text = text.strip(SPACES) if text else ""
    return tidy(text).strip(" ") if text else ""


def tidy(text: str) -> str:
    """Give the text with whitespace runs as one space and without characters that nobody sees."""
    if text.isascii():
        if text.isprintable():
            return _spaced_once(text) if "  " in text else text
        return _spaced_once(_CONTROL.sub("", text))
    if _ODD.search(text):
        return _RUN.sub(" ", drop_invisible(_INVISIBLE.sub("", text)))
    return _spaced_once(text)


def _spaced_once(text: str) -> str:
    """Give a text without odd characters with whitespace runs as one space: several times as fast as by a pattern."""
    words = " ".join(text.split())
    if not words:
        return text and " "
    before, behind = "" if text[0] == words[0] else " ", "" if text[-1] == words[-1] else " "
    return f"{before}{words}{behind}"


def escaped(text: str, *, starts_line: bool) -> str:
    """Give the text so that it is no markup: with backslashes before tags, headings, rulers and fences.

    >>> escaped("# 1 <b>", starts_line=True)
    '\\\\# 1 \\\\<b>'
    """
    if "<" in text or "](" in text:
        text = _TAG_LIKE.sub(r"\\\g<0>", text)
    return "\\" + text if starts_line and text[:1] in _SIGNS and _STRUCTURE.match(text) else text


def part_items(text: str) -> str:
    r"""Give the text of a cell, which is one line, with its list's items parted.

    >>> part_items("\ufdd0New York \ufdd0Los Angeles")
    'New York; Los Angeles'
    """
    return _NEXT_ITEMS.sub(r"\1; ", _FIRST_ITEM.sub(r"\1", text))


class Frame:
    """Text under construction; ``inline`` frames keep everything on one line.

    ``is_code`` frames hold text as it is, ``is_head`` ones text that begins no line: what is no markup there needs no
    backslash. ``bullets`` are those that no text has followed yet, each with the length of what it adds to the lines'
    ``lead``.
    """

    __slots__ = (
        *("bullets", "gap", "inline", "is_code", "is_head", "lead", "marks", "opening", "parts", "space"),
        *("start_gap", "start_space"),
    )

    def __init__(self, inline: bool = False, is_code: bool = False, is_head: bool = False) -> None:
        self.parts: list[str] = []
        self.inline = inline
        self.is_code = is_code
        self.is_head = is_head
        self.opening = True
        self.gap = 0
        self.space = False
        self.start_gap = 0
        self.start_space = False
        self.lead = ""
        self.bullets: list[tuple[str, int]] = []
        self.marks: list[str] = []

    @property
    def written_lead(self) -> str:
        """The prefix of a line without what the bullets to come add to it."""
        return self.lead[: len(self.lead) - sum(size for _, size in self.bullets)] if self.bullets else self.lead

    def text(self) -> str:
        """Give what was written."""
        return "".join(self.parts)


class Writer:
    """A stack of frames, of which the top one is written to."""

    def __init__(self) -> None:
        self.frames = [Frame()]
        self.top = self.frames[0]

    def open(self, inline: bool = False, is_code: bool = False, is_head: bool = False) -> None:
        """Start a frame inside the current one."""
        top = self.top
        self.top = Frame(inline or top.inline, is_code or top.is_code, is_head or top.is_head)
        self.frames.append(self.top)

    def finish(self) -> str:
        """Give all that was written, marks of nodes included."""
        return self.frames[0].text()

    def close(self) -> Frame:
        """End the top frame and give it; its text is not yet written to the frame around it."""
        frame = self.frames.pop()
        self.top = self.frames[-1]
        return frame

    def write(self, raw: str) -> None:
        """Write text of the page."""
        frame = self.top
        if not raw.strip(SPACES):  # as between most tags
            frame.space = frame.space or bool(raw)
            return
        text = tidy(raw)
        body = text.strip(" ")
        if not body:
            if text:
                frame.space = True
            return
        if text[0] == " ":
            frame.space = True
        starts_line = (frame.opening or frame.gap > 0) and not frame.is_head
        self.put(body if frame.is_code else escaped(body, starts_line=starts_line))
        if text[-1] == " ":
            frame.space = True

    def put(self, piece: str) -> None:
        """Write a finished piece, after the space or the line breaks that are due."""
        frame = self.top
        parts = frame.parts
        if frame.opening:
            frame.opening = False
            frame.start_gap, frame.start_space = frame.gap, frame.space
            self._begin_line(frame)
        elif frame.gap and not frame.inline:
            if frame.gap > 1:
                parts.append("\n" + frame.written_lead.rstrip() + "\n")
            else:
                parts.append("\n")
            self._begin_line(frame)
        else:
            if frame.gap or frame.space:
                parts.append("; " if frame.gap and self._would_join(piece) else " ")
            if frame.marks:
                parts.extend(frame.marks)
                frame.marks.clear()
        parts.append(piece)
        frame.gap = 0
        frame.space = False

    def _would_join(self, piece: str) -> bool:
        """Tell whether a blank in place of a line's end would make one number of "out of 5" and "632,99 €"."""
        return GROUPS_AT_START.match(parted_from_marks(piece)[1]) is not None and (
            GROUP_AT_END.search(self.last_part()) is not None
        )

    def _begin_line(self, frame: Frame) -> None:
        if frame.lead:
            frame.parts.append(frame.written_lead)
        if frame.marks:
            frame.parts.extend(frame.marks)
            frame.marks.clear()
        if frame.bullets:
            frame.parts.append("".join(bullet for bullet, _ in frame.bullets))
            frame.bullets.clear()

    def put_lines(self, piece: str) -> None:
        """Write a piece that may have several lines; each gets the prefix of the list or quote that it is in."""
        lead = self.top.lead
        if lead and "\n" in piece:
            bare = lead.rstrip()
            piece = "\n".join(
                (lead + line if line else bare) if at else line for at, line in enumerate(piece.split("\n"))
            )
        self.put(piece)

    def put_frame(self, frame: Frame, piece: str) -> None:
        """Write a closed inner frame's finished piece, with the space and breaks that were at its ends."""
        top = self.top
        if frame.opening:
            top.gap = max(top.gap, frame.gap)
            top.space = top.space or frame.space
            return
        top.gap = max(top.gap, frame.start_gap)
        top.space = top.space or frame.start_space
        self.put_lines(piece)
        top.gap = frame.gap
        top.space = frame.space

    def line_break(self, size: int) -> None:
        """Note that what follows starts on a new line (1) or after a blank one (2)."""
        self.top.gap = max(self.top.gap, size)

    def open_container(self, first: str, rest: str) -> str:
        """Prefix the lines to come: ``first`` before the next one, ``rest`` before those after; give the old prefix."""
        frame = self.top
        old = frame.lead
        if not frame.inline and len(old) < _LONGEST_LEAD:
            frame.bullets.append((first, len(rest)))
            frame.lead = old + rest
        return old

    def close_container(self, old: str) -> None:
        """End a container, given what ``open_container`` gave; one without any text leaves nothing."""
        frame = self.top
        if frame.bullets and len(frame.lead) > len(old):
            frame.bullets.pop()
        frame.lead = old

    def last_character(self) -> str:
        """Give the character that the next text will touch; empty at the start of a line or after a space."""
        frame = self.top
        if frame.opening or frame.gap or frame.space:
            return ""
        return self.last_part()[-1:]

    def last_part(self) -> str:
        """Give the last piece that was written to the top frame, without marks of nodes at its end; "" for none."""
        return next((said for part in reversed(self.top.parts) if (said := part.rstrip(_OF_MARKS))), "")

    def last_text(self, size: int) -> str:
        """Give the end of what was written to the top frame, without marks: so many characters, or some more."""
        found = ""
        for part in reversed(self.top.parts):
            found = _MARK.sub("", part) + found
            if len(found) >= size:
                break
        return found

    def take_back(self, piece: str) -> bool:
        """Take the last piece off the top frame if it is this one, marks behind it left where they are."""
        parts = self.top.parts
        at = next((at for at in range(len(parts) - 1, -1, -1) if parts[at].rstrip(_OF_MARKS)), -1)
        if at < 0 or parts[at] != piece:
            return False
        del parts[at]
        return True

    def begin_node(self, number: int) -> None:
        """Mark that a node begins with the next text."""
        self.top.marks.append(_BEGIN + _digits(number))

    def end_node(self, number: int) -> None:
        """Mark that a node ended with the last text; one without text leaves no mark."""
        mark = _BEGIN + _digits(number)
        if mark in self.top.marks:
            self.top.marks.remove(mark)
        else:
            self.top.parts.append(_END + mark[1:])


def marked(text: str, number: int) -> str:
    """Give a text with the marks of a node around it."""
    digits = _digits(number)
    return f"{_BEGIN}{digits}{text}{_END}{digits}"


def parted_from_marks(text: str) -> tuple[str, str]:
    """Give the marks of nodes that a text begins with, and the rest of it."""
    found = _MARKS_AT_START.match(text)
    return (found[0], text[found.end() :]) if found else ("", text)


def _digits(number: int) -> str:
    return f"{str(number // 1000).translate(_DIGITS)}{_LAST_DIGITS[number % 1000]}"


def take_out_marks(text: str) -> tuple[str, Iterator[tuple[int, int, int]]]:
    """Give the text without marks, and the number of each node in it with its [start, end)."""
    return _MARK.sub("", text), _places(text)


def _places(text: str) -> Iterator[tuple[int, int, int]]:
    starts: dict[int, int] = {}
    taken_out = 0
    for match in _MARK.finditer(text):
        number = int(match[2].translate(_NUMERALS))
        if match[1] == _BEGIN:
            starts[number] = match.start() - taken_out
        elif number in starts:
            yield number, starts.pop(number), match.start() - taken_out
        taken_out += match.end() - match.start()
