"""Notice queries about removed parts: menus, header, footer, banners (MD-1)."""

import re
from collections.abc import Mapping

_NAMED = {
    "navigation": re.compile(
        r"\bnavi\w*|\bnav ?bars?\b|\b(?:main|site|top|side) ?menus?\b|\bbread ?crumbs?|\bside ?bars?\b|hauptmenü"
        r"|barre latérale",
        re.IGNORECASE,
    ),
    "footer": re.compile(
        r"\bfoot(?:er|line)s?\b|fußzeile|pied de page|pie de página|rodapé|piè di pagina", re.IGNORECASE
    ),
    "header": re.compile(r"\b(?:page|site) headers?\b|\bheader (?:links?|menu|bar)\b|kopfzeile", re.IGNORECASE),
    "cookies": re.compile(r"\bcookie\w*", re.IGNORECASE),
}
_PERHAPS = {"navigation": re.compile(r"\bmen(?:u|ú|ü|uer|y)s?\b|меню|メニュー|菜单|메뉴", re.IGNORECASE)}


def left_out(query: str | None, removed: Mapping[str, int]) -> tuple[str, bool]:
    """Say which parts that a question names were left out of the text, and whether it surely means them.

    >>> left_out("all links of the footer", {"footer": 120})[1], left_out("all menu items", {"navigation": 30})[1]
    (True, False)
    >>> left_out("all prices", {"footer": 120})
    ('', False)
    """
    for is_sure, names in ((True, _NAMED), (False, _PERHAPS)):
        parts = [part for part, name in names.items() if removed.get(part) and name.search(query or "")]
        if parts:
            sizes = " and ".join(f"{part} ({removed[part]} characters)" for part in parts)
            return f"the page's {sizes} is left out of its text; a css_selector that names it keeps it", is_sure
    return "", False
