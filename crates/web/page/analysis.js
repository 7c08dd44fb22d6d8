// @ts-check
// What the engine thinks: lines, a bar, a graph over the game, mistakes by name.

import { button, h, s, select } from "./dom.js";
import { order } from "./socket.js";

/** White's chances from 0 to 1. @param {import("./types.js").Score} score */
export function chances(score) {
  if (score.certain) return score.value > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-score.value / 250));
}

export class Analysis {
  /** @param {import("./game.js").Screen} game */
  constructor(game) {
    this.game = game;
    this.on = false;
    this.lines = 3;
    this.threads = 1;
    this.method = "";
    this.timer = 0;
    /** @type {Map<number, any>} */
    this.found = new Map();
    /** @type {Map<number, {score: import("./types.js").Score, line: string[], path: number[]}>} */
    this.reviewed = new Map();
    this.bar = h("div", { class: "chances", hidden: true, "aria-hidden": "true" }, h("div", { class: "share" }), h("span", {}));
    this.box = h("ol", { class: "lines" });
    this.facts = h("p", { class: "soft" });
    this.graph = /** @type {SVGElement} */ (s("svg", { class: "graph", viewBox: "0 0 300 80", preserveAspectRatio: "none", role: "img", "aria-label": "Chances over the game" }));
    this.mistakes = h("div", { class: "mistakes" });
    this.toggle = button("Engine on", () => this.set(!this.on), { class: "main", "aria-pressed": "false" });
    this.element = h("div", { class: "analysis" },
      h("div", { class: "tools" }, this.toggle, select("Lines", [["1", "1"], ["2", "2"], ["3", "3"], ["5", "5"]], "3", (value) => { this.lines = Number(value); this.restart(); }),
        select("Threads", [["1", "1"], ["2", "2"], ["4", "4"], ["8", "8"]], "1", (value) => { this.threads = Number(value); this.restart(); }),
        select("Method", [["", "usual"], ["ybwc", "ybwc"], ["jamboree", "jamboree"], ["abdada", "abdada"], ["lazysmp", "lazysmp"]], "", (value) => { this.method = value; this.restart(); })),
      this.facts, this.box,
      h("div", { class: "tools" }, button("Find the mistakes of the game", () => this.review())), this.graph, this.mistakes);
    this.graph.addEventListener("click", (event) => {
      const box = this.graph.getBoundingClientRect();
      const last = Math.max(1, this.game.moves.length);
      this.game.look_at(Math.round(((/** @type {MouseEvent} */ (event)).clientX - box.left) / box.width * last));
    });
  }

  /** @param {boolean} on */
  set(on) {
    this.on = on;
    this.toggle.textContent = on ? "Engine off" : "Engine on";
    this.toggle.setAttribute("aria-pressed", String(on));
    this.bar.hidden = !on;
    if (on) this.restart();
    else {
      order(this.game.id, { analyse: { on: false, ply: null, lines: null, threads: null, method: null } }).catch(() => {});
      this.game.board.arrows([]);
      this.box.replaceChildren();
      this.facts.textContent = "";
    }
  }

  /** @param {boolean} shown */
  shown(shown) {
    if (shown) this.draw();
  }

  moved() {
    this.draw();
    if (this.on) this.restart();
  }

  restart() {
    if (!this.on) return;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.found.clear();
      this.box.replaceChildren();
      this.game.board.arrows([]);
      const wanted = this.game.ply;
      this.ply = wanted;
      order(this.game.id, { analyse: { on: true, ply: wanted, lines: this.lines, threads: this.threads, method: this.method || null } }).then((result) => { if (result && this.ply === wanted) this.facts.textContent += " Done."; }).catch((error) => { this.facts.textContent = error.message; });
    }, 120);
  }

  /** @param {any} news */
  hear(news) {
    if (!this.on) return;
    if (news.waiting) { this.facts.textContent = `Waiting for a place: ${news.waiting} before.`; return; }
    this.found.set(news.rank, news);
    const all = [...this.found.values()].sort((a, b) => a.rank - b.rank).filter((line) => line.rank <= this.lines);
    const speed = news.milliseconds ? Math.round(news.nodes / news.milliseconds * 1000) : 0;
    this.facts.textContent = `Depth ${news.depth}, ${news.nodes.toLocaleString("en")} positions, ${speed.toLocaleString("en")} a second.`;
    this.box.replaceChildren(...all.map((line) => h("li", {}, h("strong", {}, shown(line.score)), " ", line.line.join(" "))));
    this.game.board.arrows(all.map((line, index) => ({ path: line.path, kind: index ? "other" : "best" })));
    if (all[0]) this.tilt(all[0].score);
  }

  /** @param {import("./types.js").Score} score */
  tilt(score) {
    const share = /** @type {HTMLElement} */ (this.bar.firstElementChild);
    share.style.height = `${(chances(score) * 100).toFixed(1)}%`;
    const words = this.bar.querySelector("span");
    if (words) words.textContent = shown(score);
    this.bar.classList.toggle("turned", this.game.board.turned);
  }

  async review() {
    this.reviewed.clear();
    this.mistakes.textContent = "Looking at every position …";
    const done = await this.game.order({ review: { nodes: 20000 } });
    if (done) this.tell();
  }

  /** A position of the game was judged. @param {any} news */
  judged(news) {
    if (news.waiting) return;
    this.reviewed.set(news.ply, news);
    this.draw();
  }

  /** What is to be said of a move. @param {number} ply */
  verdict(ply) {
    const before = this.reviewed.get(ply - 1), after = this.reviewed.get(ply);
    if (!before || !after) return null;
    const black = (this.game.moves.length - ply) % 2 === (this.game.state.mover === "black" ? 1 : 0);
    const white = !black;
    const gain = (chances(after.score) - chances(before.score)) * (white ? 1 : -1);
    const best = before.line[0];
    const words = (name) => `${name}${best ? `: ${best} was better` : ""}`;
    if (gain < -0.3) return { sign: "??", kind: "blunder", words: words("Blunder") };
    if (gain < -0.18) return { sign: "?", kind: "mistake", words: words("Mistake") };
    if (gain < -0.09) return { sign: "?!", kind: "doubtful", words: words("Doubtful") };
    return null;
  }

  tell() {
    const rows = [];
    this.game.moves.forEach((played, index) => {
      const verdict = this.verdict(index + 1);
      if (verdict) rows.push(h("li", {}, button(`${played.name}${verdict.sign}`, () => { this.game.look_at(index); const best = this.reviewed.get(index); if (best) this.game.board.arrows([{ path: best.path }]); }, { class: `ply ${verdict.kind}` }), ` ${verdict.words}.`));
    });
    this.mistakes.replaceChildren(rows.length ? h("ul", {}, ...rows) : h("p", {}, "No mistakes were found."));
    this.game.showMoves();
  }

  draw() {
    const last = Math.max(1, this.game.moves.length);
    const points = [...this.reviewed].sort(([a], [b]) => a - b).map(([ply, { score }]) => [ply / last * 300, 80 - chances(score) * 80]);
    const line = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
    const now = this.game.ply / last * 300;
    this.graph.replaceChildren(s("rect", { width: 300, height: 80, class: "sky" }));
    if (points.length > 1) this.graph.append(s("polygon", { points: `${points[0][0]},80 ${line} ${points[points.length - 1][0]},80`, class: "land" }), s("polyline", { points: line, class: "ridge" }));
    this.graph.append(s("line", { x1: 0, y1: 40, x2: 300, y2: 40, class: "middle" }), s("line", { x1: now, y1: 0, x2: now, y2: 80, class: "now" }));
    this.graph.toggleAttribute("hidden", !this.reviewed.size);
  }
}

/** A score in few signs, seen from White. @param {import("./types.js").Score} score */
export function shown(score) {
  if (score.in !== null) return `${score.value > 0 ? "+" : "−"}#${Math.ceil(Math.abs(score.in) / 2)}`;
  if (score.certain) return score.words.replace("score ", "");
  return `${score.value >= 0 ? "+" : "−"}${(Math.abs(score.value) / 100).toFixed(2)}`;
}
