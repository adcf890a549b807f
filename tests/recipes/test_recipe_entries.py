"""Records that no element of their own holds, and what stands among records in their very markup."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from gleaner.contracts.ports import JsonValue
from gleaner.recipes import Recipe, learn, refine, replay
from gleaner.recipes.learning import same_data

URL = "https://guild.example/list"
NAMES = ["Ada Roe", "Bo Lind", "Cy Marsh", "Di Holm", "Ed Foss", "Flo Berg", "Gil Sand", "Hal Moor", "Ivy Dale"]
Record = dict[str, Any]
Write = Callable[[Sequence[Record]], str]


def records_of(page: int) -> list[Record]:
    return [
        {
            "name": f"{name} {10 * page + at}",
            "day": f"{1 + (at + page) % 27} May 20{10 + page}",
            "size": 100 * page + 7 * at,
            "phone": f"0{200 + at} {10_000 * page + 31 * at}",
            "mail": f"m{page}{at}@guild.example" if (at + page) % 3 else None,
            "notes": [f"Note {page}{at}{n}" for n in range((at + page) % 3)],
        }
        for at, name in enumerate(NAMES)
    ]


def between_empty_lines(records: Sequence[Record]) -> str:
    def entry(one: Record) -> str:
        mail = f"<br>{one['mail']}" if one["mail"] else ""
        return f"<b>{one['name']}</b><br>\nTel. {one['phone']}{mail}"

    return f"<p>{'<br><br>'.join(map(entry, records))}</p>"


def in_preformatted_columns(records: Sequence[Record]) -> str:
    lines = [f"<a href='x'>{one['name']}</a>{one['day']:>30}{one['size']:>12}" for one in records]
    return "<pre><a href='..'>Parent folder</a>                -\n" + "\n".join(lines) + "\n<hr></pre>"


def in_lines_of_cells(records: Sequence[Record]) -> str:
    """A grid of cells, three to a row, with a few lines in each; one that is a link comes and goes."""

    def cell(one: Record) -> str:
        mail = f"<a href='mailto:{one['mail']}'>{one['mail']}</a><br>" if one["mail"] else ""
        return f"<td><b>{one['name']}</b><br>{mail}{one['day']}<br>{one['phone']}</td>"

    cells = [*map(cell, records)]
    rows = ("".join(cells[at : at + 3]) for at in range(0, len(cells), 3))
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def under_headings(records: Sequence[Record]) -> str:
    def one(record: Record) -> str:
        notes = "".join(f"<li>{note}</li>" for note in record["notes"])
        return f"<h2>{record['name']}</h2>" + (f"<h3>Notes</h3><ul>{notes}</ul>" if notes else "")

    return "".join(map(one, records))


def card(one: Record, label: str = "") -> str:
    return f"<div class='card'>{label}<h3>{one['name']}</h3><p class='tel'>{one['phone']}</p></div>"


def among_advertisements(records: Sequence[Record], label: str = "<i>Sponsored</i>") -> str:
    page = int(records[0]["name"].split()[-1]) // 10
    ads = [{"name": f"Buy {page} now", "phone": f"0999 {page}1"}, {"name": f"Try {page}", "phone": f"0998 {page}2"}]
    return card(ads[0], label) + "".join(map(card, records)) + card(ads[1], label)


def page_of(write: Write, records: Sequence[Record]) -> str:
    return f"<html><body><main>{write(records)}</main></body></html>"


def schema_of(names: str) -> dict[str, Any]:
    types: dict[str, Any] = {"size": "integer", "mail": ["string", "null"], "notes": "array"}
    fields: dict[str, Any] = {name: {"type": types.get(name, "string")} for name in names.split()}
    return {"type": "array", "items": {"type": "object", "properties": fields}}


def truth(page: int, names: str) -> list[JsonValue]:
    return [{name: one[name] for name in names.split()} for one in records_of(page)]


def learned(write: Write, names: str) -> Recipe:
    recipe = learn(page_of(write, records_of(1)), URL, schema_of(names), truth(1, names))
    assert recipe is not None and recipe.transferable
    return recipe


LAYOUTS = [
    (between_empty_lines, "name phone mail"),
    (in_preformatted_columns, "name day size"),
    (in_lines_of_cells, "name day phone mail"),
    (under_headings, "name notes"),
    (among_advertisements, "name phone"),
]


@pytest.mark.req("RC-1", "RC-2")
@pytest.mark.parametrize(("write", "names"), LAYOUTS)
def test_records_without_an_element_that_holds_just_them_are_read_on_the_next_pages(write: Write, names: str) -> None:
    recipe = learned(write, names)
    for page in (2, 3):
        read = replay(recipe, page_of(write, records_of(page)), URL, schema_of(names))
        assert not read.doubts
        assert len(read.records) == len(NAMES)
        assert all(map(same_data, read.records, truth(page, names)))


@pytest.mark.req("RC-2")
@pytest.mark.parametrize("label", ["<i>Promoted</i>", "<i>Anzeige</i>"])
def test_an_advertisement_with_another_label_is_doubted(label: str) -> None:
    recipe = learned(among_advertisements, "name phone")
    html = page_of(lambda records: among_advertisements(records, label), records_of(2))
    assert not replay(recipe, html, URL, schema_of("name phone")).holds


@pytest.mark.req("RC-2")
def test_the_first_record_that_says_it_is_an_advertisement_is_doubted_until_a_model_has_taken_it_for_one() -> None:
    def write(records: Sequence[Record]) -> str:
        return "".join(card(one, "<i>Sponsored</i>" * (at == 4)) for at, one in enumerate(records))

    schema = schema_of("name phone")
    recipe = learn(
        page_of(lambda records: "".join(map(card, records)), records_of(1)), URL, schema, truth(1, "name phone")
    )
    assert recipe is not None
    html = page_of(write, records_of(2))
    assert replay(recipe, html, URL, schema).doubts == ("a record says 'Sponsored'",)
    better = refine(recipe, html, URL, truth(2, "name phone"))
    assert better is not None
    assert replay(better, page_of(write, records_of(3)), URL, schema).holds


@pytest.mark.req("RC-1", "RC-2")
@pytest.mark.parametrize("tell", ["class", "title"])
def test_an_advertisement_told_by_its_class_or_before_a_colon_is_left_out_and_accounted_for(tell: str) -> None:
    def write(records: Sequence[Record]) -> str:
        page = records[0]["name"].split()[-1]
        title = f"{'Sponsored: ' * (tell == 'title')}Pots and pans of all sizes from {page} shops"
        ad = card({"name": title, "phone": f"0999 {page}1"})
        ad = ad.replace("'card'", "'card sponsored'") if tell == "class" else ad
        return card(records[0]) + ad + "".join(map(card, records[1:]))

    schema, names = schema_of("name phone"), "name phone"
    plain = learn(page_of(lambda records: "".join(map(card, records)), records_of(1)), URL, schema, truth(1, names))
    assert plain is not None
    assert not replay(plain, page_of(write, records_of(2)), URL, schema).holds
    read = replay(learned(write, names), page_of(write, records_of(2)), URL, schema)
    assert read.holds
    assert all(map(same_data, read.records, truth(2, names)))
    assert [one.after for one in read.interludes] == [1]


@pytest.mark.req("RC-1", "RC-2")
def test_what_reads_like_a_record_is_not_left_out_for_its_words() -> None:
    def write(records: Sequence[Record]) -> str:
        return "".join(map(card, [*records, {"name": "Our own desk", "phone": "0100 1"}]))

    html = page_of(write, records_of(1))
    recipe = learn(html, URL, schema_of("name phone"), truth(1, "name phone"))
    assert recipe is None or not any(one.unless for one in recipe.record)


@pytest.mark.req("RC-2")
def test_a_line_of_other_words_than_the_one_that_is_no_record_is_doubted() -> None:
    recipe = learned(in_preformatted_columns, "name day size")
    html = page_of(in_preformatted_columns, records_of(2)).replace("Parent folder", "Up")
    assert not replay(recipe, html, URL, schema_of("name day size")).holds


@pytest.mark.req("RC-2")
def test_a_line_more_or_less_in_a_cell_is_doubted() -> None:
    recipe = learned(in_lines_of_cells, "name day phone mail")
    html = page_of(in_lines_of_cells, records_of(2))
    for changed in (html.replace("</b><br>", "</b><br>by post<br>", 3), html.replace("May 2012<br>", "May 2012 ", 3)):
        assert not replay(recipe, changed, URL, schema_of("name day phone mail")).holds


@pytest.mark.req("RC-1", "RC-2")
def test_what_stands_in_a_line_of_changing_number_is_known_by_its_form() -> None:
    def write(records: Sequence[Record]) -> str:
        return in_lines_of_cells([{**one, "mail": None, "name": one["name"]} for one in records]).replace(
            "</b><br>", "</b><br>by post<br>", 3
        )

    schema = schema_of("name day phone")
    recipe = learn(page_of(write, records_of(1)), URL, schema, truth(1, "name day phone"))
    assert recipe is not None
    other = page_of(write, records_of(2))
    assert replay(recipe, other, URL, schema).data == truth(2, "name day phone")
    for line in ("By Rail", "2 June 2013"):
        changed = other.replace("Holm 23</b><br>", f"Holm 23</b><br>{line}<br>")
        assert not replay(recipe, changed, URL, schema).holds


@pytest.mark.req("RC-2")
def test_two_lists_under_one_label_are_not_joined_to_one() -> None:
    recipe = learned(under_headings, "name notes")
    again = "<h3>Notes</h3><ul><li>Note of another</li></ul><h2>"
    html = page_of(under_headings, records_of(2)).replace("</ul><h2>", f"</ul>{again}", 1)
    assert not replay(recipe, html, URL, schema_of("name notes")).holds


@pytest.mark.req("RC-2")
def test_a_comma_in_the_only_item_of_a_list_is_no_doubt_where_items_are_elements() -> None:
    def notes_of(page: int, least: int) -> list[Record]:
        return [{**one, "notes": [f"{note}, in short" for note in one["notes"][least:]]} for one in records_of(page)]

    recipe, schema = learned(under_headings, "name notes"), schema_of("name notes")
    several, single = notes_of(2, 0), notes_of(2, 1)
    read = replay(recipe, page_of(under_headings, several), URL, schema)
    assert read.holds
    assert all(map(same_data, read.records, [{"name": one["name"], "notes": one["notes"]} for one in several]))
    assert not replay(recipe, page_of(under_headings, single), URL, schema).holds
