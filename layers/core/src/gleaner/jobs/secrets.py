"""Named secrets of a tenant: read what is stored, and take every trace out of what a page gives (AC-2).

A request names a secret; its value is known only to the step that shows the page. What that step gives on is scrubbed
here, in one place: nothing that is stored, logged or asked of a model comes before it.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import Any, cast
from urllib.parse import quote, quote_plus

from gleaner.contracts.actions import ActionOutcome
from gleaner.contracts.errors import ActionFailed, GleanerError, InvalidSettings
from gleaner.contracts.ports import RenderedPage, Secret

SHORTEST_SECRET = 8
"""Characters of a value: shorter ones stand in ordinary texts, which would be scrubbed with them."""

SECRET_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
NAME_RULE = "a secret's name has at most 63 small letters, digits and -"
_TAG = re.compile("<[^>]*>")


def read_secret(name: str, stored: Any) -> Secret:
    """Read what is stored under a name, ``{"value", "hosts"}``; InvalidSettings says what is wrong, never the value.

    >>> read_secret("shop-password", {"value": "correct horse", "hosts": ["shop.example"]}).hosts
    ('shop.example',)
    """
    if not SECRET_NAME.fullmatch(name):
        raise InvalidSettings(f"secret {name[:80]!r}: {NAME_RULE}")
    fields = cast("Mapping[str, Any]", stored) if isinstance(stored, Mapping) else {}
    value, hosts = fields.get("value"), fields.get("hosts")
    if not isinstance(value, str) or not isinstance(hosts, list) or fields.keys() != {"value", "hosts"}:
        raise InvalidSettings(f"secret {name} is stored as an object with value, a text, and hosts, a list")
    if len(value) < SHORTEST_SECRET:
        raise InvalidSettings(f"secret {name} has {len(value)} characters; it needs {SHORTEST_SECRET}")
    named = [host for host in cast("list[Any]", hosts) if isinstance(host, str) and host.strip(" *.")]
    if not named or len(named) < len(cast("list[Any]", hosts)):
        raise InvalidSettings(
            f"secret {name}: hosts names those that may see it, such as shop.example or *.shop.example"
        )
    return Secret(name, value, tuple(host.strip().lower() for host in named))


@dataclass(frozen=True)
class Scrubber:
    """Takes the values of secrets out of texts, as they are and as HTML, JSON and URLs write them."""

    secrets: Mapping[str, Secret]

    def text(self, text: str) -> str:
        """Give a text in which each secret is replaced by its name.

        >>> scrubber = Scrubber({"pin": Secret("pin", "a&b c/d1", ("a.example",))})
        >>> scrubber.text("?p=a%26b+c%2Fd1 <input value='a&amp;b c/d1'>")
        "?p=SECRET-pin <input value='SECRET-pin'>"
        """
        for secret in self.secrets.values():
            for form in _forms(secret.value):
                text = text.replace(form, f"SECRET-{secret.name}")
        return text

    def page(self, page: RenderedPage) -> RenderedPage:
        """Give a page without secrets; one that shows a secret as text has no screenshot, and a warning says so."""
        html = self.text(page.html)
        shown = [name for name in self.secrets if f"SECRET-{name}" in _TAG.sub("", html)]
        warnings = [self.text(warning) for warning in page.warnings]
        if shown and page.screenshots:
            warnings.append(f"the page shows the secret {shown[0]}: its screenshots were not kept")
        return replace(
            page,
            url=self.text(page.url),
            title=self.text(page.title),
            html=html,
            links=tuple(map(self.text, page.links)),
            screenshots={} if shown else page.screenshots,
            undrawn="" if shown else page.undrawn,
            console_errors=tuple(map(self.text, page.console_errors)),
            warnings=tuple(warnings),
            cut_short=(page.cut_short[0], self.text(page.cut_short[1])) if page.cut_short else None,
            actions=tuple(map(self.outcome, page.actions)),
        )

    def outcome(self, outcome: ActionOutcome) -> ActionOutcome:
        """Give what came of an action without secrets."""
        return ActionOutcome.model_validate(
            {
                name: [*map(self.text, cast("list[str]", value))]
                if isinstance(value, list)
                else self.text(value)
                if isinstance(value, str)
                else value
                for name, value in outcome.model_dump().items()
            }
        )

    def error(self, error: GleanerError) -> GleanerError:
        """Give an error without secrets."""
        error.args = tuple(self.text(part) if isinstance(part, str) else part for part in error.args)
        if isinstance(error, ActionFailed):
            error.outcomes = tuple(map(self.outcome, error.outcomes))
        error.__context__ = error.__cause__ = None  # what it came from may say it, too
        return error


def _forms(value: str) -> list[str]:
    """Give how a value may be written, the longest first: each may be a part of another."""
    written = {
        value, escape(value), escape(value, quote=False), escape(value).replace("&#x27;", "&#39;"),
        value.replace("&", "&amp;").replace('"', "&quot;"), quote(value), quote(value, safe=""), quote_plus(value),
        json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1],
    }  # fmt: skip
    return sorted(written, key=len, reverse=True)
