// @ts-check
// Games for one: scramble, solve, hint; and those for nobody, which run by themselves.

import { button, h, say, toast } from "./dom.js";
import { order } from "./socket.js";

const PACE = 350;

export class Puzzle {
  /** @param {import("./game.js").Screen} game */
  constructor(game) {
    this.game = game;
    this.timer = 0;
    this.words = h("p", { class: "status", role: "status" });
    this.count = /** @type {HTMLInputElement} */ (h("input", { type: "number", min: 1, max: 500, value: 12, "aria-label": "Moves to scramble" }));
    this.stopper = button("Stop", () => this.stop(), { hidden: true });
    const nobody = game.look.players === 0;
    this.element = h("div", { class: "puzzle" },
      nobody ? h("div", { class: "tools" }, button("Step", () => this.step()), button("Run", () => this.run(), { class: "main" }), this.stopper)
        : h("div", { class: "tools" }, button("Scramble", () => this.scramble()), this.count, button("Hint", () => this.hint()), button("Solve", () => this.solve(), { class: "main" }), this.stopper),
      this.words,
      h("p", { class: "soft" }, nobody ? "Nothing is decided here: the next position follows from this one." : "The shortest solution is looked for. Long ones take their time: scramble less to see one soon."));
  }

  leave() {
    this.stop();
  }

  moved() {
    if (this.game.state.over && !this.timer) this.words.textContent = this.game.state.over.words;
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.stopper.hidden = true;
    if (this.busy) order(this.game.id, "stop").catch(() => {});
    this.busy = false;
  }

  async scramble() {
    this.stop();
    await this.game.order({ scramble: { moves: Number(this.count.value) || 12 } });
    this.words.textContent = "Scrambled.";
    say("Scrambled");
  }

  async find() {
    this.busy = true;
    this.stopper.hidden = false;
    this.words.textContent = "Looking for the shortest solution …";
    const found = await order(this.game.id, { solve: { time: 30000 } }).catch((error) => { toast(error.message); return null; });
    this.busy = false;
    this.stopper.hidden = true;
    if (!found) { this.words.textContent = ""; return null; }
    if (!found.solved) { this.words.textContent = found.proven ? "There is no solution from here." : "No solution was found in time."; return null; }
    const length = found.moves.length;
    this.words.textContent = length ? `${length} moves${found.proven ? ", and none is shorter" : ""}. ${found.nodes.toLocaleString("en")} positions were looked at.` : "This is solved.";
    return found;
  }

  async hint() {
    const found = await this.find();
    const first = found?.moves[0];
    const choice = first === undefined ? null : this.game.state.legal[first];
    if (!choice) return;
    this.game.board.arrows([{ path: choice.path, kind: "hint" }]);
    say(`Perhaps ${choice.name}`);
  }

  async solve() {
    const found = await this.find();
    if (!found?.moves.length) return;
    const moves = found.moves.slice();
    this.stopper.hidden = false;
    this.timer = window.setInterval(() => {
      const next = moves.shift();
      if (next === undefined || next === null) return this.stop();
      this.game.order({ play: { ply: this.game.moves.length, move: next } });
    }, PACE);
  }

  step() {
    if (this.game.state.choices) this.game.order({ play: { ply: this.game.moves.length, move: 0 } });
    else this.stop();
  }

  run() {
    this.stop();
    this.stopper.hidden = false;
    this.timer = window.setInterval(() => this.step(), PACE);
  }
}
