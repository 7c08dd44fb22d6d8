// @ts-check
// Processors over time: a lane for each, busy and idle by cause. Threads of the search that runs, or virtual ones.

import { button, h, s, select, toast } from "./dom.js";
import { order } from "./socket.js";

const WIDTH = 360, LANE = 26, COLUMNS = 120;
const CLASSES = ["searching", "waiting", "synchronising", "without"];
const METHODS = ["ybwc", "ybwc-1", "ybwc-1-2", "ybwc*", "ybwc-1-2*", "jamboree", "pvsplit", "abdada", "lazysmp"];

export class Processors {
  /** @param {import("./game.js").Screen} game @param {(tree: any) => void} grown is given the tree of a simulated search */
  constructor(game, grown) {
    this.game = game;
    this.grown = grown;
    this.count = "16";
    this.depth = "5";
    this.method = "ybwc";
    /** Whether a picture of virtual processors stays until somebody wants the threads again. */
    this.stays = false;
    this.picture = s("svg", { class: "lanes", viewBox: `0 0 ${WIDTH} ${LANE}`, role: "img", "aria-label": "Processors over time" });
    this.words = h("p", { class: "soft" }, "The threads of a search show up here. Choose two or more under Analysis.");
    const chosen = (name, values, value, set) => select(name, values.map((one) => [one, one]), value, set);
    this.element = h("div", { class: "processors" }, h("h3", {}, "Processors over time"), this.picture, this.words,
      h("p", { class: "legend" }, ...[["searching", "searching"], ["waiting", "waiting for slaves"], ["synchronising", "synchronising"], ["without", "no work"]].flatMap(([kind, name]) => [h("i", { class: kind }), `${name} `])),
      h("div", { class: "tools" }, chosen("Virtual", ["4", "16", "64"], this.count, (value) => { this.count = value; }), chosen("Depth", ["3", "4", "5", "6", "7"], this.depth, (value) => { this.depth = value; }),
        chosen("Method", METHODS, this.method, (value) => { this.method = value; }),
        button("Simulate", () => this.simulate()), button("Threads", () => { this.stays = false; this.look(); })));
  }

  async look() {
    if (this.stays) return;
    const told = await order(this.game.id, "processors").catch(() => null);
    if (told && !this.stays) this.draw(told, told.column * COLUMNS);
  }

  async simulate() {
    this.stays = true;
    this.words.textContent = "Simulating …";
    const wanted = { processors: Number(this.count), depth: Number(this.depth), method: this.method };
    const told = await order(this.game.id, { simulate: wanted }).catch((error) => { toast(error.message); return null; });
    if (!told) { this.words.textContent = ""; return; }
    if (told.tree) this.grown(told.tree);
    this.draw(told, told.milliseconds / 1000, `${this.count} virtual processors, depth ${told.depth}, ${told.nodes.toLocaleString("en")} positions, ${told.milliseconds.toFixed(1)} ms of virtual time.`);
  }

  /** @param {any} told @param {number} seconds @param {string} [words] */
  draw(told, seconds, words) {
    const lanes = told.lanes, height = Math.max(4, Math.min(LANE, 420 / lanes.length));
    this.picture.setAttribute("viewBox", `0 0 ${WIDTH} ${(height * lanes.length).toFixed(1)}`);
    this.picture.replaceChildren(...lanes.flatMap((lane, index) => this.lane(lane, index * height, height)));
    const sums = told.causes.map((_, cause) => lanes.reduce((sum, lane) => sum + lane.seconds[cause], 0));
    const all = sums.reduce((sum, one) => sum + one, 0);
    const shares = all ? told.causes.map((name, cause) => `${name} ${(100 * sums[cause] / all).toFixed(0)} %`).join(", ") : "nothing yet";
    this.words.textContent = `${words ?? `${lanes.length} thread${lanes.length === 1 ? "" : "s"}, the last ${seconds.toFixed(0)} seconds.`} Altogether: ${shares}.`;
  }

  /** One path for each cause: a column is filled from below. */
  lane(lane, top, height) {
    const paths = CLASSES.map(() => ""), wide = WIDTH / COLUMNS, room = height - Math.min(3, height / 6);
    lane.columns.forEach((shares, column) => {
      const whole = Math.max(1000, shares.reduce((sum, one) => sum + one, 0));
      let floor = top + room;
      shares.forEach((share, cause) => {
        const tall = room * share / whole;
        if (tall < 0.05) return;
        floor -= tall;
        paths[cause] += `M${(column * wide).toFixed(1)} ${floor.toFixed(2)}h${wide.toFixed(2)}v${tall.toFixed(2)}h-${wide.toFixed(2)}z`;
      });
    });
    return [s("rect", { x: 0, y: top, width: WIDTH, height: room, class: "lane" }), ...paths.map((d, cause) => d && s("path", { d, class: CLASSES[cause] })).filter(Boolean)];
  }
}
