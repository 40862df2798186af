// Sharing a ruling: the device's own share sheet where there is one, the link to copy, paper.

import { t, toast } from "../app.js";
import { drawn } from "../picture.js";

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

const picture = document.querySelector(".ruling-picture img");
const again = async () => {
  try {
    await drawn(picture.src);
    picture.src = `${picture.src}&again`;
  } catch (error) {
    toast(error.message, { kind: "bad" });
  }
};
picture?.addEventListener("error", again, { once: true });
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
