// Colours that are told apart by people who see colours differently (Okabe and Ito), the values in style.css.
const base = 8;

/** The colour of class c as CSS: eight hues, then the same ones mixed with the text colour. */
export function classColour(c) {
  const hue = `var(--c${c % base})`;
  const round = Math.floor(c / base);
  return round === 0 ? hue : `color-mix(in oklab, ${hue} ${Math.max(30, 100 - 25 * round)}%, var(--ink))`;
}

/** A colour as the canvas of Cytoscape wants it, with the variables of the present theme worked out. */
export function resolved(colour) {
  const probe = document.createElement("span");
  probe.style.color = colour;
  probe.hidden = true;
  document.body.append(probe);
  const canvas = document.createElement("canvas").getContext("2d");
  canvas.fillStyle = getComputedStyle(probe).color;
  probe.remove();
  canvas.fillRect(0, 0, 1, 1);
  const [r, g, b] = canvas.getImageData(0, 0, 1, 1).data;
  return `rgb(${r}, ${g}, ${b})`;
}
