"""A list that is cut up by letters is told from one that is whole, and from letters that lead to places on the page."""

import pytest
from gleaner.html.dom import parse_html
from gleaner.sites.letter_index import find_letter_index

pytestmark = pytest.mark.req("FP-3")

URL = "https://a.example/list"


def links(letters: str, to: str = "?part={0}") -> str:
    return " ".join(f'<a href="{to.format(one)}">{one}</a>' for one in letters)


PARTS = {
    "a letter in bold": (f"<p><b>A</b> {links('BCDEF')}</p>", URL, ""),
    "an item that is marked": (f"<ul><li class=active><a href='?part=A'>A</a></li>{links('BCDEF')}</ul>", URL, ""),
    "its own address": (f"<p>{links('ABCDEF')}</p>", f"{URL}?part=A", ""),
    "the letter of all records": (f"<p>{links('ABCDEF')}</p>", URL, "AAA"),
    "letters of another script": (f"<p><b>Α</b> {links('ΒΓΔΕΖ')}</p>", URL, ""),
}
WHOLE = {
    "places on the page": (f"<p><b>A</b> {links('BCDEF', '#{0}')}</p>", URL, "AAA"),
    "records of several letters": (f"<p>{links('ABCDEF')}</p>", URL, "ABC"),
    "sizes": (f"<p><b>L</b> {links('MSX')}</p>", URL, "LLL"),
    "letters in no order": (f"<p><b>Q</b> {links('WERTYU')}</p>", URL, "QQQ"),
    "nothing": ("<p>All there is</p>", URL, "AAA"),
}


@pytest.mark.parametrize("case", PARTS)
def test_the_other_parts_are_named_by(case: str) -> None:
    html, url, initials = PARTS[case]
    index = find_letter_index(parse_html(html), url)
    assert index is not None
    assert len(index.other_parts(initials)) == 5


@pytest.mark.parametrize("case", WHOLE)
def test_there_are_no_other_parts_where_there_are(case: str) -> None:
    html, url, initials = WHOLE[case]
    index = find_letter_index(parse_html(html), url)
    assert index is None or not index.other_parts(initials)
