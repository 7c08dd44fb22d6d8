// @ts-check
// A board as a drawing: fields, pieces, marks, arrows. It knows no rules.

import { s } from "./dom.js";
import { draw } from "./pieces.js";

/** @typedef {import("./types.js").Look} Look */

const MARGIN = { squares: 0.45, chequered: 0.45, points: 0.75, hexagons: 0.55, pits: 0.35, holes: 0.45, bars: 0.45, layers: 0.4, net: 0.4 };
/** Boards whose field names are of interest. */
const NAMED = ["squares", "chequered", "points", "holes"];

export class Board {
  /** @param {Look} look @param {{small?: boolean, click?: (field: number) => void, drop?: (from: number, to: number) => void, canDrag?: (field: number) => boolean, turned?: boolean}} [options] */
  constructor(look, options = {}) {
    this.look = look;
    this.options = options;
    this.turned = Boolean(options.turned);
    this.byCode = new Map(look.pieces.map((piece) => [piece.code, piece]));
    this.counter = look.numbers.find((number) => number.of === "field" && look.board === "pits");
    const margin = options.small ? 0.15 : MARGIN[look.board] ?? 0.4;
    this.margin = margin;
    const box = [-margin, -margin, look.width + 2 * margin, look.height + 2 * margin];
    this.svg = /** @type {SVGSVGElement} */ (s("svg", { viewBox: box.join(" "), class: `board ${look.board}${look.pieces.some((piece) => piece.name === "disc") ? " felt" : ""}${options.small ? " small" : ""}`, role: options.small ? "img" : "group", "aria-label": "Board" }));
    this.svg.style.aspectRatio = `${box[2]} / ${box[3]}`;
    this.layers = {};
    for (const name of ["ground", "marks", "pieces", "hints", "arrows", "hits"]) {
      this.layers[name] = s("g", { class: name });
      this.svg.append(this.layers[name]);
    }
    /** @type {(SVGElement | null)[]} */
    this.pieces = look.cells.map(() => null);
    /** @type {number[]} */
    this.slots = [];
    this.cursor = -1;
    this.ground();
    if (!options.small) this.listen();
  }

  /** The middle of a field as it is seen. @param {number} field @returns {[number, number]} */
  at(field) {
    const cell = this.look.cells[field];
    if (!cell) return [0, 0];
    return this.turned ? [this.look.width - cell.x, this.look.height - cell.y] : [cell.x, cell.y];
  }

  /** The outline of a field. @param {number} field @param {number} [grow] */
  outline(field, grow = 1) {
    const [x, y] = this.at(field);
    const sign = this.turned ? -grow : grow;
    return this.look.outline.map(([dx, dy]) => `${(x + dx * sign).toFixed(3)},${(y + dy * sign).toFixed(3)}`).join(" ");
  }

  /** @param {boolean} turned */
  turn(turned) {
    if (turned === this.turned) return;
    this.turned = turned;
    this.ground();
    this.set(this.slots);
  }

  ground() {
    const { look } = this;
    const ground = this.layers.ground;
    ground.replaceChildren();
    this.layers.hits.replaceChildren();
    const frame = this.options.small ? 0.1 : look.board === "points" ? 0.42 : 0.12;
    const points = look.board === "points";
    if (!["hexagons", "layers", "net"].includes(look.board)) {
      ground.append(s("rect", { x: -frame, y: -frame, width: look.width + 2 * frame, height: look.height + 2 * frame, rx: points ? 0.15 : 0.1, class: "frame" }));
    }
    for (const edge of look.edges) {
      for (const field of edge.fields) {
        const [x, y] = this.at(field);
        const sign = this.turned ? -1 : 1;
        ground.append(s("circle", { cx: x + edge.towards[0] * 0.36 * sign, cy: y + edge.towards[1] * 0.4 * sign, r: 0.46, class: `edge ${edge.owner}` }));
      }
    }
    for (const [x, y] of look.blanks) ground.append(s("rect", { x: (this.turned ? look.width - x : x) - 0.5, y: (this.turned ? look.height - y : y) - 0.5, width: 1, height: 1, class: "cell" }));
    for (const [ax, ay, bx, by] of look.lines) {
      const place = (x, y) => (this.turned ? [look.width - x, look.height - y] : [x, y]);
      const [x1, y1] = place(ax, ay), [x2, y2] = place(bx, by);
      ground.append(s("line", { x1, y1, x2, y2, class: "line" }));
    }
    look.cells.forEach((cell, field) => {
      if (!cell) return;
      const [x, y] = this.at(field);
      let shape;
      if (points) shape = s("circle", { cx: x, cy: y, r: look.lines.length > 60 ? 0.03 : 0.08, class: "point" });
      else if (look.board === "pits") shape = s("circle", { cx: x, cy: y, r: 0.43, class: "cell" });
      else shape = s("polygon", { points: this.outline(field), class: cell.dark ? "cell dark" : "cell" });
      ground.append(shape);
      if (look.board === "holes") ground.append(s("circle", { cx: x, cy: y, r: 0.41, class: "holed" }));
      if (look.board === "bars") ground.append(s("line", { x1: x, y1: y - 0.4, x2: x, y2: y + 0.4, class: "rod" }));
      if (look.pieces.some((piece) => piece.shape === "peg")) ground.append(s("circle", { cx: x, cy: y, r: 0.14, class: "pit" }));
      const hit = points
        ? s("circle", { cx: x, cy: y, r: 0.5, class: "hit" })
        : s("polygon", { points: this.outline(field), class: "hit" });
      hit.setAttribute("data-field", String(field));
      if (!this.options.small) {
        hit.setAttribute("data-name", look.names[field]);
        this.layers.hits.append(hit);
      }
    });
    if (!this.options.small && NAMED.includes(look.board)) this.coordinates();
  }

  coordinates() {
    const { look } = this;
    const rows = new Map(), columns = new Map();
    look.cells.forEach((cell, field) => {
      if (!cell) return;
      const [x, y] = this.at(field);
      const parts = /^([a-z]+)(\d+)$/.exec(look.names[field]);
      if (!parts) return;
      columns.set(parts[1], x);
      rows.set(parts[2], y);
    });
    const place = look.board === "points" ? 0.68 : 0.34;
    for (const [name, x] of columns) this.layers.ground.append(s("text", { x, y: look.height + place - 0.02, class: "coordinate" }, name));
    for (const [name, y] of rows) this.layers.ground.append(s("text", { x: -place + 0.02, y: y + 0.08, class: "coordinate" }, name));
  }

  /** Shows a position; with the changes of the last move, pieces slide. @param {number[]} slots @param {[number, number, number][]} [changes] */
  set(slots, changes) {
    const before = this.slots;
    this.slots = slots;
    const moved = changes && before.length ? this.slides(before, changes) : new Map();
    const old = this.pieces;
    /** @type {(SVGElement | null)[]} */
    const fresh = this.look.cells.map(() => null);
    const taken = new Set();
    for (const [to, from] of moved) {
      const element = old[from];
      if (!element || Number(element.getAttribute("data-code")) !== slots[to]) continue;
      fresh[to] = element;
      taken.add(from);
      this.place(element, to);
      this.layers.pieces.append(element);
    }
    this.look.cells.forEach((cell, field) => {
      if (!cell) return;
      const code = this.counter ? -1 : slots[field];
      const element = taken.has(field) ? null : old[field];
      if (fresh[field]) {
        if (element) element.remove();
      } else if (element && code > 0 && Number(element.getAttribute("data-code")) === code) {
        fresh[field] = element;
        this.place(element, field);
      } else {
        element?.remove();
        const piece = this.byCode.get(code);
        if (piece) {
          const drawing = s("g", { class: "standing", "data-code": code, "data-at": field });
          drawing.append(draw(piece));
          if (drawing.firstElementChild?.hasAttribute("data-turned")) drawing.setAttribute("data-turned", "1");
          this.place(drawing, field);
          this.layers.pieces.append(drawing);
          fresh[field] = drawing;
        }
      }
    });
    this.pieces = fresh;
    if (this.counter) this.count(slots);
    this.svg.setAttribute("data-pieces", String(this.layers.pieces.childElementCount));
  }

  /** Which pieces went where: target to source. @param {number[]} before @param {[number, number, number][]} changes */
  slides(before, changes) {
    const moved = new Map();
    const sources = changes.filter(([slot, old, now]) => slot < this.pieces.length && old > 0 && old < 127 && old !== now);
    for (const [slot, , now] of changes) {
      if (slot >= this.pieces.length || now <= 0 || now >= 127) continue;
      const index = sources.findIndex(([from, old]) => old === now && from !== slot && before[from] === old);
      if (index < 0) continue;
      moved.set(slot, sources[index][0]);
      sources.splice(index, 1);
    }
    return moved;
  }

  /** @param {SVGElement} element @param {number} field */
  place(element, field) {
    const [x, y] = this.at(field);
    const upside = element.hasAttribute("data-turned") !== this.turned && this.byCode.get(Number(element.getAttribute("data-code")))?.shape === "shogi";
    element.setAttribute("data-at", String(field));
    element.style.transform = `translate(${x}px, ${y}px) scale(0.01)${upside ? " rotate(180deg)" : ""}`;
  }

  /** Seeds in pits: as dots while they can be counted, and as a number. @param {number[]} slots */
  count(slots) {
    const counter = this.counter;
    if (!counter) return;
    this.layers.pieces.replaceChildren();
    this.look.cells.forEach((cell, field) => {
      if (!cell) return;
      const [x, y] = this.at(field);
      const number = slots[counter.slot + field];
      const g = s("g", { class: "seeds", "data-at": field });
      for (let seed = 0; seed < Math.min(number, 24); seed++) {
        const angle = seed * 2.39996, radius = 0.065 * Math.sqrt(seed) + 0.02;
        g.append(s("circle", { cx: x + Math.cos(angle) * radius, cy: y - 0.05 + Math.sin(angle) * radius, r: 0.058, class: `seed s${seed % 3}` }));
      }
      g.append(s("text", { x, y: y + 0.4, class: "count" }, String(number)));
      this.layers.pieces.append(g);
    });
  }

  /** Marks fields. @param {{last?: number[], chosen?: number[], targets?: number[], cursor?: number}} marks */
  mark(marks) {
    const layer = this.layers.marks, hints = this.layers.hints;
    layer.replaceChildren();
    hints.replaceChildren();
    const under = (field, kind) => {
      if (!this.look.cells[field]) return;
      const [x, y] = this.at(field);
      layer.append(this.look.outline.length && this.look.board !== "pits"
        ? s("polygon", { points: this.outline(field), class: `mark ${kind}` })
        : s("circle", { cx: x, cy: y, r: 0.47, class: `mark ${kind}` }));
    };
    for (const field of marks.last ?? []) under(field, "last");
    for (const field of marks.chosen ?? []) under(field, "chosen");
    for (const field of marks.targets ?? []) {
      const [x, y] = this.at(field);
      const full = this.pieces[field] || this.counter;
      hints.append(s("circle", { cx: x, cy: y, r: full ? 0.45 : 0.14, class: full ? "target full" : "target" }));
    }
    if (marks.cursor !== undefined && marks.cursor >= 0) {
      const [x, y] = this.at(marks.cursor);
      hints.append(s("rect", { x: x - 0.47, y: y - 0.47, width: 0.94, height: 0.94, rx: 0.12, class: "cursor" }));
    }
  }

  /** Draws arrows along paths. @param {{path: number[], kind?: string}[]} arrows */
  arrows(arrows) {
    this.layers.arrows.replaceChildren();
    for (const { path, kind = "best" } of arrows) {
      if (!path.length) continue;
      const [x1, y1] = this.at(path[0]);
      if (path.length < 2) {
        this.layers.arrows.append(s("circle", { cx: x1, cy: y1, r: 0.4, class: `ring ${kind}` }));
        continue;
      }
      const [x2, y2] = this.at(path[1]);
      const length = Math.hypot(x2 - x1, y2 - y1) || 1;
      const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
      const tip = [x2 - ux * 0.1, y2 - uy * 0.1], neck = [x2 - ux * 0.42, y2 - uy * 0.42];
      const d = `M${x1 + ux * 0.2} ${y1 + uy * 0.2}L${neck[0]} ${neck[1]}`;
      const head = `${tip[0]},${tip[1]} ${neck[0] - uy * 0.2},${neck[1] + ux * 0.2} ${neck[0] + uy * 0.2},${neck[1] - ux * 0.2}`;
      this.layers.arrows.append(s("path", { d, class: `shaft ${kind}` }), s("polygon", { points: head, class: `head ${kind}` }));
    }
  }

  /** The field under a point of the window. @param {number} x @param {number} y */
  fieldAt(x, y) {
    const under = document.elementsFromPoint(x, y).find((element) => element.classList.contains("hit") && this.svg.contains(element));
    return under ? Number(under.getAttribute("data-field")) : -1;
  }

  listen() {
    let from = -1, dragging = false, started = [0, 0];
    /** @type {SVGElement | null} */
    let ghost = null;
    this.svg.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      from = this.fieldAt(event.clientX, event.clientY);
      started = [event.clientX, event.clientY];
      dragging = false;
      ghost = from >= 0 ? this.pieces[from] : null;
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (from < 0 || !ghost) return;
      const far = Math.hypot(event.clientX - started[0], event.clientY - started[1]) > 6;
      if (!dragging && far && this.options.canDrag?.(from)) {
        dragging = true;
        this.svg.setPointerCapture(event.pointerId);
        this.options.click?.(from);
        ghost.classList.add("dragged");
        this.layers.pieces.append(ghost);
      }
      if (dragging) {
        const matrix = this.svg.getScreenCTM();
        if (!matrix) return;
        const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
        ghost.style.transform = `translate(${point.x}px, ${point.y}px) scale(0.0112)`;
      }
    });
    const end = (event) => {
      if (from < 0) return;
      const to = this.fieldAt(event.clientX, event.clientY);
      if (dragging && ghost) {
        ghost.classList.remove("dragged");
        this.place(ghost, Number(ghost.getAttribute("data-at")));
        if (to >= 0 && to !== from) this.options.drop?.(from, to);
      } else if (to >= 0 && to === from) {
        this.options.click?.(to);
      }
      from = -1;
      dragging = false;
    };
    this.svg.addEventListener("pointerup", end);
    this.svg.addEventListener("pointercancel", () => { if (ghost && dragging) { ghost.classList.remove("dragged"); this.place(ghost, Number(ghost.getAttribute("data-at"))); } from = -1; dragging = false; });
  }

  /** The next field in a direction, for keys. @param {number} field @param {number} dx @param {number} dy */
  neighbour(field, dx, dy) {
    const [x, y] = this.at(field);
    let best = field, distance = Infinity;
    this.look.cells.forEach((cell, other) => {
      if (!cell || other === field) return;
      const [ox, oy] = this.at(other);
      const along = (ox - x) * dx + (oy - y) * dy, aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
      if (along <= 0.1 || aside > along * 1.2) return;
      const far = along + aside * 2;
      if (far < distance) [best, distance] = [other, far];
    });
    return best;
  }

  /** What stands on a field, in words. @param {number} field */
  words(field) {
    const name = this.look.names[field];
    if (this.counter) return `${name}, ${this.slots[this.counter.slot + field]} ${this.counter.name}`;
    const piece = this.byCode.get(this.slots[field]);
    if (!piece) return `${name}, empty`;
    return `${name}, ${piece.owner ? piece.owner + " " : ""}${piece.name.replaceAll("_", " ")}`;
  }
}
