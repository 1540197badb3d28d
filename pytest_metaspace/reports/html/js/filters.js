"use strict";
// Which cases are shown: kept in the address of the page, so that it can be passed on.
metaspace.filters = (() => {
  const { el, MARKS } = metaspace.dom;
  const store = metaspace.store;
  const FIELDS = ["capability", "relation", "trajectory", "object", "news"];
  const LABELS = { capability: "Capability", relation: "Relation", trajectory: "Trajectory", object: "Object", news: "Baseline" };
  // Of relations: all whose cases are in a score, and so no anchored ones.
  const SCORED = "in-scores";
  let haystack = null;

  function hashOf(filters, chosen = null) {
    const parts = new URLSearchParams();
    for (const name of FIELDS) if (filters[name]) parts.set(name, filters[name]);
    if (filters.verdict?.length) parts.set("verdict", filters.verdict.join(","));
    if (filters.text) parts.set("text", filters.text);
    if (chosen) parts.set("case", chosen);
    const told = parts.toString();
    return told ? `#cases?${told}` : "#cases";
  }

  function fromParts(parts) {
    const filters = { verdict: (parts.get("verdict") ?? "").split(",").filter((name) => name in MARKS), text: parts.get("text") ?? "" };
    for (const name of FIELDS) filters[name] = parts.get(name) ?? "";
    return filters;
  }

  const anchors = () => store.summary().anchors.map((row) => row.name);

  function choices(name) {
    const all = store.cases();
    const rows = {
      capability: () => all.capabilities.map(([code, meaning]) => [code, meaning ? `${code} ${meaning}` : code]).sort(),
      relation: () => [
        ...(anchors().length ? [[SCORED, "all in scores"]] : []),
        ...all.relations.map(([code, title]) => [code, title ? `${code} ${title}` : code]).sort(),
      ],
      trajectory: () => all.trajectories.map((id) => [id, id]),
      object: () => [...all.objects].sort().map((id) => [id, id]),
      news: () => (all.n.some(Boolean) ? [["new", "new violations"], ["known", "known before"]] : []),
    };
    return rows[name]();
  }

  // The form; `changed` is called with the filters that it holds after each change.
  function build(form, changed) {
    const boxes = Object.keys(MARKS).map((name) => {
      const input = el("input", { type: "checkbox", name: "verdict", value: name, id: `verdict-${name}` });
      return el("label", { class: `chip ${name}`, for: `verdict-${name}` }, input,
        el("span", { "aria-hidden": "true", class: "sign" }, MARKS[name]), name);
    });
    const fields = FIELDS.map((name) => [name, choices(name)]).filter(([, options]) => options.length);
    form.replaceChildren(
      el("div", { class: "search" },
        el("label", { for: "text", class: "unseen" }, "Search cases"),
        el("input", { type: "search", id: "text", name: "text", placeholder: "Search ids, objects, reasons", autocomplete: "off", spellcheck: "false" })),
      el("fieldset", { class: "chips" }, el("legend", { class: "unseen" }, "Verdict"), boxes),
      el("button", { type: "button", class: "quiet", id: "more", "aria-expanded": "false", "aria-controls": "selects", onclick: (event) => {
        event.currentTarget.setAttribute("aria-expanded", String(form.classList.toggle("all")));
      } }, "More filters"),
      el("div", { class: "selects", id: "selects" }, fields.map(([name, options]) => el("label", {}, el("span", {}, LABELS[name]),
        el("select", { name, id: `by-${name}` }, el("option", { value: "" }, "all"),
          options.map(([value, text]) => el("option", { value }, text)))))),
      el("button", { type: "button", class: "quiet", id: "clear", onclick: () => { show(form, fromParts(new URLSearchParams())); changed(read(form)); } }, "Clear"));
    form.addEventListener("input", () => changed(read(form)));
    form.addEventListener("submit", (event) => event.preventDefault());
  }

  function read(form) {
    const given = new FormData(form);
    const filters = { verdict: given.getAll("verdict"), text: given.get("text") ?? "" };
    for (const name of FIELDS) filters[name] = given.get(name) ?? "";
    return filters;
  }

  function show(form, filters) {
    for (const box of form.querySelectorAll("[name=verdict]")) box.checked = filters.verdict.includes(box.value);
    const text = form.querySelector("[name=text]");
    if (text.value !== filters.text) text.value = filters.text;
    for (const select of form.querySelectorAll("select")) select.value = filters[select.name];
  }

  // What text is searched in, once: addresses, objects, reasons.
  function searched() {
    const all = store.cases();
    haystack ??= all.i.map((own, at) => [
      all.trajectories[all.t[at]], all.capabilities[all.c[at]][0], all.relations[all.r[at]][0], own,
    ].join("::").concat("\n", all.b[at].map((place) => all.objects[place]).join(" "), "\n", store.reason(at)).toLowerCase());
    return haystack;
  }

  // The indices of the cases that fit, those that are told in full before the others.
  function apply(filters) {
    const all = store.cases();
    const place = (name, names) => (filters[name] ? names.indexOf(filters[name]) : null);
    const capability = place("capability", all.capabilities.map(([code]) => code));
    const relations = all.relations.map(([code]) => code);
    const apart = filters.relation === SCORED ? new Set(anchors().map((name) => relations.indexOf(name))) : null;
    const relation = apart ? null : place("relation", relations);
    const trajectory = place("trajectory", all.trajectories);
    const object = place("object", all.objects);
    const news = place("news", all.news);
    const verdicts = new Set(filters.verdict.map((name) => all.outcomes.indexOf(name)));
    const wanted = filters.text.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const texts = wanted.length ? searched() : null;
    const [full, short] = [[], []];
    for (let at = 0; at < all.i.length; at += 1) {
      if (verdicts.size && !verdicts.has(all.o[at])) continue;
      if (capability !== null && all.c[at] !== capability) continue;
      if (relation !== null && all.r[at] !== relation) continue;
      if (apart && apart.has(all.r[at])) continue;
      if (trajectory !== null && all.t[at] !== trajectory) continue;
      if (news !== null && all.n[at] !== news) continue;
      if (object !== null && !all.b[at].includes(object)) continue;
      if (texts && !wanted.every((word) => texts[at].includes(word))) continue;
      (all.x[at] < 0 ? short : full).push(at);
    }
    return full.concat(short);
  }

  return { hashOf, fromParts, build, read, show, apply, searched, SCORED };
})();
