// Small helpers for building DOM elements.

export const $ = (id) => document.getElementById(id);

// An element with properties and children: element("a", { href: "#x" }, "text", other).
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "data") Object.assign(made.dataset, value);
    else if (name in made) made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

// The style sheet of the parts that are loaded on demand; resolves when it is there, so that nothing
// moves later. Several parts wait for the same style sheet.
let extra;
export function extraStyles() {
  extra ??= new Promise((done) => {
    document.head.append(element("link", { rel: "stylesheet", href: "extra.css", onload: done, onerror: done }));
  });
  return extra;
}

// Replaces the children of an element, but only if the data they are made from has changed.
export function fill(parent, key, build) {
  if (parent.filledWith === key) return;
  parent.filledWith = key;
  parent.replaceChildren(...build());
}
