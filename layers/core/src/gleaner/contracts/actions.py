"""Actions: what to do on a page after it has loaded and before it is read (AC-1).

An action is an object, ``{"do": "fill", "target": "css=#q", "value": "lamps"}``, or the same in a line of text:
``fill: css=#q => lamps``. No action carries a script.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self, cast, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator, model_validator

MOST_ACTIONS = 20
LONGEST_TARGET = 500
LONGEST_VALUE = 5_000
LONGEST_PAUSE_MS = 30_000

Deed = Literal["click", "fill", "select", "check", "press", "hover", "wait_for", "scroll"]
DEEDS: tuple[Deed, ...] = get_args(Deed)
TARGET_RULE = (
    "a target is css=SELECTOR, text=VISIBLE TEXT, role=ROLE or role=ROLE[name=NAME], such as role=button[name=Search]"
)
_ROLE_NAMES = (
    "alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox "
    "complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid "
    "gridcell group heading img insertion link list listbox listitem log main marquee math menu menubar menuitem "
    "menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio "
    "radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong "
    "subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid "
    "treeitem"
)
ROLES = frozenset(_ROLE_NAMES.split())
"""The roles of WAI-ARIA 1.2 that elements can have."""

_KEY_NAMES = (
    "Enter Tab Escape Space Backspace Delete Insert Home End PageUp PageDown ArrowUp ArrowDown ArrowLeft ArrowRight "
    "F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12"
)
_MODIFIERS = frozenset(("Alt", "Control", "ControlOrMeta", "Meta", "Shift"))
_ROLE = re.compile(r"(\w+)(?:\[name=(.+)\])?", re.DOTALL)
_LINE = re.compile(r"\s*(\w+)\s*(?::(.*))?", re.DOTALL)
_SECRET = re.compile(r'\{\s*"secret"\s*:\s*"([^"]*)"\s*\}')
_VALUE_MARK = re.compile(r"\s=>(?:\s|$)")


@dataclass(frozen=True, slots=True)
class Target:
    """An element as an action names it: by a CSS selector, its visible text, or its role and name."""

    by: Literal["css", "text", "role"]
    what: str
    name: str = ""


def read_target(text: str) -> Target:
    """Read a target; ValueError says what one looks like.

    >>> read_target("role=button[name=Search]")
    Target(by='role', what='button', name='Search')
    """
    by, equals, what = text.strip().partition("=")
    by, what = by.strip().lower(), what.strip()
    if not equals or by not in ("css", "text", "role") or not what:
        raise ValueError(f"target {text[:100]!r}: {TARGET_RULE}")
    if by == "css" and ">>" in what:
        raise ValueError(f"target {text[:100]!r}: css= takes one CSS selector, without >>")
    if by != "role":
        return Target(by, _unquoted(what) if by == "text" else what)
    found = _ROLE.fullmatch(what)
    if found is None or found[1].lower() not in ROLES:
        named = what if found is None else found[1]
        raise ValueError(f"target {text[:100]!r}: {named[:40]!r} is not a role of WAI-ARIA; {TARGET_RULE}")
    return Target("role", found[1].lower(), _unquoted((found[2] or "").strip()))


def _unquoted(text: str) -> str:
    is_quoted = len(text) > 1 and text[0] in "\"'" and text[0] == text[-1]
    return text[1:-1] if is_quoted else text


class SecretName(BaseModel):
    """Stands for the value of a named secret: ``{"secret": "shop-password"}``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    secret: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,62}$")

    def __str__(self) -> str:
        """Give the JSON that a line of text has in its place."""
        return json.dumps({"secret": self.secret})


class Action(BaseModel):
    """One step on the page.

    ``target`` is ``css=…``, ``text=…`` or ``role=…[name=…]``, an element of the page, its frames or its open shadow
    roots. ``value`` is the text to fill in, the option to select, the key to press, or for ``check`` whether it shall
    be checked; ``fill`` takes a named secret, too: ``{"secret": "shop-password"}``. ``ms`` is how long ``wait_for``
    waits where it names no target.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    do: Deed
    target: str | None = Field(default=None, max_length=LONGEST_TARGET)
    value: str | bool | SecretName | None = None
    ms: int | None = Field(default=None, ge=0, le=LONGEST_PAUSE_MS)

    @field_validator("ms", mode="before")
    @classmethod
    def _is_no_flag(cls, value: Any) -> Any:
        if isinstance(value, bool):
            raise ValueError(f"Input should be milliseconds, not {value}")
        return value

    @model_validator(mode="after")
    def _has_what_it_needs(self) -> Self:
        if self.target is not None:
            read_target(self.target)
        elif self.do not in ("press", "wait_for", "scroll"):
            raise ValueError(f"{self.do} needs a target; {TARGET_RULE}")
        if self.ms is not None and self.do != "wait_for":
            raise ValueError(f"{self.do} takes no ms; wait_for does")
        if self.do == "wait_for" and (self.target is None) == (self.ms is None):
            raise ValueError("wait_for needs a target or ms, and not both")
        self._check_value()
        return self

    def _check_value(self) -> None:
        value = self.value
        if isinstance(value, SecretName):
            if self.do != "fill":
                raise ValueError(f"a secret can be filled in; {self.do} takes none")
            return
        if self.do in ("fill", "select", "press"):
            what = {"fill": "the text to fill in", "select": "the option", "press": "the key"}[self.do]
            if not isinstance(value, str) or (not value and self.do != "fill"):
                raise ValueError(f"{self.do} needs a value, {what}")
            if len(value) > LONGEST_VALUE:
                raise ValueError(f"value has {len(value)} characters; the limit is {LONGEST_VALUE}")
            if self.do == "press":
                _check_key(value)
        elif self.do == "check":
            if value is not None and not isinstance(value, bool):
                raise ValueError(f"check takes the value true or false, not {value[:40]!r}")
        elif value is not None:
            raise ValueError(f"{self.do} takes no value")

    def __str__(self) -> str:
        """Give the line of text that asks for the same."""
        what = str(self.ms) if self.ms is not None else self.target or ""
        said = (
            "" if self.value is None else str(self.value).lower() if isinstance(self.value, bool) else str(self.value)
        )
        joined = f"{what} => {said}" if what and self.value is not None else what or said
        return f"{self.do}: {joined}" if joined else self.do


def _check_key(key: str) -> None:
    *modifiers, last = key.split("+") if len(key) > 1 else [key]
    if not set(modifiers) <= _MODIFIERS or not (last in _KEY_NAMES.split() or (len(last) == 1 and last.isprintable())):
        raise ValueError(
            f"{key[:40]!r} is not a key: give a character or one of {_KEY_NAMES}, or one of them after modifiers, such "
            "as Control+A or Shift+Tab"
        )


def read_action(line: str) -> dict[str, Any]:
    """Read the line of text that stands for an action; ValueError says what one looks like.

    >>> read_action("fill: css=#q => lamps")
    {'do': 'fill', 'target': 'css=#q', 'value': 'lamps'}
    """
    found = _LINE.fullmatch(line)
    if found is None or found[1].lower() not in DEEDS:
        raise ValueError(
            f"{line[:100]!r} is not an action: begin with one of {', '.join(DEEDS)}, such as click: text=More"
        )
    do, rest = found[1].lower(), (found[2] or "").strip()
    target, *more = _VALUE_MARK.split(rest, maxsplit=1)
    given: dict[str, Any] = {"do": do, "target": target.strip(), "value": more[0].strip() if more else None}
    if do == "wait_for" and target.isdigit():
        given = {"do": do, "ms": int(target[:9]), "value": given["value"]}
    elif do == "press" and not more:
        given = {"do": do, "value": target.strip()}
    elif do == "fill" and more and (named := _SECRET.fullmatch(more[0].strip())):
        given["value"] = {"secret": named[1]}
    elif do == "check" and more:
        given["value"] = {"true": True, "false": False}.get(more[0].strip().lower(), more[0].strip())
    return {name: value for name, value in given.items() if value not in (None, "") or (name == "value" and more)}


def action_lines(text: str) -> list[str]:
    """Give the lines of a text that stand for actions: all but blank ones and those that begin with #."""
    return [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def read_actions(value: Any) -> Any:
    """Read a list of actions, objects or lines of text, or one text with a line each; ValueError names the step."""
    if isinstance(value, str):
        value = action_lines(value)
    if not isinstance(value, list | tuple):
        raise ValueError("Input should be a list of actions")
    given = cast("Sequence[Any]", value)
    if len(given) > MOST_ACTIONS:
        raise ValueError(f"a request may have {MOST_ACTIONS} actions, not {len(given)}")
    return tuple(_read_step(step, one) for step, one in enumerate(given, start=1))


def _read_step(step: int, given: Any) -> Action:
    if isinstance(given, Action):
        return given
    if not isinstance(given, str | dict):
        raise ValueError(f"step {step}: an action is an object or a line of text, not {type(given).__name__}")
    try:
        return Action.model_validate(read_action(given) if isinstance(given, str) else given)
    except ValidationError as error:
        raise ValueError(f"step {step}: {'; '.join(_problems(error))}") from None
    except ValueError as error:
        raise ValueError(f"step {step}: {error}") from None


def _problems(error: ValidationError) -> Iterable[str]:
    for problem in error.errors():
        where = ".".join(str(part)[:40] for part in problem["loc"][:1])
        is_unknown = problem["type"] == "extra_forbidden"
        said = "unknown field; fields are do, target, value and ms" if is_unknown else problem["msg"]
        said = said.removeprefix("Value error, ")
        is_shown = where == "ms" or problem["type"] == "literal_error"  # a value may be a password
        shown = f", not {str(problem['input'])[:40]!r}" if is_shown and problem["input"] else ""
        yield f"{where}: {said}{shown}" if where else said


Actions = Annotated[tuple[Action, ...], BeforeValidator(read_actions, json_schema_input_type=list[Action | str] | str)]


ConsentWish = Literal["reject", "accept", "leave"]
ConsentDeed = Literal["rejected", "accepted", "hidden", "nothing"]


class ConsentOutcome(BaseModel):
    """What became of a consent dialog that was known (AC-3).

    ``dialog`` is its maker or its site, as the rule set calls it. ``hidden``: it has no answer but consent, and was
    taken out of sight; ``nothing``: it was seen, and could not be answered.
    """

    dialog: str
    did: ConsentDeed
    ms: float = 0.0


class ActionOutcome(BaseModel):
    """What came of one action: the element that it met, and what it changed.

    ``url`` and ``text_length`` are those after it, in characters of the page's text; ``notes`` tell of dialogs, windows
    and downloads. ``error`` is why the list of actions ended here, ``screenshot`` a URL that reads the picture of that.
    """

    step: int
    action: str
    met: str = ""
    url_before: str = ""
    url: str = ""
    text_length_before: int = 0
    text_length: int = 0
    ms: float = 0.0
    notes: list[str] = Field(default_factory=list[str])
    error: str | None = None
    screenshot: str | None = None
