"use strict";
// A frame with the boxes of objects laid over it.
metaspace.frames = (() => {
  const { el, svg } = metaspace.dom;
  const store = metaspace.store;
  const HUES = 8;

  // Boxes of one state: [object, number of its colour, box].
  function boxesAt(trajectory, state, wanted) {
    const found = [];
    store.trajectory(trajectory).objects.forEach((object, number) => {
      const at = object.states.indexOf(state);
      const shown = wanted === null || wanted.includes(object.id);
      if (at >= 0 && shown) found.push([object, number % HUES, object.boxes[at]]);
    });
    return found;
  }

  function overlay(size, boxes, large) {
    const [width, height] = size;
    const letters = width / (large ? 40 : 22);
    return svg("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", class: "boxes" },
      boxes.map(([object, hue, [left, top, right, bottom]]) => {
        const above = top > letters * 1.4;
        const name = object.id.length > 24 ? `${object.id.slice(0, 23)}\u2026` : object.id;
        const fromRight = left + name.length * letters * 0.62 > width;
        return svg("g", { class: `hue-${hue}` },
          svg("rect", { x: left, y: top, width: Math.max(right - left, 1), height: Math.max(bottom - top, 1) }),
          svg("text", {
            x: fromRight ? Math.min(right, width) - letters * 0.3 : Math.max(left, 0) + letters * 0.3,
            "text-anchor": fromRight ? "end" : "start",
            y: above ? top - letters * 0.35 : top + letters,
            "font-size": letters,
          }, name));
      }));
  }

  // The picture of a state; `wanted` names the objects whose boxes are shown, null shows all.
  function picture(trajectory, state, wanted = null, large = false) {
    const told = store.trajectory(trajectory);
    const found = store.picture(trajectory, state);
    const [width, height] = told && told.size[0] > 0 && told.size[1] > 0 ? told.size : [4, 3];
    const boxes = told ? boxesAt(trajectory, state, wanted) : [];
    const names = boxes.map(([object]) => object.id).join(", ");
    const shape = { "aspect-ratio": `${width} / ${height}`, "--ratio": String(width / height) };
    if (!found.address) {
      return el("div", { class: "frame placeholder", style: shape },
        el("p", {}, el("strong", {}, `Frame ${state}: no picture`), el("br"), found.why),
        told && told.size[0] > 0 ? overlay([width, height], boxes, large) : null);
    }
    return el("div", { class: "frame", style: shape },
      el("img", { src: found.address, alt: `Frame ${state}${names ? `, with boxes of ${names}` : ""}` }),
      told.size[0] > 0 ? overlay([width, height], boxes, large) : null);
  }

  return { picture, boxesAt };
})();
