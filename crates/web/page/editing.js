// @ts-check
// Making a position by hand.

import { button, h, select } from "./dom.js";
import { picture } from "./pieces.js";

export class Editing {
  /** @param {import("./game.js").Screen} game */
  constructor(game) {
    this.game = game;
    this.active = false;
    this.code = 0;
    this.mover = "white";
    /** @type {number[]} */
    this.slots = [];
  }

  begin() {
    const { game } = this;
    this.active = true;
    this.slots = game.slotsAt(game.ply);
    this.mover = game.state.mover;
    const kinds = [{ code: 0, words: "Empty", drawing: null }, ...game.look.pieces.map((piece) => ({ code: piece.code, words: `${piece.owner ?? ""} ${piece.name}`, drawing: picture(piece, 32) }))];
    const palette = h("div", { class: "palette", role: "group", "aria-label": "Pieces" });
    for (const { code, words, drawing } of kinds) {
      const entry = h("button", { type: "button", title: words, "aria-label": words, "aria-pressed": String(code === this.code), click: () => { this.code = code; for (const child of palette.children) child.setAttribute("aria-pressed", String(child === entry)); } }, drawing ?? "✕");
      palette.append(entry);
    }
    const numbers = game.look.numbers.map((number) => {
      const owners = number.of === "player" ? ["white", "black"] : [""];
      if (number.of === "field") return null;
      return h("div", { class: "number-row" }, ...owners.map((owner, index) => {
        const input = /** @type {HTMLInputElement} */ (h("input", { type: "number", min: number.range[0], max: number.range[1], value: this.slots[number.slot + index], input: () => { this.slots[number.slot + index] = Number(input.value); } }));
        return h("label", { class: "field" }, h("span", {}, `${owner} ${number.name.replaceAll("_", " ")}`), input);
      }));
    });
    const turn = game.look.players === 2 ? select("To move", [["white", "White"], ["black", "Black"]], this.mover, (value) => { this.mover = value; }) : null;
    game.editBox.replaceChildren(h("div", { class: "editing" }, h("h2", {}, "Edit the position"), h("p", { class: "soft" }, "Choose a piece, then point at fields."), palette, turn, ...(numbers.length ? [h("details", {}, h("summary", {}, "Numbers"), ...numbers.filter(Boolean).map((row) => /** @type {Node} */ (row)))] : []),
      h("div", { class: "tools" }, button("Play from here", () => this.end(true), { class: "main" }), button("Clear the board", () => { this.slots = this.slots.map((value, slot) => (slot < game.look.cells.length && value !== 127 ? 0 : value)); game.board.set(this.slots); }), button("Leave it", () => this.end(false)))));
    game.element.classList.add("edited");
    game.board.mark({});
  }

  /** @param {number} field */
  click(field) {
    const counter = this.game.board.counter;
    if (counter) this.slots[counter.slot + field] = (this.slots[counter.slot + field] + 1) % (counter.range[1] + 1);
    else this.slots[field] = this.slots[field] === this.code ? 0 : this.code;
    this.game.board.set(this.slots.slice());
  }

  /** @param {boolean} keep */
  async end(keep) {
    if (keep && await this.game.order({ edit: { slots: this.slots, mover: this.mover } }) === undefined) return;
    this.active = false;
    this.game.editBox.replaceChildren();
    this.game.element.classList.remove("edited");
    this.game.refresh();
  }
}
