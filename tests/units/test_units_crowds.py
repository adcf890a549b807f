"""Pages of more elements than can be surveyed: counted by their crowds, or refused, never passed over."""

import pytest
from gleaner.contracts.errors import PageTooLarge
from gleaner.page.opening import open_page
from gleaner.units import detection, find_unit_groups, primary_groups, primary_units

CARD = "<div class='card'><h3>Mug {}</h3><p>blue</p><b>$3</b></div>"
SHAPES = {
    "cards": ("<div class=grid>{}</div>", CARD, "card"),
    "rows": ("<table><tr><th>Name<th>Price</tr>{}</table>", "<tr><td>Mug {}<td>$3</tr>", "row"),
    "items": ("<main><ul>{}</ul></main>", "<li>Mug {}, $3", "item"),
    "sections": ("{}", "<section><h2>Part {}</h2>" + CARD * 60 + "</section>", "card"),
}


@pytest.fixture(autouse=True)
def few_elements_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detection, "MOST_SURVEYED", 300)
    monkeypatch.setattr(detection, "MOST_UNITS", 400)


@pytest.mark.req("CM-1", "CH-6")
@pytest.mark.parametrize("shape", SHAPES)
def test_the_records_of_a_crowded_page_are_counted(shape: str) -> None:
    around, piece, kind = SHAPES[shape]
    count = 5 if shape == "sections" else 200
    menu = "<ul class=menu>" + "<li><a href=/x>Menu</a>" * 12 + "</ul>"
    pieces = "".join(piece.replace("{}", str(number)) for number in range(count))
    body = around.format(pieces)
    page = open_page(f"<body>{menu}{body}<footer>Imprint</footer></body>")
    units = primary_units(page.units)
    assert len(units) == (300 if shape == "sections" else count + (shape == "rows"))
    assert {unit.kind for unit in units} == {kind}
    assert all("Mug" in page.text[unit.start : unit.end] for unit in units[1:])


@pytest.mark.req("CM-1", "SS-2")
def test_more_pieces_than_can_be_accounted_for_are_refused_and_the_text_alone_is_given() -> None:
    html = "<ul>" + "<li>x" * 401 + "</ul>"
    with pytest.raises(PageTooLarge, match="401 repeated pieces, and at most 400"):
        _ = open_page(html).units
    assert open_page(html).text.count("- x") == 401


@pytest.mark.req("CM-1")
def test_a_page_just_small_enough_is_surveyed_as_ever() -> None:
    cards = [CARD.replace("{}", str(number)) for number in range(99)]
    assert detection.is_crowded(open_page("".join(cards)).nodes)
    surveyed = open_page("<div>" + "".join(cards[:60]) + "</div>").nodes
    assert not detection.is_crowded(surveyed)
    assert len(primary_groups(find_unit_groups(surveyed))[0].runs) == 60
