"""Flags: what a page says of them in the words of their names, by labels, columns, and denials."""

from typing import Any

import pytest

from tests.support.told import told as prove

FLAG: dict[str, Any] = {"type": ["boolean", "null"]}


def standings(data: Any, text: str, **more: Any) -> dict[str, str]:
    return {entry.pointer: entry.status for entry in prove(data, text, **more)}


@pytest.mark.req("PR-2")
@pytest.mark.parametrize(
    ("name", "text", "is_so"),
    [
        ("on_display", "On display\n: No\n\nAcquired\n: 1937", False),
        ("listed", "| Listed | Yes (Oslo) |\n|---|---|\n| Founded | 1921 |", True),
        ("ascensore", "- Ascensore: sì\n- Box auto: no", True),
        ("box_auto", "- Ascensore: sì\n- Box auto: no", False),
        ("suitable_for_freezing", "Serves 4.\n\nNot suitable for freezing.", False),
        ("haustiere_erlaubt", "Kurtaxe 3 CHF. Haustiere nicht erlaubt.", False),
        ("hiv_detected", "HIV: not detected. Hepatitis C: not detected.", False),
        ("repeat_required", "Repeat test required: no.", False),
        ("available_in_white", "Not available in white.", False),
        ("desayuno_incluido", "45,00 € por noche. Sin desayuno.", False),
        ("mascotas", "No se admiten mascotas.", False),
        ("frühstück_inklusive", "Zimmer ohne Frühstück", False),
        ("children_allowed", "Not suitable for children.", False),
        ("vegetarian", "Serves 6. Vegetarian. Bake at 190 °C.", True),
        ("organic", "Owner\n\nAnn Abel\n\nOrganic\n\nno\n\nArea\n\n2 ha", False),
        ("gratis", "Teatro Router\n\nGratis\n\nAgotado", True),
    ],
)
def test_a_flag_of_the_page_that_says_the_opposite_is_no_data(name: str, text: str, is_so: bool) -> None:
    schema = {"type": "object", "properties": {"title": {"type": "string"}, name: FLAG}}
    told = standings({name: not is_so}, f"# A page\n\n{text}", schema=schema)
    assert told == {f"/{name}": "ungrounded"}
    assert standings({name: is_so}, f"# A page\n\n{text}", schema=schema)[f"/{name}"] != "ungrounded"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("open", "Closed today. Will open at 9."),
        ("new", "Ships to New York."),
        ("sold", "Sold by Acme."),
        ("vegetarian", "See our vegetarian dishes."),
        ("lift", "Lift: see the plan"),
    ],
)
def test_words_that_only_look_like_a_flags_name_deny_nothing(name: str, text: str) -> None:
    assert standings({name: False}, f"# A page\n\n{text}")[f"/{name}"] == "inferred"


@pytest.mark.parametrize(("said", "is_so"), [("☐ Yes ☑ No", False), ("☑ Yes ☐ No", True), ("☐ ja ☒ nein", False)])
def test_of_choices_the_ticked_one_is_the_answer(said: str, is_so: bool) -> None:
    text = f"| Name | Ann |\n| --- | --- |\n| Blue badge | {said} |"
    assert standings({"name": "Ann", "blue_badge": is_so}, text)["/blue_badge"] != "ungrounded"
    assert standings({"name": "Ann", "blue_badge": not is_so}, text)["/blue_badge"] == "ungrounded"


def test_a_choice_that_is_left_unticked_beside_a_ticked_one_is_denied_and_an_open_task_is_not() -> None:
    text = "# Permit\n\nType: ☐ Resident ☑ Business ☐ Visitor\n\n☐ Call Bob\n\n☑ Buy milk"
    told = {kind: standings({"type": kind}, text)["/type"] for kind in ("Resident", "Business", "Visitor")}
    assert told == {"Resident": "ungrounded", "Business": "verbatim", "Visitor": "ungrounded"}
    assert standings({"task": "Call Bob"}, text)["/task"] == "verbatim"


def test_a_columns_yes_denies_the_no_of_a_record() -> None:
    rows = [("limit", False), ("cursor", False), ("project", True), ("sort", False), ("order", True)]
    lines = [f"| {name} | {'Yes' if flag else 'No'} | a text |" for name, flag in rows]
    text = "\n".join(["| Name | Required | Text |", "|---|---|---|", *lines])
    data = [{"name": name, "required": flag} for name, flag in rows]
    assert "ungrounded" not in standings(data, text).values()
    data[2]["required"], data[3]["required"] = False, True
    told = standings(data, text)
    assert {pointer for pointer, status in told.items() if status == "ungrounded"} == {"/2/required", "/3/required"}


def test_a_record_that_says_a_flags_name_by_itself_denies_that_it_is_not_so() -> None:
    rows = [("Night Porter", True), ("Surveyor", False), ("Bus Driver", False), ("Clerk", True)]
    text = "\n".join(f"- {name} · {'Part time' if flag else 'Full time'} · Leeds" for name, flag in rows)
    data = [{"name": name, "part_time": False} for name, _ in rows]
    told = standings(data, text)
    assert [told[f"/{at}/part_time"] for at in range(4)] == ["ungrounded", "inferred", "inferred", "ungrounded"]


@pytest.mark.req("PR-2")
@pytest.mark.parametrize(
    ("field", "kind", "wrong", "text"),
    [
        ("pets", FLAG, True, "- Oak, pets: no, 41 beds\n- Elm, pets: yes, 52 beds\n"),
        ("in_stock", FLAG, True, "- Oak, not in stock\n- Elm, in stock\n"),
        ("in_stock", FLAG, True, "- Oak, out of stock\n- Elm, in stock\n"),
        ("in_stock", FLAG, True, "- Oak, no longer in stock\n- Elm, in stock\n"),
        ("in_stock", FLAG, True, "- Oak, 0 in stock\n- Elm, 10 in stock\n"),
        ("in_stock", FLAG, True, "- Oak, épuisé\n- Elm, en stock\n"),
        ("vegan", FLAG, True, "- Oak, non-vegan\n- Elm, vegan\n"),
        ("furnished", FLAG, True, "- Oak, unfurnished\n- Elm, furnished\n"),
        ("furnished", FLAG, False, "- Oak, furnished\n- Elm, unfurnished\n"),
        ("price", {"type": "number"}, 5, "- Oak, $5 off $30\n- Elm, $6 off $40\n"),
        ("sku", {"type": "string"}, "A1", "- Oak, A1B\n- Elm, A2\n"),
        ("currency", {"enum": ["EUR", "USD"]}, "USD", "- Oak, €9.50\n- Elm, $7.50\n"),
        (
            "state",
            {"enum": ["open", "closed"]},
            "closed",
            "| Name | State |\n|---|---|\n| Oak | open |\n| Elm | closed |\n",
        ),
        ("note", {"type": "string", "x-derived": False}, "fine", "- Oak\n- Elm\n"),
    ],
)
def test_what_a_records_own_place_denies_is_no_data(field: str, kind: dict[str, Any], wrong: Any, text: str) -> None:
    schema = {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}, field: kind}}}
    data = [{"name": name, field: value} for name, value in (("Oak", wrong), ("Elm", None))]
    found = standings(data, text, schema=schema)
    assert found[f"/0/{field}"] == "ungrounded"
    assert found["/0/name"] == "verbatim"


@pytest.mark.req("PR-2")
@pytest.mark.parametrize(("is_so", "status"), [(False, "inferred"), (True, "ungrounded")])
def test_the_label_of_another_fact_says_nothing_of_the_stock(is_so: bool, status: str) -> None:
    text = "# Drill\n\nOut of stock.\n\n| ASIN | B061117716 |\n| --- | --- |\n| Date First Available | May 21, 2025 |\n"
    assert standings({"name": "Drill", "in_stock": is_so}, text)["/in_stock"] == status


@pytest.mark.req("PR-2")
@pytest.mark.parametrize(
    ("field", "kind", "wrong", "right"),
    [
        ("parking", FLAG, True, False),
        ("currency", {"enum": ["EUR", "USD"]}, "USD", "EUR"),
    ],
)
def test_what_the_label_of_a_page_about_one_thing_denies_is_no_data(
    field: str, kind: dict[str, Any], wrong: Any, right: Any
) -> None:
    text = "# Oak bar\n\nStatus: open\n\nParking: unavailable\n\nFrom €9.50. Not closed on Mondays.\n"
    schema = {"type": "object", "properties": {"name": {"type": "string"}, field: kind}}
    for value, is_data in ((wrong, False), (right, True)):
        found = standings({"name": "Oak bar", field: value}, text, schema=schema)
        assert (found[f"/{field}"] != "ungrounded") is is_data


@pytest.mark.req("PR-2")
@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("in_stock", True, "10 in stock"),
        ("in_stock", True, "rated 5.0, in stock"),
        ("furnished", True, "furnished"),
        ("discount", 5, "$5 off $30"),
        ("price", 30, "$5 off $30"),
        ("price", 5, "$5 off-road kit"),
        ("size", "A1", "A1, framed"),
        ("weight", "5", "5kg"),
    ],
)
def test_what_only_looks_like_a_denial_denies_nothing(field: str, value: Any, said: str) -> None:
    data = [{"name": "Oak", field: value}, {"name": "Elm", field: None}]
    assert standings(data, f"- Oak, {said}\n- Elm, sold\n")[f"/0/{field}"] in ("verbatim", "normalized")


HOTELS = [("Alpha", True, False, None), ("Beta", False, True, False), ("Gamma", True, True, True)]
SAID = {True: "Yes", False: "No", None: "n/a"}
FLAGS: dict[str, Any] = {"type": "array", "items": {"properties": dict.fromkeys(("wifi", "has_pets", "pool"), FLAG)}}


def listed_with(name: str, says: dict[bool, str], flags: list[bool], line: str) -> tuple[list[dict[str, Any]], str]:
    """Give records with a flag each, and a list in which a line of each says it."""
    names = ("Amber kettle", "Birch ladle", "Copper whisk", "Denim apron", "Enamel jug", "Felt basket")
    items = [
        f"- ### {one}\n\n  €{at + 10}\n\n  {line.format(says[flag])}"
        for at, (one, flag) in enumerate(zip(names, flags, strict=False))
    ]
    return [{"name": one, name: flag} for one, flag in zip(names, flags, strict=False)], "\n".join(items)


@pytest.mark.req("PR-2")
@pytest.mark.parametrize("line", ["In stock: {}", "In stock **{}**", "In stock {}"])
@pytest.mark.parametrize("words", [("yes", "no"), ("Y", "N"), ("✓", "✗"), ("ja", "nein")])
def test_a_no_behind_the_name_of_a_flag_says_no(line: str, words: tuple[str, str]) -> None:
    flags = [True, False, True, False, True]
    data, text = listed_with("in_stock", {True: words[0], False: words[1]}, flags, line)
    assert "ungrounded" not in standings(data, text).values()
    told = standings([{**one, "in_stock": not one["in_stock"]} for one in data], text)
    assert [told[f"/{at}/in_stock"] for at in range(5)] == ["ungrounded"] * 5


@pytest.mark.req("PR-2")
@pytest.mark.parametrize(
    ("name", "gone", "there"),
    [
        ("sold_out", "Sold out", "In stock"),
        ("out_of_stock", "Sold out", "Available"),
        ("soldOut", "Ausverkauft", "Auf Lager"),
        ("is_unavailable", "Currently unavailable", "Available"),
    ],
)
def test_words_for_stock_say_the_opposite_of_what_is_gone(name: str, gone: str, there: str) -> None:
    flags = [True, False, True, True, False]
    data, text = listed_with(name, {True: gone, False: there}, flags, "{}")
    told = standings(data, text)
    assert [told[f"/{at}/{name}"] for at in range(5)] == ["normalized"] * 5
    told = standings([{**one, name: not one[name]} for one in data], text)
    assert [told[f"/{at}/{name}"] for at in range(5)] == ["ungrounded"] * 5


@pytest.mark.req("PR-2")
def test_a_yes_without_the_words_that_say_it_of_all_others_is_no_data() -> None:
    data, text = listed_with("on_sale", {True: "On sale", False: "New"}, [True, True, True, False], "{}")
    assert standings(data, text)["/3/on_sale"] == "inferred"
    data[3]["on_sale"] = True
    told = standings(data, text)
    assert [told[f"/{at}/on_sale"] for at in range(4)] == ["normalized"] * 3 + ["ungrounded"]


def listed_choices(name: str, choices: tuple[str, ...]) -> dict[str, Any]:
    properties = {"name": {"type": "string"}, name: {"enum": list(choices)}}
    return {"type": "array", "items": {"type": "object", "properties": properties}}


@pytest.mark.req("PR-2")
@pytest.mark.parametrize("form", ["sold_out in_stock", "SOLD_OUT IN_STOCK", "sold-out in-stock", "SoldOut InStock"])
def test_a_choice_that_the_schema_writes_as_a_code_is_said_by_its_words(form: str) -> None:
    gone, there = form.split()
    data, text = listed_with("state", {True: "Sold out", False: "In stock"}, [True, False, True, True, False], "{}")
    codes = [{**one, "state": gone if one["state"] else there} for one in data]
    schema = listed_choices("state", (gone, there))
    assert {standings(codes, text, schema=schema)[f"/{at}/state"] for at in range(5)} <= {"normalized", "verbatim"}
    turned = [{**one, "state": there if one["state"] == gone else gone} for one in codes]
    assert {standings(turned, text, schema=schema)[f"/{at}/state"] for at in range(5)} == {"ungrounded"}


@pytest.mark.req("PR-2")
def test_a_choice_between_yes_and_no_is_a_flag() -> None:
    data, text = listed_with("available", {True: "In stock", False: "Sold out"}, [True, False, True, True, False], "{}")
    said = [{**one, "available": "yes" if one["available"] else "no"} for one in data]
    schema = listed_choices("available", ("yes", "no"))
    assert {standings(said, text, schema=schema)[f"/{at}/available"] for at in range(5)} == {"normalized"}
    turned = [{**one, "available": "no" if one["available"] == "yes" else "yes"} for one in said]
    refused = [one for one in prove(turned, text, schema=schema) if one.pointer.endswith("available")]
    assert [(one.status, one.value) for one in refused] == [("ungrounded", one["available"]) for one in turned]
