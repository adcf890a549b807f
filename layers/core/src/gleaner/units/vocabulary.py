"""Words and tags that help unit detection; shapes decide."""

import re
from functools import partial

from gleaner.contracts.word_lists import any_word, listed

_any = partial(any_word, "listing_words")

UNSEEN_TAGS = listed(
    "script style template noscript svg head select option datalist iframe object canvas audio video map "
    "br wbr source track col colgroup input textarea"
)
"""Tags whose subtree holds no text of a record; the text after them counts."""

PART_TAGS = listed(
    "html body head thead tbody tfoot caption dt dd h1 h2 h3 h4 h5 h6 hr b i em strong u s small sup sub mark code "
    "kbd label time button img abbr cite q legend th figcaption summary form"
)
"""Tags that are parts of a record, never a record."""

SECTION_TAGS = listed("article section main li td aside figure")
"""A header inside one of these belongs to it, not to the site."""

CHROME_TAGS = listed("nav footer")
CHROME_ROLES = listed("navigation contentinfo menu menubar tablist toolbar search banner")
CHROME_WORDS = listed(
    "nav navbar navigation menu submenu breadcrumb breadcrumbs pagination pager paginator footer sidebar related "
    "recommend recommended recommendations recommendation similar upsell crosssell alsobought social share sharing "
    "cookie consent filter filters facet facets toolbar skiplinks tagcloud tags toc topbar masthead promo newsletter"
)
"""Parts of class names and ids of what stands around the content."""

STATES = listed(
    "active odd even first last selected current open alt hover disabled visited expanded collapsed new sale featured "
    "is-active is-first is-last row-odd row-even loaded lazy visible in-stock out-of-stock sold-out"
)
"""Class names that tell one sibling's state, not its sort."""

AD_CLASS = re.compile(
    r"(?:^|[-_])(?:ads?|adv|advert\w*|adslot|sponsor\w*|promo\w*|banner|newsletter|placeholder|skeleton)(?:$|[-_])"
)
"""A class of an advertisement, a promotion or an empty place between units."""

AD_TEXT = re.compile(rf"^\W*{_any('ads')}\W*$", re.IGNORECASE)
"""The label that an advertisement starts with."""

LABELLED = re.compile(r"^([^:：]{2,30})[:：]\s*\S")
"""A label, and what it says: "Weight: 2 kg"."""

HEAD_CLASS = re.compile(r"(?:^|[-_])(?:head|header|heading|thead|columns?-?names|legend)(?:$|[-_])")
"""A class of a row of column names."""

_OTHER = rf"\b{_any('other_things')}|{_any('other_things_unspaced')}"
OTHER_THINGS = re.compile(_OTHER, re.IGNORECASE)
"""The heading of a section about other things than the page's own."""
RELATED_TEXT = re.compile(rf"{_OTHER}|\btags", re.IGNORECASE)
"""The heading of a list that points elsewhere."""
