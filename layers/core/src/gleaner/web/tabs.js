// Tabs after the ARIA pattern: arrow keys move, only the chosen tab is in the tab order.

import { fill, freshId, make } from "./elements.js";

/** Fill `host` with tabs: `{name, label, draw}`; a panel is drawn when it is first shown. Gives `show(name)`. */
export function drawTabs(host, tabs) {
  const group = freshId("tabs");
  const strip = make("div", { role: "tablist", class: "strip", "aria-label": "Views of the result" });
  const panels = new Map();
  const buttons = tabs.map(({ name, label }) => {
    const ids = { id: `${group}-${name}`, "aria-controls": `${group}-${name}-panel` };
    return make("button", { ...ids, type: "button", role: "tab", data: { tab: name }, text: label, on: { click: () => show(name) } });
  });
  const bodies = tabs.map(({ name }) =>
    make("div", { id: `${group}-${name}-panel`, role: "tabpanel", class: `panel ${name}`, "aria-labelledby": `${group}-${name}`, hidden: true }),
  );
  strip.append(...buttons);
  strip.addEventListener("keydown", (event) => {
    const at = buttons.indexOf(event.target);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const next = buttons[(to + buttons.length) % buttons.length];
    next.focus();
    next.click();
  });
  fill(host, strip, ...bodies);

  function show(name) {
    tabs.forEach((tab, at) => {
      const chosen = tab.name === name;
      buttons[at].setAttribute("aria-selected", String(chosen));
      buttons[at].tabIndex = chosen ? 0 : -1;
      bodies[at].hidden = !chosen;
    });
    if (!panels.has(name)) {
      const at = tabs.findIndex((tab) => tab.name === name);
      panels.set(name, true);
      tabs[at].draw(bodies[at]);
    }
  }

  if (tabs.length) show(tabs[0].name);
  return show;
}
