// Photos that wait to be sent. They lie in the browser's database, so that a reload or a closed page loses
// none, and go to the server one at a time in the order in which they were taken. Each has a key of its own:
// a photo that is sent twice is kept once.
import { newKey, t } from "../app.js";
import { onReturn } from "../watch.js";

const STORE = "photos";
const FIRST_DELAY_MS = 2_000;
const LAST_DELAY_MS = 60_000;
/** A removed photo can be brought back for a day. */
const REMOVED_MS = 24 * 3600 * 1000;
/** An upload that moves no byte for this long has lost its server. */
const STALLED_MS = 45_000;

/**
 * Tells `change` (the list is another), `progress` ({order, share}), `sent` ({photo, answer, and `elsewhere`
 * where another tab did}), `refused` ({photo}) and `away` ({message}): CustomEvents with that detail.
 */
const queue = new EventTarget();

/**
 * @typedef {{ change: {}, progress: { order: number, share: number },
 *   sent: { photo: { order?: number }, answer: Api.KeptPhoto, elsewhere?: boolean },
 *   refused: { photo: Waiting }, away: { message: string } }} QueueEvents
 */

/**
 * Listen to the queue.
 * @template {keyof QueueEvents} Kind
 * @param {Kind} kind
 * @param {(detail: QueueEvents[Kind]) => void} hear
 * @param {AddEventListenerOptions} [options]
 */
export function listen(kind, hear, options) {
  queue.addEventListener(
    kind,
    (event) => event instanceof CustomEvent && hear(/** @type {QueueEvents[Kind]} */ (event.detail)),
    options,
  );
}

/**
 * @typedef {{ answer?: Api.KeptPhoto, refused?: string, code?: string, away?: string }} Outcome of an upload
 * @typedef {{order?: number, key: string, bytes: Blob, type: string, filename: string,
 *   entry: string, tableau: string, sameTurn?: string, whose: string, taken: number, removed: number, refused: string,
 *   code?: string}} Waiting `refused` is the server's sentence, `code` its name
 */

/** @type {Promise<IDBDatabase> | undefined} */
let opened;
/**
 * Photos of a browser that has no database for us (some private windows): kept while the page is open.
 * @type {Map<number | undefined, Waiting> | null}
 */
let inMemory = null;
let lastInMemory = 0;

/** Whether waiting photos outlive this page. */
export const isDurable = () => inMemory === null;

/** @returns {Promise<IDBDatabase>} */
function database() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("waymark", 1);
    request.onupgradeneeded = () =>
      request.result.createObjectStore(STORE, { keyPath: "order", autoIncrement: true });
    request.onsuccess = () => {
      // Browsers close it behind a page that slept.
      request.result.onclose = () => (opened = undefined);
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
  return opened;
}

/**
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<T>} work
 * @returns {Promise<T>}
 */
async function inStore(mode, work) {
  try {
    return await transact(await database(), mode, work);
  } catch {
    opened = undefined;
    return transact(await database(), mode, work);
  }
}

/**
 * @template T
 * @param {IDBDatabase} db
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<T>} work
 * @returns {Promise<T>}
 */
function transact(db, mode, work) {
  return new Promise((resolve, reject) => {
    const transaction = db.transaction(STORE, mode, { durability: "strict" });
    const request = work(transaction.objectStore(STORE));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = transaction.onabort = () => reject(transaction.error ?? request.error);
  });
}

/** All photos that are kept here, oldest first, removed ones too. @returns {Promise<Waiting[]>} */
export async function all() {
  /** @type {Waiting[]} */
  let kept = [];
  try {
    kept = await inStore("readonly", (store) => store.getAll());
  } catch {
    inMemory ??= new Map();
  }
  return [...kept, ...(inMemory?.values() ?? [])];
}

/** Photos that wait to be sent, oldest first. */
export async function waiting() {
  return (await all()).filter((photo) => !photo.removed);
}

/** @param {Waiting} photo */
async function save(photo) {
  if (inMemory?.has(photo.order)) inMemory.set(photo.order, photo);
  else await inStore("readwrite", (store) => store.put(photo));
  tellChange();
}

/** @param {Waiting} photo */
async function drop(photo) {
  if (!inMemory?.delete(photo.order)) await inStore("readwrite", (store) => store.delete(photo.order ?? 0));
  tellChange();
}

const elsewhere = "BroadcastChannel" in window ? new BroadcastChannel("waymark-photos") : null;
elsewhere?.addEventListener("message", ({ data }) => {
  if (data.sent) emit("sent", { ...data.sent, elsewhere: true });
  emit("change");
});

function tellChange() {
  elsewhere?.postMessage({});
  emit("change");
}

/**
 * @template {keyof QueueEvents} Kind
 * @param {Kind} kind
 * @param {Partial<QueueEvents[Kind]>} [detail]
 */
function emit(kind, detail = {}) {
  queue.dispatchEvent(new CustomEvent(kind, { detail }));
}

/**
 * Keep a file for `target` ({entry, tableau, whose}), exactly as it is; its number in the order.
 * @param {File} file
 * @param {Partial<Record<"entry" | "tableau" | "whose" | "next" | "sameTurn", string>>} target
 * @returns {Promise<number>}
 */
export async function keep(file, target) {
  /** @type {Waiting} */
  const photo = {
    key: newKey(),
    // Its bytes, not a pointer to a file that the camera app may take away.
    bytes: new Blob([await file.arrayBuffer()], { type: file.type }),
    type: file.type,
    filename: file.name,
    entry: target.entry ?? "",
    tableau: target.tableau ?? "",
    sameTurn: target.sameTurn ?? "",
    whose: target.whose ?? "",
    taken: Date.now(),
    removed: 0,
    refused: "",
  };
  try {
    photo.order = Number(await inStore("readwrite", (store) => store.add(photo)));
  } catch {
    // No database, or no room in it.
    inMemory ??= new Map();
    lastInMemory -= 1;
    photo.order = lastInMemory;
    inMemory.set(photo.order, photo);
  }
  tellChange();
  return photo.order ?? 0;
}

/**
 * Take a photo off the list; `restore` brings it back.
 * @param {Waiting} photo
 */
export const remove = (photo) => save({ ...photo, removed: Date.now() });

/**
 * Bring back a removed photo, as it was.
 * @param {Waiting} photo
 */
export async function restore(photo) {
  await save({ ...photo, removed: 0 });
  sendWaiting();
}

/**
 * Send a refused photo as a quick look: where it belonged there is nothing any more.
 * @param {Waiting} photo
 */
export async function sendAlone(photo) {
  await save({ ...photo, entry: "", tableau: "", whose: "", key: newKey(), refused: "", code: "" });
  sendWaiting();
}

/** Forget what was removed long ago. */
export async function forgetRemoved() {
  for (const photo of await all()) {
    if (photo.removed && Date.now() - photo.removed > REMOVED_MS) await drop(photo);
  }
}

/** @type {Promise<void> | null} */
let sending = null;
let again = false;
let delay = FIRST_DELAY_MS;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/**
 * Send what waits, now; what cannot be sent is tried again by itself.
 * @returns {Promise<void>}
 */
export function sendWaiting() {
  clearTimeout(timer);
  if (sending) {
    again = true;
    return sending;
  }
  sending = sendInTurn()
    .catch((error) => emit("away", { message: String(error) }))
    .finally(() => {
      sending = null;
      if (again) {
        again = false;
        sendWaiting();
      }
    });
  return sending;
}

async function sendInTurn() {
  const passed = new Set();
  for (;;) {
    const photo = (await waiting()).find(({ order, refused }) => !refused && !passed.has(order));
    if (!photo) return;
    passed.add(photo.order);
    const result = await send(photo);
    if (result.answer) {
      delay = FIRST_DELAY_MS;
      await drop(photo);
      emit("sent", { photo, answer: result.answer });
      // Another tab may be waiting for this one.
      if ((photo.order ?? 0) > 0) {
        elsewhere?.postMessage({ sent: { photo: { order: photo.order }, answer: result.answer } });
      }
    } else if (result.refused) {
      const refused = { ...photo, refused: result.refused, code: result.code };
      await save(refused);
      emit("refused", { photo: refused });
    } else {
      emit("away", { message: result.away });
      timer = setTimeout(sendWaiting, delay);
      delay = Math.min(delay * 2, LAST_DELAY_MS);
      return;
    }
  }
}

/**
 * One upload: {answer} if it is kept, {refused: why, code} if sending it again would not help, else {away: why}.
 * @param {Waiting} photo
 * @returns {Promise<Outcome>}
 */
function send(photo) {
  const form = new FormData();
  if (photo.entry) form.append("entry_id", photo.entry);
  if (photo.tableau) form.append("tableau_id", photo.tableau);
  if (photo.sameTurn) form.append("same_turn", photo.sameTurn);
  form.append("client_key", photo.key);
  form.append("photo", new Blob([photo.bytes], { type: photo.type }), photo.filename || "photo.jpg");
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let watchdog;
    const alive = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => request.abort(), STALLED_MS);
    };
    request.open("POST", "/api/v1/photos");
    request.setRequestHeader("Accept", "application/json");
    request.upload.onprogress = (event) => {
      alive();
      if (event.lengthComputable)
        emit("progress", { order: photo.order ?? 0, share: event.loaded / event.total });
    };
    request.onloadend = () => {
      clearTimeout(watchdog);
      resolve(outcome(request));
    };
    alive();
    request.send(form);
  });
}

/**
 * @param {XMLHttpRequest} request
 * @returns {Outcome}
 */
function outcome(request) {
  let value = null;
  try {
    value = JSON.parse(request.responseText);
  } catch {
    // Not our server's answer: a proxy's, or none.
  }
  if (request.status === 202 && value?.tableau_id) return { answer: value };
  const message = value?.error?.message;
  // 401: the PIN is missing; 429: too often. Both pass.
  const passes = [0, 401, 403, 408, 425, 429].includes(request.status) || request.status >= 500;
  if (request.status === 413 || (message && request.status >= 400 && !passes)) {
    return {
      refused: message ?? t("The photo is larger than the server takes; send a smaller file."),
      code: value?.error?.code ?? "too-large",
    };
  }
  // Who can mend it at the server (a full disk, a folder that has gone) is told what it is.
  return { away: [401, 403, 503, 507].includes(request.status) ? (message ?? "") : "" };
}

/** Send at every sign that the server may be back. */
export function keepSending() {
  const soon = () => {
    delay = FIRST_DELAY_MS;
    sendWaiting();
  };
  onReturn(soon);
  soon();
}
