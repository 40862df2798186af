// A tap on a button before the page's scripts are there counts once they are: people tap as soon as they see it.
// This script is no module, so that it is there before them; they have all run at DOMContentLoaded.
{
  /** What was tapped; tapped again because nothing happened, it counts once. @type {Set<HTMLButtonElement>} */
  const tapped = new Set();
  /** @param {MouseEvent} event */
  const keep = ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    // The others do by themselves what they are for.
    if (button && (button.type === "button" || !button.form)) tapped.add(button);
  };
  const make = () => {
    removeEventListener("click", keep, true);
    for (const button of tapped) if (button.isConnected) button.click();
    tapped.clear();
  };
  if (document.readyState !== "complete") {
    addEventListener("click", keep, true);
    for (const ready of ["DOMContentLoaded", "load"]) addEventListener(ready, make, { once: true });
  }
}
