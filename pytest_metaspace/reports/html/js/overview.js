"use strict";
// The first page: what the run came to.
metaspace.overview = (() => {
  const { el, count, score, interval } = metaspace.dom;
  const { tables, charts, filters } = metaspace;
  const OUTCOMES = ["satisfied", "violated", "invalid", "inconclusive", "error"];

  function card(title, ...children) {
    return el("section", { class: "card" }, el("h2", {}, title), children);
  }

  function headline(summary) {
    const parts = [
      count(summary.cases, "case"), count(summary.trajectories, "trajectory", "trajectories"),
      count(summary.questions, "question"),
    ];
    document.getElementById("title").textContent = summary.agent;
    document.getElementById("subtitle").textContent = `${parts.join(" \u00b7 ")} \u00b7 ${when(summary.finished)}`;
    document.title = `${summary.agent} \u00b7 metaspace report`;
  }

  const when = (text) => text.replace("T", " ").replace(/Z$/, " UTC");

  function verdict(summary) {
    const total = summary.total;
    return el("section", { class: "card verdict" },
      el("h2", {}, "Score"),
      el("p", { class: "big" }, score(total.value)),
      el("p", { class: "soft" }, interval(total)
        ? `95 % interval ${interval(total)} \u00b7 mean over capabilities` : "mean over capabilities"),
      counts(summary));
  }

  function counts(summary) {
    const scored = summary.anchors.length ? { relation: filters.SCORED } : {};
    const sums = OUTCOMES.map((name) => [name, summary.total[name]]);
    const all = sums.reduce((sum, [, number]) => sum + number, 0);
    if (!all) return el("p", {}, summary.cases ? "No case that ran is in a score." : "No case ran.");
    return el("div", {},
      el("div", { class: "stack", "aria-hidden": "true" }, sums.filter(([, number]) => number).map(([name, number]) =>
        el("span", { class: name, style: { "flex-grow": String(number) } }))),
      el("ul", { class: "counts" }, sums.map(([name, number]) => el("li", {},
        el("span", { class: `swatch ${name}`, "aria-hidden": "true" }),
        number ? el("a", { href: filters.hashOf({ ...scored, verdict: [name] }) }, number.toLocaleString("en")) : el("span", {}, "0"),
        name))));
  }

  function gates(summary) {
    if (!summary.gates.length) {
      return card("Gates", el("p", { class: "soft" }, "No gate was set. One that fails the run below a score: ",
        el("code", {}, "--metaspace-fail-under=0.8")));
    }
    return card("Gates", el("ul", { class: "gates" }, summary.gates.map((gate) => {
      const kind = gate.undecided ? "undecided" : gate.passed ? "passed" : "failed";
      return el("li", { class: kind },
        el("span", { class: `tag ${kind}` }, gate.undecided && !gate.passed ? "undecided, fails" : kind),
        el("span", {}, gate.sentence, gate.basis ? el("span", { class: "meaning block" }, gate.basis) : null));
    })));
  }

  function change(summary) {
    const found = summary.change;
    if (!found) return null;
    const moves = [
      [found.moves.newly_violated, "newly violated", { news: "new" }], [found.moves.newly_satisfied, "newly satisfied"],
      [found.moves.otherwise, "changed otherwise"], [found.moves.added, "added"], [found.moves.removed, "removed"],
      [found.moves.not_run, "not run"], [found.moves.changed, "not compared, as their trajectory changed"],
    ];
    return card(`Change since ${found.before}`,
      found.shifts.length ? tables.change(found)
        : el("p", { class: "soft" }, "No case was decided both in the baseline and in this run."),
      el("p", { class: "soft" }, moves.filter(([number]) => number)
        .map(([number, text]) => `${number.toLocaleString("en")} ${text}`).join(" \u00b7 ") || "No case came out otherwise."),
      found.moves.newly_violated ? el("p", {}, el("a", { href: filters.hashOf({ news: "new" }) }, "Show what is new")) : null,
      found.differences.map((text) => el("p", { class: "note" }, text)));
  }

  function scores(summary) {
    if (!summary.scores.length) return card("Scores", el("p", { class: "soft" }, "No capability has a score."));
    const shown = tables.scores(summary);
    const parts = el("input", { type: "checkbox", id: "parts", onchange: () => document.getElementById("overview-body").classList.toggle("with-parts", parts.checked) });
    const section = card("Scores", shown);
    section.classList.add("scores");
    section.classList.toggle("pointwise", [summary.total, ...summary.scores].every((row) => row.low === null));
    section.insertBefore(el("label", { class: "toggle", for: "parts" }, parts, "by relation"), shown);
    return section;
  }

  function profile(summary, codes) {
    if (codes.length < 3) return null;
    const section = card("Profile", charts.radar(codes, summary.agents.slice(0, 6)),
      summary.agents.length > 6 ? el("p", { class: "note" }, `The first 6 of ${summary.agents.length} are drawn; the table has all.`) : null);
    section.classList.add("profile");
    return section;
  }

  function sideBySide(summary, codes) {
    if (summary.agents.length < 2) return null;
    const rows = unlike(summary.agents);
    const value = (row, column) => summary.agents[rows.indexOf(row)].values[column];
    return card("Agents side by side",
      codes.length ? charts.heat("Heat map of scores: agents over capabilities. The table below has the numbers.", rows, codes, value) : null,
      el("details", {}, el("summary", {}, "As a table"), tables.agents(codes, summary.agents)));
  }

  // Names that can be told apart.
  function unlike(agents) {
    const seen = new Map();
    return agents.map(({ name }) => {
      const times = (seen.get(name) ?? 0) + 1;
      seen.set(name, times);
      return times > 1 ? `${name} (${times})` : name;
    });
  }

  function where(summary, codes) {
    const relations = [...new Set(summary.relations.map((row) => row.name.split(" ")[1]))].sort();
    if (relations.length < 2 || codes.length < 2) return null;
    const found = new Map(summary.relations.map((row) => [row.name, row.value]));
    const label = "Heat map of scores: relations over capabilities. The table of scores has the numbers, by relation.";
    return card("Where it goes wrong",
      charts.heat(label, relations, codes, (row, column) => found.get(`${column} ${row}`),
        (relation, capability) => { location.hash = filters.hashOf({ capability, relation, verdict: ["violated"] }); }));
  }

  function aside(summary) {
    const lists = [
      ["Questions without a value", "Kind", summary.failures],
      ["Candidates that were left out", "Why", summary.drops],
      ["Not asked", "What", summary.skips],
      ["Settings", "Name", summary.settings],
    ].filter(([, , rows]) => rows.length);
    const known = summary.known.map((one) => [one.case, one.reason, one.owner, one.expires, state(one)]);
    return card("About this run",
      summary.stopped ? el("p", { class: "note" }, "The run was stopped before it was through.") : null,
      summary.shard[1] > 1 ? el("p", { class: "note" }, `This is part ${summary.shard[0]} of ${summary.shard[1]} of a run.`) : null,
      known.length ? el("details", {}, el("summary", {}, `Quarantine (${known.length})`),
        tables.pairs("Known violations", ["Case", "Reason", "Owner", "Until", "State"].map((head) => [head, ""]), known)) : null,
      lists.map(([title, head, rows]) => el("details", {}, el("summary", {}, `${title} (${rows.length})`),
        tables.pairs(title, [[head, ""], [typeof rows[0][1] === "number" ? "How many" : "", ""]], rows))),
      summary.leftOut.length ? el("div", { class: "left-out" }, el("h3", {}, "Left out of this page"),
        el("ul", {}, summary.leftOut.map((text) => el("li", {}, text)))) : null,
      el("p", { class: "soft small" }, `Made by pytest-metaspace ${summary.madeBy}.`));
  }

  function state(one) {
    if (one.idle) return "no case matches";
    const healed = one.healed ? "healed" : `${one.broken} of ${one.cases} broken`;
    return one.expired ? `${healed}, expired` : healed;
  }

  function apart(summary, ofSuites, title, head, about) {
    const named = new Set(summary.suites);
    const shown = summary.anchors.filter((row) => named.has(row.name) === ofSuites);
    return shown.length
      ? card(title, el("p", { class: "soft" }, about), tables.anchors(summary, shown, title, head)) : null;
  }

  function accuracy(summary) {
    if (!summary.accuracy.length) return null;
    const heads = (names) => names.map((name) => [name, ""]);
    return card("Accuracy on suites", summary.accuracyNotes.map((note) => el("p", { class: "soft" }, note)),
      tables.pairs("Accuracy on suites", heads(summary.accuracyHeads), summary.accuracy),
      summary.slices.length ? el("details", {}, el("summary", {}, "By what tells items apart"),
        tables.pairs("Accuracy by what tells items apart", heads(summary.sliceHeads), summary.slices)) : null);
  }

  function problems(summary) {
    if (!summary.problems.length) return null;
    const more = summary.moreProblems ? [`and ${summary.moreProblems} more`] : [];
    return card("Not collected", el("p", { class: "note" }, "Nothing of this was asked, and no score speaks of it."),
      el("ul", {}, [...summary.problems, ...more].map((text) => el("li", {}, text))));
  }

  function render(summary) {
    headline(summary);
    charts.forget();
    const codes = [...new Set(summary.agents.flatMap((agent) => Object.keys(agent.values)))].sort();
    const radar = profile(summary, codes);
    document.getElementById("overview-body").replaceChildren(
      el("div", { class: "row lead" }, verdict(summary), gates(summary)),
      ...[problems(summary)].filter(Boolean),
      el("div", { class: radar ? "row main" : "row" }, scores(summary), radar),
      ...[
        apart(summary, false, "Held against the world", "Anchor",
          "Anchored relations compare answers with what was measured or executed; they are in no score above."),
        apart(summary, true, "Items of suites", "Suite",
          "Accuracy on suites, and what answers to one item in several ways owe each other; they are in no score above."),
        accuracy(summary),
        change(summary), sideBySide(summary, codes), where(summary, codes), aside(summary),
      ].filter(Boolean));
  }

  return { render };
})();
