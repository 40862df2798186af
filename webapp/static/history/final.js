// The end of a game: the picture is shared where the device can, else downloaded; finished and reopened.
import { api, t, tell, toast } from "../app.js";
import { mayFinish } from "../games/finish.js";

const game = document.querySelector("[data-game]").dataset.game;
const picture = document.getElementById("picture");
let failed = false;

/** Whether this device shares files (over https only). */
function sharesFiles() {
  const probe = new File([new Blob()], "waymark.png", { type: "image/png" });
  return Boolean(navigator.canShare?.({ files: [probe] }));
}

picture.addEventListener("click", async (event) => {
  if (failed || !sharesFiles()) return; // the link downloads
  event.preventDefault();
  try {
    const answer = await fetch(picture.href, { credentials: "same-origin" });
    if (!answer.ok) throw new Error(String(answer.status));
    const file = new File([await answer.blob()], "waymark-final.png", { type: "image/png" });
    await navigator.share({ files: [file], title: t("picture") });
  } catch (error) {
    if (error.name === "AbortError") return;
    failed = true;
    picture.click();
    toast(t("not_shared"));
  }
});

document.getElementById("print").addEventListener("click", () => print());

document.getElementById("finish").addEventListener("click", async (event) => {
  const finished = event.currentTarget.dataset.finished !== "true";
  try {
    if (finished && !(await mayFinish(game))) return;
    await api("PATCH", `/games/${game}`, { finished });
    toast(t(finished ? "finished" : "reopened"));
    setTimeout(() => location.reload(), 600);
  } catch (error) {
    tell(error);
  }
});
