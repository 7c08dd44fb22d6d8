// @ts-check
// How a person chooses a move: field by field, until one move is left.

/** @typedef {import("./types.js").Choice} Choice */

export class Chooser {
  /** @param {(index: number) => void} play @param {(choices: number[]) => void} ask Called when fields alone do not tell moves apart. */
  constructor(play, ask) {
    this.play = play;
    this.ask = ask;
    /** @type {Choice[]} */
    this.legal = [];
    this.reset();
  }

  /** @param {Choice[]} legal */
  offer(legal) {
    this.legal = legal;
    this.reset();
  }

  reset() {
    /** @type {number[]} */
    this.path = [];
    /** @type {number | null} */
    this.piece = null;
    /** @type {number[]} */
    this.left = this.legal.map((_, index) => index);
  }

  /** Fields that may come next. */
  targets() {
    if (!this.path.length && this.piece === null) return [];
    return [...new Set(this.left.map((index) => this.legal[index].path[this.path.length]).filter((field) => field !== undefined))];
  }

  /** Whether a move can begin on a field. @param {number} field */
  begins(field) {
    return this.legal.some((choice) => choice.path[0] === field);
  }

  /** A piece of a hand is chosen. @param {number} code */
  take(code) {
    const same = this.piece === code;
    this.reset();
    if (same) return;
    this.piece = code;
    this.left = this.left.filter((index) => this.legal[index].piece === code && this.legal[index].path.length === 1);
    if (!this.left.length) this.reset();
  }

  /** A field is pointed at; true if that meant something. @param {number} field @returns {boolean} */
  point(field) {
    const depth = this.path.length;
    const next = this.left.filter((index) => this.legal[index].path[depth] === field);
    if (next.length) {
      this.path.push(field);
      this.left = next;
      this.settle();
      return true;
    }
    if (depth && this.path[depth - 1] === field) {
      // Pointed at twice: what is complete is meant, or nothing.
      const complete = this.left.filter((index) => this.legal[index].path.length === depth);
      if (complete.length === 1 && depth > 1) this.play(complete[0]);
      else if (complete.length === 1 && this.left.length > 1) this.play(complete[0]);
      else this.reset();
      return true;
    }
    if (depth) {
      const inside = this.left.filter((index) => this.legal[index].path.slice(depth).includes(field));
      if (inside.length && depth > 1) {
        this.left = inside;
        if (inside.length === 1) this.play(inside[0]);
        else this.ask(inside);
        return true;
      }
      this.reset();
      if (this.begins(field)) return this.point(field);
      return true;
    }
    const touching = this.legal.map((_, index) => index).filter((index) => this.legal[index].path.includes(field));
    if (!touching.length) return false;
    if (touching.length === 1 && this.legal[touching[0]].path.length <= 1) this.play(touching[0]);
    else this.ask(touching);
    return true;
  }

  settle() {
    const depth = this.path.length;
    const [only] = this.left;
    if (this.left.length === 1 && depth >= Math.min(2, this.legal[only].path.length)) return this.play(only);
    const goesOn = this.left.some((index) => this.legal[index].path.length > depth);
    if (!goesOn) this.ask(this.left);
    else if (depth >= 2 && this.left.some((index) => this.legal[index].path.length === depth)) this.ask(this.left);
  }
}
