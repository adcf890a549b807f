"""Bytes that are no text are told from pages, however they are decoded (MD-6)."""

import gzip
import random
import time
from pathlib import Path

import pytest
from gleaner import Gleaner
from gleaner.html.decoding.decode import decode_html
from gleaner.html.decoding.legibility import illegible
from gleaner.testing import FunctionModel

pytestmark = pytest.mark.req("MD-6")

NOISE = random.Random(7).randbytes(60_000)
PAGE = "<h1>Häuser</h1>" + "".join(
    f"<p>Haus {number}: ruhig gelegen, mit Blick auf den See, für vier Gäste</p>" for number in range(200)
)
NO_PAGES = {
    "noise": NOISE,
    "noise in a page": b"<html><head><title>x</title></head><body>" + NOISE + b"</body></html>",
    "noise behind a page": PAGE.encode() + NOISE[:4_000],
    "a packed page": gzip.compress(PAGE.encode()),
    "a picture": b"\x89PNG\r\n\x1a\n" + NOISE[:3_000],
}
CHARSETS = ["", "text/html; charset=utf-8", "text/html; charset=shift_jis", "text/html; charset=koi8-r"]


@pytest.mark.parametrize("name", NO_PAGES)
@pytest.mark.parametrize("charset", CHARSETS)
def test_what_is_no_text_is_told_whatever_charset_it_is_read_in(name: str, charset: str) -> None:
    assert "not only, text" in illegible(decode_html(NO_PAGES[name], charset))
    assert "not only, text" in illegible(NO_PAGES[name].decode("utf-8", "replace"))


TEXTS = {
    "a page": PAGE,
    "accents that were lost": PAGE.encode("latin-1", "replace").decode("utf-8", "replace"),
    "an escape for each word of a terminal": "<pre>" + "\x1b[32mok\x1b[0m passed\n" * 500,
    "letters struck over": "<pre>" + "N\bNA\bAM\bME\bE\n" * 500,
    "controls in a script": f"<script>{''.join(map(chr, range(1, 160))) * 9}</script>{PAGE}",
    "a few controls": "<p>\x01\x02\x03</p>",
    "icons": "<i>\ue001\ue002</i>" * 500,
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_with_a_few_odd_characters_is_a_text(name: str) -> None:
    assert illegible(TEXTS[name]) == ""


def test_a_page_of_open_scripts_takes_no_longer_than_its_length() -> None:
    started = time.process_time()
    assert illegible("\x01<script " * 300_000) == ""
    assert time.process_time() - started < 5


@pytest.mark.req("SS-2")
def test_a_page_that_is_no_text_is_never_complete(tmp_path: Path) -> None:
    noise = decode_html(NOISE[:5_000])
    with Gleaner(model=FunctionModel(lambda _: "words"), home=tmp_path) as gleaner:
        plain = gleaner.extract_html(noise, "https://noise.example/")
        asked = gleaner.extract_html(noise, "https://noise.example/", query="What is it?")
    assert (plain.status, asked.status) == ("partial", "partial")
    assert "controls" in plain.warnings[0]
    assert asked.extraction is not None
    assert "unsupported_content" in [error.error_type for error in asked.extraction.errors]
