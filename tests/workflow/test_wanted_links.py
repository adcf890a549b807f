"""Addresses that the schema asks for: shown to the model, proven by the page's links, null when invented (PR-2)."""

from pathlib import Path
from typing import Any

import pytest
from gleaner.extraction.link_numbers import LinkNumbers
from gleaner.schemas import asks_for_links

from tests.support.asking import answered, bullets
from tests.support.schemas import MAYBE_TEXT, TEXT, list_of, object_of

PAGE = bullets(*(f'<a href="../p/{n}?a=1&amp;b=2">Kettle {n}</a>' for n in range(1, 6)))
TRUTH = [{"name": f"Kettle {n}", "url": f"https://shop.example/p/{n}?a=1&b=2"} for n in range(1, 6)]
SCHEMA = list_of(object_of(name=TEXT, url=MAYBE_TEXT))


def extract(home: Path, answer: Any, page: str = PAGE) -> tuple[Any, list[str]]:
    return answered(home, page, SCHEMA, answer, url="https://shop.example/list/all", query="all kettles")


@pytest.mark.req("PR-1", "EX-13")
@pytest.mark.parametrize("form", ["L{}", "[L{}]", "https://shop.example/p/{}?a=1&b=2"])
def test_a_model_that_is_asked_for_addresses_is_shown_their_numbers_and_may_give_either(tmp_path: Path, form: str):
    result, prompts = extract(tmp_path, [{**one, "url": form.format(n)} for n, one in enumerate(TRUTH, 1)])
    assert "[Kettle 3][L3]" in prompts[0]
    assert "https://shop.example/p/" not in prompts[0]
    assert (result.status, result.extraction.data) == ("complete", TRUTH)


@pytest.mark.req("EX-13")
def test_images_are_shown_only_to_whoever_asks_for_one():
    page = "[![Oak](https://a.example/oak.png)](https://a.example/oak) [L7](https://a.example/7) ![](/dot.gif)"
    links = LinkNumbers.of(page, SCHEMA)
    assert links.show(page) == "[Oak][LINK1] [L7][LINK2] "
    assert links.resolve('["LINK2", "LINK9", "L7", "ALINK1"]') == '["https://a.example/7", "LINK9", "L7", "ALINK1"]'
    assert links.resolve("See [L7][LINK2].") == "See [L7](https://a.example/7)."
    pictured = LinkNumbers.of(page, {"properties": {"photo_url": {"type": "string"}}})
    assert pictured.show(page) == "[![Oak][LINK1]][LINK2] [L7][LINK3] ![][LINK4]"


@pytest.mark.req("PR-2")
def test_an_invented_address_is_null_and_its_record_stays(tmp_path: Path):
    wrong = [*TRUTH[:2], {**TRUTH[2], "url": "https://shop.example/p/33"}, *TRUTH[3:]]
    swapped = [*TRUTH[:2], {**TRUTH[2], "url": TRUTH[3]["url"]}, *TRUTH[3:]]
    shorter = [*TRUTH[:2], {**TRUTH[2], "url": "https://shop.example/p"}, *TRUTH[3:]]
    for home, answer in (("a", wrong), ("b", swapped), ("c", shorter)):
        result, _ = extract(tmp_path / home, answer)
        assert result.extraction.data == [*TRUTH[:2], {**TRUTH[2], "url": None}, *TRUTH[3:]]


@pytest.mark.req("PR-4")
def test_an_address_with_a_step_more_than_the_page_has_is_null(tmp_path: Path):
    page = PAGE.replace("?a=1&amp;b=2", "")
    truth = [{**one, "url": one["url"].partition("?")[0]} for one in TRUTH]
    longer = [*truth[:2], {**truth[2], "url": f"{truth[2]['url']}/photos"}, *truth[3:]]
    result, _ = extract(tmp_path, longer, page)
    assert result.extraction.data == [*truth[:2], {**truth[2], "url": None}, *truth[3:]]


@pytest.mark.req("CM-1")
def test_a_list_of_links_may_not_lack_one(tmp_path: Path):
    result, _ = extract(tmp_path, TRUTH[:4])
    assert result.status == "partial"
    assert result.extraction.completeness.expected == 5


@pytest.mark.parametrize(
    ("schema", "asks"),
    [
        ({"properties": {"productUrl": {"type": "string"}}}, True),
        ({"properties": {"image_urls": {"type": "array", "items": {"type": "string"}}}}, True),
        ({"properties": {"page": {"anyOf": [{"type": "string", "format": "uri"}, {"type": "null"}]}}}, True),
        ({"$defs": {"shop": {"properties": {"href": {}}}}, "$ref": "#/$defs/shop"}, True),
        ({"properties": {"photo": {"type": ["string", "null"]}, "photoCount": {"type": "integer"}}}, True),
        ({"properties": {"pdf": {"type": "string", "description": "URL of the paper"}}}, True),
        ({"properties": {"pages": {"type": "integer", "description": "pages behind the link"}}}, False),
        ({"properties": {"photographer": {"type": "string", "description": "who took it"}}}, False),
        ({"properties": {"produktURL": {}}}, True),
        ({"properties": {"url_count": {"type": "integer"}, "linked": {"type": "string"}}}, False),
        ({"properties": {"links": {"type": "integer"}}}, False),
        ({"properties": {"name": {"enum": ["url", "link"]}}}, False),
        (True, False),
    ],
)
def test_a_schema_asks_for_links_by_format_or_by_name(schema: Any, asks: bool):
    assert asks_for_links(schema) is asks
