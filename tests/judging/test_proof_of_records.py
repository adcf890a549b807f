"""Provenance of records: each leaf points into its own record's place, and what stands elsewhere proves nothing."""

import pytest
from gleaner.judging.judge import judge
from gleaner.values.texts.text_index import TextIndex
from hypothesis import given
from hypothesis import strategies as st

from tests.support.told import told as prove

HEAD = "# Shop\n\n## Mugs\n\nAll prices in USD.\n\n| Name | Price | Stock |\n|---|---|---|\n"


def rows_of(records, form="| {name} | ${price}.00 | {stock} |"):
    return [form.format(**record) for record in records]


def page_of(records):
    """Give a page with one table row a record, and the rows' places."""
    text, spans = HEAD, []
    for row in rows_of(records):
        spans.append((len(text), len(text) + len(row)))
        text += row + "\n"
    return text, spans


def mugs(count):
    return [
        {"name": f"Mug {chr(65 + n % 26)}{chr(97 + n // 26)}", "price": 5 + n % 3, "stock": n % 4} for n in range(count)
    ]


def statuses(entries):
    return {entry.pointer: entry.status for entry in entries}


def inside(entry, span):
    return entry.start is not None and span[0] <= entry.start < entry.end <= span[1]


@pytest.mark.req("PR-1")
@pytest.mark.parametrize("with_spans", [True, False])
def test_equal_values_point_into_their_own_rows(with_spans):
    records = mugs(30)
    text, spans = page_of(records)
    entries = prove(records, text, spans=spans if with_spans else None)
    assert len(entries) == 90
    for entry in entries:
        assert inside(entry, spans[int(entry.pointer.split("/")[1])]), entry


@pytest.mark.req("PR-1")
def test_of_two_records_with_one_place_one_stands_in_the_free_unit_that_states_it():
    text = "#1 at 04:27, Ann: who is in?\n\n#2 at 10:50, Bob: what is it?"
    posts = [{"posted": "10:50", "author": "Bob"}, {"posted": "04:27", "author": "Ann"}]
    first, second = (0, text.index("\n\n")), (text.index("#2"), len(text))
    entries = prove(posts, text, spans=[second, second], units=[first, second])
    assert [one.start is not None and one.start < first[1] for one in entries] == [False, False, True, True]


@pytest.mark.req("PR-1")
def test_the_kth_equal_value_takes_the_kth_mention():
    text = "5 apples, 5 pears, 5 plums"
    entries = prove({"counts": [5, 5, 5]}, text)
    assert [entry.start for entry in entries] == [0, 10, 19]
    assert [entry.pointer for entry in entries] == ["/counts/0", "/counts/1", "/counts/2"]


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("data", "text", "starts"),
    [
        ({"adults": 2, "children": 2, "pets": 2}, "2 adults, 2 children and 2 pets.", [0, 10, 25]),
        ({"first": "Kim", "last": "Kim"}, "Kim and Kim went home", [0, 8]),
        (
            [{"name": "Ash", "low": 5, "high": 5}, {"name": "Elm", "low": 7, "high": 9}],
            "- Ash from 5 to 5 m\n- Elm from 7 to 9 m\n",
            [2, 11, 16, 22, 31, 36],
        ),
        (
            [{"name": "Oak", "maker": "Oak Works"}, {"name": "Elm", "maker": "Elm Works"}],
            "- Oak Works: Oak\n- Elm Works: Elm\n",
            [13, 2, 30, 19],
        ),
    ],
)
def test_equal_values_of_one_thing_take_a_mention_each(data, text, starts):
    assert [entry.start for entry in prove(data, text)] == starts


@pytest.mark.req("PR-1")
def test_the_places_that_the_caller_knows_are_where_records_are_looked_for():
    text = "- Ash 5\n- Elm 7\n\nAnd again:\n\n- Ash 5\n- Elm 7\n"
    spans = [(text.rindex("- Ash"), text.rindex("- Ash") + 7), (text.rindex("- Elm"), text.rindex("- Elm") + 7)]
    entries = prove([{"name": "Ash", "price": 5}, {"name": "Elm", "price": 7}], text, spans=spans)
    assert all(inside(entry, spans[int(entry.pointer[1])]) for entry in entries)


@pytest.mark.req("PR-6")
@pytest.mark.parametrize(
    ("form", "records", "statuses"),
    [
        (
            "Agenda of {day}",
            3,
            [("normalized", False), ("verbatim", True)] * 3,
        ),  # a list of its own says more of the days
        ("Agenda", 3, [("normalized", False), ("ungrounded", False)] * 3),
        ("Agenda of {day}", 4, [("normalized", False), ("ungrounded", False)]),  # the first one's is another record's
    ],
)
def test_what_stands_in_a_unit_that_no_record_is_of_is_doubted_if_that_states_more_of_the_record(
    form, records, statuses
):
    days = {"2026-05-04": "4 May 2026", "2026-06-01": "1 June 2026", "2026-07-06": "6 July 2026"}
    urls = [f"/agenda-{month}.pdf" for month in (5, 6, 7)]
    linked = [f"[{form.format(day=day)}]({url})" for day, url in zip(days.values(), urls, strict=True)]
    text = "\n\n".join([*days.values(), *linked])
    starts = [text.index(one) for one in (*days.values(), *linked)]
    units = [(at, at + len(one)) for at, one in zip(starts, (*days.values(), *linked), strict=True)]
    meetings = [{"day": day, "agenda": url} for day, url in zip(days, urls, strict=True)]
    meetings += [{"day": None, "agenda": urls[0]}][: records - 3]
    entries = judge(meetings, text, spans=units[:records], units=units)
    assert [(one.status, one.doubt is not None) for one in entries][: len(statuses)] == statuses


@pytest.mark.req("PR-1", "PR-2")
def test_a_value_that_stands_only_in_the_place_of_a_list_beside_is_not_proven():
    text = "| Name | Price |\n|---|---|\n| Ash | 5 |\n| Elm | 6 |\n\n# Shrubs\n\n- Box: scarlet\n- Yew: green\n"
    rows = [(text.index(row), text.index("\n", text.index(row))) for row in ("| Ash", "| Elm")]
    data = {
        "trees": [{"name": "Ash", "colour": "scarlet"}, {"name": "Elm", "colour": None}],
        "shrubs": [{"name": "Box", "colour": "scarlet"}, {"name": "Yew", "colour": "green"}],
    }
    found = statuses(prove(data, text, units=rows, spans=rows, records_at="/trees"))
    assert found["/trees/0/colour"] == "ungrounded"
    assert found["/shrubs/0/colour"] == "verbatim"


@pytest.mark.req("PR-1")
def test_a_pointer_is_escaped_and_the_chunk_is_named():
    entries = prove({"a/b": {"~c": "plum"}, "none": None}, "pear\nplum", chunk_starts=[0, 5])
    assert [(entry.pointer, entry.chunk, entry.start, entry.end) for entry in entries] == [("/a~1b/~0c", 1, 5, 9)]


@pytest.mark.req("PR-1")
@pytest.mark.parametrize("with_spans", [True, False])
def test_prices_shifted_by_one_row_are_caught(with_spans):
    records = [{"name": f"Mug {chr(65 + n)}", "price": 100 + n, "stock": n} for n in range(20)]
    text, spans = page_of(records)
    shifted = [{**record, "price": records[(n + 1) % 20]["price"]} for n, record in enumerate(records)]
    found = statuses(prove(shifted, text, spans=spans if with_spans else None))
    assert {pointer for pointer, status in found.items() if status == "ungrounded"} == {
        f"/{n}/price" for n in range(20)
    }


@pytest.mark.req("PR-1")
def test_two_swapped_values_are_caught():
    records = [{"name": f"Mug {chr(65 + n)}", "price": 100 + n, "stock": 7} for n in range(9)]
    text, _ = page_of(records)
    records[2]["price"], records[6]["price"] = records[6]["price"], records[2]["price"]
    found = statuses(prove(records, text))
    assert {pointer for pointer, status in found.items() if status == "ungrounded"} == {"/2/price", "/6/price"}


@pytest.mark.req("PR-1")
def test_two_swapped_texts_are_caught():
    records = [{"name": f"Mug {chr(65 + n)}", "maker": f"Maker{chr(65 + n)} Ltd", "stock": 7} for n in range(9)]
    text = "".join(f"- {record['name']} by {record['maker']}, {record['stock']} left\n" for record in records)
    records[2]["maker"], records[6]["maker"] = records[6]["maker"], records[2]["maker"]
    found = statuses(prove(records, text))
    assert {pointer for pointer, status in found.items() if status == "ungrounded"} == {"/2/maker", "/6/maker"}


@pytest.mark.req("PR-1")
def test_an_invented_row_borrows_nothing_from_the_rows_of_others():
    records = [*mugs(6), {"name": "Ghost Mug", "price": 5, "stock": 1}]
    text, spans = page_of(records[:6])
    for known in (None, [*spans, None]):
        found = statuses(prove(records, text, spans=known))
        assert [found[f"/6/{name}"] for name in ("name", "price", "stock")] == ["ungrounded"] * 3


@pytest.mark.req("PR-1")
def test_a_heading_speaks_for_the_rows_of_its_section_only():
    text = (
        "# Shop\n\n## Mugs\n\n| Name |\n|---|\n| Red |\n| Blue |\n\n## Bowls\n\n| Name |\n|---|\n| Round |\n| Flat |\n"
    )
    spans = [(text.index(row), text.index(row) + len(row)) for row in ("| Red |", "| Blue |", "| Round |", "| Flat |")]
    right = ["Mugs", "Mugs", "Bowls", "Bowls"]
    records = [{"name": name, "kind": kind} for name, kind in zip(("Red", "Blue", "Round", "Flat"), right, strict=True)]
    entries = prove(records, text, spans=spans)
    assert {entry.status for entry in entries} == {"verbatim"}
    assert [entry.transform for entry in entries if entry.pointer.endswith("kind")] == ["context"] * 4
    records[0]["kind"], records[3]["kind"] = "Bowls", "Mugs"
    found = statuses(prove(records, text, spans=spans))
    assert (found["/0/kind"], found["/3/kind"]) == ("ungrounded", "ungrounded")


@pytest.mark.req("PR-1")
def test_text_for_all_records_counts_for_texts_and_a_stray_number_does_not():
    text, spans = page_of(mugs(4))
    text += "\n\nShowing 1 to 4 of 999\n"
    records = [{**record, "currency": "USD"} for record in mugs(4)]
    records[2]["price"] = 999
    found = statuses(prove(records, text, spans=spans))
    assert {found[f"/{n}/currency"] for n in range(4)} == {"verbatim"}
    assert found["/2/price"] == "ungrounded"


@pytest.mark.req("PR-1")
def test_a_boolean_that_the_row_states_is_normalized():
    text = "- Red Mug, in stock\n- Blue Mug, out of stock\n"
    data = [{"name": "Red Mug", "ok": True}, {"name": "Blue Mug", "ok": False}]
    entries = [entry for entry in prove(data, text) if entry.pointer.endswith("ok")]
    assert [(entry.status, text[entry.start : entry.end]) for entry in entries] == [
        ("normalized", "in stock"), ("normalized", "out of stock"),
    ]  # fmt: skip


@pytest.mark.req("PR-1")
def test_a_true_is_stated_by_the_words_of_its_field():
    text = "- Red Mug, on sale\n- Blue Mug, not on sale\n"
    data = [{"name": "Red Mug", "onSale": True}, {"name": "Blue Mug", "onSale": True}]
    found = statuses(prove(data, text))
    assert (found["/0/onSale"], found["/1/onSale"]) == ("normalized", "ungrounded")


@pytest.mark.req("PR-1")
def test_a_number_that_holds_for_all_records_may_stand_once_on_the_page():
    text, spans = page_of(mugs(4))
    text += "\n\nSeason 2026\n"
    records = [{**record, "season": 2026} for record in mugs(4)]
    found = statuses(prove(records, text, spans=spans))
    assert {found[f"/{n}/season"] for n in range(4)} == {"verbatim"}


@pytest.mark.req("PR-1")
def test_records_below_wrapping_objects_are_records_too():
    text, spans = page_of(mugs(6))
    records = mugs(6)
    records[2]["price"] = 999
    found = statuses(prove({"tags": ["Mugs"], "shop": {"page": {"mugs": records}}}, text, spans=spans))
    assert {pointer for pointer, status in found.items() if status == "ungrounded"} == {"/shop/page/mugs/2/price"}


@pytest.mark.req("PR-1")
def test_values_of_cards_without_units_point_at_their_own_card():
    cards = [f"### Mug {chr(65 + n)}\n\nGreat thing\n\n${n % 3 + 4}.00\n\n" for n in range(9)]
    text = "".join(cards)
    data = [{"name": f"Mug {chr(65 + n)}", "note": "Great thing", "price": n % 3 + 4} for n in range(9)]
    starts = [sum(map(len, cards[:n])) for n in range(9)]
    for entry in prove({"items": data}, text):
        number = int(entry.pointer.split("/")[2])
        assert starts[number] <= entry.start < starts[number] + len(cards[number]), entry


@pytest.mark.req("PR-1")
def test_a_row_shifted_by_one_column_is_caught():
    rows = [(f"Mug {chr(65 + n)}", 10 + n, 300 + n) for n in range(10)]
    text = "| Name | Stock | Price |\n|---|---|---|\n" + "".join(f"| {a} | {b} | {c} |\n" for a, b, c in rows)
    data = [{"name": a, "stock": b, "price": c} for a, b, c in rows]
    data[4]["stock"], data[4]["price"] = data[4]["price"], data[4]["stock"]
    found = statuses(prove(data, text))
    assert {pointer for pointer, status in found.items() if status == "ungrounded"} == {"/4/stock", "/4/price"}


@pytest.mark.req("PR-1")
def test_a_number_points_at_its_own_cell_and_not_into_the_name():
    text = "| Name | Stock | Rank |\n|---|---|---|\n" + "".join(f"| Mug {n} | {n} | {9 - n} |\n" for n in range(9))
    data = [{"stock": n, "rank": 9 - n, "name": f"Mug {n}"} for n in range(9)]
    for entry in prove(data, text):
        column = text[text.rindex("\n", 0, entry.start) : entry.start].count("|")
        assert column == {"name": 1, "stock": 2, "rank": 3}[entry.pointer.split("/")[2]], entry


@pytest.mark.req("PR-1")
def test_a_record_of_two_rows_takes_values_from_both_and_from_no_third():
    lines = [line for n in range(8) for line in (f"| Story {chr(65 + n)} |", f"| {100 + n} points by user{n}x |")]
    text = "\n".join(["| |", "|---|", *lines])
    data = [{"title": f"Story {chr(65 + n)}", "points": 100 + n, "by": f"user{n}x"} for n in range(8)]
    assert {entry.status for entry in prove(data, text)} == {"verbatim"}
    data[3]["points"] = 104
    found = statuses(prove(data, text))
    assert {pointer for pointer, status in found.items() if status == "ungrounded"} == {"/3/points"}


@pytest.mark.req("PR-1")
def test_items_that_are_only_a_part_of_each_card_do_not_cost_the_rest_its_proof():
    text = "".join(f"### Mug {chr(65 + n)}\n\n{500 + n} EUR\n\n- holds {20 + n} cl\n\n" for n in range(8))
    data = [{"name": f"Mug {chr(65 + n)}", "price": 500 + n, "size": 20 + n} for n in range(8)]
    assert {entry.status for entry in prove(data, text)} == {"verbatim"}


@pytest.mark.req("PR-1")
def test_records_of_scalars_and_a_lone_scalar_are_proven():
    assert statuses(prove(["plum", "pear", "fig"], "- plum\n- pear\n")) == {
        "/0": "verbatim", "/1": "verbatim", "/2": "ungrounded",
    }  # fmt: skip
    assert statuses(prove("plum", "a plum")) == {"": "verbatim"}
    assert prove(None, "x") == ()


@pytest.mark.req("PR-1")
def test_an_empty_text_proves_nothing():
    assert statuses(prove({"a": "", "b": " "}, "x")) == {"/a": "ungrounded", "/b": "ungrounded"}


@pytest.mark.req("PR-1")
def test_offsets_count_characters_and_not_bytes():
    text = "😀😀 plum"
    (entry,) = prove({"a": "plum"}, TextIndex(text))
    assert text[entry.start : entry.end] == "plum"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.req("PR-1")
@given(json_values, st.text(max_size=60))
def test_every_leaf_but_null_has_one_entry_with_a_place_inside_the_text(data, text):
    entries = prove(data, text)
    assert len({entry.pointer for entry in entries}) == len(entries)
    for entry in entries:
        assert (entry.start is None) == (entry.status in ("inferred", "ungrounded"))
        assert entry.start is None or 0 <= entry.start < entry.end <= len(text)


RELATED = """# Iron pan

€49.90, cast iron

## You may also like

### Steel pan

€39.00, blue
"""


@pytest.mark.req("PR-2")
@pytest.mark.parametrize(
    ("others", "status"),
    [
        ("Febrol, Norsoft, and others", "verbatim"),
        ("- Febrol\n- Norsoft", "verbatim"),
        ("Try one of these", "ungrounded"),
        ("Others, which we like:", "ungrounded"),
        ("", "ungrounded"),
    ],
)
def test_a_lone_smaller_heading_below_a_list_of_other_things_is_of_the_page_again(others: str, status: str):
    page = f"# Dolorin\n\nA gel.\n\n## Related medicines\n\n{others}\n\n### Drug status\n\n- Schedule 3\n"
    assert statuses(prove({"name": "Dolorin", "schedule": 3}, page))["/schedule"] == status
    two = f"{page}\n### Febrol\n\n- Schedule 4\n"
    assert statuses(prove({"name": "Dolorin", "schedule": 4}, two))["/schedule"] == "ungrounded"


@pytest.mark.req("PR-1")
def test_what_follows_the_tags_of_a_page_is_still_its_own():
    text = (
        "# Harbour concert\n\nAn evening by the water.\n\n## Tags\n\n- Jazz\n- Outdoors\n\nFrom $79.85\n\nGet tickets"
    )
    found = statuses(prove({"title": "Harbour concert", "price_from": 79.85, "tags": ["Jazz", "Outdoors"]}, text))
    assert "ungrounded" not in found.values()


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("value", "text"), [(3, "# Inn\n\nThree wise men"), (0, "# Inn\n\nFree parking"), (1, "one of us")]
)
def test_a_word_that_may_be_a_number_proves_it_only_beside_the_rest_of_its_record(value: int, text: str) -> None:
    assert [one.status for one in prove({"count": value}, text)] == ["ungrounded"]


@pytest.mark.req("PR-1", "PR-2")
def test_records_side_by_side_may_have_a_list_in_one_cell_and_a_dash_for_no() -> None:
    text = (
        "|  | Starter | Business |\n|---|---|---|\n| Price per month | Free | $49 |\n| Users | 1 | 25 |\n"
        "| SSO | – | ✓ |\n| Support | Community | Email, phone |\n"
    )
    plans = [
        {"name": "Starter", "price": 0, "users": 1, "sso": False, "support": ["Community"]},
        {"name": "Business", "price": 49, "users": 25, "sso": True, "support": ["Email", "phone"]},
    ]
    assert "ungrounded" not in statuses(prove(plans, text)).values()
    turned = [{**one, "price": other["price"]} for one, other in zip(plans, plans[::-1], strict=True)]
    found = statuses(prove(turned, text))
    assert [found[f"/{at}/price"] for at in range(2)] == ["ungrounded"] * 2


@pytest.mark.req("PR-2")
def test_other_choices_beside_one_of_a_list_deny_it_not() -> None:
    schema = {"type": "array", "items": {"enum": ["wifi", "cafe", "printer", "step_free_access"]}}
    text = "# Library\n\nFacilities: Wi-Fi, Café, step-free access\n"
    data = {"name": "Library", "facilities": ["wifi", "cafe", "step_free_access", "printer"]}
    shape = {"type": "object", "properties": {"name": {"type": "string"}, "facilities": schema}}
    found = statuses(prove(data, text, schema=shape))
    assert [found[f"/facilities/{at}"] for at in range(4)] == ["normalized"] * 3 + ["ungrounded"]


LEAGUES = {"North": ["East", "West"], "South": ["East", "West"]}


def leagues():
    """Give two records with tables of teams, which rows with the name of a part head, their text and their places."""
    records, text, spans = [], "", []
    for at, (league, parts) in enumerate(LEAGUES.items()):
        rows, teams, start = "", [], len(text)
        for turn, part in enumerate(parts):
            rows += f"| {league[0]} {part} | {league[0]} {part} | {league[0]} {part} |\n"
            for number in range(3):
                own = {"team": f"Team {at}{turn}{number}", "won": 3 + number, "lost": (number * 2 + turn + at) % 5}
                teams.append({**own, "part": f"{league[0]} {part}"})
                rows += f"| {own['team']} | {own['won']} | {own['lost']} |\n"
        text += f"## {league}\n\n| Team | W | L |\n|---|---|---|\n{rows}\n"
        records.append({"league": league, "teams": teams})
        spans.append((start, len(text)))
    return records, text, spans


@pytest.mark.req("PR-1")
def test_an_item_of_a_list_in_a_record_takes_its_values_from_its_own_row():
    records, text, spans = leagues()
    entries = prove(records, text, spans=spans)
    assert {(entry.status, entry.doubt) for entry in entries} == {("verbatim", None)}
    places = {entry.pointer: entry.start for entry in entries}
    assert all(places[f"/0/teams/{at}/won"] < places[f"/0/teams/{at}/lost"] for at in range(6))


@pytest.mark.req("PR-1")
def test_the_value_of_another_row_is_caught_inside_a_record():
    records, text, spans = leagues()
    teams = records[1]["teams"]
    teams[1]["won"], teams[4]["lost"] = 5, 3
    found = statuses(prove(records, text, spans=spans))
    assert {pointer for pointer, status in found.items() if status == "ungrounded"} == {
        "/1/teams/1/won",
        "/1/teams/4/lost",
    }


BOARDS = [("Oak", "12 mm", 3.5), ("", "18 mm", 4.1), ("Ash", "12 mm", 3.8), ("", "18 mm", 4.4), ("", "24 mm", 5.2)]
WOODS = ["Oak", "Oak", "Ash", "Ash", "Ash"]


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("woods", "refused"),
    [
        (WOODS, []),
        (["Oak", "Ash", "Ash", "Ash", "Ash"], [1]),
        (["Oak", "Oak", "Ash", None, None], [1]),
    ],
    ids=["as the row above", "not as the row above", "empty as there is none"],
)
def test_an_empty_cell_at_the_beginning_of_a_row_says_what_the_row_above_says(woods, refused):
    rows = "".join(f"| {wood} | {width} | {price} |\n" for wood, width, price in BOARDS)
    text = f"# Boards\n\n| Wood | Width | Price |\n|---|---|---|\n{rows}"
    records = [{"wood": wood, "width": one[1], "price": one[2]} for wood, one in zip(woods, BOARDS, strict=True)]
    found = statuses(prove(records, text))
    assert [pointer for pointer, status in found.items() if status == "ungrounded"] == [f"/{at}/wood" for at in refused]


@pytest.mark.req("PR-1")
def test_an_empty_cell_behind_a_filled_one_says_nothing():
    rows = "".join(f"| {width} {price} | {wood} |\n" for wood, width, price in BOARDS)
    text = f"# Boards\n\n| Board | Wood |\n|---|---|\n{rows}"
    records = [{"board": f"{one[1]} {one[2]}", "wood": wood} for wood, one in zip(WOODS, BOARDS, strict=True)]
    found = statuses(prove(records, text))
    assert [pointer for pointer, status in found.items() if status == "ungrounded"] == [
        f"/{at}/wood" for at in (1, 3, 4)
    ]
