"""The mechanisms of today's code that can be switched off one by one: a name, the functions, and what they do when off.

The table stands here and not in the product, so that a process in production can't switch anything off. A module of the
rooms that judge is named here, or in ``FOUNDATIONS``.
"""

from functools import partial
from typing import get_args

from gleaner.completeness.inner_lists import Lacking
from gleaner.extraction.follow_up.unclaimed_groups import Others
from gleaner.recipes.guards.lacks import Lack
from gleaner.recipes.model import LocatorKind

from measure.switching import Calls, Gives, GivesBack, GivesNoneOfKind, Mechanism, Off, Switch

NO, YES, NONE, NOTHING = Gives(lambda: False), Gives(lambda: True), Gives(lambda: None), Gives(str)
NO_ITEMS, NO_LIST, NO_SET, NO_TUPLE, NO_MAP = (
    Gives(lambda: iter(())),
    Gives(list),
    Gives(set),
    Gives(tuple),
    Gives(dict),
)
NO_FROZENSET = Gives(frozenset)
NO_LACK = Gives(partial(Lack, may_be_none=False, is_built_like_one=False, doubt="", is_telling=False))
NO_WORD = Gives(lambda: ("\0",))
"""A word that no text has: the function's callers count on one."""

DONE = "done in place"
"""Marks functions that change what they are given: off, they leave it alone."""

matches = GivesBack("matches")


def _plain_end(text: str, suffix: str) -> int | None:
    return len(suffix) if text.endswith(suffix) else None


_PROOF: dict[str, tuple[str, Off]] = {
    "slots": ("grounding.evidence.slots:Slots.fitting", matches),
    "claims.crowded": ("grounding.claims:crowded_mentions", NO_SET),
    "claims.own_figure": ("grounding.claims:has_figure_of_its_own", NO),
    "labels.fitting": ("grounding.evidence.labels:Labels.fitting", matches),
    "labels.by_own": ("grounding.evidence.labels:Labels.is_by_own", NO),
    "labels.states_another": ("grounding.evidence.labels:Labels.states_another", NO),
    "labels.flag_columns": ("grounding.evidence.labels:Labels.in_column_of_flag", NONE),
    "doubles": ("grounding.shared_mentions:Doubles.refuted", NO_SET),
    "marks": ("grounding.evidence.markup_names:find_swapped", NO_SET),
    "homes": ("grounding.evidence.dom_path_features:find_exchanged", NO_SET),
    "tellers": ("grounding.evidence.value_cooccurrence:find_unfitting", NO_SET),
    "statements.unmarked": ("grounding.statements:unmarked", NO_SET),
    "statements.named": ("grounding.statements:find_named", NONE),
    "statements.denied_by_label": ("grounding.statements:is_denied_by_label", NO),
    "statements.contradicted": ("grounding.statements:is_contradicted", NO),
    "statements.other_currency": ("grounding.statements:is_other_currency", NO),
    "ranges.names_without_ends": ("grounding.numbers.ranges:without_ends", NO_MAP),
    "ranges.turned": ("grounding.numbers.ranges:turned_ends", NO_SET),
    "ranges.other_end": ("grounding.numbers.ranges:is_other_end", NO),
    "kinds": ("grounding.evidence.kinds:of_another_kind", NO_SET),
    "counted": ("grounding.numbers.counted:Counted.fitting", matches),
    "wholes": ("grounding.numbers.wholes:is_of_a_whole", NO),
    "date_parts": ("grounding.dates.date_parts:DateParts.fitting", matches),
    "repeated": ("grounding.entries:repeated", NO_SET),
    "figures": ("grounding.evidence.nearby_label_features:Figures.refuted", NO_SET),
    "copies": ("grounding.copies:find_copied", NO_SET),
    "former": ("grounding.evidence.superseded_prices:FormerPrices.without", matches),
    "durations": ("grounding.dates.durations:Durations.fitting", matches),
    "counted_words": ("grounding.numbers.counted_words:find_counted_words", NO_LIST),
    "neighbours": ("grounding.neighbours:Neighbours.own", matches),
    "crowded": ("grounding.regions:crowded", NO_SET),
    "measures.otherwise": ("grounding.numbers.measures:is_measured_otherwise", NO),
    "measures.scaled_otherwise": ("grounding.numbers.measures:is_scaled_otherwise", NO),
    "measures.takes_off": ("grounding.numbers.measures:takes_off", YES),
    "denied": ("grounding.evidence.negation:is_denied", NO),
    "flags.denied": ("grounding.evidence.flags:is_flag_denied", NO),
    "flags.denies": ("grounding.evidence.flags:denies", NO),
    "side_by_side": ("grounding.side_by_side:find_columns", NONE),
    "side_by_side.rows": ("grounding.side_by_side:FieldRows.fitting", matches),
    "told_in_places": ("grounding.proving:_Prover._is_told_in_places", NO),
    "constant": ("grounding.leaves:constant_fields", NO_SET),
    "related": ("grounding.regions:related_sections", NO_LIST),
    "regions.shared": ("grounding.regions:Regions.is_shared", NO),
    "conventions.possible": ("grounding.numbers.conventions:is_possible", YES),
    "conventions.losses": ("grounding.numbers.conventions:losses", NO_FROZENSET),
    "grouping": ("grounding.numbers.grouping:one_number_spans", NO_ITEMS),
    "cutting": ("grounding.text.cutting:is_cut", NO),
    "zones": ("grounding.dates.zones:is_of_zone", YES),
    "maps": ("grounding.maps:find_maps", NO_LIST),
    "snapshot": ("grounding.snapshot:Snapshot.find", NONE),
    "passages": ("grounding.text.passages:find_passage", NONE),
    "converted": ("grounding.numbers.converted:find_converted", NO_LIST),
    "scaled_heads": ("grounding.numbers.scaled_heads:ScaledHeads.find", NO_LIST),
    "anchors": ("grounding.anchors:find_anchors", NO_MAP),
    "windows": ("grounding.windows:find_windows", NONE),
    "code_names": ("grounding.text.code_names:asked_code", NONE),
    "notations": ("grounding.numbers.notations:Notations.find", NO_ITEMS),
    "codes": ("grounding.text.codes:scan_codes", NO_ITEMS),
    "spoken_durations": ("grounding.dates.spoken_durations:scan_spoken_durations", NO_ITEMS),
    "calendars": ("grounding.dates.calendars:scan_other_calendars", NO_ITEMS),
    "kanji": ("grounding.numbers.kanji:scan_kanji", NO_ITEMS),
    "eras": ("grounding.dates.eras:before_christ", NONE),
    "number_words": ("grounding.numbers.number_words:words_of_number", NO_WORD),
    "targets": ("grounding.text.targets:scan_addresses", NO_ITEMS),
}

_GUARDS: dict[str, tuple[str, Off] | tuple[str, Off, str]] = {
    "drift": ("recipes.drift:find_drift", NO_LIST),
    "drift.values": ("recipes.drift:find_strange_values", NO_LIST),
    "drift.nulls": ("recipes.drift:nulls_differ", NO),
    "drift.numbers": ("recipes.drift:_number_doubts", NO_ITEMS),
    "drift.texts": ("recipes.drift:_text_doubts", NO_ITEMS),
    "drift.orders": ("recipes.drift:_order_doubts", NO_ITEMS),
    "drift.strange_records": ("recipes.drift:_strange_records", NO_ITEMS),
    "parting": ("recipes.guards.parting:newly_parted", NO_ITEMS),
    "exchanges": ("recipes.guards.exchanges:find_exchanged", NO_ITEMS),
    "inner_lists": ("recipes.inner_reading:find_lists_drift", NO_ITEMS),
    "labels": ("recipes.selectors.labels:begun_by_others", NO_ITEMS),
    "hints": ("recipes.guards.hints:doubts_of_hints", NO_ITEMS),
    "advertisements": ("recipes.guards.advertisements:ad_labels_of", NO_LIST),
    "forerunners": ("recipes.guards.forerunners:forerunners", NO_SET),
    "forerunners.apart": ("recipes.guards.forerunners:are_apart", NO),
    "interludes": ("recipes.page.interludes:find_interludes", NO_LIST),
    "strangers": ("recipes.guards.strangers:doubt_of_strangers", NOTHING),
    "whole_pages": ("recipes.whole_pages:doubt_of_whole_page", NOTHING),
    "novelty": ("recipes.guards.novelty:find_news", NO_ITEMS),
    "novelty.led": ("recipes.guards.novelty:find_led", NO_ITEMS),
    "placed": ("recipes.selectors.placed:doubt_of_place", NOTHING),
    "absence.words": ("recipes.guards.absence:doubt_of_words", NOTHING),
    "absence.could_hold": ("recipes.guards.absence:Claims.could_hold", NO),
    "absence.page": ("recipes.reading:_doubt_of_page", NOTHING),
    "disowning": ("recipes.guards.disowning:disown", NONE, DONE),
    "disowning.places": ("recipes.guards.disowning:disown_places", NONE, DONE),
    "strays": ("recipes.guards.strays:disown_strays", NONE, DONE),
    "lacks": ("recipes.guards.lacks:judge", NO_LACK),
    "icons": ("recipes.selectors.markers:icons_of", NO_ITEMS),
    "left_over": ("recipes.page.beginnings:is_left_over", NO),
    "twins": ("recipes.page.record_selectors:twin_of", NONE),
    "unaccounted": ("recipes.reading:_unaccounted", NO_LIST),
    "stated_units": ("recipes.texts.stated_units:is_in_one_of", YES),
    "schema": ("recipes.learning:_faults", NO_LIST),
}
"""Reasons not to trust what a recipe reads on a page."""

_LEARNING: dict[str, tuple[str, Off] | tuple[str, Off, str]] = {
    "learning.told_apart": ("recipes.drift:can_be_told_apart", YES),
    "learning.beyond_chance": ("recipes.selectors.naming:beyond_chance", GivesBack("found")),
    "learning.without_chance": ("recipes.selectors.columns:_without_chance", GivesBack("found")),
    "learning.shifting": ("recipes.selectors.columns:is_shifting", NO),
    "learning.may_shift": ("recipes.guards.shifting:may_shift", NO),
    "learning.one_of_several": ("recipes.selectors.naming:of_several_places", GivesBack("found")),
    "learning.hints": ("recipes.guards.hints:with_hints", GivesBack("recipe")),
    "learning.places": ("recipes.whole_pages:with_places", GivesBack("recipe")),
    "learning.sequences": ("recipes.page.sequences:sequences_of", NO_ITEMS),
    "learning.absence": ("recipes.fields:with_absence", GivesBack("recipe")),
    "learning.sides": ("recipes.guards.strays:with_sides", GivesBack("fields")),
    "learning.shares": ("recipes.guards.disowning:with_shares", GivesBack("fields")),
    "learning.variants": ("recipes.guards.variants:in_several_places", NO_LIST),
    "records.unwrapped": ("recipes.page.unwrapped:learn_unwrapped", NONE),
    "records.groups": ("recipes.learning:_learn_groups", NONE),
    "records.captions": ("recipes.fields:captions_of", NO_FROZENSET),
    "records.closings": ("recipes.page.closings:closing_sign", NOTHING),
    "records.inner_lists": ("recipes.page.inner_containers:find_items", NONE),
    "selector.rest": ("recipes.selectors.columns:rest_selectors", NO_ITEMS),
    "selector.typed": ("recipes.selectors.columns:_typed", NO_ITEMS),
    "selector.template": ("recipes.selectors.templates:find_templates", NO_ITEMS),
    "selector.phrase": ("recipes.selectors.phrase_learning:phrase_selectors", NO_MAP),
    "selector.placed": ("recipes.selectors.placed:placed_selectors", NO_LIST),
    "selector.byline": ("recipes.selectors.bylines:byline_selectors", NO_ITEMS),
    "selector.flag": ("recipes.texts.flags:flag_selectors", NO_ITEMS),
    "selector.presence": ("recipes.selectors.wordings:presence_selectors", NO_LIST),
    "selector.worded": ("recipes.selectors.wordings:worded_selectors", NO_LIST),
    "selector.deeper": ("recipes.selectors.locators:deeper", NO_LIST),
    "selector.heading": ("recipes.selectors.locators:headings", NO_LIST),
    "selector.hashed_class": ("recipes.selectors.locators:hashed", NO_LIST),
    "selector.many": ("recipes.selectors.lists:list_selectors", NO_LIST),
    "selector.behind": ("recipes.selectors.markers:markers_of", NO_ITEMS),
    "cut.fixed": ("recipes.selectors.cuts:fixed_cuts", NO_ITEMS),
    "cut.none": ("recipes.selectors.cuts:no_cuts", NO_ITEMS),
    "cut.worded": ("recipes.selectors.cuts:worded_cuts", NO_ITEMS),
    "cut.only": ("recipes.selectors.cuts:only_cuts", NO_ITEMS),
    "cut.marked": ("recipes.selectors.cuts:marked_cuts", NO_ITEMS),
    "cut.parts": ("recipes.selectors.cuts:part_cuts", NO_ITEMS),
    "cut.between": ("recipes.selectors.between:between_cuts", NO_ITEMS),
    "reading.told_words": ("recipes.texts.told_words:in_words", NO_ITEMS),
    "reading.notations": ("recipes.texts.notations:in_notations", NO_ITEMS),
    "reading.other_words": ("recipes.texts.notations:in_other_words", NO_ITEMS),
    "reading.lengths": ("recipes.texts.lengths:length_transform", NO_TUPLE),
    "reading.texts_for_nothing": ("recipes.texts.empty_texts:texts_for_nothing", NO_TUPLE),
    "reading.texts_for_zero": ("recipes.texts.empty_texts:texts_for_zero", NO_TUPLE),
    "reading.range_ends": ("recipes.texts.range_ends:Ends.end", NONE),
    "reading.units": ("recipes.texts.unit_learning:with_units", GivesBack("selector")),
    "reading.asides": ("recipes.selectors.asides:asides_of", NO_TUPLE),
    "reading.plurals": ("recipes.texts.plurals:end_of", Calls(_plain_end)),
    "page.amounts": ("recipes.texts.amounts:join_amounts", NONE, DONE),
    "page.text_lines": ("recipes.page.text_lines:set_lines_apart", NONE, DONE),
    "page.spans": ("recipes.page.spans:spread_cells", NONE, DONE),
    "page.group_headings": ("recipes.page.group_headings:heading_of", NONE),
    "page.leads": ("recipes.selectors.leads:leads_in", NO_ITEMS),
}
"""What a recipe is learned from: selector kinds, cuts, ways to read a text, ways to part a page."""

_STRUCTURED: dict[str, tuple[str, Off]] = {
    "query": ("structured.answers:_check_query", NONE),
    "columns.unnamed": ("structured.tables:_check_that_none_holds", NONE),
    "short_lists": ("structured.answers:_leave_out_short_lists", NONE),
    "meta": ("structured.nodes:check_meta", NONE),
    "shown": ("structured.shown:settle_embedded", NONE),
    "shown.labels": ("structured.shown:_check_labels", NONE),
    "shown.prices": ("structured.shown:_check_price", NONE),
    "shown.stock": ("structured.shown:_check_stock", NONE),
    "shown.gaps": ("structured.shown:_check_gaps", NONE),
    "shown.silence": ("structured.shown:_check_silence", NONE),
    "names.same": ("structured.names:same_names", NO_SET),
    "source.tables": ("structured.tables:find_in_tables", NONE),
    "source.pairs": ("structured.pairs:read_pairs", NO_LIST),
    "source.nodes": ("structured.nodes:find_in_nodes", NO_ITEMS),
    "source.json_ld": ("structured.embedded:read_json_ld", NO_LIST),
    "source.microdata": ("structured.embedded:read_microdata", NO_LIST),
    "source.rdfa": ("structured.embedded:read_rdfa", NO_LIST),
    "source.meta": ("structured.embedded:read_meta", NO_LIST),
    "source.states": ("structured.embedded:read_states", NO_ITEMS),
}

_EXTRACTION: dict[str, tuple[str, Off] | tuple[str, Off, str]] = {
    "ask_again.rest_of_list": ("extraction.listing:ListReader.ask_for_the_rest", NONE, DONE),
    "ask_again.rest_of_object": ("extraction.single:ObjectReader.ask_for_the_rest", NONE, DONE),
    "ask_again.skips": ("extraction.follow_up.query_filtering:find_disputed", NO_SET),
    "ask_again.inner_lists": ("completeness.inner_lists:find_lacking", Gives(Lacking)),
    "ask_again.others": ("extraction.follow_up.unclaimed_groups:find_others", Gives(Others)),
    "ask_again.inner_units": ("extraction.follow_up.unclaimed_groups:find_inner", NO_TUPLE),
    "ask_again.grids": ("results.grids:find_gaps", NO_MAP),
    "ask_again.clipped": ("extraction.answers.clipped:find_clipped", NO_MAP),
    "ask_again.cut_parts": ("extraction.answers.clipped:find_cut_parts", NO_LIST),
    "ask_again.doubted": ("extraction.record_store:Shelf.doubted", NO_MAP),
    "ask_again.faults_around": ("extraction.record_store:Shelf.faults_around", NO_TUPLE),
    "ask_again.unstated_figures": ("extraction.single:ObjectReader._doubts", NO_LIST),
    "ask_again.hint_when_empty": ("extraction.listing:ListReader._is_unsaid", NO),
    "skips.passed_over": ("extraction.follow_up.query_filtering:passed_over", GivesBack("claimed")),
    "remarks": ("extraction.follow_up.remarks:find_remarks", NO_SET),
    "headings": ("extraction.record_store:Shelf.headings", NO_SET),
    "evidence.fits": ("extraction.record_store:Shelf.fits", YES),
    "evidence.unbelievable": ("extraction.record_store:Shelf.drop_unbelievable", NONE, DONE),
    "evidence.copies": ("extraction.record_store:Shelf.drop_copies", NONE, DONE),
    "sources.refine": ("extraction.listing:ListReader.refine", GivesBack("self")),
    "sources.beside": ("extraction.follow_up.sources:units_beside", NO_TUPLE),
    "sources.parts": ("extraction.follow_up.sources:are_parts", NO),
    "sources.fields": ("extraction.follow_up.sources:are_fields", NO),
    "sources.columns": ("extraction.follow_up.sources:heads_of_columns", Gives(lambda: (set(), set()))),
    "sources.lists": ("extraction.follow_up.sources:pieces_of_lists", NO_SET),
    "most_records": ("results.most_records:is_full", NO),
    "report.short_lists": ("completeness.inner_lists:find_short_lists", NO_LIST),
    "report.lost_pieces": ("completeness.inner_pieces:find_lost_pieces", NO_MAP),
    "report.joined_lists": ("completeness.joined_lists:report_joined_lists", NONE, DONE),
    "report.named_lists": ("completeness.named_lists:report_named_lists", NONE, DONE),
    "report.grids": ("results.grids:count_cells", NONE, DONE),
    "report.side_by_side": ("results.side_by_side:find_comparison", NONE),
    "report.unproven": ("results.refusals:unproven_result", NOTHING),
    "report.doubtful_days": ("results.refusals:doubtful_days", NO_LIST),
    "words.other_subject": ("grounding.prose.answers:_is_of_another", NO),
    "words.other_block": ("grounding.prose.answers:_fitting", GivesBack("places")),
    "words.other_money": ("grounding.prose.answers:_is_other_money", NO),
    "loops": ("extraction.answers.loops:find_loop", NONE),
    "report.false_twins": ("results.assembly:_false_twins", NO_SET),
    "report.homes_of_records": ("results.assembly:_homes_of_records", NO_SET),
    "joined_pieces": ("completeness.joined_pieces:JoinedPieces.begin_before", NONE),
}

FOUNDATIONS: frozenset[str] = frozenset(
    (
        "grounding.alignment",
        "grounding.dates.dates",
        "grounding.dates.moments",
        "grounding.evidence.label_forms",
        "grounding.evidence.nearby_words",
        "grounding.evidence.table_heads",
        "grounding.evidence.votes",
        "grounding.evidence.yes_no",
        "grounding.numbers.money",
        "grounding.numbers.numerals",
        "grounding.numbers.scales",
        "grounding.numbers.unit_names",
        "grounding.places",
        "grounding.prose.claim_support",
        "grounding.prose.claims",
        "grounding.prose.page_blocks",
        "grounding.rejection",
        "grounding.stating",
        "grounding.text.folding",
        "grounding.text.phrases",
        "grounding.text.spellings",
        "grounding.text.text_index",
        "completeness.certificate",
        "completeness.emptiness",
        "completeness.ledger",
        "completeness.query_restriction",
        "completeness.regions_of_records",
        "completeness.stated_places",
        "results.exports",
        "results.merging",
        "results.naive_times",
        "results.record_lists",
        "results.records",
        "results.refused",
        "results.spreadsheets",
        "results.tasks",
        "results.unenforced",
        "recipes.book",
        "recipes.description",
        "recipes.details",
        "recipes.inner_learning",
        "recipes.known_pages",
        "recipes.model",
        "recipes.page.boxes",
        "recipes.page.builds",
        "recipes.page.class_names",
        "recipes.page.containers",
        "recipes.page.headers",
        "recipes.page.inner_boxes",
        "recipes.page.pieces",
        "recipes.page.rows",
        "recipes.selectors.field_names",
        "recipes.selectors.finders",
        "recipes.selectors.phrases",
        "recipes.selectors.readers",
        "recipes.settling",
        "recipes.texts.decoding",
        "recipes.texts.figures_alike",
        "recipes.texts.moments",
        "recipes.texts.unreadable",
        "structured.decline",
        "structured.fields",
        "structured.grids",
        "structured.matching",
        "structured.places",
        "structured.reading",
        "extraction.agent",
        "extraction.answers.shapes",
        "extraction.calling",
        "extraction.chunk",
        "extraction.chunk_cache",
        "extraction.chunk_ends",
        "extraction.evidence",
        "extraction.function_model",
        "extraction.patience",
        "extraction.pieces",
        "extraction.prompts",
        "extraction.unit_numbers",
        "extraction.recovery",
        "extraction.replaying",
    )
)
"""Modules that hold no mechanism of their own: readers, data, what all others stand on. Without them nothing runs."""


def _entry(prefix: str, name: str, given: tuple[str, Off] | tuple[str, Off, str]) -> Mechanism:
    switch = Switch(f"gleaner.{given[0]}", given[1], changes_in_place=len(given) > 2)
    return Mechanism(f"{prefix}.{name}", (switch,))


def _kinds() -> list[Mechanism]:
    """Give the selector kinds: off, no selector of the kind fits any field."""
    target = "gleaner.recipes.selectors.columns:fit_column"
    apart = ("rest", "typed", "template", "placed", "worded", "heading", "behind")
    kinds = [kind for kind in get_args(LocatorKind) if kind not in apart]
    return [Mechanism(f"recipes.selector.{kind}", (Switch(target, GivesNoneOfKind(kind)),)) for kind in kinds]


MECHANISMS: tuple[Mechanism, ...] = (
    *(_entry("proof", name, given) for name, given in _PROOF.items()),
    *(_entry("recipes.guard", name, given) for name, given in _GUARDS.items()),
    *_kinds(),
    *(_entry("recipes", name, given) for name, given in _LEARNING.items()),
    *(_entry("structured", name, given) for name, given in _STRUCTURED.items()),
    *(_entry("extraction", name, given) for name, given in _EXTRACTION.items()),
)


def named(names: list[str]) -> list[Mechanism]:
    """Give the mechanisms of these names, or below them ("proof.labels"); ValueError for a name that is none."""
    chosen = [one for one in MECHANISMS if not names or any(_is_below(one.name, name) for name in names)]
    if wrong := [name for name in names if not any(_is_below(one.name, name) for one in chosen)]:
        raise ValueError(f"no mechanism is called {', '.join(wrong)}; `python -m measure.ablate --list` names all")
    return chosen


def _is_below(name: str, above: str) -> bool:
    return name == above or name.startswith(f"{above}.")
