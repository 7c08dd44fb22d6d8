// @ts-check
// Drawings of pieces, all our own. Each is drawn around (0, 0) and fits a field of 100.

import { s } from "./dom.js";
import { glyph } from "./glyphs.js";

const BASE = "M-29 39h58v-5c0-6-5-9-10-9h-38c-5 0-10 3-10 9z";
const STEM = "M-11 10c0 7-7 10-11 15h44c-4-5-11-8-11-15z";

/** @type {Record<string, string[]>} */
const OUTLINES = {
  pawn: ["M-8-8C-8 8-16 14-21 25h42C16 14 8 8 8-8z", "M-13-7h26a3 3 0 0 0 0-6h-26a3 3 0 0 0 0 6z", "M0-42a14.500 14.500 0 1 1-.1 0z", BASE],
  rook: ["M-19 25l4-33h30l4 33z", "M-26-38h12v8h8v-8h12v8h8v-8h12v19l-7 7h-38l-7-7z", BASE],
  bishop: [STEM, "M-15 10h30a4 4 0 0 0 0-8h-30a4 4 0 0 0 0 8z", "M0-37c17 10 23 27 13 39h-26c-10-12-4-29 13-39z", "M0-48a5.500 5.500 0 1 1-.1 0z", BASE],
  queen: ["M-22 6c0 8-2 13-4 19h52c-2-6-4-11-4-19z", "M-25 8l-10-34 17 16 5-27 13 24 13-24 5 27 17-16-10 34z", "M-35-34a4.500 4.500 0 1 1-.1 0z", "M35-34a4.500 4.500 0 1 1-.1 0z", "M-13-46a4.500 4.500 0 1 1-.1 0z", "M13-46a4.500 4.500 0 1 1-.1 0z", BASE],
  king: ["M-3.500-49h7v7h7v7h-7v10h-7v-10h-7v-7h7z", "M-20 8l-5 17h50l-5-17z", "M0-22c7-12 34-10 33 7-1 10-9 16-13 24h-40c-4-8-12-14-13-24-1-17 26-19 33-7z", BASE],
  knight: ["M-20 25c-1-17 16-20 16-33-6 3-10 11-17 11-6 0-10-5-8-10 5-7 9-13 12-21 3-7 8-10 13-12l-2-9 11 7c16 5 23 23 22 45 0 9-2 16-2 22z", BASE],
};

const COLOURS = {
  white: "#fbf7ec", black: "#32363d", grey: "#9aa0a6", red: "#c8473f", orange: "#df8a3a", yellow: "#ecc94b", green: "#4c9a5e", teal: "#3a9a94",
  blue: "#3f72b8", violet: "#7d5bb5", pink: "#d9789f", brown: "#8a6242", gold: "#d8b13c", silver: "#c4cad0",
};
const STICKERS = ["#f7f5ef", "#ee8b31", "#3fa35b", "#cf3f3a", "#3a6dc4", "#f2cf3e"];

/** @param {import("./types.js").Piece} piece */
function paint(piece) {
  if (piece.colour && COLOURS[piece.colour]) return { fill: COLOURS[piece.colour], line: "#26282c", soft: "#00000033", text: "#fff" };
  if (piece.owner === "black") return { fill: "#363b43", line: "#14161a", soft: "#8d949e", text: "#f1ece0" };
  if (piece.owner === "white") return { fill: "#fcf8ee", line: "#33363b", soft: "#a79f8d", text: "#2c2f34" };
  return { fill: "#c9a36a", line: "#5d4526", soft: "#8e6a3a", text: "#3b2b16" };
}

const circle = (x, y, r, more = {}) => s("circle", { cx: x, cy: y, r, ...more });
const rect = (x, y, w, h, rx, more = {}) => s("rect", { x, y, width: w, height: h, rx, ...more });
const path = (d, more = {}) => s("path", { d, ...more });
const text = (words, size, fill, y = 0) => s("text", { "text-anchor": "middle", "dominant-baseline": "central", "font-size": size, "font-weight": 600, fill, y, class: "glyph" }, words);

/** What stands on a piece. @param {string} label @param {number} size @param {string} colour @param {number} y */
const written = (label, size, colour, y) => glyph(label, size, colour, y) ?? text(label, size, colour, y);
/** Promoted pieces of shogi are written in red. */
const PROMOTED = ["全", "馬", "竜", "と"];

/** @param {string} shape @param {any} c */
function standing(shape, c) {
  const body = (OUTLINES[shape] ?? OUTLINES.pawn).map((d) => path(d, { fill: c.fill, stroke: c.line, "stroke-width": 3, "stroke-linejoin": "round" }));
  if (shape === "knight") body.push(circle(-7, -23, 3, { fill: c.line === "#14161a" ? c.soft : c.line }), path("M6-36c10 6 14 20 14 36", { fill: "none", stroke: c.soft, "stroke-width": 3, "stroke-linecap": "round" }));
  if (shape === "bishop") body.push(path("M5-24l-8 11M-6-22", { fill: "none", stroke: c.soft, "stroke-width": 3.500, "stroke-linecap": "round" }));
  if (shape === "king" || shape === "queen") body.push(path("M-20 15h40", { fill: "none", stroke: c.soft, "stroke-width": 3 }));
  if (shape === "rook") body.push(path("M-15-7h30M-18 18h36", { fill: "none", stroke: c.soft, "stroke-width": 3 }));
  return body;
}

/**
 * A drawing of a piece for a field of 100.
 * @param {import("./types.js").Piece} piece
 * @returns {SVGElement}
 */
export function draw(piece) {
  const c = paint(piece);
  const edge = { fill: c.fill, stroke: c.line, "stroke-width": 3 };
  const g = s("g", { class: `piece ${piece.owner ?? "nobody"}` });
  switch (piece.shape) {
    case "pawn": case "rook": case "bishop": case "queen": case "king": case "knight":
      g.append(s("g", { transform: "translate(0 3) scale(.94)" }, ...standing(piece.shape, c)));
      break;
    case "archbishop": case "chancellor":
      g.append(...standing("knight", c));
      g.append(piece.shape === "archbishop" ? path("M22-46c9 6 11 15 6 22h-12c-5-7-3-16 6-22z", edge) : path("M10-46h6v5h4v-5h5v5h4v-5h6v12h-25zM13-34h19v11h-19z", edge));
      break;
    case "disc":
      g.append(circle(0, 3, 38, { fill: "#00000030" }), circle(0, 0, 38, edge), circle(0, 0, 28, { fill: "none", stroke: c.soft, "stroke-width": 2.500 }));
      break;
    case "crowned":
      g.append(circle(0, 3, 38, { fill: "#00000030" }), circle(0, 0, 38, edge), path("M-20 13l-5-26 13 10 12-17 12 17 13-10-5 26z", { fill: "#e3b341", stroke: c.line, "stroke-width": 2.500, "stroke-linejoin": "round" }));
      break;
    case "stone":
      g.append(circle(0, 3, 43, { fill: "#00000033" }), circle(0, 0, 43, { ...edge, "stroke-width": 1.500 }), path("M-22-16a27 27 0 0 1 22-14", { fill: "none", stroke: piece.owner === "black" ? "#ffffff55" : "#ffffff", "stroke-width": 5, "stroke-linecap": "round" }));
      break;
    case "cross":
      g.append(path("M-26-26L26 26M26-26L-26 26", { stroke: "#3d6f9e", "stroke-width": 13, "stroke-linecap": "round" }));
      break;
    case "ring":
      g.append(circle(0, 0, 28, { fill: "none", stroke: "#b9553f", "stroke-width": 12 }));
      break;
    case "shogi":
      g.append(path("M0-42L26-30 33 38H-33L-26-30z", { fill: "#efd29a", stroke: "#6b4a1f", "stroke-width": 3, "stroke-linejoin": "round" }), s("g", {}, written(piece.label, 40, PROMOTED.includes(piece.label) ? "#a3251d" : "#3a2a12", 6)));
      if (piece.owner === "black") g.lastElementChild?.setAttribute("transform", "rotate(180 0 6)"), g.setAttribute("data-turned", "1");
      break;
    case "tile":
      g.append(rect(-44, -44, 88, 88, 12, { fill: "#e9d8b6", stroke: "#9c7f4f", "stroke-width": 3 }), rect(-37, -39, 74, 70, 9, { fill: "#f6ead0" }), text(piece.label, 40, "#5a4220", 1));
      break;
    case "bar": {
      const half = 34 + 118 * piece.size;
      const hue = `hsl(${Math.round(12 + piece.size * 180)} 45% 56%)`;
      g.append(rect(-half, -34, 2 * half, 68, 30, { fill: hue, stroke: "#00000055", "stroke-width": 3 }), text(piece.label, 36, "#fff", 2));
      break;
    }
    case "sticker":
      g.append(rect(-46, -46, 92, 92, 12, { fill: STICKERS[Math.round(piece.size)] ?? "#888", stroke: "#15181c", "stroke-width": 3 }));
      break;
    case "block": {
      const open = Math.round(piece.size);
      const top = open & 1 ? -50 : -42, right = open & 2 ? 50 : 42, bottom = open & 4 ? 50 : 42, left = open & 8 ? -50 : -42;
      const fill = piece.owner ? c.fill : open ? (open === 4 || open === 1 ? "#7d9cc0" : open === 2 || open === 8 ? "#8fb08a" : "#c46a55") : "#e0bd6c";
      const round = open === 0 ? 12 : 0;
      g.append(rect(left, top, right - left, bottom - top, round, { fill }));
      const line = { stroke: "#00000055", "stroke-width": 4, "stroke-linecap": "round" };
      if (!(open & 1)) g.append(path(`M${left} ${top}H${right}`, line));
      if (!(open & 2)) g.append(path(`M${right} ${top}V${bottom}`, line));
      if (!(open & 4)) g.append(path(`M${left} ${bottom}H${right}`, line));
      if (!(open & 8)) g.append(path(`M${left} ${top}V${bottom}`, line));
      break;
    }
    case "wall":
      g.append(rect(-50, -50, 100, 100, 4, { fill: "#6f665c" }), path("M-50-17H50M-50 17H50M-17-50V-17M20-17V17M-17 17V50", { stroke: "#554d45", "stroke-width": 4, fill: "none" }));
      break;
    case "box": case "box_on_goal":
      g.append(rect(-38, -38, 76, 76, 8, { fill: piece.shape === "box" ? "#c98f4d" : "#6da765", stroke: "#5c3d1b", "stroke-width": 4 }), path("M-30-30L30 30M30-30L-30 30", { stroke: "#5c3d1b88", "stroke-width": 5 }));
      break;
    case "goal":
      g.append(path("M0-20L20 0 0 20-20 0z", { fill: "#d8644a" }));
      break;
    case "keeper": case "keeper_on_goal":
      if (piece.shape === "keeper_on_goal") g.append(path("M0-46L46 0 0 46-46 0z", { fill: "#d8644a66" }));
      g.append(path("M-28 38c0-28 12-36 28-36s28 8 28 36z", { fill: "#3f72b8", stroke: "#1e3a61", "stroke-width": 3 }), circle(0, -16, 19, { fill: "#f0cfa3", stroke: "#6b4a2b", "stroke-width": 3 }), path("M-20-20c2-18 38-18 40 0z", { fill: "#2c4f80" }));
      break;
    case "light":
      g.append(rect(-46, -46, 92, 92, 14, { fill: "#ffd95e", stroke: "#c99a1c", "stroke-width": 3 }), circle(0, 0, 26, { fill: "#fff3bf" }));
      break;
    case "match":
      g.append(rect(-6, -30, 12, 74, 3, { fill: "#e2c48d", stroke: "#8c6a34", "stroke-width": 2.500 }), path("M0-46c8 0 10 8 10 14s-4 10-10 10-10-4-10-10 2-14 10-14z", { fill: "#bf4436" }));
      break;
    case "cell":
      g.append(rect(-44, -44, 88, 88, 14, { fill: "#2f8f77" }));
      break;
    case "dot":
      g.append(circle(0, 0, 17, { fill: "#7b8a82" }));
      break;
    case "hole":
      g.append(rect(-50, -50, 100, 100, 2, { fill: "#3a3f45" }), rect(-40, -38, 80, 84, 8, { fill: "#23272c" }));
      break;
    case "arrow":
      g.append(rect(-38, -38, 76, 76, 10, { fill: "#4a4d54" }), path("M-20-20L20 20M20-20L-20 20", { stroke: "#c8ccd2", "stroke-width": 8, "stroke-linecap": "round" }));
      break;
    case "peg":
      g.append(circle(0, 4, 32, { fill: "#00000033" }), circle(0, 0, 32, { fill: "#b5673f", stroke: "#6d3a20", "stroke-width": 3 }), circle(-9, -10, 9, { fill: "#e3a17d" }));
      break;
    case "quarto": {
      const bits = Math.round(piece.size);
      const fill = bits & 1 ? "#8a5a34" : "#e7cf9f", line = "#4b3018";
      const r = bits & 2 ? 38 : 27;
      g.append(bits & 4 ? rect(-r, -r, 2 * r, 2 * r, 6, { fill, stroke: line, "stroke-width": 4 }) : circle(0, 0, r, { fill, stroke: line, "stroke-width": 4 }));
      if (bits & 8) g.append(circle(0, 0, 12, { fill: "#241608" }));
      break;
    }
    case "fox":
      g.append(path("M-34-36l16 12h36l16-12-4 36C26 20 12 36 0 40-12 36-26 20-30 0z", { fill: "#d9773a", stroke: "#6d3413", "stroke-width": 3, "stroke-linejoin": "round" }), path("M-24 8L0 38 24 8 8 14 0 26-8 14z", { fill: "#fdf4e6" }), circle(-12, -2, 4, { fill: "#2a1608" }), circle(12, -2, 4, { fill: "#2a1608" }));
      break;
    case "hound":
      g.append(path("M-22-34h44c8 8 16 26 16 40l-12 4C24 30 12 40 0 40s-24-10-26-30l-12-4c0-14 8-32 16-40z", { fill: "#8c7a66", stroke: "#3d3226", "stroke-width": 3, "stroke-linejoin": "round" }), path("M-10 20c0-8 20-8 20 0s-6 10-10 10-10-2-10-10z", { fill: "#2d241b" }), circle(-12, -6, 4, { fill: "#1e160e" }), circle(12, -6, 4, { fill: "#1e160e" }));
      break;
    default:
      g.append(circle(0, 3, 40, { fill: "#00000030" }), circle(0, 0, 40, edge), circle(0, 0, 33, { fill: "none", stroke: c.soft, "stroke-width": 2 }), written(piece.label, 42, piece.owner === "black" ? "#f6d9a8" : "#9a3324", 2));
  }
  return g;
}

/** A small picture of a piece. @param {import("./types.js").Piece} piece @param {number} size */
export function picture(piece, size = 28) {
  const wide = piece.shape === "bar" ? 320 : 104;
  const drawing = draw(piece);
  // On the board the whole piece is turned, and what stands on it turned back.
  if (drawing.hasAttribute("data-turned")) drawing.lastElementChild?.removeAttribute("transform");
  return s("svg", { viewBox: `${-wide / 2} -52 ${wide} 104`, width: size * wide / 104, height: size, "aria-hidden": "true" }, drawing);
}
