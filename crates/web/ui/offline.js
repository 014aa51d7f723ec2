// The service worker: keeps the files of the page, so that it opens and plays after the server is gone.
// While the server answers, its files are the ones shown.

const KEPT = "ninefold-page-3";

const FILES = [
  "./", "main.js", "other-views.js", "page.css", "ninefold-digits.woff2", "icon.svg", "manifest.webmanifest", "words-de.js",
  "words-es.js", "api/techniques", "api/lessons",
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
