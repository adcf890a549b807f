// A table whose cells are moved through with the arrow keys; the cell in focus is the one that is proven.

import { fill, freshId, make } from "./elements.js";
import { statusOf, valueAt, wordsOf } from "./records.js";

export const STATUS_WORDS = {
  verbatim: "word for word",
  normalized: "stated in another form",
  inferred: "inferred",
  ungrounded: "not on the page",
};
const PAGE = 100;
const FILTERED = 5; // rows from which on a list can be filtered
const SHORT = 20; // characters of a value that is not broken into lines: dates, prices, names

/** Draws one table; `onSelect({pointer, label, value, proofs})` is called for each cell that gets the focus. */
export class Grid {
  constructor(table, proofs, onSelect) {
    Object.assign(this, { table, proofs, onSelect, page: 0, rows: table.rows, sorted: null, words: "" });
    this.titleId = freshId("grid-title");
    this.body = make("tbody");
    this.pager = make("div", { class: "pager" });
    this.element = make(
      "section",
      { class: "grid", "aria-labelledby": this.titleId },
      make("div", { class: "row grid-head" }, make("h2", { id: this.titleId, class: "grid-title", text: this.title() }), this.filter()),
      make("div", { class: "grid-scroll" }, this.drawTable()),
      this.pager,
    );
    this.draw();
  }

  title() {
    const { kind, rows, title } = this.table;
    const shown = this.rows.length < rows.length ? `${this.rows.length} of ${rows.length}` : rows.length;
    return kind === "list" ? `${title} (${shown})` : title;
  }

  drawTable() {
    const isList = this.table.kind === "list";
    const names = isList ? ["#", ...this.table.columns.map((column) => column.label)] : ["Field", "Value"];
    const heads = names.map((name, at) => this.drawHead(name, isList && at > 0 ? this.table.columns[at - 1] : null));
    const head = make("tr", {}, ...heads);
    const listening = { keydown: (event) => this.onKey(event), focusin: (event) => this.onFocus(event) };
    return make(
      "table",
      { role: "grid", class: isList ? "list" : "single", "aria-labelledby": this.titleId, on: listening },
      make("thead", {}, head),
      this.body,
    );
  }

  /** Give the field that filters a long list; none for a short one. */
  filter() {
    if (this.table.kind !== "list" || this.table.rows.length < FILTERED) return null;
    const change = ({ target }) => { this.words = target.value; this.arrange(); };
    return make("input", { type: "search", class: "filter", placeholder: "Filter", "aria-label": `Filter ${this.table.title}`, on: { input: change } });
  }

  drawHead(name, column) {
    if (!column) return make("th", { scope: "col", text: name });
    const head = make("th", { scope: "col", "aria-sort": "none" });
    const sort = () => {
      const isDown = this.sorted?.column === column && !this.sorted.isDown;
      this.sorted = this.sorted?.column === column && this.sorted.isDown ? null : { column, isDown };
      for (const other of head.parentElement.children) if (other.hasAttribute("aria-sort")) other.setAttribute("aria-sort", "none");
      if (this.sorted) head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
      this.arrange();
    };
    head.append(make("button", { class: "sort", type: "button", text: name, title: "Sort", on: { click: sort } }));
    return head;
  }

  /** Show the rows that hold the filter's words, sorted as a head says. */
  arrange() {
    const { rows, columns } = this.table;
    const words = this.words.toLowerCase().split(/\s+/).filter(Boolean);
    const textOf = (row) => columns.map((column) => wordsOf(valueAt(row, column))).join(" ").toLowerCase();
    this.rows = words.length ? rows.filter((row) => { const text = textOf(row); return words.every((word) => text.includes(word)); }) : [...rows];
    if (this.sorted) {
      const { column, isDown } = this.sorted;
      this.rows.sort((one, other) => compare(valueAt(one, column), valueAt(other, column), isDown));
    }
    this.page = 0;
    this.element.querySelector("h2").textContent = this.title();
    this.draw();
  }

  draw() {
    const { columns, kind } = this.table;
    const { rows } = this;
    const begin = this.page * PAGE;
    const lines = kind === "list"
      ? rows.slice(begin, begin + PAGE).map((row) => this.drawRow(String(this.table.rows.indexOf(row) + 1), columns.map((column) => [row, column])))
      : columns.map((column) => this.drawRow(column.label, [[rows[0], column]]));
    fill(this.body, ...lines);
    this.cells = [...this.body.rows].map((line) => [...line.querySelectorAll("td")]);
    if (this.cells[0]?.[0]) this.cells[0][0].tabIndex = 0;
    this.drawPager(rows.length, begin);
  }

  drawRow(name, places) {
    const cells = places.map(([row, column]) => this.drawCell(row, column));
    return make("tr", {}, make("th", { scope: "row", text: name }), ...cells);
  }

  drawCell(row, column) {
    const pointer = row.pointer + column.key;
    const value = valueAt(row, column);
    const proofs = this.proofs.of(pointer);
    const status = statusOf(proofs);
    const cell = make("td", { role: "gridcell", tabindex: "-1", "aria-selected": "false", data: { pointer } });
    cell.selection = { pointer, label: column.label, row: this.rowName(row), value, proofs };
    if (status) cell.dataset.status = status;
    if (typeof value === "number") cell.classList.add("number");
    if (wordsOf(value).length <= SHORT) cell.classList.add("short");
    cell.append(...contentOf(value, proofs));
    if (status) cell.append(make("span", { class: "unseen", text: ` (${STATUS_WORDS[status]})` }));
    if (proofs.some((entry) => entry.doubt)) cell.append(make("span", { class: "doubt", title: "In doubt", text: "?" }), make("span", { class: "unseen", text: " (in doubt)" }));
    return cell;
  }

  rowName(row) {
    const { kind, rows, title } = this.table;
    return kind === "list" ? `${title === "Records" ? "Record" : title} ${rows.indexOf(row) + 1}` : title;
  }

  drawPager(count, begin) {
    if (this.table.kind !== "list" || count <= PAGE) return;
    const turn = (by) => () => { this.page += by; this.draw(); this.element.scrollIntoView({ block: "nearest" }); };
    fill(
      this.pager,
      make("button", { class: "small", type: "button", text: "Previous", disabled: this.page === 0, on: { click: turn(-1) } }),
      make("span", { text: `${begin + 1}–${Math.min(begin + PAGE, count)} of ${count}` }),
      make("button", { class: "small", type: "button", text: "Next", disabled: begin + PAGE >= count, on: { click: turn(1) } }),
    );
  }

  onFocus(event) {
    const cell = event.target.closest("td");
    if (!cell) return;
    for (const other of this.body.querySelectorAll("td[tabindex='0'], td[aria-selected='true']")) {
      other.tabIndex = -1;
      other.setAttribute("aria-selected", "false");
    }
    cell.tabIndex = 0;
    cell.setAttribute("aria-selected", "true");
    this.onSelect(cell.selection, cell);
  }

  onKey(event) {
    const at = this.placeOf(event.target.closest("td"));
    const to = at && nextPlace(event, at, this.cells);
    if (!to) return;
    event.preventDefault();
    this.cells[to.row][to.column].focus();
  }

  placeOf(cell) {
    const row = this.cells.findIndex((cells) => cells.includes(cell));
    return row < 0 ? null : { row, column: this.cells[row].indexOf(cell) };
  }

  showAll() {
    this.words = "";
    const field = this.element.querySelector(".filter");
    if (field) field.value = "";
    this.arrange();
  }

  /** Put the focus on the cell that holds a pointer; false when none does. */
  reveal(pointer) {
    const isHere = (one) => pointer === one.pointer || pointer.startsWith(`${one.pointer}/`);
    if (!this.rows.some(isHere) && this.table.rows.some(isHere)) this.showAll();
    const row = this.rows.findIndex((one) => pointer === one.pointer || pointer.startsWith(`${one.pointer}/`));
    if (row < 0) return false;
    if (this.table.kind === "list" && Math.floor(row / PAGE) !== this.page) {
      this.page = Math.floor(row / PAGE);
      this.draw();
    }
    const cell = this.cells.flat().find((one) => isWithin(pointer, one.dataset.pointer));
    cell?.focus({ preventScroll: true });
    cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
    return Boolean(cell);
  }
}

/** Order two values: numbers by size, texts as people order them, nothing last whichever way. */
function compare(one, other, isDown) {
  const [isNone, isOtherNone] = [one, other].map((value) => value === null || value === undefined);
  if (isNone || isOtherNone) return Number(isNone) - Number(isOtherNone);
  const both = typeof one === "number" && typeof other === "number";
  const order = both ? one - other : wordsOf(one).localeCompare(wordsOf(other), undefined, { numeric: true, sensitivity: "base" });
  return isDown ? -order : order;
}

const isWithin = (pointer, outer) => pointer === outer || pointer.startsWith(`${outer}/`);

function contentOf(value, proofs) {
  const rejected = proofs.filter((entry) => entry.status === "ungrounded" && entry.value !== undefined);
  if ((value === null || value === undefined) && rejected.length) {
    return rejected.map((entry) => make("del", { class: "rejected", text: wordsOf(entry.value) }));
  }
  if (value === null || value === undefined) return [make("span", { class: "nothing", text: "—" })];
  return [make("span", { class: "value", text: wordsOf(value) })];
}

function nextPlace(event, { row, column }, cells) {
  const lastRow = cells.length - 1;
  const lastColumn = cells[row].length - 1;
  const moves = {
    ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1],
    Home: [event.ctrlKey ? 0 : row, 0], End: [event.ctrlKey ? lastRow : row, lastColumn],
    PageUp: [Math.max(0, row - 10), column], PageDown: [Math.min(lastRow, row + 10), column],
  };
  const to = moves[event.key];
  if (!to || to[0] < 0 || to[0] > lastRow || to[1] < 0 || to[1] > lastColumn) return null;
  return { row: to[0], column: to[1] };
}
