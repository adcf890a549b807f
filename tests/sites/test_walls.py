"""Which answers are walls of a bot protection, and which only look like one."""

import pytest
from gleaner.contracts.errors import error_of
from gleaner.sites.walls import wall_of

pytestmark = pytest.mark.req("AC-6")

URL = "https://shop.example/"
JUST_A_MOMENT = (
    "<title>Just a moment...</title><script>window._cf_chl_opt = {cType: 'managed'}</script><p>Enable JavaScript"
)
WALLS = {
    "Cloudflare": (403, {"cf-mitigated": "challenge"}, ""),
    "Cloudflare, by its page": (503, {}, JUST_A_MOMENT),
    "AWS WAF": (202, {"x-amzn-waf-action": "challenge"}, ""),
    "Akamai": (403, {}, "<title>Access Denied</title>Reference #18.1 https://errors.edgesuite.net/18.1"),
    "DataDome": (403, {}, "<script src='https://ct.captcha-delivery.com/c.js'></script>"),
    "HUMAN": (403, {}, '<div id="px-captcha"></div>'),
    "Imperva": (200, {}, "<iframe src='/_Incapsula_Resource?CWUDNSAI=9'>Incapsula incident ID: 7</iframe>"),
    "Vercel": (429, {"x-vercel-mitigated": "challenge", "retry-after": "9"}, ""),
    "Sucuri": (403, {"x-sucuri-block": "BAD-BOT-1"}, ""),
}
PAGES = {
    "an error of the site behind a vendor": (503, {"server": "cloudflare", "cf-ray": "7"}, "<h1>Down</h1>"),
    "a plain refusal": (403, {}, "<title>403 Forbidden</title><h1>Forbidden</h1>"),
    "a page that a vendor let through": (200, {}, "<script src='/cdn-cgi/challenge-platform/scripts/jsd/main.js'>"),
    "a form with a captcha": (200, {}, "<form><div class=g-recaptcha></div><button>Send</button></form>"),
    "a text about walls": (200, {}, f"<p>{'All about a challenge. ' * 60}</p><code>_cf_chl_opt</code>"),
}


@pytest.mark.parametrize("name", WALLS)
def test_a_wall_is_told_with_whose_it_is_and_what_was_seen(name: str) -> None:
    status, headers, html = WALLS[name]
    wall = wall_of(URL, status, headers, html)
    assert wall is not None
    assert wall.message.startswith(f"{URL} answered {status} with a wall of {name.partition(',')[0]}: ")


@pytest.mark.parametrize("name", PAGES)
def test_what_is_no_wall_is_none(name: str) -> None:
    assert wall_of(URL, *PAGES[name]) is None


def test_a_wall_is_told_with_its_title_on_one_line_and_no_more_of_its_page() -> None:
    page = JUST_A_MOMENT.replace("Just a", "Just\n a &amp; ")
    assert str(wall_of(URL, 403, {}, page)).endswith('its page holds _cf_chl_opt, title "Just a & moment..."')
    assert error_of("walled", "x").error_type == "walled"
