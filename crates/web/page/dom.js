// @ts-check
// Making elements.

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element with attributes and children. Functions become listeners, `class` and the like attributes.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElement}
 */
export function h(name, attributes = {}, ...children) {
  return /** @type {HTMLElement} */ (fill(document.createElement(name), attributes, children));
}

/**
 * The same for drawings.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {SVGElement}
 */
export function s(name, attributes = {}, ...children) {
  return /** @type {SVGElement} */ (fill(document.createElementNS(SVG, name), attributes, children));
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (name === "value" || name === "checked" || name === "disabled" || name === "hidden") element[name] = value;
    else if (value !== undefined && value !== null && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child || child === "") element.append(child);
  return element;
}

/** @param {string} words */
export function say(words) {
  const live = document.getElementById("live");
  if (live) live.textContent = words;
}

let hiding = 0;
/** @param {string} words */
export function toast(words) {
  const box = document.getElementById("toast");
  if (!box) return;
  box.textContent = words;
  box.hidden = false;
  clearTimeout(hiding);
  hiding = window.setTimeout(() => { box.hidden = true; }, 5000);
}

/** A button. @param {string} words @param {() => void} click @param {Record<string, any>} [more] */
export function button(words, click, more = {}) {
  return h("button", { type: "button", click, ...more }, words);
}

/** A labelled choice. @param {string} label @param {[string, string][]} options @param {string} value @param {(value: string) => void} change */
export function select(label, options, value, change) {
  const box = /** @type {HTMLSelectElement} */ (h("select", { change: () => change(box.value) },
    ...options.map(([key, words]) => h("option", { value: key }, words))));
  box.value = value;
  return h("label", { class: "field" }, h("span", {}, label), box);
}

/** Shows a dialog; returns what closes it. @param {string} title @param {...Node} content */
export function dialog(title, ...content) {
  const box = /** @type {HTMLDialogElement} */ (h("dialog", { "aria-label": title, close: () => box.remove() },
    h("form", { method: "dialog", class: "dialog-head" }, h("h2", {}, title), h("button", { "aria-label": "Close", class: "quiet" }, "✕")), ...content));
  document.body.append(box);
  box.showModal();
  return () => box.close();
}
