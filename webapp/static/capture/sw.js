// The service worker: static files and pages are there while the server is away. `VERSION`, `FILES` and
// `OFFLINE` (language: address) stand before this text as it is served. Answers of the API and photos are
// never kept here.
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const STATIC = `waymark-static-${VERSION}`;
const PAGES = `waymark-pages-${VERSION}`;
const MAX_PAGES = 40;
/** How long a server that may be away is waited for, where there is something else to show. */
const STATIC_WAIT_MS = 2_000;
const PAGE_WAIT_MS = 5_000;
/** Where the photo buttons are: the pages worth having at a table without its server. */
const KEPT_PAGES = /^\/($|games\/|capture(\/live)?$)/;
/** What those pages open. */
const DIALOGS = /^\/games\/[^/]+\/dialogs$/;
const LANGUAGE = "/last-language";

worker.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(STATIC);
      const wanted = [...FILES, ...Object.values(OFFLINE)];
      await cache.addAll(wanted.map((file) => new Request(file, { cache: "reload" })));
      await worker.skipWaiting();
    })(),
  );
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      const names = await caches.keys();
      const old = names.filter((name) => name.startsWith("waymark-") && ![STATIC, PAGES].includes(name));
      await Promise.all(old.map((name) => caches.delete(name)));
      await worker.clients.claim();
    })(),
  );
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (/^\/(static|messages)\//.test(url.pathname)) event.respondWith(staticFile(request));
  else if (request.mode === "navigate" || DIALOGS.test(url.pathname)) event.respondWith(page(event, url));
});

/**
 * The network's answer, or null where there is none in time.
 * @param {Request} request
 * @param {number} milliseconds
 * @returns {Promise<Response | null>}
 */
function answerWithin(request, milliseconds) {
  const late = new Promise((resolve) => setTimeout(resolve, milliseconds, null));
  return Promise.race([fetch(request).catch(() => null), late]);
}

/** @param {Request} request */
async function staticFile(request) {
  // A kept page may name older sentences: these are as good.
  const kept = await caches.match(request, { cacheName: STATIC, ignoreSearch: true });
  if (!kept) return fetch(request);
  return (await answerWithin(request, STATIC_WAIT_MS)) ?? kept;
}

/**
 * @param {FetchEvent} event
 * @param {URL} url
 */
async function page(event, url) {
  const { request } = event;
  const kept = await caches.match(request, { cacheName: PAGES });
  const answer = await (kept ? answerWithin(request, PAGE_WAIT_MS) : fetch(request).catch(() => null));
  if (answer) {
    if (answer.ok && !answer.redirected && KEPT_PAGES.test(url.pathname)) {
      event.waitUntil(keepPage(request, answer.clone()));
    }
    return answer;
  }
  if (kept) return asAway(kept);
  const cache = await caches.open(STATIC);
  return (await cache.match(OFFLINE[await language()])) ?? Response.error();
}

/**
 * @param {Request} request
 * @param {Response} answer
 */
async function keepPage(request, answer) {
  const cache = await caches.open(PAGES);
  await cache.put(request, answer.clone());
  const lang = /<html lang="(\w+)"/.exec(await answer.text())?.[1];
  if (lang && lang in OFFLINE) await cache.put(LANGUAGE, new Response(lang));
  const pages = (await cache.keys()).filter((key) => new URL(key.url).pathname !== LANGUAGE);
  await Promise.all(pages.slice(0, -MAX_PAGES).map((key) => cache.delete(key)));
}

/**
 * A kept page, marked so that it says that the server is away.
 * @param {Response} kept
 */
async function asAway(kept) {
  const text = (await kept.text()).replace("<html ", "<html data-away ");
  return new Response(text, { headers: kept.headers });
}

async function language() {
  const last = await caches.match(LANGUAGE, { cacheName: PAGES });
  const wanted = last ? await last.text() : navigator.language.slice(0, 2);
  return wanted in OFFLINE ? wanted : "en";
}
