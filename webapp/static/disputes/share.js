// Sharing a ruling: the device's own share sheet where there is one, the link to copy, paper.

import { t, toast } from "../app.js";

const box = document.getElementById("share");
const link = document.getElementById("share-link");
// A link says what it shares, so that it is another one after a correction.
const address = () => box.dataset.address;

const share = box.querySelector("[data-share]");
if (navigator.share) {
  share.hidden = false;
  share.addEventListener("click", async () => {
    try {
      await navigator.share({ title: `${t("title")} · Waymark`, url: address() });
    } catch (error) {
      if (error.name !== "AbortError") await copy();
    }
  });
}
box.querySelector("[data-copy]").addEventListener("click", copy);
box.querySelector("[data-print]")?.addEventListener("click", () => window.print());
link.addEventListener("focus", () => link.select());

// The picture is drawn when it is asked for first; a busy server is asked again.
const picture = document.querySelector(".ruling-picture img");
let tries = 0;
const again = () => {
  tries += 1;
  if (tries < 10) setTimeout(() => { picture.src = `${picture.src.replace(/&try=\d+$/, "")}&try=${tries}`; }, 2000);
};
picture?.addEventListener("error", again);
if (picture?.complete && picture.naturalWidth === 0) again();

async function copy() {
  try {
    await navigator.clipboard.writeText(address());
  } catch {
    // Over plain http browsers lend no clipboard; what is selected can be copied all the same.
    link.select();
    document.execCommand("copy");
  }
  toast(t("copied"));
}
