"""A tag of countless attributes costs no more than its length (MD-6)."""

from itertools import product

import pytest
from gleaner.html.attribute_limit import MOST_ATTRIBUTES, limit_attributes
from gleaner.html.dom import parse_html, select_part
from hypothesis import given
from hypothesis import strategies as st

NAMES = [f"a{number}" for number in range(60_000)]
BEFORE = [
    "",
    "<!--><script>-->",
    "<i title='<script>'>",
    "<!-- <title> -->",
    "<title>",
    "<xmp><i a='</xmp>",
    "<SCRIPT><i a='</script>",
    "<script><!-- <script> </script> <i a=' --></script>",
    "<script><!--><script></script>",
]
FORMS = ["{}", "{}=1", "{}=''", '{}="<b>"', "{} = '>'", "{}=</script>", '"{}', "/{}/"]


@pytest.mark.req("MD-6")
@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("form", "before"), [*((form, "") for form in FORMS), *product(FORMS[:1] + FORMS[3:4], BEFORE[1:])]
)
def test_a_tag_of_60_000_attributes_is_parsed_in_seconds_and_its_text_stays(form: str, before: str) -> None:
    crowded = "<div " + " ".join(map(form.format, NAMES)) + ">the text</div>"
    root = parse_html(before + crowded)
    assert "the text" in "".join(root.itertext())
    assert max(len(element.keys()) for element in root.iter()) <= MOST_ATTRIBUTES + 1


@pytest.mark.req("MD-6")
@pytest.mark.timeout(60)
def test_a_selector_reaches_into_a_page_with_a_crowded_tag() -> None:
    assert select_part(f"<p {' '.join(NAMES)}>x</p><b>y</b>", "b")[0] == "<b>y</b>"


@pytest.mark.req("MD-6", "SS-2")
@pytest.mark.timeout(60)
@pytest.mark.parametrize("part", ["<a", "<a<", "<a='", "<A<1", "<a ", "<a/"])
@pytest.mark.parametrize("last", ["", f"<p {' '.join(NAMES)}>"])
def test_names_that_run_into_each_other_are_looked_at_once(part: str, last: str) -> None:
    assert len(limit_attributes(part * 300_000 + last)) < len(part) * 300_000 + 10_000


def test_scripts_keep_what_looks_like_a_crowded_tag() -> None:
    script = "<script>for (i=0; i<n; i++) {" + " word" * 10_000 + "}</script>"
    crowded = f"<p {' '.join(NAMES)}>"
    limited = limit_attributes(script + crowded + script)
    assert limited.startswith(script)
    assert limited.endswith(script)
    assert len(limited) < len(2 * script) + 10_000


@given(st.text(st.sampled_from("<>/=\"'!- abpscript\n"), max_size=80))
def test_tags_of_few_attributes_are_left_as_they_are(part: str) -> None:
    html = part * 3 + "x" * 20_000
    assert limit_attributes(html) == html
