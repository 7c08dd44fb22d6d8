// @ts-check
// Examples in the book can be tried.

import { highlight } from "./highlight.js";

/** Colours the examples below an element and lets them be tried. @param {ParentNode} place @param {(rules: string) => void} use */
export function enliven(place, use) {
  for (const code of place.querySelectorAll("pre > code.language-mg")) {
    const text = code.textContent ?? "";
    code.innerHTML = highlight(text);
    if (!/^dimensions/m.test(text)) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "try";
    button.textContent = "Try it";
    button.addEventListener("click", () => use(text));
    code.parentElement?.append(button);
  }
}

if (document.body.classList.contains("book")) {
  enliven(document, (rules) => {
    try { sessionStorage.setItem("rules", rules); } catch { /* private windows keep nothing */ }
    location.href = "/#/design/example";
  });
}
