// The fields of the settings in which the player chooses keys. They are made after the board is
// visible.

import { $, element } from "./dom.js";
import { OWN_KEYS } from "./keys.js";
import { showSettings } from "./panels.js";
import { state } from "./page.js";
import { translate } from "./words.js";

// The names of the commands are those of their buttons.
const TEXTS = { "mode-next": "whatTypingWrites" };

$("own-keys").replaceChildren(
  ...Object.keys(OWN_KEYS).map((command) => {
    const field = element("input", { name: `key-${command}`, maxLength: 1, autocomplete: "off", spellcheck: false });
    return element("label", {}, element("span", { data: { t: TEXTS[command] ?? command } }), field);
  }),
);
translate($("own-keys"));
showSettings(state.settings);
