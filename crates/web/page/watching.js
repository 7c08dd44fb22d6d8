// @ts-check
// A search as it runs, as an icicle: the nodes with their windows and cuts, or what the table remembers. The wider, the deeper.

import { button, h, s } from "./dom.js";
import { shown } from "./analysis.js";
import { Processors } from "./processors.js";
import { order } from "./socket.js";

const WIDTH = 360, ROW = 34;

/** A node in words: what it is worth, in which window, and why it was left. */
function told(node) {
  const words = [node.score ? `${shown(node.score)} (${node.bound})` : "", `depth ${node.depth ?? 0}`];
  if (node.window) {
    const [least, most] = node.window.map((limit, side) => limit ? shown(limit) : side ? "∞" : "−∞");
    words.push(`window ${least} to ${most}`, `${node.searched} of ${node.moves} moves searched${node.cut ? ", then cut off" : ""}`, `processor ${node.processor}`);
  }
  return words.filter(Boolean).join(", ");
}

export class Watching {
  /** @param {import("./game.js").Screen} game */
  constructor(game) {
    this.game = game;
    this.timer = 0;
    /** @type {string[]} */
    this.zoom = [];
    this.picture = s("svg", { class: "icicle", viewBox: `0 0 ${WIDTH} ${ROW * 6}`, role: "img", "aria-label": "The tree of the search" });
    this.processors = new Processors(game, (tree) => { this.tree = tree; this.zoom = []; this.show(); });
    this.words = h("p", { class: "soft" }, "Switch the engine on under Analysis, or let the computer think: its tree shows up here.");
    this.element = h("div", { class: "watching" }, h("div", { class: "tools" }, button("Look", () => { this.processors.stays = false; this.look(); }), button("Back to the root", () => { this.zoom = []; this.show(); })), this.picture, this.words,
      h("p", { class: "legend" }, h("i", { class: "exact" }), "exact ", h("i", { class: "lower" }), "at least ", h("i", { class: "upper" }), "at most ", h("i", { class: "cut-off" }), "cut off"), this.processors.element);
  }

  /** @param {boolean} shown */
  shown(shown) {
    clearInterval(this.timer);
    if (!shown) return;
    this.look();
    this.timer = window.setInterval(() => this.look(), 1500);
  }

  async look() {
    if (this.processors.stays) return;
    this.processors.look();
    this.tree = await order(this.game.id, { tree: { depth: 5 } }).catch(() => null);
    this.show();
  }

  show() {
    let root = this.tree;
    for (const name of this.zoom) root = root?.below.find((child) => child.name === name) ?? root;
    this.picture.replaceChildren();
    if (!root?.below.length) return;
    this.words.textContent = [this.zoom.length ? `Behind ${this.zoom.join(" ")}: ${told(root)}.` : root.window ? `The search: ${told(root)}.` : "What the table remembers of the last search.", "Click a part to go deeper."].join(" ");
    this.part(root, 0, 0, WIDTH, []);
  }

  part(node, level, from, width, path) {
    if (level > 5 || width < 1) return;
    const weight = (child) => 1 + Math.max(0, child.depth) ** 1.5;
    const total = node.below.reduce((sum, child) => sum + weight(child), 0);
    let x = from;
    for (const child of node.below) {
      const wide = width * weight(child) / total;
      const here = [...path, child.name];
      if (wide >= 1.2) {
        const box = s("rect", { x: x + 0.4, y: level * ROW, width: Math.max(0.5, wide - 0.8), height: ROW - 2, rx: 3, class: `${child.bound}${child.cut ? " cut" : ""}`, click: () => { this.zoom = [...this.zoom, ...here]; this.show(); } });
        box.append(s("title", {}, `${here.join(" ")}: ${told(child)}`));
        this.picture.append(box);
        if (wide > 26) this.picture.append(s("text", { x: x + wide / 2, y: level * ROW + 14, class: "icicle-name" }, child.name.slice(0, Math.floor(wide / 6))));
        if (wide > 40) this.picture.append(s("text", { x: x + wide / 2, y: level * ROW + 26, class: "icicle-score" }, shown(child.score)));
        this.part(child, level + 1, x, wide, here);
      }
      x += wide;
    }
  }
}
