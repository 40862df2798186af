// Sharing a ruling: the device's own share sheet where there is one, the link to copy, paper.

import { t, tell, toast } from "../app.js";
import { byId, may, must } from "../elements.js";
import { drawn } from "../picture.js";

const box = byId("share");
const link = byId("share-link", HTMLInputElement);
// A link says what it shares, so that it is another one after a correction.
const address = () => box.dataset.address ?? "";

const share = must(box, "[data-share]");
if ("share" in navigator) {
  share.hidden = false;
  share.addEventListener("click", async () => {
    try {
      await navigator.share({ title: `${t("Ruling")} · Waymark`, url: address() });
    } catch (error) {
      if (!(error instanceof Error) || error.name !== "AbortError") await copy();
    }
  });
}
must(box, "[data-copy]").addEventListener("click", copy);
may(box, "[data-print]")?.addEventListener("click", () => window.print());
link.addEventListener("focus", () => link.select());

const picture = may(document, ".ruling-picture img", HTMLImageElement);
const again = async () => {
  if (!picture) return;
  try {
    await drawn(picture.src);
    picture.src = `${picture.src}&again`;
  } catch (error) {
    tell(error);
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
  toast(t("The link is copied."));
}
