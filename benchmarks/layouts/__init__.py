"""Layouts nobody built against: pages in the markup of well known kinds of sites, with the data of none."""

from layouts.advert_pages import ADVERT_PAGES
from layouts.archive_pages import ARCHIVE_PAGES
from layouts.articles import ARTICLES
from layouts.badge_pages import BADGE_PAGES
from layouts.boards import BOARDS
from layouts.built_lists import BUILT_LISTS
from layouts.catalogues import CATALOGUES
from layouts.changes import CHANGES as LAYOUT_CHANGES
from layouts.changes import Change
from layouts.design import Design, Record, Style, page_of, strip_marks, truth_of
from layouts.details import DETAILS
from layouts.entry_pages import ENTRY_PAGES
from layouts.feeds import FEEDS
from layouts.fresh_lists import FRESH_LISTS
from layouts.hurting_pages import HURTING_PAGES
from layouts.locale_lists import LOCALE_LISTS
from layouts.lookup_pages import LOOKUP_PAGES
from layouts.markets import MARKETS
from layouts.old_pages import OLD_PAGES
from layouts.other_pages import OTHER_PAGES
from layouts.outing_pages import OUTING_PAGES
from layouts.pastimes import PASTIMES
from layouts.places import PLACES
from layouts.plain_lists import PLAIN_LISTS
from layouts.post_pages import POST_PAGES
from layouts.product_pages import PRODUCT_PAGES
from layouts.profile_pages import PROFILE_PAGES
from layouts.project_pages import PROJECT_PAGES
from layouts.reference_pages import REFERENCE_PAGES
from layouts.registers import REGISTERS
from layouts.second_looks import SECOND_LOOKS
from layouts.sheet_pages import SHEET_PAGES
from layouts.shop_pages import SHOP_PAGES
from layouts.shops import SHOPS
from layouts.storefronts import STOREFRONTS
from layouts.tables import TABLES
from layouts.third_looks import THIRD_LOOKS
from layouts.threads import THREADS
from layouts.visit_pages import VISIT_PAGES
from layouts.work_pages import WORK_PAGES
from layouts.workplaces import WORKPLACES
from layouts.world_lists import WORLD_LISTS

DESIGNS = [
    *BOARDS,
    *THREADS,
    *SHOPS,
    *TABLES,
    *REGISTERS,
    *ARTICLES,
    *CATALOGUES,
    *DETAILS,
    *MARKETS,
    *PLACES,
    *WORKPLACES,
    *PASTIMES,
    *OLD_PAGES,
    *SECOND_LOOKS,
    *PRODUCT_PAGES,
    *WORK_PAGES,
    *ENTRY_PAGES,
    *STOREFRONTS,
    *FEEDS,
    *PLAIN_LISTS,
    *THIRD_LOOKS,
    *SHOP_PAGES,
    *ADVERT_PAGES,
    *POST_PAGES,
    *PROJECT_PAGES,
    *ARCHIVE_PAGES,
    *PROFILE_PAGES,
    *VISIT_PAGES,
    *REFERENCE_PAGES,
    *LOOKUP_PAGES,
    *OUTING_PAGES,
    *SHEET_PAGES,
    *WORLD_LISTS,
    *BUILT_LISTS,
    *FRESH_LISTS,
    *LOCALE_LISTS,
    *BADGE_PAGES,
    *HURTING_PAGES,
]

CHANGES = {**LAYOUT_CHANGES, **OTHER_PAGES}

__all__ = ["CHANGES", "DESIGNS", "Change", "Design", "Record", "Style", "page_of", "strip_marks", "truth_of"]
