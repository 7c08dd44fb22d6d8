// @ts-check
// The colours of rules.

const SECTIONS = new Set("players dimensions sides pieces properties tables links setup repetition notation evaluation appearance".split(" "));
const WORDS = new Set("find points at pick up put down replace by step backward move to north northeast east southeast south southwest west northwest orthogonal diagonal any direction turn either or try else test not while do repeat times infinity assign assert most nothing irreversible forcing white black own empty field piece neutral number of silent below board player draw after one way flags square counter".split(" "));
const ENDS = new Set(["win", "loss", "draw", "score", "main"]);

/** @param {string} text */
const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/**
 * The text as HTML with classes; mistakes are underlined.
 * @param {string} text
 * @param {{from: number, to: number, severity: string}[]} [marks]
 */
export function highlight(text, marks = []) {
  /** @type {{from: number, to: number, kind: string}[]} */
  const tokens = [];
  const pattern = /#[^\n]*|'[^'\n]'|opponent's|[A-Za-z_][A-Za-z0-9_]*|\d+|[^\sA-Za-z0-9_]/g;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const word = match[0];
    const kind = word[0] === "#" && !/'#'/.test(text) ? "comment" : word[0] === "'" && word.length === 3 ? "letter" : SECTIONS.has(word) ? "section" : ENDS.has(word) ? "ending" : WORDS.has(word) || word === "opponent's" ? "word" : /^\d/.test(word) ? "digit" : "";
    if (kind) tokens.push({ from: match.index, to: match.index + word.length, kind });
  }
  const cuts = new Set([0, text.length]);
  for (const { from, to } of tokens) cuts.add(from).add(to);
  const real = marks.map((mark) => ({ ...mark, to: Math.max(mark.to, mark.from + 1) }));
  for (const { from, to } of real) cuts.add(Math.min(from, text.length)).add(Math.min(to, text.length));
  const places = [...cuts].sort((a, b) => a - b);
  let html = "", token = 0;
  for (let index = 0; index + 1 < places.length; index++) {
    const [from, to] = [places[index], places[index + 1]];
    while (token < tokens.length && tokens[token].to <= from) token++;
    const kind = token < tokens.length && tokens[token].from <= from ? tokens[token].kind : "";
    const mark = real.find((own) => own.from <= from && to <= own.to);
    const classes = [kind, mark ? `wrong ${mark.severity}` : ""].filter(Boolean).join(" ");
    const part = escape(text.slice(from, to));
    html += classes ? `<span class="${classes}">${part}</span>` : part;
  }
  return html + "\n";
}
