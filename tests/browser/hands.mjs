// SPDX-License-Identifier: MIT
//
// hands.mjs - strokes that were painted by hand, in pixels of the photo: [tool, width of the brush, points].

export const hands = {
  // The cup, its saucer and spoon: six strokes, of which the last two correct what the first four leave.
  coffee: [
    ['foreground', 10, [[190, 75], [230, 45], [290, 32], [350, 45], [388, 75], [395, 110], [370, 150], [300, 190],
      [230, 180], [190, 140], [185, 100]]],
    ['background', 10, [[20, 250], [50, 330], [110, 380], [190, 396], [350, 396], [440, 350], [495, 270], [490, 180],
      [440, 100], [440, 40], [300, 6], [180, 20], [130, 60], [60, 140], [20, 250]]],
    ['foreground', 10, [[160, 100], [110, 150], [95, 220], [120, 290], [190, 350], [280, 370], [370, 350], [440, 290],
      [460, 220], [430, 150]]],
    ['foreground', 10, [[200, 230], [240, 290], [330, 310], [380, 270], [390, 200]]],
    ['foreground', 6, [[408, 105], [416, 82], [410, 78]]],
    ['background', 6, [[440, 130], [425, 95]]],
  ],
  // A box around one flower.
  tulips: [['box', 8, [[288, 135], [408, 312]]]],
  // On the mask of another tool.
  mask: [
    ['foreground', 10, [[192, 70], [230, 40], [290, 28], [350, 40], [390, 70]]],
  ],
};

// Points of the photo, on the screen of a page in which all of it is seen. page.size: of the photo.
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
