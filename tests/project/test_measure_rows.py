"""The pure parts of the yardstick's suites: F1, matching of values, changed copies of a page."""

import json
from pathlib import Path
from typing import Any

import pytest
from lxml import html as parser
from measure import peers, tier0, wrappers
from measure.cases import Case, read_cases, records_of, with_records
from measure.matching import (
    holds_words,
    judge_fields,
    named_values,
    rates,
    rows_in_markdown,
    same_meaning,
    same_value,
)
from measure.rows import Context
from measure.surgery import changed_pages, find_record_elements, parse

CARDS = """<html><body><h1>Boats</h1><p>3 boats</p><ul>
<li><div><b>Gull</b> <i>built 1931</i></div></li> one
<li><div><b>Tern</b> <i>built 1948</i></div></li> two
<li><div><b>Skua</b> <i>built 1957</i></div></li> three
</ul></body></html>"""
BOATS: list[dict[str, Any]] = [
    {"name": "Gull", "year": 1931},
    {"name": "Tern", "year": 1948},
    {"name": "Skua", "year": 1957},
]


def shown(html: str) -> list[tuple[str, str]]:
    """Give what each item of a list of boats says."""
    items = parser.document_fromstring(html).xpath("//li")
    return [(one.findtext(".//b"), one.findtext(".//i")) for one in items]


def changed() -> dict[str, Any]:
    return dict(changed_pages(CARDS, BOATS, "a seed"))


@pytest.mark.parametrize(
    ("given", "wanted", "is_same"),
    [
        ("a  b\n", "a b", True),
        ("(by an ISP), at 5", "(by an ISP ) , at 5", True),
        ("A", "a", False),
        (1, 1.0, True),
        (True, 1, False),
        ("1", 1, False),
        ({"a": 1, "b": None}, {"a": 1}, True),
        ({"a": 1, "b": 2}, {"a": 1}, False),
        (["x"], ["x", "y"], False),
        ("y", {"$any": ["x", "y"]}, True),
        ("z", {"$any": ["x", "y"]}, False),
    ],
)
def test_values_are_compared_as_json_but_for_blanks(given: Any, wanted: Any, is_same: bool) -> None:
    assert same_value(given, wanted) is is_same


def test_what_a_person_wrote_down_is_compared_without_case_and_notation() -> None:
    assert same_meaning("Birch & Co", "BIRCH & CO")
    assert same_meaning("15.90", 15.9)
    assert not same_meaning("15.90", "15.99")


def test_fields_without_truth_are_not_judged() -> None:
    wanted = {"price": "4.50", "brand": "Oak", "sku": "71", "mpn": None}
    assert judge_fields({"price": "4.5", "brand": "Elm", "gtin": "9", "mpn": "3"}, wanted) == (1, 1, 1)


def test_f1_is_that_of_bags_of_words() -> None:
    assert rates("red red boat", "red boat boat") == (2 / 3, 2 / 3, 2 / 3)
    assert rates("", "boat") == (0.0, 0.0, 0.0)


def test_a_snippet_stands_in_a_text_as_a_run_of_whole_words() -> None:
    assert holds_words("We sail **every** day, all year.", "every day - all")
    assert not holds_words("We sail everyday.", "every day")
    assert not holds_words("anything", "…")


def test_a_value_counts_only_in_the_line_of_its_row() -> None:
    rows = [{"rank": "1", "boat": "Gull"}, {"rank": "2", "boat": "Tern (old)"}]
    whole = "| 1 | [Gull](/g_(1)) |\n| --- | --- |\n| 2 | **Tern** \\(old\\) |"
    assert rows_in_markdown(whole, rows) == (4, 4)
    assert rows_in_markdown("1\n\n2\n\nGull\n\nTern (old)", rows) == (2, 4)
    assert rows_in_markdown("| 12 | Gulls |", rows) == (0, 4)


def test_embedded_data_is_read_as_pairs_in_each_notation() -> None:
    linked = {"@type": "Boat", "name": "Gull", "maker": {"name": "Ferro"}}
    micro = {
        "type": "http://schema.org/Boat",
        "properties": {"name": ["Gull"], "maker": {"properties": {"name": "Ferro"}}},
    }
    graph = {"properties": [["og:title", "Gull"]]}
    assert sorted(named_values([linked])) == sorted(named_values([micro])) == [("name", "Ferro"), ("name", "Gull")]
    assert list(named_values(graph)) == [("title", "Gull")]


def test_the_element_of_a_record_is_the_largest_that_holds_it_alone() -> None:
    found = find_record_elements(parse(CARDS), BOATS)
    assert found is not None
    assert [node.tag for node in found] == ["li", "li", "li"]


def test_records_that_are_runs_of_siblings_have_no_elements() -> None:
    flat = "<dl><dt>Gull</dt><dd>1931</dd><dt>Tern</dt><dd>1948</dd><dt>Skua</dt><dd>1957</dd></dl>"
    assert find_record_elements(parse(flat), BOATS) is None
    with pytest.raises(ValueError, match="3 records"):
        list(changed_pages(flat, BOATS, "a seed"))


def test_a_changed_page_shows_just_the_changed_records() -> None:
    pages = changed()
    assert {"removed", "added", "permuted", "renumbered", "promoted", "renamed", "wrapped"} <= set(pages)
    for name, page in pages.items():
        told = [one for one in shown(page.html) if name != "promoted" or one[1]]
        assert told == [(one["name"], f"built {one['year']}") for one in page.records]
    assert len(pages["removed"].records) == 2
    assert sorted(one["year"] for one in pages["permuted"].records) == [1931, 1948, 1957]
    assert all(
        one["year"] // 10 == boat["year"] // 10 for one, boat in zip(pages["renumbered"].records, BOATS, strict=True)
    )
    assert all(one["year"] != boat["year"] for one, boat in zip(pages["renumbered"].records, BOATS, strict=True))


def test_what_stands_between_the_records_stays_where_it_is() -> None:
    text = " ".join(parser.document_fromstring(changed()["permuted"].html).text_content().split())
    assert text.index("one") < text.index("two") < text.index("three")


def test_a_number_that_stands_twice_in_a_record_is_not_changed() -> None:
    twice = CARDS.replace("built 1931", "built 1931, again 1931").replace("<i>built 1948", "<i title=1948>built 1948")
    years = [one["year"] for one in dict(changed_pages(twice, BOATS, "a seed"))["renumbered"].records]
    assert years[:2] == [1931, 1948]
    assert years[2] != 1957


def test_changes_are_the_same_for_the_same_seed() -> None:
    assert changed() == changed()


def test_records_are_found_inside_the_object_around_them() -> None:
    around = {"title": "Boats", "boats": BOATS}
    assert records_of(around) == records_of(BOATS) == BOATS
    assert with_records(around, BOATS[:1]) == {"title": "Boats", "boats": BOATS[:1]}
    assert records_of({"a": [1], "b": [2]}) is None


def write_case(folder: Path, **files: str) -> None:
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, "utf-8")


def test_a_broken_case_is_noted_and_left_out(tmp_path: Path) -> None:
    good = {"page_html": CARDS, "url": "https://a.example/\n", "schema_json": "{}", "expected_json": json.dumps(BOATS)}
    write_case(tmp_path / "sets/one", **good)
    write_case(tmp_path / "sets/two", **(good | {"expected_json": "{"}))
    context = Context(tmp_path)
    assert [case.name for case in read_cases(context, "sets", quick=9)] == ["sets/one"]
    assert len(context.notes) == 1
    assert context.notes[0].startswith("sets/two: JSONDecodeError")


def page_about_a_boat(price: str) -> Case:
    script = f'<script type="application/ld+json">{{"name": "Gull", "offers": {{"price": "{price}"}}}}</script>'
    schema = {"type": "object", "required": ["name", "price"]}
    return Case("a/b", f"<h1>Gull</h1>{script}", "https://a.example/", schema, {"name": "GULL", "price": "40"})


def test_embedded_data_fits_when_it_states_each_required_field() -> None:
    assert tier0.embedded_data_fits(page_about_a_boat("40.00"))
    assert not tier0.embedded_data_fits(page_about_a_boat("41.00"))


def test_a_peer_that_is_not_installed_gives_a_row_that_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "PYTHON", tmp_path / "python")
    rows = peers.measure(Context(None))
    assert rows
    assert all(row.value is None and row.note == "not installed: make peers" for row in rows)


def test_a_peer_reads_a_column_when_one_of_its_rules_gives_just_that() -> None:
    found = {"name": {"rule 1": ["Gull", "Menu"], "rule 2": ["Gull ", "Tern", ""]}}
    assert peers.is_read(found, "name", ["Gull", "Tern"])
    assert not peers.is_read(found, "name", ["Gull"])
    assert not peers.is_read(None, "name", ["Gull"])


def test_a_column_is_read_when_it_is_right_in_every_record() -> None:
    given = [{**BOATS[0]}, {**BOATS[1], "year": 1900}, {**BOATS[2]}]
    assert wrappers.columns_read(given, BOATS) == {"name"}
    assert wrappers.columns_read(given[:2], BOATS) == set()
    assert wrappers.columns_read(None, BOATS) == set()
