// @ts-check
// A new game: who plays, how strong, with what clock, from where.

import { button, dialog, h, select } from "./dom.js";
import { library } from "./gallery.js";

const LEVELS = /** @type {[string, string][]} */ ([["beginner", "Beginner"], ["easy", "Easy"], ["medium", "Medium"], ["strong", "Strong: a second a move"], ["expert", "Expert: five seconds a move"], ["time", "So many seconds a move"], ["nodes", "So many positions a move"]]);
const CLOCKS = /** @type {[string, string][]} */ ([["", "No clock"], ["180000+2000", "3 minutes + 2 s"], ["300000+0", "5 minutes"], ["600000+5000", "10 minutes + 5 s"], ["1800000+0", "30 minutes"]]);

function kept() {
  try { return JSON.parse(localStorage.getItem("players") ?? "{}"); } catch { return {}; }
}

/** Who plays, as chosen last time. @param {number} count @returns {{players: [any, any], clock: any, sound: boolean}} */
export function settings(count) {
  const { side = "white", level = "medium", amount = 2, threads = 1, clock = "", sound = false } = kept();
  const strength = { level: level === "time" || level === "nodes" ? undefined : level, time: level === "time" ? Math.round(amount * 1000) : undefined, nodes: level === "nodes" ? Math.round(amount) : undefined, threads: threads > 1 ? threads : undefined };
  const computer = { computer: strength };
  const players = /** @type {[any, any]} */ (count < 2 || side === "both" ? ["person", "person"] : side === "none" ? [computer, computer] : side === "black" ? [computer, "person"] : ["person", computer]);
  const [base, increment] = clock.split("+").map(Number);
  return { players, clock: clock && count === 2 ? { base, increment } : null, sound };
}

/** @param {import("./game.js").Screen} game */
export async function newGame(game) {
  const now = { side: "white", level: "medium", amount: 2, threads: 1, clock: "", sound: false, ...kept() };
  const two = game.look.players === 2;
  const entry = (await library()).find((own) => own.name === game.opened.name);
  let setup = "";
  const change = (key) => (value) => { now[key] = value; show(); };
  const amount = /** @type {HTMLInputElement} */ (h("input", { type: "number", min: 0.1, step: 0.1, value: now.amount, input: () => { now.amount = Number(amount.value) || 1; } }));
  const amountField = h("label", { class: "field" }, h("span", {}, "How many"), amount);
  const threads = /** @type {HTMLInputElement} */ (h("input", { type: "number", min: 1, max: 64, value: now.threads, input: () => { now.threads = Number(threads.value) || 1; } }));
  const sound = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", checked: now.sound, change: () => { now.sound = sound.checked; } }));
  const levelField = select("The computer plays", LEVELS, now.level, change("level"));
  const threadField = h("label", { class: "field" }, h("span", {}, "Threads"), threads);
  const clockField = select("Clock", CLOCKS, now.clock, change("clock"));
  const show = () => {
    levelField.hidden = now.side === "both" || !two;
    threadField.hidden = levelField.hidden;
    amountField.hidden = levelField.hidden || !["time", "nodes"].includes(now.level);
    clockField.hidden = !two;
  };
  const setups = entry?.setups.length ? select("Start position", [["", "The usual one"], ...entry.setups.map((name) => /** @type {[string, string]} */ ([name, name]))], "", (value) => { setup = value; }) : null;
  const keep = () => { try { localStorage.setItem("players", JSON.stringify(now)); } catch { /* private windows keep nothing */ } };
  const begin = async (fresh) => {
    keep();
    const { players, clock } = settings(game.look.players);
    await game.order({ players: { players: ["person", "person"], clock: null } });
    if (fresh) await game.order({ begin: { setup: setup || null, position: null } });
    await game.order({ players: { players, clock } });
    const turned = two && now.side === "black" && game.look.turns;
    if (turned !== game.board.turned) game.turn();
    close();
  };
  const close = dialog("New game",
    two ? select("You play", [["white", "White"], ["black", "Black"], ["both", "Both: two people here"], ["none", "Nobody: computer against computer"]], now.side, change("side")) : h("span", {}),
    levelField, amountField, threadField, clockField, setups ?? h("span", {}),
    h("label", { class: "field" }, h("span", {}, "Sound"), sound),
    h("div", { class: "tools" }, button("Begin", () => begin(true), { class: "main" }), button("Only change the players", () => begin(false))));
  show();
}
