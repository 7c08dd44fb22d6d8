// @ts-check
// All games as pictures.

import { Board } from "./board.js";
import { button, h, say } from "./dom.js";
import { ask } from "./socket.js";

/** @type {Promise<import("./types.js").Entry[]> | null} */
let known = null;

/** The library, asked for once. @returns {Promise<import("./types.js").Entry[]>} */
export function library() {
  known ??= ask("library").catch((error) => { known = null; throw error; });
  return known;
}

/** A small picture of a position. @param {import("./types.js").Look} look @param {number[]} slots */
export function thumbnail(look, slots) {
  const board = new Board(look, { small: true });
  board.set(slots);
  return board.svg;
}

/** @param {HTMLElement} view */
export async function show(view) {
  const entries = await library();
  const find = /** @type {HTMLInputElement} */ (h("input", { type: "search", placeholder: `Find one of ${entries.length} games`, "aria-label": "Find a game", autocomplete: "off" }));
  const list = h("div", { class: "families" });
  const kept = h("section", { class: "kept" });
  view.replaceChildren(h("div", { class: "gallery" },
    h("div", { class: "hero" }, h("h1", {}, "What shall we play?"), h("p", {}, "Board games and puzzles, against the computer or each other. Change the rules, or write your own."), find), kept, list));
  /** @type {Map<string, HTMLElement>} */
  const families = new Map();
  const pending = [];
  for (const entry of entries) {
    let family = families.get(entry.family);
    if (!family) {
      family = h("div", { class: "cards" });
      families.set(entry.family, family);
      list.append(h("section", {}, h("h2", {}, entry.family), family));
    }
    const picture = h("div", { class: "picture" });
    const card = h("a", { class: "card", href: `#/play/${entry.name}`, "data-words": `${entry.title} ${entry.name} ${entry.family}`.toLowerCase(), title: entry.summary }, picture, h("strong", {}, entry.title), h("small", {}, entry.players === 1 ? "puzzle" : entry.players === 0 ? "to watch" : ""));
    family.append(card);
    pending.push(() => { if (entry.start) picture.append(thumbnail(entry.look, entry.start)); });
  }
  // The first ones at once, the rest when there is time: nobody sees them yet.
  pending.splice(0, 12).forEach((draw) => draw());
  const later = () => { pending.splice(0, 6).forEach((draw) => draw()); if (pending.length) requestAnimationFrame(later); };
  requestAnimationFrame(later);
  find.addEventListener("input", () => {
    const words = find.value.trim().toLowerCase();
    let shown = 0;
    for (const card of list.querySelectorAll(".card")) {
      const fits = (card.getAttribute("data-words") ?? "").includes(words);
      /** @type {HTMLElement} */ (card).hidden = !fits;
      if (fits) shown++;
    }
    for (const section of list.querySelectorAll("section")) section.hidden = !section.querySelector(".card:not([hidden])");
    say(`${shown} games`);
  });
  find.addEventListener("keydown", (event) => {
    const first = /** @type {HTMLAnchorElement | null} */ (list.querySelector(".card:not([hidden])"));
    if (event.key === "Enter" && first) location.hash = first.hash;
  });
  showKept(kept);
}

/** @param {HTMLElement} place */
async function showKept(place) {
  const games = (await ask("kept")).filter((game) => game.moves > 0).slice(0, 6);
  if (!games.length) return;
  const row = h("div", { class: "kept-row" });
  for (const game of games) {
    const item = h("span", { class: "kept-item" },
      h("a", { href: `#/game/${game.game}` }, h("strong", {}, game.title), ` ${game.moves} ${game.moves === 1 ? "move" : "moves"}`),
      button("✕", () => { ask({ forget: { game: game.game } }); item.remove(); }, { class: "quiet", "aria-label": `Throw ${game.title} away` }));
    row.append(item);
  }
  place.append(h("h2", {}, "Go on with"), row);
}
