// @ts-check
// Writing rules, with the board beside them.

import { Board } from "./board.js";
import { enliven } from "./book.js";
import { button, dialog, h, select, toast } from "./dom.js";
import { Screen } from "./game.js";
import { library } from "./gallery.js";
import { highlight } from "./highlight.js";
import { ask, order } from "./socket.js";
import { TEMPLATES } from "./templates.js";

const CHECK_AFTER = 250, OPEN_AFTER = 700;

/** @param {HTMLElement} view @param {string} [name] */
export async function show(view, name) {
  const design = new Design();
  view.replaceChildren(design.element);
  document.title = "Design · Multigame";
  await design.begin(name);
  return () => design.leave();
}

function kept(key) {
  try { return sessionStorage.getItem(key); } catch { return null; }
}

class Design {
  constructor() {
    this.text = /** @type {HTMLTextAreaElement} */ (h("textarea", { class: "code", spellcheck: "false", autocapitalize: "off", autocomplete: "off", "aria-label": "Rules", wrap: "off" }));
    this.colours = h("pre", { class: "code colours", "aria-hidden": "true" });
    this.gutter = h("pre", { class: "code gutter", "aria-hidden": "true" });
    this.list = h("ul", { class: "diagnostics", role: "status", "aria-label": "Messages" });
    this.words = h("ul", { class: "words", role: "listbox", hidden: true });
    this.preview = h("div", { class: "preview" });
    this.results = h("div", { class: "results" });
    this.tutorial = h("div", { class: "prose tutorial" }, h("p", { class: "loading" }, "…"));
    this.file = "";
    /** @type {import("./types.js").Diagnostic[]} */
    this.found = [];
    /** @type {Screen | null} */
    this.screen = null;
    this.checked = 0;
    this.checking = this.opening = 0;
    this.text.addEventListener("input", () => this.changed());
    this.text.addEventListener("scroll", () => this.scroll());
    this.text.addEventListener("keydown", (event) => this.key(event));
    // A click on a word takes the focus for a moment; who has come back to the text keeps the list.
    this.text.addEventListener("blur", () => setTimeout(() => { if (document.activeElement !== this.text) this.words.hidden = true; }, 150));
    const tools = h("div", { class: "tools" },
      select("Begin with", [["", "…"], ...Object.keys(TEMPLATES).map((key) => /** @type {[string, string]} */ ([key, key]))], "", (value) => { if (value) this.put(TEMPLATES[value]); }),
      button("Rules of the library", () => this.fromLibrary()), button("Format", () => this.format()), button("Open", () => this.open()), button("Save", () => this.save()));
    const tabs = h("div", { class: "tabs", role: "tablist" });
    const body = h("div", { class: "tab-body" });
    const parts = /** @type {[string, HTMLElement][]} */ ([["Board", this.preview], ["Try out", this.tests()], ["Tutorial", this.tutorial]]);
    this.tab = (wanted) => {
      for (const child of tabs.children) child.setAttribute("aria-selected", String(child.textContent === wanted));
      const part = parts.find(([own]) => own === wanted);
      if (part) body.replaceChildren(part[1]);
      if (wanted === "Tutorial") this.learn();
    };
    for (const [name] of parts) tabs.append(button(name, () => this.tab(name), { role: "tab" }));
    this.element = h("div", { class: "design" },
      h("section", { class: "writing", "aria-label": "Rules" }, tools, h("div", { class: "editor" }, this.gutter, h("div", { class: "paper" }, this.colours, this.text, this.words)), this.list),
      h("section", { class: "trying", "aria-label": "The game" }, tabs, body));
    this.tab("Board");
  }

  /** @param {string} [name] */
  async begin(name) {
    let text = kept("draft") ?? TEMPLATES["Three in a row"];
    if (name === "example") text = kept("rules") ?? text;
    else if (name) text = (await ask({ source: { name } })).rules;
    this.put(text);
  }

  leave() {
    clearTimeout(this.checking);
    clearTimeout(this.opening);
    this.screen?.leave();
    this.screen = null;
  }

  /** @param {string} text */
  put(text) {
    this.text.value = text;
    this.text.scrollTop = 0;
    this.changed();
  }

  changed() {
    try { sessionStorage.setItem("draft", this.text.value); } catch { /* private windows keep nothing */ }
    this.found = [];
    this.list.replaceChildren();
    this.paint();
    clearTimeout(this.checking);
    clearTimeout(this.opening);
    this.checking = window.setTimeout(() => this.check(), CHECK_AFTER);
    this.complete(false);
  }

  paint() {
    this.colours.innerHTML = highlight(this.text.value, this.found);
    const count = this.text.value.split("\n").length;
    const wrong = new Map(this.found.map((one) => [one.line, one.severity]));
    this.gutter.replaceChildren(...Array.from({ length: count }, (_, index) => h("span", { class: wrong.get(index + 1) ?? "" }, `${index + 1}\n`)));
    this.scroll();
  }

  scroll() {
    this.colours.style.transform = `translate(${-this.text.scrollLeft}px, ${-this.text.scrollTop}px)`;
    this.gutter.style.transform = `translateY(${-this.text.scrollTop}px)`;
  }

  async check() {
    const number = ++this.checked;
    const rules = this.text.value;
    const answer = await ask({ check: { rules } });
    if (number !== this.checked || rules !== this.text.value) return;
    this.found = answer.diagnostics;
    this.paint();
    this.list.replaceChildren(...(this.found.length ? this.found.map((one) => this.message(one)) : [h("li", { class: "good" }, "No mistakes.")]));
    if (answer.playable) {
      if (!this.screen) this.picture(answer);
      this.opening = window.setTimeout(() => this.play(rules), this.screen ? OPEN_AFTER : 0);
    }
  }

  /** @param {import("./types.js").Diagnostic} one */
  message(one) {
    const go = button(`${one.line}:${one.column}`, () => { this.text.focus(); this.text.setSelectionRange(one.from, one.to); }, { class: "place" });
    const fix = one.fix ? button(`Write ${one.fix}`, () => { this.text.setRangeText(one.fix ?? "", one.from, one.to, "end"); this.changed(); this.text.focus(); }, { class: "fix" }) : null;
    return h("li", { class: one.severity }, go, h("span", {}, `${one.message} `, one.hint ? h("em", {}, one.hint) : null), fix);
  }

  picture(answer) {
    const board = new Board(answer.look, { small: true });
    board.set(answer.start);
    this.preview.replaceChildren(h("div", { class: "stage" }, board.svg));
  }

  /** @param {string} rules */
  async play(rules) {
    try {
      const opened = await ask({ open: { rules, passing: true } });
      if (rules !== this.text.value) { ask({ leave: { game: opened.game } }); return; }
      this.screen?.leave();
      this.screen = new Screen(opened, { beside: true });
      this.preview.replaceChildren(this.screen.element);
    } catch (error) {
      this.preview.replaceChildren(h("pre", { class: "trouble" }, error.message));
    }
  }

  tests() {
    const depth = /** @type {HTMLInputElement} */ (h("input", { type: "number", min: 1, max: 12, value: 4, "aria-label": "Depth" }));
    const games = /** @type {HTMLInputElement} */ (h("input", { type: "number", min: 1, max: 100000, value: 1000, "aria-label": "Games" }));
    const run = async (what, shown) => {
      if (!this.screen) { toast("Mend the rules first."); return; }
      this.results.replaceChildren(h("p", { class: "loading" }, "Counting …"));
      const answer = await order(this.screen.id, what).catch((error) => { this.results.replaceChildren(h("pre", { class: "trouble" }, error.message)); return null; });
      if (answer) this.results.replaceChildren(shown(answer));
    };
    const perft = () => run({ perft: { depth: Number(depth.value) || 1 } }, (answer) => table(["depth", "lines of play", "that ended the game"], answer.counts.map((row) => [row.depth, row.leaves, row.ended])));
    const random = () => run({ random_games: { games: Number(games.value) || 1 } }, (answer) => {
      const share = (count) => `${count.toLocaleString("en")} (${(100 * count / Math.max(1, answer.games)).toFixed(1)} %)`;
      const bar = h("div", { class: "shares", role: "img", "aria-label": "Who wins" }, ...[["white", answer.white], ["draws", answer.draws + answer.unfinished], ["black", answer.black]].map(([kind, count]) => { const part = h("i", { class: kind }); part.style.flexGrow = String(count); return part; }));
      return h("div", {}, bar, table(["random games", answer.games.toLocaleString("en")], [["white wins", share(answer.white)], ["black wins", share(answer.black)], ["draws", share(answer.draws)], ["given up", share(answer.unfinished)], ["moves of a game", `${answer.length.toFixed(1)} (${answer.shortest} to ${answer.longest})`], ["moves to choose from", answer.choices.toFixed(1)], ["seconds", answer.seconds.toFixed(2)]]));
    });
    return h("div", { class: "tests" }, h("div", { class: "tools" }, button("Count lines of play", perft), h("label", { class: "field" }, h("span", {}, "up to length"), depth)), h("div", { class: "tools" }, button("Play at random", random), h("label", { class: "field" }, h("span", {}, "games"), games)), this.results);
  }

  async learn() {
    if (this.learned) return;
    this.learned = true;
    const answer = await fetch("/docs/tutorial?bare");
    this.tutorial.innerHTML = await answer.text();
    enliven(this.tutorial, (rules) => { this.put(rules); this.tab("Board"); });
  }

  async format() {
    const { rules } = await ask({ format: { rules: this.text.value } });
    if (rules !== this.text.value) { this.text.value = rules; this.changed(); }
  }

  async fromLibrary() {
    const entries = await library();
    const close = dialog("Rules of the library", h("div", { class: "chooser" }, ...entries.map((entry) => button(entry.title, async () => { close(); this.put((await ask({ source: { name: entry.name } })).rules); }))));
  }

  async open() {
    const names = await ask("files");
    const close = dialog("Open rules", h("div", { class: "chooser" }, ...(names.length ? names.map((name) => button(name, async () => { close(); this.file = name; this.put((await ask({ read_file: { name } })).text); })) : [h("p", {}, "There are no rules in the folder yet.")])));
  }

  save() {
    const name = /** @type {HTMLInputElement} */ (h("input", { value: this.file || "mygame.mg", "aria-label": "Name of the file" }));
    const close = dialog("Save rules", name, h("div", { class: "tools" }, button("Save", async () => {
      const saved = await ask({ write_file: { name: name.value, text: this.text.value } });
      this.file = name.value;
      toast(`Saved as ${saved.path}`);
      close();
    }, { class: "main" })));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const chosen = this.words.querySelector("[aria-selected=true]");
    if (!this.words.hidden && ["ArrowDown", "ArrowUp", "Enter", "Tab", "Escape"].includes(event.key)) {
      event.preventDefault();
      if (event.key === "Escape") this.words.hidden = true;
      else if (event.key === "Enter" || event.key === "Tab") /** @type {HTMLElement | null} */ (chosen)?.click();
      else {
        const next = event.key === "ArrowDown" ? chosen?.nextElementSibling ?? this.words.firstElementChild : chosen?.previousElementSibling ?? this.words.lastElementChild;
        chosen?.setAttribute("aria-selected", "false");
        next?.setAttribute("aria-selected", "true");
        next?.scrollIntoView({ block: "nearest" });
      }
    } else if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      this.complete(true);
    } else if (event.key === "Tab" && !event.shiftKey) {
      event.preventDefault();
      this.text.setRangeText("    ", this.text.selectionStart, this.text.selectionEnd, "end");
      this.changed();
    } else if (event.key === "Enter") {
      const before = this.text.value.slice(0, this.text.selectionStart);
      const indent = /[^\n]*$/.exec(before)?.[0].match(/^ */)?.[0] ?? "";
      event.preventDefault();
      this.text.setRangeText(`\n${indent}`, this.text.selectionStart, this.text.selectionEnd, "end");
      this.changed();
    } else if (event.key === "s" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.save();
    }
  }

  /** @param {boolean} wanted */
  async complete(wanted) {
    const at = this.text.selectionStart, rules = this.text.value;
    const word = /[A-Za-z_]+$/.exec(rules.slice(0, at))?.[0] ?? "";
    const line = /[^\n]*$/.exec(rules.slice(0, at))?.[0] ?? "";
    if (!wanted && (word.length < 2 || line.trimStart().startsWith("#") || document.activeElement !== this.text)) { this.words.hidden = true; return; }
    const answer = await ask({ complete: { rules, at } });
    if (rules !== this.text.value || !answer.words.length) { this.words.hidden = true; return; }
    const entries = answer.words.slice(0, 12).map(({ word: entry, what }, index) => h("li", { role: "option", "aria-selected": String(index === 0), mousedown: (event) => event.preventDefault(), click: () => {
      this.text.setRangeText(entry, answer.from, at, "end");
      this.words.hidden = true;
      this.changed();
      this.words.hidden = true;
      this.text.focus();
    } }, entry, h("small", {}, what)));
    this.words.replaceChildren(...entries);
    const lines = rules.slice(0, at).split("\n");
    const size = parseFloat(getComputedStyle(this.text).lineHeight);
    const below = lines.length * size + 10 - this.text.scrollTop;
    const fits = below + 200 < this.text.clientHeight || below < 220;
    this.words.style.top = fits ? `${below}px` : "auto";
    this.words.style.bottom = fits ? "auto" : `${this.text.clientHeight - below + size + 4}px`;
    this.words.style.left = `${Math.min(lines[lines.length - 1].length * 7.8 + 10 - this.text.scrollLeft, this.text.clientWidth - 180)}px`;
    this.words.hidden = false;
  }
}

/** @param {string[]} head @param {any[][]} rows */
function table(head, rows) {
  const show = (value) => (typeof value === "number" ? value.toLocaleString("en") : value);
  return h("table", {}, h("thead", {}, h("tr", {}, ...head.map((words) => h("th", {}, words)))), h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map((value) => h("td", {}, String(show(value))))))));
}
