"""The pure parts of the yardstick's suites: F1, cases, changed copies of a page, tables of documents, rooms."""

import json
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from gleaner.html.dom import parse_html as html_to_tree
from lxml import etree
from lxml import html as parser
from measure import costs, documents, peers, rooms, tier0
from measure.cases import Case, read_cases
from measure.matching import holds_words, rates, rows_in_markdown
from measure.rows import Context
from measure.surgery import changed_pages, find_record_elements, parse
from measure.tier0 import named_values

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


def test_a_record_with_a_value_that_stands_over_it_can_not_be_moved() -> None:
    under = CARDS.replace("<ul>", "<h2>3 May 2031</h2><ul>")
    with pytest.raises(ValueError, match="sold stands outside of the element of a record"):
        list(changed_pages(under, [{**one, "sold": "2031-05-03"} for one in BOATS], "a seed"))


def write_case(folder: Path, **files: str) -> None:
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, "utf-8")


def test_a_broken_case_is_noted_and_left_out_and_a_missing_corpus_is_named(tmp_path: Path) -> None:
    truth = {"page_html": CARDS, "url": "https://a.example/\n", "query": "boats\n", "truth_json": json.dumps(BOATS)}
    meta = {"meta_json": json.dumps({"group": "a", "whole": True}), "schema_json": "{}"}
    write_case(tmp_path / "courts/one", **truth, **meta)
    write_case(tmp_path / "courts/two", **(truth | {"truth_json": "{"}), **meta)
    write_case(tmp_path / "courts/one/next/1", **truth, **meta)
    context = Context(tmp_path)
    (case,) = read_cases(context, "courts", "tables")
    assert (case.name, case.site, case.query, case.records, case.is_whole) == ("one", "a", "boats", BOATS, True)
    assert [other.name for other in case.others] == ["1"]
    assert len(context.notes) == 2
    assert context.notes[0].startswith("courts/two: JSONDecodeError")
    assert context.notes[1] == "records/tables: this folder is missing in the corpus"


def test_of_a_saved_truth_only_what_the_page_states_is_asked_for(tmp_path: Path) -> None:
    fields = {name: {"type": ["string", "null"]} for name in ("name", "year", "sku", "gtin")}
    schema = {"type": "object", "properties": fields, "required": ["name"]}
    expected = {"name": {"$any": ["GULL BOAT", "Gull"]}, "year": "1931", "sku": "x-77"}
    files = {"page_html": CARDS, "url": "a.example", "schema_json": json.dumps(schema)}
    write_case(tmp_path / "records/products/one", **files, expected_json=json.dumps(expected))
    (case,) = read_cases(Context(tmp_path), "products")
    assert case.truth == {"name": "Gull", "year": "1931", "sku": None, "gtin": None}
    assert (case.counted, case.url) == ({"/name", "/year"}, "https://a.example")


def page_about_a_boat(price: str) -> Case:
    script = f'<script type="application/ld+json">{{"name": "Gull", "offers": {{"price": "{price}"}}}}</script>'
    schema = {"type": "object", "required": ["name", "price"]}
    truth = {"name": "GULL", "price": "40"}
    return Case("own", "b", "b", f"<h1>Gull</h1>{script}", "https://a.example/", schema, None, truth)


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


def test_cells_that_span_are_neighbours_of_all_that_they_lie_beside() -> None:
    rows = "<tr><td>Gull</td><td>1931</td></tr><tr><td></td><td>1948</td></tr>"
    table = f"<table><tr><th colspan=2>Boats</th></tr>{rows}</table>"
    (cells,) = documents.tables_in_html(table)
    assert documents.relations_of(cells) == {
        ("BOATS", "GULL", "down", 0): 1,
        ("BOATS", "1931", "down", 0): 1,
        ("GULL", "1931", "across", 0): 1,
        ("1931", "1948", "down", 0): 1,
    }
    written = "| Boats | |\n|---|---|\n| **Gull** | 1931 |\n\ntext\n\n| a | b |\n"
    assert [len(one) for one in documents.tables_in_markdown(written)] == [4, 2]
    assert documents.recall_and_precision([cells], [cells]) == (1.0, 1.0)
    assert documents.recall_and_precision([cells], [cells, cells]) == (1.0, 0.5)
    assert documents.recall_and_precision([cells], []) == (0.0, 0.0)


def test_each_module_belongs_to_one_room_and_lines_that_are_blank_do_not_count(tmp_path: Path) -> None:
    for name in ("cli/main.py", "wiring.py", "addresses.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text('"""A module."""\n\nNAME = 1\n', "utf-8")
    found = {name: lines for name, lines in rooms.count_rooms(tmp_path).items() if lines}
    assert found == {"cli": 2, "addresses, budget": 2, rooms.WIRING: 2}
    assert sum(rooms.count_rooms().values()) > 20_000


def test_a_page_costs_parses_and_functions_and_the_counting_leaves_nothing_behind() -> None:
    original = etree.fromstring
    (case, *_) = read_cases(Context(None), "own")
    with costs.counted() as cost:
        cost.begin(len(case.html))
        html_to_tree(case.html)
        html_to_tree("<p>short</p>")
    assert cost.parses == 1
    assert {code.co_name for code in cost.functions} >= {"parse_html", "limit_attributes"}
    assert etree.fromstring is original
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        context = Context(None, quick=True)
        parses, functions = process.submit(costs.measure, context).result()
    assert parses.value and parses.value >= 1 and functions.value and functions.value > 1_000
