// Choosing the square of a photo that stands for a person or a group. It is cut here: the node gets no more than what is shown.

import { dialog } from "./dialogs.js";
import { h } from "./dom.js";
import { mostZoom, squareOf } from "./square.js";
import * as words from "./words.js";

/** Pixels of the side of what is made: enough for the largest place where it is shown. */
const side = 512;

/**
 * Asks for the square of a photo.
 * @param {File} file
 * @returns {Promise<File | undefined>} the square as a photo of its own; undefined when it was dismissed
 * @throws where the file is no photo that the browser can read
 */
export async function crop(file) {
  const photo = await createImageBitmap(file);
  try {
    const made = await dialog("Choose the part to show", (close) => content(photo, async (part) => close(await cut(photo, part, file))));
    return /** @type {File | undefined} */ (made);
  } finally {
    photo.close();
  }
}

/** @param {ImageBitmap} photo @param {(part: import("./square.js").Part) => Promise<void>} done */
function content(photo, done) {
  const canvas = h("canvas", {
    width: "576",
    height: "576",
    tabindex: "0",
    role: "application",
    "aria-label": "The part of the photo that is shown",
    "aria-describedby": "crop-keys crop-place",
    class: "crop-stage",
  });
  const zoom = h("input", { type: "range", min: "100", max: String(mostZoom * 100), value: "100", "aria-label": "Zoom", on: { input: () => show({ ...part, zoom: Number(zoom.value) / 100 }) } });
  const place = h("p", { id: "crop-place", class: "visually-hidden", role: "status" });
  const problem = h("p", { class: "error-text", role: "alert", hidden: true }, "This browser could not cut the photo. Try a smaller one.");
  const use = h("button", { type: "button", class: "primary", on: { click: () => void finish() } }, "Use this part");
  /** @type {import("./square.js").Part} */
  let part = { x: 0.5, y: 0.5, zoom: 1 };

  /** @param {import("./square.js").Part} wanted */
  function show(wanted) {
    const square = squareOf(photo.width, photo.height, wanted);
    part = square.part;
    zoom.value = String(Math.round(part.zoom * 100));
    const context = canvas.getContext("2d");
    // A picture that one sees through would be drawn over what was there before.
    context?.clearRect(0, 0, canvas.width, canvas.height);
    context?.drawImage(photo, square.left, square.top, square.size, square.size, 0, 0, canvas.width, canvas.height);
    place.textContent = `Zoom ${zoom.value} %, middle at ${Math.round(part.x * 100)} % from the left and ${Math.round(part.y * 100)} % from the top`;
  }

  /** Moves what is shown by a share of the stage. @param {number} across @param {number} down */
  function move(across, down) {
    const { size } = squareOf(photo.width, photo.height, part);
    show({ ...part, x: part.x + across * size / photo.width, y: part.y + down * size / photo.height });
  }

  async function finish() {
    use.disabled = true;
    problem.hidden = true;
    try {
      await done(part);
    } catch {
      use.disabled = false;
      problem.hidden = false;
    }
  }

  canvas.addEventListener("keydown", (event) => {
    const step = event.shiftKey ? 0.2 : 0.04;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => move(-step, 0),
      ArrowRight: () => move(step, 0),
      ArrowUp: () => move(0, -step),
      ArrowDown: () => move(0, step),
      "+": () => show({ ...part, zoom: part.zoom * 1.1 }),
      "-": () => show({ ...part, zoom: part.zoom / 1.1 }),
      Enter: () => void finish(),
    };
    if (event.ctrlKey || event.altKey || event.metaKey || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  });
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true });
  });
  canvas.addEventListener("pointermove", (event) => {
    if (canvas.hasPointerCapture(event.pointerId)) move(-event.movementX / canvas.clientWidth, -event.movementY / canvas.clientHeight);
  });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    show({ ...part, zoom: part.zoom * (event.deltaY < 0 ? 1.08 : 1 / 1.08) });
  }, { passive: false });
  show(part);
  return {
    content: [
      h("div", { class: "crop" }, canvas),
      h("label", { class: "field" }, h("span", null, "Zoom"), zoom),
      h("p", { class: "note", id: "crop-keys" }, "Drag the photo, or move it with the arrow keys; plus and minus zoom."),
      place,
      problem,
    ],
    footer: use,
    focus: canvas,
  };
}

/** @param {ImageBitmap} photo @param {import("./square.js").Part} part @param {File} file */
async function cut(photo, part, file) {
  const { left, top, size } = squareOf(photo.width, photo.height, part);
  const canvas = h("canvas");
  canvas.width = canvas.height = Math.max(1, Math.min(side, Math.round(size)));
  canvas.getContext("2d")?.drawImage(photo, left, top, size, size, 0, 0, canvas.width, canvas.height);
  const kind = file.type === "image/png" ? "image/png" : "image/jpeg";
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, kind, 0.9));
  // A browser without memory for it gives nothing.
  if (!blob) throw new Error("the canvas gave no photo");
  const name = `${words.cut(file.name.replace(/\.[^.]*$/u, ""), 60)}.${kind === "image/png" ? "png" : "jpg"}`;
  return new File([/** @type {Blob} */ (blob)], name, { type: kind });
}
