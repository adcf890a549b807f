// The steps of a job as a rail that fills from left to right.

import { announce, byId, fill, make } from "./elements.js";

const STEPS = [
  ["plan_scrape", "Plan", "Checking the request"],
  ["probe_media", "Probe", "Checking what is at the address"],
  ["render_page", "Render", "Rendering the page"],
  ["read_document", "Document", "Reading the document"],
  ["chunk_page", "Read", "Cutting the page into Markdown"],
  ["extract_chunk", "Extract", "Extracting records"],
  ["aggregate_results", "Prove", "Merging and proving"],
];
const STEPS_OF_LISTINGS = [STEPS[0], ["follow_listing", "Pages", "Reading the listing's pages"]];

/** Draw the rail for a job record; `ended` marks steps that never began as skipped. */
export function drawSteps(job, ended = false) {
  const steps = stepsOf(job);
  const runs = new Map(steps.map(([name]) => [name, []]));
  for (const step of job.steps ?? []) runs.get(step.name)?.push(step);
  const states = steps.map(([name]) => stateOf(runs.get(name), ended, job.status));
  fill(byId("rail"), ...steps.map(([name, label], at) => item(name, label, states[at], runs.get(name), job)));
  const current = states.lastIndexOf("running");
  const doing = current >= 0 ? `${steps[current][2]}…` : "";
  if (doing) announce(doing);
  if (byId("doing")) byId("doing").textContent = doing || unseenWork(job);
}

/** The steps of a page, those of a document, which is not rendered, or those of a listing, whose pages are jobs. */
function stepsOf(job) {
  const begun = new Set((job.steps ?? []).map((step) => step.name));
  if (begun.has("follow_listing")) return STEPS_OF_LISTINGS;
  return STEPS.filter(([name]) => name !== (begun.has("read_document") ? "render_page" : "read_document"));
}

/** What to say where no step is told. */
function unseenWork(job) {
  return job.status === "queued" ? "Waiting for its turn…" : "Working…";
}

function stateOf(runs, ended, status) {
  if (!runs.length && ended) return status === "failed" || status === "cancelled" ? "unreached" : "skipped";
  if (!runs.length) return "waiting";
  if (runs.some((run) => run.status === "running")) return ended ? "stopped" : "running";
  if (runs.at(-1).status === "failed" && (!ended || status !== "complete")) return "failed";
  return "done";
}

const WORDS = { waiting: "not begun", running: "running", done: "done", failed: "failed", skipped: "skipped", unreached: "not reached", stopped: "stopped" };

function item(name, label, state, runs, job) {
  return make(
    "li",
    { class: "step", data: { step: name, state }, "aria-current": state === "running" ? "step" : null },
    make("span", { class: "bead", "aria-hidden": "true" }),
    make("span", { class: "step-name", text: label }),
    make("span", { class: "step-note", text: note(name, state, runs, job) }),
    make("span", { class: "unseen", text: `, ${WORDS[state]}` }),
  );
}

function note(name, state, runs, job) {
  if (state === "skipped" || state === "unreached") return WORDS[state];
  if (!runs.length) return "\u00a0";
  const chunks = name === "extract_chunk" ? Math.max(job.chunks_total ?? 0, runs.length) : 0;
  const known = runs.filter((run) => run.started_at);
  const now = Date.now() / 1000;
  const begin = Math.min(...known.map((run) => run.started_at));
  const end = Math.max(...known.map((run) => run.ended_at ?? now));
  const time = known.length ? seconds(Math.max(0, end - begin)) : WORDS[state]; // the cloud tells no times
  if (chunks < 2) return time;
  return state === "running" ? `${job.chunks_done} of ${chunks} chunks` : `${chunks} chunks, ${time}`;
}

/** Give a length of time for people. */
export function seconds(length) {
  if (length < 1) return `${Math.round(length * 1000)} ms`;
  return length < 60 ? `${length.toFixed(1)} s` : `${Math.floor(length / 60)} min ${Math.round(length % 60)} s`;
}
