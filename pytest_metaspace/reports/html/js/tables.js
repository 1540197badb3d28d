"use strict";
// Tables of the first page.
metaspace.tables = (() => {
  const { el, count, score, percent, signed, interval, scroller } = metaspace.dom;

  function table(label, heads, rows) {
    return scroller(label, el("table", {},
      el("caption", { class: "unseen" }, label),
      el("thead", {}, el("tr", {}, heads.map(([text, kind]) => el("th", { scope: "col", class: kind }, text)))),
      el("tbody", {}, rows)));
  }

  // Where a score and its interval stand between 0 and 1; the numbers stand beside it.
  function gauge(row) {
    if (row.value === null) return el("span", { class: "gauge empty", "aria-hidden": "true" });
    const at = (value) => `${(value * 100).toFixed(1)}%`;
    return el("span", { class: "gauge", "aria-hidden": "true" },
      row.low === null ? null : el("span", { class: "range", style: { left: at(row.low), width: at(row.high - row.low) } }),
      el("span", { class: "dot", style: { left: at(row.value) } }));
  }

  function link(number, filters, label) {
    if (!number) return el("span", { class: "zero" }, "0");
    return el("a", { href: metaspace.filters.hashOf(filters), "aria-label": `${count(number, "case")} ${label}` }, number.toLocaleString("en"));
  }

  const HEADS = [
    ["Capability", ""], ["Score", "number"], ["95 % interval", "middle wide between"], ["", "wide"],
    ["Violated", "number"], ["Invalid", "number wide"], ["Inconclusive", "number wide"],
    ["Error", "number wide"], ["Cases", "number wide"], ["Decided", "number wide"],
  ];

  function scoreRow(row, filters, kind = "") {
    const cell = (number, verdict) => (filters === null ? number.toLocaleString("en")
      : link(number, { ...filters, verdict: [verdict] }, `${verdict} of ${row.name}`));
    return el("tr", { class: kind },
      el("th", { scope: "row" }, el("span", { class: "code" }, shortName(row, kind)), kind === "mean" ? null : el("span", { class: "meaning" }, ` ${row.title}`)),
      el("td", { class: "number strong" }, score(row.value), el("span", { class: "narrow soft small" }, interval(row))),
      el("td", { class: "middle soft wide between" }, interval(row) || "\u2013"),
      el("td", { class: "wide" }, gauge(row)),
      el("td", { class: "number" }, cell(row.violated, "violated")),
      el("td", { class: "number wide" }, cell(row.invalid, "invalid")),
      el("td", { class: "number wide" }, cell(row.inconclusive, "inconclusive")),
      el("td", { class: "number wide" }, cell(row.error, "error")),
      el("td", { class: "number wide soft" }, row.cases.toLocaleString("en")),
      el("td", { class: "number wide soft" }, percent(row.decided)));
  }

  // Of a relation of a capability, "SC1-a MR1", the relation; of an anchor, "A2 SC1-a", the capability.
  function shortName(row, kind) {
    return kind === "part" ? row.name.split(" ").at(-1) : row.name;
  }

  function scores(summary) {
    const rows = [];
    const scored = summary.anchors.length ? { relation: metaspace.filters.SCORED } : {};
    for (const row of summary.scores) {
      rows.push(scoreRow(row, { ...scored, capability: row.name }));
      for (const part of summary.relations.filter((one) => one.name.startsWith(`${row.name} `))) {
        rows.push(scoreRow(part, { capability: row.name, relation: part.name.split(" ")[1] }, "part"));
      }
    }
    for (const mean of summary.scenarios) rows.push(scoreRow(mean, null, "mean"));
    rows.push(scoreRow(summary.total, scored, "mean"));
    return table("Scores by capability", HEADS, rows);
  }

  function anchors(summary, shown, caption, head) {
    const rows = [];
    for (const row of shown) {
      rows.push(scoreRow(row, { relation: row.name }));
      for (const part of summary.anchorParts.filter((one) => one.name.split(" ").includes(row.name))) {
        const capability = part.name.split(" ").find((name) => name !== row.name);
        rows.push(scoreRow({ ...part, name: `${row.name} ${capability}` }, { relation: row.name, capability }, "part"));
      }
    }
    return table(caption, [[head, ""], ...HEADS.slice(1)], rows);
  }

  const JUDGED = {
    worse: "worse", better: "better", same: "no change", chance: "may be chance", undecided: "too few to tell",
  };

  const judged = (shift) => el("span", { class: `tag ${shift.judged}` }, JUDGED[shift.judged] ?? shift.judged);

  function change(found) {
    const heads = [["Capability", ""], ["Before", "number"], ["Now", "number"], ["Change", "number"],
      ["p (Holm)", "number wide"], ["Lost", "number wide"], ["Won", "number wide"], ["", "wide"]];
    const rows = found.shifts.map((shift) => el("tr", {},
      el("th", { scope: "row" }, el("span", { class: "code" }, shift.capability), el("span", { class: "narrow" }, judged(shift))),
      el("td", { class: "number soft" }, score(shift.before)),
      el("td", { class: "number strong" }, score(shift.after)),
      el("td", { class: "number" }, signed(shift.after - shift.before)),
      el("td", { class: "number wide soft" }, shift.p === null ? "n/a" : shift.p < 0.001 ? "< 0.001" : shift.p.toFixed(3)),
      el("td", { class: "number wide" }, String(shift.lost)),
      el("td", { class: "number wide" }, String(shift.won)),
      el("td", { class: "wide" }, judged(shift))));
    return table("Change against the baseline", heads, rows);
  }

  const KINDS = { run: "this run", baseline: "baseline", other: "", reference: "reference" };

  function agents(codes, all) {
    const heads = [["Agent", ""], ...codes.map((code) => [code, "number"]), ["Total", "number"]];
    const rows = all.map((agent) => el("tr", {},
      el("th", { scope: "row" }, agent.name, KINDS[agent.kind] ? el("span", { class: "meaning" }, ` ${KINDS[agent.kind]}`) : null),
      codes.map((code) => el("td", { class: "number" }, score(agent.values[code]))),
      el("td", { class: "number strong" }, score(agent.total))));
    return table("Scores of agents", heads, rows);
  }

  function pairs(label, heads, rows) {
    return table(label, heads, rows.map((row) => el("tr", {},
      el("th", { scope: "row" }, row[0]),
      row.slice(1).map((value) => el("td", { class: typeof value === "number" ? "number" : "" }, typeof value === "number" ? value.toLocaleString("en") : value)))));
  }

  return { scores, anchors, change, agents, pairs };
})();
