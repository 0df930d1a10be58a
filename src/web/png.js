// SPDX-License-Identifier: MIT
//
// png.js - reads and writes PNG without changing samples. Browsers convert colours, multiply by alpha and round to 8
// bits when they decode, but a mask can equal that of the command line bit for bit only with the samples of the file.
//
// A picture is {width, height, channels, depth, pixels, icc}: channels 1 grey, 2 grey + alpha, 3 RGB, 4 RGBA; depth 8
// or 16; `pixels` packed bytes, 16-bit samples in the byte order of WebAssembly (the low byte first). A picture read
// from a palette also has its colours, `entries`; one that is written with `colors` has indices of these as pixels.

const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];
const SAMPLES = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}; // by colour type
const DEPTHS = {0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16]};
// The passes of Adam7: first column, first row, and steps.
const PASSES = [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]];

export function isPng(bytes) {
  return SIGNATURE.every((value, i) => bytes[i] === value);
}

export async function through(stream, parts) {
  return new Uint8Array(await new Response(new Blob(parts).stream().pipeThrough(stream)).arrayBuffer());
}

// ---- reading ----

function readChunks(file) {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const found = {data: []};
  for (let at = 8; at + 12 <= file.length;) {
    const length = view.getUint32(at), type = String.fromCharCode(...file.subarray(at + 4, at + 8));
    const body = file.subarray(at + 8, at + 8 + length);
    if (at + 12 + length > file.length)
      throw new Error('is cut short, the file ends within the picture; save or copy it again');
    if (type !== 'IDAT' && crc(file.subarray(at + 4, at + 8 + length)) !== view.getUint32(at + 8 + length))
      throw new Error('is a damaged PNG; save or copy it again');
    if (type === 'IDAT') found.data.push(body);
    else if (type === 'IEND') return found;
    else if (!(type in found)) found[type] = body;
    at += 12 + length;
  }
  return found; // the end mark is missing, but all pixels may be there
}

function readHeader(chunk) {
  if (!chunk || chunk.length !== 13) throw new Error('is a damaged PNG (no header); save or copy it again');
  const view = new DataView(chunk.buffer, chunk.byteOffset, 13);
  const head = {width: view.getUint32(0), height: view.getUint32(4), bits: chunk[8], type: chunk[9],
                interlaced: chunk[12]};
  if (!(head.type in SAMPLES) || !DEPTHS[head.type].includes(head.bits) || !head.width || !head.height ||
      chunk[10] || chunk[11] || head.interlaced > 1 || head.width > 65536 || head.height > 65536 ||
      head.width * head.height > 2 ** 28)
    throw new Error('is a PNG of a kind or size that is not read here');
  return head;
}

// Undoes the filter of one row in place. `above` is the previous row, or null; `step` is the distance of neighbours in
// bytes.
function unfilter(kind, row, above, step) {
  const n = row.length;
  if (kind === 1) for (let i = step; i < n; i++) row[i] += row[i - step];
  else if (kind === 2 && above) for (let i = 0; i < n; i++) row[i] += above[i];
  else if (kind === 3)
    for (let i = 0; i < n; i++) row[i] += ((i < step ? 0 : row[i - step]) + (above ? above[i] : 0)) >> 1;
  else if (kind === 4) {
    for (let i = 0; i < n; i++) {
      const a = i < step ? 0 : row[i - step], b = above ? above[i] : 0, c = i < step || !above ? 0 : above[i - step];
      const p = b - c, q = a - c, pa = Math.abs(p), pb = Math.abs(q), pc = Math.abs(p + q);
      row[i] += pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
    }
  } else if (kind > 4) throw new Error('is a damaged PNG; save or copy it again');
}

// Calls take(row, x0, y, dx) for the unfiltered bytes of each row of each pass.
function eachRow(head, raw, take) {
  const samples = SAMPLES[head.type], step = Math.max(1, samples * head.bits >> 3);
  let at = 0;
  for (const [x0, y0, dx, dy] of head.interlaced ? PASSES : [[0, 0, 1, 1]]) {
    const width = Math.ceil((head.width - x0) / dx);
    if (width <= 0) continue;
    const length = Math.ceil(width * samples * head.bits / 8);
    let above = null;
    for (let y = y0; y < head.height; y += dy) {
      if (at + 1 + length > raw.length) throw new Error('is cut short; save or copy it again');
      const row = raw.subarray(at + 1, at + 1 + length);
      unfilter(raw[at], row, above, step);
      take(row, x0, y, dx, width);
      above = row;
      at += 1 + length;
    }
  }
}

// Prepares the conversion of samples: a table of palette entries, or a scaling to 8 bits.
function readPalette(chunks) {
  const colors = chunks.PLTE, alpha = chunks.tRNS ?? [];
  if (!colors) throw new Error('is a damaged PNG (no palette); save or copy it again');
  const entries = [];
  for (let i = 0; i < colors.length / 3; i++)
    entries.push([colors[3 * i], colors[3 * i + 1], colors[3 * i + 2], alpha[i] ?? 255]);
  const grey = entries.every(([r, g, b]) => r === g && g === b), opaque = entries.every(entry => entry[3] === 255);
  return {channels: (grey ? 1 : 3) + (opaque ? 0 : 1),
          entries: entries.map(e => grey ? (opaque ? [e[0]] : [e[0], e[3]]) : opaque ? e.slice(0, 3) : e)};
}

function sampleAt(row, bits, i) {
  if (bits === 8) return row[i];
  if (bits === 16) return row[2 * i] << 8 | row[2 * i + 1];
  const per = 8 / bits;
  return row[Math.floor(i / per)] >> (8 - bits * (i % per + 1)) & (1 << bits) - 1;
}

function keyOf(head, chunk) { // the transparent colour, as samples of the file
  if (!chunk || head.type > 2) return null;
  return Array.from({length: SAMPLES[head.type]}, (_, c) => chunk[2 * c] << 8 | chunk[2 * c + 1]);
}

function takeRows(head, raw, picture, palette, key) {
  const samples = SAMPLES[head.type], {bits} = head, channels = picture.channels;
  const wide = bits === 16, scale = bits < 8 && !palette ? 255 / ((1 << bits) - 1) : 1;
  const out = wide ? new Uint16Array(picture.pixels.buffer) : picture.pixels;
  eachRow(head, raw, (row, x0, y, dx, width) => {
    let to = (y * head.width + x0) * channels;
    if (bits === 8 && !palette && !key && dx === 1) return void out.set(row, to);
    for (let x = 0; x < width; x++, to += dx * channels) {
      if (palette) {
        const entry = palette.entries[sampleAt(row, bits, x)];
        if (!entry) throw new Error("is a damaged PNG: a pixel's colour is not in the palette");
        for (let c = 0; c < channels; c++) out[to + c] = entry[c];
        continue;
      }
      let same = key !== null;
      for (let c = 0; c < samples; c++) {
        const value = sampleAt(row, bits, x * samples + c);
        same = same && value === key[c];
        out[to + c] = value * scale;
      }
      if (key) out[to + samples] = same ? 0 : wide ? 65535 : 255;
    }
  });
}

export async function decodePng(file) {
  const chunks = readChunks(file), head = readHeader(chunks.IHDR);
  const palette = head.type === 3 ? readPalette(chunks) : null, key = keyOf(head, chunks.tRNS);
  const raw = await through(new DecompressionStream('deflate'), chunks.data).catch(() => {
    throw new Error('is a damaged PNG; save or copy it again');
  });
  const picture = {width: head.width, height: head.height, depth: head.bits === 16 ? 16 : 8,
                   channels: palette ? palette.channels : SAMPLES[head.type] + (key ? 1 : 0)};
  picture.pixels = new Uint8Array(picture.width * picture.height * picture.channels * picture.depth / 8);
  takeRows(head, raw, picture, palette, key);
  if (palette) picture.entries = palette.entries;
  if (chunks.iCCP) picture.icc = chunks.iCCP; // kept unchanged, to be written again
  return turnUpright(picture, chunks.eXIf ? orientationOf(chunks.eXIf) : 1);
}

// ---- which way up ----

// Returns the orientation, 1 to 8, of EXIF data, which may begin with "Exif\0\0"; 1 if there is none.
export function orientationOf(exif) {
  const at = exif[0] === 0x45 && exif[1] === 0x78 ? 6 : 0;
  const view = new DataView(exif.buffer, exif.byteOffset + at, exif.byteLength - at);
  try {
    const little = view.getUint16(0) === 0x4949;
    if ((!little && view.getUint16(0) !== 0x4d4d) || view.getUint16(2, little) !== 42) return 1;
    const first = view.getUint32(4, little);
    for (let i = 0; i < view.getUint16(first, little); i++) {
      const entry = first + 2 + 12 * i;
      if (view.getUint16(entry, little) !== 0x112) continue;
      const value = view.getUint16(entry + 8, little);
      return view.getUint16(entry + 2, little) === 3 && value >= 1 && value <= 8 ? value : 1;
    }
  } catch { /* the EXIF data end too early */ }
  return 1;
}

export function turnUpright(picture, orientation) {
  if (orientation === 1) return picture;
  const {width, height} = picture, size = picture.channels * picture.depth / 8, swap = orientation > 4;
  const flipX = [2, 3, 7, 8].includes(orientation), flipY = [3, 4, 6, 7].includes(orientation);
  const to = new Uint8Array(picture.pixels.length), w = swap ? height : width, h = swap ? width : height;
  for (let y = 0, at = 0; y < h; y++)
    for (let x = 0; x < w; x++) {
      const sx = swap ? y : x, sy = swap ? x : y;
      const from = ((flipY ? height - 1 - sy : sy) * width + (flipX ? width - 1 - sx : sx)) * size;
      for (let i = 0; i < size; i++) to[at++] = picture.pixels[from + i];
    }
  return {...picture, width: w, height: h, pixels: to};
}

// ---- writing ----

const CRC_TABLE = Uint32Array.from({length: 256}, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ n >>> 1 : n >>> 1;
  return n;
});

function crc(bytes) {
  let c = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) c = CRC_TABLE[(c ^ bytes[i]) & 255] ^ c >>> 8;
  return (c ^ 0xffffffff) >>> 0;
}

function chunk(type, body) {
  const out = new Uint8Array(body.length + 12), view = new DataView(out.buffer);
  view.setUint32(0, body.length);
  for (let i = 0; i < 4; i++) out[4 + i] = type.charCodeAt(i);
  out.set(body, 8);
  view.setUint32(8 + body.length, crc(out.subarray(4, 8 + body.length)));
  return out;
}

// Makes the `icc` of a picture from a profile's bytes in pieces. A profile for other colours than the pixels', such as
// that of a CMYK photo, is dropped.
export async function packProfile(pieces, channels) {
  const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer());
  if (String.fromCharCode(...bytes.subarray(16, 20)) !== (channels > 2 ? 'RGB ' : 'GRAY')) return undefined;
  const packed = await through(new CompressionStream('deflate'), [bytes]), name = [105, 99, 99, 0, 0];
  return Uint8Array.from([...name, ...packed]);
}

// Returns the bytes of a PNG file. Rows are filtered by the row above, which suits masks and is fair for photos.
export async function encodePng({width, height, channels, depth, pixels, icc, colors}) {
  const bytes = width * channels * depth / 8, raw = new Uint8Array((bytes + 1) * height);
  for (let y = 0; y < height; y++) {
    const to = y * (bytes + 1) + 1, from = y * bytes;
    raw[to - 1] = y ? 2 : 0;
    for (let i = 0; i < bytes; i++) {
      const j = depth === 16 ? i ^ 1 : i; // files store the high byte first
      raw[to + i] = y ? pixels[from + j] - pixels[from + j - bytes] : pixels[from + j];
    }
  }
  const head = new Uint8Array(13), view = new DataView(head.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  head[8] = depth;
  head[9] = colors ? 3 : [0, 0, 4, 2, 6][channels];
  const data = await through(new CompressionStream('deflate'), [raw]);
  const parts = [Uint8Array.from(SIGNATURE), chunk('IHDR', head)];
  if (icc) parts.push(chunk('iCCP', icc));
  if (colors) parts.push(chunk('PLTE', Uint8Array.from(colors.flat())));
  parts.push(chunk('IDAT', data), chunk('IEND', new Uint8Array(0)));
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
