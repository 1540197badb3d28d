"use strict";
// Start: views by the address of the page, and light or dark.
(() => {
  const { store, overview, charts, cases, walk } = metaspace;
  const VIEWS = ["overview", "cases", "walk"];
  const byId = (name) => document.getElementById(name);

  function route() {
    const [name, query = ""] = location.hash.replace(/^#/, "").split(/\?(.*)/s);
    if (name === "main") return;
    const view = VIEWS.includes(name) ? name : "overview";
    for (const one of VIEWS) byId(`view-${one}`).hidden = one !== view;
    for (const link of document.querySelectorAll("[data-view]")) {
      if (link.dataset.view === view) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    document.body.dataset.view = view;
    walk.stop();
    if (view === "overview") charts.draw();
    if (view === "cases") cases.show(new URLSearchParams(query));
    if (view === "walk") walk.show(new URLSearchParams(query));
  }

  const dark = matchMedia("(prefers-color-scheme: dark)");

  let chosen = null;

  const isDark = () => (chosen ? chosen === "dark" : dark.matches);

  function coloured() {
    const other = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = isDark() ? "dark" : "light";
    byId("theme").setAttribute("aria-label", `Switch to ${other} colours`);
    byId("theme").textContent = isDark() ? "\u2600" : "\u263e";
    if (!byId("view-overview").hidden) charts.draw();
  }

  function remembered(value) {
    try {
      if (value) localStorage.setItem("metaspace-theme", value);
      return localStorage.getItem("metaspace-theme");
    } catch {
      return null; // a browser may keep nothing for files
    }
  }

  function themed() {
    const kept = remembered();
    chosen = kept === "light" || kept === "dark" ? kept : null;
    byId("theme").addEventListener("click", () => {
      chosen = isDark() ? "light" : "dark";
      remembered(chosen);
      coloured();
    });
    dark.addEventListener("change", coloured);
  }

  themed();
  overview.render(store.summary());
  byId("view-overview").hidden = !/^(#overview|#main|)($|\?)/.test(location.hash);
  coloured();
  byId("skip").addEventListener("click", (event) => {
    event.preventDefault();
    byId("main").focus();
  });
  addEventListener("hashchange", route);
  document.addEventListener("DOMContentLoaded", () => {
    route();
    (globalThis.requestIdleCallback ?? setTimeout)(metaspace.filters.searched);
  });
})();
