// @ts-check
/** What is shown instead of the page while the server cannot be reached; it goes by itself when it can. */

const PAUSE = 3000;

/** A preference of this device. @param {string} name */
function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(`quiltwork.${name}`) ?? "null");
  } catch {
    return null;
  }
}

async function speak() {
  const wanted = String(kept("language") ?? navigator.language.toLowerCase().split("-")[0]);
  const answers = await Promise.all(["en", wanted].map((name) => fetch(`messages/${name}.json`).catch(() => null)));
  const catalogs = await Promise.all(answers.map((answer) => (answer?.ok ? answer.json() : {})));
  /** @type {Record<string, string>} */
  const words = { ...catalogs[0], ...catalogs[1] };
  document.documentElement.lang = answers[1]?.ok ? wanted : "en";
  for (const [tag, key] of [["h1", "offline.title"], ["p", "offline.text"]]) {
    const element = document.querySelector(tag);
    if (element) element.textContent = words[key] ?? "";
  }
}

/** Comes back as soon as the server answers. */
async function comeBack() {
  const answer = await fetch("health", { cache: "no-store" }).catch(() => null);
  if (answer?.ok) location.reload();
}

const wanted = kept("scheme") ?? "auto";
const dark = wanted === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : wanted === "dark";
document.documentElement.dataset.scheme = dark ? "dark" : "light";
speak();
setInterval(comeBack, PAUSE);
window.addEventListener("online", comeBack);
