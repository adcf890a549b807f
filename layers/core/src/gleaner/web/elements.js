// Elements made by name. Text always goes in as text: what a page says is never markup here.

/** Give an element. `text`, `class`, `data`, `on` are special; other keys are attributes (false and null leave out). */
export function make(tag, settings = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(settings)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "text") element.textContent = value;
    else if (name === "class") element.className = value;
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name === "on") for (const [kind, act] of Object.entries(value)) element.addEventListener(kind, act);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export const byId = (id) => document.getElementById(id);

/** Put these children in the place of all others. */
export function fill(element, ...children) {
  element.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Give a link for http and https addresses, else plain text. */
export function link(address, text = address) {
  if (!/^https?:\/\//i.test(address)) return document.createTextNode(text);
  return make("a", { href: address, target: "_blank", rel: "noopener noreferrer", text });
}

let last = 0;

/** Give an id that this page has not used. */
export function freshId(stem) {
  last += 1;
  return `${stem}-${last}`;
}

/** Say something to screen readers. */
export function announce(text) {
  const live = byId("live");
  if (live.textContent !== text) live.textContent = text;
}
