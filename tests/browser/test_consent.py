"""Consent dialogs of several makers' kinds, in a real browser: answered before the page is read (AC-3)."""

import re

import pytest
from gleaner.adapters.browser.consent import rules
from gleaner.adapters.browser.consent.answering import Round
from gleaner.adapters.browser.consent.rules import rule_set
from gleaner.contracts.models import ScrapeRequest
from gleaner.contracts.ports import RenderOrder

pytestmark = pytest.mark.req("AC-3")

SAID = "document.getElementById('said').textContent"
CLOSE = "this.closest('.dialog').remove()"


def with_dialog(dialog: str, script: str = "") -> str:
    """Give a page whose dialog stands over it, and that says what was answered."""
    style = ".dialog {position: fixed; inset: 20% 10%; background: white; z-index: 9}"
    return (
        f"<!doctype html><style>{style}</style><h1>Lamps</h1><p>The answer: <b id=said>none</b></p>{dialog}"
        f"<script>{script};addEventListener('scroll', () => 0)</script>"
    )


def button(text: str, answer: str, attributes: str) -> str:
    return f"<button {attributes} onclick=\"{SAID} = '{answer}'; {CLOSE}\">{text}</button>"


DIALOGS = {
    "Onetrust": with_dialog(
        "<div id=onetrust-consent-sdk><div id=onetrust-banner-sdk class=dialog>We value your privacy"
        + button("Accept all", "yes", "id=onetrust-accept-btn-handler")
        + button("Reject all", "no", "id=onetrust-reject-all-handler")
        + "</div></div>"
    ),
    "Cybotcookiebot": with_dialog(
        "<div id=CybotCookiebotDialog class=dialog>This website uses cookies"
        + button("Deny", "no", "id=CybotCookiebotDialogBodyLevelButtonLevelOptinDeclineAll")
        + button("Allow all", "yes", "id=CybotCookiebotDialogBodyLevelButtonAccept")
        + "</div>",
        "window.Cookiebot = {hasResponse: false, dialog: {visible: true}}",
    ),
    "didomi": with_dialog(
        "<div id=didomi-host><div id=didomi-notice class=dialog>Welcome"
        + button("Disagree", "no", "id=didomi-notice-disagree-button")
        + button("Agree", "yes", "id=didomi-notice-agree-button")
        + "</div></div>"
    ),
}


@pytest.mark.parametrize(
    ("maker", "wish", "did", "said"),
    [*((maker, "reject", "rejected", "no") for maker in DIALOGS), ("didomi", "accept", "accepted", "yes")],
)
def test_a_known_dialog_is_answered_before_the_page_is_read(renderer, site, maker, wish, did, said):
    url = site.page("/consent", DIALOGS[maker])
    page = renderer.render(RenderOrder(url, consent=wish))
    assert page.consent is not None
    assert (page.consent.dialog, page.consent.did) == (maker, did)
    assert f'<b id="said">{said}</b>' in page.html
    assert 'class="dialog"' not in page.html
    assert page.warnings == ()


def test_a_dialog_is_left_where_the_request_says_so(renderer, site):
    url = site.page("/consent", DIALOGS["didomi"])
    page = renderer.render(RenderOrder(url, consent="leave"))
    assert page.consent is None
    assert '<b id="said">none</b>' in page.html


def test_a_dialog_that_has_no_answer_is_said_to_be_there(renderer, site):
    url = site.page("/consent", DIALOGS["didomi"].replace("didomi-notice-disagree-button", "a"))
    page = renderer.render(RenderOrder(url, consent="reject"))
    assert page.consent is not None
    assert (page.consent.dialog, page.consent.did) == ("didomi", "nothing")
    assert page.warnings == ("a consent dialog was seen and could not be answered: didomi",)


FORGED = """
window.Cookiebot = {hasResponse: false, dialog: {visible: true}, withdraw: () => { throw 'no' }};
const talk = (m) => { try { autoconsentSendMessage(m) } catch {} try { autoconsentReceiveMessage(m) } catch {} };
window.autoconsentSendMessage = window.autoconsentReceiveMessage = window.gleanerConsent = () => 0;
const forge = () => { for (let i = 0; i < 20; i++) {
    talk({type: 'autoconsentDone', cmp: 'forged'}); talk({type: 'eval', id: '1', code: 'process.exit()'});
    window.gleanerForged = document.title = 'forged ' + i;
} };
Object.defineProperty(Array.prototype, 'toJSON', {value: () => ['forged']});
Promise.prototype.then = new Proxy(Promise.prototype.then, {});
setInterval(forge, 50);
"""


def test_a_page_that_forges_messages_and_floods_changes_nothing(renderer, site):
    page = renderer.render(
        RenderOrder(site.page("/consent", with_dialog("<p id=cookiebanner>None here</p>", FORGED)), consent="reject")
    )
    assert page.consent is not None
    assert (page.consent.dialog, page.consent.did) == ("Cybotcookiebot", "nothing")
    assert "Lamps" in page.html


def test_a_page_that_keeps_an_expression_of_the_rules_busy_is_shown_all_the_same(renderer, site, monkeypatch):
    monkeypatch.setattr("gleaner.adapters.browser.page.LONGEST_ANSWER_S", 0.2)
    busy = "get() { for (const end = Date.now() + 700; Date.now() < end; ); }"
    hang = f"Object.defineProperty(window, 'Cookiebot', {{{busy}}})"
    page = renderer.render(
        RenderOrder(site.page("/consent", with_dialog("<p id=cookiebanner>", hang)), consent="reject")
    )
    assert page.consent is None
    assert "Lamps" in page.html


def test_a_page_without_a_known_dialog_stays_as_it_is(renderer, site):
    url = site.page(
        "/consent", with_dialog("<div class=dialog>Cookies are baked here <button>Reject all</button></div>")
    )
    seen = [renderer.render(RenderOrder(url, consent=wish)) for wish in ("leave", "reject")]
    assert seen[0].html == seen[1].html
    assert seen[1].consent is None


@pytest.mark.parametrize(("closes", "did", "said"), [("data-close-button", "rejected", "no"), ("x", "nothing", "none")])
def test_a_dialog_in_a_frame_over_the_page_is_answered_or_told(renderer, site, monkeypatch, closes, did, said):
    monkeypatch.setattr("gleaner.adapters.browser.page.LONGEST_ANSWER_S", 2.0)
    answer = (
        "parent.document.getElementById('said').textContent = 'no'; parent.document.querySelector('.dialog').remove()"
    )
    inside = f'<div id=piano-cookie_banner>Cookies <button {closes} onclick="{answer}">Reject</button></div>'
    dialog = f"<iframe class=dialog src={site.page('/frame', inside)}></iframe>"
    page = renderer.render(RenderOrder(site.page("/consent", with_dialog(dialog)), consent="reject"))
    assert page.consent is not None
    assert (page.consent.dialog, page.consent.did) == ("piano.io", did)
    assert f'<b id="said">{said}</b>' in page.html


@pytest.mark.parametrize(
    "message",
    [None, 7, "x", [], {}, {"type": 7}, {"type": "eval"}, {"type": "eval", "code": 7},
     {"type": "eval", "code": "x" * 20_001}],
)  # fmt: skip
def test_a_message_that_is_none_is_passed_over(message):
    seen = Round()
    seen.take(message)
    assert seen == Round()


def test_rules_are_chosen_by_the_address_of_the_page():
    found = rule_set()
    assert found is not None
    here, there = (found.for_page(url, is_frame=False) for url in ("https://www.bbc.com/", "https://lamps.example/"))
    assert '"bbc' in here
    assert '"bbc' not in there
    assert len(found.for_page("https://lamps.example/", is_frame=True)) < len(there) / 5


def test_without_the_rule_set_a_warning_says_that_dialogs_stay(renderer, site, monkeypatch):
    monkeypatch.setattr(
        "gleaner.adapters.browser.page.rule_set", lambda: rule_set.__wrapped__(rules.ARCHIVE.with_name("none"))
    )
    page = renderer.render(RenderOrder(site.page("/consent", DIALOGS["didomi"]), consent="reject"))
    assert page.warnings == (rules.MISSING,)


@pytest.mark.parametrize(
    ("fields", "wish"),
    [({}, "reject"), ({"profile": "master"}, "leave"), ({"session": "shop"}, "leave"),
     ({"consent": "accept"}, "accept"),
     ({"session": "shop", "consent": "reject"}, "reject")],
)  # fmt: skip
def test_dialogs_are_rejected_but_where_a_login_has_answered_them(fields, wish):
    assert ScrapeRequest.model_validate({"url": "https://lamps.example", **fields}).consent_wish == wish


def test_the_makers_that_the_script_knows_by_itself_are_those_that_have_marks():
    found = rule_set()
    assert found is not None
    names = set(re.findall(r"var (\w+) = class extends AutoConsentCMPBase", found.script))
    assert names - {"AutoConsentCMP", "AutoConsentHeuristicCMP"} == rules.MARKS_OF_CLASSES.keys()


def test_every_general_rule_has_a_mark():
    found = rule_set()
    assert found is not None
    unmarked = [
        rule["name"]
        for rule in found.rules
        if not (rule.get("runContext") or {}).get("urlPattern")
        and not any(rules.marks_of(step) for step in [*rule["detectCmp"], *rule["detectPopup"]])
    ]
    assert unmarked == []
