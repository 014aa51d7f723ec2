// The texts of the page in the selected language. English is part of the first load; any other
// language is one more file, loaded when it is selected.

import { words as english } from "./words-en.js";

const LOAD = {
  en: () => ({ words: english }),
  de: () => import("./words-de.js"),
  es: () => import("./words-es.js"),
};

export const LANGUAGES = Object.keys(LOAD);

export let words = english;
let wanted = "";

// The name of a game: its level, or where it comes from.
export const nameOf = (about, setting = false) => (setting ? words.blankGrid : (words.levels[about.level] ?? (about.lesson ? words.aLesson : about.title || words.ownPuzzle)));

// The name of a technique or chapter in the selected language, from { name, names }.
export const inLanguage = ({ name, names }) => names?.[document.documentElement.lang] ?? name;

// Switches the language. Texts missing from a file are shown in English.
export async function speak(language) {
  const load = LOAD[language];
  if (!load) return;
  wanted = language;
  const { words: spoken } = await load();
  // Another language was selected in the meantime.
  if (wanted !== language) return;
  words = { ...english, ...spoken };
  document.documentElement.lang = language;
  translate(document);
}

const PLACES = { t: "textContent", label: "ariaLabel", title: "title", hold: "placeholder" };

// Fills in the texts of all elements that name one in a data attribute.
export function translate(root) {
  for (const [name, property] of Object.entries(PLACES)) {
    for (const element of root.querySelectorAll(`[data-${name}]`)) element[property] = words[element.dataset[name]] ?? "";
  }
  for (const option of root.querySelectorAll(".levelnames option[value]")) {
    if (option.value) option.textContent = words.levels[option.value];
  }
}
