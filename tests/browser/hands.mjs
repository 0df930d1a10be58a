// SPDX-License-Identifier: MIT
//
// hands.mjs - strokes that were painted by hand, in pixels of the photo: [tool, width of the brush, points]; and
// outlines of the objects as a person sees them.

export const hands = {
  // Six strokes for the cup, its saucer and spoon. The last two correct the result of the first four.
  coffee: [
    ['foreground', 10, [[190, 75], [230, 45], [290, 32], [350, 45], [388, 75], [395, 110], [370, 150], [300, 190],
      [230, 180], [190, 140], [185, 100], [215, 90], [270, 80], [345, 115], [240, 125]]],
    ['background', 10, [[20, 250], [50, 330], [110, 380], [190, 396], [350, 396], [440, 350], [495, 270], [490, 180],
      [440, 100], [440, 40], [300, 6], [180, 20], [130, 60], [60, 140], [20, 250]]],
    ['foreground', 10, [[160, 92], [120, 125], [93, 170], [85, 220], [93, 262], [118, 308], [160, 343], [220, 371],
      [290, 380], [360, 366], [420, 333], [454, 288], [470, 230], [459, 172], [437, 130]]],
    ['foreground', 10, [[205, 205], [215, 235], [240, 290], [330, 310], [352, 288], [372, 310], [394, 288], [380, 262],
      [390, 200], [360, 215], [290, 235], [240, 210]]],
    ['foreground', 6, [[408, 105], [416, 82], [410, 78]]],
    ['background', 6, [[440, 130], [425, 95]]],
  ],
  // The settings of the panel for these strokes.
  options: ['--keep-largest', '--fill-holes', '300'],
  // The cup again, from a box and three strokes on what the box misses: the inside, the spoon's handle, a light on the
  // saucer.
  cup: [
    ['box', 8, [[76, 12], [484, 390]]],
    ['foreground', 10, [[190, 75], [230, 40], [290, 30], [350, 42], [388, 75], [370, 150], [300, 190], [230, 180],
      [215, 120], [270, 85], [345, 115], [300, 150]]],
    ['foreground', 6, [[418, 76], [412, 95]]],
    ['foreground', 6, [[92, 200], [104, 240]]],
  ],
  // A box around one flower.
  tulips: [['box', 8, [[288, 135], [408, 312]]]],
  // A stroke on the mask of another tool.
  mask: [
    ['foreground', 10, [[192, 70], [230, 40], [290, 28], [350, 40], [390, 70]]],
  ],
};

// The outlines of the objects, traced by hand on an enlarged photo.
export const truth = {
  coffee: [
    [178.6, 69.6], [154, 80.4], [129.5, 98.2], [107.1, 122.8], [91.5, 151.8], [81.2, 178.6], [76.8, 209.8],
    [78.6, 236.6], [83.9, 263.4], [94.6, 290.2], [111.6, 314.7], [133.9, 337.1], [160.7, 355.8], [192, 371.4],
    [223.2, 381.7], [254.5, 387.5], [285.7, 389.7], [317, 387.5], [348.2, 380.4], [379.5, 368.7], [408.5, 351.8],
    [433, 331.2], [453.1, 308], [466.5, 283.5], [475.4, 254.5], [479.5, 227.7], [477.7, 200.9], [471, 174.1],
    [459.8, 149.6], [444.2, 127.2], [430.8, 113.8], [418.7, 105.4], [423.2, 78.1], [421.4, 71.4], [415.2, 67.4],
    [405.4, 67.4], [398.2, 72.3], [392.9, 67], [379.5, 51.3], [357.1, 35.7], [330.4, 24.6], [303.6, 19.2],
    [285.7, 17.9], [258.9, 20.1], [235.7, 27.7], [212.5, 40.2], [195.5, 54.5], [182.1, 69.2],
  ],
  // The front flower of tulips.png.
  tulip: [
    [294.4, 187], [300, 180], [309, 168], [317, 162.6], [323, 157], [323.6, 147], [327, 142], [334, 142.6],
    [341, 145.4], [350, 143.6], [357, 144.6], [361, 148], [368, 145], [375, 148], [380, 154], [382.6, 161],
    [383, 166], [387, 162], [392, 163], [395.6, 170], [397.6, 189], [398, 209], [399.4, 235], [399.4, 249],
    [396, 267], [390, 283], [380, 294], [368, 301], [359, 305.4], [346, 306], [340, 304], [328, 296], [317, 287],
    [306, 275], [301, 265], [299.6, 237], [297, 215], [296, 199],
  ],
};

export const isInside = (outline, x, y) => outline.reduce((inside, [ax, ay], i) => {
  const [bx, by] = outline[(i + 1) % outline.length];
  return ay > y !== by > y && x < (bx - ax) * (y - ay) / (by - ay) + ax ? !inside : inside;
}, false);

// Converts points of the photo to screen positions on a page that shows the whole photo. page.size is the photo's size.
export async function onScreen(page, points) {
  return Promise.all(points.map(point => page.get(`(() => { const box = document.querySelector('#canvas')
    .getBoundingClientRect(), s = ${JSON.stringify(point)}; const w = ${page.size[0]}, h = ${page.size[1]};
    const scale = Math.min(box.width / w, box.height / h) * 0.98;
    return [box.x + (box.width - w * scale) / 2 + s[0] * scale, box.y + (box.height - h * scale) / 2 + s[1] * scale];
  })()`)));
}

export async function stroke(page, name, points) {
  await page.click(`input[value=${name}] + span`);
  await page.drag(await onScreen(page, points));
}
