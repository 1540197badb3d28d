"use strict";
// A list of any length, of which only the rows in sight are in the page.
metaspace.list = (() => {
  const { el, badge } = metaspace.dom;
  const store = metaspace.store;
  const ROW = 68;
  const SPARE = 8;

  // `choose(index)` is called when a case is picked; `opened` tells that the reader wants to read it.
  function build(holder, choose) {
    const space = el("ul", { class: "rows", role: "listbox", "aria-label": "Cases", tabindex: "0", id: "rows" });
    holder.replaceChildren(space);
    const state = { holder, space, found: [], chosen: -1, drawn: new Map(), choose };
    holder.addEventListener("scroll", () => draw(state), { passive: true });
    new ResizeObserver(() => draw(state)).observe(holder);
    space.addEventListener("keydown", (event) => moved(state, event));
    return {
      show: (found, chosen) => show(state, found, chosen),
      mark: (chosen) => mark(state, chosen),
      focus: () => space.focus({ preventScroll: true }),
    };
  }

  function show(state, found, chosen) {
    state.found = found;
    state.chosen = chosen;
    state.drawn.clear();
    state.space.replaceChildren();
    state.space.style.setProperty("height", `${found.length * ROW}px`);
    state.holder.classList.toggle("empty", found.length === 0);
    const at = found.indexOf(chosen);
    if (at < 0) state.holder.scrollTop = 0;
    else reveal(state, at);
    draw(state);
  }

  function mark(state, chosen) {
    state.chosen = chosen;
    const at = state.found.indexOf(chosen);
    if (at >= 0) reveal(state, at);
    draw(state);
    for (const [index, node] of state.drawn) node.setAttribute("aria-selected", String(state.found[index] === chosen));
    const node = state.drawn.get(at);
    if (node) state.space.setAttribute("aria-activedescendant", node.id);
    else state.space.removeAttribute("aria-activedescendant");
  }

  function reveal({ holder }, at) {
    if (holder.clientHeight === 0) return;
    if (at * ROW < holder.scrollTop) holder.scrollTop = at * ROW;
    else if ((at + 1) * ROW > holder.scrollTop + holder.clientHeight) holder.scrollTop = (at + 1) * ROW - holder.clientHeight;
  }

  function draw(state) {
    const { holder, space, found, drawn } = state;
    const first = Math.max(0, Math.floor(holder.scrollTop / ROW) - SPARE);
    const last = Math.min(found.length, Math.ceil((holder.scrollTop + holder.clientHeight) / ROW) + SPARE);
    for (const [at, node] of drawn) {
      if (at < first || at >= last) {
        node.remove();
        drawn.delete(at);
      }
    }
    for (let at = first; at < last; at += 1) {
      if (!drawn.has(at)) {
        const node = row(state, at);
        drawn.set(at, node);
        space.append(node);
      }
    }
  }

  function row(state, at) {
    const one = store.caseAt(state.found[at]);
    return el("li", {
      class: `row-case ${one.outcome}`,
      id: `case-${one.index}`,
      role: "option",
      "aria-selected": String(one.index === state.chosen),
      "aria-setsize": state.found.length,
      "aria-posinset": at + 1,
      style: { transform: `translateY(${at * ROW}px)` },
      onclick: () => state.choose(one.index, true),
    },
    el("span", { class: "line" }, badge(one.outcome), el("span", { class: "code" }, `${one.capability} \u00b7 ${one.relation}`),
      one.news === "new" ? el("span", { class: "tag new" }, "new") : null,
      one.excuse ? el("span", { class: "tag" }, "known") : null,
      el("span", { class: "soft push clip" }, one.trajectory)),
    el("span", { class: "clip line-2" }, about(one)));
  }

  // What a case is about, in a few words.
  function about(one) {
    return one.reason.replace(/^(These answers cannot all|This answer cannot) be true: /, "") || [one.objects.join(", "), one.states.length ? `state ${one.states.join(", ")}` : ""].filter(Boolean).join(" \u00b7 ") || one.own;
  }

  const STEPS = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8, Home: -Infinity, End: Infinity };

  function moved(state, event) {
    const { found } = state;
    if (event.key === "Enter" && state.chosen >= 0) {
      state.choose(state.chosen, true);
      event.preventDefault();
    }
    if (!(event.key in STEPS) || !found.length) return;
    event.preventDefault();
    const at = found.indexOf(state.chosen);
    const next = at < 0 ? 0 : Math.min(Math.max(at + STEPS[event.key], 0), found.length - 1);
    state.choose(found[next], false);
  }

  return { build };
})();
