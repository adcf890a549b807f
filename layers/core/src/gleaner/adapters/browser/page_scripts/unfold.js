// Opens what only unfolds: details, and controls that say of a part of this page that it is closed. Runs in an isolated world,
// so what it clicks acts as if a person had clicked. Nothing is followed or sent: links lead nowhere, and forms stay.
// Gives how many were opened, MOST at the utmost.
((most) => {
  "use strict";
  const notContent = "nav, header, footer, dialog, [role=navigation], [role=menu], [role=menubar], [role=dialog], [aria-modal=true], [role=search]";
  const popsUp = /^(menu|listbox|tree|grid|dialog|true)$/;
  const otherToggles = /modal|dropdown|offcanvas|tooltip|popover|lightbox/i;
  const closed = "[aria-expanded=false], [role=tab][aria-selected=false], [data-toggle=collapse], [data-bs-toggle=collapse]";

  const isShown = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
  };
  const targetsOf = (control) => {
    const named = ["aria-controls", "data-target", "data-bs-target", "href"].flatMap((name) => (control.getAttribute(name) || "").split(/\s+/));
    const ids = named.map((name) => name.replace(/^#/, "")).filter((name) => /^[\w-]+$/.test(name));
    const found = ids.map((id) => control.ownerDocument.getElementById(id)).filter(Boolean);
    const beside = control.nextElementSibling || (control.parentElement && control.parentElement.nextElementSibling);
    return found.length || !beside ? found : [beside];
  };
  const leadsAway = (control) => {
    const link = control.closest("a[href]");
    return link !== null && !/^(#|javascript:)/i.test(link.getAttribute("href").trim());
  };
  const isMenu = (target) => {
    const text = target.textContent.trim().length;
    const linked = [...target.querySelectorAll("a")].reduce((sum, link) => sum + link.textContent.trim().length, 0);
    return text > 0 && linked > 0.6 * text;
  };
  const onlyUnfolds = (control) => {
    if (popsUp.test(control.getAttribute("aria-haspopup") || "") || control.closest(notContent) || leadsAway(control)) return false;
    if (control.disabled || control.matches("input, select, textarea, [role=combobox], [role=treeitem], [type=submit]")) return false;
    if (otherToggles.test((control.dataset.toggle || "") + (control.dataset.bsToggle || ""))) return false;
    const targets = targetsOf(control);
    return targets.length > 0 && targets.every((target) => !target.matches(notContent) && !isMenu(target) && !isShown(target));
  };

  const stay = (event) => event.preventDefault();
  const stayed = ["click", "submit"];
  for (const kind of stayed) addEventListener(kind, stay, { capture: true });
  let opened = 0;
  try {
    for (const details of document.querySelectorAll("details:not([open])")) {
      if (opened >= most || details.closest(notContent)) continue;
      details.open = true;
      opened += 1;
    }
    for (const control of document.querySelectorAll(closed)) {
      if (opened >= most) break;
      if (!isShown(control) || !onlyUnfolds(control)) continue;
      control.click();
      opened += 1;
    }
  } finally {
    for (const kind of stayed) removeEventListener(kind, stay, { capture: true });
  }
  return opened;
})(MOST);
