"""Values that only the stored HTML states: attributes and embedded data, each record from its own element or object."""

import json

import pytest
from gleaner.page.opening import open_page

from tests.support.told import told as prove


def card(n):
    return (
        f'<div class="card"><a href="/p/{n}?a=1&amp;b=2"><img src="https://cdn.example/{n}.jpg" alt=""></a>'
        f'<h3>Mug {chr(65 + n)}</h3><p>&euro; {n + 10}</p><time datetime="2026-03-{n + 10}">soon</time></div>'
    )


def page_of(count):
    names = [f"Mug {chr(65 + n)}" for n in range(count)]
    html = "<html><body>" + "\n".join(map(card, range(count))) + "</body></html>"
    text = "\n\n".join(f"### {name}\n\n€ {n + 10}\n\nsoon" for n, name in enumerate(names))
    records = [
        {
            "name": name,
            "price": n + 10,
            "url": f"https://shop.example/p/{n}?a=1&b=2",
            "image": f"https://cdn.example/{n}.jpg",
            "day": f"2026-03-{n + 10}",
        }
        for n, name in enumerate(names)
    ]
    return html, text, records


@pytest.mark.req("PR-1")
def test_addresses_and_dates_of_attributes_are_proven_in_the_snapshot():
    html, text, records = page_of(6)
    for entry in prove(records, text, page=open_page(html)):
        number, name = int(entry.pointer.split("/")[1]), entry.pointer.split("/")[2]
        assert entry.status != "ungrounded", entry
        assert entry.source == ("markdown" if name in ("name", "price") else "snapshot")
        if entry.source == "snapshot":
            assert html.index(card(number)) <= entry.start < html.index(card(number)) + len(card(number))
            assert entry.chunk is None
    assert all(entry.status == "ungrounded" for entry in prove(records, text) if "url" in entry.pointer)


@pytest.mark.req("PR-1")
@pytest.mark.parametrize("shift", [1, 5])
def test_addresses_shifted_by_one_card_are_caught(shift):
    html, text, records = page_of(6)
    shifted = [{**record, "url": records[(n + shift) % 6]["url"]} for n, record in enumerate(records)]
    found = {entry.pointer for entry in prove(shifted, text, page=open_page(html)) if entry.status == "ungrounded"}
    assert found == {f"/{n}/url" for n in range(6)}


DAYS = [f"2026-03-{n + 10}" for n in range(6)]


def flat(n):
    return f"<h3>Mug {chr(65 + n)}</h3><p>By Ada <time datetime='{DAYS[n]}'>soon</time></p><p>Kiln {3000 + n}</p>"


def row(n):
    maker = "Massive" if n == 5 else "Massive Group"
    price = 51 if n == 4 else 113.51
    cents = f"{price:.2f}".replace(".", "<b>.</b><sup>")
    return (
        f"<tr><td>Mug {chr(65 + n)}</td><td>${cents}</sup></td><td><time datetime='{DAYS[n]}'>soon</time></td>"
        f"<td>{maker}</td></tr>"
    )


@pytest.mark.req("PR-1")
@pytest.mark.parametrize("shift", [0, 1])
def test_what_stands_between_two_siblings_of_a_flat_record_is_the_records(shift):
    records = [{"name": f"Mug {chr(65 + n)}", "kiln": 3000 + n, "day": DAYS[(n + shift) % 6]} for n in range(6)]
    text = "\n\n".join(f"### Mug {chr(65 + n)}\n\nBy Ada soon\n\nKiln {3000 + n}" for n in range(6))
    found = {
        entry.pointer
        for entry in prove(records, text, page=open_page("".join(map(flat, range(6)))))
        if entry.status == "ungrounded"
    }
    assert found == ({f"/{n}/day" for n in range(6)} if shift else set())


@pytest.mark.req("PR-1")
@pytest.mark.parametrize("shift", [0, 1])
def test_a_value_that_is_a_part_of_others_does_not_tell_where_its_record_stands(shift):
    records = [
        {
            "name": f"Mug {chr(65 + n)}",
            "price": 51 if n == 4 else 113.51,
            "day": DAYS[(n + shift) % 6],
            "maker": "Massive" if n == 5 else "Massive Group",
        }
        for n in range(6)
    ]
    text = "\n".join(f"| {one['name']} | ${one['price']:.2f} | soon | {one['maker']} |" for one in records)
    html = f"<table>{''.join(map(row, range(6)))}</table>"
    found = {entry.pointer for entry in prove(records, text, page=open_page(html)) if entry.status == "ungrounded"}
    assert found == ({f"/{n}/day" for n in range(6)} if shift else set())


@pytest.mark.req("PR-1")
def test_a_value_of_another_record_in_the_text_is_not_saved_by_the_snapshot():
    text = "".join(f"- Mug {chr(65 + n)} {100 + n}\n" for n in range(6))
    html = "".join(f"<li>Mug {chr(65 + n)} <data value='{100 + n}'>{100 + n}</data></li>" for n in range(6))
    records = [{"name": f"Mug {chr(65 + n)}", "price": 100 + (n + 1) % 6} for n in range(6)]
    found = {entry.pointer for entry in prove(records, text, page=open_page(html)) if entry.status == "ungrounded"}
    assert found == {f"/{n}/price" for n in range(6)}


@pytest.mark.req("PR-1")
def test_embedded_data_proves_the_values_of_its_own_objects():
    things = [
        {"name": f"Mug {chr(65 + n)}", "sku": f"SKU-{900 + n}", "brand": {"name": "Sel\u00e8ne"}, "rating": n + 1}
        for n in range(5)
    ]
    html = f"<html><script type='application/ld+json'>{json.dumps(things)}</script><body>x</body></html>"
    text = "".join(f"- Mug {chr(65 + n)}\n" for n in range(5))
    records = [
        {"name": thing["name"], "sku": thing["sku"], "brand": "Selène", "rating": thing["rating"]} for thing in things
    ]
    entries = prove(records, text, page=open_page(html))
    assert {entry.status for entry in entries if "name" in entry.pointer or "sku" in entry.pointer} == {"verbatim"}
    assert all(entry.status != "ungrounded" for entry in entries)
    records[1]["sku"], records[2]["sku"] = records[2]["sku"], records[1]["sku"]
    found = {entry.pointer for entry in prove(records, text, page=open_page(html)) if entry.status == "ungrounded"}
    assert found == {"/1/sku", "/2/sku"}


@pytest.mark.req("PR-1")
def test_scripts_styles_comments_and_classes_prove_nothing():
    html = (
        "<style>.plum-jam{}</style><script>function plum(){return 'plum jam'}</script><!-- plum jam -->"
        "<p class='plum jam' data-gleaner-hidden='plum jam' onclick='plum jam'>x</p>"
    )
    assert prove({"a": "plum jam"}, "x", page=open_page(html))[0].status == "ungrounded"


@pytest.mark.req("PR-1")
def test_a_short_number_counts_only_beside_its_name():
    html = "<img width=7 alt=''><meta itemprop='rating' content='4'><input value='6'>"
    found = {value: prove({"rating": value}, "x", page=open_page(html))[0].status for value in (4, 6, 7)}
    assert found[4] == "verbatim"
    assert found[7] == "ungrounded"


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    "html", ["", "<", "<a href='", "<div><div></p></div>", "<script>{", "</a></a><b", "<a b=\"c' d>"]
)
def test_broken_html_is_no_error(html):
    assert prove([{"a": "plum"}, {"a": "fig"}], "x", page=open_page(html))[0].status == "ungrounded"


@pytest.mark.req("PR-1")
def test_a_name_that_holds_another_records_city_keeps_its_own_address():
    rows = [("Utrecht Fair", "Lisbon"), ("Lamp Fair", "Utrecht"), ("Watch Fair", "Kraków"), ("Wool Fair", "Lyon")]
    html = "".join(f'<tr><td><a href="/fairs/{n}">{a}</a></td><td>{b}</td></tr>' for n, (a, b) in enumerate(rows))
    text = "| Fair | City |\n|---|---|\n" + "".join(f"| {a} | {b} |\n" for a, b in rows)
    data = [{"fair": a, "city": b, "url": f"https://e.example/fairs/{n}"} for n, (a, b) in enumerate(rows)]
    assert "ungrounded" not in {entry.status for entry in prove(data, text, page=open_page(html))}


@pytest.mark.req("PR-1")
def test_a_reply_inside_of_a_post_does_not_cost_the_post_its_address():
    inner = '<div><h3><a href="/posts/2">Nia Keller</a></h3><p>Thanks a lot for that.</p></div>'
    outer = f'<div><h3><a href="/posts/1">Ola Berg</a></h3><p>I mended the old mill.</p><div>{inner}</div></div>'
    data = [
        {"by": "Ola Berg", "text": "I mended the old mill.", "url": "https://e.example/posts/1"},
        {"by": "Nia Keller", "text": "Thanks a lot for that.", "url": "https://e.example/posts/2"},
    ]
    text = "### Ola Berg\n\nI mended the old mill.\n\n### Nia Keller\n\nThanks a lot for that.\n"
    assert "ungrounded" not in {entry.status for entry in prove(data, text, page=open_page(outer))}
    data[0]["url"], data[1]["url"] = data[1]["url"], data[0]["url"]
    found = {entry.pointer for entry in prove(data, text, page=open_page(outer)) if entry.status == "ungrounded"}
    assert found == {"/0/url", "/1/url"}


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    "stated",
    [
        '<meta property="og:image" content="/img/mug.jpg">',
        '<meta property="og:image" content="../img/mug.jpg">',
        '<script type="application/ld+json">{"image": "img/mug.jpg"}</script>',
        '<script type="application/ld+json">{"image": ["\\/img\\/mug.jpg"]}</script>',
        '<link rel="image_src" href="img/mug.jpg">',
    ],
)
def test_relative_addresses_of_meta_tags_and_embedded_data_prove_absolute_ones(stated):
    record = {"name": "Blue mug", "image": "https://shop.example/img/mug.jpg"}
    html = f"<html><head>{stated}</head><body><h1>Blue mug</h1></body></html>"
    assert all(entry.status != "ungrounded" for entry in prove(record, "# Blue mug", page=open_page(html)))
    other = {**record, "image": "https://shop.example/img/rug.jpg"}
    assert [entry.status for entry in prove(other, "# Blue mug", page=open_page(html))][1] == "ungrounded"


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("attribute", "price", "is_stated"),
    [('data-price="6.25"', 6.25, True), ('data-next-price="7.50"', 7.5, False), ('data-at="6"', 6, False)],
)
def test_an_attribute_states_no_value_of_another_record_and_a_short_one_only_by_its_name(
    attribute: str, price: float, is_stated: bool
) -> None:
    html = f"<ul><li {attribute}>Oak lamp</li><li>Elm lamp, $7.50</li></ul>"
    data = [{"name": "Oak lamp", "price": price}, {"name": "Elm lamp", "price": 7.5}]
    found = {one.pointer: one.status for one in prove(data, "- Oak lamp\n- Elm lamp, $7.50\n", page=open_page(html))}
    assert (found["/0/price"] != "ungrounded") is is_stated
    assert found["/1/price"] != "ungrounded"


CALENDAR = {22: ["Choir"], 23: ["Market", "Clinic"], 24: ["Workshop", "Fair", "Dance"]}


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(("wrong", "refused"), [({}, set()), ({2: 24}, {"/1/day", "/2/day"}), ({3: 22}, {"/3/day"})])
def test_the_day_of_a_calendar_is_that_of_all_events_in_its_cell_and_of_no_other(wrong, refused):
    cells = "".join(
        f'<td data-date="2025-05-{day}">{"".join(f"<div><h4>{name} {day}</h4></div>" for name in names)}</td>'
        for day, names in CALENDAR.items()
    )
    html = f"<html><body><table><tr>{cells}</tr></table></body></html>"
    events = [(name, day) for day, names in CALENDAR.items() for name in names]
    text = "\n\n".join(f"#### {name} {day}" for name, day in events)
    records = [{"name": f"{name} {day}", "day": f"2025-05-{wrong.get(n, day)}"} for n, (name, day) in enumerate(events)]
    found = {entry.pointer for entry in prove(records, text, page=open_page(html)) if entry.status == "ungrounded"}
    assert found == refused


@pytest.mark.req("PR-1")
def test_a_day_that_stands_around_all_records_alone_is_the_pages_and_not_theirs():
    names = ["Choir", "Market", "Clinic"]
    html = (
        f'<html data-date="2025-05-24"><body>{"".join(f"<div><h4>{name}</h4></div>" for name in names)}</body></html>'
    )
    records = [{"name": name, "day": "2025-05-24"} for name in names]
    entries = prove(records, "\n\n".join(f"#### {name}" for name in names), page=open_page(html))
    assert [entry.pointer for entry in entries if entry.status == "ungrounded"] == [f"/{n}/day" for n in range(3)]
