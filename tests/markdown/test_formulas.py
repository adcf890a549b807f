r"""Formulas: their TeX where the page has it, else what their MathML means; no number in one is proven as all of it."""

from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.markdown import extract_clean_markdown
from gleaner.testing import FunctionModel

MATHML = {
    "root": ("<msqrt><mn>7</mn></msqrt>", r"$\sqrt{7}$"),
    "root of a degree": ("<mroot><mi>V</mi><mn>3</mn></mroot>", r"$\sqrt[3]{V}$"),
    "fraction of sums": (
        "<mfrac><mrow><mi>p</mi><mo>+</mo><mi>q</mi></mrow><mrow><mi>r</mi><mo>-</mo><mi>s</mi></mrow></mfrac>",
        r"$\frac{p+q}{r-s}$",
    ),
    "fraction of numbers": ("<mfrac><mn>3</mn><mn>4</mn></mfrac>", "3⁄4"),
    "number and fraction": ("<mn>2</mn><mfrac><mn>1</mn><mn>4</mn></mfrac>", "2 1⁄4"),
    "power and index": ("<msubsup><mi>v</mi><mn>0</mn><mn>2</mn></msubsup>", "$v_0^2$"),
    "power of more than one sign": (
        "<msup><mi>e</mi><mrow><mo>-</mo><mi>k</mi><mi>t</mi></mrow></msup>",
        "$e^{-kt}$",
    ),
    "sum with limits": (
        "<munderover><mo>∑</mo><mrow><mi>k</mi><mo>=</mo><mn>1</mn></mrow><mi>m</mi></munderover><msub><mi>a</mi><mi>k</mi></msub>",
        "$∑_{k=1}^m a_k$",
    ),
    "rows": (
        "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr></mtable>",
        r"$\begin{matrix} 1 & 0 \\ 0 & 1 \end{matrix}$",
    ),
    "mere number": ("<mn>12</mn>", "12"),
    "its own words": ("<semantics><mi>x</mi><annotation encoding='TeX'>\\xi</annotation></semantics>", r"$\xi$"),
}


@pytest.mark.req("MD-1")
@pytest.mark.parametrize(("mathml", "expected"), MATHML.values(), ids=MATHML.keys())
def test_mathml_keeps_roots_fractions_powers_and_indices(mathml: str, expected: str) -> None:
    html = f"<p>Here <math><mrow>{mathml}</mrow></math> holds.</p>"
    assert extract_clean_markdown(html)[0] == f"Here {expected} holds."


SOURCES = {
    "script": r"<script type='math/tex'>\beta_1</script>",
    "script beside its drawing": (
        r"<span class='MathJax_Preview'></span><span class='MathJax'><nobr>b1</nobr></span>"
        r"<script type='math/tex; mode=display'>\beta_1</script>"
    ),
    "attribute": r"<span data-latex='\beta_1'>b1</span>",
    "attribute of another name": r"<span class='eq' data-formula='\beta_1'><i>b</i><sub>1</sub></span>",
    "alternative text": r"<math alttext='\beta_1'><msub><mi>β</mi><mn>1</mn></msub></math>",
    "picture": r"<img src='/eq/7.png' class='latex' alt='\beta_1'>",
    "hidden MathML beside a picture": (
        r"<span><span style='display:none'><math alttext='{\displaystyle \beta_1}'><mi>β</mi></math></span>"
        r"<img src='/r.svg' alt='{\displaystyle \beta_1}'></span>"
    ),
    "clipped MathML beside spans": (
        "<span class='katex'><span data-gleaner-hidden='clip'><math><mi>b</mi>"
        r"<annotation encoding='application/x-tex'>\beta_1</annotation></math></span>"
        "<span aria-hidden='true'>β1</span></span>"
    ),
}


@pytest.mark.req("MD-1", "MD-4")
@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES.keys())
def test_the_tex_that_a_page_has_stands_in_its_markdown_once(source: str) -> None:
    assert extract_clean_markdown(f"<p>With {source} of it.</p>")[0] == r"With $\beta_1$ of it."


@pytest.mark.req("MD-1")
@pytest.mark.parametrize(
    "html",
    [
        "<p><span data-math='inline'>two</span></p>",
        "<p><img src='/a.jpg' alt='two'></p>",
        "<p data-expression='2'>two</p>",
    ],
)
def test_attributes_that_hold_no_formula_change_nothing(html: str) -> None:
    assert extract_clean_markdown(html)[0] in ("two", "2")


SIDE = {"type": "object", "properties": {"side": {"type": ["number", "null"]}}}


def proven_side(html: str, side: float) -> Any:
    model = FunctionModel(lambda _: f'{{"side": {side}}}')
    result = Gleaner(model).extract_html(html, "https://geo.example/", output_schema=SIDE, config={"tiers": ["model"]})
    assert result.extraction is not None
    return result.extraction.data["side"]  # type: ignore[index,call-overload]


@pytest.mark.req("PR-1", "PR-2")
@pytest.mark.parametrize(
    ("formula", "number"),
    [
        ("<math><msqrt><mn>7</mn></msqrt></math>", 7),
        ("<math><mfrac><mn>3</mn><mn>4</mn></mfrac></math>", 3),
        ("<math><msup><mi>a</mi><mn>6</mn></msup></math>", 6),
        (r"\(6 \pi\)", 6),
        ("√7", 7),
    ],
)
def test_a_number_within_a_formula_is_not_proven_as_its_value(formula: str, number: float) -> None:
    assert proven_side(f"<p>The side is {formula} long.</p>", number) is None


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("<math><mn>7</mn></math>", 7),
        (r"$s_1 = 5$", 5),
        (r"$E_0 = 5\,\mathrm{GeV}$", 5),
        ("<math><mfrac><mn>3</mn><mn>4</mn></mfrac></math>", 0.75),
        ("$5 (was $10) in a_b", 5),
        ("$12 <a href='/a_b'>x_y</a> or $13", 12),
    ],
)
def test_the_number_that_a_formula_comes_to_is_proven_and_so_are_prices(text: str, number: float) -> None:
    assert proven_side(f"<p>The side is {text} long.</p>", number) == number
