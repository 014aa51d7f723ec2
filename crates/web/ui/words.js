// The words of the page in the language that is set. English is always there; another language is one more file, fetched
// when it is chosen.

import { words as english } from "./words-en.js";

export const LANGUAGES = ["en", "de", "es"];

export let words = english;

// What a game is called: by its level, or by where it comes from.
export const nameOf = (about, setting = false) => (setting ? words.blankGrid : (words.levels[about.level] ?? (about.lesson ? words.aLesson : words.ownPuzzle)));

// Speaks another language from now on. What a file lacks is said in English.
export async function speak(language) {
  if (!LANGUAGES.includes(language)) return;
  const { words: spoken } = language === "en" ? { words: english } : await import(`./words-${language}.js`);
  words = { ...english, ...spoken };
  document.documentElement.lang = language;
  translate(document);
}

const PLACES = { t: "textContent", label: "ariaLabel", title: "title", hold: "placeholder" };

// Puts the words into the elements that name them.
export function translate(root) {
  for (const [name, property] of Object.entries(PLACES)) {
    for (const element of root.querySelectorAll(`[data-${name}]`)) element[property] = words[element.dataset[name]] ?? "";
  }
  for (const option of root.querySelectorAll(".levelnames option[value]")) {
    if (option.value) option.textContent = words.levels[option.value];
  }
}
