"""Text that is shown in an element whose own text is not: mails and menus set sizes to 0 around it."""

import pytest
from gleaner.html.style_hiding import mark_hidden_by_styles
from gleaner.markdown import extract_clean_markdown

pytestmark = pytest.mark.req("MD-4")


def text_of(html: str) -> str:
    return extract_clean_markdown(mark_hidden_by_styles(html))[0]


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td style='font-size:0px;padding:20px 0'><div style='font-size:13px'>KEPT</div></table>",
        "<ul style='font-size:0'><li style='font: bold 14px/1.4 Arial'>KEPT</ul>",
        "<p style='font-size:0'><span style='font-size:1.2rem'>KEPT</span>",
        "<p style='font-size:0'><font size=3>KEPT</font>",
        "<p style='font-size:0'><span style='font-size:small'>KEPT</span>",
        "<div style='visibility:hidden'><p style='visibility:visible'>KEPT</div>",
        "<div style='text-indent:-9999px'><p style='text-indent:0'>KEPT</div>",
        "<style>.row{font-size:0}</style><div class=row><p style='font-size:14px'>KEPT</div>",
        "<style>.row{font-size:0}.cell{font:14px Arial}</style><div class=row><p class=cell>KEPT</div>",
        "<style>.cell{font-size:14px}</style><div style='color:red;font-size:0'><p class=cell>KEPT</div>",
        "<style>p{visibility:visible}</style><div style='visibility:hidden'><p>KEPT</div>",
    ],
)
def test_what_shows_itself_in_an_element_that_hides_its_text_is_read(html: str) -> None:
    assert "KEPT" in text_of(f"<p>One</p>{html}")


@pytest.mark.parametrize(
    "html",
    [
        "<div style='font-size:0'><p style='font-size:1em'>gone</div>",
        "<div style='font-size:0'><p style='font-size:100%'>gone</div>",
        "<div style='font-size:0'><p style='font-size:0.1px'>gone</div>",
        "<div style='font-size:0'><p style='font-size:1px'>gone</div>",
        "<div style='font-size:0'><p style='visibility:visible'>gone</div>",
        "<div style='visibility:hidden;font-size:0'><p style='font-size:14px'>gone</div>",
        "<div style='display:none;font-size:0'><p style='font-size:14px'>gone</div>",
        "<div style='visibility:hidden'><p style='visibility:inherit'>gone</div>",
        "<div style='text-indent:-9999px'><p style='text-indent:-5000px'>gone</div>",
    ],
)
def test_what_does_not_show_itself_stays_hidden(html: str) -> None:
    assert text_of(f"<p>One</p>{html}") == "One"


@pytest.mark.req("MD-1")
def test_the_texts_beside_what_shows_itself_stay_hidden() -> None:
    inside = "gone<img src=a.png alt=Pot><b>gone</b><!-- gone --><p style='font-size:14px'>KEPT <i>too</i></p>gone"
    read = text_of(f"<p>One</p><div style='font-size:0'>{inside}<div>gone<p style='font-size:9pt'>KEPT</div></div>")
    assert read.split() == ["One", "Pot", "KEPT", "*too*", "KEPT"]
