// Runs in every frame before the page's own scripts and keeps count of what may still bring text (BR-3).
// NAME is where the count can be asked for; what the page does to it changes how long we wait, nothing else.
((name, shortTimer) => {
  const now = performance.now.bind(performance);
  // A browser without a window may draw nothing for seconds, and idle callbacks come after frames only.
  const frame = window.requestAnimationFrame.bind(window);
  const { apply } = Reflect;
  const silentTags = new Set(["SCRIPT", "STYLE", "TEMPLATE", "NOSCRIPT", "LINK", "META", "TITLE", "HEAD"]);
  const pending = new Map();
  const callbacks = new Map();
  const touched = new WeakMap();
  let changes = 0;
  let lastChange = now();
  let length = 0;
  let highest = 0;

  const note = () => {
    changes += 1;
    lastChange = now();
  };

  // Text of an added or removed node, white space left out of the count where it is all there is.
  const sizeOf = (node) => {
    if (node.nodeType === 3) return node.data.trim().length;
    if (node.nodeType !== 1 || silentTags.has(node.nodeName)) return 0;
    return (node.textContent || "").trim().length;
  };

  // The first text of a place is content, and so is what fills a placeholder; what comes again and again is a ticker.
  const isFresh = (element, growth) => {
    const count = (touched.get(element) || 0) + 1;
    touched.set(element, count);
    return count === 1 || (count <= 3 && Math.abs(growth) > 2);
  };

  const digest = (records) => {
    let fresh = false;
    const counted = new WeakSet(); // with their texts, so that what was built piece by piece counts once
    for (const record of records) {
      const place = record.type === "characterData" ? record.target.parentNode : record.target;
      if (!place || silentTags.has(place.nodeName)) continue;
      let added = 0;
      const before = length;
      if (record.type === "characterData") {
        const size = record.target.data.trim().length;
        length += size - (record.oldValue || "").trim().length;
        added = size;
      } else {
        for (const node of record.addedNodes) {
          if (!counted.has(record.target)) added += sizeOf(node);
          counted.add(node);
        }
        for (const node of record.removedNodes) length -= sizeOf(node);
        length += added;
      }
      if (added > 0 && isFresh(place, length - before)) fresh = true;
    }
    if (length > highest) {
      highest = length;
      fresh = true;
    }
    if (fresh) note();
  };

  const observer = new MutationObserver(digest);
  const watched = { childList: true, characterData: true, characterDataOldValue: true, subtree: true };
  observer.observe(document, watched);

  const wrap = (owner, method, around) => {
    const native = owner[method];
    if (typeof native === "function") owner[method] = new Proxy(native, { apply: around });
  };

  wrap(Element.prototype, "attachShadow", (target, self, args) => {
    const root = apply(target, self, args);
    observer.observe(root, watched);
    return root;
  });

  // A callback that fired again and again, and for a while, while no text came is ticking: nobody waits for it.
  const ticking = 700;
  const tickingWhenIdle = 1500; // on a machine under load idle callbacks come rarely
  const patience = (source, repeats) => (repeats ? 1 : source.includes("[native code]") ? 3 : 2);
  const fired = (key) => {
    const seen = callbacks.get(key);
    if (seen && seen.changes === changes) {
      seen.idle += 1;
      seen.ticked = now() - seen.since;
    } else callbacks.set(key, { changes, idle: 0, since: now(), ticked: 0 });
  };

  // A timer's callback that looks how far something is scrolled waits for the reader to scroll, too.
  let running = null;
  let polls = null;
  const watchReading = (owner, name) => {
    const known = Object.getOwnPropertyDescriptor(owner, name);
    if (!known || !known.get || !known.configurable) return;
    const get = new Proxy(known.get, {
      apply: (target, self, args) => {
        if (running !== null) polls = Math.max(polls || 0, running);
        return apply(target, self, args);
      },
    });
    Object.defineProperty(owner, name, { ...known, get });
  };
  watchReading(Element.prototype, "scrollTop");
  for (const name of ["scrollY", "pageYOffset"]) watchReading(window, name);

  const track = (method, clear, delayOf, repeats, atLeast = ticking) => {
    const kind = clear;
    wrap(window, method, (target, self, args) => {
      const callback = args[0];
      const delay = delayOf(args);
      const isText = typeof callback === "string";
      if (!(isText || typeof callback === "function") || !(delay <= shortTimer)) return apply(target, self, args);
      const source = (isText ? callback : Function.prototype.toString.call(callback)).slice(0, 400);
      const key = `${kind}:${delay}:${source}`;
      let id = 0;
      const due = () => {
        if (!repeats) pending.delete(`${kind}${id}`);
        fired(key);
      };
      const wrapped = function (...rest) {
        due();
        const before = running;
        running = delay;
        try {
          return apply(callback, this, rest);
        } finally {
          running = before;
        }
      };
      id = apply(target, self, isText ? args : [wrapped, ...Array.prototype.slice.call(args, 1)]);
      if (isText) apply(target, self, [due, delay]);
      pending.set(`${kind}${id}`, { key, patience: patience(source, repeats), atLeast });
      return id;
    });
    wrap(window, clear, (target, self, args) => {
      pending.delete(`${kind}${args[0]}`);
      return apply(target, self, args);
    });
  };
  const delay = (args) => Number(args[1]) || 0;
  track("setTimeout", "clearTimeout", delay, false);
  track("setInterval", "clearInterval", delay, true);
  track("requestAnimationFrame", "cancelAnimationFrame", () => 0, false);
  track("requestIdleCallback", "cancelIdleCallback", () => 0, false, tickingWhenIdle);

  if (window.Scheduler) {
    let tasks = 0;
    wrap(Scheduler.prototype, "postTask", (target, self, args) => {
      const id = `postTask${(tasks += 1)}`;
      if ((Number(args[1] && args[1].delay) || 0) <= shortTimer) pending.set(id, { key: id, patience: 1, atLeast: 0 });
      const task = apply(target, self, args);
      const done = () => pending.delete(id);
      Promise.prototype.then.call(task, done, done);
      return task;
    });
  }

  // What a worker does is not seen; it has the benefit of the doubt like an open feed.
  let lastWorker = 0;
  for (const kind of ["Worker", "SharedWorker"]) {
    if (!window[kind]) continue;
    window[kind] = new Proxy(window[kind], {
      construct: (target, args, made) => {
        lastWorker = now();
        return Reflect.construct(target, args, made === window[kind] ? target : made);
      },
    });
  }

  // Whether anything waits for the reader to scroll.
  const scrollEvents = new Set(["scroll", "scrollend", "wheel", "touchmove"]);
  let listens = false;
  wrap(EventTarget.prototype, "addEventListener", (target, self, args) => {
    if (scrollEvents.has(args[0])) listens = true;
    return apply(target, self, args);
  });
  if (window.IntersectionObserver) {
    wrap(IntersectionObserver.prototype, "observe", (target, self, args) => {
      listens = true;
      return apply(target, self, args);
    });
  }
  for (const owner of [HTMLElement.prototype, Document.prototype]) {
    const known = Object.getOwnPropertyDescriptor(owner, "onscroll");
    if (!known || !known.set) continue;
    const set = new Proxy(known.set, {
      apply: (target, self, args) => {
        if (args[0]) listens = true;
        return apply(target, self, args);
      },
    });
    Object.defineProperty(owner, "onscroll", { ...known, set });
  }
  const listensToScrolls = () => listens || polls !== null || Boolean(window.onscroll || document.onscroll || document.querySelector("[onscroll]"));

  const waitedFor = () => {
    let count = 0;
    for (const entry of pending.values()) {
      const seen = callbacks.get(entry.key);
      if (!seen || seen.idle < entry.patience || seen.ticked < entry.atLeast) count += 1;
    }
    return count;
  };

  const executable = /^(|module|text\/javascript|application\/javascript|text\/ecmascript|application\/ecmascript)$/;
  const isInert = () => {
    for (const script of document.scripts) if (executable.test((script.type || "").trim().toLowerCase())) return false;
    return !document.querySelector("iframe, frame, object, embed, [onload], [onerror], meta[http-equiv=refresh i]");
  };

  const isVeiled = () => {
    const { body } = document;
    if (!body || highest === 0) return false;
    return [document.documentElement, body].some((element) => {
      const style = getComputedStyle(element);
      return style.display === "none" || Number(style.opacity) < 0.02 || (element === body && style.visibility === "hidden");
    });
  };

  // A page that is about to send its reader on is not read yet.
  let readyAt = 0;
  const movesOn = () => {
    if (document.readyState === "loading") return false;
    readyAt = readyAt || now();
    const meta = document.querySelector("meta[http-equiv=refresh i]");
    const order = meta && /^\s*([\d.]+)\s*[;,]\s*url\s*=/i.exec(meta.content);
    return Boolean(order) && order[1] * 1000 <= shortTimer && now() - readyAt < order[1] * 1000 + 500;
  };

  // What stands in a closed shadow tree no script but the page's own can read: then the result says so.
  let closedTrees = 0;
  const { attachShadow } = Element.prototype;
  Element.prototype.attachShadow = function (init) {
    if (init && init.mode === "closed") closedTrees += 1;
    return apply(attachShadow, this, [init]);
  };

  const sample = () => {
    frame(() => {});
    digest(observer.takeRecords());
    return {
      length,
      changes,
      quiet: now() - lastChange,
      worker: lastWorker ? now() - lastWorker : null,
      loading: document.readyState === "loading",
      timers: waitedFor() + (movesOn() ? 1 : 0),
      inert: isInert(),
      veiled: isVeiled(),
      listens: listensToScrolls(),
      polls: polls || 0,
      closed: closedTrees,
    };
  };
  Object.defineProperty(window, name, { value: sample });
})("NAME", SHORT_TIMER);
