// The service worker: caches the files of the page, so that the page also opens and works while the
// server is not reachable. While it is reachable, its files take precedence over the cache.

const KEPT = "ninefold-page-7";

const FILES = [
  "./", "main.js", "shared.js", "other-views.js", "variants.js", "train.js", "desk.js", "extra.css", "photo.js", "photo.css", "arrows.js", "qr.js", "page.css", "ninefold-digits.woff2", "icon.svg", "icon-180.png", "icon-512.png", "manifest.webmanifest", "words-de.js",
  "words-es.js", "api/techniques", "api/lessons",
];

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(KEPT).then((kept) => Promise.allSettled(FILES.map((file) => kept.add(file)))));
});

// Deletes the caches of earlier versions.
self.addEventListener("activate", (event) => {
  const others = caches.keys().then((names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name))));
  event.waitUntil(Promise.all([others, self.clients.claim()]));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  // These two answer whether there is a server, so they must never come from the cache.
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
