// SPDX-License-Identifier: MIT
//
// looks.js - the ground behind the cutout when it is shown, saved and copied: nothing, a colour, another photo, or its
// own photo blurred. `edit` shows the photo with its background faded, and saves like `transparent`.

export const LOOKS = ['edit', 'transparent', 'colour', 'picture', 'blur'];

export const ground = {look: 'edit', colour: '#ffffff', blur: 6, picture: null}; // picture: an ImageBitmap

export const isOver = () => !['edit', 'transparent'].includes(ground.look);

// Fills the rectangle with an image without distorting it; parts that stick out are cropped.
function cover(context, image, x, y, w, h) {
  const scale = Math.max(w / image.width, h / image.height), width = w / scale, height = h / scale;
  context.drawImage(image, (image.width - width) / 2, (image.height - height) / 2, width, height, x, y, w, h);
}

function drawChecker(context, x, y, w, h) {
  const tile = new OffscreenCanvas(16, 16), t = tile.getContext('2d');
  t.fillStyle = '#cfd4d9';
  t.fillRect(0, 0, 16, 16);
  t.fillStyle = '#fff';
  t.fillRect(8, 0, 8, 8);
  t.fillRect(0, 8, 8, 8);
  context.fillStyle = context.createPattern(tile, 'repeat');
  context.fillRect(x, y, w, h);
}

// Draws the photo blurred. The object is left out first, because it would leave a halo around itself, and its
// surroundings are blurred into the gap. It is drawn small and enlarged, which every browser can do.
function drawBlurred(context, photo, object, x, y, w, h) {
  const side = Math.max(8, 160 / ground.blur), shrink = side / Math.max(photo.width, photo.height);
  const width = Math.max(2, Math.round(photo.width * shrink)), height = Math.max(2, Math.round(photo.height * shrink));
  const small = new OffscreenCanvas(width, height), s = small.getContext('2d');
  s.imageSmoothingQuality = 'high';
  s.drawImage(photo, 0, 0, width, height);
  if (object) {
    s.globalCompositeOperation = 'destination-out';
    s.drawImage(object, 0, 0, width, height);
    s.globalCompositeOperation = 'destination-over';
    for (let cell = 2; cell < 2 * side; cell *= 2) { // fills the gap with means over wider and wider surroundings
      const mean = new OffscreenCanvas(Math.ceil(width / cell), Math.ceil(height / cell));
      mean.getContext('2d').drawImage(small, 0, 0, mean.width, mean.height);
      s.drawImage(mean, 0, 0, width, height);
    }
    s.drawImage(photo, 0, 0, width, height);
  }
  const middle = new OffscreenCanvas(4 * width, 4 * height), m = middle.getContext('2d');
  m.imageSmoothingQuality = context.imageSmoothingQuality = 'high';
  m.drawImage(small, 0, 0, middle.width, middle.height);
  const before = context.imageSmoothingEnabled;
  context.imageSmoothingEnabled = true;
  context.drawImage(middle, x, y, w, h);
  context.imageSmoothingEnabled = before;
}

// photo, object: ImageBitmaps; the object has transparency, and is null until it is made.
export function drawGround(context, photo, object, x, y, w, h) {
  if (ground.look === 'blur') return drawBlurred(context, photo, object, x, y, w, h);
  if (ground.look === 'picture' && ground.picture) return cover(context, ground.picture, x, y, w, h);
  if (ground.look !== 'colour') return drawChecker(context, x, y, w, h);
  context.fillStyle = ground.colour;
  context.fillRect(x, y, w, h);
}

// Returns the cutout over its ground, as a picture to save.
export async function composed(photo, cutout, icc) {
  const {width, height} = cutout, canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', {willReadFrequently: true}), object = await createImageBitmap(cutout);
  drawGround(context, photo, object, 0, 0, width, height);
  context.drawImage(object, 0, 0);
  const {data} = context.getImageData(0, 0, width, height), pixels = new Uint8Array(width * height * 3);
  for (let p = 0; p < width * height; p++)
    for (let c = 0; c < 3; c++) pixels[3 * p + c] = data[4 * p + c];
  return {width, height, channels: 3, depth: 8, pixels, icc};
}
