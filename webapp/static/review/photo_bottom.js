// Where a photo stays at the top while the sheet below it moves: how far down it reaches.

/**
 * Down to where (CSS px) the photo covers the sheet; 0 where it is beside it, or goes along. Style sheets know it as
 * --photo-bottom.
 * @param {HTMLElement} stage
 * @param {HTMLElement} sheet
 * @returns {number}
 */
export function photoBottom(stage, sheet) {
  const [photo, below] = [stage, sheet].map((each) => each.getBoundingClientRect());
  const over = getComputedStyle(stage).position === "sticky" && photo.right > below.left;
  const bottom = over ? photo.height : 0;
  sheet.style.setProperty("--photo-bottom", `${Math.round(bottom)}px`);
  return bottom;
}
