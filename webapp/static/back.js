// Back closes what lies over a page (a dialog, an editor, a list) before it leaves the page.
//
// What is opened gets an entry of the browser's history of its own. Closed otherwise, it leaves that entry behind: the
// next thing that is opened takes it, and Back passes over it.

/** What is open, the outermost first: how to close it. @type {(() => void)[]} */
const open = [];

/** How many things the entry at which the page stands was made for. */
let depth = depthOf(history.state) ?? 0;

/**
 * @param {unknown} state
 * @returns {number | null} null for an entry of somebody else, as a link within the page makes one
 */
function depthOf(state) {
  const known = state !== null && typeof state === "object" && "open" in state;
  return known ? Number(state.open) : null;
}

/**
 * Something has been opened, which Back closes by `close`.
 * @param {() => void} close
 * @returns {() => void} to be called when it has been closed, by Back or otherwise
 */
export function opened(close) {
  open.push(close);
  if (open.length > depth) {
    if (depthOf(history.state) === null) history.replaceState({ open: 0 }, "");
    depth = open.length;
    history.pushState({ open: depth }, "");
  }
  return () => {
    const at = open.lastIndexOf(close);
    if (at >= 0) open.splice(at, 1);
  };
}

addEventListener("popstate", (event) => {
  const before = depth;
  const own = depthOf(event.state);
  depth = own ?? 0;
  if (own === null || own >= before) return;
  const closing = open.splice(depth);
  if (closing.length) closing.reverse().forEach((close) => close());
  else history.back();
});

/** Dialogs that are open. @type {WeakSet<HTMLDialogElement>} */
const watched = new WeakSet();
new MutationObserver((changes) => {
  for (const { target } of changes) {
    if (!(target instanceof HTMLDialogElement) || !target.open || watched.has(target)) continue;
    const closed = opened(() => target.close());
    watched.add(target);
    const over = () => {
      watched.delete(target);
      closed();
    };
    target.addEventListener("close", over, { once: true });
  }
}).observe(document, { subtree: true, attributes: true, attributeFilter: ["open"] });
