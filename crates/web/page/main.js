// @ts-check
// Which view is shown: by the part of the address behind #.

import { h, toast } from "./dom.js";
import * as design from "./design.js";
import * as gallery from "./gallery.js";
import * as game from "./game.js";

const view = /** @type {HTMLElement} */ (document.getElementById("view"));
/** @type {() => void} */
let leave = () => {};
let shown = 0;

async function route() {
  const [, place = "", ...rest] = decodeURI(location.hash).split("/");
  const number = ++shown;
  leave();
  leave = () => {};
  const tab = place === "design" ? "design" : "gallery";
  for (const link of document.querySelectorAll("nav a")) link.toggleAttribute("aria-current", link.getAttribute("data-tab") === tab);
  try {
    let left = () => {};
    if (place === "play") left = await game.begin(view, { name: rest[0], position: rest[1] ? decodeURIComponent(rest[1]) : undefined });
    else if (place === "game") left = await game.join(view, rest[0]);
    else if (place === "design") left = await design.show(view, rest[0]);
    else { await gallery.show(view); document.title = "Multigame"; }
    if (number === shown) leave = left ?? leave;
    else left?.();
  } catch (error) {
    if (number !== shown) return;
    view.replaceChildren(h("div", { class: "trouble" }, h("h1", {}, "This did not work"), h("pre", {}, error.message), h("p", {}, h("a", { href: "#/" }, "All games"))));
  }
}

function theme(wanted) {
  document.documentElement.dataset.theme = wanted;
  try { localStorage.setItem("theme", wanted); } catch { /* private windows keep nothing */ }
}
/** @type {string | null} */
let kept = null;
try { kept = localStorage.getItem("theme"); } catch { /* as above */ }
if (kept) document.documentElement.dataset.theme = kept;
document.getElementById("theme")?.addEventListener("click", () => {
  const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  theme(dark ? "light" : "dark");
});
window.addEventListener("hashchange", route);
window.addEventListener("unhandledrejection", (event) => { toast(event.reason?.message ?? String(event.reason)); event.preventDefault(); });
route();
