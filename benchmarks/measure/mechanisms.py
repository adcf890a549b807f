"""The mechanisms of today's code that can be switched off one by one: a name, the functions, and what they do when off.

The table stands here and not in the product, so that a process in production can't switch anything off. A module of the
rooms that judge is named here, or in ``FOUNDATIONS``.
"""

from functools import partial
from typing import get_args

from gleaner.recipes.lacks import Lack
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
    "parting": ("recipes.parting:newly_parted", NO_ITEMS),
    "exchanges": ("recipes.exchanges:find_exchanged", NO_ITEMS),
    "inner_lists": ("recipes.inner_reading:find_lists_drift", NO_ITEMS),
    "labels": ("recipes.labels:begun_by_others", NO_ITEMS),
    "hints": ("recipes.hints:doubts_of_hints", NO_ITEMS),
    "advertisements": ("recipes.advertisements:ad_labels_of", NO_LIST),
    "forerunners": ("recipes.forerunners:forerunners", NO_SET),
    "forerunners.apart": ("recipes.forerunners:are_apart", NO),
    "interludes": ("recipes.interludes:find_interludes", NO_LIST),
    "strangers": ("recipes.strangers:doubt_of_strangers", NOTHING),
    "whole_pages": ("recipes.whole_pages:doubt_of_whole_page", NOTHING),
    "novelty": ("recipes.novelty:find_news", NO_ITEMS),
    "novelty.led": ("recipes.novelty:find_led", NO_ITEMS),
    "placed": ("recipes.placed:doubt_of_place", NOTHING),
    "absence.words": ("recipes.absence:doubt_of_words", NOTHING),
    "absence.could_hold": ("recipes.absence:Claims.could_hold", NO),
    "absence.page": ("recipes.reading:_doubt_of_page", NOTHING),
    "disowning": ("recipes.disowning:disown", NONE, DONE),
    "disowning.places": ("recipes.disowning:disown_places", NONE, DONE),
    "strays": ("recipes.strays:disown_strays", NONE, DONE),
    "lacks": ("recipes.lacks:judge", NO_LACK),
    "icons": ("recipes.markers:icons_of", NO_ITEMS),
    "left_over": ("recipes.beginnings:is_left_over", NO),
    "twins": ("recipes.record_selectors:twin_of", NONE),
    "unaccounted": ("recipes.reading:_unaccounted", NO_LIST),
    "stated_units": ("recipes.stated_units:is_in_one_of", YES),
    "schema": ("recipes.learning:_faults", NO_LIST),
}
"""Reasons not to trust what a recipe reads on a page."""

_LEARNING: dict[str, tuple[str, Off] | tuple[str, Off, str]] = {
    "learning.told_apart": ("recipes.drift:can_be_told_apart", YES),
    "learning.beyond_chance": ("recipes.naming:beyond_chance", GivesBack("found")),
    "learning.without_chance": ("recipes.columns:_without_chance", GivesBack("found")),
    "learning.shifting": ("recipes.columns:is_shifting", NO),
    "learning.may_shift": ("recipes.shifting:may_shift", NO),
    "learning.one_of_several": ("recipes.naming:of_several_places", GivesBack("found")),
    "learning.hints": ("recipes.hints:with_hints", GivesBack("recipe")),
    "learning.places": ("recipes.whole_pages:with_places", GivesBack("recipe")),
    "learning.sequences": ("recipes.sequences:sequences_of", NO_ITEMS),
    "learning.absence": ("recipes.fields:with_absence", GivesBack("recipe")),
    "learning.sides": ("recipes.strays:with_sides", GivesBack("fields")),
    "learning.shares": ("recipes.disowning:with_shares", GivesBack("fields")),
    "learning.variants": ("recipes.variants:in_several_places", NO_LIST),
    "records.unwrapped": ("recipes.unwrapped:learn_unwrapped", NONE),
    "records.groups": ("recipes.learning:_learn_groups", NONE),
    "records.captions": ("recipes.fields:captions_of", NO_FROZENSET),
    "records.closings": ("recipes.closings:closing_sign", NOTHING),
    "records.inner_lists": ("recipes.inner_containers:find_items", NONE),
    "selector.rest": ("recipes.columns:rest_selectors", NO_ITEMS),
    "selector.typed": ("recipes.columns:_typed", NO_ITEMS),
    "selector.template": ("recipes.templates:find_templates", NO_ITEMS),
    "selector.phrase": ("recipes.phrase_learning:phrase_selectors", NO_MAP),
    "selector.placed": ("recipes.placed:placed_selectors", NO_LIST),
    "selector.byline": ("recipes.bylines:byline_selectors", NO_ITEMS),
    "selector.flag": ("recipes.flags:flag_selectors", NO_ITEMS),
    "selector.presence": ("recipes.wordings:presence_selectors", NO_LIST),
    "selector.worded": ("recipes.wordings:worded_selectors", NO_LIST),
    "selector.deeper": ("recipes.locators:deeper", NO_LIST),
    "selector.heading": ("recipes.locators:headings", NO_LIST),
    "selector.hashed_class": ("recipes.locators:hashed", NO_LIST),
    "selector.many": ("recipes.lists:list_selectors", NO_LIST),
    "selector.behind": ("recipes.markers:markers_of", NO_ITEMS),
    "cut.fixed": ("recipes.cuts:fixed_cuts", NO_ITEMS),
    "cut.none": ("recipes.cuts:no_cuts", NO_ITEMS),
    "cut.worded": ("recipes.cuts:worded_cuts", NO_ITEMS),
    "cut.only": ("recipes.cuts:only_cuts", NO_ITEMS),
    "cut.marked": ("recipes.cuts:marked_cuts", NO_ITEMS),
    "cut.parts": ("recipes.cuts:part_cuts", NO_ITEMS),
    "cut.between": ("recipes.between:between_cuts", NO_ITEMS),
    "reading.told_words": ("recipes.told_words:in_words", NO_ITEMS),
    "reading.notations": ("recipes.notations:in_notations", NO_ITEMS),
    "reading.other_words": ("recipes.notations:in_other_words", NO_ITEMS),
    "reading.lengths": ("recipes.lengths:length_transform", NO_TUPLE),
    "reading.texts_for_nothing": ("recipes.empty_texts:texts_for_nothing", NO_TUPLE),
    "reading.texts_for_zero": ("recipes.empty_texts:texts_for_zero", NO_TUPLE),
    "reading.range_ends": ("recipes.range_ends:Ends.end", NONE),
    "reading.units": ("recipes.unit_learning:with_units", GivesBack("selector")),
    "reading.asides": ("recipes.asides:asides_of", NO_TUPLE),
    "reading.plurals": ("recipes.plurals:end_of", Calls(_plain_end)),
    "page.amounts": ("recipes.amounts:join_amounts", NONE, DONE),
    "page.text_lines": ("recipes.text_lines:set_lines_apart", NONE, DONE),
    "page.spans": ("recipes.spans:spread_cells", NONE, DONE),
    "page.group_headings": ("recipes.group_headings:heading_of", NONE),
    "page.leads": ("recipes.leads:leads_in", NO_ITEMS),
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
    "ask_again.faults_around": ("extraction.listing:ListReader._faults_around", NO_TUPLE),
    "ask_again.hint_when_empty": ("extraction.listing:ListReader._is_unsaid", NO),
    "evidence.fits": ("extraction.record_store:RecordStore.fits", YES),
    "most_records": ("results.most_records:is_full", NO),
    "report.nested_lists": ("completeness.nested_lists:find_short_lists", NO_LIST),
    "report.grids": ("results.grids:count_cells", NONE, DONE),
    "report.side_by_side": ("results.side_by_side:find_comparison", NONE),
    "report.unproven": ("results.refusals:unproven_result", NOTHING),
    "report.doubtful_days": ("results.refusals:doubtful_days", NO_LIST),
    "words.other_subject": ("grounding.prose.answers:_is_of_another", NO),
    "words.other_block": ("grounding.prose.answers:_fitting", GivesBack("places")),
    "words.other_money": ("grounding.prose.answers:_is_other_money", NO),
    "loops": ("extraction.answers.loops:find_loop", NONE),
    "report.false_twins": ("results.assembly:_false_twins", NO_SET),
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
        "recipes.boxes",
        "recipes.builds",
        "recipes.class_names",
        "recipes.containers",
        "recipes.decoding",
        "recipes.description",
        "recipes.details",
        "recipes.field_names",
        "recipes.figures_alike",
        "recipes.finders",
        "recipes.headers",
        "recipes.inner_boxes",
        "recipes.inner_learning",
        "recipes.known_pages",
        "recipes.model",
        "recipes.moments",
        "recipes.phrases",
        "recipes.pieces",
        "recipes.readers",
        "recipes.rows",
        "recipes.settling",
        "recipes.unreadable",
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
        "extraction.recovery",
        "extraction.replaying",
        "extraction.single",
        "extraction.unit_numbers",
    )
)
"""Modules that hold no mechanism of their own: readers, data, what all others stand on. Without them nothing runs."""


def _entry(prefix: str, name: str, given: tuple[str, Off] | tuple[str, Off, str]) -> Mechanism:
    switch = Switch(f"gleaner.{given[0]}", given[1], changes_in_place=len(given) > 2)
    return Mechanism(f"{prefix}.{name}", (switch,))


def _kinds() -> list[Mechanism]:
    """Give the selector kinds: off, no selector of the kind fits any field."""
    target = "gleaner.recipes.columns:fit_column"
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
