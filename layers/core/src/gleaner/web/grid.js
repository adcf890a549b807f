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
const SHORT = 20; // characters of a value that is not broken into lines: dates, prices, names

/** Draws one table; `onSelect({pointer, label, value, proofs})` is called for each cell that gets the focus. */
export class Grid {
  constructor(table, proofs, onSelect) {
    Object.assign(this, { table, proofs, onSelect, page: 0 });
    this.titleId = freshId("grid-title");
    this.body = make("tbody");
    this.pager = make("div", { class: "pager" });
    this.element = make(
      "section",
      { class: "grid", "aria-labelledby": this.titleId },
      make("h2", { id: this.titleId, class: "grid-title", text: this.title() }),
      make("div", { class: "grid-scroll" }, this.drawTable()),
      this.pager,
    );
    this.draw();
  }

  title() {
    const { kind, rows, title } = this.table;
    return kind === "list" ? `${title} (${rows.length})` : title;
  }

  drawTable() {
    const isList = this.table.kind === "list";
    const names = isList ? ["#", ...this.table.columns.map((column) => column.label)] : ["Field", "Value"];
    const head = make("tr", {}, ...names.map((name) => make("th", { scope: "col", text: name })));
    const listening = { keydown: (event) => this.onKey(event), focusin: (event) => this.onFocus(event) };
    return make(
      "table",
      { role: "grid", class: isList ? "list" : "single", "aria-labelledby": this.titleId, on: listening },
      make("thead", {}, head),
      this.body,
    );
  }

  draw() {
    const { rows, columns, kind } = this.table;
    const begin = this.page * PAGE;
    const lines = kind === "list"
      ? rows.slice(begin, begin + PAGE).map((row, at) => this.drawRow(String(begin + at + 1), columns.map((column) => [row, column])))
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

  /** Put the focus on the cell that holds a pointer; false when none does. */
  reveal(pointer) {
    const row = this.table.rows.findIndex((one) => pointer === one.pointer || pointer.startsWith(`${one.pointer}/`));
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
