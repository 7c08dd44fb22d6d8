// @ts-check
// Who plays: names, clocks, hands, counts.

import { h } from "./dom.js";
import { picture } from "./pieces.js";

/** Numbers of the rules that say nothing to players. */
const INNER = /castle|en_passant|rook$|passed|quiet|halfmoves|king_moves|moves_made|none|target/;

export class Sides {
  /** @param {import("./game.js").Screen} game */
  constructor(game) {
    this.game = game;
    this.strips = [0, 1].map((side) => h("div", { class: "side" }));
    this.places = [0, 1].map(() => h("div", { class: "side-place" }));
    this.thought = "";
    this.timer = window.setInterval(() => this.tick(), 200);
    this.heard = performance.now();
  }

  leave() {
    clearInterval(this.timer);
  }

  /** @param {number} place 0 below, 1 above */
  strip(place) {
    this.place();
    return this.places[place];
  }

  place() {
    const turned = this.game.board?.turned ? 1 : 0;
    this.places[0].replaceChildren(this.strips[turned]);
    this.places[1].replaceChildren(this.strips[1 - turned]);
  }

  /** @param {string} words */
  thinks(words) {
    this.thought = words;
    const box = this.strips[this.game.state.mover === "black" ? 1 : 0].querySelector(".thought");
    if (box) box.textContent = words;
  }

  /** @param {number[]} slots */
  show(slots) {
    const { look, state } = this.game;
    this.heard = performance.now();
    if (look.players < 2) {
      this.strips.forEach((strip) => strip.replaceChildren());
      return;
    }
    if (!state.thinking) this.thought = "";
    const owners = ["white", "black"];
    this.strips.forEach((strip, side) => {
      const player = state.players[side];
      const name = player === "person" ? owners[side] === "white" ? "White" : "Black" : `Computer, ${describe(player)}`;
      const kind = look.pieces.find((piece) => piece.owner === owners[side]);
      const hands = look.numbers.filter((number) => number.of === "player" && !INNER.test(number.name)).map((number) => {
        const count = slots[number.slot + side];
        const code = number.piece?.[side];
        const piece = code !== undefined ? this.game.board.byCode.get(code) : undefined;
        if (!piece) return h("span", { class: "tally" }, `${number.name.replaceAll("_", " ")} ${count}`);
        const held = h("button", { type: "button", class: "held", "data-code": code, disabled: count === 0, "aria-label": `${count} ${piece.name}`, click: () => this.game.hand(piece.code) }, picture(piece, 30), h("span", {}, String(count)));
        return held;
      });
      const shared = side === 0 ? this.shared(slots) : [];
      strip.replaceChildren(h("span", { class: "face" }, kind ? picture(kind, 26) : h("i", { class: `dot ${owners[side]}` })), h("span", { class: "who" }, name), h("span", { class: "thought" }, state.thinking && state.mover === owners[side] ? this.thought || "thinking …" : ""), ...hands, ...shared, h("span", { class: "clock" }));
      strip.classList.toggle("active", !state.over && state.mover === owners[side] && this.game.ply === this.game.moves.length);
      strip.classList.toggle("winner", state.over?.winner === owners[side]);
    });
    this.tick();
  }

  /** Numbers of the position that are a piece to be seen, such as the one chosen in Quarto. @param {number[]} slots */
  shared(slots) {
    const { look } = this.game;
    return look.numbers.flatMap((number) => {
      const piece = this.game.pieceOf(number, slots[number.slot]);
      return piece ? [h("span", { class: "tally" }, number.name, picture(piece, 34))] : [];
    });
  }

  /** @param {number | null} code */
  choose(code) {
    for (const strip of this.strips) for (const held of strip.querySelectorAll(".held")) held.classList.toggle("chosen", Number(held.getAttribute("data-code")) === code);
  }

  tick() {
    const clock = this.game.state?.clock;
    this.strips.forEach((strip, side) => {
      const box = strip.querySelector(".clock");
      if (!box) return;
      if (!clock) { box.textContent = ""; return; }
      const runs = clock.runs === (side ? "black" : "white");
      const left = Math.max(0, clock.left[side] - (runs ? performance.now() - this.heard : 0));
      const seconds = Math.ceil(left / 1000);
      box.textContent = left < 10000 ? `0:0${(left / 1000).toFixed(1)}` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
      box.classList.toggle("runs", runs);
    });
  }
}

/** @param {import("./types.js").Player} player */
export function describe(player) {
  if (player === "person") return "a person";
  const { level, time, nodes, depth } = player.computer;
  if (time) return `${time / 1000} s a move`;
  if (nodes) return `${nodes} positions a move`;
  if (depth) return `${depth} moves deep`;
  return level ?? "strong";
}
