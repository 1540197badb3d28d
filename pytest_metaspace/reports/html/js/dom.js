"use strict";
// Elements, and numbers as people read them. Text is only ever put in as text.
globalThis.metaspace = {};

metaspace.dom = (() => {
  const SVG = "http://www.w3.org/2000/svg";

  function filled(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (name === "style") {
        for (const [property, set] of Object.entries(value)) node.style.setProperty(property, set);
      } else node.setAttribute(name, value === true ? "" : String(value));
    }
    node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
    return node;
  }

  // An element: what starts with "on" is listened for; children are nodes or texts.
  function el(name, attributes = {}, ...children) {
    return filled(document.createElement(name), attributes, children);
  }

  function svg(name, attributes = {}, ...children) {
    return filled(document.createElementNS(SVG, name), attributes, children);
  }

  function count(number, one, several = `${one}s`) {
    return `${number.toLocaleString("en")} ${number === 1 ? one : several}`;
  }

  function score(value) {
    return value === null || value === undefined ? "n/a" : value.toFixed(3);
  }

  function percent(value) {
    return value === null || value === undefined ? "n/a" : `${Math.round(value * 100)} %`;
  }

  function signed(value) {
    if (Math.abs(value) < 0.0005) return "0.000";
    return `${value > 0 ? "+" : "\u2212"}${Math.abs(value).toFixed(3)}`;
  }

  function interval(row) {
    return row.low === null ? "" : `${row.low.toFixed(2)}\u2013${row.high.toFixed(2)}`;
  }

  const MARKS = { satisfied: "\u2713", violated: "\u2717", invalid: "?", inconclusive: "~", error: "!" };

  function badge(outcome) {
    return el("span", { class: `badge ${outcome}` },
      el("span", { "aria-hidden": "true", class: "sign" }, MARKS[outcome]), outcome);
  }

  // A table in a frame that scrolls sideways where it has to, reachable with the keyboard.
  function scroller(label, table) {
    return el("div", { class: "scroller", role: "region", "aria-label": label, tabindex: "0" }, table);
  }

  return { el, svg, count, score, percent, signed, interval, badge, scroller, MARKS };
})();
