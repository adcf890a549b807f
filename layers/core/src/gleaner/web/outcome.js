// What came out, at a glance: state, completeness, cost; and, loudly, all that went wrong.

import { freshId, make } from "./elements.js";
import { placeName, valueOf, wordsOf } from "./records.js";
import { seconds } from "./steps.js";

const STATES = { complete: "Complete", partial: "Partial", failed: "Failed", cancelled: "Cancelled", running: "Running", queued: "Waiting" };
const TIERS = {
  structured: ["Data in the page", "no model was needed"],
  recipe: ["Learned recipe", "learned from an earlier page"],
  model: ["Model", "read and proven"],
};
const METHODS = {
  units: "units found on the page",
  stated_total: "as the page itself states",
  single: "one record was asked for",
  structured: "counted in the page’s data",
};
const ADVICE = {
  blocked_address: "If it is a server of your own on this machine, start gleaner serve with --allow-host HOST:PORT.",
  http_status_error: "Open the page in a browser: it may have moved, or require a login.",
  site_in_trouble: "The site has problems or limits requests: try again later.",
  execution_aborted: "Extract again: answered parts are not paid for twice.",
};
const OWN_SERVER = / is (?:loopback|private|shared|unique local|a name for internal use)\b/;
const IN_TROUBLE = / answered (?:429|5\d\d)\b/;
const LISTED = 12;

/** Give the line of figures for a result. */
export function summaryOf(result) {
  const extraction = result.extraction;
  const figures = [make("p", { class: `chip ${result.status}`, data: { status: result.status }, text: STATES[result.status] ?? result.status })];
  const isText = typeof extraction?.data === "string";
  if (extraction && extraction.tier !== "none" && !isText) figures.push(completeness(extraction));
  if (isText && extraction.tier === "model") figures.push(figure("How", "Model", "read the passages below"));
  else if (TIERS[extraction?.tier]) figures.push(figure("How", ...TIERS[extraction.tier]));
  if (extraction) figures.push(cost(extraction.usage));
  const total = result.timings_ms?.total;
  if (total) figures.push(figure("Time", seconds(total / 1000), ""));
  if (extraction?.aggregate_summary) figures.push(collected(extraction));
  return figures;
}

function collected({ aggregate_summary: summary, extraction_id: id }) {
  const [records, pages = ""] = summary.split(/ (?=from \d)/);
  return figure("Collected", records, id ? `${pages} under ${id}` : pages);
}

function figure(name, value, note) {
  return make(
    "div",
    { class: "figure" },
    make("p", { class: "figure-name", text: name }),
    make("p", { class: "figure-value", text: value }),
    make("p", { class: "figure-note", text: note }),
  );
}

function completeness({ completeness: certificate }) {
  const { expected, returned } = certificate;
  const known = expected !== null && expected !== undefined;
  const label = known ? `${returned} of ${expected}` : `${returned}`;
  const none = known && expected === 0;
  const note = none ? "the page has none of those" : known ? METHODS[certificate.method] ?? "" : "the page’s records could not be counted";
  const short = known && returned < expected;
  const box = figure("Records", label, note);
  box.classList.add("completeness", short ? "short" : known && !none ? "whole" : "open");
  box.dataset.completeness = label;
  if (known && expected > 0) {
    const bar = { class: "meter", max: expected, value: Math.min(returned, expected), "aria-label": `${label} records` };
    box.append(make("progress", bar));
  }
  return box;
}

function cost(usage) {
  if (!usage || usage.calls === 0) return figure("Cost", "$0", usage?.cache_hits ? `${usage.cache_hits} answer${usage.cache_hits === 1 ? "" : "s"} from the cache` : "no model call");
  const tokens = `${count(usage.input_tokens + usage.output_tokens)} tokens`;
  const calls = `${usage.calls} model call${usage.calls === 1 ? "" : "s"}`;
  return usage.usd === null || usage.usd === undefined
    ? figure("Cost", tokens, `${calls}, price unknown`)
    : figure("Cost", dollars(usage.usd), [calls, tokens, usage.prices_as_of && `prices of ${usage.prices_as_of}`].filter(Boolean).join(", "));
}

export const count = (number) => number.toLocaleString("en");
export const dollars = (usd) => (usd === 0 ? "$0" : usd < 0.0001 ? "under $0.0001" : `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`);

/** Give the boxes for errors, missing records, rejected values and warnings; `go` jumps to a mark or a value. */
export function noticesOf(result, go) {
  const extraction = result.extraction;
  const withheld = extraction?.withheld ?? [];
  const isWithheld = new Set(withheld.map((one) => one.pointer));
  const rejected = (extraction?.provenance ?? []).filter((entry) => entry.status === "ungrounded" && !isWithheld.has(entry.pointer));
  const shown = { missing_units: extraction?.completeness?.missing?.length, ungrounded: rejected.length + withheld.length };
  const errors = [...(result.error ? [result.error] : []), ...(extraction?.errors ?? [])].filter((one) => !shown[one.error_type]);
  const warnings = [...new Set([...(result.warnings ?? []), ...(extraction?.warnings ?? []), ...(extraction?.conflicts ?? [])])];
  return [
    missingNotice(extraction?.completeness, go),
    errors.length ? notice(errors.every(needsModel) ? "warn" : "bad", headline(errors, result), [...errors.map(errorLine), ...adviceLines(result.error)]) : null,
    withheldNotice(withheld),
    rejectedNotice(rejected, extraction?.data, go),
    doubtNotice((extraction?.provenance ?? []).filter((entry) => entry.doubt), extraction?.data, go),
    warningNotice(warnings),
    declinedNotice(extraction?.declined),
    actionsNotice(result),
  ];
}

const needsModel = (error) => error.error_type === "no_model";

function headline(errors, result) {
  if (result.status === "failed") return "The page could not be read";
  if (errors.every(needsModel)) return "This needs a model";
  return errors.length === 1 ? "A part failed" : `${errors.length} parts failed`;
}

function errorLine({ error_type: type, message, chunk_index: chunk }) {
  const where = chunk === null || chunk === undefined ? "" : ` in chunk ${chunk + 1}`;
  return [make("code", { text: type }), `${where}: ${message}`];
}

/** Say what to do about a failure, where its message does not say so. */
function adviceLines(error) {
  if (!error || (error.error_type === "blocked_address" && !OWN_SERVER.test(error.message))) return [];
  const inTrouble = error.error_type === "http_status_error" && IN_TROUBLE.test(error.message);
  const advice = ADVICE[inTrouble ? "site_in_trouble" : error.error_type];
  return advice ? [[make("span", { class: "soft", text: advice })]] : [];
}

function missingNotice(certificate, go) {
  if (!certificate) return null;
  const { expected, returned, missing } = certificate;
  const short = (expected ?? 0) - returned;
  if (!missing?.length && short <= 0) return null;
  const number = missing?.length || short;
  const isOne = certificate.method === "single" && !missing?.length;
  const title = isOne ? "There is no record" : number === 1 ? "One record of the page is missing" : `${number} records of the page are missing`;
  const lines = (missing ?? []).map((unit) => {
    const jump = { type: "button", class: "jump", on: { click: () => go.toMark(`missing:${unit.unit}`) } };
    return [make("button", jump, make("span", { class: "quote", text: plain(unit.text) || `place ${unit.unit + 1}` }))];
  });
  return notice("bad missing-notice", title, lines);
}

/** Leave out the signs of Markdown in an excerpt: those at its begin, and of stress. */
const plain = (text) => (text ?? "").replace(/^[#>*|\-\s]+/, "").replaceAll("**", "");

/** Give a record in a line: what it has, by name. */
const itemWords = (item) => (item === null || typeof item !== "object" ? wordsOf(item)
  : Object.entries(item).filter(([, value]) => value !== null).map(([name, value]) => `${name}: ${wordsOf(value)}`).join(" · "));

/** Show the records, and items of lists, that are not in the data for want of a required value. */
function withheldNotice(withheld) {
  if (!withheld.length) return null;
  const title = withheld.length === 1 ? "One item was withheld" : `${withheld.length} items were withheld`;
  const lines = withheld.map(({ item, pointer, reason }) => [
    make("strong", { text: itemWords(item) }),
    make("span", { class: "soft why", text: `${placeName(pointer.replace(/\/-(?=\/|$)/g, ""))}: ${reason}` }),
  ]);
  return notice("bad withheld-notice", title, lines);
}

function rejectedNotice(entries, data, go) {
  if (!entries.length) return null;
  const title = entries.length === 1 ? "One value has no proof" : `${entries.length} values have no proof`;
  const lines = entries.map((entry) => {
    const jump = { type: "button", class: "jump", on: { click: () => go.toValue(entry.pointer) } };
    const isKept = ![null, undefined].includes(valueOf(data, entry.pointer));
    const note = `${placeName(entry.pointer)}${isKept ? ", kept" : ""}${entry.reason ? `: ${entry.reason}` : ""}`;
    return [make("button", jump, make(isKept ? "strong" : "del", { text: wordsOf(entry.value) }), make("span", { class: "soft", text: note }))];
  });
  return notice("warn", title, lines);
}

const DEEDS = { rejected: "rejected", accepted: "accepted", hidden: "hidden, as it takes nothing but consent", nothing: "could not be answered" };

/** Say what was done on the page before it was read: a consent dialog, and each step with what it met and changed. */
function actionsNotice({ actions, consent }) {
  const lines = (actions ?? []).map((step) => {
    const changed = [step.met, step.url && step.url !== step.url_before ? `now ${step.url}` : "", ...(step.notes ?? [])].filter(Boolean).join(", ");
    return [make("code", { text: step.action }), make("span", { class: step.error ? "error" : "soft", text: ` ${step.error ?? changed}` })];
  });
  if (consent) lines.unshift([`Consent dialog of ${consent.dialog}: ${DEEDS[consent.did] ?? consent.did}`]);
  if (!lines.length) return null;
  return notice("mild actions-notice", actions?.length ? "Done on the page first" : "Before the page was read", lines);
}

/** Show the values that are kept though another one may be meant. */
function doubtNotice(entries, data, go) {
  if (!entries.length) return null;
  const title = entries.length === 1 ? "One value is in doubt" : `${entries.length} values are in doubt`;
  return notice("warn doubt-notice", title, entries.map((entry) => {
    const jump = { type: "button", class: "jump", on: { click: () => go.toValue(entry.pointer) } };
    const rival = entry.rival ? ` The page also says ${wordsOf(entry.rival.value)}.` : "";
    const words = wordsOf(valueOf(data, entry.pointer) ?? entry.value);
    return [make("button", jump, make("strong", { text: words }), make("span", { class: "soft", text: `${placeName(entry.pointer)}: ${entry.doubt}.${rival}` }))];
  }));
}

/** Say why what was tried before the tier that answered gave no answer. */
function declinedNotice(declined) {
  const lines = Object.entries(declined ?? {}).map(([tier, why]) => [make("strong", { text: TIERS[tier]?.[0] ?? tier }), `: ${why}`]);
  return lines.length ? notice("mild", "Tried without an answer", lines) : null;
}

function warningNotice(warnings) {
  if (!warnings.length) return null;
  const title = warnings.length === 1 ? "One thing to know" : `${warnings.length} things to know`;
  if (warnings.length < 3) return notice("mild", title, warnings.map((text) => [text]));
  const list = make("ul", {}, ...warnings.map((text) => make("li", { text })));
  return make("details", { class: "notice mild" }, make("summary", {}, make("strong", { text: title })), list);
}

/** Give a box with a head and lines; each line is a list of nodes and texts. */
export function notice(kind, title, lines) {
  const id = freshId("notice");
  const list = (some) => make("ul", {}, ...some.map((parts) => make("li", {}, ...parts)));
  const box = make("section", { class: `notice ${kind}`, "aria-labelledby": id }, make("h2", { id, text: title }));
  if (lines.length) box.append(list(lines.slice(0, LISTED)));
  if (lines.length > LISTED) {
    box.append(make("details", {}, make("summary", { text: `${lines.length - LISTED} more` }), list(lines.slice(LISTED))));
  }
  return box;
}
