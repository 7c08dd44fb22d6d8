// @ts-check
// Games of others: what was played in this position, and how it ended.

import { button, h, toast } from "./dom.js";
import { ask, order } from "./socket.js";

/** So much of a file is sent at once. */
const PART = 200000;

export class Collection {
  /** @param {import("./game.js").Screen} game */
  constructor(game) {
    this.game = game;
    this.open = false;
    this.words = h("p", { class: "soft", role: "status" });
    this.moves = h("div", { class: "known" });
    this.list = h("ul", { class: "games-list" });
    const pick = /** @type {HTMLInputElement} */ (h("input", { type: "file", accept: ".pgn,.txt", "aria-label": "A file of games", change: async () => { const file = pick.files?.[0]; if (file) await this.read(await file.text()); pick.value = ""; } }));
    this.element = h("div", { class: "collection" }, h("label", { class: "field" }, h("span", {}, "Add games (PGN)"), pick), this.words, this.moves, this.list);
  }

  /** @param {boolean} shown */
  shown(shown) {
    this.open = shown;
    if (shown) this.moved();
  }

  async moved() {
    if (!this.open) return;
    const ply = this.game.ply;
    const found = await order(this.game.id, { explore: { ply } }).catch((error) => { this.words.textContent = error.message; return null; });
    if (!found || ply !== this.game.ply) return;
    this.words.textContent = found.all ? `${found.all.toLocaleString("en")} games are known; ${found.moves.reduce((sum, move) => sum + move.games, 0).toLocaleString("en")} came to this position.` : "No games are known yet: add some from a file.";
    this.moves.replaceChildren(...found.moves.map((move) => {
      const bar = h("span", { class: "shares" }, ...[["white", move.white], ["draws", move.games - move.white - move.black], ["black", move.black]].map(([kind, count]) => { const part = h("i", { class: kind }); part.style.flexGrow = String(count); return part; }));
      return h("div", { class: "known-move" }, button(move.move, () => this.play(move.move), { class: "ply" }), h("span", {}, move.games.toLocaleString("en")), bar);
    }));
    this.list.replaceChildren(...found.games.map((game) => h("li", {}, button(`${game.white || "?"} – ${game.black || "?"}`, () => this.show(game.id), { class: "ply" }), ` ${game.result} ${game.date} ${game.event}`)));
  }

  /** @param {string} name */
  play(name) {
    if (this.game.ply === this.game.moves.length) this.game.order({ play: { ply: this.game.moves.length, move: name } });
    else if (this.game.moves[this.game.ply]?.name === name) this.game.look_at(this.game.ply + 1);
    else toast("Go to the last position to play on.");
  }

  /** @param {number} id */
  async show(id) {
    const known = await this.game.order({ known_game: { id } });
    const opening = this.game.opened.name ? { name: this.game.opened.name } : { rules: this.game.opened.rules };
    const opened = known && await ask({ open: { ...opening, record: known.text } });
    if (opened) location.hash = `#/game/${opened.game}`;
  }

  /** Reads a file part by part, never cutting a game. @param {string} text */
  async read(text) {
    let from = 0, added = 0, wrong = 0;
    while (from < text.length) {
      let to = Math.min(from + PART, text.length);
      if (to < text.length) {
        const cut = text.lastIndexOf("\n[Event ", to);
        if (cut > from) to = cut + 1;
      }
      const answer = await this.game.order({ import: { text: text.slice(from, to) } });
      if (!answer) return;
      added += answer.added;
      wrong += answer.wrong;
      from = to;
      this.words.textContent = `${Math.round(100 * from / text.length)} % read …`;
    }
    toast(`${added} games were added${wrong ? `; ${wrong} could not be replayed` : ""}.`);
    this.moved();
  }
}
