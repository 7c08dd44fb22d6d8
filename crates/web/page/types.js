// @ts-check
// The shapes of messages, as docs/web-protocol.md describes them. Types only.

/**
 * @typedef {{x: number, y: number, dark: boolean}} Cell
 * @typedef {{code: number, name: string, owner: ("white" | "black" | null), shape: string, label: string, size: number, colour?: string}} Piece
 * @typedef {{name: string, of: ("board" | "player" | "field"), slot: number, slots: number, range: [number, number], piece: ([number, number] | null)}} GameNumber
 * @typedef {{owner: string, fields: number[], towards: [number, number]}} Edge
 * @typedef {{board: string, width: number, height: number, cells: (Cell | null)[], outline: [number, number][], blanks: [number, number][], lines: [number, number, number, number][], edges: Edge[], names: string[], pieces: Piece[], numbers: GameNumber[], players: number, turns: boolean}} Look
 * @typedef {{name: string, path: number[], piece?: number, sets?: [number, number][]}} Choice
 * @typedef {{name: string, text: string, changes: [number, number, number][], path: number[]}} Played
 * @typedef {{winner: (string | null), words: string}} Ending
 * @typedef {{left: [number, number], runs: (string | null), base: number, increment: number}} Clock
 * @typedef {"person" | {computer: {level?: string, time?: number, nodes?: number, depth?: number, threads?: number}}} Player
 * @typedef {{slots: number[], mover: string, legal: Choice[], choices: number, over: (Ending | null), position: string, since: number, moves: Played[], ply: number, redo: number, players: [Player, Player], clock: (Clock | null), thinking: boolean}} State
 * @typedef {{value: number, certain: boolean, in: (number | null), words: string}} Score
 * @typedef {{name: string, title: string, family: string, summary: string, origin: string, players: number, setups: string[], look: Look, start: (number[] | null)}} Entry
 * @typedef {{code: string, severity: string, from: number, to: number, line: number, column: number, message: string, hint: (string | null), fix: (string | null)}} Diagnostic
 * @typedef {{game: string, name: (string | null), title: string, look: Look, rules: string, state: State}} Opened
 */
export {};
