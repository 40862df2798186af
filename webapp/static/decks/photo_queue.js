// A box's photos on their way: sent one after the other, then asked about until the server has looked at all.

import { messageOf, t, toast } from "../app.js";
import { byId } from "../elements.js";

const LOOK_MS = 1500;

/**
 * @template {{ waiting: number }} View
 */
export class PhotoQueue {
  /**
   * @param {{ status: string, progress: string }} ids where it is told how far they are
   * @param {() => Promise<View>} ask how the box stands
   * @param {(view: View) => void} show draws it, and has `tell` told
   */
  constructor(ids, ask, show) {
    this.ids = ids;
    this.ask = ask;
    this.show = show;
    /** Photos that are still to be sent. @type {File[]} */
    this.sending = [];
    /** @type {View | null} */
    this.last = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.looking = undefined;
  }

  /**
   * Say how far the photos are, and look again while some wait.
   * @param {View} view
   */
  tell(view) {
    this.last = view;
    const { waiting } = view;
    const sending = this.sending.length;
    const words = [
      sending ? t("Sending: %(count)s", { count: sending }) : "",
      waiting ? t("Being checked: %(count)s", { count: waiting }) : "",
    ];
    byId(this.ids.status).textContent = words.filter(Boolean).join(" · ");
    byId(this.ids.progress, HTMLProgressElement).hidden = !waiting && !sending;
    clearTimeout(this.looking);
    if (waiting) this.looking = setTimeout(() => this.look(), LOOK_MS);
  }

  async look() {
    try {
      this.show(await this.ask());
    } catch {
      clearTimeout(this.looking);
      this.looking = setTimeout(() => this.look(), 4 * LOOK_MS);
    }
  }

  /**
   * @param {File[]} files
   * @param {(body: FormData) => Promise<View>} post
   */
  async send(files, post) {
    this.sending = [...this.sending, ...files];
    for (const file of files) {
      if (this.last) this.tell(this.last);
      const body = new FormData();
      body.append("photo", file);
      try {
        this.show(await post(body));
      } catch (error) {
        const run = () => this.send([file], post);
        toast(`${file.name}: ${messageOf(error)}`, {
          kind: "bad",
          action: { label: t("Send it again"), run },
        });
      }
      this.sending = this.sending.filter((each) => each !== file);
    }
    if (this.last) this.tell(this.last);
  }
}
