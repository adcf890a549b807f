"""Values in sentences, marks that say something else, fields that have changed places: doubted, never served (RC-2)."""

from collections.abc import Sequence
from typing import Any

import pytest
from gleaner.grounding import prove
from gleaner.recipes import Example, Recipe, learn, misreads, refine, replay
from gleaner.recipes.drift import figures_of, find_strange_values
from gleaner.recipes.fields import is_general
from gleaner.recipes.learning import same_data
from gleaner.recipes.model import FieldRecipe, FieldSelector
from gleaner.recipes.selectors.columns import Wanted
from gleaner.recipes.settling import settle
from gleaner.recipes.texts.decoding import UNREAD

URL = "https://facts.example/items/1"
Thing = dict[str, Any]
Page = tuple[str, Thing]
KINDS = {"string": str, "integer": int, "boolean": bool, "array": list}


def schema_of(pages: Sequence[Page]) -> dict[str, Any]:
    def kind(name: str) -> dict[str, Any]:
        values = [data[name] for _, data in pages if data[name] is not None]
        known = next((word for word, type_ in KINDS.items() if values and type(values[0]) is type_), "integer")
        return {"type": [known, "null"]} if known != "boolean" else {"type": known}

    return {"type": "object", "properties": {name: kind(name) for name in pages[0][1]}}


def learned(*pages: Page) -> tuple[Recipe, dict[str, Any]]:
    schema = schema_of(pages)
    *earlier, (html, data) = pages
    recipe = learn(html, URL, schema, data, earlier=[Example(one, URL, known) for one, known in earlier])
    assert recipe is not None
    return recipe, schema


def doubts(recipe: Recipe, schema: dict[str, Any], page: Page) -> Sequence[str]:
    read = replay(recipe, page[0], URL, schema)
    assert read.doubts or same_data(read.data, page[1]), read
    return read.doubts


def bird(name: str, family: str, prose: str = "", length: int | None = None, made: str = "") -> Page:
    facts = f"<dl><dt>Family</dt><dd>{family}</dd></dl>{made}"
    html = f"<main><h1>{name}</h1>{facts}<p>Seen in {family[:3]} land. {prose}</p></main>"
    return html, {"name": name, "family": family, "length_cm": length}


@pytest.mark.req("RC-2")
def test_a_number_beside_the_name_of_its_field_in_a_sentence_is_no_absence() -> None:
    recipe, schema = learned(bird("Reed warbler", "Ternidae"), bird("Grey newt", "Holidae", "It likes 12 ponds."))
    assert not doubts(recipe, schema, bird("Dark owl", "Vexidae", "It likes 31 ponds."))
    for said in ("It grows to 44 cm.", "Its length of 44 is large."):
        assert "length_cm is absent" in doubts(recipe, schema, bird("Dark owl", "Vexidae", said, 44))[0]
    late = bird("Dark owl", "Vexidae", "Rain of 44 cm falls.")
    better = refine(recipe, late[0], URL, late[1])
    assert better is not None
    assert not doubts(better, schema, bird("Tall crane", "Marnidae", "Rain of 51 cm falls."))
    assert doubts(better, schema, bird("Tall crane", "Marnidae", "It grows to 51 cm.", 51))


def lamp(name: str, prose: str, designer: str | None = None) -> Page:
    html = f"<main><h1>{name}</h1><dl><dt>Stuff</dt><dd>oak {name[:2]}</dd></dl><p>{prose}</p></main>"
    return html, {"name": name, "stuff": f"oak {name[:2]}", "designer": designer}


@pytest.mark.req("RC-2")
def test_a_sentence_with_the_name_of_a_text_that_no_page_showed_is_asked_about() -> None:
    known = lamp("Fern", "It is for rain."), lamp("Gorse", "Two fit a van."), lamp("Larch", "We like it a lot.")
    schema = {"type": "object", "properties": {name: {"type": ["string", "null"]} for name in known[0][1]}}
    *earlier, (html, data) = known
    recipe = learn(html, URL, schema, data, earlier=[Example(one, URL, said) for one, said in earlier])
    assert recipe is not None
    assert not doubts(recipe, schema, lamp("Hazel", "Not for days of wind."))
    assert doubts(recipe, schema, lamp("Hazel", "Designed by Ada Roe of Oslo.", "Ada Roe"))


@pytest.mark.req("RC-1", "RC-2")
def test_a_recipe_that_reads_a_known_page_wrong_without_a_doubt_is_told() -> None:
    recipe, schema = learned(bird("Reed warbler", "Ternidae"), bird("Grey newt", "Holidae"))
    html, data = bird("Dark owl", "Vexidae")
    assert not misreads(recipe, Example(html, URL, data), schema)
    assert misreads(recipe, Example(html, URL, {**data, "length_cm": 31}), schema)
    doubted, data = bird("Dark owl", "Vexidae", "It grows to 44 cm.", 44)
    assert not misreads(recipe, Example(doubted, URL, data), schema)


def show(title: str, *, off: bool, alert: str = "Cancelled", note: str = "") -> Page:
    mark = f"<p class=alert>{alert}</p>" if off else ""
    rest = f"<p class=place>Hall {title[:3]}</p><section><q>{note}</q></section>"
    html = f"<main><h1 class=name>{title}</h1>{mark}{rest}</main>"
    return html, {"title": title, "place": f"Hall {title[:3]}", "cancelled": off}


@pytest.mark.req("RC-2")
def test_the_mark_of_a_flag_that_says_something_else_is_doubted() -> None:
    known = show("Lake concert", off=True, note="Bring a lamp."), show("Town walk", off=False, note="Two hours of it.")
    recipe, schema = learned(*known, show("Old songs", off=False, note="A choir of ten sings."))
    assert not doubts(recipe, schema, show("Night fair", off=True))
    assert "is marked by" in doubts(recipe, schema, show("Night fair", off=True, alert="Sold by us"))[0]
    assert not doubts(recipe, schema, show("Night fair", off=False, note="It was long today."))
    assert replay(recipe, show("Night fair", off=False, note="It was cancelled today.")[0], URL, schema).doubts


def case(plaintiff: str, counsel: str, cited: str, heard: list[str]) -> Page:
    html = (
        f"<main><h1>Judgment</h1><p>Claimant: <b>{plaintiff}</b></p><p>Counsel: <b>{counsel}</b></p>"
        f"<p>Citation: <b>{cited}</b></p><p>Heard: <b>{', '.join(heard)}</b></p></main>"
    )
    return html, {"claimant": plaintiff, "counsel": counsel, "citation": cited, "heard": heard}


@pytest.mark.req("RC-2")
def test_texts_written_as_only_the_other_field_was_have_changed_places() -> None:
    known = (
        case("ALDWORKS LTD", "Sven Quispe", "[2013] HC 20", ["2 March 2013", "3 March 2013"]),
        case("TERNTON", "Rosa Abbott", "[2019] HC 108", ["6 May 2019", "9 May 2019"]),
    )
    recipe, schema = learned(*known)
    plain = case("GRANFIELD LTD", "Ada Roe", "[2006] HC 7", ["1 April 2006", "4 June 2006"])
    assert not doubts(recipe, schema, plain)
    swapped = case("Ada Roe", "GRANFIELD LTD", "[2006] HC 7", ["1 April 2006", "4 June 2006"])
    assert any("written as each other" in one for one in replay(recipe, swapped[0], URL, schema).doubts)
    beside = {"fields": recipe.fields[1:], "outer": recipe.fields[:1], "places": {}}
    told = replay(recipe.model_copy(update=beside), swapped[0], URL, schema).doubts
    assert any("written as each other" in one for one in told)
    turned = case("GRANFIELD LTD", "Ada Roe", "1 April 2006", ["[2006] HC 7"])
    assert any("citation" in one for one in replay(recipe, turned[0], URL, schema).doubts)


def job(title: str, where: str, days: int) -> Page:
    html = f"<main><h2 class=headline>{title}</h2><hr><div class=place>{where}</div><p>Days: {days}</p></main>"
    return html, {"title": title, "days": days}


@pytest.mark.req("RC-2")
def test_a_text_that_another_place_said_is_doubted_where_that_place_says_what_it_never_did() -> None:
    recipe, schema = learned(job("Nurse", "On-site", 12), job("Cook", "Remote", 30), job("Welder", "On-site", 15))
    assert not doubts(recipe, schema, job("Baker", "Remote", 16))
    assert not doubts(recipe, schema, job("Baker", "Hybrid", 16))
    assert "title is 'Remote'" in replay(recipe, job("Remote", "Baker", 16)[0], URL, schema).doubts[0]


def crate(name: str, about: str, *, box: str = "", owner: str = "ada") -> Page:
    html = (
        f"<main><h1>{name}</h1><div class=about>{box or about}</div><h2>Owners</h2>"
        f"<ul><li><a href=/users/{owner}>{owner}</a></li><li><a href=/users/bo>bo</a></li></ul></main>"
    )
    return html, {"name": name, "about": about, "owners": [owner, "bo"]}


@pytest.mark.req("RC-2")
def test_a_text_that_has_come_to_stand_in_a_block_of_its_own_is_doubted() -> None:
    recipe, schema = learned(crate("fern", "A kettle for the road."), crate("gorse", "A lamp and a drill."))
    assert not doubts(recipe, schema, crate("larch", "A violin for two."))
    moved, _ = crate("larch", "", box="<p>A violin for two.</p>")
    assert replay(recipe, moved, URL, schema).doubts


def release(name: str, version: str, more: str = "") -> Page:
    html = f"<main><h1>{name}</h1><a href=/r>Release <b>{version}</b>{more}<span>Latest</span></a></main>"
    return html, {"name": name, "latest": version}


@pytest.mark.req("RC-2")
def test_what_words_stand_around_is_doubted_once_it_is_made_of_two_texts() -> None:
    recipe, schema = learned(release("fern", "v2.1"), release("gorse", "v3.17"))
    assert not doubts(recipe, schema, release("larch", "v4.2"))
    assert replay(recipe, release("larch", "v4.2", "<i>v6.40</i>")[0], URL, schema).doubts


@pytest.mark.req("RC-2")
def test_two_texts_that_begin_alike_are_doubted_once_one_begins_otherwise() -> None:
    known = figures_of(["[2013] HC 20", "[2019] HC 18"])
    cited = FieldRecipe(steps=("citation",), selectors=[FieldSelector(kind="label", value="Citation")], figures=known)
    assert find_strange_values([cited], [["[2006] EW 7 (Ch)"]]) == []
    assert "begins like" in find_strange_values([cited], [["8 March 2003"]])[0]


def field(name: str, *values: Any) -> FieldRecipe:
    by = [FieldSelector(kind="class", tag="p", value=name)]
    return FieldRecipe(steps=(name,), selectors=by, figures=figures_of(list(values)))


@pytest.mark.req("RC-2")
def test_a_text_and_a_list_that_say_what_only_the_other_did_are_doubted() -> None:
    fields = [field("type", "Task", "Bug"), field("components", ["Storage", "Api"], ["Api"])]
    assert find_strange_values(fields, [["Story"], [["Storage", "Task"]]]) == []
    assert find_strange_values(fields, [["Storage"], [["Api"]]]) == []
    for told in (["Storage"], [["Task", "New"]]), (["New"], [["Task", "Bug"]]):
        assert "hold what the other held" in find_strange_values(fields, told)[0]


@pytest.mark.req("RC-2")
@pytest.mark.parametrize(("low", "high"), [("price_low", "price_high"), ("min_age", "max_age"), ("from", "to")])
def test_the_ends_of_a_range_that_are_turned_are_doubted(low: str, high: str) -> None:
    fields = [field(low, 4, 6), field("other", 1, 2), field(high, 8, 9)]
    assert find_strange_values(fields, [[5], [9], [7]]) == []
    assert find_strange_values(fields, [[7], [9], [5]]) == [f"{low} is above {high}"]
    assert find_strange_values(
        [field("start", "2026-01-02"), field("end", "2026-01-05")], [["2026-03-09"], ["2026-02-01"]]
    )


@pytest.mark.req("RC-2")
def test_a_label_with_nothing_beside_it_does_not_take_the_next_text() -> None:
    by = [FieldSelector(kind="label", value="Hosted by"), FieldSelector(kind="beside", tag="span", value="Hosted by")]
    host = FieldRecipe(steps=("host",), selectors=by, figures=figures_of(["Fern Club", "Ada Roe"]))
    assert settle(host, [["Bo Lind"], ["Bo Lind"]], 1, strict=True) == ["Bo Lind"]
    assert settle(host, [["Lamps for all of us."], [None]], 1, strict=True) == [UNREAD]


@pytest.mark.req("RC-1")
def test_a_number_of_one_page_is_no_label_of_the_value_behind_it() -> None:
    fields = [Wanted(("views",), {"type": "integer"}, [23_104, 4_310])]
    for label, is_one in (("23,104Views", False), ("Top 10", True), ("Views", True)):
        assert is_general(FieldSelector(kind="beside", tag="div", value=label), fields, fields[0]) is is_one


@pytest.mark.req("RC-1", "RC-2")
def test_a_label_with_a_figure_beside_a_value_that_one_page_alone_has_is_none() -> None:
    fields = [Wanted(("views",), {"type": "integer"}, [23_104, 4_310]), Wanted(("likes",), {}, [None, 9_519])]
    joined = FieldSelector(kind="beside", tag="div", value="Joined Jun 10, 2022")
    assert [is_general(joined, fields, one) for one in fields] == [True, False]


@pytest.mark.req("PR-1")
def test_the_most_popular_facilities_of_a_hotel_are_no_section_of_other_things() -> None:
    said = "## Quiet Hotel\n\n### Most popular {}\n\n- Old Mill\n\n  +47 93 97 56 95\n\n- Sea View\n\n  +47 93 11 22 33"
    for word, status in (("facilities", "verbatim"), ("hotels", "ungrounded")):
        assert [one.status for one in prove({"phone": "+47 93 97 56 95"}, said.format(word))] == [status]
