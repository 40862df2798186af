// Import: the file goes to the server as it is; how far it has come is shown, then what came of it.
import { api, messageOf, newKey, t, tell } from "../app.js";
import { byId, field, must } from "../elements.js";
import { watch } from "../watch.js";

const FOLLOW_MS = 500;

const form = byId("import", HTMLFormElement);
const log = field(form, "log");
const progress = byId("import-progress");
const bar = must(progress, "progress", HTMLProgressElement);
const words = must(progress, "span");
const report = byId("import-report");

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const file = log.files?.[0];
  if (!file) return;
  const button = must(form, "button", HTMLButtonElement);
  button.disabled = true;
  report.replaceChildren();
  progress.hidden = false;
  send(file)
    .then(show)
    .catch((error) => {
      tellWrong(messageOf(error));
      tell(error);
    })
    .finally(() => {
      button.disabled = false;
      progress.hidden = true;
      form.reset();
    });
});

const named = () => (byId("log-name").textContent = log.files?.[0]?.name ?? "");
form.addEventListener("change", named);
form.addEventListener("reset", () => setTimeout(named));

/**
 * Send the zip; `fetch` tells nothing of how far an upload has come.
 * @param {File} file
 * @returns {Promise<Api.ImportReport>}
 */
function send(file) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const key = newKey();
    request.open("POST", `/api/v1/log?key=${key}`);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.setRequestHeader("Accept", "application/json");
    request.responseType = "json";
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      const percent = Math.round((100 * loaded) / (total || 1));
      bar.max = 100;
      bar.value = percent;
      words.textContent =
        percent < 100
          ? t("Sending the log: %(percent)s%%", { percent })
          : t("Importing; this can take a minute.");
      if (percent === 100) bar.removeAttribute("value");
    });
    request.upload.addEventListener("load", () => follow(key, request));
    request.addEventListener("load", () => {
      if (request.status === 200) resolve(request.response);
      else reject(new Error(request.response?.error?.message ?? t("The server does not answer; try again.")));
    });
    request.addEventListener("error", () => reject(new Error(t("The server does not answer; try again."))));
    request.send(file);
  });
}

/**
 * Tell how many photos are stored, until the import answers.
 * @param {string} key
 * @param {XMLHttpRequest} request
 */
function follow(key, request) {
  const following = watch(() => api("GET", `/log/progress?key=${key}`), {
    every: FOLLOW_MS,
    onAnswer: ({ running, photos, total }) => {
      if (running && photos < total) {
        bar.max = total;
        bar.value = photos;
        words.textContent = t("Importing photos: %(photos)s of %(total)s", { photos, total });
      } else if (running) {
        bar.removeAttribute("value");
        words.textContent = t("Importing; this can take a minute.");
      }
    },
  });
  request.addEventListener("loadend", following.stop);
  following.now();
}

/** @param {Api.ImportReport} result */
function show(result) {
  /** @param {Record<string, number>} counts */
  const sum = (counts) => Object.values(counts).reduce((all, count) => all + count, 0);
  const lines = [];
  const { added } = result;
  if (sum(added) + result.photos_added > 0) {
    const games = added.game ?? 0;
    lines.push(
      t("Done. New: %(games)s games, %(tableaus)s tableaus, %(photos)s photos.", {
        games,
        tableaus: added.tableau ?? 0,
        photos: result.photos_added,
      }),
    );
  }
  if (sum(result.updated))
    lines.push(
      t("%(number)s entries were newer in the file and were imported; the old ones are in the journal.", {
        number: sum(result.updated),
      }),
    );
  if (!lines.length) lines.push(t("Everything in the file was here already."));
  if (sum(result.kept))
    lines.push(
      t("%(number)s entries differ but are newer here, so they were kept.", { number: sum(result.kept) }),
    );
  if (result.photos_missing)
    lines.push(t("%(number)s photos were not in the file.", { number: result.photos_missing }));
  const names = result.namesakes.join(t(", "));
  if (names) lines.push(t("These names now appear twice; merge them under Players: %(names)s", { names }));
  report.replaceChildren(...lines.map((line) => paragraph(line, "")));
}

/** @param {string} message */
function tellWrong(message) {
  report.replaceChildren(paragraph(message, "error"));
}

/**
 * @param {string} text
 * @param {string} kind
 */
function paragraph(text, kind) {
  const line = document.createElement("p");
  line.textContent = text;
  line.className = kind;
  return line;
}
