// Scrolls a page to its end as a reader does, and tells whether its lists have grown by that. Runs in an isolated world.
// "down" notes what is there and scrolls, false where nothing can be scrolled; "press" notes it and presses a control that
// loads more, false where there is none; "grown" counts the items that have come to lists since; "probe" scrolls lists that
// may draw only what is in view to their end, and "sift" leaves aside those that stay as they are, and is false where none
// is left; "top" and "step" go through those that are, and "drawn" tells whether the rows are there by now; "back" goes to where it all began.
(async (order, words) => {
  "use strict";
  const least = 3;
  const state = (globalThis.gleanerScrolling ??= { known: new WeakSet(), places: new Map() });
  // Listeners are told of a scroll in the next frame, observers of intersections behind it; frames may be rare.
  const frames = async () => {
    const drawn = (done) => requestAnimationFrame(() => requestAnimationFrame(done));
    await Promise.race([new Promise(drawn), new Promise((done) => setTimeout(done, 400))]);
  };
  const kindOf = (element) => `${element.localName}.${element.className}`;
  // All elements of the page, those in open shadow trees too.
  const within = (root) => [...root.querySelectorAll("*")].flatMap((element) =>
    element.shadowRoot ? [element, ...within(element.shadowRoot)] : [element]);
  const parents = () => [document.body, ...within(document.body)].flatMap((element) =>
    element.shadowRoot ? [element, element.shadowRoot] : [element]);
  const says = (element) => element.textContent.trim() !== "";

  const boxes = () => {
    const root = document.scrollingElement;
    const found = root && root.scrollHeight > innerHeight + 20 ? [root] : [];
    for (const element of within(document.body)) {
      if (element.clientHeight < innerHeight * 0.4 || element.scrollHeight <= element.clientHeight + 20) continue;
      if (element !== root && /^(auto|scroll)$/.test(getComputedStyle(element).overflowY)) found.push(element);
    }
    return found.slice(0, 5);
  };

  const note = () => {
    for (const parent of parents()) state.known.add(parent);
  };

  const down = async () => {
    const found = boxes();
    if (found.length === 0) return false;
    note();
    for (const box of found) if (!state.places.has(box)) state.places.set(box, box.scrollTop);
    for (const above of [1.5, 0]) { // what loads more may stand above a footer as high as the window
      for (const box of found) {
        const top = box.scrollHeight - box.clientHeight * (1 + above);
        box.scrollTo({ top: Math.max(top, 0), behavior: "instant" });
      }
      await frames();
    }
    return true;
  };

  // A control says that it loads more, can be pressed, leads to no other page, and is not of one item among several.
  const controls = 'button, [role=button], input[type=button], a:not([href]), a[href^="#"], a[href^="javascript:"]';
  const loadsMore = (element) => {
    const said = [element.innerText || element.value || "", element.getAttribute("aria-label") || ""];
    return said.map((text) => text.trim().toLowerCase().replace(/\s+/g, " ")).some((text) =>
      words.some((word) => text === word || (text.startsWith(`${word} `) && text.length < word.length + 30)));
  };
  const isOfAnItem = (element) => {
    for (let part = element; part.parentElement && part !== document.body; part = part.parentElement) {
      const alike = [...part.parentElement.children].filter((other) => kindOf(other) === kindOf(part));
      if (alike.length >= least && part.textContent.length > element.textContent.length) return true;
    }
    return false;
  };
  const canBePressed = (element) => !element.disabled && element.getAttribute("aria-disabled") !== "true" &&
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const press = () => {
    const found = within(document.body).filter((element) => element.matches(controls) &&
      loadsMore(element) && canBePressed(element) && !isOfAnItem(element));
    if (found.length === 0) return false;
    note();
    found.at(-1).click();
    return true;
  };

  // New siblings of items; another batch of such, in a box like the one before it; or what fills a box that held the place
  // of a batch. Paragraphs are no items of a list.
  const itemsIn = (parent) => {
    const fresh = [...parent.children].filter((child) => !state.known.has(child) && says(child));
    if (fresh.length === 0) return 0;
    const before = [...parent.children].filter((child) => state.known.has(child) && says(child));
    const counts = new Map();
    for (const { localName } of before) counts.set(localName, (counts.get(localName) || 0) + 1);
    const items = fresh.filter((child) => counts.get(child.localName) >= least);
    if (items.length > 0) return items.some((item) => item.localName !== "p") ? items.length : 0;
    if (before.length === 0) return fillOf(parent, fresh);
    const last = before.at(-1);
    const batches = fresh.filter((child) => last && kindOf(child) === kindOf(last) && isBatchLike(child, last));
    return batches.reduce((count, batch) => count + batch.childElementCount, 0);
  };
  const isBatchLike = (batch, other) => {
    const [first, second] = [batch.firstElementChild, other.firstElementChild];
    if (Math.min(batch.childElementCount, other.childElementCount * least) < 1 || !first || !second) return false;
    const alike = [...other.children].filter((child) => kindOf(child) === kindOf(second)).length;
    return alike >= least && kindOf(first) === kindOf(second) && first.localName !== "p";
  };
  // What fills a box counts where items like it stand beside the box, or in the box before it.
  const fillOf = (box, fresh) => {
    const others = [...(box.parentElement ? box.parentElement.children : [])].filter((other) => other !== box && state.known.has(other));
    const like = (item, all) => item.localName !== "p" && all.filter((other) => kindOf(other) === kindOf(item) && says(other)).length >= least;
    const inBox = box.previousElementSibling ? [...box.previousElementSibling.children] : [];
    return fresh.filter((item) => like(item, others) || like(item, inBox)).length;
  };
  const grown = () => {
    let count = 0;
    for (const parent of parents()) {
      if (state.known.has(parent) && parent.childElementCount > 0) count += itemsIn(parent);
    }
    return count;
  };

  const back = () => {
    for (const [box, top] of state.places) box.scrollTo({ top, behavior: "instant" });
    return frames();
  };

  // Lists that draw what is in view, as the snapshot found them: to their beginning, and on by most of a window.
  const scrollerOf = (element) => {
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
      if (at.scrollHeight > at.clientHeight + 20 && /^(auto|scroll)$/.test(getComputedStyle(at).overflowY)) return at;
    }
    return document.scrollingElement;
  };
  const through = async (topOf) => {
    let moved = false;
    const drawn = [...lists()].filter(([, list]) => !list.isStill);
    for (const box of new Set(drawn.map(([element, list]) => list.box || scrollerOf(element)))) {
      const before = box.scrollTop;
      if (!state.places.has(box)) state.places.set(box, before);
      box.scrollTo({ top: topOf(box), behavior: "instant" });
      moved ||= Math.abs(box.scrollTop - before) > 1;
    }
    await frames();
    return moved;
  };
  const lists = () => globalThis.gleanerLists || new Map();
  // Of a list with little room for more nobody knows that it draws more, until its box is scrolled: then other rows are there.
  const isAsItWas = (element, list) => {
    const said = [...element.children].filter(says).map((row) => row.textContent);
    return said.length === list.rows.length && said.every((text, at) => text === list.rows[at].said);
  };
  const probe = async () => {
    const tried = [...lists().values()].filter((list) => list.box);
    for (const { box } of tried) {
      if (!state.places.has(box)) state.places.set(box, box.scrollTop);
      box.scrollTo({ top: box.scrollHeight, behavior: "instant" });
    }
    await frames();
    return tried.length > 0;
  };
  const sift = () => {
    for (const [element, list] of lists()) list.isStill = Boolean(list.box) && isAsItWas(element, list);
    return [...lists().values()].some((list) => !list.isStill);
  };
  // Rows may be drawn a while after the scroll: until they fill most of the box, it is too early to read them.
  const drawn = () => [...lists()].filter(([element, list]) => !list.isStill && element.isConnected).every(([element, list]) => {
    const box = list.box || scrollerOf(element);
    const { top, bottom } = box === document.scrollingElement ? { top: 0, bottom: innerHeight } : box.getBoundingClientRect();
    const rows = [...element.children].filter(says).map((row) => row.getBoundingClientRect());
    const margin = 0.3 * (bottom - top);
    return Math.min(...rows.map((row) => row.top)) < top + margin && Math.max(...rows.map((row) => row.bottom)) > bottom - margin;
  });
  const step = () => through((box) => box.scrollTop + box.clientHeight * 0.7);
  const top = () => through(() => 0);

  if (!document.body) return false;
  return { down, press, grown, back, probe, sift, drawn, step, top }[order]();
})(ORDER, WORDS);
