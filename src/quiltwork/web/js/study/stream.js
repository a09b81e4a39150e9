// @ts-check
/** Answers that come in parts: one JSON object after another, until the server or the page ends it. */
import { Refusal } from "../api.js";

/**
 * @param {string} path
 * @param {{token?: string, body?: unknown, signal?: AbortSignal}} request
 * @param {(event: any) => void} onEvent
 */
export async function stream(path, { token, body, signal }, onEvent) {
  /** @type {Record<string, string>} */
  const headers = { "Content-Type": "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  let answer;
  try {
    answer = await fetch(`api/${path}`, { method: "POST", headers, body: JSON.stringify(body ?? {}), signal });
  } catch (error) {
    if (signal?.aborted) return;
    throw new Refusal("offline", "The server cannot be reached.");
  }
  if (!answer.ok || !answer.body) {
    const content = await answer.json();
    throw new Refusal(content.code ?? "failed", content.message ?? answer.statusText);
  }
  try {
    await read(answer.body, onEvent);
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}

/** @param {ReadableStream<Uint8Array>} body @param {(event: any) => void} onEvent */
async function read(body, onEvent) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const parts = text.split("\n\n");
    text = parts.pop() ?? "";
    for (const part of parts) {
      // A comment: the server is there, and has nothing to tell yet.
      if (part.startsWith(":")) continue;
      const event = JSON.parse(part.replace(/^data: /, ""));
      if (event.type === "problem") throw new Refusal(event.code, event.message);
      onEvent(event);
    }
  }
}
