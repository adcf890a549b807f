"""The mechanisms of today's code that can be switched off one by one: a name, the functions, and what they do when off.

The table stands here and not in the product, so that a process in production can't switch anything off. A module of
``proof``, ``recipes``, ``structured`` or ``extraction`` is named here, or in ``FOUNDATIONS`` with what it is for.
"""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import get_args

from gleaner.extraction.inner_lists import Lacking
from gleaner.extraction.others import Others
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
    "slots": ("slots:Slots.fitting", matches),
    "claims.crowded": ("claims:crowded_mentions", NO_SET),
    "claims.own_figure": ("claims:has_figure_of_its_own", NO),
    "labels.fitting": ("labels:Labels.fitting", matches),
    "labels.by_own": ("labels:Labels.is_by_own", NO),
    "labels.states_another": ("labels:Labels.states_another", NO),
    "labels.flag_columns": ("labels:Labels.in_column_of_flag", NONE),
    "abbreviations": ("abbreviations:swapped_fields", NO_FROZENSET),
    "segments": ("segments:Segments.refuted", NO_SET),
    "doubles": ("doubles:Doubles.refuted", NO_SET),
    "orders": ("orders:find_reversed", NO_SET),
    "marks": ("marks:find_swapped", NO_SET),
    "homes": ("homes:find_exchanged", NO_SET),
    "tellers": ("tellers:find_unfitting", NO_SET),
    "statements.unmarked": ("statements:unmarked", NO_SET),
    "statements.named": ("statements:find_named", NONE),
    "statements.denied_by_label": ("statements:is_denied_by_label", NO),
    "statements.contradicted": ("statements:is_contradicted", NO),
    "statements.other_currency": ("statements:is_other_currency", NO),
    "ranges.turned": ("ranges:turned_ends", NO_SET),
    "ranges.other_end": ("ranges:is_other_end", NO),
    "ranges.names_without_ends": ("ranges:without_ends", NO_MAP),
    "kinds": ("kinds:of_another_kind", NO_SET),
    "inner_rows": ("inner_rows:out_of_line", NO_SET),
    "repeated": ("entries:repeated", NO_SET),
    "figures": ("figures:Figures.refuted", NO_SET),
    "copies": ("copies:find_copied", NO_SET),
    "former": ("former:FormerPrices.without", matches),
    "durations": ("durations:Durations.fitting", matches),
    "counted": ("counted:Counted.fitting", matches),
    "counted_words": ("counted_words:find_counted_words", NO_LIST),
    "neighbours": ("neighbours:Neighbours.own", matches),
    "crowded": ("regions:crowded", NO_SET),
    "measures.otherwise": ("measures:is_measured_otherwise", NO),
    "measures.scaled_otherwise": ("measures:is_scaled_otherwise", NO),
    "measures.takes_off": ("measures:takes_off", YES),
    "denied": ("denied:is_denied", NO),
    "flags.denied": ("flags:is_flag_denied", NO),
    "flags.denies": ("flags:denies", NO),
    "flags.marks_of_others": ("flags:without_marks_of_others", matches),
    "wholes": ("wholes:is_of_a_whole", NO),
    "date_parts": ("date_parts:DateParts.fitting", matches),
    "side_by_side": ("side_by_side:find_columns", NONE),
    "side_by_side.rows": ("side_by_side:FieldRows.fitting", matches),
    "told_in_places": ("proving:_Prover._is_told_in_places", NO),
    "stated_apart": ("proving:_Prover._is_stated_apart", NO),
    "constant": ("leaves:constant_fields", NO_SET),
    "related": ("regions:related_sections", NO_LIST),
    "regions.shared": ("regions:Regions.is_shared", NO),
    "conventions.possible": ("conventions:is_possible", YES),
    "conventions.losses": ("conventions:losses", NO_FROZENSET),
    "grouping": ("grouping:one_number_spans", NO_ITEMS),
    "cutting": ("cutting:is_cut", NO),
    "zones": ("zones:is_of_zone", YES),
    "maps": ("maps:find_maps", NO_LIST),
    "snapshot": ("snapshot:Snapshot.find", NONE),
    "passages": ("passages:find_passage", NONE),
    "converted": ("converted:find_converted", NO_LIST),
    "scaled_heads": ("scaled_heads:ScaledHeads.find", NO_LIST),
    "anchors": ("anchors:find_anchors", NO_MAP),
    "windows": ("windows:find_windows", NONE),
    "code_names": ("code_names:asked_code", NONE),
    "notations": ("notations:Notations.find", NO_ITEMS),
    "codes": ("codes:scan_codes", NO_ITEMS),
    "spoken_durations": ("spoken_durations:scan_spoken_durations", NO_ITEMS),
    "calendars": ("calendars:scan_other_calendars", NO_ITEMS),
    "kanji": ("kanji:scan_kanji", NO_ITEMS),
    "eras": ("eras:before_christ", NONE),
    "number_words": ("number_words:words_of_number", NO_WORD),
    "targets": ("targets:scan_addresses", NO_ITEMS),
}

_GUARDS: dict[str, tuple[str, Off] | tuple[str, Off, str]] = {
    "drift": ("drift:find_drift", NO_LIST),
    "drift.values": ("drift:find_strange_values", NO_LIST),
    "drift.nulls": ("drift:nulls_differ", NO),
    "drift.numbers": ("drift:_number_doubts", NO_ITEMS),
    "drift.texts": ("drift:_text_doubts", NO_ITEMS),
    "drift.orders": ("drift:_order_doubts", NO_ITEMS),
    "drift.strange_records": ("drift:_strange_records", NO_ITEMS),
    "parting": ("parting:newly_parted", NO_ITEMS),
    "exchanges": ("exchanges:find_exchanged", NO_ITEMS),
    "inner_lists": ("inner_reading:find_lists_drift", NO_ITEMS),
    "labels": ("labels:begun_by_others", NO_ITEMS),
    "hints": ("hints:doubts_of_hints", NO_ITEMS),
    "advertisements": ("advertisements:ad_labels_of", NO_LIST),
    "forerunners": ("forerunners:forerunners", NO_SET),
    "forerunners.apart": ("forerunners:are_apart", NO),
    "interludes": ("interludes:find_interludes", NO_LIST),
    "strangers": ("strangers:doubt_of_strangers", NOTHING),
    "whole_pages": ("whole_pages:doubt_of_whole_page", NOTHING),
    "novelty": ("novelty:find_news", NO_ITEMS),
    "novelty.led": ("novelty:find_led", NO_ITEMS),
    "placed": ("placed:doubt_of_place", NOTHING),
    "absence.words": ("absence:doubt_of_words", NOTHING),
    "absence.could_hold": ("absence:Claims.could_hold", NO),
    "absence.page": ("reading:_doubt_of_page", NOTHING),
    "disowning": ("disowning:disown", NONE, DONE),
    "disowning.places": ("disowning:disown_places", NONE, DONE),
    "strays": ("strays:disown_strays", NONE, DONE),
    "lacks": ("lacks:judge", NO_LACK),
    "icons": ("markers:icons_of", NO_ITEMS),
    "left_over": ("beginnings:is_left_over", NO),
    "twins": ("record_selectors:twin_of", NONE),
    "unaccounted": ("reading:_unaccounted", NO_LIST),
    "stated_units": ("stated_units:is_in_one_of", YES),
    "schema": ("learning:_faults", NO_LIST),
}
"""Reasons not to trust what a recipe reads on a page."""

_LEARNING: dict[str, tuple[str, Off] | tuple[str, Off, str]] = {
    "learning.told_apart": ("drift:can_be_told_apart", YES),
    "learning.beyond_chance": ("naming:beyond_chance", GivesBack("found")),
    "learning.without_chance": ("columns:_without_chance", GivesBack("found")),
    "learning.shifting": ("columns:is_shifting", NO),
    "learning.may_shift": ("shifting:may_shift", NO),
    "learning.one_of_several": ("naming:of_several_places", GivesBack("found")),
    "learning.hints": ("hints:with_hints", GivesBack("recipe")),
    "learning.places": ("whole_pages:with_places", GivesBack("recipe")),
    "learning.sequences": ("sequences:sequences_of", NO_ITEMS),
    "learning.absence": ("fields:with_absence", GivesBack("recipe")),
    "learning.sides": ("strays:with_sides", GivesBack("fields")),
    "learning.shares": ("disowning:with_shares", GivesBack("fields")),
    "learning.variants": ("variants:in_several_places", NO_LIST),
    "records.unwrapped": ("unwrapped:learn_unwrapped", NONE),
    "records.groups": ("learning:_learn_groups", NONE),
    "records.captions": ("fields:captions_of", NO_FROZENSET),
    "records.closings": ("closings:closing_sign", NOTHING),
    "records.inner_lists": ("inner_containers:find_items", NONE),
    "selector.rest": ("columns:rest_selectors", NO_ITEMS),
    "selector.typed": ("columns:_typed", NO_ITEMS),
    "selector.template": ("templates:find_templates", NO_ITEMS),
    "selector.phrase": ("phrase_learning:phrase_selectors", NO_MAP),
    "selector.placed": ("placed:placed_selectors", NO_LIST),
    "selector.byline": ("bylines:byline_selectors", NO_ITEMS),
    "selector.flag": ("flags:flag_selectors", NO_ITEMS),
    "selector.presence": ("wordings:presence_selectors", NO_LIST),
    "selector.worded": ("wordings:worded_selectors", NO_LIST),
    "selector.deeper": ("locators:deeper", NO_LIST),
    "selector.heading": ("locators:headings", NO_LIST),
    "selector.hashed_class": ("locators:hashed", NO_LIST),
    "selector.many": ("lists:list_selectors", NO_LIST),
    "selector.behind": ("markers:markers_of", NO_ITEMS),
    "cut.fixed": ("cuts:fixed_cuts", NO_ITEMS),
    "cut.none": ("cuts:no_cuts", NO_ITEMS),
    "cut.worded": ("cuts:worded_cuts", NO_ITEMS),
    "cut.only": ("cuts:only_cuts", NO_ITEMS),
    "cut.marked": ("cuts:marked_cuts", NO_ITEMS),
    "cut.parts": ("cuts:part_cuts", NO_ITEMS),
    "cut.between": ("between:between_cuts", NO_ITEMS),
    "reading.told_words": ("told_words:in_words", NO_ITEMS),
    "reading.notations": ("notations:in_notations", NO_ITEMS),
    "reading.other_words": ("notations:in_other_words", NO_ITEMS),
    "reading.lengths": ("lengths:length_transform", NO_TUPLE),
    "reading.texts_for_nothing": ("empty_texts:texts_for_nothing", NO_TUPLE),
    "reading.texts_for_zero": ("empty_texts:texts_for_zero", NO_TUPLE),
    "reading.range_ends": ("range_ends:Ends.end", NONE),
    "reading.units": ("unit_learning:with_units", GivesBack("selector")),
    "reading.asides": ("asides:asides_of", NO_TUPLE),
    "reading.plurals": ("plurals:end_of", Calls(_plain_end)),
    "page.amounts": ("amounts:join_amounts", NONE, DONE),
    "page.text_lines": ("text_lines:set_lines_apart", NONE, DONE),
    "page.spans": ("spans:spread_cells", NONE, DONE),
    "page.group_headings": ("group_headings:heading_of", NONE),
    "page.leads": ("leads:leads_in", NO_ITEMS),
}
"""What a recipe is learned from: selector kinds, cuts, ways to read a text, ways to part a page."""

_STRUCTURED: dict[str, tuple[str, Off]] = {
    "question": ("questions:asks_for_everything", YES),
    "question.remarks": ("questions:remarks_are_plain", YES),
    "question.names": ("questions:names_are_plain", YES),
    "question.wrapper": ("questions:wrapper_is_plain", YES),
    "descriptions": ("descriptions:adds_nothing", YES),
    "parts.hidden_rows": ("parts:hides_rows", NO),
    "parts.hidden_more": ("parts:hides_more", NO),
    "parts.states_more": ("parts:states_more", NO),
    "visible.another_listing": ("visible:has_another_listing", NO),
    "a_name_alone": ("answers:_is_a_name_alone", NO),
    "shown": ("shown:page_agrees", YES),
    "silence.unseen": ("silence:may_be_unseen", NO),
    "silence.silent": ("silence:is_silent_on", NO),
    "mentions.meant": ("mentions:is_meant", YES),
    "mentions.words": ("mentions:words_are_meant", YES),
    "mentions.numbers": ("mentions:number_is_meant_in", YES),
    "mentions.spans_days": ("mentions:spans_days", NO),
    "roles.own": ("roles:is_in_its_role", YES),
    "roles.labelled_otherwise": ("roles:is_labelled_otherwise", NO),
    "roles.leads_elsewhere": ("roles:leads_elsewhere", NO),
    "roles.counted_once": ("roles:is_counted_once", YES),
    "amounts.currency": ("amounts:currency_agrees", YES),
    "sums": ("sums:may_sum_up", NO),
    "labels.scales": ("labels:states_a_scale", NO),
    "measures.plain_unit": ("measures:is_plain_unit", NO),
    "measures.range": ("measures:stated_range", NONE),
    "names.one_event": ("names:name_one_event", NO),
    "names.one_date": ("names:name_one_date", NO),
    "names.spelled_out": ("names:spelled_out", GivesBack("words")),
    "translations": ("translations:in_english", GivesBack("label")),
    "source.tables": ("tables:find_in_tables", NO_ITEMS),
    "source.pairs": ("pairs:find_in_pairs", NO_ITEMS),
    "source.nodes": ("nodes:find_in_nodes", NO_ITEMS),
    "source.json_ld": ("graphs:read_json_ld", NO_LIST),
    "source.microdata": ("graphs:read_microdata", NO_LIST),
    "source.rdfa": ("graphs:read_rdfa", NO_LIST),
    "source.meta": ("graphs:read_meta", NO_LIST),
    "source.states": ("graphs:read_states", NO_ITEMS),
}

_EXTRACTION: dict[str, tuple[str, Off] | tuple[str, Off, str]] = {
    "ask_again.rest_of_list": ("listing:ListReader.ask_for_the_rest", NONE, DONE),
    "ask_again.rest_of_object": ("single:ObjectReader.ask_for_the_rest", NONE, DONE),
    "ask_again.skips": ("skips:find_disputed", NO_SET),
    "ask_again.inner_lists": ("inner_lists:find_lacking", Gives(Lacking)),
    "ask_again.others": ("others:find_others", Gives(Others)),
    "ask_again.inner_units": ("others:find_inner", NO_TUPLE),
    "ask_again.grids": ("grids:find_gaps", NO_MAP),
    "ask_again.clipped": ("clipped:find_clipped", NO_MAP),
    "ask_again.cut_parts": ("clipped:find_cut_parts", NO_LIST),
    "ask_again.doubted": ("shelf:Shelf.doubted", NO_MAP),
    "ask_again.faults_around": ("shelf:Shelf.faults_around", NO_TUPLE),
    "ask_again.unstated_figures": ("single:ObjectReader._doubts", NO_LIST),
    "ask_again.hint_when_empty": ("listing:ListReader._wants_more", NO),
    "skips.passed_over": ("skips:passed_over", GivesBack("claimed")),
    "remarks": ("remarks:find_remarks", NO_SET),
    "headings": ("shelf:Shelf.headings", NO_SET),
    "evidence.fits": ("shelf:Shelf.fits", YES),
    "evidence.unbelievable": ("shelf:Shelf.drop_unbelievable", NONE, DONE),
    "evidence.copies": ("shelf:Shelf.drop_copies", NONE, DONE),
    "sources.refine": ("listing:ListReader.refine", GivesBack("self")),
    "sources.beside": ("sources:units_beside", NO_TUPLE),
    "sources.parts": ("sources:are_parts", NO),
    "sources.fields": ("sources:are_fields", NO),
    "sources.columns": ("sources:heads_of_columns", Gives(lambda: (set(), set()))),
    "sources.lists": ("sources:pieces_of_lists", NO_SET),
    "most_records": ("most_records:is_full", NO),
    "report.short_lists": ("inner_lists:find_short_lists", NO_LIST),
    "report.lost_pieces": ("inner_pieces:find_lost_pieces", NO_MAP),
    "report.joined_lists": ("joined_lists:report_joined_lists", NONE, DONE),
    "report.named_lists": ("named_lists:report_named_lists", NONE, DONE),
    "report.grids": ("grids:count_cells", NONE, DONE),
    "report.side_by_side": ("side_by_side:find_comparison", NONE),
    "report.unproven": ("refusals:unproven_result", NOTHING),
    "report.doubtful_days": ("refusals:doubtful_days", NO_LIST),
    "words.other_subject": ("words:_is_of_another", NO),
    "words.other_block": ("words:_fitting", GivesBack("places")),
    "words.other_money": ("words:_is_other_money", NO),
    "loops": ("loops:find_loop", NONE),
    "report.false_twins": ("assembly:_false_twins", NO_SET),
    "report.homes_of_records": ("assembly:_homes_of_records", NO_SET),
    "joined_pieces": ("joined_pieces:JoinedPieces.begin_before", NONE),
}

FOUNDATIONS: Mapping[str, str] = MappingProxyType(
    {
        "proof": "alignment beside dates folding heads label_forms money moments numerals phrases "
        "places rejection scales spellings stating text_index unit_names votes yes_no",
        "recipes": "book boxes builds class_names containers decoding description details field_names figures_alike "
        "finders headers inner_boxes inner_learning known_pages model pieces phrases readers rows settling unreadable "
        "moments",
        "structured": "columns fields grids languages phrases readings vocabulary",
        "extraction": "agent calling chunk chunk_ends claim_support claims page_blocks "
        "evidence patience pieces recovery refused regions_of_records "
        "replaying shapes stated_places tasks unenforced",
    }
)
"""Modules that hold no mechanism of their own: readers, data, what all others stand on. Without them nothing runs."""


def _entry(room: str, prefix: str, name: str, given: tuple[str, Off] | tuple[str, Off, str]) -> Mechanism:
    switch = Switch(f"gleaner.{room}.{given[0]}", given[1], changes_in_place=len(given) > 2)
    return Mechanism(f"{prefix}.{name}", (switch,))


def _kinds() -> list[Mechanism]:
    """Give the selector kinds: off, no selector of the kind fits any field."""
    target = "gleaner.recipes.columns:fit_column"
    apart = ("rest", "typed", "template", "placed", "worded", "heading", "behind")
    kinds = [kind for kind in get_args(LocatorKind) if kind not in apart]
    return [Mechanism(f"recipes.selector.{kind}", (Switch(target, GivesNoneOfKind(kind)),)) for kind in kinds]


MECHANISMS: tuple[Mechanism, ...] = (
    *(_entry("proof", "proof", name, given) for name, given in _PROOF.items()),
    *(_entry("recipes", "recipes.guard", name, given) for name, given in _GUARDS.items()),
    *_kinds(),
    *(_entry("recipes", "recipes", name, given) for name, given in _LEARNING.items()),
    *(_entry("structured", "structured", name, given) for name, given in _STRUCTURED.items()),
    *(_entry("extraction", "extraction", name, given) for name, given in _EXTRACTION.items()),
)


def named(names: list[str]) -> list[Mechanism]:
    """Give the mechanisms of these names, or below them ("proof.labels"); ValueError for a name that is none."""
    chosen = [one for one in MECHANISMS if not names or any(_is_below(one.name, name) for name in names)]
    if wrong := [name for name in names if not any(_is_below(one.name, name) for one in chosen)]:
        raise ValueError(f"no mechanism is called {', '.join(wrong)}; `python -m measure.ablate --list` names all")
    return chosen


def _is_below(name: str, above: str) -> bool:
    return name == above or name.startswith(f"{above}.")
