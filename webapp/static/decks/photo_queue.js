// A box's photos on their way: sent one after the other, then asked about until the server has looked at all.

import { messageOf, t, toast } from "../app.js";
import { byId } from "../elements.js";
import { watch } from "../watch.js";

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
    this.looking = watch(ask, { every: LOOK_MS, onAnswer: show });
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
    if (waiting) this.looking.soon();
    else this.looking.stop();
  }

  async look() {
    try {
      this.show(await this.ask());
    } catch {
      this.looking.soon();
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
