"""The rule set that knows consent dialogs: DuckDuckGo's autoconsent, as the build packs it (AC-3).

The archive is ``autoconsent.zip`` beside this file, made by ``layers/core/consent/pack.py`` from the npm registry; its
files are under the Mozilla Public License 2.0 and unchanged.
"""

import json
import re
import zipfile
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

ARCHIVE = Path(__file__).with_name("autoconsent.zip")
MISSING = "the rules for consent dialogs are not installed, so none is answered: see docs/actions.md"
NEEDED = frozenset(
    ("name", "runContext", "cosmetic", "intermediate", "minimumRuleStepVersion", "detectCmp", "detectPopup", "optIn",
     "optOut")
)  # fmt: skip
"""What a rule is carried out by; the rest describes, hides early, or tests it."""

MARKS_OF_CLASSES = {
    "TrustArcTop": "#truste-show-consent, #truste-consent-track",
    "Cookiebot": "#CybotCookiebotDialog, #dtcookie-container, #cookiebanner, #cb-cookieoverlay, script[src*=cookiebot]",
    "SourcePoint": "",
    "ConsentManager": "#cmpbox, #cmpwrapper, script[src*=consentmanager]",
    "Evidon": "#_evidon_banner",
    "Onetrust": "#onetrust-banner-sdk, #onetrust-pc-sdk",
    "Klaro": ".klaro",
    "Uniconsent": ".unic",
    "Conversant": ".cmp-root",
    "Tiktok": "",
    "Tumblr": "",
    "Admiral": "button[class*=Pills__StyledPill]",
}
"""What is on a page where a maker that the script itself knows may have a dialog; "" where it goes by the address."""

_NOTICE_OF_ADMIRAL = "body > div button[aria-label=Close]", "Admiral"
"""A selector that many pages match, with a word that the script looks for in what it finds."""

_SITES_OF_CLASSES = re.compile(r"tiktok|^https://(www\.)?tumblr\.com/")


@dataclass(frozen=True)
class RuleSet:
    """The content script that carries rules out in a page, and the rules as JSON objects."""

    version: str
    script: str
    rules: tuple[dict[str, Any], ...]

    def for_page(self, url: str, *, is_frame: bool) -> str:
        """Give, as JSON, the rules that may fit a document of this address."""
        chosen = [*self._general[is_frame], *(rule for pattern, rule in self._of_sites if _fits(pattern, rule, url))]
        return json.dumps(
            [rule for rule in chosen if _context(rule).get("frame" if is_frame else "main", not is_frame)]
        )

    def knows_site(self, url: str) -> bool:
        """Tell whether there are rules for this very site."""
        return bool(_SITES_OF_CLASSES.search(url)) or any(_fits(pattern, rule, url) for pattern, rule in self._of_sites)

    @cached_property
    def marks(self) -> str:
        """Selectors as a JSON list: on a page that none of them matches no general rule finds a dialog.

        One is a pair, with a word that the page has to say, too.
        """
        found: list[str | tuple[str, str]] = [mark for mark in MARKS_OF_CLASSES.values() if mark]
        found.append(_NOTICE_OF_ADMIRAL)
        for rule in self._general[0]:
            steps = [marks_of(step) for name in ("detectCmp", "detectPopup") for step in rule[name]]
            found += min(filter(None, steps), key=lambda marks: sum(map(len, marks)), default=[])
        return json.dumps(list(dict.fromkeys(found)))

    @cached_property
    def _general(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        general = [rule for rule in self.rules if not _context(rule).get("urlPattern")]
        return general, [rule for rule in general if _context(rule).get("frame")]

    @cached_property
    def _of_sites(self) -> list[tuple[re.Pattern[str] | None, dict[str, Any]]]:
        return [
            (_pattern(str(place)), rule)
            for rule in self.rules
            if (place := _context(rule).get("urlPattern")) is not None
        ]


def marks_of(step: dict[str, Any]) -> list[str]:
    """Give selectors of which one must match where a step of a rule holds; [] where it asks for no element.

    >>> marks_of({"any": [{"exists": "#banner"}, {"visible": [".host", "button"]}, {"exists": "xpath///p"}]})
    ['#banner', '.host']
    """
    if step.get("negated") or step.get("check") == "none":
        return []
    chain = step.get("exists") or step.get("visible") or ""
    selector = chain[0] if isinstance(chain, list) else chain
    if selector:
        return [] if selector.startswith("xpath/") else [selector]
    return [mark for one in step.get("any") or () for mark in marks_of(one)]


def _context(rule: dict[str, Any]) -> dict[str, Any]:
    return rule.get("runContext") or {}


def _pattern(text: str) -> re.Pattern[str] | None:
    try:
        return re.compile(text)
    except re.error:  # JavaScript may read it another way: the script looks at the address itself
        return None


def _fits(pattern: re.Pattern[str] | None, rule: dict[str, Any], url: str) -> bool:
    return bool(_context(rule).get("urlPattern")) and (pattern is None or pattern.search(url) is not None)


@cache
def rule_set(archive: Path = ARCHIVE) -> RuleSet | None:
    """Read the rule set; None where the build had no way to fetch it."""
    if not archive.is_file():
        return None
    with zipfile.ZipFile(archive) as packed:
        rules = json.loads(packed.read("rules/rules.json"))["autoconsent"]
        return RuleSet(
            version=str(json.loads(packed.read("package.json"))["version"]),
            script=packed.read("dist/autoconsent.playwright.js").decode("utf-8"),
            rules=tuple({name: value for name, value in rule.items() if name in NEEDED} for rule in rules),
        )
