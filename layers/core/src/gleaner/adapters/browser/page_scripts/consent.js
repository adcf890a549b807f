// What the rule set's content script speaks to, in a world of our own: its messages are kept until they are asked for.
// The page sees none of this. `report` and `init` say nothing that is needed, but for the end of a search in vain.
(() => {
  const outbox = [];
  let asker = null;
  let isOver = false;
  const later = globalThis.setTimeout.bind(globalThis);
  const hand = () => {
    if (!asker || !outbox.length) return;
    asker(JSON.stringify(outbox.splice(0)));
    asker = null;
  };
  globalThis.setTimeout = (act, wait) => later(() => isOver || act(), wait); // it waits and tries again: not once over
  globalThis.requestIdleCallback = undefined; // the page has settled
  globalThis.autoconsentSendMessage = async (message) => {
    if (message.type === "init" || isOver) return;
    if (message.type === "report") {
      if (message.state.lifecycle !== "nothingDetected") return;
      message = { type: "nothing" };
    }
    if (outbox.push(message) === 1) later(hand, 0); // with those that follow at once
  };
  globalThis.gleanerConsent = {
    next: (wait) =>
      new Promise((done) => {
        asker = done;
        hand();
        later(() => asker === done && ((asker = null), done("[]")), wait);
      }),
    end: () => void (isOver = true),
  };
})();
