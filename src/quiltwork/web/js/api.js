// @ts-check
/** Requests to the server. A refusal carries a code for programs and a sentence for people. */

export class Refusal extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** @param {string} path @param {{method?: string, token?: string, body?: unknown}} [options] */
export async function ask(path, { method = "GET", token, body } = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(`api/${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Refusal("offline", "The server cannot be reached.");
  }
  const json = (answer.headers.get("content-type") ?? "").includes("json");
  const content = json ? await answer.json() : await answer.text();
  if (content.code === "preparing") {
    await new Promise((done) => setTimeout(done, 500));
    return ask(path, { method, token, body });
  }
  if (!answer.ok) throw new Refusal(content.code ?? "failed", content.message ?? answer.statusText);
  return content;
}

/** @type {Map<string, Promise<any>>} */
const kept = new Map();

/** Asks once and keeps the answer. @param {string} path */
export function askOnce(path) {
  let answer = kept.get(path);
  if (!answer) {
    answer = ask(path);
    answer.catch(() => kept.delete(path));
    kept.set(path, answer);
  }
  return answer;
}
