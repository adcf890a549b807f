// The page of watches: what is watched, and what changed in each run, field by field, with the proof of both values.

import { Problem, readJson } from "./api.js";
import { byId, fill, link, make } from "./elements.js";

const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value ?? null));
const every = (seconds) => (seconds % 86_400 === 0 ? `${seconds / 86_400} d` : seconds % 3_600 === 0 ? `${seconds / 3_600} h` : `${seconds / 60} min`);
const when = (seconds) => new Date(seconds * 1000).toLocaleString();

function proofOf(proof, said) {
  if (!proof) return null;
  const where = proof.url ? link(proof.url, new URL(proof.url).host + new URL(proof.url).pathname) : "";
  return make("span", { class: "proof" }, `${said}: “${proof.text ?? proof.status}” `, where);
}

function changedRecord({ key, record, fields }) {
  const head = Object.keys(key).length > 0 ? key : record;
  const lines = fields.map(({ field, old, new: now, old_proof, new_proof }) =>
    make("p", { data: { field } }, `${field.slice(1)}: `, make("del", { text: shown(old) }), " ",
      make("ins", { text: shown(now) }), proofOf(old_proof, "before"), proofOf(new_proof, "now")));
  return make("div", { class: "change changed" }, make("strong", { text: Object.values(head).map(shown).join(" · ") }), ...lines);
}

const wholeRecord = (kind) => ({ record }) =>
  make("div", { class: `change ${kind}` }, make(kind === "new" ? "ins" : "del", {
    text: Object.entries(record ?? {}).map(([name, value]) => `${name}: ${shown(value)}`).join(" · "),
  }));

async function openRun(watch, run, details) {
  if (details.dataset.read) return;
  details.dataset.read = "yes";
  const { changes } = await readJson(`v1/watches/${encodeURIComponent(watch)}/runs/${encodeURIComponent(run.run_id)}`);
  details.append(...changes.new.map(wholeRecord("new")), ...changes.changed.map(changedRecord),
    ...changes.removed.map(wholeRecord("removed")));
}

function runShown(watch, run) {
  const counts = Object.entries(run.counts ?? {}).filter(([, count]) => count > 0)
    .map(([kind, count]) => make("span", { class: `what ${kind}`, text: `${count} ${kind}` }));
  const state = counts.length > 0 ? counts : [make("span", { class: `what ${run.status}`, text: run.status })];
  const summary = make("summary", {}, when(run.at), ...state, run.said ? make("span", { class: "proof", text: run.said }) : null);
  const details = make("details", { class: "run" }, summary);
  if (counts.length > 0) details.addEventListener("toggle", () => attempt(() => openRun(watch, run, details)));
  return make("li", {}, details);
}

async function attempt(act) {
  const trouble = byId("trouble");
  trouble.hidden = true;
  try {
    await act();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    trouble.textContent = error.message;
    trouble.hidden = false;
  }
}

async function choose(watch, button) {
  for (const other of document.querySelectorAll("#watches button")) other.setAttribute("aria-pressed", other === button);
  const runs = [];
  for (let after = ""; after !== null;) {
    const page = await readJson(`v1/watches/${encodeURIComponent(watch)}/runs?limit=100${after ? `&after=${encodeURIComponent(after)}` : ""}`);
    runs.push(...page.runs);
    after = page.next ?? null;
  }
  fill(byId("runs"), ...runs.reverse().map((run) => runShown(watch, run)));
}

await attempt(async () => {
  const { watches } = await readJson("v1/watches?limit=500");
  byId("none").hidden = watches.length > 0;
  const buttons = watches.map(({ watch_id, request, every_s }) => make("button", {
    type: "button", "aria-pressed": "false",
    on: { click: (event) => attempt(() => choose(watch_id, event.currentTarget)) },
  }, make("strong", { text: watch_id }), make("span", { class: "proof", text: `${request.url} · every ${every(every_s)}` })));
  fill(byId("watches"), ...buttons.map((button) => make("li", {}, button)));
  buttons[0]?.click();
});
