// Which square of a photo is shown. Pure.

/** How much larger than needed the photo may be drawn. */
export const mostZoom = 4;

/**
 * The part of a photo that is shown: its middle, from 0 to 1 in both directions, and how much larger than needed it is drawn.
 * @typedef {{x: number, y: number, zoom: number}} Part
 */

/**
 * The square of a part in the photo's own pixels, moved so that it is inside of the photo.
 * @param {number} width @param {number} height @param {Part} part
 * @returns {{left: number, top: number, size: number, part: Part}}
 */
export function squareOf(width, height, { x, y, zoom }) {
  const kept = Math.min(mostZoom, Math.max(1, zoom));
  const size = Math.min(width, height) / kept;
  const left = Math.min(width - size, Math.max(0, x * width - size / 2));
  const top = Math.min(height - size, Math.max(0, y * height - size / 2));
  return { left, top, size, part: { x: (left + size / 2) / width, y: (top + size / 2) / height, zoom: kept } };
}
