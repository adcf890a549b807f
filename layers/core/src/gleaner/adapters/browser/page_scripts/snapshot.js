// Serialises the page as a person sees it, in one pass over the DOM (MD-4). Runs in an isolated world, so that the page's own
// scripts can't change what it reads, and writes nothing into the page. Gives JSON {html, links, title, frames, faded, tooLarge}:
// - open shadow roots stand in place of their hosts' children, slots filled;
// - frames of the same origin are written inline as <div data-gleaner-frame="URL">; others become <gleaner-frame-N> and their
//   elements are left in globalThis.gleanerFrames for the caller;
// - what a person can't see carries data-gleaner-hidden="REASON" on the topmost such element;
// - words, figures and signs of money that style draws before or after an element stand in <span data-gleaner-drawn>;
// - text that style strikes out stands in <s>, as prices do that are no longer asked;
// - a list that draws only the rows in view holds all that were drawn when the script was run before, and carries
//   data-gleaner-room="SHOWN/TOTAL": its rows, and for how many it has room;
// - faded lists the screens below the first one, counted from 0, that hold text which may show up when scrolled to.
((maxLength, onlyBody) => {
  "use strict";
  const voidTags = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
  const rawTags = new Set("script xmp iframe noembed noframes plaintext noscript".split(" "));
  const struckTags = new Set(["s", "del", "strike"]);
  const skippedTags = new Set(["style", "template", "link"]);
  const unrendered = new Set(["head", "script", "title", "meta", "base", "noscript", "param", "source", "track", "option", "optgroup", "textarea"]);
  const frames = (globalThis.gleanerFrames = []);
  const out = [];
  const links = new Set();
  let size = 0;
  const faded = new Set();

  const write = (text) => {
    size += text.length;
    out.push(text);
  };
  const escapeText = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/\u00a0/g, "&nbsp;");
  const escapeValue = (text) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const legalName = /^[^\s"'<>/=\u0000]+$/;

  const attributesOf = (element, url) => {
    let text = "";
    for (const { name, value } of element.attributes) {
      if (name.startsWith("data-gleaner-") || !legalName.test(name)) continue;
      text += ` ${name}="${escapeValue(url && (name === "href" || name === "src") ? absolute(element, value) : value)}"`;
    }
    return text;
  };
  const absolute = (element, value) => {
    try {
      return new URL(value, element.baseURI).href;
    } catch {
      return value;
    }
  };

  // --- what a person can't see -------------------------------------------------------------------------------------

  const collapsedClip = (style) => {
    if (style.position === "absolute" || style.position === "fixed") {
      const rect = /^rect\(([-\d.]+)px,? ([-\d.]+)px,? ([-\d.]+)px,? ([-\d.]+)px\)$/.exec(style.clip);
      if (rect && (rect[3] - rect[1] <= 1 || rect[2] - rect[4] <= 1)) return true;
    }
    const path = style.clipPath;
    if (!path || path === "none") return false;
    const inset = /^inset\(([^)]*)\)/.exec(path);
    if (inset) {
      const sides = inset[1].split(" round ")[0].trim().split(/\s+/);
      const [top, right = top, bottom = top, left = right] = sides;
      const percent = (side) => (side.endsWith("%") ? parseFloat(side) : 0);
      return percent(top) + percent(bottom) >= 100 || percent(right) + percent(left) >= 100;
    }
    return /^circle\(0(px|%)?[ )]/.test(path) || /^polygon\(0(px|%)? 0(px|%)?(, 0(px|%)? 0(px|%)?)*\)/.test(path);
  };

  const clips = (value) => value === "hidden" || value === "clip";

  const isRoot = (element) => element === element.ownerDocument.documentElement || element === element.ownerDocument.body;

  // A box without area that cuts off what is in it, unless something in it is placed outside of it.
  const isCollapsed = (element, style) => {
    if (!(clips(style.overflowX) || clips(style.overflowY)) || isRoot(element) || style.display === "contents") return false;
    if (style.display === "inline") return false;
    const box = element.getBoundingClientRect();
    const flat = (box.height <= 1 && clips(style.overflowY)) || (box.width <= 1 && clips(style.overflowX));
    if (!flat || insideClosedDetails(element)) return false;
    return style.position !== "static" || !hasPlacedChild(element);
  };
  const hasPlacedChild = (element) => {
    for (const child of element.children) {
      const position = getComputedStyle(child).position;
      if (position === "absolute" || position === "fixed") return true;
    }
    return false;
  };
  const insideClosedDetails = (element) => element.closest("details:not([open])") !== null;

  const scrollerOf = (element) => {
    for (let at = element.parentElement; at && !isRoot(at); at = at.parentElement) {
      if (at.scrollHeight > at.clientHeight + 20 && /^(auto|scroll)$/.test(getComputedStyle(at).overflowY)) return at;
    }
    return element.ownerDocument.scrollingElement;
  };
  const isWithin = (scroller, box) => {
    const frame = scroller.getBoundingClientRect();
    const [left, top] = [frame.left - scroller.scrollLeft, frame.top - scroller.scrollTop];
    const reaches = box.left < left + scroller.scrollWidth && box.top < top + scroller.scrollHeight;
    return reaches && box.right > left && box.bottom > top;
  };

  // Outside of what can be scrolled to. A slide that waits beside its carousel is not: its sibling is in view.
  const isOffScreen = (element, style) => {
    const placed = style.position === "absolute" || style.position === "fixed" || style.transform !== "none" || style.translate !== "none";
    const pulled = parseFloat(style.marginLeft) < -500 || parseFloat(style.marginTop) < -500;
    const shifted = style.position === "relative" && (parseFloat(style.left) < -500 || parseFloat(style.top) < -500);
    if (!(placed || pulled || shifted) || isRoot(element)) return false;
    const view = element.ownerDocument.defaultView;
    const box = element.getBoundingClientRect();
    if (box.width === 0 && box.height === 0) return style.transform !== "none" && !hasPlacedChild(element) && element.offsetWidth > 0;
    const root = element.ownerDocument.documentElement;
    const fixed = style.position === "fixed";
    const [left, top] = fixed ? [0, 0] : [view.scrollX, view.scrollY];
    const [width, height] = fixed ? [view.innerWidth, view.innerHeight] : [reach(root, "Width"), reach(root, "Height")];
    const outside = box.right + left <= 0 || box.bottom + top <= 0 || box.left + left >= width || box.top + top >= height;
    if (!outside || isSlide(element, box)) return false;
    const scroller = fixed ? root : scrollerOf(element);
    return scroller === root || !scroller || !isWithin(scroller, box);
  };
  const reaches = new Map();
  const reach = (root, side) => {
    const key = `${frames.length}${side}${root.baseURI}`;
    if (!reaches.has(key)) reaches.set(key, root[`scroll${side}`]);
    return reaches.get(key);
  };
  const isSlide = (element, box) => {
    if (box.width < 2 || box.height < 2) return false;
    for (const sibling of element.parentElement ? element.parentElement.children : []) {
      if (sibling === element || sibling.tagName !== element.tagName || sibling.className.length === 0) continue;
      const other = sibling.getBoundingClientRect();
      const alike = Math.abs(other.width - box.width) < 2 && Math.abs(other.height - box.height) < box.height;
      if (alike && other.right > 0 && other.left < innerWidth && shareClass(element, sibling)) return true;
    }
    return false;
  };
  const shareClass = (one, other) => [...one.classList].some((name) => other.classList.contains(name));

  // Why the element and all in it can't be seen; '' when it can.
  const hiddenReason = (element, style, opacity) => {
    if (style.display === "none") return "display";
    if (opacity < 0.02 || /opacity\(0(\.0\d*)?%?\)/.test(style.filter)) return "opacity";
    if (style.contentVisibility === "hidden" && !element.hasAttribute("hidden")) return "content-visibility";
    if (collapsedClip(style)) return "clip";
    if (isCollapsed(element, style)) return "size";
    if (isOffScreen(element, style)) return "position";
    return "";
  };

  // --- colours -----------------------------------------------------------------------------------------------------

  const parsed = new Map();
  const canvas = typeof OffscreenCanvas === "function" ? new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true }) : null;
  const parseColour = (text) => {
    let colour = parsed.get(text);
    if (colour) return colour;
    const rgb = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(text);
    if (rgb) colour = [Number(rgb[1]), Number(rgb[2]), Number(rgb[3]), rgb[4] === undefined ? 1 : Number(rgb[4])];
    else if (canvas) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = text;
      canvas.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
      colour = [red, green, blue, alpha / 255];
    } else colour = [0, 0, 0, 1];
    parsed.set(text, colour);
    return colour;
  };
  const over = (front, back) => back.map((channel, at) => (at === 3 ? 1 : front[at] * front[3] + channel * (1 - front[3])));
  const distance = (one, other) => Math.max(...[0, 1, 2].map((at) => Math.abs(one[at] - other[at])));

  const paintsPicture = (style) =>
    style.backgroundImage !== "none" || style.backdropFilter !== "none" || style.mixBlendMode !== "normal" || style.filter !== "none";

  // The ground that an element's text stands on, from its parent's; null where pictures make it uncertain.
  const groundOf = (style, parentGround) => {
    if (paintsPicture(style) || style.boxShadow.includes("inset")) return null;
    const colour = parseColour(style.backgroundColor);
    if (colour[3] === 1) return colour;
    return parentGround && colour[3] > 0 ? over(colour, parentGround) : parentGround;
  };
  const pseudoPaints = (element) => {
    for (let at = element; at; at = at.parentElement || at.getRootNode().host || null) {
      for (const part of ["::before", "::after"]) {
        const pseudo = getComputedStyle(at, part);
        if (pseudo.content !== "none" && (paintsPicture(pseudo) || parseColour(pseudo.backgroundColor)[3] > 0)) return true;
      }
      if (parseColour(getComputedStyle(at).backgroundColor)[3] === 1) return false;
    }
    return false;
  };

  // Boxes that may lie behind text without being its ancestors, found once and only when a text has its ground's colour.
  const painters = new Map();
  const paintersOf = (document) => {
    let found = painters.get(document);
    if (found) return found;
    found = [];
    for (const element of document.querySelectorAll("*")) {
      const name = element.localName;
      const replaced = name === "img" || name === "video" || name === "canvas" || name === "svg" || name === "iframe" || name === "object";
      const style = getComputedStyle(element);
      if (style.display === "none") continue;
      const filled = parseColour(style.backgroundColor)[3] > 0.1 || style.backgroundImage !== "none";
      if (!replaced && !filled) continue;
      const box = element.getBoundingClientRect();
      if (box.width > 2 && box.height > 2) found.push([element, box]);
    }
    painters.set(document, found);
    return found;
  };
  const liesOnSomething = (element) => {
    const box = element.getBoundingClientRect();
    return paintersOf(element.ownerDocument).some(
      ([painter, other]) =>
        painter !== element && !painter.contains(element) && !element.contains(painter) &&
        other.left < box.right && other.right > box.left && other.top < box.bottom && other.bottom > box.top,
    );
  };

  // --- text under a box --------------------------------------------------------------------------------------------

  // A box without words, or a picture, that lies on text for good: nothing moves it, and it scrolls with what it covers. What
  // a person closes, opens or passes over (dialogs, banners, menus, slides, cards that turn) is none. Of a style sheet that
  // can't be read nobody knows what it moves.
  const covering = /^(absolute|relative)$/;
  const moving = /:(hover|focus(-within|-visible)?|active|checked|target)/g;
  const mostCovers = 300;
  const mostCovered = 40; // texts that are looked at closely, for which the page may be scrolled and back
  let looked = 0;
  const isOpaque = (element, style) =>
    style.visibility === "visible" && Number(style.opacity) > 0.98 &&
    (parseColour(style.backgroundColor)[3] === 1 || (element.localName === "img" && element.naturalWidth > 1));
  const mayMove = (style) =>
    /[1-9]/.test(style.transitionDuration) || style.animationName !== "none" || style.transform !== "none" || style.translate !== "none" ||
    style.cursor === "pointer" || style.position === "fixed" || style.position === "sticky";
  const covers = new Map(); // to their boxes, which are asked for when the walk is over
  const noteCover = (element, style) => {
    if (!covering.test(style.position) || !isOpaque(element, style) || covers.size >= mostCovers) return;
    if (element.textContent.trim() === "") covers.set(element, null);
  };
  const overlap = (one, other) => one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;

  const movedBySheets = (document, branch) => {
    const sheets = [...document.styleSheets];
    while (sheets.length) {
      let rules;
      try {
        rules = sheets.pop().cssRules;
      } catch {
        return true;
      }
      for (const rule of rules) {
        if (rule.cssRules && rule.cssRules.length) sheets.push(rule);
        if (rule.styleSheet) sheets.push(rule.styleSheet);
        if (!rule.selectorText || rule.selectorText.search(moving) < 0) continue;
        try {
          const still = rule.selectorText.replace(moving, "");
          if (branch.some((at) => at.matches(still))) return true;
        } catch {
          return true;
        }
      }
    }
    return false;
  };
  const branchTo = (element, ancestor) => {
    const branch = [];
    for (let at = element; at && at !== ancestor; at = at.parentElement) branch.push(at);
    return branch;
  };
  // Whether a box stays where it is, above the text: neither it nor the text moves, and they are no slides of one kind.
  const staysOver = (cover, element) => {
    let common = cover;
    while (!common.contains(element)) common = common.parentElement;
    const [over, under] = [branchTo(cover, common), branchTo(element, common)];
    if ([...over, ...under].some((at) => mayMove(getComputedStyle(at)) || /^(dialog|button|label|summary|a)$/.test(at.localName))) return false;
    const [one, other] = [over.at(-1), under.at(-1)];
    return !(one && other && shareClass(one, other)) && !movedBySheets(element.ownerDocument, [...over, ...under]);
  };

  const linesOf = (element) => {
    const lines = [];
    for (const node of element.childNodes) {
      if (node.nodeType !== 3 || node.data.trim() === "" || lines.length > 4) continue;
      const range = element.ownerDocument.createRange();
      range.selectNodeContents(node);
      lines.push(...[...range.getClientRects()].filter((line) => line.width > 1 && line.height > 1).slice(0, 5));
    }
    return lines;
  };
  const boxAbove = (element, x, y, isCover) => {
    const stack = element.ownerDocument.elementsFromPoint(x, y);
    const own = stack.findIndex((at) => element.contains(at));
    return own < 0 ? undefined : stack.slice(0, own).find(isCover);
  };
  const isCovered = (element, isSunk) => {
    const document = element.ownerDocument;
    if (element.getRootNode() !== document || looked >= mostCovered) return false;
    const box = element.getBoundingClientRect();
    const liesUnder = ([cover, other]) => cover.ownerDocument === document && overlap(box, other);
    if (!isSunk && ![...covers].some(liesUnder)) return false;
    looked += 1;
    const view = document.defaultView;
    const { scrollX, scrollY } = view;
    const isOutside = box.top < 0 || box.bottom > view.innerHeight;
    if (isOutside) view.scrollTo({ top: scrollY + box.top - view.innerHeight / 3, left: scrollX, behavior: "instant" });
    const isCover = isSunk ? (at) => isOpaque(at, getComputedStyle(at)) : (at) => covers.has(at);
    const points = linesOf(element).flatMap((line) => [0.1, 0.5, 0.9].map((part) => [line.left + part * line.width, line.top + line.height / 2]));
    const found = points.map(([x, y]) => boxAbove(element, x, y, isCover));
    if (isOutside) view.scrollTo({ top: scrollY, left: scrollX, behavior: "instant" });
    return found.length > 0 && found.every(Boolean) && [...new Set(found)].every((cover) => staysOver(cover, element));
  };

  // Texts that were written as seen, and where: a box that covers them may come later in the page.
  const seenTexts = [];
  const markCovered = () => {
    for (const cover of covers.keys()) covers.set(cover, cover.getBoundingClientRect());
    const answers = new Map();
    for (const { element, place, sunk } of seenTexts) {
      if (covers.size === 0 && !sunk) continue;
      if (!answers.has(element)) answers.set(element, isCovered(element, sunk));
      if (answers.get(element)) out[place] = `<span data-gleaner-hidden="covered">${out[place]}</span>`;
    }
  };

  // Why the texts that stand directly in the element can't be seen; '' when they can.
  const textReason = (element, style, ground) => {
    if (style.visibility !== "visible") {
      noteFaded(element);
      return "visibility";
    }
    if (parseFloat(style.fontSize) < 1.5) return "font-size";
    if (parseFloat(style.textIndent) < -500) return "position";
    const fill = parseColour(style.webkitTextFillColor || style.color);
    const clipped = style.webkitBackgroundClip || style.backgroundClip || "";
    if (clipped.includes("text") || style.textShadow !== "none" || parseFloat(style.webkitTextStrokeWidth) > 0) return "";
    if (fill[3] < 0.02) return "colour";
    if (!ground || distance(over(fill, ground), ground) > 8) return "";
    return liesOnSomething(element) || pseudoPaints(element) ? "" : "colour";
  };

  // What style draws before or after an element: text as any other to a person. Not icons, whose fonts use private characters
  // or single letters, nor bullets and quotes; what a counter says nobody can ask for.
  const tables = new Set(["table", "thead", "tbody", "tfoot", "tr", "colgroup"]);
  const drawnText = (element, part) => {
    const style = getComputedStyle(element, part);
    if (!style.content.includes('"')) return "";
    const text = [...style.content.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, said]) => said.replace(/\\(.)/g, "$1")).join("");
    if (!/[\p{L}\p{N}\p{Sc}%]/u.test(text) || /\p{Co}|^\s*\p{L}\s*$/u.test(text) || text.length > 300) return "";
    const isSeen = style.display !== "none" && style.visibility === "visible" && Number(style.opacity) >= 0.1 && parseFloat(style.fontSize) >= 1.5;
    return isSeen ? `<span data-gleaner-drawn="">${escapeText(text)}</span>` : "";
  };

  // --- lists that draw what is in view -----------------------------------------------------------------------------

  const leastRows = 5;
  const mostRows = 20000;
  const isBlank = (element) => element.textContent.trim() === "" && !element.querySelector("img, video, canvas, svg, iframe, object");
  const heightOf = ([, box]) => box.height;
  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

  // The rows of a list and the blank boxes that hold the place of others; null where one can't tell.
  const partsOf = (element) => {
    const middle = element.children[leastRows >> 1];
    const boxes = [...element.children].map((child) => [child, child.getBoundingClientRect()]).filter(([, box]) => box.height > 0);
    const alike = boxes.filter(([child]) => child.localName === middle.localName);
    if (alike.length < leastRows) return null;
    const usual = alike.map(heightOf).sort((one, other) => one - other)[alike.length >> 1];
    const isSpacer = ([child, box]) => (child.localName !== middle.localName || box.height > 3 * usual) && isBlank(child);
    const spacers = boxes.filter(isSpacer);
    const rows = alike.filter((each) => !spacers.includes(each));
    return spacers.length < leastRows && rows.length + spacers.length === boxes.length ? { rows, spacers } : null;
  };

  // A list has room for more rows than it draws where these are placed within it, or blank boxes or padding fill it up:
  // as much as they take, or less in a box that scrolls, which has to be tried then (scroll_on.js).
  const roomOf = (element, style) => {
    if (element.childElementCount < leastRows || element.childElementCount > mostRows) return null;
    return highRoomOf(element, style) || scrolledRoomOf(element, style);
  };
  const highRoomOf = (element, style) => {
    const around = element.parentElement;
    const scrolls = around && scrollsDown(around);
    const room = Math.max(element.offsetHeight, scrolls ? around.scrollHeight : 0);
    if (room < innerHeight) return null;
    const parts = partsOf(element);
    if (!parts || parts.rows.length < leastRows) return null;
    const span = spanOf(parts.rows);
    const spare = room - span;
    if (spare < span || spare < innerHeight / 2) return null;
    const others = scrolls ? [...around.children].filter((child) => child !== element) : [];
    const rows = parts.rows.filter(([row]) => !isBlank(row)); // the last one may hold the place of a single row
    if (!others.every(isBlank) || rows.length < leastRows) return null;
    const filled = sum(parts.spacers.map(heightOf)) + sum(others.map((other) => other.offsetHeight)) + paddingOf(style);
    return arePlaced(rows, style) || filled > spare / 2 ? { rows: inOrder(rows), total: totalOf(parts.rows, span, room) } : null;
  };
  const scrollsDown = (element) => /^(auto|scroll)$/.test(getComputedStyle(element).overflowY);
  const spanOf = (rows) => rows.reduce((low, [, box]) => Math.max(low, box.bottom), -Infinity) - rows.reduce((top, [, box]) => Math.min(top, box.top), Infinity);
  const paddingOf = (style) => (parseFloat(style.paddingTop) || 0) + (parseFloat(style.paddingBottom) || 0);
  const totalOf = (rows, span, room) => Math.round((rows.length * room) / span);
  const arePlaced = (rows, style) => {
    const first = getComputedStyle(rows[0][0]);
    return first.position === "absolute" || [first, style].some(({ transform, translate }) => transform !== "none" || translate !== "none");
  };

  // In a box that scrolls, which is the list itself or a few elements around it: beside the rows are blank boxes, and heads.
  const mostAround = 4;
  const scrolledRoomOf = (element, style) => {
    const spacers = [];
    let box = element;
    let beside = 0;
    let padding = 0;
    let isMoved = false;
    for (let level = 0; !scrollsDown(box); level += 1) {
      const parent = box.parentElement;
      if (level === mostAround || !parent || isRoot(parent)) return null;
      const own = getComputedStyle(box);
      padding += paddingOf(own);
      isMoved ||= own.position === "absolute" || own.transform !== "none" || own.translate !== "none";
      for (const other of parent.children) {
        if (other === box || other.offsetHeight === 0) continue;
        if (isBlank(other)) spacers.push(other.offsetHeight);
        else if (kindOf(other) === kindOf(box) && other.childElementCount === box.childElementCount) return null; // the cells of one row among others
        else if (!/^(absolute|fixed)$/.test(getComputedStyle(other).position)) beside += other.offsetHeight;
      }
      box = parent;
    }
    if (isRoot(box) || box.scrollHeight <= box.clientHeight + 20) return null;
    const parts = partsOf(element);
    const rows = parts ? parts.rows.filter(([row]) => !isBlank(row)) : [];
    if (rows.length < leastRows) return null;
    const span = spanOf(parts.rows);
    const spare = box.scrollHeight - beside - span;
    if (spare < (2 * span) / rows.length || spare < leastSpare * span) return null;
    const filled = sum(spacers) + sum(parts.spacers.map(heightOf)) + padding + paddingOf(style);
    if (!isMoved && !arePlaced(rows, style) && filled < spare / 2) return null;
    return { rows: inOrder(rows), total: totalOf(parts.rows, span, span + spare), box, isTried: true };
  };
  const leastSpare = 0.05; // of what is drawn: a foot below thousands of rows is not worth to be scrolled to
  const kindOf = (element) => `${element.localName}.${element.className}`;
  const inOrder = (rows) => {
    rows.sort(([, one], [, other]) => Math.round(one.top - other.top) || one.left - other.left);
    return rows.map(([row]) => row);
  };

  // What was drawn of each such list at one time or another: a window goes on where the last one ended, by what rows say.
  // Where they say something else each time, as prices that change do, nobody knows which are the same: then one window counts.
  const lists = (globalThis.gleanerLists ??= new Map());
  // Closed trees are where the debugging protocol has found them.
  const rootOf = (element) => element.shadowRoot || globalThis.gleanerRoots?.get(element) || null;

  const listOf = (element, style) => {
    const list = lists.get(element) || { rows: [], hasGap: false };
    if (list.isStill) return null;
    const window = rootOf(element) ? null : roomOf(element, style);
    if (!window && list.rows.length === 0) return null;
    const rows = window ? window.rows : [...element.children].filter((child) => !isBlank(child));
    const said = rows.map((row) => row.textContent);
    const start = joinedAt(list.rows, said);
    if (start > list.rows.length) list.hasGap = true;
    lists.set(element, list);
    if (window && window.isTried) list.box = window.box;
    else if (window) list.box = null;
    list.total = Math.max(list.total || 0, window ? window.total : 0);
    return { ...list, list, places: new Map(rows.map((row, at) => [row, Math.min(start, list.rows.length) + at])), said };
  };
  // Where the texts begin among the rows: at the longest overlap; behind the end and a gap where there is none.
  const joinedAt = (rows, said) => {
    if (rows.length === 0) return 0;
    const known = rows.map((row) => row.said);
    for (let at = Math.max(0, known.length - said.length); at < known.length; at += 1) {
      if (known.slice(at).every((text, number) => text === said[number])) return at;
    }
    const inside = known.findIndex((_, at) => said.every((text, number) => text === known[at + number]));
    return inside >= 0 ? inside : known.length + 1;
  };
  const isAtEnd = (box) => !box || box.scrollTop + box.clientHeight >= box.scrollHeight - 2;

  // --- the walk ----------------------------------------------------------------------------------------------------

  const childrenOf = (element, tag) => {
    if (tag === "slot") {
      const assigned = element.assignedNodes({ flatten: true });
      if (assigned.length) return assigned;
    }
    const root = rootOf(element);
    return root ? [...root.childNodes] : [...element.childNodes];
  };
  const unslotted = (element) => {
    const root = rootOf(element);
    if (!root) return [];
    const shown = new Set([...root.querySelectorAll("slot")].flatMap((slot) => slot.assignedNodes()));
    return [...element.childNodes].filter((node) => node.nodeType === 1 && !shown.has(node));
  };

  const note = (element, tag) => {
    if ((tag !== "a" && tag !== "area") || !element.hasAttribute("href")) return;
    const href = typeof element.href === "string" ? element.href : element.href.baseVal;
    const url = absolute(element, href);
    if (/^https?:/i.test(url)) links.add(url);
  };

  // An object that did not load has what stands in it drawn in its place; of one that did, nothing inside has a box.
  const showsFallback = (object) => {
    const range = object.ownerDocument.createRange();
    range.selectNodeContents(object);
    return [...range.getClientRects()].some((box) => box.width > 0 && box.height > 0);
  };
  const tagOf = (node) => {
    if (node.localName === "frameset") return "div"; // whose frames are written in their places
    return node.localName === "object" && showsFallback(node) ? "span" : node.localName;
  };

  const visit = (item, stack) => {
    const { node, opacity, ground, inHidden, foreign, struck, sunk } = item;
    if (node.nodeType === 3) {
      writeText(item);
      return;
    }
    if (node.nodeType !== 1) return;
    const tag = tagOf(node);
    if (skippedTags.has(tag) || !legalName.test(tag)) return;
    if (tag === "iframe" || tag === "frame") {
      writeFrame(item, stack, tag);
      return;
    }
    note(node, tag);
    if (rawTags.has(tag)) {
      const hidden = tag === "noscript" ? ' data-gleaner-hidden="display"' : "";
      const text = node.textContent.replace(new RegExp(`</(?=${tag})`, "gi"), "<\\/");
      write(`<${tag}${attributesOf(node, foreign)}${hidden}>${text}</${tag}>`);
      return;
    }
    let style = null;
    let mark = "";
    let list = null;
    let shown = opacity;
    let under = ground;
    let isSunk = sunk; // behind what its surroundings paint
    let crossed = struckTags.has(tag) ? "marked" : struck;
    if (!inHidden && !unrendered.has(tag)) {
      style = getComputedStyle(node);
      crossed = crossedOut(style, crossed);
      shown = isRoot(node) ? 1 : opacity * Number(style.opacity);
      under = groundOf(style, ground);
      isSunk ||= style.position !== "static" && Number(style.zIndex) < 0;
      const unseen = node.childNodes.length === 0 && !rootOf(node) && style.visibility !== "visible" ? "visibility" : "";
      const reason = isRoot(node) ? "" : hiddenReason(node, style, shown) || unseen;
      if (reason) {
        mark = ` data-gleaner-hidden="${reason}"`;
        if (reason === "opacity") noteFaded(node);
      } else {
        list = listOf(node, style);
        noteCover(node, style);
      }
    }
    write(`<${tag}${attributesOf(node, foreign)}${mark}${list ? roomMark(node, list) : ""}${style ? tableMark(tag, style) : ""}>`);
    if (voidTags.has(tag) && node.namespaceURI === "http://www.w3.org/1999/xhtml") return;
    stack.push(`</${tag}>`);
    if (style && !mark && !tables.has(tag)) {
      write(drawnText(node, "::before"));
      stack.push(drawnText(node, "::after"));
    }
    const beginning = out.length;
    if (list) stack.push(() => writeRows(list, beginning));
    const within = { opacity: shown, ground: under, inHidden: inHidden || mark !== "" || unrendered.has(tag), foreign, struck: crossed, sunk: isSunk };
    for (const child of unslotted(node)) stack.push({ node: child, ...within, inHidden: true, wrap: "unslotted" });
    const children = childrenOf(node, tag);
    const hiddenText = style && !mark ? once(() => textReason(node, style, under)) : null;
    for (let at = children.length - 1; at >= 0; at -= 1) {
      const place = list ? list.places.get(children[at]) : undefined;
      let begun = 0;
      if (place !== undefined) stack.push(() => keepRow(list, children[at], place, begun));
      stack.push({ node: children[at], ...within, hiddenText });
      if (place !== undefined) stack.push(() => (begun = out.length));
    }
    if (tag === "pre" || tag === "textarea" || tag === "listing") {
      if (node.firstChild && node.firstChild.nodeType === 3 && node.firstChild.data.startsWith("\n")) write("\n");
    }
  };

  const keepRow = ({ list }, row, place, begun) => (list.rows[place] ??= { said: row.textContent, html: out.slice(begun).join("") });
  const roomMark = (element, { list, places }) => {
    const count = list.hasGap ? places.size : [...places.values()].reduce((most, place) => Math.max(most, place + 1), list.rows.length);
    list.hasEnded ||= isAtEnd(list.box || scrollerOf(element));
    const isWhole = list.hasEnded && !list.hasGap && count >= 0.9 * list.total; // that is a guess by its height
    return ` data-gleaner-room="${count}/${isWhole ? count : Math.max(list.total, count + 1)}"`;
  };
  const writeRows = ({ list, places }, beginning) => {
    if (list.hasGap || list.rows.length === places.size) return;
    out.length = beginning;
    while (seenTexts.length && seenTexts.at(-1).place >= beginning) seenTexts.pop();
    for (const { html } of list.rows) write(html);
  };

  // What style alone makes a table, a row or a cell.
  const tableTags = new Set(["table", "tr", "td", "th", "thead", "tbody", "tfoot", "caption", "col", "colgroup"]);
  const tableMark = (tag, style) =>
    /^table(-row|-cell)?$/.test(style.display) && !tableTags.has(tag) ? ` data-gleaner-display="${style.display}"` : "";

  const once = (ask) => {
    let answer;
    return () => (answer === undefined ? (answer = ask()) : answer);
  };

  // Whether text is struck out, by a line that style draws through it ("drawn") or by its element ("marked"): a line goes on
  // through what is inside, but for boxes of their own.
  const crossedOut = (style, around) => {
    if (around === "marked") return around;
    const apart = style.float !== "none" || /^inline-./.test(style.display) || /^(absolute|fixed)$/.test(style.position);
    return style.textDecorationLine.includes("line-through") || (around && !apart) ? "drawn" : "";
  };

  // Text with an end of a line for each that style keeps: ``white-space: pre-line`` shows a list so.
  const typed = /^(pre|textarea|listing|xmp|plaintext|title|option)$/;
  const withLines = (node, plain) => {
    const around = node.parentElement;
    if (!node.data.trim().includes("\n") || typed.test(around.localName) || around.ownerSVGElement) return plain;
    if (!/^(pre|break-spaces)/.test(getComputedStyle(around).whiteSpace) || around.closest("pre, listing")) return plain;
    return plain.replace(/\n/g, "<br>");
  };

  const writeText = ({ node, inHidden, hiddenText, struck, sunk }) => {
    const plain = inHidden ? escapeText(node.data) : withLines(node, escapeText(node.data));
    const text = struck === "drawn" && !inHidden && node.data.trim() !== "" && !node.parentElement.ownerSVGElement ? `<s>${plain}</s>` : plain;
    const isAsked = !inHidden && hiddenText && node.data.trim() !== "";
    const reason = isAsked ? hiddenText() : "";
    write(reason ? `<span data-gleaner-hidden="${reason}">${text}</span>` : text);
    if (isAsked && !reason && node.parentElement) seenTexts.push({ element: node.parentElement, place: out.length - 1, sunk });
  };

  const writeFrame = ({ node, opacity, inHidden }, stack, tag) => {
    const style = inHidden ? null : getComputedStyle(node);
    let reason = "";
    if (style) {
      reason = hiddenReason(node, style, opacity * Number(style.opacity));
      if (!reason && style.visibility !== "visible") reason = "visibility";
      const box = node.getBoundingClientRect();
      if (!reason && tag === "iframe" && (box.width < 2 || box.height < 2)) reason = "size";
    }
    const hidden = inHidden || reason ? ` data-gleaner-hidden="${reason || "display"}"` : "";
    let document = null;
    try {
      document = node.contentDocument;
    } catch {
      document = null;
    }
    const url = document ? document.URL : node.src;
    write(`<div data-gleaner-frame="${escapeValue(url || "")}"${hidden}>`);
    stack.push("</div>");
    if (document && document.body) {
      pushBody(document, inHidden || reason !== "", stack);
    } else if (!hidden && node.src) {
      write(`<gleaner-frame-${frames.length}></gleaner-frame-${frames.length}>`);
      frames.push(node);
    }
  };

  // Animations that end are taken at their end: what fades in is there.
  const settle = (document) => {
    for (const animation of document.getAnimations()) {
      const end = animation.effect ? animation.effect.getComputedTiming().endTime : Infinity;
      if (animation.playState === "running" && Number.isFinite(end) && animation.playbackRate > 0) animation.finish();
    }
  };
  const noteFaded = (element) => {
    if (element.ownerDocument !== document || element.textContent.trim() === "") return;
    const screen = Math.floor((element.getBoundingClientRect().top + scrollY) / innerHeight);
    if (screen > 0 && faded.size < 25) faded.add(screen);
  };

  const white = [255, 255, 255, 1];
  const pushBody = (document, inHidden, stack) => {
    const { body } = document;
    settle(document);
    const style = getComputedStyle(body);
    const ground = groundOf(style, groundOf(getComputedStyle(document.documentElement), white));
    const hiddenText = inHidden ? null : once(() => textReason(body, style, ground));
    const within = { opacity: 1, ground, inHidden, foreign: true, hiddenText };
    for (const child of [...body.childNodes].reverse()) stack.push({ node: child, ...within });
  };

  // Chromium shows XML that has no style of its own in a viewer; the source is what was meant.
  const source = document.contentType.endsWith("xml") && document.getElementById("webkit-xml-viewer-source-xml");
  const stack = [];
  if (source) {
    const text = [...source.childNodes].map((node) => new XMLSerializer().serializeToString(node)).join("");
    write(`${onlyBody ? "" : "<!DOCTYPE html>\n"}<pre>${escapeText(text)}</pre>`);
  } else if (onlyBody) {
    if (document.body) pushBody(document, false, stack);
  } else if (document.documentElement) {
    settle(document);
    write("<!DOCTYPE html>\n");
    stack.push({ node: document.documentElement, opacity: 1, ground: white, inHidden: false, foreign: false });
  }
  while (stack.length && size <= maxLength) {
    const item = stack.pop();
    if (typeof item === "string") write(item);
    else if (typeof item === "function") item();
    else if (item.wrap) {
      write(`<div data-gleaner-hidden="${item.wrap}">`);
      stack.push("</div>", { ...item, wrap: "" });
    } else visit(item, stack);
  }
  if (size <= maxLength) markCovered();
  return JSON.stringify({
    url: document.URL,
    html: out.join(""),
    links: [...links],
    title: document.title,
    charset: document.characterSet,
    frames: frames.length,
    faded: [...faded],
    tooLarge: size > maxLength,
  });
})(MAX_LENGTH, ONLY_BODY);
