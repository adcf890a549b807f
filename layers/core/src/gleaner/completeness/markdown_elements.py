"""The elements of a Markdown text whose DOM is not at hand: its list items, rows and paragraphs, as HTML."""

import re
from html import escape

from gleaner.grounding.evidence.table_heads import CELL

_ITEM = re.compile(r"([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(\S.*)")
_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t:-]*)*")
_TARGET = re.compile(r"\]\([^()\s]*\)")


def elements_of_markdown(markdown: str) -> str:
    """Give the HTML of a text's items, rows and paragraphs, which is enough to tell what are siblings.

    >>> elements_of_markdown("- Oak\\n- Elm [tall](/elm)")
    '<ul><li>Oak</li><li>Elm [tall]</li></ul>'
    """
    parts: list[str] = []
    lists: list[int] = []
    is_table = False
    for line in _TARGET.sub("]", markdown).splitlines():
        item, is_row = _ITEM.fullmatch(line), line.lstrip().startswith("|")
        depth = len(item[1]) if item else -1
        if line.strip() and (item is None or is_row):
            depth = -1
        while lists and (item or line.strip()) and lists[-1] > depth:
            lists.pop()
            parts.append("</ul>")
        if is_table and not is_row:
            parts.append("</table>")
        elif is_row and not is_table:
            parts.append("<table>")
        is_table = is_row
        if item:
            if not lists or lists[-1] < depth:
                lists.append(depth)
                parts.append("<ul>")
            parts.append(f"<li>{escape(item[2])}</li>")
        elif is_row and _RULE.fullmatch(line):
            parts[-1] = parts[-1].replace("<td>", "<th>")
        elif is_row:
            cells = CELL.split(line.strip().strip("|"))
            parts.append(f"<tr>{''.join(f'<td>{escape(cell.strip())}</td>' for cell in cells)}</tr>")
        elif line.strip():
            parts.append(f"<p>{escape(line.strip())}</p>")
    return "".join([*parts, *(["</table>"] if is_table else []), *("</ul>" for _ in lists)])
