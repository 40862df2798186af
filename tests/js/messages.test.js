// Sentences in the page's language: `webapp/static/messages.js`.
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";

const { t, thingName, tn } = await import("../../webapp/static/messages.js");

const JAPANESE = {
  plural: () => 0,
  sentences: {
    "Saved.": "保存しました。",
    "%(name)s: %(what)s": "%(what)s(%(name)s)",
    "%(num)s game": ["ゲーム %(num)s 件"],
  },
};
const POLISH = {
  plural: (n) => Number(n === 1 ? 0 : n < 5 ? 1 : 2),
  sentences: { "%(num)s game": ["%(num)s gra", "%(num)s gry", "%(num)s gier"] },
};

function inLanguage(messages, run) {
  globalThis.waymarkMessages = messages;
  try {
    run();
  } finally {
    delete globalThis.waymarkMessages;
  }
}

test("without sentences a page is English", () => {
  assert.equal(t("Saved."), "Saved.");
  assert.equal(t("%(name)s: %(what)s", { name: "Ada", what: "saved" }), "Ada: saved");
  assert.deepEqual(
    [0, 1, 2].map((number) => tn("%(num)s game", "%(num)s games", number)),
    ["0 games", "1 game", "2 games"],
  );
});

test("a page in another language says its sentences, and English where there is none", () => {
  inLanguage(JAPANESE, () => {
    assert.equal(t("Saved."), "保存しました。");
    assert.equal(t("Closed."), "Closed.");
    assert.equal(t("%(name)s: %(what)s", { name: "Ada", what: "x" }), "x(Ada)");
    assert.equal(tn("%(num)s game", "%(num)s games", 1), "ゲーム 1 件");
  });
});

test("a language says which form a number takes", () => {
  inLanguage(POLISH, () => {
    const forms = [1, 3, 7].map((number) => tn("%(num)s game", "%(num)s games", number));
    assert.deepEqual(forms, ["1 gra", "3 gry", "7 gier"]);
  });
});

test("a percent sign is doubled, and values are taken as they are", () => {
  assert.equal(t("%(percent)s%% sure", { percent: 40 }), "40% sure");
  assert.equal(
    t("%(name)s is 100%% %(what)s", { name: "%(what)s %%", what: "right" }),
    "%(what)s %% is 100% right",
  );
});

test("a thing without a name is called by its id", () => {
  assert.equal(thingName("coin"), "coin");
});
