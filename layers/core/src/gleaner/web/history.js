// The jobs that this browser has started, the last one first. Kept in this browser alone.

import { fill, make } from "./elements.js";

const KEY = "gleaner-jobs";
const KEPT = 30;

export function readJobs() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

function keep(jobs) {
  try {
    localStorage.setItem(KEY, JSON.stringify(jobs.slice(0, KEPT)));
  } catch {
    // a browser that keeps nothing has no history
  }
}

/** Note a job's begin, or what became of it. */
export function noteJob(job) {
  const others = readJobs().filter((one) => one.id !== job.id);
  const known = readJobs().find((one) => one.id === job.id) ?? { at: Date.now() };
  keep([{ ...known, ...job }, ...others].sort((one, other) => other.at - one.at));
}

/** Fill the list of jobs. */
export function drawJobs(host) {
  const jobs = readJobs();
  if (!jobs.length) {
    fill(host, make("p", { class: "help", text: "No jobs yet. What you run here is listed, in this browser alone." }));
    return;
  }
  const items = jobs.map((job) =>
    make("li", {},
      make("a", { href: job.href ?? `./#job=${job.id}` }, make("span", { class: "job-url", text: job.url ?? job.id })),
      make("span", { class: "soft", text: [job.status ?? "running", job.records, new Date(job.at).toLocaleString()].filter(Boolean).join(" · ") })));
  const clear = make("button", { class: "small", type: "button", text: "Clear the list", on: { click: () => { keep([]); drawJobs(host); } } });
  fill(host, make("ul", { class: "jobs" }, ...items), clear);
}

/** Close a menu by Escape, or by a click beside it. */
export function readyMenu(menu, onOpen) {
  menu.addEventListener("toggle", () => { if (menu.open) onOpen?.(); });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  document.addEventListener("click", (event) => { if (!menu.contains(event.target)) menu.open = false; });
}
