"""Addresses are read as browsers read them (MD-3, BR-2)."""

import pytest
from gleaner.contracts.models import ScrapeRequest
from gleaner.contracts.web_addresses import resolve_reference
from gleaner.html.links import page_links
from gleaner.markdown import extract_clean_markdown

BASE = "https://quay.example/log/day?p=2#top"
RESOLVED = {
    "blanks and ends of lines": (" \n next.html\t ", "https://quay.example/log/next.html"),
    "a tab within": ("ne\txt.html", "https://quay.example/log/next.html"),
    "a line end within": ("https://\nbay.example/a", "https://bay.example/a"),
    "backslashes": ("\\tide\\low", "https://quay.example/tide/low"),
    "backslashes before a host": ("\\\\bay.example\\a", "https://bay.example/a"),
    "a backslash in a query": ("?a\\b", "https://quay.example/log/day?a\\b"),
    "the scheme of the page": ("https:next", "https://quay.example/log/next"),
    "another scheme": ("http:bay.example/a", "http://bay.example/a"),
    "too many slashes": ("https:////bay.example/a", "https://bay.example/a"),
    "capitals": ("HTTPS://Bay.Example/A", "https://bay.example/A"),
    "a port that goes without saying": ("http://bay.example:80/a", "http://bay.example/a"),
    "another port": ("http://bay.example:8080/a", "http://bay.example:8080/a"),
    "dots": ("../../../up/./a", "https://quay.example/up/a"),
    "written dots": ("/x/%2E%2e/a", "https://quay.example/a"),
    "a part of the page": ("#low", "https://quay.example/log/day?p=2#low"),
    "nothing": ("  ", ""),
}


@pytest.mark.req("MD-3", "BR-2")
@pytest.mark.parametrize(("reference", "address"), RESOLVED.values(), ids=RESOLVED.keys())
def test_a_reference_leads_where_a_browser_goes(reference: str, address: str) -> None:
    assert resolve_reference(BASE, reference) == address


@pytest.mark.req("MD-3", "BR-2")
def test_links_are_the_same_in_markdown_and_in_the_list_of_links() -> None:
    html = "<p><a href=' \\tide\n\\low '>tide</a></p>"
    assert extract_clean_markdown(html, BASE, extract_links=True)[0] == "[tide](https://quay.example/tide/low)"
    assert page_links(html, BASE) == ["https://quay.example/tide/low"]


@pytest.mark.req("MD-3", "SS-1")
@pytest.mark.parametrize(
    "reference", ["java\nscript:alert(1)", "\x01javascript:alert(1)", "data:text/html,x", "vbscript:x"]
)
def test_what_runs_code_is_no_link_however_it_is_written(reference: str) -> None:
    assert extract_clean_markdown(f"<p><a href='{reference}'>tide</a></p>", BASE, extract_links=True)[0] == "tide"


@pytest.mark.req("CL-1")
@pytest.mark.parametrize("url", [" http://93.184.215.14/a ", "\thttp://93.184.215.14/a\n"])
def test_blanks_around_an_address_are_no_part_of_it(url: str) -> None:
    assert ScrapeRequest(url=url).url == "http://93.184.215.14/a"
