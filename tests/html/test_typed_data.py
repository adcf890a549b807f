"""Data that comes as text: what becomes a table, what articles, and what is left as it is typed."""

import json
from typing import Any

import pytest
from gleaner.html.dom import parse_html
from gleaner.html.typed.typed_data import data_as_html
from gleaner.markdown import extract_clean_markdown
from gleaner.sites.pagination import find_pager
from hypothesis import given
from hypothesis import strategies as st


def markdown_of(text: str, content_type: str = "text/csv", url: str = "https://a.example/x") -> str | None:
    page = data_as_html(text, content_type, url)
    return None if page is None else extract_clean_markdown(page, url, extract_links=True)[0]


@pytest.mark.req("FP-1")
@pytest.mark.parametrize("relation", ["next", "last", ""])
def test_the_next_page_of_a_list_of_data_is_the_one_that_its_header_names(relation: str) -> None:
    links = f'</lamps?page=1>; rel="first", </lamps?page=2>; rel="{relation}"' if relation else ""
    page = data_as_html('[{"name": "Jug"}, {"name": "Bowl"}]', "application/json", "", links)
    pager = find_pager(parse_html(str(page)), "https://a.example/lamps")
    assert pager.urls == (("https://a.example/lamps?page=2",) if relation == "next" else ())


@pytest.mark.req("FP-1", "FP-3")
@pytest.mark.parametrize(
    ("around", "url", "following", "goes_on"),
    [
        ({"count": 300, "next": "https://a.example/lamps?page=2"}, "lamps", "lamps?page=2", True),
        ({"links": {"first": "/lamps?page=1", "next": "/lamps?page=2"}}, "lamps", "lamps?page=2", True),
        ({"_links": {"next": {"href": "?page=2"}}}, "lamps", "lamps?page=2", True),
        ({"@odata.nextLink": "https://a.example/lamps?$skip=2"}, "lamps", "lamps?$skip=2", True),
        ({"prev_page_url": "?page=1", "next_page_url": "?page=3"}, "lamps?page=2", "lamps?page=3", True),
        ({"first": 1, "next": 11}, "lamps?page=10&per_page=10", "lamps?page=11&per_page=10", True),
        ({"next": 11}, "lamps?a=10&b=10", "", True),
        ({"response_metadata": {"next_cursor": "dXNlcjpV"}}, "lamps", "", True),
        ({"paging": {"hasMore": True}}, "lamps", "", True),
        ({"nextPageNumber": 2}, "lamps?p=1", "lamps?p=2", True),
        ({"page": 1, "per_page": 2, "total_pages": 3}, "lamps?page=1", "lamps?page=2", True),
        ({"meta": {"currentPage": 2, "lastPage": 3}}, "lamps", "", True),
        ({"page": 3, "pages": 3}, "lamps?page=3", "", False),
        ({"total": 300, "limit": 2, "offset": 0}, "lamps", "", True),
        ({"total": 300, "limit": 2, "offset": 298}, "lamps", "", False),
        ({"page": 1, "per_page": 2, "total": 300}, "lamps?page=1", "lamps?page=2", True),
        ({"page": 150, "per_page": 2, "total": 300}, "lamps?page=150", "", False),
        ({"totalCount": 300}, "lamps", "", True),
        ({"totalCount": 300}, "lamps?start=298", "", False),
        ({"totalCount": 300}, "lamps?p=150", "", False),
        ({"count": 300, "next": None}, "lamps?page=150", "", False),
        ({"order": 17, "total": 300}, "lamps", "", False),
        ({"NextMarker": "²"}, "lamps?p=²", "", True),
        ({"next": "9" * 5000}, "lamps?p=1", "", True),
        ({"next": None, "next_cursor": "", "has_more": False, "nextLink": {}}, "lamps?page=30", "", False),
        ({"next_opening": "Monday", "whats_next": "/sale"}, "lamps", "", False),
    ],
)
def test_a_list_of_json_goes_on_where_its_body_says_and_never_in_silence(
    around: dict[str, Any], url: str, following: str, goes_on: bool
) -> None:
    body = json.dumps({**around, "data": [{"name": "Jug", "next": "/1"}, {"name": "Bowl", "next": "/2"}]})
    page = parse_html(str(data_as_html(body, "application/json", f"https://a.example/{url}")))
    pager = find_pager(page, f"https://a.example/{url}")
    assert pager.urls == ((f"https://a.example/{following}",) if following else ())
    assert bool(pager.urls or pager.unfollowed) == goes_on


@pytest.mark.req("MD-1", "MD-2")
@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("a,b\n1,2\n3,4\n", ["| a | b |", "| 1 | 2 |", "| 3 | 4 |"]),
        ("a;b\n1,5;2\n3;4", ["| a | b |", "| 1,5 | 2 |", "| 3 | 4 |"]),
        ("sep=|\na|b\n1|2", ["| a | b |", "| 1 | 2 |"]),
        ("\ufeffa\tb\n1\t2", ["| a | b |", "| 1 | 2 |"]),
        ('a,b\n"x, y","one\ntwo"', ["| a | b |", "| x, y | one two |"]),
        ("# of 3 March\na,b\n1,2\n\n3,4", ["# of 3 March", "| a | b |", "| 1 | 2 |", "| 3 | 4 |"]),
        ("Jug,3\nBowl,4", ["| Jug | 3 |", "| Bowl | 4 |"]),
        ("a,b\n<b>x</b>,&amp;", ["| a | b |", "| <b>x</b> | &amp; |"]),
    ],
)
def test_delimited_lines_are_rows_of_a_table(text: str, rows: list[str]) -> None:
    lines = str(markdown_of(text)).replace("\\", "").replace("<br>", " ").splitlines()
    assert [line for line in lines if line.strip() and "---" not in line and line.strip("| ")] == rows


@pytest.mark.req("MD-1", "MD-2")
@pytest.mark.parametrize(
    ("text", "tables"),
    [
        ("a,b\n1,2\n\nx,y,z\n1,2,3\n", 2),
        ("a,b,\n1,2,\n,,\nx,y,z\n1,2,3\n", 2),
        ("a,b\n1,2\n\nMembers\nx,y\n1,2\n", 2),
        ("a,b\n1,2\n\na,c\n1,2\n\na,b\n3,4", 3),
        ("Of March\na,b\n1,2\n\nOf April\na,b\n3,4", 2),
        ("a,b\n1,2\n\nx,n/a\ny,3\n", 1),
        ("a,b\nx,y\n\nx,z\nv,w\n", 1),
        ("a,b\nx,y\n\nSouth\nx,z\nv,w\n", 0),
        ("a,b\n1,2\n\n3,4\n5,6\n", 1),
    ],
)
def test_a_blank_row_parts_tables_only_where_another_head_follows(text: str, tables: int) -> None:
    page = str(data_as_html(text, "text/csv", ""))
    assert page.count("<table>") == page.count("<thead>") == tables


@pytest.mark.req("MD-1")
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("a,b\n1,2,3\n4\n5,6,7,8\n", "text/csv"),
        ("one\ntwo\n", "text/csv"),
        ("", "text/csv"),
        ("a,b\n1,2", "text/plain"),
        ('{"a": 1}', "application/json"),
        ("[1, 2]", "application/json"),
        ("[" * 100_000, "application/json"),
        ("{broken", "application/x-ndjson"),
    ],
)
def test_what_is_no_list_of_records_stays_as_it_is_typed(text: str, kind: str) -> None:
    assert markdown_of(text, kind) is None


@pytest.mark.req("MD-1", "MD-3")
def test_objects_of_json_are_rows_or_articles_with_their_lists() -> None:
    flat = [{"name": "Jug", "of": {"wood": "larch"}, "price": 19.50}, {"name": "Cup", "price": None}]
    rows = str(markdown_of("\n".join(map(json.dumps, flat)), "application/x-ndjson")).splitlines()
    assert rows == ["| name | of wood | price |", "| --- | --- | --- |", "| Jug | larch | 19.5 |", "| Cup |  |  |"]
    nested = {"shops": [{"town": "Bath", "jugs": flat, "tags": ["a", "b"]}, {"town": "Ely", "jugs": []}]}
    page = str(data_as_html(json.dumps(nested), "application/json", ""))
    assert page.count("<article>") == 2
    assert "<h2>jugs</h2><table>" in page and "<dt>tags</dt><dd>a, b</dd>" in page


@pytest.mark.req("MD-1", "MD-2")
def test_lists_of_one_length_are_rows_below_the_names_beside_them() -> None:
    said = markdown_of('{"rows": [["Jug", 3], ["Mug", null]], "columns": ["name", "price"]}', "application/json")
    assert said is not None
    assert said.endswith("| name | price |\n| --- | --- |\n| Jug | 3 |\n| Mug |  |")


@pytest.mark.req("MD-1")
def test_two_values_of_one_name_are_both_kept() -> None:
    said = markdown_of('[{"a b": 1, "a": {"b": 2}}, {"a b": 3, "a": {"b": 4}}]', "application/json")
    assert said is not None
    assert [value for value in "1234" if value not in said] == []


@pytest.mark.req("MD-6")
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    )
)
def test_no_text_of_json_is_lost(value: Any) -> None:
    page = data_as_html(json.dumps([{"a": value}, {"b": [value]}]), "application/json", "")
    assert page is not None
    texts = [one for one in _texts(value) if one.isalnum()]
    assert all(text in page for text in texts)


def _texts(value: Any) -> list[str]:
    if isinstance(value, dict | list):
        return [text for one in (value.values() if isinstance(value, dict) else value) for text in _texts(one)]
    return [value] if isinstance(value, str) else []
