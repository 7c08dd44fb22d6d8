// @ts-check
// The conversation with the server. Questions are answered by promises, news go to whoever watches the game.

import { toast } from "./dom.js";

/** @type {WebSocket | null} */
let socket = null;
let next = 1;
let delay = 250;
/** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void}>} */
const open = new Map();
/** @type {Map<string, (event: string, value: any) => void>} */
const watchers = new Map();
/** @type {string[]} */
let queue = [];

function connect() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  socket = new WebSocket(`${scheme}//${location.host}/socket`);
  socket.addEventListener("open", () => {
    document.body.classList.remove("offline");
    if (delay > 250) rejoin();
    delay = 250;
    for (const text of queue) socket?.send(text);
    queue = [];
  });
  socket.addEventListener("message", (event) => receive(JSON.parse(event.data)));
  socket.addEventListener("close", () => {
    document.body.classList.add("offline");
    for (const { reject } of open.values()) reject(new Error("The server does not answer. The page tries to reach it again."));
    open.clear();
    setTimeout(connect, delay);
    delay = Math.min(delay * 2, 5000);
  });
}

function rejoin() {
  for (const [game, hear] of watchers) {
    send({ ask: { join: { game } } }).then((opened) => hear("joined", opened)).catch((error) => toast(error.message));
  }
}

function receive(message) {
  if (message.event) {
    watchers.get(message.game)?.(message.event, message.value);
    return;
  }
  const waiting = open.get(message.id);
  open.delete(message.id);
  if (!waiting) return;
  if ("error" in message) waiting.reject(new Error(message.error));
  else waiting.resolve(message.ok);
}

/** @param {Record<string, any>} message @returns {Promise<any>} */
function send(message) {
  const id = next++;
  const text = JSON.stringify({ id, ...message });
  return new Promise((resolve, reject) => {
    open.set(id, { resolve, reject });
    if (socket && socket.readyState === WebSocket.OPEN) socket.send(text);
    else queue.push(text);
  });
}

/** Asks the server. @param {any} question @returns {Promise<any>} */
export const ask = (question) => send({ ask: question });

/** Gives an order at a table. @param {string} game @param {any} order @returns {Promise<any>} */
export const order = (game, order) => send({ game, do: order });

/** Hears the news of a game until the returned function is called. @param {string} game @param {(event: string, value: any) => void} hear */
export function watch(game, hear) {
  watchers.set(game, hear);
  return () => {
    if (watchers.get(game) !== hear) return;
    watchers.delete(game);
    ask({ leave: { game } }).catch(() => {});
  };
}

connect();
