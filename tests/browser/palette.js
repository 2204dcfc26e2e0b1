// A picture with at most 256 colours, as indexes into a palette: what a small PNG is made of.
async (picture) => {
  const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext("2d");
  context.drawImage(bitmap, 0, 0);
  const pixels = new Uint32Array(context.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer);
  const counted = new Map();
  for (const pixel of pixels) counted.set(pixel, (counted.get(pixel) ?? 0) + 1);
  const split = (pixel) => [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255];
  const distance = (one, two) => (one[0] - two[0]) ** 2 + (one[1] - two[1]) ** 2 + (one[2] - two[2]) ** 2;
  const common = [...counted.keys()].sort((one, two) => counted.get(two) - counted.get(one));
  const palette = [];
  for (const pixel of common) {
    if (palette.length === 256) break;
    const colour = split(pixel); // the most frequent ones that differ enough to be told apart
    const near = palette.length < 48 ? 1 : 90;
    if (palette.every((other) => distance(other, colour) >= near)) palette.push(colour);
  }
  const index = new Map();
  for (const pixel of common) {
    const colour = split(pixel);
    let best = 0;
    for (let at = 1; at < palette.length; at += 1) if (distance(palette[at], colour) < distance(palette[best], colour)) best = at;
    index.set(pixel, best);
  }
  const indexes = Uint8Array.from(pixels, (pixel) => index.get(pixel));
  let text = "";
  for (let at = 0; at < indexes.length; at += 32768) text += String.fromCharCode(...indexes.subarray(at, at + 32768));
  return { width: bitmap.width, height: bitmap.height, palette: palette.flat(), indexes: btoa(text) };
}
