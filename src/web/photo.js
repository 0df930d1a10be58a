// SPDX-License-Identifier: MIT
//
// photo.js - decodes files: PNG by png.js, other formats by the browser, whose result may differ a little from the
// program's. `decoded` tells the user so; the user can save the pixels as PNG and use that.
import {decodePng, isPng, packProfile} from './png.js';

// Yields [kind, body] of the parts of a JPEG before its samples, and of a WebP.
function* partsOf(bytes) {
  const view = new DataView(bytes.buffer);
  const name = at => String.fromCharCode(...bytes.subarray(at, at + 4));
  if (bytes[0] === 0xff && bytes[1] === 0xd8)
    for (let at = 2, size; at + 9 < bytes.length && bytes[at] === 0xff && bytes[at + 1] !== 0xda; at += 2 + size) {
      size = view.getUint16(at + 2);
      yield [bytes[at + 1], bytes.subarray(at + 4, at + 2 + size)];
    }
  else if (name(0) === 'RIFF' && name(8) === 'WEBP')
    for (let at = 12, size; at + 8 <= bytes.length; at += 8 + size + size % 2) {
      size = view.getUint32(at + 4, true);
      yield [name(at), bytes.subarray(at + 8, at + 8 + size)];
    }
}

// Returns whether the file is a grey JPEG, and the bytes of its colour profile in pieces.
function described(bytes) {
  const profile = [];
  let grey = false;
  for (const [kind, body] of partsOf(bytes)) {
    if (kind === 'ICCP') profile.push(body);
    if (kind === 0xe2 && String.fromCharCode(...body.subarray(0, 11)) === 'ICC_PROFILE')
      profile[body[12]] = body.subarray(14);
    if (kind >= 0xc0 && kind <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(kind)) grey = body[5] === 1;
  }
  return {grey, profile: profile.filter(Boolean)};
}

// Returns the samples of a canvas without needless channels: alpha if opaque, colours if grey.
export function compact(rgba, area, grey) {
  let opaque = true;
  for (let p = 3; opaque && p < rgba.length; p += 4) opaque = rgba[p] === 255;
  const channels = (grey ? 1 : 3) + (opaque ? 0 : 1);
  const pixels = new Uint8Array(area * channels);
  for (let p = 0, to = 0; p < area; p++) {
    for (let c = 0; c < (grey ? 1 : 3); c++) pixels[to++] = rgba[4 * p + c];
    if (!opaque) pixels[to++] = rgba[4 * p + 3];
  }
  return {channels, pixels};
}

async function decodeByBrowser(bytes, type) {
  let bitmap;
  try {
    bitmap = await createImageBitmap(new Blob([bytes], {type}),
      {colorSpaceConversion: 'none', premultiplyAlpha: 'none', imageOrientation: 'from-image'});
  } catch {
    throw new Error(bytes.length ? 'is no picture that this browser can read; a PNG or JPEG would do' : 'is empty');
  }
  const {width, height} = bitmap;
  const context = new OffscreenCanvas(width, height).getContext('2d', {willReadFrequently: true});
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  const rgba = context.getImageData(0, 0, width, height).data;
  const {grey, profile} = described(bytes), picture = compact(rgba, width * height, grey);
  return {width, height, depth: 8, ...picture, icc: await packProfile(profile, picture.channels), decoded: true};
}

// Reads a picture. Throws an Error whose message follows the file's name: "is a damaged PNG; ...".
export async function readPicture(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return isPng(bytes) ? decodePng(bytes) : decodeByBrowser(bytes, file.type);
}

// Converts a picture to eight-bit RGBA for a canvas.
export function toImageData({width, height, channels, depth, pixels}) {
  const data = new ImageData(width, height), out = data.data, area = width * height;
  const step = depth / 8, high = step - 1, colors = channels > 2 ? 3 : 1, alpha = channels % 2 === 0;
  for (let p = 0; p < area; p++) {
    const from = p * channels * step + high;
    out[4 * p] = pixels[from];
    out[4 * p + 1] = pixels[from + (colors > 1 ? step : 0)];
    out[4 * p + 2] = pixels[from + (colors > 1 ? 2 * step : 0)];
    out[4 * p + 3] = alpha ? pixels[from + (channels - 1) * step] : 255;
  }
  return data;
}

// Returns the part of a picture within a rectangle.
export function cropped(picture, {x, y, width, height}) {
  const size = picture.channels * picture.depth / 8, pixels = new Uint8Array(width * height * size);
  for (let row = 0; row < height; row++) {
    const from = ((y + row) * picture.width + x) * size;
    pixels.set(picture.pixels.subarray(from, from + width * size), row * width * size);
  }
  return {...picture, width, height, pixels};
}
