// Markdown as it reads: headings, lists, tables, code, quotes, links. Built as elements, so that no page brings markup.

import { link, make } from "./elements.js";

// Pages of strangers are read here: no pattern may take more than linear time, and nothing nests without a bound.
const DEEPEST = 20;
const ITEM = /^(\s*)([-*+]|\d+[.)])\s+(.*)$/;

/** Give the elements of a Markdown text. */
export function rendered(markdown, depth = 0) {
  if (depth > DEEPEST) return [make("p", { text: markdown })];
  const lines = markdown.split("\n");
  const blocks = [];
  for (let at = 0; at < lines.length;) {
    const [block, next] = blockAt(lines, at, depth);
    if (block) blocks.push(block);
    at = next;
  }
  return blocks;
}

function blockAt(lines, at, depth) {
  const line = lines[at];
  if (!line.trim()) return [null, at + 1];
  const fence = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
  if (fence) return fenced(lines, at, fence);
  const heading = /^(#{1,6})\s+(.*)$/.exec(line);
  if (heading) return [make(`h${Math.min(6, heading[1].length + 2)}`, { class: `level-${heading[1].length}` }, ...inline(heading[2])), at + 1];
  if (/^\s*([-*_]\s*){3,}$/.test(line)) return [make("hr"), at + 1];
  if (line.includes("|") && isRule(lines[at + 1] ?? "")) return table(lines, at);
  if (ITEM.test(line)) return list(lines, at, depth);
  if (/^\s*>/.test(line)) return quote(lines, at, depth);
  let end = at;
  while (end < lines.length && lines[end].trim() && (end === at || !/^(#{1,6}\s|\s*>|\s*(`{3,}|~{3,}))/.test(lines[end])) && (end === at || !ITEM.test(lines[end]))) end += 1;
  return [make("p", {}, ...inline(lines.slice(at, end).join(" "))), end];
}

function fenced(lines, at, fence) {
  let end = at + 1;
  while (end < lines.length && !lines[end].trimStart().startsWith(fence)) end += 1;
  return [make("pre", {}, make("code", { text: lines.slice(at + 1, end).join("\n") })), end + 1];
}

function quote(lines, at, depth) {
  let end = at;
  while (end < lines.length && /^\s*>/.test(lines[end])) end += 1;
  const inner = lines.slice(at, end).map((line) => line.replace(/^\s*> ?/, "")).join("\n");
  return [make("blockquote", {}, ...rendered(inner, depth + 1)), end];
}

function list(lines, at, depth) {
  const [, indent, sign] = ITEM.exec(lines[at]);
  const items = [];
  let end = at;
  while (end < lines.length) {
    const item = ITEM.exec(lines[end]);
    if (item && item[1].length <= indent.length) items.push([item[3]]);
    else if (items.length && lines[end].trim() && /^\s/.test(lines[end])) items.at(-1).push(lines[end].slice(Math.min(lines[end].search(/\S/), indent.length + 2)));
    else break;
    end += 1;
  }
  const drawn = items.map(([first, ...more]) => make("li", {}, ...inline(first), ...rendered(more.join("\n"), depth + 1)));
  return [make(/\d/.test(sign) ? "ol" : "ul", {}, ...drawn), end];
}

function table(lines, at) {
  const head = cells(lines[at]);
  let end = at + 2;
  while (end < lines.length && lines[end].includes("|") && lines[end].trim()) end += 1;
  const rows = lines.slice(at + 2, end).map((line) => make("tr", {}, ...cells(line).map((cell) => make("td", {}, ...inline(cell)))));
  const top = make("tr", {}, ...head.map((cell) => make("th", { scope: "col" }, ...inline(cell))));
  const scroll = { class: "table-scroll", tabindex: "0", role: "region", "aria-label": "Table of the page" };
  return [make("div", scroll, make("table", {}, make("thead", {}, top), make("tbody", {}, ...rows))), end];
}

const isRule = (line) => line.includes("-") && /^[\s|:-]+$/.test(line) && cells(line).every((cell) => /^:?-+:?$/.test(cell));

const cells = (line) => line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.replaceAll("\\|", "|").trim());

const INLINE = /(?<!`)(`{1,8})(?!`)(.{1,2000}?)(?<!`)\1(?!`)|!\[([^\]]{0,500})\]\([^)]{0,2000}\)|\[([^\]]{0,500})\]\(([^)\s]{0,2000})(?:\s[^)]{0,500})?\)|\*\*(.{1,2000}?)\*\*|__(.{1,2000}?)__|\*([^*\s][^*]{0,2000})\*|<(https?:[^<>\s]{1,2000})>|<br\s{0,9}\/?>|\\([\\`*_{}[\]()#+\-.!|<>~])/g;

function* parts(text) {
  let at = 0;
  for (const found of text.matchAll(INLINE)) {
    if (found.index > at) yield text.slice(at, found.index);
    const [, , code, image, words, target, bold, strong, italic, address, escaped] = found;
    if (code !== undefined) yield make("code", { text: code });
    else if (image !== undefined) yield make("span", { class: "soft", text: image ? `[image: ${image}]` : "[image]" });
    else if (words !== undefined) yield link(target, words || target);
    else if (bold ?? strong) yield make("strong", {}, ...inline(bold ?? strong));
    else if (italic !== undefined) yield make("em", { text: italic });
    else if (address !== undefined) yield link(address);
    else if (escaped !== undefined) yield escaped;
    else yield make("br");
    at = found.index + found[0].length;
  }
  if (at < text.length) yield text.slice(at);
}

const inline = (text) => [...parts(text)];
