// The path replayed: slider, play and pause, step buttons, arrow keys. Steps that are only walked pass quickly.

import { t } from "../app.js";
import { closest, must } from "../elements.js";
import { setIcon } from "./dom.js";

const TOLD_MS = 1400;
const WALKED_MS = 160;

export class Replay {
  /**
   * `box` is the bar; `onStep(number)` is told each step, counted from 1.
   * @param {HTMLElement} box
   * @param {(step: number) => void} onStep
   */
  constructor(box, onStep) {
    this.box = box;
    this.onStep = onStep;
    /** @type {Api.ReviewStep[]} */
    this.steps = [];
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.at = 0;
    this.slider = must(box, "input", HTMLInputElement);
    this.output = must(box, "output");
    this.playButton = must(box, "[data-replay=play]");
    this.slider.addEventListener("input", () => {
      this.pause();
      this.show(Number(this.slider.value));
    });
    must(box, "[data-replay=back]").addEventListener("click", () => this.step(-1));
    must(box, "[data-replay=on]").addEventListener("click", () => this.step(1));
    this.playButton.addEventListener("click", () => (this.timer ? this.pause() : this.play()));
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /**
   * Take the steps of a reading; the whole path is shown at first.
   * @param {Api.ReviewStep[]} steps
   */
  load(steps) {
    this.pause();
    const whole = this.at === 0 || this.at >= this.steps.length;
    this.steps = steps;
    // Steps that have no place in the photo are read as a list.
    this.box.hidden = steps.length < 2 || !steps.some((step) => step.at);
    this.slider.max = String(Math.max(1, steps.length));
    this.show(whole ? steps.length : Math.min(this.at, steps.length));
  }

  /** @param {number} number */
  show(number) {
    this.at = number;
    this.slider.value = String(number);
    const words = t("Step %(number)s of %(count)s", { number, count: this.steps.length });
    this.slider.setAttribute("aria-valuetext", words);
    this.output.textContent = `${number}/${this.steps.length}`;
    this.onStep(number);
  }

  /**
   * Go to the next or the last step that is worth telling.
   * @param {1 | -1} by
   */
  step(by) {
    this.pause();
    const last = this.steps.length;
    let number = this.at + by;
    while (number > 1 && number < last && !this.steps[number - 1].told) number += by;
    if (number >= 1 && number <= last) this.show(number);
  }

  play() {
    if (this.at >= this.steps.length) this.show(1);
    this.#label(true);
    const next = () => {
      if (this.at >= this.steps.length) {
        this.pause();
        return;
      }
      this.show(this.at + 1);
      this.timer = setTimeout(next, this.steps[this.at - 1].told ? TOLD_MS : WALKED_MS);
    };
    this.timer = setTimeout(next, WALKED_MS);
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.#label(false);
  }

  /** @param {boolean} playing */
  #label(playing) {
    this.playButton.setAttribute("aria-label", playing ? t("Pause") : t("Play the path"));
    setIcon(this.playButton, playing ? "pause" : "play");
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (
      this.box.hidden ||
      event.altKey ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      event.defaultPrevented
    )
      return;
    if (
      closest(
        event,
        "input, textarea, select, dialog, [contenteditable], [role=radiogroup], .editing",
        Element,
      )
    )
      return;
    if (event.key === "ArrowRight") this.step(1);
    else if (event.key === "ArrowLeft") this.step(-1);
    else if (event.key === "Home") this.show(1);
    else if (event.key === "End") this.show(this.steps.length);
    else return;
    event.preventDefault();
  }
}
