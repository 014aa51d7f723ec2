// The service worker: keeps the files of the page, so that it opens and plays after the server is gone.
// While the server answers, its files are the ones shown.

const KEPT = "ninefold-page-2";

const FILES = [
  "./", "api.js", "batch-view.js", "batch.js", "board-view.js", "board.css", "board.js", "day.js", "dom.js",
  "engine.js", "exercise.js", "game.js", "games-view.js", "games.js", "geometry.js", "icon.svg", "keep.js",
  "keys.js", "learn-view.js", "learn.js", "link.js", "main.js", "make-view.js", "make.js", "manifest.webmanifest",
  "ninefold-digits.woff2", "page.js", "panels.js", "pictures.js", "play-view.js", "play.css", "play.js", "print.css",
  "rate-view.js", "rate.js", "reason-view.js", "render.js", "school.js", "show.js", "shuffle.js", "store.js",
  "style.css", "today-view.js", "today.js", "tokens.css", "view.js", "views.css", "watch-view.js", "watch.js",
  "win-view.js", "words-de.js", "words-en.js", "words-es.js", "words.js", "api/techniques", "api/lessons",
];

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(KEPT).then((kept) => Promise.allSettled(FILES.map((file) => kept.add(file)))));
});

// What former versions kept goes.
self.addEventListener("activate", (event) => {
  const others = caches.keys().then((names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name))));
  event.waitUntil(Promise.all([others, self.clients.claim()]));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  // Whether there is a server can only be asked of the server.
  const isLive = /\/api\/(status|models)$/.test(url.pathname);
  if (request.method === "GET" && url.origin === self.location.origin && !isLive) event.respondWith(freshOrKept(request));
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
