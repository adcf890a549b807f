"""Screenshots of scripts that no font here draws: the result says so, and fonts of the store are used (BR-2)."""

import io
import zipfile

import pytest
from gleaner.adapters.browser.fonts import FONTS_KEY, undrawn_warning
from gleaner.adapters.browser.renderer import PlaywrightRenderer
from gleaner.adapters.local.files import FileBlobs
from gleaner.contracts.ports import RenderOrder

from tests.square_font import square_font, zipped

SIGNS, OTHERS = "𒀀𒀁𒀂", "𓀀𓀁"
"""Cuneiform and hieroglyphs: what hardly a machine has fonts for."""
PAGE = "<!doctype html><meta charset=utf-8><style>body{font-size:40px}</style>"


@pytest.fixture
def fresh(make_settings, tmp_path):
    """Make a renderer with a data folder and a store of its own; they hold no fonts yet."""
    made = []

    def make(archive=None, **settings):
        blobs = FileBlobs(tmp_path / "blobs")
        if archive is not None:
            blobs.write(FONTS_KEY, archive)
        made.append(PlaywrightRenderer(make_settings(home=tmp_path / "data", **settings), blobs=blobs))
        return made[-1]

    yield make
    for renderer in made:
        renderer.close()


@pytest.fixture
def picture(site):
    def take(renderer, html, screenshot="viewport"):
        return renderer.render(RenderOrder(site.page("/scripts", PAGE + html), screenshots=(screenshot,)))

    return take


@pytest.mark.req("BR-2")
@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        (f"<p>Tablet {SIGNS}", SIGNS),
        (f"<p>{SIGNS[0] * 3}<b>{OTHERS}</b>", SIGNS[0] + OTHERS),
        (
            f"<p>Latin, Ελληνικά, русский, é<p style='display:none'>{SIGNS}"
            f"<p style='visibility:hidden'>{SIGNS}</p><p style='opacity:0'>{OTHERS}"
            "<p>Icons \ue000 and joiners \u200d\u2060, spaces \u3000, fillers \u3164"
            f"<div style='height:2000px'>Long</div><p>{SIGNS}",
            "",
        ),
        (f"<div id=a></div><script>a.attachShadow({{mode:'open'}}).innerHTML='<p>{OTHERS}'</script>", OTHERS),
    ],
    ids=["letters", "two scripts", "not shown, hidden, below the picture or no letters", "a shadow tree"],
)
def test_letters_that_no_font_draws_are_named(picture, renderer, html, wanted):
    page = picture(renderer, html)
    assert page.undrawn == wanted
    assert [one for one in page.warnings if "screenshot lacks" in one] == ([undrawn_warning(wanted)] if wanted else [])


@pytest.mark.req("BR-2")
def test_a_picture_of_the_whole_page_counts_all_of_it_and_no_picture_nothing(picture, renderer):
    html = f"<div style='height:2000px'>Long</div><p>{SIGNS}"
    assert picture(renderer, html, "full").undrawn == SIGNS
    assert picture(renderer, html, "none").warnings == ()


@pytest.mark.req("BR-2")
@pytest.mark.parametrize(
    ("count", "said"), [(1, "lacks 1 different character ("), (299, "lacks 299 "), (700, "300 or more")]
)
def test_a_picture_that_lacks_many_characters_says_how_many(picture, renderer, count, said):
    signs = "".join(chr(0x12000 + number) for number in range(count))
    (warning,) = picture(renderer, f"<p style='font-size:9px;overflow-wrap:anywhere'>{signs}").warnings
    assert said in warning


@pytest.mark.req("BR-2")
def test_a_font_that_the_page_brings_draws_its_letters(picture, renderer, site):
    font = square_font(SIGNS)
    site.routes["/signs.ttf"] = lambda handler: handler.answer(200, "font/ttf", font)
    style = "<style>@font-face{font-family:signs;src:url(/signs.ttf)}p{font-family:signs}</style>"
    assert picture(renderer, f"{style}<p>{SIGNS}{OTHERS}").undrawn == OTHERS


@pytest.mark.req("BR-2")
def test_fonts_of_the_store_are_fetched_when_a_picture_needs_them(picture, fresh, site):
    renderer = fresh(zipped(signs=square_font(SIGNS)))
    before = len(site.requests)
    plain = picture(renderer, "<p>Words")
    assert len(site.requests) == before + 1
    assert plain.warnings == ()
    drawn = picture(renderer, f"<p>{SIGNS}")
    assert len([path for path, _ in site.requests[before:] if path == "/scripts"]) == 3  # once more with the fonts
    assert (drawn.undrawn, drawn.warnings) == ("", ())
    assert len(drawn.screenshots["viewport"]) > 0
    assert drawn.screenshots["viewport"] != picture(renderer, f"<p>{OTHERS}").screenshots["viewport"]
    assert picture(renderer, f"<p>{SIGNS}").undrawn == ""
    assert len([path for path, _ in site.requests[before:] if path == "/scripts"]) == 5


@pytest.mark.req("BR-2")
def test_fonts_that_a_person_puts_into_the_data_folder_are_found(picture, fresh, tmp_path):
    (tmp_path / "data/fonts").mkdir(parents=True)
    (tmp_path / "data/fonts/signs.ttf").write_bytes(square_font(SIGNS))
    assert picture(fresh(), f"<p>{SIGNS}").undrawn == ""


def packed(name, body):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr(name, body)
    return target.getvalue()


@pytest.mark.req("BR-2")
@pytest.mark.parametrize(
    ("archive", "said"),
    [
        (b"no archive", "is no ZIP archive"),
        (packed("readme.txt", b"text"), "holds no font"),
        (zipped(others=square_font(OTHERS)), "screenshot lacks 3"),
    ],
    ids=["no archive", "no font", "other fonts"],
)
def test_an_archive_that_does_not_help_costs_no_picture(picture, fresh, archive, said):
    page = picture(fresh(archive), f"<p>{SIGNS}")
    assert page.screenshots["viewport"]
    assert said in page.warnings[-1]


def test_an_archive_writes_into_its_folder_alone(fresh, picture, tmp_path):
    picture(fresh(packed("../../outside.ttf", square_font(SIGNS))), f"<p>{SIGNS}")
    assert [path.name for path in (tmp_path / "data/fonts").iterdir()] == ["0-outside.ttf"]
