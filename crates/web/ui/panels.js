// The panels: dialogs for a new puzzle, pasting, sharing, settings and help, and the forms of the
// views.

import * as api from "./api.js";
import { $, element } from "./dom.js";
import { OWN_KEYS, withOwnKeys } from "./keys.js";
import { inLanguage, words } from "./words.js";

export function open(id) {
  if (id === "panel-new") prepare();
  document.querySelector("dialog[open]")?.close();
  $(id).showModal();
}
export const close = (id) => $(id).close();

// Names the keys in the help sheet, in titles and in the menu.
export function tellKeys(settings) {
  $("help-keys").replaceChildren(...words.keyWords.flatMap(([keys, what]) => [element("dt", {}, withOwnKeys(keys, settings)), element("dd", {}, what)]));
  for (const titled of document.querySelectorAll('[data-title$="Key"]')) titled.title = withOwnKeys(words[titled.dataset.title], settings);
  for (const key of document.querySelectorAll("kbd")) {
    key.dataset.key ??= key.textContent;
    key.textContent = withOwnKeys(key.dataset.key, settings);
  }
}

// Fetches the names of the techniques, when they are needed for the first time.
export async function prepare() {
  if (known.length > 0) return;
  try {
    const { techniques } = await api.techniques();
    known = techniques;
    nameTechniques();
  } catch {
    // Without an engine there are no new puzzles and no techniques to choose from.
  }
}

// Names the techniques in the selected language.
let known = [];
export function nameTechniques() {
  for (const id of ["new-technique", "make-needs", "make-avoids"]) {
    const chosen = $(id).value;
    $(id).replaceChildren($(id).options[0], ...known.map((technique) => new Option(inLanguage(technique), technique.slug)));
    $(id).value = chosen;
  }
}

// The name of the technique with this slug, or the given one.
export function techniqueName(slug, name) {
  const technique = known.find((other) => other.slug === slug);
  return technique ? inLanguage(technique) : name;
}

// The request of the New panel.
export function wish() {
  const value = (id) => $(id).value || undefined;
  return { boxes: value("new-boxes"), difficulty: value("new-level"), technique: value("new-technique"), symmetry: "half-turn" };
}

// The request of the Make view.
export function makeWish() {
  const value = (id) => $(id).value || undefined;
  const [fewest, most] = ["make-fewest", "make-most"].map((id) => Number($(id).value) || null);
  return {
    boxes: value("make-boxes"),
    difficulty: value("make-level"),
    symmetry: value("make-symmetry"),
    needs: [value("make-needs")].filter(Boolean),
    avoids: [value("make-avoids")].filter(Boolean),
    minimal: $("make-minimal").checked,
    clues: fewest || most ? [fewest ?? 0, most ?? fewest] : undefined,
  };
}

// Offers the position as a picture, if the engine can draw it. The link keeps its place while the
// picture is drawn, so that nothing moves under a finger.
export async function offerPicture(position) {
  $("share-svg").style.visibility = "hidden";
  const drawn = await api.picture(position).catch(() => null);
  if (!drawn) return;
  $("share-svg").href = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawn)}`;
  $("share-svg").style.visibility = "visible";
}

export function showSettings(settings) {
  for (const field of $("settings").elements) {
    if (!(field.name in settings)) continue;
    if (field.type === "checkbox") field.checked = settings[field.name];
    else field.value = settings[field.name];
  }
}

// Shows the settings and reports every change.
export function settingsForm(settings, changed) {
  showSettings(settings);
  $("settings").onchange = ({ target }) => changed(target.name.startsWith("key-") ? ownKey(target) : { [target.name]: target.type === "checkbox" ? target.checked : target.value });
}

// A key has one meaning: a command that takes the key of another one leaves that one without a key.
function ownKey({ name, value, form }) {
  const key = value.trim().toLowerCase();
  const others = Object.keys(OWN_KEYS).map((command) => `key-${command}`).filter((other) => other !== name && form.elements[other].value.toLowerCase() === key);
  return { [name]: key, ...Object.fromEntries(others.map((other) => [other, ""])) };
}
