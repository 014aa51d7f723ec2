// The service worker: keeps the files of the page, so that it opens and plays after the server is gone.
// While the server answers, its files are the ones shown.

const KEPT = "ninefold-page";

const FILES = [
  "/", "/style.css", "/print.css", "/api.js", "/batch-view.js", "/batch.js", "/board.js", "/dom.js", "/game.js",
  "/geometry.js", "/keys.js", "/learn-view.js", "/learn.js", "/link.js", "/main.js", "/make-view.js", "/make.js",
  "/page.js", "/panels.js", "/rate-view.js", "/rate.js", "/render.js", "/show.js", "/store.js", "/view.js",
  "/watch-view.js", "/watch.js", "/words.js", "/icon.svg", "/manifest.webmanifest", "/api/techniques", "/api/lessons",
];

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(FILES)));
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const isOurs = new URL(request.url).origin === self.location.origin;
  if (request.method === "GET" && isOurs) event.respondWith(freshOrKept(request));
});

async function freshOrKept(request) {
  const kept = await caches.open(KEPT);
  try {
    const fresh = await fetch(request);
    if (fresh.ok) await kept.put(request, fresh.clone());
    return fresh;
  } catch (error) {
    const old = await kept.match(request);
    if (old) return old;
    throw error;
  }
}
