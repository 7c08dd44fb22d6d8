// @ts-check
// A game on the screen: board, players, moves, and what can be done with them.

import { Analysis } from "./analysis.js";
import { Board } from "./board.js";
import { Chooser } from "./choose.js";
import { Collection } from "./collection.js";
import { button, dialog, h, say, toast } from "./dom.js";
import { library, thumbnail } from "./gallery.js";
import { Editing } from "./editing.js";
import { newGame, settings } from "./newgame.js";
import { picture } from "./pieces.js";
import { Puzzle } from "./puzzle.js";
import { Sides } from "./sides.js";
import { ask, order, watch } from "./socket.js";
import { Watching } from "./watching.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Opened} Opened */
/** @typedef {import("./types.js").Played} Played */

/** A new game of the library. @param {HTMLElement} view @param {{name: string, position?: string}} wanted */
export async function begin(view, wanted) {
  const entry = (await library()).find((own) => own.name === wanted.name);
  if (entry?.start) {
    // The board is there at once; the rules are compiled meanwhile.
    view.replaceChildren(h("div", { class: "game waiting" }, h("div", { class: "stage" }, thumbnail(entry.look, entry.start)), h("aside", {}, h("h1", {}, entry.title), h("p", { class: "loading" }, "Reading the rules …"))));
  }
  const opened = await ask({ open: { name: wanted.name, position: wanted.position, players: settings(entry?.players ?? 2).players, clock: settings(entry?.players ?? 2).clock ?? undefined } });
  history.replaceState(null, "", `#/game/${opened.game}`);
  return show(view, opened);
}

/** A game that is there or was kept. @param {HTMLElement} view @param {string} name */
export async function join(view, name) {
  return show(view, await ask({ join: { game: name } }));
}

/** @param {HTMLElement} view @param {Opened} opened */
async function show(view, opened) {
  const screen = new Screen(opened);
  view.replaceChildren(screen.element);
  document.title = `${opened.title} · Multigame`;
  view.focus({ preventScroll: true });
  return () => screen.leave();
}

/** A game with a board; also used beside the editor. */
export class Screen {
  /** @param {Opened} opened @param {{beside?: boolean}} [options] */
  constructor(opened, options = {}) {
    this.id = opened.game;
    this.opened = opened;
    this.look = opened.look;
    /** @type {Played[]} */
    this.moves = [];
    /** @type {State} */
    this.state = opened.state;
    this.ply = 0;
    this.beside = Boolean(options.beside);
    this.board = new Board(this.look, { click: (field) => this.click(field), drop: (from, to) => this.drop(from, to), canDrag: (field) => this.mayChoose() && this.chooser.begins(field) });
    this.chooser = new Chooser((index) => this.play(index), (choices) => this.menu(choices));
    this.menuBox = h("div", { class: "menu", role: "menu", hidden: true });
    this.sides = new Sides(this);
    this.list = h("ol", { class: "moves", "aria-label": "Moves" });
    this.status = h("p", { class: "status", role: "status" });
    this.entry = /** @type {HTMLInputElement} */ (h("input", { class: "entry", placeholder: "Type a move", "aria-label": "Type a move", autocomplete: "off", spellcheck: "false" }));
    this.all = h("details", { class: "all-moves", toggle: () => this.showChoices() }, h("summary", {}, "All moves"), h("div", { class: "choices" }));
    this.again = button("Play again", () => this.order({ forward: { to: this.moves.length + 1 } }));
    this.resign = this.look.players < 2 ? null : button("Resign", () => this.order({ resign: { side: this.state.mover } }));
    this.editBox = h("div", {});
    this.free = h("div", { class: "free", role: "group", "aria-label": "Moves without a field" });
    this.analysis = new Analysis(this);
    this.puzzle = this.look.players < 2 ? new Puzzle(this) : null;
    this.watching = new Watching(this);
    this.collection = new Collection(this);
    this.editing = new Editing(this);
    this.element = this.build();
    this.unwatch = watch(this.id, (event, value) => this.hear(event, value));
    this.take(opened.state, true);
    if (this.look.turns && typeof this.state.players[0] === "object" && this.state.players[1] === "person") this.turn();
    this.keys = (event) => this.key(event);
    document.addEventListener("keydown", this.keys);
  }

  build() {
    const puzzle = this.look.players < 2;
    const typed = h("form", { class: "typed", submit: (event) => { event.preventDefault(); this.type(); } }, this.entry, h("button", {}, "Play"));
    if (this.look.board === "net") this.all.setAttribute("open", "");
    const steps = h("div", { class: "steps", role: "group", "aria-label": "Through the game" },
      button("|◀", () => this.look_at(0), { "aria-label": "To the start" }), button("◀", () => this.look_at(this.ply - 1), { "aria-label": "One move back" }),
      button("▶", () => this.look_at(this.ply + 1), { "aria-label": "One move forward" }), button("▶|", () => this.look_at(this.moves.length), { "aria-label": "To the present position" }));
    const tools = h("div", { class: "tools" }, button("Take back", () => this.takeBack()), this.again, puzzle ? null : button("Hint", () => this.hint()), this.resign, button("Turn the board", () => this.turn()), button("New game", () => newGame(this)), button("Save or open", () => this.files()), button("Edit the position", () => this.editing.begin()));
    /** @type {[string, HTMLElement][]} */
    const tabs = [["Moves", h("div", {}, this.list, tools, typed, this.all)]];
    if (this.puzzle) tabs.unshift(["Puzzle", this.puzzle.element]);
    if (!puzzle) tabs.push(["Analysis", this.analysis.element], ["Games", this.collection.element], ["Watch", this.watching.element]);
    tabs.push(["Rules", this.rules()]);
    const heading = this.beside ? null : h("div", { class: "title" }, h("h1", {}, this.opened.title));
    const box = h("div", { class: "board-box", tabindex: 0, role: "application", "aria-label": "Board. Arrow keys move, Enter chooses, Escape gives up the choice." }, this.board.svg, this.menuBox);
    return h("div", { class: this.beside ? "game beside" : "game" },
      h("div", { class: "stage" }, this.sides.strip(1), h("div", { class: "with-bar" }, this.analysis.bar, box), this.sides.strip(0), this.status, this.free),
      h("aside", {}, heading, this.editBox, steps, ...this.tabs(tabs)));
  }

  /** @param {[string, HTMLElement][]} tabs */
  tabs(tabs) {
    const strip = h("div", { class: "tabs", role: "tablist" });
    const body = h("div", { class: "tab-body" });
    const choose = (wanted) => {
      for (const child of strip.children) child.setAttribute("aria-selected", String(child.textContent === wanted));
      const tab = tabs.find(([name]) => name === wanted);
      if (tab) body.replaceChildren(tab[1]);
      this.analysis.shown(wanted === "Analysis");
      this.watching.shown(wanted === "Watch");
      this.collection.shown(wanted === "Games");
    };
    for (const [name] of tabs) strip.append(button(name, () => choose(name), { role: "tab" }));
    choose(tabs[0][0]);
    return [strip, body];
  }

  rules() {
    const text = this.opened.rules;
    const head = text.split("\n").filter((line) => line.startsWith("#")).map((line) => line.replace(/^# ?/, ""));
    const words = [];
    for (const line of head) {
      if (/^(title|family|board|checked):/.test(line)) words.push(null);
      else if (/^[a-z ]+:/.test(line)) words.push(line);
      else if (words.length && words[words.length - 1] !== null) words[words.length - 1] += " " + line.trim();
    }
    const link = this.opened.name ? h("p", {}, h("a", { href: `#/design/${this.opened.name}` }, "Change these rules")) : null;
    return h("div", { class: "rules" }, ...words.filter(Boolean).map((line) => h("p", {}, h("strong", {}, `${line.split(":")[0]}: `), line.split(":").slice(1).join(":"))), link, h("details", {}, h("summary", {}, "The whole text"), h("pre", { class: "code" }, text)));
  }

  leave() {
    document.removeEventListener("keydown", this.keys);
    this.unwatch();
    this.sides.leave();
    this.puzzle?.leave();
    this.watching.shown(false);
  }

  /** @param {any} what */
  order(what) {
    return order(this.id, what).catch((error) => { toast(error.message); return undefined; });
  }

  /** @param {string} event @param {any} value */
  hear(event, value) {
    if (event === "state") this.take(value);
    else if (event === "joined") this.take(value.state, true);
    else if (event === "analysis") this.analysis.hear(value);
    else if (event === "review") this.analysis.judged(value);
    else if (event === "closing" || event === "trouble") toast(value.words);
    else if (event === "move" && value.depth) this.sides.thinks(`depth ${value.depth}, ${value.score.words}`);
    else if (value?.waiting) this.sides.thinks(`waiting for a place, ${value.waiting} before`);
  }

  /** A new state of the game. @param {State} state @param {boolean} [all] */
  take(state, all = false) {
    const following = all || this.ply >= this.moves.length;
    const before = this.moves.length;
    this.moves = this.moves.slice(0, state.since).concat(state.moves);
    this.state = state;
    if (following || this.ply > this.moves.length) this.ply = this.moves.length;
    const one = !all && state.moves.length === 1 && before === state.since && following;
    this.chooser.offer(this.ply === this.moves.length ? state.legal : []);
    this.hideMenu();
    this.refresh(one ? this.moves[this.moves.length - 1].changes : undefined);
    if (one) this.announce(this.moves[this.moves.length - 1]);
    if (state.over && state.moves.length) say(state.over.words);
    this.analysis.moved();
    this.collection.moved();
    this.puzzle?.moved();
  }

  /** @param {Played} played */
  announce(played) {
    const who = this.look.players === 2 ? (this.state.mover === "white" ? "Black plays " : "White plays ") : "";
    say(`${who}${played.name}. ${this.state.over?.words ?? ""}`);
    const sound = settings(this.look.players).sound;
    if (sound) knock();
  }

  /** The position after so many moves. @param {number} ply */
  slotsAt(ply) {
    const slots = this.state.slots.slice();
    for (let index = this.moves.length - 1; index >= ply; index--) {
      for (const [slot, old] of this.moves[index].changes) slots[slot] = old;
    }
    return slots;
  }

  /** @param {[number, number, number][]} [changes] */
  refresh(changes) {
    const slots = this.slotsAt(this.ply);
    this.element.dataset.ply = String(this.state.ply);
    this.board.set(slots, changes);
    this.mark();
    this.sides.show(slots);
    this.showMoves();
    this.showChoices();
    this.showFree();
    if (this.resign) /** @type {HTMLButtonElement} */ (this.resign).disabled = Boolean(this.state.over);
    /** @type {HTMLButtonElement} */ (this.again).hidden = !this.state.redo;
    this.status.textContent = this.words();
    this.element.classList.toggle("past", this.ply < this.moves.length);
  }

  words() {
    if (this.ply < this.moves.length) return `After ${this.ply} of ${this.moves.length} moves.`;
    if (this.state.over) return this.state.over.words;
    const count = (word) => `${this.moves.length} ${word}${this.moves.length === 1 ? "" : "s"}.`;
    if (this.look.players === 0) return count("step");
    if (this.look.players === 1) return this.moves.length ? count("move") : "Your puzzle.";
    const name = this.state.mover === "white" ? "White" : "Black";
    return this.state.thinking ? `${name} is thinking …` : `${name} to move.`;
  }

  mark() {
    const last = this.ply ? this.moves[this.ply - 1] : null;
    const touched = last ? last.changes.map(([slot]) => slot).filter((slot) => slot < this.look.cells.length) : [];
    const few = last && touched.length > 12 ? last.path.slice(0, 2) : touched.length ? touched : last?.path ?? [];
    const focused = document.activeElement?.classList.contains("board-box") && document.activeElement.contains(this.board.svg);
    this.board.mark({ last: few, chosen: this.chooser.path, targets: this.chooser.targets(), cursor: focused ? this.board.cursor : -1 });
    this.sides.choose(this.chooser.piece);
  }

  showMoves() {
    const items = [];
    const two = this.look.players === 2;
    const blackBegins = two && this.moves.length > 0 && (this.state.mover === "black") === (this.moves.length % 2 === 0);
    this.moves.forEach((played, index) => {
      const ply = index + (blackBegins ? 1 : 0);
      if (!two || ply % 2 === 0 || index === 0) items.push(h("span", { class: "number" }, two ? `${Math.floor(ply / 2) + 1}${ply % 2 ? "…" : "."}` : `${index + 1}.`));
      const mark = this.analysis.verdict(index + 1);
      const item = button(played.name, () => this.look_at(index + 1), { class: `ply${mark ? " " + mark.kind : ""}`, title: mark ? mark.words : played.text });
      if (mark) item.append(h("sup", {}, mark.sign));
      if (index + 1 === this.ply) item.setAttribute("aria-current", "step");
      items.push(item);
    });
    this.list.replaceChildren(...items);
    this.list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  showChoices() {
    const place = this.all.querySelector(".choices");
    const count = this.ply === this.moves.length ? this.state.choices : 0;
    const summary = this.all.querySelector("summary");
    if (summary) summary.textContent = `All moves (${count})`;
    if (!place) return;
    if (!this.all.hasAttribute("open") || !count) { place.replaceChildren(); return; }
    place.replaceChildren(...this.state.legal.slice(0, 400).map((choice, index) => {
      const entry = button(short(choice.name), () => this.play(index), { title: choice.name });
      entry.addEventListener("mouseenter", () => this.board.arrows([{ path: choice.path }]));
      entry.addEventListener("mouseleave", () => this.board.arrows([]));
      return entry;
    }));
  }

  /** Moves that are not pointed at on the board: passes, choices, turns of a cube. */
  showFree() {
    const cube = this.look.board === "net";
    const open = this.mayChoose() && !this.editing.active;
    const entries = open ? this.state.legal.map((choice, index) => ({ choice, index })).filter(({ choice }) => cube || !choice.path.length) : [];
    this.free.replaceChildren(...entries.slice(0, 40).map(({ choice, index }) => {
      const piece = this.pieceSet(choice);
      const entry = button(piece ? "" : short(choice.name), () => this.play(index), { title: choice.name, "aria-label": piece ? piece.name.replaceAll("_", " ") : choice.name });
      if (piece) entry.append(picture(piece, 36));
      entry.addEventListener("mouseenter", () => this.board.arrows([{ path: choice.path }]));
      entry.addEventListener("mouseleave", () => this.board.arrows([]));
      return entry;
    }));
  }

  /** The piece that a move chooses by setting a number, as in Quarto. @param {import("./types.js").Choice} choice */
  pieceSet(choice) {
    for (const [slot, value] of choice.sets ?? []) {
      const number = this.look.numbers.find((own) => own.slot === slot && own.of === "board");
      const piece = number && this.pieceOf(number, value);
      if (piece) return piece;
    }
    return null;
  }

  /** The piece that a number stands for, if there are as many values as pieces and one for none. @param {import("./types.js").GameNumber} number @param {number} value */
  pieceOf(number, value) {
    const { pieces } = this.look;
    if (number.of !== "board" || number.range[0] !== 0 || number.range[1] !== pieces.length || pieces.length < 4) return null;
    const fromZero = this.slotsAt(0)[number.slot] === pieces.length;
    return pieces[fromZero ? value : value - 1] ?? null;
  }

  /** @param {number} ply */
  look_at(ply) {
    const wanted = Math.max(0, Math.min(ply, this.moves.length));
    if (wanted === this.ply) return;
    const forward = wanted === this.ply + 1;
    const changes = forward ? this.moves[this.ply].changes : wanted === this.ply - 1 ? this.moves[wanted].changes.map(([slot, old, now]) => /** @type {[number, number, number]} */ ([slot, now, old])) : undefined;
    this.ply = wanted;
    this.chooser.offer(wanted === this.moves.length ? this.state.legal : []);
    this.hideMenu();
    this.refresh(changes);
    say(wanted ? `After ${this.moves[wanted - 1].name}` : "At the start");
    this.analysis.moved();
    this.collection.moved();
  }

  mayChoose() {
    const player = this.state.players[this.state.mover === "black" && this.look.players === 2 ? 1 : 0];
    return this.ply === this.moves.length && !this.state.over && (player === "person" || this.look.players < 2);
  }

  /** @param {number} field */
  click(field) {
    if (this.editing.active) return this.editing.click(field);
    this.hideMenu();
    if (this.ply < this.moves.length) return this.look_at(this.moves.length);
    if (!this.mayChoose()) return;
    this.chooser.point(field);
    this.mark();
  }

  /** @param {number} from @param {number} to */
  drop(from, to) {
    if (!this.mayChoose() || this.editing.active) return;
    if (this.chooser.path[0] !== from) { this.chooser.reset(); this.chooser.point(from); }
    this.chooser.point(to);
    this.mark();
  }

  /** A piece in a hand. @param {number} code */
  hand(code) {
    if (!this.mayChoose()) return;
    this.chooser.take(code);
    this.mark();
  }

  /** @param {number} index */
  play(index) {
    this.hideMenu();
    this.chooser.reset();
    this.mark();
    this.board.arrows([]);
    this.order({ play: { ply: this.moves.length, move: index } });
  }

  type() {
    const text = this.entry.value.trim();
    if (!text) return;
    order(this.id, { play: { ply: this.moves.length, move: text } }).then(() => { this.entry.value = ""; }).catch((error) => toast(error.message));
  }

  /** Fields do not tell these moves apart. @param {number[]} choices */
  menu(choices) {
    const entries = choices.slice(0, 40).map((index) => {
      const choice = this.chooser.legal[index];
      const entry = button("", () => this.play(index), { role: "menuitem", title: choice.name });
      const piece = choice.piece !== undefined ? this.board.byCode.get(choice.piece) : undefined;
      const differs = new Set(choices.map((other) => this.chooser.legal[other].piece)).size > 1;
      const counted = this.pieceSet(choice);
      if (piece && differs) entry.append(picture(piece, 34), piece.name.replaceAll("_", " "));
      else if (counted) entry.append(picture(counted, 34));
      else entry.append(short(choice.name));
      entry.addEventListener("mouseenter", () => this.board.mark({ chosen: choice.path }));
      return entry;
    });
    this.menuBox.replaceChildren(h("span", { class: "menu-title" }, "Which one?"), h("div", { class: "menu-items" }, ...entries));
    this.menuBox.hidden = false;
    say(`${choices.length} moves fit: choose one`);
    /** @type {HTMLElement | undefined} */ (entries[0])?.focus({ preventScroll: true });
  }

  hideMenu() {
    this.menuBox.hidden = true;
  }

  turn() {
    this.board.turn(!this.board.turned);
    this.sides.place();
    this.mark();
  }

  takeBack() {
    const [white, black] = this.state.players.map((player) => player === "person");
    const alone = white !== black;
    const mine = this.mayChoose() || this.state.over;
    const count = alone && mine && this.moves.length > 1 && !this.state.over ? 2 : 1;
    this.order({ take_back: { to: Math.max(0, this.moves.length - count) } });
  }

  async hint() {
    this.status.textContent = "Looking for a good move …";
    const found = await this.order("hint");
    this.status.textContent = this.words();
    if (!found || found.best === null || found.best === undefined) return;
    this.board.arrows([{ path: found.path, kind: "hint" }]);
    this.status.textContent = `Perhaps ${found.line[0]} (${found.score.words} for White).`;
    say(`Perhaps ${found.line[0]}`);
  }

  async files() {
    const text = /** @type {HTMLTextAreaElement} */ (h("textarea", { rows: 12, class: "code", "aria-label": "The game as text" }));
    const fetch = async (format) => { const saved = await this.order({ save: { format } }); if (saved) text.value = saved.text; };
    await fetch("pgn");
    const saveFile = () => {
      const link = /** @type {HTMLAnchorElement} */ (h("a", { download: `${this.opened.name ?? "game"}.txt`, href: URL.createObjectURL(new Blob([text.value], { type: "text/plain" })) }));
      link.click();
      URL.revokeObjectURL(link.href);
    };
    const pick = /** @type {HTMLInputElement} */ (h("input", { type: "file", "aria-label": "A file with a game", change: async () => { const file = pick.files?.[0]; if (file && file.size < 400000) text.value = await file.text(); } }));
    const opening = this.opened.name ? { name: this.opened.name } : { rules: this.opened.rules };
    const close = dialog("Save or open",
      h("div", { class: "tools" }, button("PGN", () => fetch("pgn")), button("Moves", () => fetch("text")), button("Position", () => fetch("position")), button("Save as a file", saveFile)),
      text,
      h("div", { class: "tools" }, pick, button("Open this game", async () => {
        const opened = await ask({ open: { ...opening, record: text.value } }).catch((error) => toast(error.message));
        if (opened) { close(); location.hash = `#/game/${opened.game}`; }
      }, { class: "main" }), button("Open this position", async () => {
        if (await this.order({ begin: { setup: null, position: text.value } }) !== undefined) close();
      }), this.opened.name ? button("Copy a link to the position", async () => {
        const link = `${location.origin}/#/play/${this.opened.name}/${encodeURIComponent(this.state.position)}`;
        text.value = link;
        await navigator.clipboard?.writeText(link).catch(() => {});
        toast("The link is in the clipboard.");
      }) : null));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName) || target.closest("dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
    const inBoard = target.classList.contains("board-box");
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (inBoard && moves[event.key]) {
      const [dx, dy] = moves[event.key];
      if (this.board.cursor < 0) this.board.cursor = this.chooser.legal[0]?.path[0] ?? this.look.cells.findIndex(Boolean);
      else this.board.cursor = this.board.neighbour(this.board.cursor, dx, dy);
      this.mark();
      say(this.board.words(this.board.cursor) + (this.chooser.targets().includes(this.board.cursor) ? ", possible" : ""));
    } else if (inBoard && (event.key === "Enter" || event.key === " ") && this.board.cursor >= 0) {
      this.click(this.board.cursor);
    } else if (event.key === "Escape") {
      this.hideMenu();
      this.chooser.reset();
      this.mark();
    } else if (!inBoard && event.key === "ArrowLeft") this.look_at(this.ply - 1);
    else if (!inBoard && event.key === "ArrowRight") this.look_at(this.ply + 1);
    else return;
    event.preventDefault();
  }
}

/** A long name is cut. @param {string} name */
function short(name) {
  return name.length > 26 ? `${name.slice(0, 24)}…` : name;
}

/** @type {AudioContext | null} */
let audio = null;
function knock() {
  audio ??= new AudioContext();
  const tone = audio.createOscillator(), gain = audio.createGain();
  tone.frequency.value = 180;
  gain.gain.setValueAtTime(0.25, audio.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.09);
  tone.connect(gain).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.1);
}
