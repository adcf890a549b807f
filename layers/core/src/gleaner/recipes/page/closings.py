"""What ends records that are runs of siblings: after the last one the page goes on, and nothing else says where."""

from collections.abc import Sequence

from lxml.html import HtmlElement

from gleaner.recipes.page.boxes import text_of
from gleaner.recipes.page.class_names import sign_of
from gleaner.recipes.selectors.finders import make_of

_FEWEST_RUNS = 3
_LONGEST_LABEL = 40

Run = list[HtmlElement]


def closing_sign(runs: Sequence[Run]) -> str:
    """Give the sign of the element that ends each run with a sibling after it, and that none has elsewhere; or ""."""
    followed = [run for run in runs if run[-1].getnext() is not None]
    signs = {_sign(run[-1]) for run in followed}
    if len(followed) < _FEWEST_RUNS or len(signs) != 1:
        return ""
    [sign] = signs
    tag = followed[0][-1].tag
    is_elsewhere = any(element.tag == tag and _is_of(sign, element) for run in followed for element in run[:-1])
    return "" if is_elsewhere or any(len(run) == 1 for run in followed) else sign


def ended(runs: Sequence[Run], sign: str) -> Sequence[Run]:
    """Give the runs, those without a sibling after them only up to the one element of the sign that ends all others."""
    if not sign or closing_sign(runs) != sign:
        return runs
    return [run if run[-1].getnext() is not None else _up_to(run, sign) for run in runs]


def _up_to(run: Run, sign: str) -> Run:
    found = [at for at, element in enumerate(run) if _is_of(sign, element)]
    return run[: found[0] + 1] if len(found) == 1 else run


def _sign(element: HtmlElement) -> str:
    """Give an element's tag and classes, the tags in it, and the label that it begins with."""
    return f"{_make(element)}{_label(element)}"


def _is_of(sign: str, element: HtmlElement) -> bool:
    """Tell whether an element has a sign; what it says is looked at only where it is made so."""
    make = _make(element)
    return sign.startswith(make) and sign[len(make) :] == _label(element)


def _make(element: HtmlElement) -> str:
    return f"{sign_of(element)} {make_of(element)} "


def _label(element: HtmlElement) -> str:
    label, colon, _ = text_of(element).partition(":")
    return label if colon and len(label) <= _LONGEST_LABEL else ""
