"""Every page as it is: in the charset that it names, without what is around its content, every page of a document."""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from gleaner.markdown import main_content
from reportlab.pdfgen.canvas import Canvas

from tests.promises.lamps import FORTY
from tests.promises.servers import Answer, Pages
from tests.support.asking import Make

SITE = Path(__file__).parents[1] / "fixtures/site"


@pytest.fixture
def site() -> Iterator[Pages]:
    with Pages() as server:
        yield server


SHORT = [("Дуб, ЧАЙ", "koi8-r"), ("Kış ışığı", "windows-1254"), ("שמן", "windows-1255"), ("灯", "gb18030")]
"""Texts that say little about their charset: without its name they are read as something else."""


@pytest.mark.req("MD-6")
@pytest.mark.parametrize(("text", "charset"), SHORT)
@pytest.mark.parametrize("named_by", ["meta", "http-equiv", "header"])
def test_a_page_is_read_in_the_charset_that_it_names(
    make: Make, site: Pages, text: str, charset: str, named_by: str
) -> None:
    names = {
        "meta": f'<meta charset="{charset}">',
        "http-equiv": f'<meta http-equiv="Content-Type" content="text/html; charset={charset}">',
    }
    html = f"{names.get(named_by, '')}<title>{text}</title><h1>{text}</h1>"
    kind = f"text/html; charset={charset}" if named_by == "header" else "text/html"
    site.answers["/"] = Answer(html.encode(charset), kind)
    result = make(allow_hosts=[site.host]).scrape(f"{site.url}/", enable_javascript=False)
    assert (result.title, result.markdown) == (text, f"# {text}")


@pytest.mark.req("MD-1", "LB-3")
def test_the_content_of_a_page_is_all_of_its_content_and_nothing_else() -> None:
    html = (SITE / "article.html").read_text("utf-8")
    found = main_content(html, "https://shop.example/journal/kiln")
    article = re.sub(r"\s+", " ", html[html.index("<article>") : html.index("</article>")])
    texts = re.findall(r"<(?:p|h1|h2|li)>(.*?)</(?:p|h1|h2|li)>", article)
    told = [re.sub(r"<[^>]+>", "", text) for text in texts]
    plain = re.sub(r"[*\\]|\[([^\]]*)\]\([^)]*\)", r"\1", found)
    assert len(told) == 11
    assert [text for text in told if text not in plain] == []
    around = ("Products", "Stations", "Read next", "Salt and ash", "Imprint", "Privacy", "cookies", "Accept all")
    assert [text for text in around if text in found] == []


def document(damaged: int | None = None) -> bytes:
    """Give a PDF of four pages with a lamp on each; the object of one of them can be spoilt."""
    out = BytesIO()
    canvas = Canvas(out, invariant=True, pageCompression=0)
    for one in FORTY[:4]:
        canvas.drawString(72, 720, f"{one['name']} by {one['maker']} costs {one['price']:.2f}")
        canvas.showPage()
    canvas.save()
    body = out.getvalue()
    if damaged is None:
        return body
    kids = re.search(rb"/Kids \[([^\]]*)\]", body)
    assert kids is not None
    number = re.findall(rb"(\d+) 0 R", kids[1])[damaged - 1]
    return body.replace(b"\n" + number + b" 0 obj\n<<", b"\n" + number + b" 0 obj\n[[")


@pytest.mark.req("DO-1")
@pytest.mark.parametrize("damaged", [None, 1, 3, 4])
def test_each_page_of_a_document_is_read_and_one_that_can_not_be_read_is_named(make: Make, damaged: int | None) -> None:
    result = make().extract_document(document(damaged))
    read = [one["name"] in (result.markdown or "") for one in FORTY[:4]]
    assert read == [number != damaged for number in range(1, 5)]
    assert result.status == ("complete" if damaged is None else "partial")
    missing = {None: [], 4: ["3 of 4 pages were read"]}.get(damaged, [f"page {damaged} can't be read"])
    assert [said in warning for said, warning in zip(missing, result.warnings, strict=True)] == [True] * len(missing)
