"""Renders recorded Markdown as a plain page, so that what a model once read goes through Gleaner as a page does.

It knows what Gleaner writes: headings, paragraphs, nested lists, definition lists, tables, emphasis. Where the page is
converted again the same Markdown comes out.
"""

import re
from collections.abc import Callable, Iterator
from html import escape

_HEADING = re.compile(r"(#{1,6}) +(.*)")
_ITEM = re.compile(r"(?:[-*+]|(\d{1,9})[.)]) +(?=\S)")
_DEFINITION = re.compile(r": {1,3}(?=\S)")
_RULE = re.compile(r"\|(?: *:?-+:? *\|)+ *")
_EMPHASIS = (
    (re.compile(r"\*\*(.+?)\*\*", re.DOTALL), r"<b>\1</b>"),
    (re.compile(r"\*(.+?)\*", re.DOTALL), r"<i>\1</i>"),
)


def page_of_markdown(markdown: str, title: str = "Recorded page") -> str:
    """Give a whole HTML page that shows the Markdown."""
    body = render(markdown)
    return f"<!DOCTYPE html><html><head><title>{escape(title)}</title></head><body><main>{body}</main></body></html>"


def render(markdown: str) -> str:
    """Give the HTML of a Markdown text.

    >>> render("# Trees\\n\\n- **Oak**\\n- Elm")
    '<h1>Trees</h1><ul><li><b>Oak</b></li><li>Elm</li></ul>'
    """
    return "".join(_blocks(markdown.splitlines()))


def _blocks(lines: list[str]) -> Iterator[str]:
    at = 0
    while at < len(lines):
        line = lines[at]
        if not line.strip():
            at += 1
        elif heading := _HEADING.fullmatch(line):
            level = len(heading[1])
            yield f"<h{level}>{_inline(heading[2])}</h{level}>"
            at += 1
        elif line.startswith("|") and at + 1 < len(lines) and _RULE.fullmatch(lines[at + 1]):
            end = _end(lines, at, lambda text: text.startswith("|"))
            yield _table(lines[at:end])
            at = end
        elif _is_definition(lines, at):
            end = _end_of_items(lines, at, _DEFINITION, has_terms=True)
            yield f"<dl>{''.join(_definitions(lines[at:end]))}</dl>"
            at = end
        elif item := _ITEM.match(line):
            end = _end_of_items(lines, at, _ITEM)
            tag = "ol" if item[1] else "ul"
            parts = "".join(f"<li>{_contents(part)}</li>" for part in _parts(lines[at:end], _ITEM))
            yield f"<{tag}>{parts}</{tag}>"
            at = end
        else:
            end = _end(lines, at, lambda text: bool(text.strip()) and not _begins_block(text))
            yield f"<p>{_inline(chr(10).join(lines[at : max(end, at + 1)]))}</p>"
            at = max(end, at + 1)


def _begins_block(line: str) -> bool:
    return bool(_HEADING.fullmatch(line) or _ITEM.match(line) or line.startswith("|"))


def _is_definition(lines: list[str], at: int) -> bool:
    following = lines[at + 1] if at + 1 < len(lines) else ""
    is_term = not _begins_block(lines[at]) and not lines[at].startswith(" ")
    return bool(_DEFINITION.match(lines[at])) or (is_term and bool(_DEFINITION.match(following)))


def _end(lines: list[str], at: int, belongs: Callable[[str], bool]) -> int:
    while at < len(lines) and belongs(lines[at]):
        at += 1
    return at


def _end_of_items(lines: list[str], at: int, mark: re.Pattern[str], *, has_terms: bool = False) -> int:
    """Give the line after a list: what is indented belongs to it, blank lines do when the list goes on."""
    end = at
    for number in range(at, len(lines)):
        text = lines[number]
        if mark.match(text) or text.startswith("  ") or (has_terms and _is_definition(lines, number)):
            end = number + 1
        elif text.strip():
            break
    return end


def _parts(lines: list[str], mark: re.Pattern[str]) -> list[list[str]]:
    """Give the lines of each item, without its mark and its indent."""
    parts: list[list[str]] = []
    width = 0
    for line in lines:
        if found := mark.match(line):
            width = found.end()
            parts.append([line[width:]])
        elif parts:
            parts[-1].append(line[min(width, len(line) - len(line.lstrip())) :])
    return parts


def _definitions(lines: list[str]) -> Iterator[str]:
    at = 0
    while at < len(lines):
        if not lines[at].strip():
            at += 1
        elif not _DEFINITION.match(lines[at]):
            yield f"<dt>{_inline(lines[at])}</dt>"
            at += 1
        else:
            end = _end(lines, at + 1, lambda text: text.startswith("  ") or not text.strip())
            yield f"<dd>{_contents(_parts(lines[at:end], _DEFINITION)[0])}</dd>"
            at = end


def _contents(lines: list[str]) -> str:
    """Give what an item holds: bare text for one line, blocks otherwise."""
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    is_text = len(lines) == 1 and not _begins_block(lines[0])
    return _inline(lines[0]) if is_text else "".join(_blocks(lines))


def _table(lines: list[str]) -> str:
    rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]] for line in lines]
    head = "".join(f"<th>{_inline(cell)}</th>" for cell in rows[0])
    body = "".join("<tr>" + "".join(f"<td>{_inline(cell)}</td>" for cell in row) + "</tr>" for row in rows[2:])
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _inline(text: str) -> str:
    """Give the HTML of a run of text."""
    shown = escape(text.strip(), quote=False).replace("\\|", "|").replace("\n", "<br>")
    for pattern, tag in _EMPHASIS:
        shown = pattern.sub(tag, shown)
    return shown
