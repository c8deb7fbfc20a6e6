// The square of a photo: always within it, and as large as the zoom says.

import assert from "node:assert/strict";
import { squareOf } from "../../../Sources/CPage/assets/square.js";

Deno.test("without a zoom it is the largest square, in the middle", () => {
  assert.deepEqual(squareOf(300, 100, { x: 0.5, y: 0.5, zoom: 1 }), { left: 100, top: 0, size: 100, part: { x: 0.5, y: 0.5, zoom: 1 } });
});

Deno.test("it stays within the photo, wherever it is moved", () => {
  for (const [x, y] of [[-1, -1], [0, 0], [1, 1], [9, 9], [0.2, 0.9]]) {
    for (const zoom of [0.1, 1, 2.5, 4, 100]) {
      const { left, top, size, part } = squareOf(640, 480, { x, y, zoom });
      assert.ok(left >= 0 && top >= 0 && left + size <= 640 && top + size <= 480, `${x}, ${y}, ${zoom}`);
      assert.ok(part.zoom >= 1 && part.zoom <= 4);
      // What it says of itself is what it shows: the next move begins there.
      assert.deepEqual(squareOf(640, 480, part), { left, top, size, part });
    }
  }
});
