// Runs in Chromium. Draws each of `pictures` and says what it sees: for each row of cells a line with `#` where a cell holds ink
// in its middle, `-` where only at an edge, `.` where there is none; and the last column of pixels with ink.
const [margin, width, height] = [12, 8, 17];

async function look({ svg, columns, rows }) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  const data = context.getImageData(0, 0, canvas.width, canvas.height).data;
  const cell = (column, row) => {
    const pixels = [];
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const at = 4 * ((margin + row * height + y) * canvas.width + margin + column * width + x);
        pixels.push({ x, colour: [data[at], data[at + 1], data[at + 2]] });
      }
    }
    return pixels;
  };
  const lines = [];
  for (let row = 0; row < rows; row++) {
    let [line, last] = ["", -1];
    for (let column = 0; column < columns; column++) {
      const pixels = cell(column, row);
      const ground = commonest(pixels.map(pixel => pixel.colour));
      const ink = pixels.filter(pixel => distance(pixel.colour, ground) > 30).map(pixel => pixel.x);
      line += ink.some(x => x > 1 && x < width - 2) ? "#" : ink.length > 0 ? "-" : ".";
      last = Math.max(last, ...ink.map(x => column * width + x));
    }
    lines.push({ line, last });
  }
  return lines;
}

function commonest(colours) {
  const counts = new Map();
  for (const colour of colours) counts.set(colour.join(), (counts.get(colour.join()) ?? 0) + 1);
  const [most] = [...counts].reduce((one, other) => other[1] > one[1] ? other : one);
  return most.split(",").map(Number);
}

function distance(one, other) {
  return one.reduce((sum, value, i) => sum + Math.abs(value - other[i]), 0);
}

// The frames of an animation that are visible at each hundredth of its time; once only where nothing moves.
function frames(svg) {
  const place = document.createElement("div");
  place.innerHTML = svg;
  document.body.append(place);
  const animations = document.getAnimations();
  const length = Math.max(0, ...animations.map(animation => animation.effect.getTiming().duration));
  const visible = () => [...place.querySelectorAll(".frame")].flatMap(
    (frame, number) => getComputedStyle(frame).visibility === "visible" ? [number] : []);
  const seen = [];
  for (let part = 0; part < (animations.length > 0 ? 100 : 1); part++) {
    for (const animation of animations) {
      animation.pause();
      animation.currentTime = length * part / 100;
    }
    seen.push(visible());
  }
  place.remove();
  return seen;
}

(async () => {
  const seen = { pictures: [], demos: demos.map(frames) };
  for (const picture of pictures) seen.pictures.push(await look(picture));
  document.body.textContent = JSON.stringify(seen);
})().catch(error => { document.body.textContent = String(error); });
