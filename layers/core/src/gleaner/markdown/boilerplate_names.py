"""Names of boilerplate parts, in classes, ids and headings."""

import re
from functools import lru_cache

from gleaner.contracts.word_lists import listed
from gleaner.markdown.boilerplate_signs import words_of

_COMMENT_WORDS = listed(
    "comments disqus commentlist respond comentarios kommentare commentaires commenti comentários komentari komentarze"
)
_SERIES_WORDS = listed("list section area thread container wrapper")
_COMMENTS_HEADING = re.compile(
    r"(?:\d+ )?(?:comments?|responses|thoughts on|comentarios|kommentare|commentaires|commenti|comentários|reacties)"
    r"(?: \(?\d+\)?)?(?:$|\b.{0,60}$)",
    re.I,
)
TOOL_WORDS = listed("tools actions action controls buttons links footer meta options")
_ASIDE_WORDS = listed(
    "sidebar related relateds share sharing shares social socials newsletter newsletters subscribe subscription signup "
    "promo popup modal overlay breadcrumb breadcrumbs pagination pager paging recommended recommendation "
    "recommendations trending popular tagcloud toolbar outbrain taboola sponsored sponsor copyright follow addthis "
    "sharethis upsell crosssell toc tableofcontents facet facets filters refinements printfriendly jumplinks reactions"
)
_LAYOUT_WORDS = listed("main article layout has with no body page wrapper")
_ASIDE_PAIRS = tuple(
    frozenset(pair.split("+"))
    for pair in listed(
        "also+like read+next more+from read+more most+read recently+viewed cross+sell up+sell back+top table+contents "
        "sign+up next+prev post+navigation nav+links previous+next see+also you+may you+might related+posts "
        "edit+section mw+editsection skip+link call+action comment+form reply+form search+form login+form "
        "similar+products visually+hidden screen+reader sr+only entry+tags post+tags tag+list"
    )
)
_ASIDE_HEADING = re.compile(
    "|".join(
        (
            r"(?:related|recommended|similar|suggested|popular|trending|latest|recent|other|more)\s+(?:articles?|posts?|"
            r"stor(?:y|ies)|news|products?|items?|reading|content|links?|topics?|videos?|from|in|on|jobs|recipes|"
            r"events?|books?|courses?|projects?|guides?|episodes?)",
            r"related$",
            r"recommended(?: for you)?$",
            r"trending(?: now)?$",
            r"most (?:read|popular|viewed)",
            r"you (?:may|might) (?:also )?(?:like|enjoy|be interested)",
            r"(?:customers|people|shoppers|others) (?:who|also)",
            r"frequently bought",
            r"recently viewed",
            r"read (?:next|more|also)",
            r"see also$",
            r"up next",
            r"share(?: this| on|$)",
            r"follow us",
            r"stay (?:connected|informed|up to date)",
            r"(?:sign up|subscribe|join)\b",
            r"newsletter",
            r"get (?:the|our) (?:latest|newsletter)",
            r"about the author$",
            r"(?:table of )?contents$",
            r"(?:on this page|in this article|categories|archives?|advertisement|tags?:?)$",
            r"(?:leave a (?:reply|comment)|post a comment)",
            r"ähnliche|weitere|mehr (?:zum|aus|von)|das könnte|meistgelesen|auch interessant",
            r"articles? (?:liés|similaires|connexes)|à lire|lire aussi",
            r"artículos? relacionados|te puede|más leídas?",
            r"articoli correlati|leggi anche|artigos relacionados|leia (?:também|mais)",
            r".{0,6}相关|推荐|関連|おすすめ|похожие|читайте также",
        )
    ),
    re.I,
)


def is_aside_heading(text: str) -> bool:
    """Tell whether a heading announces something beside the content: "Related articles", "Follow us"."""
    return bool(_ASIDE_HEADING.match(text))


def is_comments_heading(text: str) -> bool:
    """Tell whether a heading announces readers' comments.

    >>> is_comments_heading("12 comments"), is_comments_heading("Comments (3)"), is_comments_heading("Commenting code")
    (True, True, False)
    """
    return bool(_COMMENTS_HEADING.match(text))


@lru_cache(maxsize=8192)
def is_aside_name(names: str) -> bool:
    """Tell whether a class or id names something beside the content.

    >>> is_aside_name("post-sidebar"), is_aside_name("layout-with-sidebar"), is_aside_name("price")
    (True, False, False)
    """
    words = words_of(names)
    if words & _ASIDE_WORDS and not words & _LAYOUT_WORDS:
        return True
    return any(pair <= words for pair in _ASIDE_PAIRS)


@lru_cache(maxsize=8192)
def is_comments_name(names: str) -> bool:
    """Tell whether a class or id names the comments below an article."""
    words = words_of(names)
    return bool(words & _COMMENT_WORDS) or ("comment" in words and bool(words & _SERIES_WORDS))
