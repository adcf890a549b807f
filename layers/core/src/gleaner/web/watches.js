// The page of watches: what is watched, and what changed in each run, field by field, with the proof of both values.

import { actOnWatch, deleteWatch, Problem, readJson } from "./api.js";
import { downloadText } from "./download.js";
import { announce, byId, fill, link, make } from "./elements.js";
import { csvOf } from "./records.js";
import { keepTheme } from "./theme.js";

const MOST_CHANGES = 200;

const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value ?? null));
const every = (seconds) => (seconds % 86_400 === 0 ? `${seconds / 86_400} d` : seconds % 3_600 === 0 ? `${seconds / 3_600} h` : `${seconds / 60} min`);
const when = (seconds) => new Date(seconds * 1000).toLocaleString();
const isGiven = (id) => !/^w[0-9a-f]{16}$/.test(id);

/** Give what a person calls a watch: its name if it was given one, else the page that it reads. */
function nameOf({ watch_id: id, request }) {
  if (isGiven(id)) return id;
  try {
    const { host, pathname } = new URL(request.url);
    return host + (pathname === "/" ? "" : decodeURI(pathname));
  } catch {
    return request.url ?? id;
  }
}

function proofOf(proof, said) {
  if (!proof) return null;
  const where = /^https?:/.test(proof.url ?? "") ? link(proof.url, new URL(proof.url).host + new URL(proof.url).pathname) : "";
  return make("span", { class: "watch-note" }, `${said}: “${proof.text ?? proof.status}” `, where);
}

function changedRecord({ key, record, fields }) {
  const head = Object.keys(key).length > 0 ? key : record;
  const lines = fields.map(({ field, old, new: now, old_proof, new_proof }) =>
    make("p", { data: { field } }, `${field.slice(1)}: `, make("del", { text: shown(old) }), " ",
      make("ins", { text: shown(now) }), proofOf(old_proof, "before"), proofOf(new_proof, "now")));
  return make("div", { class: "watch-change changed" }, make("strong", { text: Object.values(head).map(shown).join(" · ") }), ...lines);
}

const wholeRecord = (kind) => ({ record }) =>
  make("div", { class: `watch-change ${kind}` }, make(kind === "new" ? "ins" : "del", {
    text: Object.entries(record ?? {}).map(([name, value]) => `${name}: ${shown(value)}`).join(" · "),
  }));

const changesOf = async (watch, run) => (await readJson(`v1/watches/${encodeURIComponent(watch)}/runs/${encodeURIComponent(run.run_id)}`)).changes;

async function openRun(watch, run, details) {
  if (details.dataset.read) return;
  details.dataset.read = "yes";
  const changes = await changesOf(watch, run);
  const all = [...changes.new.map(wholeRecord("new")), ...changes.changed.map(changedRecord), ...changes.removed.map(wholeRecord("removed"))];
  details.append(...all.slice(0, MOST_CHANGES));
  if (all.length > MOST_CHANGES) details.append(make("p", { class: "soft", text: `and ${all.length - MOST_CHANGES} more; the CSV file has all` }));
}

function runShown(watch, run) {
  const counts = Object.entries(run.counts ?? {}).filter(([, count]) => count > 0)
    .map(([kind, count]) => make("span", { class: `watch-count ${kind}`, text: `${count} ${kind}` }));
  const state = counts.length > 0 ? counts : [make("span", { class: `watch-count ${run.status}`, text: run.status })];
  const said = run.said || (counts.length > 0 || run.records == null ? "" : `${run.records} record${run.records === 1 ? "" : "s"}`);
  const told = [when(run.at), ...state, said ? make("span", { class: "watch-note", text: said }) : null];
  if (counts.length === 0) return make("li", {}, make("p", { class: "watch-run" }, ...told));
  const details = make("details", { class: "watch-run" }, make("summary", {}, ...told));
  details.addEventListener("toggle", () => attempt(() => openRun(watch, run, details)));
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

/** Save all changes of all runs, a line each. */
async function saveChanges(watch, runs) {
  const lines = [];
  for (const run of runs.filter((one) => Object.values(one.counts ?? {}).some((count) => count > 0))) {
    const changes = await changesOf(watch.watch_id, run);
    const at = new Date(run.at * 1000).toISOString();
    for (const { key, record, fields } of changes.changed) {
      for (const { field, old, new: now } of fields) lines.push({ at, change: "changed", record: shown(Object.keys(key).length ? key : record), field: field.slice(1), old, new: now });
    }
    for (const kind of ["new", "removed"]) for (const { record } of changes[kind]) lines.push({ at, change: kind, record: shown(record), field: "", old: null, new: null });
  }
  downloadText(`${watch.watch_id}.csv`, "text/csv", csvOf(lines));
}

function drawActs(watch, runs) {
  const act = (text, does) => make("button", { class: "small", type: "button", text, on: { click: () => attempt(does) } });
  const paused = Boolean(watch.paused);
  const remove = act("Delete", async () => {
    if (remove.textContent === "Delete") {
      remove.textContent = "Delete it and its history?";
      return;
    }
    await deleteWatch(watch.watch_id);
    announce("The watch was deleted");
    await list();
  });
  fill(byId("acts"),
    act("Run now", async () => { await actOnWatch(watch.watch_id, "runs"); announce("A run has begun"); byId("history-title").textContent = `${nameOf(watch)}: a run has begun`; }),
    act(paused ? "Resume" : "Pause", async () => { await actOnWatch(watch.watch_id, paused ? "resume" : "pause"); await list(watch.watch_id); }),
    act("Download CSV", () => saveChanges(watch, runs)),
    remove);
  byId("acts").hidden = false;
}

async function choose(watch, button) {
  for (const other of document.querySelectorAll(".watch-choice")) other.setAttribute("aria-pressed", other === button);
  const runs = [];
  for (let after = ""; after !== null;) {
    const page = await readJson(`v1/watches/${encodeURIComponent(watch.watch_id)}/runs?limit=100${after ? `&after=${encodeURIComponent(after)}` : ""}`);
    runs.push(...page.runs);
    after = page.next ?? null;
  }
  runs.reverse();
  byId("history-title").textContent = nameOf(watch);
  drawActs(watch, runs);
  fill(byId("runs"), ...(runs.length ? runs.map((run) => runShown(watch.watch_id, run)) : [make("li", { class: "soft", text: "No run yet." })]));
}

async function list(chosen) {
  const { watches } = await readJson("v1/watches?limit=500");
  byId("none").hidden = watches.length > 0;
  byId("history").hidden = watches.length === 0;
  byId("acts").hidden = true;
  byId("history-title").textContent = "History";
  fill(byId("runs"));
  const buttons = watches.map((watch) => make("button", {
    class: "watch-choice", type: "button", "aria-pressed": "false", data: { watch: watch.watch_id },
    on: { click: (event) => attempt(() => choose(watch, event.currentTarget)) },
  }, make("strong", { text: nameOf(watch) }), make("span", { class: "watch-note", text: `${watch.request.url} · ${watch.paused ? "paused" : `every ${every(watch.every_s)}`}` })));
  fill(byId("watches"), ...buttons.map((button) => make("li", {}, button)));
  (buttons.find((button) => button.dataset.watch === chosen) ?? buttons[0])?.click();
}

keepTheme(byId("theme"));
await attempt(() => list());
