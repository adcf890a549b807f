"""Signs of boilerplate in an element's tag, role, class and id; boilerplate.py decides."""

import re
from functools import lru_cache
from typing import Literal, TypeAlias

from gleaner.contracts.word_lists import listed
from gleaner.values.money_signs import AMOUNT

Reason: TypeAlias = Literal["navigation", "header", "footer", "cookies", "advertising", "skip link", "control"]

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
PRICE = re.compile(AMOUNT)
DAY = re.compile(
    r"(?:19|20)\d\d ?[-/.年년] ?\d{1,2} ?[-/.月월] ?\d{1,2}|\d{1,2}[./-] ?\d{1,2}[./-] ?(?:19|20)\d\d|"
    r"\d{1,2}\.? [^\W\d]{3,12}\.? (?:19|20)\d\d|[^\W\d]{3,12}\.? \d{1,2},? (?:19|20)\d\d"
)
COOKIE_SPEECH = re.compile(
    r"cookie|consent|gdpr|rgpd|dsgvo|privacy|tracking|einwillig|zustimm|datenschutz|confidentialit|privacidad|"
    r"ciastecz|куки|クッキー|쿠키",
    re.I,
)
COOKIE_CHOICE = re.compile(
    r"accept|agree|reject|decline|allow|consent|got it|\bok\b|prefer|settings|manage|we use|uses cookies|"
    r"this (?:web)?site|akzept|zustimm|ablehn|einstellung|"
    r"accepter|refuser|aceptar|rechazar|accett|rifiut|aceitar|akkoord|godk|соглас|同意|接受|"
    r"zgadzam|akcept|souhlas|přijm|elfogad|hyväks|aksept|accepteer|kabul|принима|許可|동의|"
    r"(?:wir|diese (?:web)?seite) (?:verwende|nutz)|nous utilis|ce site utilise|usamos|utilizamos|utiliza cookies|"
    r"utilizz|gebruik|używa|používá|vi (?:bruger|använder|bruker)|использу|使用",
    re.I,
)
AD_SPEECH = re.compile(
    r"advert|sponsor|promoted|anzeige|werbung|publicit|publicidad|reklam|реклам|pubblicit|広告|广告|廣告|\bads?\b", re.I
)
COOKIE_VENDORS = listed(
    "onetrust cookiebot cybot didomi truste trustarc usercentrics osano iubenda klaro cookieyes cookieconsent "
    "quantcast complianz borlabs termly axeptio sourcepoint cookiebanner cookienotice cookiebar "
    "tarteaucitron cookiefirst cookiescript cookielaw cookiehub cookiepro cmplz cky cmp cmpbox consentmanager evidon"
)
_COOKIES = listed("cookie cookies gdpr ccpa rgpd lgpd dsgvo")
_COOKIE_PARTS = listed(
    "banner consent notice bar law popup modal policy overlay message dialog disclaimer warning alert info box panel "
    "bottom prompt hint container wrapper toast layer manager control preferences settings"
)
AD_LABEL = "advertisement"
AD_VENDORS = listed("adsbygoogle taboola outbrain adsense doubleclick googleads mgid revcontent criteo")
AD_WORDS = listed("advert advertisement advertising advertisements adslot adunit adbanner adcontainer adbox")
AD_PARTS = listed("slot unit banner container wrapper box placeholder leaderboard skyscraper mpu zone frame gpt google")
_MENU_WORDS = listed("nav navbar navigation menu submenu megamenu sidenav topnav navmenu mainnav")
_FOOTER_WORDS = frozenset(["footer", "colophon"])
_PART_WORDS = listed(
    "card item post article entry product panel modal table comment section widget list message tile review result "
    "row dialog form quote media content body main"
)
_HEADER_NAMES = listed("header site-header page-header global-header main-header masthead topbar top-bar siteheader")
_CONSENT = frozenset(("gdpr", "consent"))
_ADS = frozenset(("ad", "ads", "sponsored"))
_WORDS = COOKIE_VENDORS | _COOKIES | _CONSENT | AD_VENDORS | AD_WORDS | _ADS | _FOOTER_WORDS | _MENU_WORDS
"""The words of a class or id that may make it noise."""
_TRAILS = listed("breadcrumb breadcrumbs crumb crumbs pagination pager paging paginator pages")
SECTIONING = listed("article section li td th dd figure blockquote main dialog details")
_NEVER = listed("html body main head article h1 h2 h3 table tbody tr td th thead")
ANCHOR_SIGNS = frozenset({"#", "¶", "§", "🔗", "link to this heading", "Permalink"})
CONTROL_WORDS = frozenset(
    (
        "menu", "close", "search", "share", "copy", "toggle navigation", "toggle menu", "open menu", "skip to content",
        "skip to main content", "back to top", "print", "copy link", "submit", "×", "✕", "☰", "...", "previous",
        "next", "go", "play", "pause", "mute", "dismiss",
    )
)  # fmt: skip


def words_of(text: str) -> frozenset[str]:
    """Give the words that a class or id is made of, in lower case.

    >>> sorted(words_of("siteHeader nav-bar_2"))
    ['2', 'bar', 'header', 'nav', 'site']
    """
    return frozenset(word.lower() for word in _WORD.findall(text))


def names_cookie_banner(words: frozenset[str]) -> bool:
    """Tell whether the words of a class and id are those of a cookie banner, and of hardly anything else."""
    return bool(words & COOKIE_VENDORS or (words & _COOKIES and words & _COOKIE_PARTS))


@lru_cache(maxsize=8192)
def may_name_noise(text: str) -> bool:
    """Tell whether a class or an id has a word without which it names no noise."""
    return (
        not _WORDS.isdisjoint(words_of(text))
        or "mw-editsection" in text
        or not _HEADER_NAMES.isdisjoint(text.lower().split())
    )


@lru_cache(maxsize=8192)
def boilerplate_reason(tag: str, names: str, role: str, label: str) -> Reason | None:
    """Give what an element might be noise as, by its tag, class and id, role and label alone."""
    if tag in _NEVER:
        return None
    words = words_of(names)
    if names_cookie_banner(words):
        return "cookies"
    if words & _CONSENT or role in ("dialog", "alertdialog"):
        return "cookies"
    if words & AD_VENDORS or words & AD_WORDS or words & _ADS or label == AD_LABEL:
        return "advertising"
    if "mw-editsection" in names:
        return "control"
    if tag == "nav" or role == "navigation":
        return None if (words | words_of(label)) & _TRAILS else "navigation"
    if words & _TRAILS:
        return None
    if tag == "footer" or role == "contentinfo" or (words & _FOOTER_WORDS and not words & _PART_WORDS):
        return "footer"
    if tag == "header" or role == "banner" or not _HEADER_NAMES.isdisjoint(names.lower().split()):
        return "header"
    if words & _MENU_WORDS and tag in ("div", "ul", "ol", "section", "aside", "center", "p"):
        return "navigation"
    return None
