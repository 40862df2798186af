// The page about the table's certificate: it goes on by itself as soon as this device trusts the table.

import { byId } from "./elements.js";
import { t } from "./messages.js";

const AGAIN_MS = 2000;

const { probe = "", onward = "" } = byId("trust").dataset;

/** A browser that does not trust the certificate answers nothing at all. */
async function isTrusted() {
  try {
    await fetch(probe, { mode: "no-cors", cache: "no-store" });
    return true;
  } catch {
    return false;
  }
}

async function check() {
  if (!document.hidden && (await isTrusted())) {
    byId("trust-status").textContent = t("It works: this phone trusts the table. Going on …");
    location.replace(onward);
  } else {
    setTimeout(check, AGAIN_MS);
  }
}

check();
