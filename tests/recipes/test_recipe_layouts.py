"""Layouts written by hand: what stands between, above and below the records is none of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from gleaner.contracts.ports import JsonValue
from gleaner.recipes import Recipe, learn, refine, replay
from gleaner.recipes.learning import same_data

URL = "https://shop.example/list"
WOODS = ["Larch", "Gorse", "Fir", "Oak", "Elm", "Ash", "Yew", "Box", "Bay", "Fig", "Hop"]


@dataclass(frozen=True, slots=True)
class Ware:
    name: str
    price: float
    before: float | None
    rating: float | None


def wares(page: int) -> list[Ware]:
    """Give other records for each page; every third has no second price, every fourth no rating."""
    return [
        Ware(
            f"{wood} jug {10 * page + number}",
            round(3.5 + 7.25 * ((number * 5 + page) % 11), 2),
            None if number % 3 == 2 else round(20.75 + 7.5 * number + page, 2),
            None if number % 4 == 3 else round(1 + (number * 7 + page) % 40 / 10, 1),
        )
        for number, wood in enumerate(WOODS)
    ]


def whole(body: str) -> str:
    return f"<html><body><nav><a href='/'>Home</a></nav><main>{body}</main><footer>© Shop</footer></body></html>"


def card(name: str, price: float, classes: str = "card") -> str:
    return f"<div class='{classes}'><h3>{name}</h3><span class='price'>${price:.2f}</span></div>"


def row(name: str, price: float, mark: str = "") -> str:
    return f"<tr{mark}><td>{name}</td><td>{price:.2f}</td></tr>"


HEAD = "<tr><th>Item</th><th>Price</th></tr>"


def total(rows: Sequence[Ware]) -> float:
    return sum(one.price for one in rows)


def deals_above(rows: Sequence[Ware]) -> str:
    deals = "".join(card(f"Deal {number}", number + 3) for number in range(4))
    return f"<div><h2>Deals</h2>{deals}</div><div>{''.join(card(one.name, one.price) for one in rows)}</div>"


def two_lists(rows: Sequence[Ware]) -> str:
    lists = [rows, [Ware(f"Old {one.name}", one.price + 1, None, None) for one in rows[:5]]]
    return "".join(f"<h2>List</h2><section>{''.join(card(a.name, a.price) for a in one)}</section>" for one in lists)


def sponsored_cards(rows: Sequence[Ware]) -> str:
    advertisement = card("Socks", 3.99, "card sponsored")
    return "".join(card(one.name, one.price) + advertisement * (n % 4 == 3) for n, one in enumerate(rows))


def advertising_rows(rows: Sequence[Ware]) -> str:
    advertisement = "<tr><td colspan=2>Buy 3.99 socks</td></tr>"
    body = "".join(row(one.name, one.price) + advertisement * (n % 3 == 2) for n, one in enumerate(rows))
    return f"<table>{HEAD}{body}</table>"


def total_in_the_foot(rows: Sequence[Ware]) -> str:
    body = "".join(row(one.name, one.price) for one in rows)
    return f"<table><thead>{HEAD}</thead><tbody>{body}</tbody><tfoot>{row('Total', total(rows))}</tfoot></table>"


def total_in_the_body(rows: Sequence[Ware]) -> str:
    body = "".join(row(one.name, one.price) for one in rows)
    return f"<table>{HEAD}{body}{row('Total', total(rows), ' class=sum')}</table>"


def hashed_names(rows: Sequence[Ware]) -> str:
    each = "<li class='css-1a2b3c'><a class='css-9f8e7d' href='/p'>{}</a><b class='css-77aa11'>{:.2f} €</b></li>"
    return f"<ul>{''.join(each.format(one.name, one.price) for one in rows)}</ul>"


def price_in_pieces(rows: Sequence[Ware]) -> str:
    each = "<p class='row'>{} <em>{}</em>, <b>{:.2f}</b> EUR</p>"
    return "".join(each.format(*one.name.split(" ", 1), one.price) for one in rows)


def struck_prices(rows: Sequence[Ware]) -> str:
    before = ["" if one.before is None else f"<s>${one.before:.2f}</s> " for one in rows]
    pairs = zip(rows, before, strict=True)
    return "".join(f"<div class='card'><h3>{one.name}</h3>{old}<b>${one.price:.2f}</b></div>" for one, old in pairs)


def badges_and_stars(rows: Sequence[Ware]) -> str:
    stars = ["" if one.rating is None else f"<i aria-label='Rated {one.rating} out of 5'></i>" for one in rows]
    badges = ["<em class=badge>Sale</em>" * (number % 3 == 0) for number in range(len(rows))]
    return "".join(
        f"<article>{badge}<h3>{one.name}</h3><b class=cost>{one.price:.2f}</b>{star}</article>"
        for one, badge, star in zip(rows, badges, stars, strict=True)
    )


LAYOUTS: list[tuple[Callable[[Sequence[Ware]], str], str]] = [
    *((write, "name price") for write in (deals_above, two_lists, sponsored_cards, advertising_rows)),
    *((write, "name price") for write in (total_in_the_foot, total_in_the_body, hashed_names, price_in_pieces)),
    (struck_prices, "name price before"),
    (badges_and_stars, "name price rating"),
]


def schema_of(names: str) -> dict[str, Any]:
    kinds = {name: {"type": "string"} if name == "name" else {"type": ["number", "null"]} for name in names.split()}
    return {"type": "array", "items": {"type": "object", "properties": kinds}}


def truth_of(rows: Sequence[Ware], names: str) -> list[JsonValue]:
    return [{name: getattr(one, name) for name in names.split()} for one in rows]


@pytest.mark.req("RC-1", "RC-2")
@pytest.mark.parametrize(("write", "names"), [pytest.param(*one, id=one[0].__name__) for one in LAYOUTS])
def test_a_layout_is_learned_from_its_first_page(write: Callable[[Sequence[Ware]], str], names: str) -> None:
    schema = schema_of(names)
    first = wares(0)
    recipe = learn(whole(write(first)), URL, schema, truth_of(first, names))
    assert recipe is not None
    for number in (1, 2):
        rows = wares(number)[: 9 + number]
        answer = replay(recipe, whole(write(rows)), URL, schema)
        assert answer.doubts == ()
        assert isinstance(answer.data, list)
        assert len(answer.data) == len(rows)
        assert all(map(same_data, answer.data, truth_of(rows, names)))


def plain(rows: Sequence[Ware]) -> str:
    return "".join(card(one.name, one.price) for one in rows)


@pytest.fixture
def of_plain_cards() -> Recipe:
    recipe = learn(whole(plain(wares(0))), URL, schema_of("name price"), truth_of(wares(0), "name price"))
    assert recipe is not None
    return recipe


@pytest.mark.req("RC-2")
def test_a_kind_of_card_that_was_never_seen_is_doubted_until_a_model_says_that_it_is_a_record(
    of_plain_cards: Recipe,
) -> None:
    schema, rows = schema_of("name price"), wares(1)
    sold_out = whole(plain(rows[:-1]) + card(rows[-1].name, rows[-1].price, "card sold-out"))
    assert not replay(of_plain_cards, sold_out, URL, schema).holds
    wider = refine(of_plain_cards, sold_out, URL, truth_of(rows, "name price"))
    assert wider is not None
    assert replay(wider, sold_out, URL, schema).data == truth_of(rows, "name price")
    assert refine(of_plain_cards, whole(sponsored_cards(rows)), URL, truth_of(rows, "name price")) is None


@pytest.mark.req("RC-2")
def test_a_last_record_that_adds_up_the_others_is_doubted() -> None:
    schema, rows = schema_of("name price"), wares(0)
    table = f"<table>{HEAD}{''.join(row(one.name, one.price) for one in rows)}"
    recipe = learn(whole(table + "</table>"), URL, schema, truth_of(rows, "name price"))
    assert recipe is not None
    summed = f"{table}{row('Everything', total(rows))}</table>"
    assert not replay(recipe, whole(summed), URL, schema).holds
