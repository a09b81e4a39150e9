/**
 * The service worker: the page can be installed, and without a connection it says so in its own clothes.
 *
 * It keeps nothing that is played with: a game needs its server, and an update is never half.
 */
const SHELL = "quiltwork-shell-1";
const FILES = [
  "offline.html",
  "offline.js",
  "css/base.css",
  "themes.css",
  "img/icon.svg",
  "messages/en.json",
];
/** The words of this device's language, where there are any. */
const OWN_WORDS = `messages/${navigator.language.toLowerCase().split("-")[0]}.json`;

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(SHELL)
      .then((shell) => Promise.all([shell.addAll(FILES), shell.add(OWN_WORDS).catch(() => undefined)]))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((n) => n !== SHELL).map((n) => caches.delete(n))));
  event.waitUntil(old.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const name = request.url.replace(self.registration.scope, "");
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match("offline.html")));
  else if (FILES.includes(name) || name.startsWith("messages/")) event.respondWith(freshOrKept(request));
});

/** What the server says now, or what was kept. */
async function freshOrKept(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok) (await caches.open(SHELL)).put(request, answer.clone());
    return answer;
  } catch {
    return (await caches.match(request)) ?? Response.error();
  }
}
