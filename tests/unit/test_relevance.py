"""Scores of texts for a query: in [0, 1], zero without a term, the right text first (PA-2)."""

import pytest
from gleaner.chunking.relevance import passages, rank
from hypothesis import given
from hypothesis import strategies as st

TEXTS = [
    "Sign in or create an account to see your orders.",
    "Machine learning is a field that gives computers the ability to learn from data.",
    "Our offices are open from Monday to Friday.",
    "The weather in the mountains changes quickly, so take a jacket.",
]


@pytest.mark.req("PA-2")
@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("machine learning", 1),
        ("when are you open?", 2),
        ("OFFICE", 2),
        ("mountain", 3),
        ("accounts", 0),
        ("weathers in the mountain", 3),
    ],
)
def test_the_text_that_answers_comes_first(query: str, best: int) -> None:
    scores = rank(query, TEXTS)
    assert scores.index(max(scores)) == best
    assert sorted(scores)[-1] > sorted(scores)[-2]


@pytest.mark.req("PA-2")
@pytest.mark.parametrize(
    ("query", "texts"),
    [
        ("東京の天気", ["大阪の交通機関", "東京の天気は晴れです"]),
        ("猫", ["犬がいます", "黒猫が好き"]),
        ("cafe", ["tea house", "Le Café de Paris"]),
        ("straße", ["weg", "STRASSE 9"]),
        ("мир", ["война", "Мир и труд"]),
        ("서울 날씨", ["부산 교통", "서울의 날씨"]),
        ("ราคา", ["ข่าวกีฬา", "ราคาสินค้า"]),
    ],
)
def test_other_scripts_are_found(query: str, texts: list[str]) -> None:
    first, second = rank(query, texts)
    assert second > first


def test_a_word_inside_another_word_is_no_match() -> None:
    assert rank("art", ["a party started", "smart cartoon"]) == [0.0, 0.0]


def test_a_rare_term_weighs_more_than_a_common_one() -> None:
    scores = rank("price flux", ["price price price", "flux", "price of tea", "price list"])
    assert scores[1] == max(scores)


@pytest.mark.req("PA-2")
def test_no_query_no_words_and_no_texts_give_zeros() -> None:
    assert rank("", TEXTS) == rank("?!", TEXTS) == [0.0] * 4
    assert rank("word", []) == []
    assert rank("word", ["", ""]) == [0.0, 0.0]


@pytest.mark.req("PA-2")
@given(st.text(max_size=40), st.lists(st.text(max_size=80), max_size=8))
def test_scores_lie_between_zero_and_one(query: str, texts: list[str]) -> None:
    scores = rank(query, texts)
    assert len(scores) == len(texts)
    assert all(0.0 <= score <= 1.0 for score in scores)


@given(st.lists(st.sampled_from(["alpha", "beta", "gamma"]), min_size=1, max_size=9), st.integers(0, 5))
def test_equal_texts_have_equal_scores_in_any_order(words: list[str], turn: int) -> None:
    texts = [" ".join(words), "beta", "gamma delta", " ".join(words)]
    scores = rank("alpha beta", texts)
    assert scores[0] == scores[3]
    turned = texts[turn % 4 :] + texts[: turn % 4]
    assert rank("alpha beta", turned) == scores[turn % 4 :] + scores[: turn % 4]


@pytest.mark.req("EX-1")
def test_passages_are_exact_runs_of_the_text_best_first() -> None:
    filler = "Nothing of interest stands in this paragraph, it only fills. " * 9
    markdown = f"# Shop\n\n{filler}\n\n## Returns\n\nSend it back in 30 days.\n\n{filler}\n\n# Contact\n\n{filler}\n"
    found = passages("how to send something back", markdown, 2)
    assert "Send it back in 30 days." in markdown[found[0].start : found[0].end]
    assert all(passage.score > 0 for passage in found)
    assert [passage.score for passage in found] == sorted((passage.score for passage in found), reverse=True)
    assert passages("zebra", markdown) == passages("", markdown) == passages("returns", markdown, 0) == []


def test_a_heading_speaks_for_the_text_under_it() -> None:
    sections = "".join(f"## Topic{number}\n\n{'plain words here. ' * 60}\n\n" for number in range(5))
    found = passages("topic3", sections, 9)
    assert found
    assert all(
        sections[: passage.end].rfind("## Topic3") > sections[: passage.start].rfind("## Topic2") for passage in found
    )


def test_a_negative_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="limit is -1"):
        passages("a", "b", -1)
