// The page's Markdown with its proofs marked. Long pages are drawn block by block, as they come into view.

import { fill, make } from "./elements.js";

const BLOCK = 5000;
const LONG = 60;
const QUIET = /\]\([^()\s]*\)|^[ \t:|-]{5,}$/gm;
const RANK = { verbatim: 0, normalized: 1, inferred: 2, passage: 3, missing: 4 };

/** Shows one text in `scroller`; `onPick(key)` is called for a mark that is clicked. */
export class PageText {
  constructor(scroller, onPick) {
    this.scroller = scroller;
    this.blocks = [];
    this.watcher = new IntersectionObserver(
      (seen) => seen.filter((one) => one.isIntersecting).forEach((one) => this.draw(this.blockOf.get(one.target))),
      { root: scroller, rootMargin: "400px" },
    );
    scroller.addEventListener("click", (event) => {
      const mark = event.target.closest("mark[data-key]");
      if (mark && !String(getSelection())) onPick(mark.dataset.key);
    });
  }

  /** Show a text and its marks: `{start, end, kind, key}`, in UTF-16 units. */
  show(text, marks) {
    this.text = text;
    this.watcher.disconnect();
    this.blocks = cutBlocks(text).map(([start, end]) => ({ start, end, marks: [], drawn: false }));
    for (const mark of marks) for (const block of this.within(mark.start, mark.end)) block.marks.push(mark);
    this.blockOf = new Map();
    const elements = this.blocks.map((block) => {
      block.element = make("div", { class: "block", text: text.slice(block.start, block.end) });
      this.blockOf.set(block.element, block);
      return block.element;
    });
    this.scroller.classList.toggle("long", elements.length > LONG);
    fill(this.scroller, ...elements);
    elements.forEach((element) => this.watcher.observe(element));
  }

  /** Light up ranges and bring the first into view. */
  light(ranges) {
    this.scroller.querySelectorAll(".lit").forEach((lit) => lit.classList.remove("lit"));
    let first = null;
    for (const range of ranges) {
      for (const block of this.within(range.start, range.end)) {
        this.draw(block);
        for (const part of block.element.querySelectorAll("[data-start]")) {
          if (Number(part.dataset.start) < range.start || Number(part.dataset.end) > range.end) continue;
          part.classList.add("lit");
          first ??= part;
        }
      }
    }
    if (first) this.center(first);
    return first;
  }

  center(element) {
    const move = () => {
      const inner = element.getBoundingClientRect();
      const outer = this.scroller.getBoundingClientRect();
      this.scroller.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
      element.scrollIntoView({ block: "nearest", inline: "nearest" }); // the text itself may be below the window
    };
    move();
    requestAnimationFrame(move); // blocks that came into view may have grown
  }

  within(start, end) {
    return this.blocks.filter((block) => block.start < end && start < block.end);
  }

  draw(block) {
    if (!block || block.drawn) return;
    block.drawn = true;
    fill(block.element, ...drawLines(this.text, block));
  }
}

function cutBlocks(text) {
  const blocks = [];
  let start = 0;
  while (start < text.length) {
    const line = text.indexOf("\n", start + BLOCK);
    const end = line < 0 ? text.length : line + 1;
    blocks.push([start, end]);
    start = end;
  }
  return blocks;
}

function drawLines(text, block) {
  const lines = [];
  const quiet = [...text.slice(block.start, block.end).matchAll(QUIET)].map((found) => {
    const link = found[0].startsWith("](");
    const start = block.start + found.index + (link ? 1 : 0);
    return { start, end: block.start + found.index + found[0].length, kind: "quiet" };
  });
  const spans = [...block.marks, ...quiet].sort((one, other) => one.start - other.start);
  let start = block.start;
  while (start < block.end) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 || newline >= block.end ? block.end : newline;
    lines.push(drawLine(text, start, end, spans));
    start = end + 1;
  }
  return lines;
}

function drawLine(text, start, end, spans) {
  const line = make("div", { class: /^#{1,6} /.test(text.slice(start, start + 7)) ? "line heading" : "line" });
  const mine = spans.filter((span) => span.start < end && start < span.end);
  const edges = new Set([start, end]);
  for (const span of mine) edges.add(Math.max(start, span.start)).add(Math.min(end, span.end));
  const cuts = [...edges].sort((one, other) => one - other);
  let open = [];
  let next = 0;
  for (let at = 0; at + 1 < cuts.length; at += 1) {
    while (next < mine.length && mine[next].start <= cuts[at]) open.push(mine[next++]);
    open = open.filter((span) => span.end > cuts[at]);
    line.append(drawPart(text, cuts[at], cuts[at + 1], open));
  }
  return line;
}

function drawPart(text, start, end, over) {
  const part = text.slice(start, end);
  if (!over.length) return document.createTextNode(part);
  const marks = over.filter((span) => span.kind !== "quiet");
  if (!marks.length) return make("span", { class: "quiet-text", text: part });
  marks.sort((one, other) => RANK[one.kind] - RANK[other.kind] || one.end - one.start - (other.end - other.start));
  const kinds = [...new Set(marks.map((mark) => mark.kind))];
  return make("mark", { class: `proof ${kinds.join(" ")}`, data: { start, end, key: marks[0].key }, text: part });
}
