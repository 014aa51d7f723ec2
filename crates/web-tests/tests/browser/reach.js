// Finds the controls of the page in its DOM, for the tests in reach.rs. Nothing here names a control
// of the page: what can be pressed, typed into or focused is a control.
"use strict";

window.reach = (() => {
  const CONTROLS = "button, a[href], input, select, textarea, summary, [tabindex]:not(dialog), [contenteditable]";
  const PRESSED = "button, a[href], summary, input[type=checkbox], input[type=radio]";

  // Boards that listen to presses, and show it by the pointer of their cells, are controls.
  const boards = new WeakSet();
  const listen = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, ...others) {
    if (type === "boardpress") boards.add(this);
    return listen.call(this, type, ...others);
  };

  const modal = () => [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
  const boardOf = (element) => element.closest("sudoku-board");
  const isCell = (element) => element.getAttribute("role") === "gridcell";

  const isPressable = (cell) => boards.has(boardOf(cell)) && getComputedStyle(cell).cursor === "pointer";

  // What a player sees and presses: the label of a field that is hidden or small, else the control.
  function faceOf(control) {
    const label = control.labels?.[0];
    const isSmall = control.matches("[type=checkbox], [type=radio], .unseen");
    return label && isShown(label) && isSmall ? label : control;
  }

  // A region that can only be scrolled takes the focus, but is nothing to press.
  const isRegion = (control) => !control.matches("button, a, input, select, textarea, summary") && !isCell(control);

  function isControl(element) {
    if (!modal().contains(element) || !isShown(element) || element.matches(":disabled") || element.closest("[inert]")) return false;
    if (isCell(element)) return isPressable(element);
    const face = faceOf(element);
    // A file input without a visible label is opened by other labels.
    return face !== element || !element.matches(".unseen");
  }
  const controls = () => [...document.querySelectorAll(CONTROLS)].filter(isControl);

  // The same command or field has the same name on all screens, wherever it is.
  const KEPT = ["do", "name", "mode", "tab", "whole", "value"];
  function nameOf(control) {
    const data = Object.entries(control.dataset).filter(([key]) => KEPT.includes(key)).map(([key, value]) => (key === "name" ? value.replace(/[\d-]{2,}.*|^\w{10,}$/, "") : value));
    if (isCell(control)) return `cell of ${boardOf(control).id}`;
    if (control.dataset.do) return data.join(" ").trim();
    if (control.id) return `#${control.id}`;
    const value = control.matches("[type=checkbox], [type=radio]") && control.value !== "on" ? control.value : "";
    const home = control.closest("[id]")?.id ?? "";
    return [`#${home} ${control.localName}`, control.name, value, ...data].filter(Boolean).join(" ");
  }
  // The place of a control: equal commands in two places are two controls.
  const placeOf = (control) => `${control.closest("nav[class], [id]:not(button, a, input, select, textarea)")?.id || control.closest("nav")?.className || ""} ${nameOf(control)}`;

  const described = (control) => `${nameOf(control)} (${(control.textContent.trim() || control.ariaLabel || control.labels?.[0]?.textContent || "").trim().slice(0, 40)})`;

  // Every control that was ever in the page, and those that were visible.
  const all = new Map();
  const seen = new Set();
  function notice() {
    for (const element of document.querySelectorAll(CONTROLS)) {
      if (!isRegion(element) && !isCell(element)) all.set(placeOf(element), described(element));
    }
    for (const control of controls()) seen.add(placeOf(control));
  }

  // The keyboard.
  let marked = [];
  let reached = new Set();
  let problems = [];
  let start = null;
  let looks = new Map();

  const STYLE = ["outline", "outlineOffset", "boxShadow", "borderColor", "backgroundColor", "textDecorationLine"];
  function lookOf(control) {
    const face = faceOf(control);
    const parts = [[control, null], [control, "::after"], [control, "::before"], [face, null]];
    return parts.map(([element, part]) => STYLE.map((name) => getComputedStyle(element, part)[name]).join()).join(";");
  }

  function hit(control) {
    const face = faceOf(control);
    const [box] = face.getClientRects();
    if (!box) return "has no size";
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return `is outside the screen at ${Math.round(x)}, ${Math.round(y)}`;
    const top = document.elementFromPoint(x, y);
    const isHit = face.contains(top) || control.contains(top) || top?.closest("label")?.control === control || top?.contains(face) && top.closest("label, a, button") === face.closest("label, a, button") && top.closest("label, a, button");
    return isHit ? "" : `is covered by ${top ? `${top.localName}#${top.id}.${top.className}` : "nothing"}`;
  }

  addEventListener("focusin", ({ target }) => {
    if (!looks.has(target) || reached.has(target)) return;
    reached.add(target);
    if (!target.matches(":focus-visible")) problems.push(`${described(target)} has the focus, but no visible sign of it`);
    else if (!isRegion(target) && lookOf(target) === looks.get(target)) problems.push(`${described(target)} looks the same with the focus`);
    if (isCell(target) || isRegion(target)) return;
    const covered = hit(target);
    if (covered && faceOf(target) === target) problems.push(`${described(target)} has the focus, but ${covered}`);
  });

  // Presses are recorded and go no further while `catching`.
  let catching = false;
  let pressed = null;
  const nearest = (target) => target.closest?.(CONTROLS) ?? target.closest?.("label")?.control ?? null;
  for (const type of ["click", "pointerdown", "mousedown", "touchstart"]) {
    listen.call(window, type, (event) => {
      if (!catching) return;
      const control = event.target.closest?.("label")?.control ?? nearest(event.target);
      if (type === "click" || type === "pointerdown") pressed = { type, control };
      event.stopImmediatePropagation();
      if (type === "click" || (type === "touchstart" && control?.matches("select, input, textarea"))) event.preventDefault();
    }, { capture: true, passive: false });
  }
  // Of a key, whether the page took it away from the control.
  let taken = null;
  listen.call(window, "keydown", (event) => {
    if (!catching) return;
    taken = event.defaultPrevented;
    if (event.target.matches?.("select, textarea, input:not([type=checkbox], [type=radio])")) event.preventDefault();
  });

  const pass = new Set();
  // Of each control, why it is covered; empty if it was not covered once.
  const covered = new Map();

  return {
    notice,
    all: () => [...all].filter(([place]) => !seen.has(place)).map(([place, text]) => `${place}: ${text}`),
    commands: () => [...new Set(controls().filter((control) => !isRegion(control)).map(nameOf))],

    // Prepares a walk with Tab from the start of the page or of the open dialog.
    begin() {
      notice();
      document.activeElement?.blur();
      [marked, reached, problems, looks] = [controls(), new Set(), [], new Map()];
      for (const control of marked) looks.set(control, lookOf(control));
      start?.remove();
      start = document.createElement("span");
      start.tabIndex = -1;
      modal().prepend(start);
      start.focus({ preventScroll: true });
      return marked.length;
    },
    // Whether Tab has reached everything it has to.
    isDone: () => marked.every((control) => isReached(control)),
    end() {
      start?.remove();
      for (const control of marked) if (control.isConnected && isControl(control) && !isReached(control)) problems.push(`Tab does not reach ${described(control)}`);
      return [...new Set(problems)];
    },
    // Elements that look as if they could be pressed, but are no controls.
    mouseOnly() {
      const found = [...modal().querySelectorAll("*")].filter((element) => isShown(element) && (element.onclick || getComputedStyle(element).cursor === "pointer"));
      const isPart = (element) => element.closest(`${CONTROLS}, label, sudoku-board, summary`);
      return found.filter((element) => !isPart(element)).map((element) => `${element.localName}#${element.id}.${element.className} can only be pressed with a mouse`);
    },
    // The controls whose keys have not been tested on this view, as numbers.
    untested(what) {
      const view = document.documentElement.dataset.view;
      return marked.flatMap((control, number) => {
        const id = `${what} ${view} ${placeOf(control)}`;
        if (isRegion(control) || isCell(control) || !control.isConnected || !isControl(control) || pass.has(id)) return [];
        if (what === "taps") {
          faceOf(control).scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
          if (hit(control)) return [];
        }
        pass.add(id);
        return [number];
      });
    },
    describe: (number) => described(marked[number]),
    // Which keys a control has to react to.
    keysOf: (number) => {
      const control = marked[number];
      if (control.matches("[type=checkbox], [type=radio]")) return [" "];
      if (control.matches("a")) return ["Enter"];
      if (control.matches("button, summary")) return ["Enter", " "];
      if (control.matches("select")) return ["ArrowDown"];
      if (control.matches("[type=range]")) return ["ArrowRight"];
      if (control.matches("[type=file]")) return [];
      return ["ArrowLeft", "Home", "7"];
    },
    focus(number) {
      marked[number].focus();
      [catching, pressed, taken] = [true, null, null];
      return document.activeElement === marked[number];
    },
    // What a key did: true if it pressed a button, or reached a field.
    reacted(number) {
      const control = marked[number];
      const isPress = control.matches(PRESSED);
      const did = isPress ? pressed?.type === "click" && pressed.control === control : taken === false;
      [pressed, taken] = [null, null];
      return did;
    },
    stop() {
      catching = false;
      document.activeElement?.blur();
    },

    // A phone: controls that are covered, too small, or cannot be scrolled into view.
    small() {
      notice();
      marked = controls();
      const { view } = document.documentElement.dataset;
      const shown = new Map();
      const found = [];
      for (const control of marked) {
        if (isRegion(control)) continue;
        if (isCell(control) && boardOf(control).view.grid.side > 9) continue;
        const face = faceOf(control);
        face.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
        const id = `${modal().id || view} ${placeOf(control)}`;
        shown.set(id, shown.get(id) || (hit(control) && `${described(control)} ${hit(control)}`));
        const box = face.getBoundingClientRect();
        const isInText = getComputedStyle(face).display === "inline" && [...face.parentElement.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
        if (!isInText && (box.width < 24 || box.height < 24)) found.push(`${described(control)} has ${Math.round(box.width)}×${Math.round(box.height)} pixels`);
      }
      // An open menu or a hint may cover controls, as long as another state shows them.
      for (const [id, reason] of shown) covered.set(id, reason && (covered.get(id) ?? reason));
      if (modal() === document.body && document.documentElement.scrollWidth > innerWidth) found.push(`the page is ${document.documentElement.scrollWidth} pixels wide`);
      return [...new Set(found)];
    },
    covered: () => [...covered.values()].filter(Boolean),
    // Where to tap a control.
    aim(number) {
      const face = faceOf(marked[number]);
      face.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      const [box] = face.getClientRects();
      [catching, pressed] = [true, null];
      return [box.left + box.width / 2, box.top + box.height / 2];
    },
    tapped(number) {
      const control = marked[number];
      const did = pressed?.control === control;
      pressed = null;
      return did;
    },
    boards: () => [...document.querySelectorAll("sudoku-board")].filter((board) => isShown(board) && modal().contains(board) && isPressable(board.querySelector(".cell"))).map((board) => board.id),
  };

  // Tab stops at one cell of a board and one of several radio buttons; arrows lead to the others.
  function isReached(control) {
    if (reached.has(control)) return true;
    if (isCell(control)) return [...reached].some((other) => boardOf(other) === boardOf(control) && isCell(other));
    if (control.type === "radio") return [...reached].some((other) => other.type === "radio" && other.name === control.name);
    return false;
  }
})();
