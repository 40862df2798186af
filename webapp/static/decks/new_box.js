// The form that makes a box: of a board game one side of a tile is asked, for tiles are square.

import { all, may, must } from "../elements.js";

const game = must(document, "select[name=game]", HTMLSelectElement);
const width = must(document, "input[name=width]", HTMLInputElement);
const height = must(document, "input[name=height]", HTMLInputElement);
const legend = must(document, ".card-size legend");
const ofCards = legend.textContent;
const cards = { width: width.value, height: height.value };

function show() {
  const tile = may(game, "option:checked")?.dataset.tile;
  legend.textContent = (tile ? legend.dataset.ofTiles : ofCards) ?? "";
  for (const part of all(document, "[data-of-cards]")) part.hidden = Boolean(tile);
  if (tile && width.value !== height.value) width.value = height.value = tile;
  if (!tile && width.value === height.value) ({ width: width.value, height: height.value } = cards);
}

game.addEventListener("change", show);
width.addEventListener("input", () => {
  if (may(game, "option:checked")?.dataset.tile) height.value = width.value;
});
show();
