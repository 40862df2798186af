/*
 * A photo that can be zoomed and moved, with layers of SVG in photo pixels on top.
 *
 *   const viewer = new Viewer(host, { photo, label });
 *     host   an empty element with a size of its own (class "viewer" is added to it)
 *     photo  { width, height, sizes: [{ longest, url }] }, as `photo` of GET /tableaus/<id>/review
 *     label  what screen readers say of the picture
 *
 *   viewer.layer(name)            the <g> of that name, made on the first call; later layers lie on top
 *   viewer.clear(name)            empties a layer and gives it back
 *   viewer.toPhoto(x, y)          client (CSS) pixels to photo pixels: { x, y }
 *   viewer.toClient(x, y)         photo pixels to client pixels: { x, y }
 *   viewer.scale                  CSS pixels per photo pixel as shown now
 *   viewer.fit(box?, parts?)      shows the whole photo, or a box [left, top, right, bottom] of it; beside the tools where
 *                                 they would lie on one of the parts (boxes; by default on the box)
 *   viewer.tools                  an element that lies over the photo's right or lower edge (none at first)
 *   viewer.reveal(x, y)           moves as little as needed so that a photo point can be seen
 *   viewer.zoomBy(factor, at?)    zooms about a client point { x, y }, or about the middle
 *   viewer.panBy(dx, dy)          moves by CSS pixels
 *   viewer.setPhoto(photo)        shows another photo; layers are emptied
 *   viewer.doubleTapZooms         false: every tap is one of its own (true at first)
 *   viewer.destroy()              takes everything away again
 *
 *   viewer.on(event, fn)          gives back a function that takes the listener away
 *     "tap"   ({ x, y, target, event })   a short touch or click, photo pixels; target is the SVG element hit
 *     "grab"  ({ x, y, target, event })   a pointer goes down; answer true to take the gesture (nothing pans), then
 *     "drag"  ({ x, y, dx, dy, event })   ... each move of it, with the way since the last one, photo pixels
 *     "drop"  ({ x, y, event, cancelled, outside })  ... its end: `cancelled` by a second finger or the browser,
 *             `outside` the photo's frame
 *     "view"  ({ scale })                 zoom or place have changed
 *
 * Fingers: one moves (at the smallest zoom the page scrolls instead), two pinch, a double tap zooms in or out.
 * Mouse: drag and wheel. Keys while it has the focus: + - 0, and Shift with the arrows.
 */

import { closest } from "../elements.js";
import { askAgain } from "../late_pictures.js";
import { shape } from "./dom.js";

/**
 * @typedef {[x: number, y: number]} Point in photo pixels
 * @typedef {[left: number, top: number, right: number, bottom: number]} Box in photo pixels
 * @typedef {Api.ReviewPhoto} Photo
 * @typedef {{ x: number, y: number }} Spot
 * @typedef {Spot & { target: EventTarget | null, event: PointerEvent }} Tap
 * @typedef {Spot & { dx: number, dy: number, event: PointerEvent }} Drag
 * @typedef {Spot & { event: PointerEvent, cancelled: boolean, outside: boolean }} Drop
 * @typedef {{ tap: Tap, grab: Tap, drag: Drag, drop: Drop, view: { scale: number } }} ViewerEvents
 * @typedef {{ kind: "tap" | "pan", target: EventTarget | null, start: number, x: number, y: number }} TapGesture
 * @typedef {{ kind: "drag", last: Spot }} DragGesture
 * @typedef {{ kind: "pinch", grip: Spot, apart: number, scale: number }} PinchGesture
 * @typedef {{ right: number, bottom: number }} Clear CSS pixels at two edges
 */

const MOST_ZOOM = 12; // times the scale at which the whole photo is seen
const TAP_SLOP_PX = 10;
const TAP_MS = 450;
const DOUBLE_TAP_MS = 320;
const SHARP_SCALE = 1.3; // a display copy is used up to this many device pixels per pixel of it

export class Viewer {
  /**
   * @param {HTMLElement} host
   * @param {{ photo: Photo, label?: string }} options
   */
  constructor(host, { photo, label = "" }) {
    this.host = host;
    /** @type {Map<string, Set<(detail: any) => unknown>>} */
    this.listeners = new Map();
    /** @type {Map<number, Spot>} */
    this.pointers = new Map();
    /** @type {Map<string, SVGGElement>} */
    this.layers = new Map();
    /** @type {TapGesture | DragGesture | PinchGesture | null} */
    this.gesture = null;
    /** @type {{ at: number, x: number, y: number } | null} */
    this.lastTap = null;
    /** @type {HTMLElement | undefined} */
    this.tools = undefined;
    /** @type {{ box: Box | null, parts: Box[] | null } | undefined} */
    this.fitted = undefined;
    this.photo = photo;
    this.view = { x: 0, y: 0, w: photo.width, h: photo.height };
    this.shownSize = 0;
    this.doubleTapZooms = true;
    host.classList.add("viewer");
    if (!host.hasAttribute("tabindex")) host.tabIndex = 0;
    this.svg = shape("svg", {
      class: "viewer-svg",
      role: "img",
      "aria-label": label,
      preserveAspectRatio: "xMidYMid meet",
    });
    this.image = shape("image", { x: 0, y: 0, preserveAspectRatio: "none" });
    this.svg.append(this.image);
    host.append(this.svg);
    this.setPhoto(photo);

    this.ending = new AbortController();
    /**
     * @template {keyof HTMLElementEventMap} Type
     * @param {HTMLElement} target
     * @param {Type} type
     * @param {(event: HTMLElementEventMap[Type]) => unknown} fn
     * @param {AddEventListenerOptions} [options]
     */
    const on = (target, type, fn, options = {}) =>
      target.addEventListener(type, fn, { signal: this.ending.signal, ...options });
    on(host, "pointerdown", (event) => this.#down(event));
    on(host, "pointermove", (event) => this.#move(event));
    on(host, "pointerup", (event) => this.#up(event, false));
    on(host, "pointercancel", (event) => this.#up(event, true));
    on(host, "wheel", (event) => this.#wheel(event), { passive: false });
    on(host, "keydown", (event) => this.#key(event));
    // A long press would open the browser's picture menu instead of moving the photo.
    on(host, "contextmenu", (event) => event.pointerType !== "mouse" && event.preventDefault());
    this.resizes = new ResizeObserver(() => this.#resized());
    this.resizes.observe(host);
  }

  /** @param {Photo} photo */
  setPhoto(photo) {
    this.photo = photo;
    for (const layer of this.layers.values()) layer.replaceChildren();
    this.image.setAttribute("width", String(photo.width));
    this.image.setAttribute("height", String(photo.height));
    this.shownSize = 0;
    this.view = { x: 0, y: 0, w: photo.width, h: photo.height };
    this.fit();
  }

  /**
   * @param {string} name
   * @returns {SVGGElement}
   */
  layer(name) {
    const made = this.layers.get(name);
    if (made) return made;
    const group = shape("g", { "data-layer": name });
    this.layers.set(name, group);
    this.svg.append(group);
    return group;
  }

  /** @param {string} name */
  clear(name) {
    const layer = this.layer(name);
    layer.replaceChildren();
    return layer;
  }

  /**
   * @template {keyof ViewerEvents} Type
   * @param {Type} event
   * @param {(detail: ViewerEvents[Type]) => unknown} fn
   * @returns {() => void}
   */
  on(event, fn) {
    const listening = this.listeners.get(event) ?? new Set();
    this.listeners.set(event, listening.add(fn));
    return () => void listening.delete(fn);
  }

  get scale() {
    return this.host.clientWidth / this.view.w || 1;
  }

  /**
   * @param {number} clientX
   * @param {number} clientY
   * @returns {Spot}
   */
  toPhoto(clientX, clientY) {
    const box = this.host.getBoundingClientRect();
    return {
      x: this.view.x + (clientX - box.left) / this.scale,
      y: this.view.y + (clientY - box.top) / this.scale,
    };
  }

  /**
   * @param {number} x
   * @param {number} y
   * @returns {Spot}
   */
  toClient(x, y) {
    const box = this.host.getBoundingClientRect();
    return { x: box.left + (x - this.view.x) * this.scale, y: box.top + (y - this.view.y) * this.scale };
  }

  /**
   * @param {Box | null} [box]
   * @param {Box[] | null} [parts]
   */
  fit(box = null, parts = null) {
    const whole = box ?? [0, 0, this.photo.width, this.photo.height];
    this.#fitBeside(whole, { right: 0, bottom: 0 });
    if ((parts ?? [whole]).some((part) => this.#isCovered(part))) this.#fitBeside(whole, this.#clear());
    this.fitted = { box, parts };
  }

  /**
   * @param {Box} box
   * @param {Clear} clear
   */
  #fitBeside([left, top, right, bottom], clear) {
    const width = Math.max(1, this.host.clientWidth - clear.right);
    const height = Math.max(1, this.host.clientHeight - clear.bottom);
    const scale = Math.min(width / (right - left), height / (bottom - top), this.#mostScale());
    this.#show({
      x: (left + right) / 2 - width / scale / 2,
      y: (top + bottom) / 2 - height / scale / 2,
      w: this.host.clientWidth / scale || 1,
      h: this.host.clientHeight / scale || 1,
    });
  }

  /**
   * CSS pixels at the right or the lower edge that the tools take.
   * @returns {Clear}
   */
  #clear() {
    if (!this.tools) return { right: 0, bottom: 0 };
    const [host, tools] = [this.host.getBoundingClientRect(), this.tools.getBoundingClientRect()];
    if (!tools.width) return { right: 0, bottom: 0 };
    const gap = host.right - tools.right;
    return tools.height > tools.width
      ? { right: tools.width + 2 * gap, bottom: 0 }
      : { right: 0, bottom: tools.height + 2 * gap };
  }

  /**
   * @param {Box} box
   * @returns {boolean}
   */
  #isCovered([left, top, right, bottom]) {
    if (!this.tools) return false;
    const tools = this.tools.getBoundingClientRect();
    const [from, to] = [this.toClient(left, top), this.toClient(right, bottom)];
    return from.x < tools.right && to.x > tools.left && from.y < tools.bottom && to.y > tools.top;
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  reveal(x, y) {
    const margin = 0.15;
    const { view } = this;
    /** @type {(at: number, start: number, size: number) => number} */
    const into = (at, start, size) =>
      Math.min(0, at - (start + size * margin)) + Math.max(0, at - (start + size * (1 - margin)));
    const dx = into(x, view.x, view.w);
    const dy = into(y, view.y, view.h);
    if (dx || dy) this.#show({ ...view, x: view.x + dx, y: view.y + dy });
  }

  /**
   * @param {number} factor
   * @param {Spot | null} [at]
   */
  zoomBy(factor, at = null) {
    const box = this.host.getBoundingClientRect();
    const client = at ?? { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    this.#hold(this.toPhoto(client.x, client.y), client, this.scale * factor);
  }

  /**
   * @param {number} dx
   * @param {number} dy
   */
  panBy(dx, dy) {
    this.fitted = undefined;
    this.#show({ ...this.view, x: this.view.x - dx / this.scale, y: this.view.y - dy / this.scale });
  }

  destroy() {
    this.ending.abort();
    this.resizes.disconnect();
    this.svg.remove();
    this.host.classList.remove("viewer", "viewer-zoomed");
  }

  /**
   * Show the photo at a scale with one of its points at a client point.
   * @param {Spot} point
   * @param {Spot} client
   * @param {number} wanted
   */
  #hold(point, client, wanted) {
    const box = this.host.getBoundingClientRect();
    const scale = Math.min(Math.max(wanted, this.#leastScale()), this.#mostScale());
    this.fitted = undefined;
    this.#show({
      x: point.x - (client.x - box.left) / scale,
      y: point.y - (client.y - box.top) / scale,
      w: box.width / scale,
      h: box.height / scale,
    });
  }

  /**
   * @template {keyof ViewerEvents} Type
   * @param {Type} event
   * @param {ViewerEvents[Type]} detail
   * @returns {boolean}
   */
  #emit(event, detail) {
    let taken = false;
    for (const fn of this.listeners.get(event) ?? []) taken = fn(detail) === true || taken;
    return taken;
  }

  #leastScale() {
    return (
      Math.min(this.host.clientWidth / this.photo.width, this.host.clientHeight / this.photo.height) || 1e-6
    );
  }

  #mostScale() {
    return this.#leastScale() * MOST_ZOOM;
  }

  /** @param {{ x: number, y: number, w: number, h: number }} view */
  #show(view) {
    // The photo stays in sight: it may not be moved away farther than to its edge, or out from under the tools, and
    // is centred where it is smaller.
    /** @type {(start: number, size: number, whole: number, clear: number) => number} */
    const keep = (start, size, whole, clear) => {
      const least = size >= whole ? (whole - size) / 2 : 0;
      return Math.min(Math.max(start, least), Math.max(least, whole - size + clear));
    };
    const scale = this.host.clientWidth / view.w || 1;
    const clear = this.#clear();
    this.view = {
      ...view,
      x: keep(view.x, view.w, this.photo.width, clear.right / scale),
      y: keep(view.y, view.h, this.photo.height, clear.bottom / scale),
    };
    const { x, y, w, h } = this.view;
    this.svg.setAttribute("viewBox", `${x} ${y} ${w} ${h}`);
    this.host.classList.toggle("viewer-zoomed", this.scale > this.#leastScale() * 1.02);
    this.#sharpen();
    this.#emit("view", { scale: this.scale });
  }

  /** Take the smallest copy of the photo that is sharp at this zoom; never a smaller one than is shown. */
  #sharpen() {
    const needed =
      (Math.max(this.photo.width, this.photo.height) * this.scale * devicePixelRatio) / SHARP_SCALE;
    const sizes = this.photo.sizes;
    const wanted = sizes.find((size) => size.longest >= needed) ?? sizes[sizes.length - 1];
    if (!wanted || wanted.longest <= this.shownSize) return;
    const first = this.shownSize === 0;
    this.shownSize = wanted.longest;
    if (first) {
      this.image.setAttribute("href", wanted.url);
      return;
    }
    // The sharper copy is loaded first, so that the photo never goes blank.
    const loading = new Image();
    loading.onload = () => {
      if (this.shownSize === wanted.longest) this.image.setAttribute("href", wanted.url);
    };
    loading.onerror = () => askAgain(loading);
    loading.src = wanted.url;
  }

  #resized() {
    if (this.fitted !== undefined) this.fit(this.fitted.box, this.fitted.parts);
    else this.zoomBy(1);
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.pointerType === "mouse" && event.button !== 0) return;
    if (closest(event, "button, a, input", Element)) return;
    // The first finger of all: what was not heard to be lifted is.
    if (event.isPrimary) this.pointers.clear();
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.pointers.size === 1) {
      const at = this.toPhoto(event.clientX, event.clientY);
      const taken = this.#emit("grab", { ...at, target: event.target, event });
      this.gesture = taken
        ? { kind: "drag", last: at }
        : {
            kind: "tap",
            target: event.target,
            start: event.timeStamp,
            x: event.clientX,
            y: event.clientY,
          };
      if (taken) event.preventDefault();
    } else {
      if (this.gesture?.kind === "drag")
        this.#emit("drop", { ...this.gesture.last, event, cancelled: true, outside: false });
      this.gesture = this.#pinch();
    }
    // A finger is followed wherever it goes, also when what it touched first is drawn anew.
    this.host.setPointerCapture(event.pointerId);
  }

  /** The point between the first two fingers, and how far they are apart. */
  #fingers() {
    const [one, other] = [...this.pointers.values()];
    return {
      x: (one.x + other.x) / 2,
      y: (one.y + other.y) / 2,
      apart: Math.hypot(one.x - other.x, one.y - other.y),
    };
  }

  /**
   * A pinch holds on to the photo point between the fingers, wherever they go.
   * @returns {PinchGesture}
   */
  #pinch() {
    const { x, y, apart } = this.#fingers();
    return { kind: "pinch", grip: this.toPhoto(x, y), apart, scale: this.scale };
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const here = { x: event.clientX, y: event.clientY };
    const { gesture } = this;
    if (gesture?.kind === "tap" && Math.hypot(here.x - gesture.x, here.y - gesture.y) > TAP_SLOP_PX)
      gesture.kind = "pan";
    if (gesture?.kind === "pan") {
      this.panBy(here.x - before.x, here.y - before.y);
    } else if (gesture?.kind === "drag") {
      const at = this.toPhoto(here.x, here.y);
      this.#emit("drag", { ...at, dx: at.x - gesture.last.x, dy: at.y - gesture.last.y, event });
      gesture.last = at;
    }
    if (gesture?.kind === "tap") return; // the way is counted from where the finger went down
    this.pointers.set(event.pointerId, here);
    if (gesture?.kind === "pinch" && this.pointers.size === 2) {
      const now = this.#fingers();
      this.#hold(gesture.grip, now, gesture.scale * (gesture.apart > 0 ? now.apart / gesture.apart : 1));
    }
  }

  /**
   * @param {PointerEvent} event
   * @param {boolean} cancelled
   */
  #up(event, cancelled) {
    if (!this.pointers.delete(event.pointerId)) return;
    const { gesture } = this;
    if (gesture?.kind === "drag") {
      const box = this.host.getBoundingClientRect();
      const [x, y] = [event.clientX, event.clientY];
      const outside = x < box.left || x > box.right || y < box.top || y > box.bottom;
      this.#emit("drop", { ...this.toPhoto(x, y), event, cancelled, outside });
      this.gesture = null;
    } else if (gesture?.kind === "tap" && !cancelled && event.timeStamp - gesture.start < TAP_MS) {
      this.#tapped(event, gesture);
    }
    // After a pinch the finger that stays does nothing until it is lifted, so that the photo does not jump.
    if (this.pointers.size === 0) this.gesture = null;
    else if (this.pointers.size === 2) this.gesture = this.#pinch();
  }

  /**
   * @param {PointerEvent} event
   * @param {TapGesture} gesture
   */
  #tapped(event, gesture) {
    const last = this.lastTap;
    // When the finger was there, however late this is: a slow device makes no double tap of two taps.
    const now = event.timeStamp;
    const again =
      this.doubleTapZooms &&
      last &&
      now - last.at < DOUBLE_TAP_MS &&
      Math.hypot(event.clientX - last.x, event.clientY - last.y) < 30;
    this.lastTap = again ? null : { at: now, x: event.clientX, y: event.clientY };
    if (again) {
      const near = this.scale > this.#leastScale() * 1.6;
      if (near) this.fit();
      else this.zoomBy(3, { x: event.clientX, y: event.clientY });
      return;
    }
    this.#emit("tap", { ...this.toPhoto(event.clientX, event.clientY), target: gesture.target, event });
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 20 : 1;
    this.zoomBy(Math.exp((-event.deltaY * lines) / 400), { x: event.clientX, y: event.clientY });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.target !== this.host || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = 60;
    /** @type {Record<string, [number, number] | undefined>} */
    const moves = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    const move = moves[event.key];
    if (event.shiftKey && move) this.panBy(...move);
    else if (event.key === "+" || event.key === "=") this.zoomBy(1.4);
    else if (event.key === "-") this.zoomBy(1 / 1.4);
    else if (event.key === "0") this.fit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
