// As much of a browser as the pages' scripts need to be tried by node's own runner: elements that hold children,
// attributes and listeners; a clock that tests move; a server and a database of their own. Import it before them.
import { webcrypto } from "node:crypto";

/** A name of `dataset` as the attribute has it. */
const dashed = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export class FakeElement extends EventTarget {
  constructor(tag = "div") {
    super();
    this.tagName = tag;
    this.attributes = new Map();
    this.children = [];
    this.parent = null;
    this.box = { left: 0, top: 0, width: 0, height: 0 };
    this.captured = [];
    this.style = {};
    const classes = new Set();
    this.classList = {
      add: (...names) => names.forEach((name) => classes.add(name)),
      remove: (...names) => names.forEach((name) => classes.delete(name)),
      contains: (name) => classes.has(name),
      toggle: (name, on) => (on ? classes.add(name) : classes.delete(name)),
    };
    this.dataset = new Proxy({}, { get: (_, name) => this.attributes.get(`data-${dashed(String(name))}`) });
  }

  setAttribute(name, value) {
    this.attributes.set(name, String(value));
  }
  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }
  hasAttribute(name) {
    return this.attributes.has(name);
  }
  append(...children) {
    for (const child of children) {
      if (child instanceof FakeElement) child.parent = this;
      this.children.push(child);
    }
  }
  replaceChildren(...children) {
    this.children = [];
    this.append(...children);
  }
  remove() {
    if (this.parent) this.parent.children = this.parent.children.filter((child) => child !== this);
  }
  closest() {
    return null;
  }
  contains() {
    return false;
  }
  /** A class among the children, which is all that is asked for. */
  querySelector(selector) {
    return this.children.find((child) => child.className?.split(" ").includes(selector.slice(1))) ?? null;
  }
  setPointerCapture(pointer) {
    this.captured.push(pointer);
  }
  getBoundingClientRect() {
    const { left, top, width, height } = this.box;
    return { left, top, width, height, right: left + width, bottom: top + height };
  }
  get clientWidth() {
    return this.box.width;
  }
  get clientHeight() {
    return this.box.height;
  }
  /** Every element within, this one first. */
  *within() {
    yield this;
    for (const child of this.children) if (child instanceof FakeElement) yield* child.within();
  }
  /** The first element within that has an attribute of this value. */
  with(name, value) {
    return [...this.within()].find((each) => each.getAttribute(name) === value);
  }
}

/** Time stands still until a test moves it. */
export const clock = {
  now: 1_800_000_000_000,
  timers: new Map(),
  last: 0,
  async pass(ms) {
    const until = this.now + ms;
    for (;;) {
      await settled();
      const [id, due] = [...this.timers].sort(([, a], [, b]) => a.at - b.at)[0] ?? [];
      if (id === undefined || due.at > until) break;
      this.timers.delete(id);
      this.now = due.at;
      due.run();
    }
    this.now = until;
  },
};

/** All that is done at once has been done: promises that wait for nothing but each other. */
export async function settled() {
  for (let round = 0; round < 25; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A server: `answer` tells what it says to an upload, or null where it says nothing at all. */
export const server = {
  uploads: [],
  answer: () => ({ status: 0 }),
};

class FakeRequest {
  upload = {};
  status = 0;
  responseText = "";
  open(method, address) {
    Object.assign(this, { method, address });
  }
  setRequestHeader() {}
  send(form) {
    server.uploads.push(this);
    this.form = form;
    const said = server.answer(form, this);
    if (said) queueMicrotask(() => this.finish(said));
  }
  finish({ status, body = "" }) {
    this.status = status;
    this.responseText = typeof body === "string" ? body : JSON.stringify(body);
    this.onloadend();
  }
  abort() {
    this.finish({ status: 0 });
  }
}

/** A database with one store that numbers what is put into it; `broken`: it cannot be opened. */
export const database = { kept: new Map(), last: 0, broken: false };

function later(request, value) {
  request.result = value;
  queueMicrotask(() => request.onsuccess?.());
  return request;
}

const store = {
  add(value) {
    database.last += 1;
    database.kept.set(database.last, { ...value, order: database.last });
    return later({}, database.last);
  },
  put(value) {
    database.kept.set(value.order, value);
    return later({}, value.order);
  },
  delete(order) {
    database.kept.delete(order);
    return later({}, undefined);
  },
  getAll: () =>
    later(
      {},
      [...database.kept].sort(([a], [b]) => a - b).map(([, value]) => value),
    ),
};

const indexedDB = {
  open() {
    const request = {};
    queueMicrotask(() => {
      if (database.broken) {
        request.error = new Error("no database here");
        request.onerror();
        return;
      }
      request.result = {
        transaction() {
          const transaction = { objectStore: () => store };
          setImmediate(() => transaction.oncomplete());
          return transaction;
        },
      };
      request.onsuccess();
    });
    return request;
  },
};

export const channel = [];
class FakeChannel extends EventTarget {
  postMessage(message) {
    channel.push(message);
  }
}

class FakeObserver {
  observe() {}
  disconnect() {}
}

const page = new EventTarget();
/** Where notices are shown. */
export const toasts = new FakeElement();
const document = Object.assign(new EventTarget(), {
  visibilityState: "visible",
  activeElement: null,
  createElement: (tag) => new FakeElement(tag),
  createElementNS: (_, tag) => new FakeElement(tag),
  getElementById: (id) => (id === "toasts" ? toasts : null),
  querySelector: () => null,
  querySelectorAll: () => [],
});

class Dialog extends FakeElement {}
class Picture extends FakeElement {}
/** Pictures that a script has begun to load. */
export const loading = [];

Object.assign(globalThis, {
  window: globalThis,
  document,
  location: { href: "https://table.example/" },
  history: { state: null, pushState() {}, replaceState() {}, back() {} },
  devicePixelRatio: 1,
  Node: FakeElement,
  Element: FakeElement,
  HTMLElement: FakeElement,
  HTMLInputElement: FakeElement,
  SVGUseElement: FakeElement,
  HTMLDialogElement: Dialog,
  HTMLImageElement: Picture,
  SVGImageElement: Picture,
  Image: class extends Picture {
    constructor() {
      super("img");
      loading.push(this);
    }
  },
  ResizeObserver: FakeObserver,
  MutationObserver: FakeObserver,
  BroadcastChannel: FakeChannel,
  XMLHttpRequest: FakeRequest,
  indexedDB,
  addEventListener: page.addEventListener.bind(page),
  dispatchEvent: page.dispatchEvent.bind(page),
  setTimeout(run, ms = 0) {
    clock.last += 1;
    clock.timers.set(clock.last, { at: clock.now + ms, run });
    return clock.last;
  },
  clearTimeout: (id) => clock.timers.delete(id),
  // Notices stay until they are taken away.
  setInterval() {},
  clearInterval() {},
  innerHeight: 800,
  matchMedia: () => ({ matches: true }),
});
Date.now = () => clock.now;
// Before node 20.
globalThis.crypto ??= webcrypto;
globalThis.CustomEvent ??= class extends Event {
  constructor(kind, { detail } = {}) {
    super(kind);
    this.detail = detail;
  }
};
