"""Strategies are kept, found by URL glob, and ranked by how well they have done."""

import pytest
from gleaner.memory import MemoryTable
from gleaner.strategies import ExtractionCache, ExtractionStrategy, matches, url_pattern_of

SCHEMA = {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}}


def strategy(pattern: str = "https://shop.example/p/*", **fields: object) -> ExtractionStrategy:
    return ExtractionStrategy.model_validate({"url_pattern": pattern, "output_schema": SCHEMA, **fields})


@pytest.mark.req("ST-1")
def test_a_registered_strategy_comes_back_whole() -> None:
    cache = ExtractionCache()
    made = cache.register(strategy(css_selector="div#target", query_template="all products"))
    found = cache.get(made)
    assert found is not None
    assert (found.css_selector, found.query_template, found.output_schema) == ("div#target", "all products", SCHEMA)


@pytest.mark.req("ST-1")
def test_registering_the_same_strategy_twice_keeps_one_and_its_counts() -> None:
    cache = ExtractionCache()
    first = cache.register(strategy())
    cache.record(first, success=True)
    assert cache.register(strategy()) == first
    found = cache.get(first)
    assert found is not None
    assert found.success_count == 1
    assert len(cache.list().items) == 1


@pytest.mark.req("ST-1")
@pytest.mark.parametrize(
    ("pattern", "url", "expected"),
    [
        ("https://shop.example/p/*", "https://shop.example/p/12", True),
        ("https://shop.example/p/*", "https://shop.example/p/12?x=[1]", True),
        ("https://shop.example/p/*", "https://other.example/p/12", False),
        ("https://shop.example/p/?", "https://shop.example/p/12", False),
        ("https://shop.example/a[1]", "https://shop.example/a[1]", True),
        ("https://shop.example/a[1]", "https://shop.example/a1", False),
    ],
)
def test_a_glob_matches_urls(pattern: str, url: str, expected: bool) -> None:
    assert matches(pattern, url) is expected


@pytest.mark.req("ST-1")
def test_the_strategy_that_did_best_comes_first() -> None:
    cache = ExtractionCache()
    good, bad, other = (cache.register(strategy(query_template=text)) for text in ("good", "bad", "untried"))
    for _ in range(10):
        cache.record(good, success=True)
        cache.record(bad, success=False)
    found = cache.find_matching("https://shop.example/p/1")
    assert [item.id for item in found] == [good, other, bad]
    assert cache.find_matching("https://shop.example/q/1") == []


@pytest.mark.req("ST-1")
def test_a_strategy_for_any_host_is_found() -> None:
    cache = ExtractionCache()
    made = cache.register(strategy("https://*.example/p/*"))
    assert [item.id for item in cache.find_matching("https://shop.example/p/1")] == [made]


@pytest.mark.req("ST-1")
def test_strategies_of_another_tenant_are_not_seen() -> None:
    table = MemoryTable()
    made = ExtractionCache(table, "one").register(strategy())
    other = ExtractionCache(table, "two")
    assert other.get(made) is None
    assert other.find_matching("https://shop.example/p/1") == []
    assert not other.delete(made)


@pytest.mark.req("ST-1")
@pytest.mark.parametrize(
    "url", ["https://s.example/list?page=2", "https://s.example/item/4711-lamp", "http://s.example"]
)
def test_the_pattern_made_of_a_url_matches_that_url(url: str) -> None:
    assert matches(url_pattern_of(url), url)
