"use strict";
// The view of cases: filters, list and the case that is chosen.
metaspace.cases = (() => {
  const { count } = metaspace.dom;
  const { store, filters, detail } = metaspace;
  const byId = (name) => document.getElementById(name);
  let list = null;
  let places = null;
  const now = { filters: null, found: [], chosen: -1 };

  function start() {
    if (list) return;
    list = metaspace.list.build(byId("list"), choose);
    filters.build(byId("filters"), filtered);
  }

  // The place of an address; addresses are looked up seldom.
  function placeOf(address) {
    if (!address) return -1;
    places ??= new Map(store.cases().i.map((_, at) => [store.address(at), at]));
    return places.get(address) ?? -1;
  }

  function filtered(wanted) {
    now.filters = wanted;
    now.found = filters.apply(wanted);
    if (!now.found.includes(now.chosen)) now.chosen = -1;
    history.replaceState(null, "", hash());
    tell();
    open();
    list.show(now.found, now.chosen);
  }

  const hash = () => filters.hashOf(now.filters, now.chosen < 0 ? null : store.address(now.chosen));

  function tell() {
    const all = store.cases().i.length;
    byId("found").textContent = now.found.length === all ? count(all, "case")
      : `${now.found.length.toLocaleString("en")} of ${count(all, "case")}`;
  }

  function open() {
    const holder = byId("detail");
    byId("view-cases").classList.toggle("reading", now.chosen >= 0);
    if (now.chosen < 0) detail.nothing(holder, now.found.length);
    else detail.render(holder, now.chosen, filters.hashOf(now.filters));
  }

  function choose(index, opened) {
    now.chosen = index;
    if (opened) history.pushState(null, "", hash());
    else history.replaceState(null, "", hash());
    open();
    list.mark(index);
    const narrow = getComputedStyle(byId("list")).display === "none";
    if (opened && narrow) {
      byId("detail").focus({ preventScroll: true });
      scrollTo(0, 0);
    }
  }

  // Show what the address of the page says.
  function show(parts) {
    start();
    now.filters = filters.fromParts(parts);
    filters.show(byId("filters"), now.filters);
    now.found = filters.apply(now.filters);
    now.chosen = placeOf(parts.get("case"));
    tell();
    open();
    list.show(now.found, now.chosen);
    list.mark(now.chosen);
  }

  return { show };
})();
